//! Where and how often a body merges into a sink.

use crate::ir::local::Facts;
use crate::ir::{BodyId, Defs, Op, Program, Sink};

/// The body of each merge into `sink` inside `body`, in program order. Sinks for which this is the same have elements
/// that belong together: the first with the first, at every place.
pub fn in_order(program: &Program, body: BodyId, sink: Sink) -> Vec<BodyId> {
    let mut found = Vec::new();
    add(program, body, sink, &mut found);
    found
}

fn add(program: &Program, body: BodyId, sink: Sink, found: &mut Vec<BodyId>) {
    for stmt in &program.bodies[body].stmts {
        if stmt.op.merges_into(sink) {
            found.push(body);
        }
        stmt.op.for_each_body(|inner| add(program, inner, sink, found));
    }
}

/// How many merges into `sink` there are at most when `body` runs once: of branches, the more. `None` if some are in a
/// loop.
pub fn at_most(program: &Program, body: BodyId, sink: Sink) -> Option<usize> {
    let mut total = 0;
    for stmt in &program.bodies[body].stmts {
        total += match stmt.op {
            Op::Merge { sink: into, .. } => usize::from(into == sink),
            Op::If { then, els, .. } => at_most(program, then, sink)?.max(at_most(program, els, sink)?),
            ref op => match op.bodies().into_iter().all(|inner| in_order(program, inner, sink).is_empty()) {
                true => 0,
                false => return None,
            },
        };
    }
    Some(total)
}

/// How many merges into `sink` there are whenever `body` runs once: as many in each branch, and so many times as a `for` of
/// a constant extent says. `None` if that depends on values.
pub fn exactly(program: &Program, defs: &Defs, body: BodyId, sink: Sink) -> Option<u32> {
    let mut total: u32 = 0;
    for stmt in &program.bodies[body].stmts {
        let here = match stmt.op {
            Op::Merge { sink: into, .. } => u32::from(into == sink),
            Op::If { then, els, .. } => {
                let [then, els] = [then, els].map(|branch| exactly(program, defs, branch, sink));
                then.filter(|_| then == els)?
            }
            Op::For { extent, body } => match exactly(program, defs, body, sink)? {
                0 => 0,
                each => {
                    let extent = Facts { program, defs }.integer(extent)?;
                    each.checked_mul(u32::try_from(extent.max(0)).ok()?)?
                }
            },
            ref op => match op.bodies().into_iter().all(|inner| in_order(program, inner, sink).is_empty()) {
                true => 0,
                false => return None,
            },
        };
        total = total.checked_add(here)?;
    }
    Some(total)
}
