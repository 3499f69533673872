//! Steps that are counted: an `iterate` that goes on as long as the number of its steps is below another number.
//!
//! ```text
//! if eq n, 0 {} else {
//!   iterate (x = …, i = 0) { …; yield …, add i, 1, lt (add i, 1), n }
//! }
//! ```
//! It is the `for` of what goes from step to step, such as a fold or a scan. As there is one step at least, there are n of them only where a
//! condition around says that n is not 0.

use weldment_runtime::lang::scalar::{BinaryOp, CompareOp, Const};

use crate::ir::local::Facts;
use crate::ir::{BodyId, Defs, Loop, Op, Program, Sink, Value};

/// An `iterate` whose steps are counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Counted {
    /// The parameter that is the number of the step at hand, from 0 on.
    pub index: Value,
    /// How many steps there are, if there is to be more than one.
    pub steps: Value,
}

impl Counted {
    /// The count of an `iterate` from `init` by `body`, if it has one.
    pub fn of(program: &Program, defs: &Defs, init: &[Value], body: BodyId) -> Option<Counted> {
        let facts = Facts { program, defs };
        let stmts = &program.bodies[body];
        let (&goes_on, next) = stmts.results.split_last()?;
        let Some(&Op::Compare(CompareOp::Lt, after, steps)) = facts.op(goes_on) else { return None };
        let at = next.iter().position(|&next| next == after)?;
        let index = stmts.params[at];
        let Some(&Op::Binary(BinaryOp::Add, x, y)) = facts.op(after) else { return None };
        let is_bound_before = defs.body_of(steps).is_some_and(|bound| !defs.encloses(body, bound));
        let counts = x == index && facts.integer(y) == Some(1) && facts.integer(init[at]) == Some(0);
        (counts && is_bound_before).then_some(Counted { index, steps })
    }

    /// That of the `iterate` with this body, if it takes exactly so many steps.
    pub fn exactly(program: &Program, defs: &Defs, body: BodyId) -> Option<Counted> {
        let (around, number) = defs.holder(body)?;
        let Op::Iterate { init, .. } = &program.bodies[around].stmts.get(number)?.op else { return None };
        let counted = Counted::of(program, defs, init, body)?;
        let facts = Facts { program, defs };
        let is_one_at_least = match facts.integer(counted.steps) {
            Some(steps) if steps > 0 => true,
            _ => facts.is_length(counted.steps) && is_not_zero(facts, counted.steps, around),
        };
        is_one_at_least.then_some(counted)
    }

    /// That of the steps of which `body` is one, if the region `inner` takes these and no others, as many whenever it runs.
    pub(crate) fn of_region(program: &Program, defs: &Defs, inner: &Loop, body: BodyId) -> Option<Counted> {
        let counted = Counted::exactly(program, defs, body)?;
        let (around, _) = defs.holder(body)?;
        let whenever_it_runs = around == inner.body
            || where_not_zero(Facts { program, defs }, counted.steps, around) == Some(inner.body);
        let is_before = |bound| !defs.encloses(inner.body, bound);
        let is_bound_before = defs.body_of(counted.steps).is_some_and(is_before);
        (inner.extents.is_empty() && whenever_it_runs && is_bound_before).then_some(counted)
    }

    /// The number of the step at hand, proved to be below some length before the first merge into `sink` in `body`, that of a step.
    pub(crate) fn index_before(&self, program: &Program, body: BodyId, sink: Sink) -> Option<Value> {
        let before = program.bodies[body].stmts.iter().take_while(|stmt| !stmt.op.merges_into(sink));
        before
            .filter(|stmt| matches!(stmt.op, Op::CheckIndex(index, _) if index == self.index))
            .map(|stmt| stmt.results[0])
            .next()
    }
}

/// Whether a condition around `body` says that `number` is not 0.
fn is_not_zero(facts: Facts<'_>, number: Value, mut body: BodyId) -> bool {
    while let Some((around, _)) = facts.defs.holder(body) {
        if where_not_zero(facts, number, body).is_some() {
            return true;
        }
        body = around;
    }
    false
}

/// The body that holds the condition, if `body` is what an `if` does where `number` is not 0.
fn where_not_zero(facts: Facts<'_>, number: Value, body: BodyId) -> Option<BodyId> {
    let (around, at) = facts.defs.holder(body)?;
    let Op::If { cond, then, els } = facts.program.bodies[around].stmts.get(at)?.op else { return None };
    let says = match *facts.op(cond)? {
        Op::Compare(op, x, zero) if x == number && facts.integer(zero) == Some(0) => {
            (body == els && op == CompareOp::Eq) || (body == then && op == CompareOp::Ne)
        }
        // Where the number is a constant, the condition becomes one before the branch goes.
        Op::Const(Const::Bool(holds)) => {
            let runs = (body == then) == holds;
            runs != (facts.integer(number)? == 0)
        }
        _ => false,
    };
    says.then_some(around)
}
