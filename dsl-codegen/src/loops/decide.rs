//! What depends on where merges stand: blocks, lanes, lengths.

use weldment_core::ir::{Empty, ReduceOp, Sink, SinkDecl, SinkKind};
use weldment_runtime::types::Type;

use super::facts::{self, Facts};
use super::{Block, Lane, Leaf, Length, Loop, Run, Seen, Step, Store, StoreKind};

/// The leaves of an accumulator, with as many lanes as their types have.
pub(super) fn leaves(op: ReduceOp, ty: &Type) -> Vec<Leaf> {
    let leaf = |&ty: &_| Leaf { ty, neutral: op.neutral(ty), lanes: ReduceOp::lanes(ty) as u32 };
    ty.leaves().expect("operators reduce scalars and structs of them").iter().map(leaf).collect()
}

/// The length of the blocks that `inner` runs in, if it does: it is straight, and fills a float accumulator (which
/// no compiler vectorises by itself, unlike what else a straight loop can do). `own` are the sinks whose nest
/// has `inner` as its only loop over indices, so that its iterations are theirs.
pub(super) fn block_of(facts: &Facts, inner: &Loop, own: &[SinkDecl]) -> Option<u32> {
    let is_own = |sink| own.iter().any(|decl| decl.sink == sink);
    let mut block = None;
    for step in &inner.body.steps {
        match step {
            Step::Bind { op, .. } if facts.is_straight(op) => {}
            Step::Merge(merge) => match &facts.sinks[&merge.sink] {
                SinkKind::Reduce { ty, .. } if facts.is_accumulator(merge.sink) => {
                    let leaves = ty.leaves().expect("operators reduce scalars and structs of them");
                    let lanes = leaves.iter().map(|&leaf| ReduceOp::lanes(leaf) as u32).max();
                    if leaves.iter().any(|leaf| leaf.is_float()) {
                        block = block.max(lanes);
                    }
                }
                SinkKind::Collect { ty, .. }
                    if ty.is_scalars()
                        && is_own(merge.sink)
                        && merges_per_iteration(merge.sink, &inner.body) == Some(1) => {}
                _ => return None,
            },
            _ => return None,
        }
    }
    // Leaves without floats may have more lanes.
    block.map(|_| {
        let mut lanes = 16;
        facts::for_each_merge(&inner.body, &mut |merge| {
            if let SinkKind::Reduce { ty, .. } = &facts.sinks[&merge.sink] {
                let leaves = ty.leaves().expect("operators reduce scalars and structs of them");
                lanes = leaves.iter().map(|&leaf| ReduceOp::lanes(leaf) as u32).fold(lanes, u32::max);
            }
        });
        lanes
    })
}

/// Decides what is open about `store`, which is filled by `run`.
pub(super) fn finish_store(store: &mut Store, run: &Run) {
    let sink = store.sink;
    let per_iteration = match run {
        Run::Over(inner) => merges_per_iteration(sink, &inner.body),
        Run::Once(_) => None,
    };
    match &mut store.kind {
        StoreKind::Collect { length, .. } if per_iteration == Some(1) => *length = Length::Exact,
        StoreKind::Accumulate { op, leaves, init, empty, seen, .. } => {
            let places = places(sink, run);
            for leaf in leaves {
                let one = match op.is_exact(leaf.ty) {
                    true => !places.in_blocks_only,
                    false => places.outside_loops_only,
                };
                if one {
                    leaf.lanes = 1;
                }
            }
            *seen = match (init, empty, per_iteration) {
                (Some(_), ..) | (_, Empty::Identity, _) => Seen::Unasked,
                (_, _, Some(1..)) => Seen::Extent,
                _ => Seen::Flag,
            };
        }
        _ => {}
    }
}

/// How often `block` merges into `sink`, if that is the same whenever it runs.
fn merges_per_iteration(sink: Sink, block: &Block) -> Option<u32> {
    let mut merges = 0;
    for step in &block.steps {
        match step {
            Step::Merge(merge) if merge.sink == sink => {
                if merge.guard.is_some() {
                    return None;
                }
                merges += 1;
            }
            Step::If { then, els, .. } => {
                let (then, els) = (merges_per_iteration(sink, then)?, merges_per_iteration(sink, els)?);
                if then != els {
                    return None;
                }
                merges += then;
            }
            step => {
                let mut found = false;
                facts::for_each_block(step, &mut |inner| {
                    facts::for_each_merge(inner, &mut |merge| found |= merge.sink == sink);
                });
                if found {
                    return None;
                }
            }
        }
    }
    Some(merges)
}

/// Where a store's merges stand.
struct Places {
    /// Each in a loop that runs in blocks.
    in_blocks_only: bool,
    /// Each in lane 0.
    outside_loops_only: bool,
}

fn places(sink: Sink, run: &Run) -> Places {
    let mut places = Places { in_blocks_only: true, outside_loops_only: true };
    let is_blocked = matches!(run, Run::Over(inner) if inner.block.is_some());
    visit_places(sink, run.body(), is_blocked, &mut places);
    places
}

fn visit_places(sink: Sink, block: &Block, is_blocked: bool, places: &mut Places) {
    for step in &block.steps {
        match step {
            Step::Merge(merge) if merge.sink == sink => {
                places.in_blocks_only &= is_blocked;
                places.outside_loops_only &= merge.lane == Lane::Zero;
            }
            Step::For(inner) => visit_places(sink, &inner.body, inner.block.is_some(), places),
            Step::Nest(nest) => {
                let is_blocked = matches!(&nest.run, Run::Over(inner) if inner.block.is_some());
                visit_places(sink, nest.run.body(), is_blocked, places);
            }
            step => facts::for_each_block(step, &mut |inner| visit_places(sink, inner, is_blocked, places)),
        }
    }
}
