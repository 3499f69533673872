//! Which columns loops ask the memory for ahead of reading them.
//!
//! The CPU sees by itself that a column is read on and on, but not far enough ahead where an iteration does much, and not at all
//! before a loop of its own has run for a while: so a loop in a loop, along a row that lies elsewhere each time, asks for what
//! follows. Behind the row there may be the next one.

use std::collections::HashSet;

use weldment_core::analysis::cost;
use weldment_core::ir::{Op, SinkKind, Value};
use weldment_runtime::types::Type;

use super::facts::Facts;
use super::{Block, Loop, Run, Step};

/// At least half a line of the cache is read of a column in a step, or else it would be asked for several times.
const LEAST: u64 = 32;

/// So much is read of a column in an iteration that asks for what follows by itself.
const LEAST_OF_ONE: u64 = 8;

/// Decides it for `inner`, which is split and so a long loop, and for the loops in it: those of its columns that
/// are worth it, or that are of vectors.
pub(super) fn read(facts: &Facts, inner: &mut Loop) {
    inner.ahead = match inner.block.or(inner.rows) {
        Some(step) => worth_it(facts, inner, step, |_| true),
        // The CPU cannot see where the elements of the next vectors are; and one that looks keys up does much.
        None => {
            let is_keyed = |sink| matches!(facts.sinks[&sink], SinkKind::BucketReduce { .. });
            let feeds_keyed = inner.feeds.is_some_and(is_keyed);
            let is_asked = |vector: &Value| match facts.ty(*vector).element() {
                Some(Type::Vec(_)) => true,
                Some(element) => feeds_keyed && cost::bytes(element) >= LEAST_OF_ONE,
                None => false,
            };
            inner.columns.iter().copied().filter(is_asked).collect()
        }
    };
    within(facts, &mut inner.body, &mut HashSet::new());
}

fn worth_it(facts: &Facts, inner: &Loop, step: u32, is_asked: impl Fn(&Value) -> bool) -> Vec<Value> {
    let element = |vector: &Value| facts.ty(*vector).element().map_or(0, cost::bytes);
    let is_worth_it = |vector: &Value| u64::from(step) * element(vector) >= LEAST;
    inner.columns.iter().copied().filter(|vector| is_asked(vector) && is_worth_it(vector)).collect()
}

/// Decides it for the loops in `body`, an iteration in which `rows` are what is read of vectors that go on behind them.
fn within(facts: &Facts, body: &mut Block, rows: &mut HashSet<Value>) {
    for step in &mut body.steps {
        match step {
            Step::Bind { result, op: Op::At(..) | Op::Slice(..), .. } => {
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
        inner.ahead = worth_it(facts, inner, block, |vector| rows.contains(vector));
    }
    within(facts, &mut inner.body, &mut HashSet::new());
}
