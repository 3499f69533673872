//! Fuses siblings: independent loops of one body over the same space become one loop with all their sinks, and
//! so do `for`s with equal extents and `if`s on the same condition. Each input is then read once.
//!
//! **Preconditions**: none.
//!
//! **Before / After**
//! ```text
//! program(v0: vec[f64]) {
//!   v1: i64 = len v0
//!   v2: f64 = loop v3 < v1 {
//!     sink #0 = reduce + f64
//!     v4: f64 = at v0, v3
//!     merge #0, v4
//!   }
//!   v5: f64 = loop v6 < v1 {
//!     sink #1 = reduce min f64
//!     v7: f64 = at v0, v6
//!     merge #1, v7
//!   }
//!   v8: f64 = sub v2, v5
//!   return v8
//! }
//! ```
//! ```text
//! program(v0: vec[f64]) {
//!   v1: i64 = len v0
//!   v2: f64, v3: f64 = loop v4 < v1 {
//!     sink #0 = reduce + f64
//!     sink #1 = reduce min f64
//!     v5: f64 = at v0, v4
//!     merge #0, v5
//!     v6: f64 = at v0, v4
//!     merge #1, v6
//!   }
//!   v7: f64 = sub v2, v3
//!   return v7
//! }
//! ```
//!
//! **Declines when** one depends on the other, directly or by way of a statement between them; when both merge
//! into the same sink of a loop around, whose order would change; when loops have no input in common; when
//! together they keep more accumulators than the cost table allows, or fill dictionaries by different keys.
//! What was declined is in the report.
//!
//! **Order**: after `fuse-vertical`, which computes a producer once for all its consumers; before
//! `common-subexpressions` of the next round, which shares what the two bodies compute twice, and brings about
//! that `if`s have the same condition.

mod facts;
mod family;
mod guards;
mod keys;
mod loops;
mod sharing;

use self::family::Family;
use self::guards::fuse_guards;
use super::candidate::fuse_all;
use super::{Cx, Pass};
use crate::ir::{BodyId, Defs, Op, Program, Stmt};

/// See the [module](self).
pub const PASS: Pass = Pass {
    name: "fuse-horizontal",
    summary: "fuse independent loops over one space, and branches on one condition",
    run: |program, cx| fuse_all(program, cx, fuse_some),
};

/// Fuses all siblings, or else all branches on the same conditions, if there are any.
fn fuse_some(program: &mut Program, cx: &mut Cx, bodies: &[BodyId]) -> bool {
    let (mut defs, mut fused) = (None, false);
    for &body in bodies {
        fused |= fuse_siblings(program, cx, &mut defs, body);
    }
    if fused || cx.is_empty() {
        return fused;
    }
    // Inner bodies first, which may become part of others.
    for &body in bodies.iter().rev() {
        fused |= fuse_guards(program, cx, &mut defs, body);
    }
    fused
}

/// Fuses siblings in `body`; `defs` are those of the program, if they are known.
fn fuse_siblings(program: &mut Program, cx: &mut Cx, defs: &mut Option<Defs>, body: BodyId) -> bool {
    let is_one = |stmt: &&Stmt| matches!(stmt.op, Op::Loop(_) | Op::For { .. });
    if program.bodies[body].stmts.iter().filter(is_one).nth(1).is_none() {
        return false;
    }
    let defs = defs.get_or_insert_with(|| Defs::of(program));
    let family = Family::of(program, defs, body);
    family.is_some_and(|family| family.fuse(program, cx, defs))
}
