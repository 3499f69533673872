//! Which columns loops prefetch.
//!
//! The CPU sees by itself that a column is read on and on, but not far enough ahead where an iteration does much, and not at all
//! before a loop of its own has run for a while: so a loop in a loop, along a row that lies elsewhere each time, prefetches what
//! follows. Behind the row there may be the next one.

use std::collections::{HashMap, HashSet};

use weldment_core::analysis::cost;
use weldment_core::ir::{Op, Sink, SinkKind, Value};
use weldment_runtime::lang::types::{Scalar, Type};

use super::facts::{self, Facts};
use super::{Block, HashPrefetch, Keyed, Loop, Run, Step, Store, StoreKind};

/// At least half a line of the cache is read of a column in a step, or else it would be prefetched several times.
const LEAST: u64 = 32;

/// So much is read of a column in an iteration that prefetches what follows by itself.
const LEAST_OF_ONE: u64 = 8;

/// Decides it for `inner`, which is split and so a long loop over these stores, and for the loops in it: those of its columns that
/// are worth it, or that are of vectors.
pub(super) fn read(facts: &Facts, inner: &mut Loop, stores: &[Store]) {
    inner.prefetch = match inner.block.or(inner.rows) {
        Some(step) => worth_it(facts, inner, step, |_| true),
        // The CPU cannot see where the elements of the next vectors are; and one that looks keys up does much.
        None => {
            let is_keyed = |sink| matches!(facts.sinks[&sink], SinkKind::BucketReduce { .. });
            let feeds_keyed = inner.feeds.is_some_and(is_keyed);
            let is_prefetched = |vector: &Value| match facts.ty(*vector).element() {
                Some(Type::Vec(_)) => true,
                Some(element) => feeds_keyed && cost::bytes(element) >= LEAST_OF_ONE,
                None => false,
            };
            inner.columns.iter().copied().filter(is_prefetched).collect()
        }
    };
    inner.hash_prefetch = keys(inner, stores);
    // With the places of keys, their elements are prefetched.
    inner.prefetch.retain(|vector| inner.hash_prefetch.iter().all(|keys| keys.column != *vector));
    within(facts, &mut inner.body, &mut HashSet::new());
}

/// The keys that `inner` merges by in each iteration, and by which alone it finds a place in a table.
fn keys(inner: &Loop, stores: &[Store]) -> Vec<HashPrefetch> {
    let is_prefetched = |sink: Sink| {
        let of_words = |store: &Store| match &store.kind {
            StoreKind::Table { key: Type::Vec(element), what, .. } => {
                matches!(**element, Type::Scalar(Scalar::I8 | Scalar::U8)) && !matches!(what, Keyed::Group)
            }
            _ => false,
        };
        stores.iter().any(|store| store.sink == sink && of_words(store))
    };
    let mut by: HashMap<Sink, Vec<Value>> = HashMap::new();
    facts::for_each_merge(&inner.body, &mut |merge| by.entry(merge.sink).or_default().push(merge.values[0]));
    let mut columns = HashMap::new();
    let mut keys: Vec<HashPrefetch> = Vec::new();
    for step in &inner.body.steps {
        match step {
            Step::Bind { result, op: Op::At(vector, index), .. }
                if *index == inner.index && inner.columns.contains(vector) =>
            {
                columns.insert(*result, *vector);
            }
            Step::Merge(merge) if is_prefetched(merge.sink) => {
                let (key, sink) = (merge.values[0], merge.sink);
                if let Some(&column) = columns.get(&key)
                    && by[&sink].iter().all(|other| *other == key)
                    && keys.iter().all(|keys| keys.sink != sink)
                {
                    keys.push(HashPrefetch { column, sink });
                }
            }
            _ => {}
        }
    }
    keys
}

fn worth_it(facts: &Facts, inner: &Loop, step: u32, is_prefetched: impl Fn(&Value) -> bool) -> Vec<Value> {
    let element = |vector: &Value| facts.ty(*vector).element().map_or(0, cost::bytes);
    let is_worth_it = |vector: &Value| u64::from(step) * element(vector) >= LEAST;
    inner.columns.iter().copied().filter(|vector| is_prefetched(vector) && is_worth_it(vector)).collect()
}

/// Decides it for the loops in `body`, an iteration in which `rows` are what is read of vectors that go on behind them.
fn within(facts: &Facts, body: &mut Block, rows: &mut HashSet<Value>) {
    for step in &mut body.steps {
        match step {
            Step::Bind { result, op: Op::At(..) | Op::Slice(..) | Op::Cut(..), .. } => {
                rows.insert(*result);
            }
            Step::If { then, els, .. } => {
                [then, els].into_iter().for_each(|block| within(facts, block, rows))
            }
            Step::For(inner) => along(facts, inner, rows),
            Step::Nest(nest) => match &mut nest.run {
                Run::Once(block) => within(facts, block, rows),
                Run::Over(inner) => along(facts, inner, rows),
            },
            Step::Bind { .. } | Step::Iterate { .. } | Step::Sort { .. } | Step::Merge(_) => {}
        }
    }
}

/// Decides it for `inner`, in an iteration of another one.
fn along(facts: &Facts, inner: &mut Loop, rows: &HashSet<Value>) {
    if let Some(block) = inner.block {
        inner.prefetch = worth_it(facts, inner, block, |vector| rows.contains(vector));
    }
    within(facts, &mut inner.body, &mut HashSet::new());
}
