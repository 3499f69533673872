//! A round of pushes in one body.
//!
//! In a round, a producer takes in any number of consumers, but no loop is both producer and consumer: the body of a producer
//! is walked once a round, and of a chain of loops half are left after each, so that all rounds together take n log n steps.

use std::collections::{HashMap, HashSet};

use super::push::{Known, Parked, Push, read_by};
use crate::analysis::order::close_holes;
use crate::ir::{BodyId, Defs, Op, Program, Value};
use crate::passes::Cx;

/// Does a round of pushes in `body`, and whether there were any; `defs` are those of the program, if they are known.
pub(super) fn push_in(
    program: &mut Program,
    cx: &mut Cx,
    defs: &mut Option<Defs>,
    known: &Known,
    body: BodyId,
) -> bool {
    let makes = |op: &Op| matches!(op, Op::Loop(inner) if !inner.sinks.is_empty());
    if !program.bodies[body].stmts.iter().any(|stmt| makes(&stmt.op)) {
        return false;
    }
    let defs = defs.get_or_insert_with(|| Defs::remembering_merges(program));
    // What is made by consumers that are parked, and the producers that took them in.
    let mut unsettled: HashSet<Value> = HashSet::new();
    let mut parked: HashMap<BodyId, Vec<Parked>> = HashMap::new();
    let mut producers = Vec::new();
    for consumer in 0..program.bodies[body].stmts.len() {
        let stmt = &program.bodies[body].stmts[consumer];
        if read_by(program, defs, stmt).iter().any(|vector| unsettled.contains(vector)) {
            continue;
        }
        let made = stmt.results.clone();
        for push in Push::candidates_of(program, defs, known, body, consumer) {
            if cx.is_empty() {
                break;
            }
            if let Some(plan) = cx.accept(program, defs, &push) {
                let waiting = push.park(plan, program, defs);
                unsettled.extend(made);
                producers.push(waiting.producer);
                parked.entry(waiting.producer).or_default().push(waiting);
                break;
            }
        }
    }
    for &producer in &producers {
        if let Some(all) = parked.remove(&producer) {
            Parked::paste_all(program, producer, all);
            defs.update(program, producer);
        }
    }
    if !producers.is_empty() {
        close_holes(program, body);
        defs.reordered(program, body);
        defs.forget_merges();
    }
    !producers.is_empty()
}
