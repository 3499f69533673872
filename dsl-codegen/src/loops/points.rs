//! Loops over several indices that fill arrays: every point merges once into each store. Their length is known, and they are cut into
//! chunks of points, row by row.

use std::collections::HashSet;

use super::facts::Facts;
use super::{Block, Length, Loop, Step, Store, StoreKind, predicate};

/// Whether the loops from `outer` inwards fill `stores` and do nothing else: one loop is all that another one holds, and the innermost
/// holds none. The lengths of the stores are noted.
pub(super) fn fills(facts: &mut Facts, outer: &mut Loop, stores: &mut [Store]) -> bool {
    if !matches!(outer.body.steps[..], [Step::For(_)]) {
        return false;
    }
    let inner = innermost(outer);
    let mut merged = HashSet::new();
    let fits = inner.body.steps.iter().all(|step| match step {
        Step::Merge(merge) => merge.guard.is_none() && merged.insert(merge.sink),
        step => is_plain(step),
    });
    let are_filled = stores
        .iter()
        .all(|store| matches!(store.kind, StoreKind::Collect { .. }) && merged.contains(&store.sink));
    if !fits || !are_filled || merged.len() != stores.len() {
        return false;
    }
    predicate::of_points(facts, inner);
    for store in stores {
        if let StoreKind::Collect { length, .. } = &mut store.kind {
            *length = Length::Exact { each: 1 };
        }
    }
    true
}

fn innermost(mut inner: &mut Loop) -> &mut Loop {
    while matches!(inner.body.steps[..], [Step::For(_)]) {
        let [Step::For(next)] = &mut inner.body.steps[..] else { unreachable!("it was looked at") };
        inner = next;
    }
    inner
}

/// Whether a step computes, and neither loops nor merges.
fn is_plain(step: &Step) -> bool {
    let all = |block: &Block| block.steps.iter().all(is_plain);
    match step {
        Step::Bind { .. } => true,
        Step::If { then, els, .. } => all(then) && all(els),
        _ => false,
    }
}
