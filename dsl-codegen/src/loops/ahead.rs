//! Which columns loops ask the memory for ahead of reading them, and which keys they hash ahead of looking them up.
//!
//! The CPU sees by itself that a column is read on and on, but not far enough ahead where an iteration does much, and not at all
//! before a loop of its own has run for a while: so a loop in a loop, along a row that lies elsewhere each time, asks for what
//! follows. Behind the row there may be the next one.

use std::collections::HashSet;

use weldment_core::analysis::cost;
use weldment_core::ir::{Op, Sink, SinkKind, Value};
use weldment_runtime::types::Type;

use super::facts::Facts;
use super::{Block, Loop, Merge, Run, Step};

/// At least half a line of the cache is read of a column in a step, or else it would be asked for several times.
const LEAST: u64 = 32;

/// So much is read of a column in an iteration that asks for what follows by itself.
const LEAST_OF_ONE: u64 = 8;

/// Keys that are the vectors of a column, such as words, as a loop has them. Where a table has the key of a row is known only when its
/// elements have been read and hashed: for some rows at a time, so that the memory is asked for what all of them will look up.
///
/// ```
/// # use weldment_codegen::loops::*;
/// # use weldment_core::front::from_text;
/// let program = from_text("|words: &[Vec<u8>]| words.reduce_by(|w| w, |w| 1, +)").unwrap().program;
/// let loops = build(&program, &Options::default());
/// let Some(Step::Nest(Nest { run: Run::Over(inner), .. })) = loops.body.steps.last() else { panic!() };
/// assert_eq!(inner.hashed.map(|hashed| hashed.column), Some(loops.params[0]));
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Hashed {
    /// The column.
    pub column: Value,
    /// Its element, which is the key.
    pub key: Value,
    /// The sink that is merged into.
    pub sink: Sink,
}

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
    inner.hashed = hashed(facts, inner);
    within(facts, &mut inner.body, &mut HashSet::new());
}

/// The first keys of `inner` that are the vectors of a column, whole numbers or flags, in every iteration.
fn hashed(facts: &Facts, inner: &Loop) -> Option<Hashed> {
    let is_key = |ty: &Type| matches!(ty.element(), Some(Type::Scalar(scalar)) if !scalar.is_float());
    let column_of = |key: Value| {
        inner.body.steps.iter().find_map(|step| match step {
            Step::Bind { result, op: Op::At(column, index), .. }
                if *result == key && *index == inner.index && inner.columns.contains(column) =>
            {
                Some(*column)
            }
            _ => None,
        })
    };
    inner.body.steps.iter().find_map(|step| match step {
        Step::Merge(Merge { sink, values, guard: None, .. })
            if matches!(facts.sinks[sink], SinkKind::BucketReduce { .. }) && is_key(facts.ty(values[0])) =>
        {
            Some(Hashed { column: column_of(values[0])?, key: values[0], sink: *sink })
        }
        _ => None,
    })
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
