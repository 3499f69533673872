//! Fuses consumers with their producers, so that what is between them is never stored.
//!
//! Push (`push.rs`): the consumer's body goes where the producer merges; filters, inner loops and buckets all fuse by
//! it. Pull (`pull.rs`): an element of a map is computed where it is read, by whatever index. Inward (`inward.rs`): a
//! producer moves into the region or branch where its consumers are. Count (`count.rs`): a vector of which only
//! the length is read is counted. Branch (`branch.rs`): the consumer of a vector that an `if` chooses moves into
//! both branches.
//!
//! **Preconditions**: lengths of maps are their extents, and equal sinks are one (`simplify`,
//! `common-subexpressions`).
//!
//! **Before / After**
//! ```text
//! program(v0: vec[f64], v1: f64) {
//!   v2: i64 = len v0
//!   v3: vec[f64] = loop v4 < v2 {
//!     sink #0 = collect f64
//!     v5: f64 = at v0, v4
//!     v6: bool = lt v5, v1
//!     if v6 {
//!       merge #0, v5
//!     }
//!   }
//!   v7: i64 = len v3
//!   v8: f64 = loop v9 < v7 {
//!     sink #1 = reduce + f64
//!     v10: f64 = at v3, v9
//!     v11: f64 = mul v10, v10
//!     merge #1, v11
//!   }
//!   return v8
//! }
//! ```
//! ```text
//! program(v0: vec[f64], v1: f64) {
//!   v2: i64 = len v0
//!   v3: f64 = loop v4 < v2 {
//!     sink #0 = reduce + f64
//!     v5: f64 = at v0, v4
//!     v6: bool = lt v5, v1
//!     if v6 {
//!       v7: f64 = mul v5, v5
//!       merge #0, v7
//!     }
//!   }
//!   return v3
//! }
//! ```
//! A map read backwards is computed where it is read:
//! ```text
//! program(v0: vec[f64], v1: i64) {
//!   v2: i64 = len v0
//!   v3: vec[f64] = loop v4 < v2 {
//!     sink #0 = collect f64
//!     v5: f64 = at v0, v4
//!     v6: f64 = neg v5
//!     merge #0, v6
//!   }
//!   v7: i64 = iter_len v2, v1, v2, v1
//!   v8: f64 = loop v9 < v7 {
//!     sink #1 = reduce + f64
//!     v10: i64 = mul v9, v1
//!     v11: i64 = add v10, v1
//!     v12: f64 = at v3, v11
//!     merge #1, v12
//!   }
//!   return v8
//! }
//! ```
//! ```text
//! program(v0: vec[f64], v1: i64) {
//!   v2: i64 = len v0
//!   v3: i64 = iter_len v2, v1, v2, v1
//!   v4: f64 = loop v5 < v3 {
//!     sink #0 = reduce + f64
//!     v6: i64 = mul v5, v1
//!     v7: i64 = add v6, v1
//!     v8: f64 = at v0, v7
//!     v9: f64 = neg v8
//!     merge #0, v9
//!   }
//!   return v4
//! }
//! ```
//!
//! **Declines when** (push) the consumer does not run over exactly the producer's elements, reads them out of
//! turn, uses its own index over anything but a map, needs something else that the producer computes, merges
//! into a builder that the producer merges into, or is large where the producer merges at several places,
//! or these are many; or costs more than a vector in memory does where the producer is a scan, whose steps are not split among threads;
//! (pull) elements would be computed more often and are not cheap, or can fault where they might not be read; or might not
//! depend on their index, which is checked where they are read, for the check would go; or the
//! map stays and an element of it is read that is not always the same.
//! A pull by an index that is checked waits until nothing else changes: an element of which the index cancels, as `i - i`, is then seen
//! not to depend on it.
//! What was declined is in the report.
//!
//! **Order**: after `dead-code`, so that nobody seems to read what is not needed; push before pull, because
//! push computes each element once. It leaves structs to be taken apart, dead merges and loops without sinks
//! to `simplify` and `dead-code`.

mod asked;
mod branch;
mod count;
mod evaluations;
mod inward;
mod lengths;
mod paste;
mod pull;
mod pulls;
mod push;
mod round;
mod share;

use self::inward::move_inward;
use self::push::Known;
use super::candidate::fuse_all;
use super::{Cx, Pass};
use crate::ir::{BodyId, Defs, Program, Uses};

/// See the [module](self).
pub const PASS: Pass = Pass {
    name: "fuse-vertical",
    summary: "fuse consumers with their producers",
    run: |program, cx| fuse_all(program, cx, fuse_some),
};

/// Does a round of pushes; or else the pulls that do not wait for others; or else every count; or else moves consumers into
/// branches; or else moves loops inward.
fn fuse_some(program: &mut Program, cx: &mut Cx, bodies: &[BodyId]) -> bool {
    // Inner bodies first: what is fused inside is smaller when it is pasted outside.
    let bodies = || bodies.iter().rev().copied();
    let (mut defs, mut pushed, known) = (None, false, Known::default());
    for body in bodies() {
        pushed |= round::push_in(program, cx, &mut defs, &known.of_another_body(), body);
    }
    if pushed {
        cx.unsettle();
        return true;
    }
    let uses = Uses::of(program);
    if pulls::pull_all(program, cx, &Defs::remembering_merges(program), &uses, bodies()) {
        return true;
    }
    let mut defs = Defs::of(program);
    if count::count_all(program, cx, &defs, &uses, bodies()) {
        cx.unsettle();
        return true;
    }
    let mut branched = false;
    for body in bodies() {
        branched |= branch::branch_in(program, cx, &mut defs, body);
    }
    if branched {
        cx.unsettle();
        return true;
    }
    let mut moved = false;
    for body in bodies() {
        moved |= !cx.is_empty() && move_inward(program, cx, &mut defs, body);
    }
    if moved {
        cx.unsettle();
    }
    moved
}
