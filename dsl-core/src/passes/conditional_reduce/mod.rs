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
//!   v4: dict[i64,i64] = loop v5 < v3 {
//!     sink #0 = bucket_reduce + i64 -> i64
//!     v6: i64 = at v1, v5
//!     v7: bool = const true
//!     if v7 {
//!       merge #0, v6, v5
//!     }
//!   }
//!   v8: vec[i64] = loop v9 < v2 {
//!     sink #1 = collect i64
//!     v10: i64 = at v0, v9
//!     v11: {bool,i64} = opt_lookup v4, v10
//!     v12: bool = field v11, 0
//!     v13: i64 = field v11, 1
//!     v14: i64 = region {
//!       sink #2 = reduce + i64
//!       if v12 {
//!         merge #2, v13
//!       }
//!     }
//!     merge #1, v14
//!   }
//!   return v8
//! }
//! ```
//! The reduction keeps its sink, into which the value found is merged: what it starts with, and what a key without
//! elements gives or faults with, stay as they are.
//!
//! Elements are reduced that no key asks for, so what is done with those that the comparison picks must be total. What is
//! done with each element, or before, is done for the first key anyway; if it can fault or call out, the reduction by key
//! stands in an `if` for the case that there is no key. Otherwise it does not, and no key at all costs the pass over the
//! elements, which still is no more than n + K.
//!
//! **Declines when** what is reduced depends on the key by more than the comparison; when it can fault or call out, for
//! not every element is certain to be reduced; when what is compared holds floats, for a dictionary finds another NaN and
//! `==` does not; when not all that is merged is under the comparison; when the keys are known to be few, for comparing is
//! faster than a table.
//!
//! **Order**: after the fusions, which bring a filter and all that is reduced of it into one loop; before
//! `struct-of-arrays`, which takes the values of the table apart.

mod rewrite;
mod scan;
mod survey;

use self::scan::Scan;
use super::candidate::fuse_all;
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
