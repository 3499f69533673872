//! Rewrites by tables of exact equations, each used from left to right: of scalars, of structs,
//! vectors and lengths, of branches, loops and regions.
//!
//! **Preconditions**: none.
//!
//! **Before / After**
//! ```text
//! program(v0: vec[f64], v1: bool) {
//!   v2: i64 = len v0
//!   v3: i64 = const 0
//!   v4: vec[{f64,i64}] = loop v5 < v2 {
//!     sink #0 = collect {f64,i64}
//!     v6: f64 = at v0, v5
//!     v7: i64 = add v5, v3
//!     v8: {f64,i64} = struct {v6, v7}
//!     merge #0, v8
//!   }
//!   v9: i64 = len v4
//!   v10: {vec[{f64,i64}],i64} = struct {v4, v9}
//!   return v10
//! }
//! ```
//! ```text
//! program(v0: vec[f64], v1: bool) {
//!   v2: i64 = len v0
//!   v3: vec[{f64,i64}] = loop v4 < v2 {
//!     sink #0 = collect {f64,i64}
//!     v5: f64 = at v0, v4
//!     v6: {f64,i64} = struct {v5, v4}
//!     merge #0, v6
//!   }
//!   v7: i64 = len v0
//!   v8: {vec[{f64,i64}],i64} = struct {v3, v7}
//!   return v8
//! }
//! ```
//!
//! **Declines when** an equation is not exact: float `x + 0.0`, `x * 0.0`, `!(x < y)` where a NaN can be;
//! where a fault would be moved, or lost of a value that is needed: an operand that makes no difference to the result, as in `x * 0`,
//! is not needed, and its fault goes with it; where the code would get worse.
//!
//! **Order**: first in a round, because the other passes look for the shapes it leaves: lengths that are
//! extents, structs taken apart, regions that are loops. What it leaves unused is for `dead-code`.

mod control;
mod known_keys;
mod scalar;
mod shapes;
mod wrapped;

#[cfg(test)]
mod tests;

use super::{Changed, Cx, Pass};
use crate::ir::local::{Facts, Replacement, rewrite_to_fixpoint};
use crate::ir::{Defs, Program, Stmt};

/// See the [module](self).
pub const PASS: Pass = Pass {
    name: "simplify",
    summary: "rewrite by tables of exact equations",
    run: |program, cx| {
        Changed::from(rewrite_to_fixpoint(program, |program, defs, stmt| rewrite(program, defs, stmt, cx)))
    },
};

/// The first rule that applies to `stmt`.
fn rewrite(program: &mut Program, defs: &Defs, stmt: &Stmt, cx: &mut Cx) -> Option<Replacement> {
    for (_equation, rule) in scalar::RULES {
        let facts = Facts { program, defs };
        if let Some(to) = rule(&facts, &stmt.op) {
            return cx.allows().then(|| match to {
                scalar::To::Value(value) => Replacement::values(vec![value]),
                scalar::To::Op(op) => Replacement::op(stmt, op),
            });
        }
    }
    for (_equation, rule) in shapes::RULES.iter().chain(known_keys::RULES).chain(control::RULES) {
        if cx.is_empty() {
            return None;
        }
        if let Some(replacement) = rule(program, defs, stmt) {
            cx.allows();
            return Some(replacement);
        }
    }
    None
}
