//! What depends on where merges stand: blocks, lanes, lengths.

use std::collections::HashMap;

use weldment_core::analysis::cost::{RESCAN_BUDGET, has_wide, is_wide};
use weldment_core::ir::{Const, Empty, Order, ReduceOp, Reducer, Sink, SinkKind, Value};
use weldment_runtime::lang::types::Type;

use super::facts::{self, Facts, Strips};
use super::{Block, Lane, Leaf, Length, Loop, Nest, Run, Schedule, Seen, Step, Store, StoreKind};

/// The leaves of an accumulator, with as many lanes as their types have, or one that folds in order.
pub(super) fn leaves(op: ReduceOp, ty: &Type, order: Order) -> Vec<Leaf> {
    let leaf = |&ty: &_| {
        let lanes = match order {
            Order::Lanes => ReduceOp::lanes(ty) as u32,
            Order::InOrder => 1,
        };
        Leaf { total: ty, ty, neutral: op.neutral(ty), lanes }
    };
    ty.leaves().expect("operators reduce scalars and structs of them").iter().map(leaf).collect()
}

/// The length of the blocks that `inner` runs in, if it does: it is straight, and fills accumulators and collects of
/// scalars, each collect at one place. No other loop over an index stands between `inner` and a collect that `is_next`: then its
/// iterations are those of the collect, or the collect is of steps that run one after the other. The rows that a loop in a loop appends are
/// mostly short.
pub(super) fn block_of(facts: &Facts, inner: &Loop, is_next: impl Fn(Sink) -> bool) -> Option<u32> {
    let mut collects = Vec::new();
    let mut block = None;
    for step in &inner.body.steps {
        match step {
            Step::Bind { op, .. } if facts.is_straight(op) && !is_wide(op, |value| facts.ty(value)) => {}
            Step::Merge(merge) => match &facts.sinks[&merge.sink] {
                // Of what fits no lane, one register takes one number after the other.
                SinkKind::Reduce { ty, .. } | SinkKind::Collect { ty, .. } if has_wide(ty) => return None,
                SinkKind::Reduce { ty, order: Order::Lanes, .. } if facts.is_accumulator(merge.sink) => {
                    block = block.max(Some(lanes(ty)));
                }
                SinkKind::Collect { ty, .. } if ty.is_scalars() && is_next(merge.sink) => {
                    if collects.contains(&merge.sink) {
                        return None;
                    }
                    collects.push(merge.sink);
                    block = block.max(Some(lanes(ty)));
                }
                _ => return None,
            },
            _ => return None,
        }
    }
    block
}

/// The chunks of a loop that only collects and holds loops of any length: no longer than some rows, for there may be few rows, and long ones.
/// What is reduced element by element may be columns, which are read side by side: these chunks are wider. Where chunks end has no part in
/// what is collected.
pub(super) fn of_rows(schedule: Schedule, run: &Run, stores: &[Store]) -> Schedule {
    const ROWS: u64 = 128;
    const COLUMNS: u64 = 512;
    let (Schedule::Chunks { chunk, segment }, Run::Over(inner)) = (schedule, run) else { return schedule };
    let collects = stores.iter().all(|store| matches!(store.kind, StoreKind::Collect { .. }));
    if inner.strips() != Strips::Short || !collects {
        return schedule;
    }
    let mut is_blocked = false;
    facts::for_each_step(&inner.body, &mut |step| {
        is_blocked |= match step {
            Step::For(inner) | Step::Nest(Nest { run: Run::Over(inner), .. }) => inner.block.is_some(),
            _ => false,
        };
    });
    Schedule::Chunks { chunk: chunk.min(if is_blocked { ROWS } else { COLUMNS }), segment }
}

/// Decides what `inner`, which is split and so a long loop, feeds, and whether it merges by index some rows at a time.
pub(super) fn feed(facts: &Facts, inner: &mut Loop) {
    // Of numbers with 8 bytes, a line of the cache.
    const ROWS: u32 = 8;
    inner.feeds = if inner.block.is_none() { fed_by(facts, &inner.body) } else { None };
    let is_scatter = |sink| matches!(facts.sinks[&sink], SinkKind::Scatter { .. });
    inner.rows = inner.feeds.is_some_and(is_scatter).then_some(ROWS);
}

/// The sink that `body` merges into, once, if all it does besides is to compute scalars without faults.
fn fed_by(facts: &Facts, body: &Block) -> Option<Sink> {
    let mut fed = None;
    for step in &body.steps {
        match step {
            Step::Bind { result, op, .. } if facts.ty(*result).is_scalars() && facts.is_straight(op) => {}
            Step::Merge(merge) if merge.guard.is_none() && fed.is_none() => fed = Some(merge.sink),
            _ => return None,
        }
    }
    fed
}

/// Decides which merges of `body`, which runs in blocks, are compared: those into extremes of floats, if it is cheap to run once
/// more, and may.
pub(super) fn compare(facts: &Facts, body: &mut Block) {
    let costs = body.steps.iter().filter_map(|step| match step {
        Step::Bind { op, .. } => Some(facts.cost(op)),
        _ => None,
    });
    if costs.sum::<Option<u64>>().is_none_or(|cost| cost > RESCAN_BUDGET) {
        return;
    }
    for step in &mut body.steps {
        let Step::Merge(merge) = step else { continue };
        if let SinkKind::Reduce { ty: Type::Scalar(ty), reducer: Reducer::Op(op), .. } =
            &facts.sinks[&merge.sink]
            && matches!(op, ReduceOp::Min | ReduceOp::Max)
            && ty.is_float()
        {
            merge.compared = Some(ReduceOp::lanes(*ty) as u32);
        }
    }
}

/// The largest number of lanes that a leaf of `ty` has.
fn lanes(ty: &Type) -> u32 {
    let leaves = ty.leaves().expect("a struct of scalars");
    leaves.iter().map(|&leaf| ReduceOp::lanes(leaf) as u32).max().unwrap_or(16)
}

/// Decides what is open about `stores`, which are filled by `run`.
pub(super) fn finish_stores(stores: &mut [Store], run: &Run, consts: &HashMap<Value, Const>) {
    let merges = match run {
        Run::Over(inner) => Some(merges_in(&inner.body, consts)),
        Run::Once(_) => None,
    };
    let mut places = HashMap::new();
    let is_blocked = matches!(run, Run::Over(inner) if inner.block.is_some());
    visit_places(run.body(), is_blocked, &mut places);
    for store in stores {
        let per_iteration = match &merges {
            Some(merges) => merges.get(&store.sink).copied().unwrap_or(Merges::NONE),
            None => Merges { least: 0, most: None },
        };
        let places = places.get(&store.sink).copied().unwrap_or_default();
        finish_store(store, per_iteration, places);
    }
}

fn finish_store(store: &mut Store, per_iteration: Merges, places: Places) {
    match &mut store.kind {
        StoreKind::Collect { length, .. } => {
            if let Some(known) = per_iteration.length() {
                *length = known;
            }
        }
        StoreKind::Accumulate { op, leaves, init, empty, seen, .. } => {
            for leaf in leaves {
                let one = match op.is_exact(leaf.ty) {
                    true => !places.in_blocks_only,
                    false => places.outside_loops_only,
                };
                if one {
                    leaf.lanes = 1;
                }
            }
            *seen = match (init, empty, per_iteration.least) {
                (Some(_), ..) | (_, Empty::Identity, _) => Seen::NotNeeded,
                (_, _, 1..) => Seen::Extent,
                _ => Seen::Flag,
            };
        }
        _ => {}
    }
}

/// How often a block merges into a sink when it runs.
#[derive(Clone, Copy)]
struct Merges {
    least: u32,
    /// `None` if nothing is known.
    most: Option<u32>,
}

impl Merges {
    const NONE: Merges = Merges { least: 0, most: Some(0) };

    /// These, and `more` after them.
    fn and(self, more: Merges) -> Merges {
        let most = self.most.zip(more.most).and_then(|(most, more)| most.checked_add(more));
        Merges { least: self.least.saturating_add(more.least), most }
    }

    /// These, or those of the other branch.
    fn or(self, other: Merges) -> Merges {
        let most = self.most.zip(other.most).map(|(most, other)| most.max(other));
        Merges { least: self.least.min(other.least), most }
    }

    /// These `extent` times, if it is known.
    fn times(self, extent: Option<u32>) -> Merges {
        match (self.most, extent) {
            (Some(0), _) => Merges::NONE,
            (_, None) => Merges { least: 0, most: None },
            (most, Some(extent)) => Merges {
                least: self.least.saturating_mul(extent),
                most: most.and_then(|most| most.checked_mul(extent)),
            },
        }
    }

    /// What they make of the length of a collect, if each iteration of its nest's own loop has so many.
    fn length(self) -> Option<Length> {
        match self.most? {
            each @ 1.. if each == self.least => Some(Length::Exact { each }),
            0 | 1 => Some(Length::AtMost),
            _ => None,
        }
    }
}

/// How often `block` merges into each sink.
fn merges_in(block: &Block, consts: &HashMap<Value, Const>) -> HashMap<Sink, Merges> {
    let mut all: HashMap<Sink, Merges> = HashMap::new();
    let mut add = |sink: Sink, merges: Merges| {
        let before = all.entry(sink).or_insert(Merges::NONE);
        *before = before.and(merges);
    };
    for step in &block.steps {
        match step {
            Step::Merge(merge) => {
                let least = merge.guard.is_none() as u32;
                add(merge.sink, Merges { least, most: Some(1) });
            }
            Step::If { then, els, .. } => {
                let (then, mut els) = (merges_in(then, consts), merges_in(els, consts));
                for (sink, merges) in then {
                    add(sink, merges.or(els.remove(&sink).unwrap_or(Merges::NONE)));
                }
                els.into_iter().for_each(|(sink, merges)| add(sink, merges.or(Merges::NONE)));
            }
            Step::For(inner) | Step::Nest(Nest { run: Run::Over(inner), .. }) => {
                let extent = consts.get(&inner.extent).and_then(|extent| extent.as_integer());
                let extent = extent.and_then(|extent| u32::try_from(extent.max(0)).ok());
                let merges = merges_in(&inner.body, consts);
                merges.into_iter().for_each(|(sink, merges)| add(sink, merges.times(extent)));
            }
            Step::Nest(Nest { run: Run::Once(block), .. }) => {
                merges_in(block, consts).into_iter().for_each(|(sink, merges)| add(sink, merges));
            }
            step => facts::for_each_block(step, &mut |inner| {
                let merges = merges_in(inner, consts);
                merges.into_iter().for_each(|(sink, merges)| add(sink, merges.times(None)));
            }),
        }
    }
    all
}

/// Where a store's merges stand.
#[derive(Clone, Copy)]
struct Places {
    /// Each in a loop that runs in blocks, in lanes of the store.
    in_blocks_only: bool,
    /// Each in lane 0.
    outside_loops_only: bool,
}

impl Default for Places {
    fn default() -> Places {
        Places { in_blocks_only: true, outside_loops_only: true }
    }
}

fn visit_places(block: &Block, is_blocked: bool, all: &mut HashMap<Sink, Places>) {
    for step in &block.steps {
        match step {
            Step::Merge(merge) => {
                let places = all.entry(merge.sink).or_default();
                places.in_blocks_only &= is_blocked && merge.compared.is_none();
                places.outside_loops_only &= merge.lane == Lane::Zero;
            }
            Step::For(inner) => visit_places(&inner.body, inner.block.is_some(), all),
            Step::Nest(nest) => {
                let is_blocked = matches!(&nest.run, Run::Over(inner) if inner.block.is_some());
                visit_places(nest.run.body(), is_blocked, all);
            }
            step => facts::for_each_block(step, &mut |inner| visit_places(inner, is_blocked, all)),
        }
    }
}
