//! What a reduction has to do with the comparison that it stands under.

use std::collections::{BTreeMap, BTreeSet};

use crate::analysis::effects::Effects;
use crate::extract::NestedReduction;
use crate::ir::{BinaryOp, BodyId, Def, Defs, Loop, Op, Program, Reducer, SinkKind, Value};

/// Whether whatever `inner` merges, which is only into its own sinks, is merged only if `test` holds.
pub(super) fn all_guarded(program: &Program, defs: &Defs, inner: &Loop, test: Value) -> bool {
    let own = |sink| inner.sinks.iter().any(|decl| decl.sink == sink);
    let mut merges = Effects::of_body(program, defs, inner.body).merges.into_iter();
    merges.all(own) && guards(program, defs, inner, inner.body, test)
}

fn guards(program: &Program, defs: &Defs, inner: &Loop, body: BodyId, test: Value) -> bool {
    program.bodies[body].stmts.iter().all(|stmt| match &stmt.op {
        Op::Merge { sink, .. } => inner.sinks.iter().all(|decl| decl.sink != *sink),
        Op::If { cond, then, els } => {
            let then = implies(program, defs, *cond, test) || guards(program, defs, inner, *then, test);
            then && guards(program, defs, inner, *els, test)
        }
        op => op.bodies().into_iter().all(|body| guards(program, defs, inner, body, test)),
    })
}

/// Whether `test` holds where `cond` does.
fn implies(program: &Program, defs: &Defs, cond: Value, test: Value) -> bool {
    cond == test
        || match defs.op(program, cond) {
            Some(&Op::Binary(BinaryOp::And, x, y)) => {
                implies(program, defs, x, test) || implies(program, defs, y, test)
            }
            _ => false,
        }
}

/// The statements of the loop around that the reduction needs, apart from what is `wanted`, with which it compares; `None` if they depend
/// on the index of that loop, merge, or would call a foreign function once more.
pub(super) fn setup(
    program: &Program,
    defs: &Defs,
    nest: &NestedReduction,
    wanted: Value,
) -> Option<BTreeSet<usize>> {
    let inner = nest.reduction(program);
    let mut reads = BTreeMap::new();
    let mut read = |value: Value| *reads.entry(value).or_insert(0) += 1;
    inner.extents.iter().for_each(|&extent| read(extent));
    program.for_each_read(inner.body, &mut read);
    for decl in &inner.sinks {
        if let SinkKind::Reduce { reducer: Reducer::Func(func), .. } = decl.kind {
            program.for_each_read(func, &mut read);
        }
    }
    if reads.get(&wanted) == Some(&1) {
        reads.remove(&wanted);
    }
    let mut setup = BTreeSet::new();
    for &value in reads.keys() {
        setup.append(&mut behind(program, defs, nest.outer, value));
    }
    let index = program.bodies[nest.outer].params[0];
    let mut changes = reads.contains_key(&index);
    for &number in &setup {
        let stmt = &program.bodies[nest.outer].stmts[number];
        let effects = Effects::of_stmt(program, defs, stmt);
        changes |= effects.calls || !effects.merges.is_empty();
        program.for_each_read_of(stmt, &mut |value| changes |= value == index);
    }
    (!changes).then_some(setup)
}

/// The numbers of the statements of `body` that `value` needs.
pub(super) fn behind(program: &Program, defs: &Defs, body: BodyId, value: Value) -> BTreeSet<usize> {
    let mut numbers = BTreeSet::new();
    let mut needed = vec![value];
    while let Some(value) = needed.pop() {
        if let Some(Def::Stmt { body: holder, index, .. }) = defs.def(value)
            && holder == body
            && numbers.insert(index)
        {
            program.for_each_read_of(&program.bodies[body].stmts[index], &mut |value| needed.push(value));
        }
    }
    numbers
}

/// Whether every function that folds is total.
pub(super) fn folds_are_total(program: &Program, defs: &Defs, inner: &Loop) -> bool {
    inner.sinks.iter().all(|decl| match decl.kind {
        SinkKind::Reduce { reducer: Reducer::Func(func), .. } => {
            Effects::of_body(program, defs, func).is_total()
        }
        _ => true,
    })
}

/// Whether an assertion rests on `test`. It may be one where `test` does not hold, and then be made no more for the
/// elements for which it holds with another key.
pub(super) fn asserts(program: &Program, defs: &Defs, inner: &Loop, test: Value) -> bool {
    let mut resting = BTreeSet::from([test]);
    let mut asserts = false;
    program.for_each_stmt(inner.body, &mut |stmt| {
        let mut rests = false;
        program.for_each_read_of(stmt, &mut |value| rests |= resting.contains(&value));
        if rests {
            resting.extend(&stmt.results);
            asserts |= Effects::of_stmt(program, defs, stmt).asserts;
        }
    });
    asserts
}
