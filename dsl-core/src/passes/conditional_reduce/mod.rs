//! A loop over keys that reduces, for each, the elements with that key becomes one reduction by key of all elements,
//! and a look-up for each key: n + K steps in place of n · K.
//!
//! **Preconditions**: none.
//!
//! **Before / After**
//! ```text
//! program(v0: vec[i64], v1: vec[i64]) {
//!   v2: i64 = len v0
//!   v3: i64 = len v1
//!   v4: vec[i64] = loop v5 < v2 {
//!     sink #0 = collect i64
//!     v6: i64 = at v0, v5
//!     v7: i64 = loop v8 < v3 {
//!       sink #1 = reduce + i64
//!       v9: i64 = at v1, v8
//!       v10: bool = eq v9, v6
//!       if v10 {
//!         merge #1, v8
//!       }
//!     }
//!     merge #0, v7
//!   }
//!   return v4
//! }
//! ```
//! ```text
//! program(v0: vec[i64], v1: vec[i64]) {
//!   v2: i64 = len v0
//!   v3: i64 = len v1
//!   v4: i64 = const 8
//!   v5: bool = lt v4, v2
//!   v6: bool = if v5 {
//!     v7: i64 = const 512
//!     v8: bool = lt v7, v3
//!     yield v8
//!   } else {
//!     v9: bool = const false
//!     yield v9
//!   }
//!   v10: dict[i64,i64] = if v6 {
//!     v11: dict[i64,u8] = loop v12 < v2 {
//!       sink #0 = bucket_reduce + i64 -> u8
//!       v13: i64 = at v0, v12
//!       v14: u8 = const 0
//!       merge #0, v13, v14
//!     }
//!     v15: dict[i64,i64] = loop v16 < v3 {
//!       sink #1 = bucket_reduce + i64 -> i64
//!       v17: i64 = at v1, v16
//!       v18: bool = key_exists v11, v17
//!       if v18 {
//!         merge #1, v17, v16
//!       }
//!     }
//!     yield v15
//!   } else {
//!     v19: dict[i64,i64] = region {
//!       sink #2 = bucket_reduce by (v20: i64, v21: i64) {
//!         return v20
//!       } i64 -> i64
//!     }
//!     yield v19
//!   }
//!   v22: vec[i64] = loop v23 < v2 {
//!     sink #3 = collect i64
//!     v24: i64 = at v0, v23
//!     v25: i64 = if v6 {
//!       v26: {bool,i64} = opt_lookup v10, v24
//!       v27: bool = field v26, 0
//!       v28: i64 = field v26, 1
//!       v29: i64 = region {
//!         sink #4 = reduce + i64
//!         if v27 {
//!           merge #4, v28
//!         }
//!       }
//!       yield v29
//!     } else {
//!       v30: i64 = loop v31 < v3 {
//!         sink #5 = reduce + i64
//!         v32: i64 = at v1, v31
//!         v33: bool = eq v32, v24
//!         if v33 {
//!           merge #5, v31
//!         }
//!       }
//!       yield v30
//!     }
//!     merge #3, v25
//!   }
//!   return v22
//! }
//! ```
//! The reduction keeps its sink, into which the value found is merged: what it starts with, and what a key without
//! elements gives or faults with, stay as they are. For few keys or few elements it stays as a whole, for comparing in
//! lanes is faster than a table; mostly their numbers show only when the program runs.
//!
//! The keys are put into a dictionary first. So no table holds more than is wanted, however many keys the elements have,
//! and nothing is computed of an element that was not computed for some key: what can fault goes along, under the
//! comparison or before it, and faults for the same elements.
//!
//! **Declines when** what is reduced depends on the key by more than the comparison; when what is compared holds floats,
//! for a dictionary finds NaN and `==` does not; when not all that is merged is under the comparison; when the keys are costly
//! to compute; when an assertion depends on the comparison, or the function that folds can fault or call out.
//!
//! **Order**: after the fusions, which bring a filter and all that is reduced of it into one loop; before
//! `struct-of-arrays`, which takes the values of the table apart.

mod rewrite;
mod scan;
mod survey;

use self::scan::{Rewrite, Scan};
use super::candidate::{Fusion, fuse_all};
use super::{Cx, Pass};
use crate::ir::{BodyId, Defs, Program};

/// See the [module](self).
pub const PASS: Pass = Pass {
    name: "conditional-reduce",
    summary: "reduce by key what is reduced for each key in turn",
    run: |program, cx| fuse_all(program, cx, fuse_one),
};

/// Does one, if there is one to do.
fn fuse_one(program: &mut Program, cx: &mut Cx, bodies: &[BodyId]) -> bool {
    let defs = Defs::of(program);
    bodies.iter().any(|&body| cx.fuse_first(program, &defs, Scan::candidates(program, &defs, body)))
}

impl Fusion for Scan {
    fn apply(&self, plan: Rewrite, program: &mut Program) {
        rewrite::apply(self, &plan, program);
    }
}
