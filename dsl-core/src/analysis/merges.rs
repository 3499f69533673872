//! Where and how often a body merges into a sink.

use crate::ir::local::Facts;
use crate::ir::{BodyId, Defs, Op, Program, Sink};

/// The body of each merge into `sink` inside `body`, in program order. Sinks for which this is the same have elements
/// that belong together: the first with the first, at every place.
///
/// ```
/// # use weldment_core::analysis::merges;
/// # use weldment_core::ir::*;
/// # let program = parse("weldment ir 1 program(v0: bool) {
/// #     v1: vec[bool], v2: vec[bool] = region { sink #0 = collect bool sink #1 = collect bool
/// #     merge #0, v0 if v0 { merge #0, v0 merge #1, v0 } merge #1, v0 } return v1 }").unwrap();
/// // merge #0, v0   if v0 { merge #0, v0   merge #1, v0 }   merge #1, v0
/// let Op::Loop(region) = &program.bodies[program.entry.unwrap()].stmts[0].op else { panic!() };
/// let [first, second] = [0, 1].map(|sink| merges::in_order(&program, region.body, region.sinks[sink].sink));
/// assert_ne!(first, second);
/// ```
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
///
/// ```
/// # use weldment_core::analysis::merges;
/// # use weldment_core::ir::*;
/// # let program = parse("weldment ir 1 program(v0: bool) {
/// #     v1: vec[bool] = region { sink #0 = collect bool
/// #     if v0 { merge #0, v0 } else { merge #0, v0 merge #0, v0 } merge #0, v0 } return v1 }").unwrap();
/// // if v0 { merge #0, v0 } else { merge #0, v0   merge #0, v0 }   merge #0, v0
/// let Op::Loop(region) = &program.bodies[program.entry.unwrap()].stmts[0].op else { panic!() };
/// assert_eq!(merges::at_most(&program, region.body, region.sinks[0].sink), Some(3));
/// ```
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
///
/// ```
/// # use weldment_core::analysis::merges;
/// # use weldment_core::ir::*;
/// # let program = parse("weldment ir 1 program(v0: bool) {
/// #     v1: i64 = const 3 v2: vec[bool] = region { sink #0 = collect bool
/// #     if v0 { for v3 < v1 { merge #0, v0 } } else { merge #0, v0 merge #0, v0 merge #0, v0 } merge #0, v0 } return v2 }").unwrap();
/// # let defs = Defs::of(&program);
/// // v1: i64 = const 3   if v0 { for v3 < v1 { merge #0, v0 } } else { merge #0, v0 … three times }   merge #0, v0
/// let Op::Loop(region) = &program.bodies[program.entry.unwrap()].stmts[1].op else { panic!() };
/// assert_eq!(merges::exactly(&program, &defs, region.body, region.sinks[0].sink), Some(4));
/// ```
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
