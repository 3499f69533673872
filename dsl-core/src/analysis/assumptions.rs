//! What a program is taken to promise.

use crate::ir::{BodyId, Loc, Op, Program, ReduceOp, Reducer, SinkKind};
use crate::report::Assumption;

/// Of each fold by a function: a `reduce` says by its name that it is associative, and has no initial value.
pub(crate) fn of(program: &Program) -> Vec<Assumption<Loc>> {
    let what = "taken as associative: the accumulator and the elements are of one type, so the function folds chunks of a \
                long vector, and then the results of those; to keep the order of a sequential fold give the accumulator \
                another type, e.g. `v.fold((init,), |acc, x| (f(acc.0, x),)).0`";
    let mut assumed = Vec::new();
    let Some(entry) = program.entry else { return assumed };
    program.for_each_stmt(entry, &mut |stmt| {
        let Op::Loop(looped) = &stmt.op else { return };
        for decl in &looped.sinks {
            if let SinkKind::Reduce { reducer: Reducer::Func(body), init: Some(_), .. } = decl.kind
                && !is_operator(program, body)
            {
                assumed.push(Assumption { what, at: decl.loc });
            }
        }
    });
    assumed
}

/// Whether a function of two values is one of the operators, as where a fold that takes the least begins with a NaN.
fn is_operator(program: &Program, body: BodyId) -> bool {
    let body = &program.bodies[body];
    match &body.stmts[..] {
        [only] => match only.op {
            Op::Binary(op, a, b) => {
                body.params == [a, b] && ReduceOp::ALL.iter().any(|reduce| reduce.binary() == op)
            }
            _ => false,
        },
        _ => false,
    }
}
