//! Branches in loops become guards and selects where that is safe and cheap.
//!
//! A branch is *flat* if both sides only compute scalars that cannot fault and merge into accumulators. It becomes
//! its two sides, one after the other: results become selects (or `and`, `or`, where a side is a constant), and
//! merges get the condition as their guard. No unpredictable branch is left, and a body without branches can
//! run in blocks. Merges into collects take guards in such bodies only.

use weldment_core::analysis::cost::{MAX_PREDICATED_ANYWAY, MAX_PREDICATED_IN_BLOCKS};
use weldment_core::ir::{BinaryOp, Const, Loc, Op, Sink, UnaryOp, Value, ValueInfo};
use weldment_core::report::Refusal;
use weldment_runtime::lang::types::Type;

use super::facts::{Facts, for_each_step};
use super::{Block, Loop, Step, decide};

/// Flattens branches in the body of `inner`, and decides whether it runs in blocks; `is_next` is what
/// [`decide::block_of`] takes.
pub(super) fn run(facts: &mut Facts, inner: &mut Loop, is_next: impl Fn(Sink) -> bool) {
    let mut flat = Loop::new(inner.index, inner.extent, inner.body.clone(), inner.loc);
    let costly = flatten(facts, &mut flat.body, Allow { cost: MAX_PREDICATED_IN_BLOCKS, collects: true });
    inner.block = decide::block_of(facts, &flat, is_next);
    if inner.block.is_some() {
        inner.body = flat.body;
        decide::compare(facts, &mut inner.body);
        return;
    }
    flatten(facts, &mut inner.body, Allow { cost: MAX_PREDICATED_ANYWAY, collects: false });
    if let Some(cost) = costly {
        facts.refused.push(too_costly(inner.loc, cost));
    }
    if let Some(dbg) = dbg_in(&inner.body) {
        facts.refused.push(shows(inner.loc, dbg));
    }
}

/// Where `block` shows a value.
fn dbg_in(block: &Block) -> Option<Loc> {
    let mut found = None;
    for_each_step(block, &mut |step| {
        if let Step::Bind { op: Op::Dbg(_), loc, .. } = step {
            found.get_or_insert(*loc);
        }
    });
    found
}

/// Why a loop that holds a `dbg` does not run in blocks.
fn shows(at: Loc, dbg: Loc) -> Refusal<Loc> {
    let reason =
        "{because|`dbg`} shows one iteration of {at|the loop} after the other, so that none run side by side";
    let reason = reason.to_owned();
    Refusal { pass: "blocks", rule: "blocks", reason, at, producer: None, because: Some(dbg) }
}

/// Flattens the branches of a loop that is to run in blocks where they are decided.
pub(super) fn of_points(facts: &mut Facts, inner: &mut Loop) {
    flatten(facts, &mut inner.body, Allow { cost: MAX_PREDICATED_IN_BLOCKS, collects: false });
}

/// Why a loop does not run in blocks: a branch in it costs that much, and stays.
fn too_costly(at: Loc, cost: u64) -> Refusal<Loc> {
    let reason = format!(
        "the sides of a branch in {{at|the loop}} cost {cost} together, and {MAX_PREDICATED_IN_BLOCKS} is the limit for \
         computing both for many elements at a time"
    );
    Refusal { pass: "blocks", rule: "blocks", reason, at, producer: None, because: None }
}

/// What a flat branch may be.
#[derive(Clone, Copy)]
struct Allow {
    /// The cost of both sides together.
    cost: u64,
    /// Whether it may merge into collects.
    collects: bool,
}

/// Flattens what branches it can in `block`, innermost first. What the costliest one costs that is too costly.
fn flatten(facts: &mut Facts, block: &mut Block, allow: Allow) -> Option<u64> {
    let mut costliest = None;
    let mut steps = Vec::with_capacity(block.steps.len());
    for step in std::mem::take(&mut block.steps) {
        match step {
            Step::If { results, cond, mut then, mut els } => {
                costliest = costliest.max(flatten(facts, &mut then, allow));
                costliest = costliest.max(flatten(facts, &mut els, allow));
                let costs = side_cost(facts, &then, allow).zip(side_cost(facts, &els, allow));
                let selects = results.iter().all(|&result| facts.ty(result).is_scalars());
                let cost = costs.map(|(then, els)| then + els).filter(|_| selects);
                if cost.is_some_and(|cost| cost <= allow.cost) {
                    flat_branch(facts, &mut steps, &results, cond, then, els);
                } else {
                    costliest = costliest.max(cost);
                    steps.push(Step::If { results, cond, then, els });
                }
            }
            step => steps.push(step),
        }
    }
    block.steps = steps;
    costliest
}

/// What `side` costs if it may run in vain, and `None` if it may not.
fn side_cost(facts: &Facts, side: &Block, allow: Allow) -> Option<u64> {
    side.steps.iter().try_fold(0, |sum, step| {
        Some(
            sum + match step {
                Step::Bind { op, .. } => facts.cost(op)?,
                Step::Merge(merge) if facts.is_accumulator(merge.sink) => 1,
                Step::Merge(merge) if allow.collects && facts.is_collect(merge.sink) => 1,
                _ => return None,
            },
        )
    })
}

fn flat_branch(
    facts: &mut Facts,
    steps: &mut Vec<Step>,
    results: &[Value],
    cond: Value,
    then: Block,
    els: Block,
) {
    flat_side(facts, steps, cond, then.steps);
    if els.steps.iter().any(|step| matches!(step, Step::Merge(_))) {
        let not = bind(facts, steps, Op::Unary(UnaryOp::Not, cond));
        flat_side(facts, steps, not, els.steps);
    } else {
        steps.extend(els.steps);
    }
    for ((&result, &yes), &no) in results.iter().zip(&then.results).zip(&els.results) {
        let op = match (facts.consts.get(&yes), facts.consts.get(&no)) {
            (_, Some(Const::Bool(false))) => Op::Binary(BinaryOp::And, cond, yes),
            (Some(Const::Bool(true)), _) => Op::Binary(BinaryOp::Or, cond, no),
            _ => Op::Select(cond, yes, no),
        };
        steps.push(Step::Bind { result, op, loc: Loc::NONE });
    }
}

fn flat_side(facts: &mut Facts, steps: &mut Vec<Step>, cond: Value, side: Vec<Step>) {
    for step in side {
        match step {
            Step::Merge(mut merge) => {
                merge.guard = Some(match merge.guard {
                    None => cond,
                    Some(guard) => bind(facts, steps, Op::Binary(BinaryOp::And, cond, guard)),
                });
                steps.push(Step::Merge(merge));
            }
            step => steps.push(step),
        }
    }
}

/// Binds a new bool.
fn bind(facts: &mut Facts, steps: &mut Vec<Step>, op: Op) -> Value {
    let result = facts.values.push(ValueInfo { ty: Type::BOOL });
    steps.push(Step::Bind { result, op, loc: Loc::NONE });
    result
}
