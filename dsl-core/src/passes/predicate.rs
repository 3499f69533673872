//! Turns branches into values: both sides of a cheap `if` are computed and one is selected, and a guard within
//! a guard becomes one guard. Loops without branches run on vectors.
//!
//! **Preconditions**: none.
//!
//! **Before / After**
//! ```text
//! program(v0: f64, v1: f64) {
//!   v2: bool = lt v0, v1
//!   v3: f64 = if v2 {
//!     v4: f64 = mul v0, v1
//!     yield v4
//!   } else {
//!     yield v1
//!   }
//!   return v3
//! }
//! ```
//! ```text
//! program(v0: f64, v1: f64) {
//!   v2: bool = lt v0, v1
//!   v3: f64 = mul v0, v1
//!   v4: f64 = select v2, v3, v1
//!   return v4
//! }
//! ```
//! Guards of merges:
//! ```text
//! program(v0: vec[f64], v1: f64, v2: f64) {
//!   v3: i64 = len v0
//!   v4: f64 = loop v5 < v3 {
//!     sink #0 = reduce + f64
//!     v6: f64 = at v0, v5
//!     v7: bool = lt v1, v6
//!     if v7 {
//!       v8: bool = lt v6, v2
//!       if v8 {
//!         merge #0, v6
//!       }
//!     }
//!   }
//!   return v4
//! }
//! ```
//! ```text
//! program(v0: vec[f64], v1: f64, v2: f64) {
//!   v3: i64 = len v0
//!   v4: f64 = loop v5 < v3 {
//!     sink #0 = reduce + f64
//!     v6: f64 = at v0, v5
//!     v7: bool = lt v1, v6
//!     v8: bool = lt v6, v2
//!     v9: bool = and v7, v8
//!     if v9 {
//!       merge #0, v6
//!     }
//!   }
//!   return v4
//! }
//! ```
//!
//! **Declines when** what would be computed without its guard can fault, call a foreign function or run
//! without end, merges, or costs more than the cost table allows; and where the value is a vector: nothing would
//! be gained, and what the branches know of its length would be lost. What stands under both guards stays guarded.
//!
//! **Order**: after the fusions of a round, so that V5 of two filters is a guard within a guard first and is
//! joined only if the second condition is cheap and total. `simplify` makes `and` and `or` of `select`s of
//! bools.

use weldment_runtime::lang::types::Type;

use super::candidate::Reason;
use super::{Changed, Cx, Pass};
use crate::analysis::cost;
use crate::analysis::effects::Effects;
use crate::ir::local::{Replacement, rewrite_to_fixpoint};
use crate::ir::{BinaryOp, BodyId, Defs, Op, Program, Stmt};

/// See the [module](self).
pub const PASS: Pass = Pass {
    name: "predicate",
    summary: "compute both sides of cheap branches, and join guards",
    run: |program, cx| {
        Changed::from(rewrite_to_fixpoint(program, |program, defs, stmt| rewrite(program, defs, stmt, cx)))
    },
};

const COSTLY: Reason = Reason::new(
    "the sides of {at|the branch} cost {cost} together, and {limit} is the limit for computing both",
);

fn rewrite(program: &mut Program, defs: &Defs, stmt: &Stmt, cx: &mut Cx) -> Option<Replacement> {
    let Op::If { cond, then, els } = stmt.op else { return None };
    let scalars = stmt.results.iter().all(|&result| program.ty(result).is_scalars());
    if !stmt.results.is_empty() && scalars && may_compute(program, defs, stmt, cx) && cx.allows() {
        let cost = cost::of_bodies(program, [then, els]);
        if is_told(program, stmt) && cost > 0 {
            cx.decide(
                format!("both branches are computed, and one value is chosen: together they cost {cost}"),
                stmt.loc,
            );
        }
        let mut stmts = program.take_stmts(then);
        stmts.extend(program.take_stmts(els));
        let sides = program.bodies[then].results.clone().into_iter().zip(program.bodies[els].results.clone());
        for ((x, y), &result) in sides.zip(&stmt.results) {
            stmts.push(Stmt { results: vec![result], op: Op::Select(cond, x, y), loc: stmt.loc });
        }
        return Some(Replacement { stmts, values: stmt.results.clone() });
    }
    join_guards(program, defs, stmt, cx)
}

/// Joins a guard with the one that it guards, and that with the next, as long as they can be.
fn join_guards(program: &mut Program, defs: &Defs, stmt: &Stmt, cx: &mut Cx) -> Option<Replacement> {
    let mut stmts = Vec::new();
    let mut guard = stmt.clone();
    while let (Op::If { cond, then, els }, Some(inner)) = (&guard.op, InnerGuard::extract(program, &guard)) {
        let (cond, then, els) = (*cond, *then, *els);
        let before = &program.bodies[then].stmts[..inner.index];
        let cheap = cost::of_stmts(program, before) <= cost::MAX_PREDICATED;
        if !cheap || !Effects::of_stmts(program, defs, before).is_pure() || !cx.allows() {
            break;
        }
        let mut before = program.take_stmts(then);
        before.truncate(inner.index);
        stmts.append(&mut before);
        let both = program.append(Op::Binary(BinaryOp::And, cond, inner.cond), stmt.loc, &mut stmts);
        guard.op = Op::If { cond: both, then: inner.then, els };
    }
    if stmts.is_empty() {
        return None;
    }
    stmts.push(guard);
    Some(Replacement { stmts, values: Vec::new() })
}

/// Whether all branches of `stmt` may be computed whatever the condition.
fn may_compute(program: &Program, defs: &Defs, stmt: &Stmt, cx: &mut Cx) -> bool {
    let can = stmt.op.bodies().into_iter().all(|branch| {
        let plain = program.bodies[branch].stmts.iter().all(|stmt| stmt.op.bodies().is_empty());
        plain && Effects::of_body(program, defs, branch).is_pure()
    });
    if !can {
        return false;
    }
    let cost = cost::of_bodies(program, stmt.op.bodies());
    if cost > cost::MAX_PREDICATED && is_told(program, stmt) {
        cx.refuse("select", COSTLY.costs(cost, cost::MAX_PREDICATED), stmt.loc, None);
    }
    cost <= cost::MAX_PREDICATED
}

/// Whether users would know `stmt` for a branch, which `&&` and `||` are none to them.
fn is_told(program: &Program, stmt: &Stmt) -> bool {
    stmt.results.iter().any(|&result| *program.ty(result) != Type::BOOL)
}

/// `if c { A; if d { B } }`, without results: a guard whose last statement is a guard.
struct InnerGuard {
    /// The number of the inner guard among the statements of the outer one.
    index: usize,
    cond: crate::ir::Value,
    then: BodyId,
}

impl InnerGuard {
    fn extract(program: &Program, stmt: &Stmt) -> Option<InnerGuard> {
        let Op::If { then, els, .. } = stmt.op else { return None };
        let (last, before) = program.bodies[then].stmts.split_last()?;
        let Op::If { cond, then: inner, els: inner_els } = last.op else { return None };
        let no_else = |els: BodyId| program.bodies[els].stmts.is_empty();
        let plain = stmt.results.is_empty()
            && last.results.is_empty()
            && no_else(els)
            && no_else(inner_els)
            && before.iter().all(|stmt| stmt.op.bodies().is_empty());
        plain.then_some(InnerGuard { index: before.len(), cond, then: inner })
    }
}
