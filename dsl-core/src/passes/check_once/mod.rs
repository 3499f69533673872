//! Checks once, before an innermost loop, that all that it reads along a vector is there: `m[row * n + j]` for every `j`, the
//! neighbours `v[i - 1]` and `v[i + 1]`. Where it is, the loop reads a slice, which an index below its length needs no
//! check for; where it is not, the loop runs as it was, up to its fault.
//!
//! **Preconditions**: none.
//!
//! **Before / After**
//! ```text
//! program(v0: vec[f64], v1: i64, v2: i64) {
//!   v3: i64 = len v0
//!   v4: i64 = range_len v1, v2, v1
//!   v5: f64 = loop v6 < v4 {
//!     sink #0 = reduce + f64
//!     v7: i64 = add v1, v6
//!     v8: i64 = check_index v7, v3
//!     v9: f64 = at v0, v8
//!     merge #0, v9
//!   }
//!   return v5
//! }
//! ```
//! ```text
//! program(v0: vec[f64], v1: i64, v2: i64) {
//!   v3: i64 = len v0
//!   v4: i64 = range_len v1, v2, v1
//!   v5: i64 = const 0
//!   v6: i64 = add v1, v5
//!   v7: i64 = sub v3, v4
//!   v8: bool = le v5, v6
//!   v9: bool = le v6, v7
//!   v10: bool = and v8, v9
//!   v11: f64 = if v10 {
//!     v12: vec[f64] = slice v0, v6, v4
//!     v13: i64 = len v12
//!     v14: f64 = loop v15 < v13 {
//!       sink #0 = reduce + f64
//!       v16: f64 = at v12, v15
//!       merge #0, v16
//!     }
//!     yield v14
//!   } else {
//!     v17: f64 = loop v18 < v4 {
//!       sink #1 = reduce + f64
//!       v19: i64 = add v1, v18
//!       v20: i64 = check_index v19, v3
//!       v21: f64 = at v0, v20
//!       merge #1, v21
//!     }
//!     yield v17
//!   }
//!   return v11
//! }
//! ```
//!
//! **Declines when** the index does not grow by one with each iteration, or not by sums and products of integers alone;
//! when what is checked is used for more than reads of that vector; when the vector is made in the loop; when the loop is large,
//! for it is written twice, or holds loops; when a vector that it makes, or one that has its length from it, is
//! read in the program, which may rest on that length.
//!
//! **Order**: after the fixpoint, when nothing is fused any more: two copies of a loop would hide from each other what they
//! could share. The report counts the loop once.

mod rewrite;
mod spans;

use super::{Changed, Pass};

/// See the [module](self).
pub const PASS: Pass = Pass {
    name: "check-once",
    summary: "check before a loop that what it reads along a vector is there, and read a slice",
    run: |program, cx| {
        let Some(entry) = program.entry else { return Changed::No };
        let mut changed = Changed::No;
        // Loops that hold no loops: what becomes of one is nothing to the others.
        for of_body in spans::all(program, entry) {
            let Some(body) = of_body.first().map(|found| found.body) else { continue };
            let mut stmts = Vec::new();
            let mut of_body = of_body.into_iter().peekable();
            for (number, stmt) in program.take_stmts(body).into_iter().enumerate() {
                let found = of_body.next_if(|found| found.number == number);
                let Some(found) = found.filter(|_| cx.allows()) else {
                    stmts.push(stmt);
                    continue;
                };
                cx.decide(spans::words(&found), stmt.loc);
                rewrite::apply(&found, program, stmt, &mut stmts);
                changed = Changed::Yes;
            }
            program.put_stmts(body, stmts);
        }
        changed
    },
};
