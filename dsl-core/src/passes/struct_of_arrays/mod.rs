//! Keeps the fields of structs apart: a vector of structs becomes a vector per field, a column, and a reduction of
//! structs a reduction per field. What nobody reads of a struct is then dead, and never stored or computed.
//!
//! **Preconditions**: none.
//!
//! **Before / After**
//! ```text
//! program(v0: vec[i64]) {
//!   v1: i64 = len v0
//!   v2: vec[{i64,f64}] = loop v3 < v1 {
//!     sink #0 = collect {i64,f64}
//!     v4: i64 = at v0, v3
//!     v5: f64 = cast v4
//!     v6: {i64,f64} = struct {v4, v5}
//!     merge #0, v6
//!   }
//!   v7: i64 = len v2
//!   v8: i64 = const 1
//!   v9: i64 = check_index v8, v7
//!   v10: {i64,f64} = at v2, v9
//!   v11: f64 = field v10, 1
//!   return v11
//! }
//! ```
//! ```text
//! program(v0: vec[i64]) {
//!   v1: i64 = len v0
//!   v2: vec[i64], v3: vec[f64] = loop v4 < v1 {
//!     sink #0 = collect i64
//!     sink #1 = collect f64
//!     v5: i64 = at v0, v4
//!     v6: f64 = cast v5
//!     v7: {i64,f64} = struct {v5, v6}
//!     v8: i64 = field v7, 0
//!     merge #0, v8
//!     v9: f64 = field v7, 1
//!     merge #1, v9
//!   }
//!   v10: i64 = len v2
//!   v11: i64 = const 1
//!   v12: i64 = check_index v11, v10
//!   v13: i64 = at v2, v12
//!   v14: f64 = at v3, v12
//!   v15: {i64,f64} = struct {v13, v14}
//!   v16: f64 = field v15, 1
//!   return v16
//! }
//! ```
//!
//! **Declines when** the vector is more than its elements and its length to anybody: a part of the result, a key, an
//! element of something else, sorted, sliced, serialised; or when it is a parameter, which is read where it lies, or what an
//! `iterate` began with is one; or where an `iterate` hands it on, perhaps through an `if`, and it is read without a shape, which alone
//! says how long each of its columns is. Reductions by a function are one tuple, for argmax cannot be split; they lose only the fields
//! that nobody needs. Sorts that move little more than their keys are left alone.
//!
//! **Order**: after `fuse-vertical`, so that only what is stored becomes columns; `simplify` takes the structs that
//! are left apart, and `dead-code` drops the columns that nobody reads.

mod fields;
pub(super) mod reads;
mod reductions;
mod sorts;
mod vectors;

use super::{Changed, Cx, Pass};
use crate::ir::Program;

/// See the [module](self).
pub const PASS: Pass = Pass {
    name: "struct-of-arrays",
    summary: "keep the fields of structs apart, as columns and as reductions of their own",
    run: |program, cx| {
        let mut changed = split_all(program, cx, sorts::wide, sorts::split);
        changed |= split_all(program, cx, vectors::classes, vectors::split);
        changed |= split_all(program, cx, reductions::separable, reductions::split);
        changed |= split_all(program, cx, fields::idle, fields::narrow);
        Changed::from(changed)
    },
};

/// Splits all that is found at once, as far as there is fuel, and then what that has brought about: fields may be structs
/// again. Whether there was something.
fn split_all<T>(
    program: &mut Program,
    cx: &mut Cx,
    find: impl Fn(&Program) -> Vec<T>,
    split: impl Fn(&mut Program, &[T]),
) -> bool {
    let mut changed = false;
    loop {
        let mut found = find(program);
        found.retain(|_| cx.allows());
        if found.is_empty() {
            return changed;
        }
        split(program, &found);
        changed = true;
    }
}
