//! Columns of rows that lie one behind the other are reduced several at a time. A loop over columns that reduces each by
//! itself reads one element of every row, and comes back to all of them for the next column; a line of the cache, which
//! holds several columns, has long been displaced by then.
//!
//! The columns are taken in blocks, for each of which one loop over the rows reduces every column into an accumulator of
//! its own. Each is reduced as it was, to the last bit, and loops over blocks are split over cores as those over columns
//! were. A vector of accumulators, one for each column, would be as long as a row instead: a loop over the rows, split
//! over cores, would need as many as there are chunks.
//!
//! **Preconditions**: what does not change with the row stands outside the loop over the rows (`hoist`).
//!
//! **Before / After**
//! ```text
//! program(v0: vec[f64], v1: i64) {
//!   v2: i64 = len v0
//!   v3: i64 = const 2
//!   v4: vec[f64] = loop v5 < v3 {
//!     sink #0 = collect f64
//!     v6: f64 = loop v7 < v1 {
//!       sink #1 = reduce + f64
//!       v8: i64 = mul v7, v3
//!       v9: i64 = add v8, v5
//!       v10: i64 = check_index v9, v2
//!       v11: f64 = at v0, v10
//!       merge #1, v11
//!     }
//!     merge #0, v6
//!   }
//!   return v4
//! }
//! ```
//! ```text
//! program(v0: vec[f64], v1: i64) {
//!   v2: i64 = len v0
//!   v3: i64 = const 2
//!   v4: vec[f64] = region {
//!     sink #0 = collect f64
//!     v5: i64 = const 0
//!     v6: i64 = const 0
//!     v7: i64 = add v5, v6
//!     v8: i64 = check_index v7, v3
//!     v9: i64 = const 1
//!     v10: i64 = add v5, v9
//!     v11: i64 = check_index v10, v3
//!     v12: f64, v13: f64 = loop v14 < v1 {
//!       sink #1 = reduce + f64
//!       sink #2 = reduce + f64
//!       v15: i64 = mul v14, v3
//!       v16: i64 = add v15, v8
//!       v17: i64 = check_index v16, v2
//!       v18: f64 = at v0, v17
//!       merge #1, v18
//!       v19: i64 = mul v14, v3
//!       v20: i64 = add v19, v11
//!       v21: i64 = check_index v20, v2
//!       v22: f64 = at v0, v21
//!       merge #2, v22
//!     }
//!     merge #0, v12
//!     merge #0, v13
//!   }
//!   v23: vec[f64] = loop v24 < v3 {
//!     sink #3 = collect f64
//!     v25: i64 = len v4
//!     v26: i64 = check_index v24, v25
//!     v27: f64 = at v4, v26
//!     merge #3, v27
//!   }
//!   return v23
//! }
//! ```
//! More columns than a block holds are reduced in a loop over blocks, and those behind the last whole block by the loop
//! that was there, which stands in a branch then.
//!
//! **Declines when** what is read changes with column and row otherwise than along columns, so that several columns would
//! be read no better than one; when the number of rows depends on the column; when there are few rows, whose lines stay
//! in the cache; when the reduction is large, or has more accumulators than registers can hold twice.
//!
//! **Order**: after the fusions, which bring all that is reduced of a column into one loop. What it makes is no map any
//! more, but the loop over the columns, which reads it, still is.

mod columns;
mod rewrite;

use self::columns::{Columns, Rewrite};
use super::candidate::{Fusion, fuse_all};
use super::{Cx, Pass};
use crate::ir::{BodyId, Defs, Program};

/// See the [module](self).
pub const PASS: Pass = Pass {
    name: "column-to-row",
    summary: "reduce several columns in one pass over the rows",
    run: |program, cx| fuse_all(program, cx, fuse_one),
};

/// Does one, if there is one to do.
fn fuse_one(program: &mut Program, cx: &mut Cx, bodies: &[BodyId]) -> bool {
    let defs = Defs::of(program);
    bodies.iter().any(|&body| cx.fuse_first(program, &defs, Columns::candidates(program, &defs, body)))
}

impl Fusion for Columns {
    fn apply(&self, plan: Rewrite, program: &mut Program) {
        rewrite::apply(self, &plan, program);
    }
}
