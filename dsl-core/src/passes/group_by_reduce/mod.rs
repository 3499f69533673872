//! Groups that are only reduced are not built: a dictionary of groups, each of which is then reduced, becomes a
//! dictionary of the reduced values. All reductions of a group, and its length, share one table.
//!
//! **Preconditions**: none.
//!
//! **Before / After**
//! ```text
//! program(v0: vec[{i64,f64}], v1: i64) {
//!   v2: i64 = len v0
//!   v3: dict[i64,vec[{i64,f64}]] = loop v4 < v2 {
//!     sink #0 = bucket_collect i64 -> {i64,f64}
//!     v5: {i64,f64} = at v0, v4
//!     v6: i64 = field v5, 0
//!     merge #0, v6, v5
//!   }
//!   v7: vec[{i64,f64}] = lookup v3, v1
//!   v8: i64 = len v7
//!   v9: f64 = loop v10 < v8 {
//!     sink #1 = reduce + f64
//!     v11: {i64,f64} = at v7, v10
//!     v12: f64 = field v11, 1
//!     merge #1, v12
//!   }
//!   return v9
//! }
//! ```
//! ```text
//! program(v0: vec[{i64,f64}], v1: i64) {
//!   v2: i64 = len v0
//!   v3: dict[i64,{f64}] = loop v4 < v2 {
//!     sink #0 = bucket_reduce + i64 -> {f64}
//!     v5: {i64,f64} = at v0, v4
//!     v6: i64 = field v5, 0
//!     v7: f64 = field v5, 1
//!     v8: {f64} = struct {v7}
//!     merge #0, v6, v8
//!   }
//!   v9: {f64} = lookup v3, v1
//!   v10: f64 = field v9, 0
//!   v11: f64 = const 0.0
//!   v12: f64 = add v11, v10
//!   return v12
//! }
//! ```
//!
//! **Declines when** a group is more than reduced and measured: kept, sorted, read at an index, reduced together with
//! something else or by its indices; when the reduction needs what is not known yet where the groups are made, or can
//! fault or call out, for it might not have been reached; when the dictionary is more than looked up and listed.
//!
//! **Order**: after `fuse-vertical` and `fuse-horizontal`, which make one reduction of what is done with a group;
//! before `struct-of-arrays`, which would store the groups apart.

mod groups;
mod rewrite;

use std::collections::HashSet;

use self::groups::{Groups, Rewrite};
use super::candidate::fuse_all;
use super::{Cx, Pass};
use crate::ir::{BodyId, Defs, Program, Uses, Value};

/// See the [module](self).
pub const PASS: Pass = Pass {
    name: "group-by-reduce",
    summary: "reduce by key what is grouped and then reduced",
    run: |program, cx| fuse_all(program, cx, fuse_some),
};

/// Does all in the first body in which there are any.
fn fuse_some(program: &mut Program, cx: &mut Cx, bodies: &[BodyId]) -> bool {
    let (defs, uses) = (Defs::of(program), Uses::of(program));
    bodies.iter().any(|&body| {
        let mut accepted: Vec<(Groups, Rewrite)> = Vec::new();
        // What holds the groups of those, and what their reductions read.
        let (mut held, mut read): (HashSet<Value>, HashSet<Value>) = Default::default();
        for groups in Groups::candidates(program, &uses, body) {
            let (holders, reads) = (groups.holders(), groups.reads(program));
            // Those in the reductions of others, or the other way round, wait until these are done.
            let waits = !reads.is_disjoint(&held) || !holders.is_disjoint(&read);
            if cx.is_empty() || waits {
                continue;
            }
            if let Some(plan) = cx.accept(program, &defs, &groups) {
                accepted.push((groups, plan));
                held.extend(holders);
                read.extend(reads);
            }
        }
        rewrite::apply(program, body, &accepted)
    })
}
