//! Computes what is known: scalar ops whose operands are all constants, and which branch of an `if` is taken.
//!
//! **Preconditions**: none.
//!
//! **Before / After**
//! ```text
//! program(v0: f64) {
//!   v1: f64 = const 2.0
//!   v2: f64 = const 3.0
//!   v3: f64 = mul v1, v2
//!   v4: bool = lt v1, v3
//!   v5: f64 = select v4, v3, v0
//!   v6: f64 = add v5, v0
//!   v7: f64 = if v4 {
//!     yield v6
//!   } else {
//!     v8: f64 = exp v0
//!     yield v8
//!   }
//!   return v7
//! }
//! ```
//! ```text
//! program(v0: f64) {
//!   v1: f64 = const 6.0
//!   v2: bool = const true
//!   v3: f64 = select v2, v1, v0
//!   v4: f64 = add v3, v0
//!   return v4
//! }
//! ```
//!
//! **Declines when** the op would fault (an integer division by zero stays, and faults when the program runs).
//!
//! **Order**: beside `simplify`, which knows what to do with some constants and brings others together. Branches are taken
//! here, so that a chain of them, each on what the one before gave, is done with in one walk.

use weldment_runtime::lang::scalar::{self, Const};

use super::{Changed, Pass};
use crate::ir::local::{Facts, Replacement, rewrite_to_fixpoint};
use crate::ir::{Op, Value};

/// See the [module](self).
pub const PASS: Pass = Pass {
    name: "fold-constants",
    summary: "compute scalar ops of constants, and take branches on them",
    run: |program, cx| {
        Changed::from(rewrite_to_fixpoint(program, |program, defs, stmt| {
            let facts = Facts { program, defs };
            let constant = fold(&facts, &stmt.op).map(|constant| Replacement::op(stmt, Op::Const(constant)));
            let replacement = constant.or_else(|| taken(&facts, &stmt.op))?;
            cx.allows().then_some(replacement)
        }))
    },
};

/// What is in the branch that `op` takes, if it is an `if` on a constant.
fn taken(facts: &Facts<'_>, op: &Op) -> Option<Replacement> {
    let Op::If { cond, then, els } = *op else { return None };
    let taken = if facts.integer(cond)? != 0 { then } else { els };
    let body = facts.program.bodies[taken].clone();
    Some(Replacement { stmts: body.stmts, values: body.results })
}

/// The constant that `op` is.
fn fold(facts: &Facts<'_>, op: &Op) -> Option<Const> {
    let constant = |value: &Value| facts.constant(*value);
    match op {
        Op::Unary(op, x) => Some(scalar::unary(*op, constant(x)?)),
        Op::Binary(op, x, y) => scalar::binary(*op, constant(x)?, constant(y)?).ok(),
        Op::Compare(op, x, y) => Some(scalar::compare(*op, constant(x)?, constant(y)?).into()),
        Op::Order(x, y) => Some(Const::I32(scalar::total_order(constant(x)?, constant(y)?) as i32)),
        Op::Math(function, args) => {
            let args: Option<Vec<Const>> = args.iter().map(constant).collect();
            Some(scalar::math(*function, &args?))
        }
        Op::Cast(to, x) => Some(scalar::cast(*to, constant(x)?)),
        Op::Half(function, x) => Some(function.apply(constant(x)?)),
        _ => None,
    }
}
