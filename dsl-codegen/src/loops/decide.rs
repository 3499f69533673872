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

/// The length of the blocks that `inner` runs in, if it does: it is straight, and fills accumulators and collects of
/// scalars, each collect at one place. `own` are the sinks whose nest has `inner` as its only loop over
/// indices, so that its iterations are theirs.
pub(super) fn block_of(facts: &Facts, inner: &Loop, own: &[SinkDecl]) -> Option<u32> {
    let is_own = |sink| own.iter().any(|decl| decl.sink == sink);
    let mut collects = Vec::new();
    let mut block = None;
    for step in &inner.body.steps {
        match step {
            Step::Bind { op, .. } if facts.is_straight(op) => {}
            Step::Merge(merge) => match &facts.sinks[&merge.sink] {
                SinkKind::Reduce { ty, .. } if facts.is_accumulator(merge.sink) => {
                    block = block.max(Some(lanes(ty)));
                }
                SinkKind::Collect { ty, .. } if ty.is_scalars() && is_own(merge.sink) => {
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

/// The largest number of lanes that a leaf of `ty` has.
fn lanes(ty: &Type) -> u32 {
    let leaves = ty.leaves().expect("a struct of scalars");
    leaves.iter().map(|&leaf| ReduceOp::lanes(leaf) as u32).max().unwrap_or(16)
}

/// Decides what is open about `store`, which is filled by `run`.
pub(super) fn finish_store(store: &mut Store, run: &Run) {
    let sink = store.sink;
    let per_iteration = match run {
        Run::Over(inner) => merges_per_iteration(sink, &inner.body),
        Run::Once(_) => Merges { least: 0, most: None },
    };
    match &mut store.kind {
        StoreKind::Collect { length, .. } => match (per_iteration.least, per_iteration.most) {
            (1, Some(1)) => *length = Length::Exact,
            (_, Some(0 | 1)) => *length = Length::AtMost,
            _ => {}
        },
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
            *seen = match (init, empty, per_iteration.least) {
                (Some(_), ..) | (_, Empty::Identity, _) => Seen::Unasked,
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

fn merges_per_iteration(sink: Sink, block: &Block) -> Merges {
    let mut merges = Merges { least: 0, most: Some(0) };
    for step in &block.steps {
        let here = match step {
            Step::Merge(merge) if merge.sink == sink => {
                Merges { least: merge.guard.is_none() as u32, most: Some(1) }
            }
            Step::If { then, els, .. } => {
                let (then, els) = (merges_per_iteration(sink, then), merges_per_iteration(sink, els));
                let most = then.most.zip(els.most).map(|(then, els)| then.max(els));
                Merges { least: then.least.min(els.least), most }
            }
            step => {
                let mut found = false;
                facts::for_each_block(step, &mut |inner| {
                    facts::for_each_merge(inner, &mut |merge| found |= merge.sink == sink);
                });
                Merges { least: 0, most: (!found).then_some(0) }
            }
        };
        merges.least += here.least;
        merges.most = merges.most.zip(here.most).map(|(merges, here)| merges + here);
    }
    merges
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
