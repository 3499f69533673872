//! Reductions of short loops: one whose loop has no more iterations than lanes folds its values in order.
//!
//! Each lane then holds one value or nothing, so that folding the lanes is folding the values, bit for bit, of floats as well. Rows of a
//! sparse matrix, or of a ragged one, are often that short, and would spend their time on lanes that hold nothing. So
//! where the extent is not known before, the loop is written twice, and a branch decides:
//!
//! ```text
//! v9: bool = le v3, v8        // the extent, 16
//! v7: f64 = if v9 { nest 0 { … accumulate + f64 in 1 lane … } } else { nest 1 { … in 16 lanes … } }
//! ```
//!
//! Where some rows are longer and some are not, a CPU cannot tell which way that branch goes. A loop that does not run in blocks, because an
//! iteration can fault, does not need it: its first iterations fold in order, and put their values into the lanes besides.
//! That the loop goes on for more than there are lanes is then found out where it would have ended, and the lanes are ready:
//!
//! ```text
//! nest 0 { … in 16 lanes … over v1 < v3 the first 16 in order { … } }
//! ```

use std::collections::HashMap;

use weldment_core::analysis::cost::MAX_SHORT_TRIP;
use weldment_core::ir::{CompareOp, Const, Entity, Loc, Op, Sink, Value, ValueInfo};
use weldment_runtime::lang::types::Type;

use super::facts::{Facts, Strips};
use super::{Block, Lane, Loop, Merge, Nest, Run, Schedule, Seen, Step, StoreKind};

/// The steps that `nest` becomes: itself, or a branch between two versions of it. The sinks of the short one are new and numbered from
/// `sinks` on, as nests are from `nests` on.
pub(super) fn steps(facts: &mut Facts, mut nest: Nest, sinks: &mut usize, nests: &mut usize) -> Vec<Step> {
    if is_of_few(facts, &nest) {
        nest.schedule = Schedule::Few;
    }
    let Some(lanes) = lanes(facts, &nest) else { return vec![Step::Nest(nest)] };
    let mut nest = nest;
    let goes_on = goes_on(&nest, lanes);
    let Run::Over(inner) = &mut nest.run else { return vec![Step::Nest(nest)] };
    let extent = inner.extent;
    match facts.consts.get(&extent).and_then(|extent| extent.as_integer()) {
        Some(known) if known <= i128::from(lanes) => return vec![Step::Nest(in_one_lane(nest))],
        Some(_) => return vec![Step::Nest(nest)],
        None if goes_on && inner.block.is_none() && !has_positions(inner) => {
            inner.prologue = Some(lanes);
            return vec![Step::Nest(nest)];
        }
        None => {}
    }
    let mut new = |ty| facts.values.push(ValueInfo { ty });
    let (limit, is_short) = (new(Type::I64), new(Type::BOOL));
    let results: Vec<Value> = nest.stores.iter().map(|store| store.result).collect();
    let limit_is = Const::I64(i64::from(lanes));
    let mut long = nest.clone();
    long.id = *nests;
    *nests += 1;
    let mut short = in_one_lane(nest);
    for (short, long) in short.stores.iter_mut().zip(&mut long.stores) {
        for result in [&mut short.result, &mut long.result] {
            let ty = facts.ty(*result).clone();
            *result = facts.values.push(ValueInfo { ty });
        }
    }
    rename(facts, &mut short, sinks);
    facts.consts.insert(limit, limit_is);
    let side = |nest: Nest| {
        let results = nest.stores.iter().map(|store| store.result).collect();
        Block { steps: vec![Step::Nest(nest)], results }
    };
    vec![
        Step::Bind { result: limit, op: Op::Const(limit_is), loc: Loc::NONE },
        Step::Bind { result: is_short, op: Op::Compare(CompareOp::Le, extent, limit), loc: Loc::NONE },
        Step::If { results, cond: is_short, then: side(short), els: side(long) },
    ]
}

/// The most iterations of a loop that holds no others and does not ask whether the run is cancelled.
const FEW: i128 = 64;

/// Whether it is known that `nest`, which is in another loop and holds none, is of few iterations.
fn is_of_few(facts: &Facts, nest: &Nest) -> bool {
    let Run::Over(inner) = &nest.run else { return false };
    let extent = facts.consts.get(&inner.extent).and_then(|extent| extent.as_integer());
    nest.schedule == Schedule::Serial
        && extent.is_some_and(|extent| extent <= FEW)
        && inner.strips() == Strips::Long
}

/// The least number of lanes of `nest`, if all that it does is to compute cheap scalars and merge them into accumulators, of which
/// some have lanes, and none two values of one iteration.
fn lanes(facts: &Facts, nest: &Nest) -> Option<u32> {
    let Run::Over(inner) = &nest.run else { return None };
    if !matches!(nest.schedule, Schedule::Serial | Schedule::Few) {
        return None;
    }
    let mut fewest = None;
    for store in &nest.stores {
        let StoreKind::Accumulate { leaves, .. } = &store.kind else { return None };
        let own = leaves.iter().map(|leaf| leaf.lanes).filter(|&lanes| lanes > 1).min();
        fewest = own.into_iter().chain(fewest).min();
    }
    let (mut cost, mut merged) = (0, Vec::new());
    for step in &inner.body.steps {
        match step {
            Step::Bind { op: Op::CheckIndex(..) | Op::Position(..), .. } => cost += 1,
            Step::Bind { op, .. } => cost += facts.cost(op)?,
            Step::Merge(Merge { sink, lane: Lane::Index(index), .. })
                if *index == inner.index && !merged.contains(sink) =>
            {
                merged.push(*sink);
            }
            _ => return None,
        }
    }
    fewest.filter(|_| cost <= MAX_SHORT_TRIP && merged.iter().all(|sink| is_of(nest, *sink)))
}

/// Whether the indices of an array are checked in `inner`: as a rule they move along with it, and then it loses the checks and runs in blocks
/// (pass `contiguous`).
fn has_positions(inner: &Loop) -> bool {
    inner.body.steps.iter().any(|step| matches!(step, Step::Bind { op: Op::Position(..), .. }))
}

/// Whether all that `nest` keeps are accumulators of so many lanes, of which an iteration gives each its own.
fn goes_on(nest: &Nest, lanes: u32) -> bool {
    nest.stores.iter().all(|store| match &store.kind {
        StoreKind::Accumulate { leaves, seen, .. } => {
            *seen != Seen::Flag && leaves.iter().all(|leaf| leaf.lanes == lanes && leaf.ty == leaf.total)
        }
        _ => false,
    })
}

fn is_of(nest: &Nest, sink: Sink) -> bool {
    nest.stores.iter().any(|store| store.sink == sink)
}

fn in_one_lane(mut nest: Nest) -> Nest {
    nest.schedule = Schedule::Few;
    for store in &mut nest.stores {
        if let StoreKind::Accumulate { leaves, .. } = &mut store.kind {
            leaves.iter_mut().for_each(|leaf| leaf.lanes = 1);
        }
    }
    if let Run::Over(inner) = &mut nest.run {
        inner.block = None;
        for_each_merge(&mut inner.body, &mut |merge| merge.compared = None);
    }
    nest
}

/// Gives `nest` sinks and values of its own.
fn rename(facts: &mut Facts, nest: &mut Nest, sinks: &mut usize) {
    let Nest { stores, run: Run::Over(inner), .. } = nest else { return };
    for store in stores {
        let new = Sink::from_index(*sinks);
        *sinks += 1;
        for_each_merge(&mut inner.body, &mut |merge| {
            if merge.sink == store.sink {
                merge.sink = new;
            }
        });
        store.sink = new;
    }
    let mut names = HashMap::new();
    let mut named = |value: &mut Value| {
        let ty = facts.ty(*value).clone();
        let new = facts.values.push(ValueInfo { ty });
        if let Some(known) = facts.consts.get(value) {
            facts.consts.insert(new, *known);
        }
        names.insert(std::mem::replace(value, new), new);
    };
    named(&mut inner.index);
    for step in &mut inner.body.steps {
        if let Step::Bind { result, .. } = step {
            named(result);
        }
    }
    let renamed = |value: &mut Value| *value = names.get(value).copied().unwrap_or(*value);
    for step in &mut inner.body.steps {
        match step {
            Step::Bind { op, .. } => op.for_each_operand_mut(renamed),
            Step::Merge(Merge { values, lane, guard, .. }) => {
                values.iter_mut().chain(guard).for_each(renamed);
                if let Lane::Index(index) = lane {
                    renamed(index);
                }
            }
            _ => {}
        }
    }
}

fn for_each_merge(block: &mut Block, visit: &mut impl FnMut(&mut Merge)) {
    for step in &mut block.steps {
        if let Step::Merge(merge) = step {
            visit(merge);
        }
    }
}
