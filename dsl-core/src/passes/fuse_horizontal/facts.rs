//! What must be known of a loop before it is compared with its siblings.

use std::collections::BTreeSet;

use super::keys::Key;
use crate::analysis::bounds;
use crate::analysis::cost;
use crate::analysis::equal::{Length, Lengths};
use crate::analysis::footprints::merged_sinks;
use crate::ir::{BodyId, Loop, Op, Program, Sink, SinkDecl, SinkKind, Stmt, Value};

/// What is known of a loop or `for` by itself.
pub(super) struct Facts {
    pub(super) body: BodyId,
    /// `for`s always share the loop around them.
    is_for: bool,
    extents: Vec<Known>,
    /// The vectors and dictionaries that it reads elements of, made outside of it.
    inputs: BTreeSet<Value>,
    /// The sinks of loops around that it merges into.
    pub(super) merged: BTreeSet<Sink>,
    /// The keys merged into its bucket sinks.
    pub(super) keys: Vec<Key>,
    /// How many sums it keeps.
    pub(super) accumulators: usize,
}

/// What two loops can have in common.
#[derive(Clone, Copy, PartialEq, Eq, Hash)]
pub(super) enum Input {
    /// A vector or dictionary.
    Value(Value),
    LoopAround,
}

/// An extent, its length, and the lengths that it is known to be equal to.
struct Known {
    value: Value,
    length: Length,
    implied: Vec<Length>,
}

/// The extent of the fused loop for one index: one that exists, or the common value of two.
#[derive(Clone, Copy)]
pub(super) enum Extent {
    Value(Value),
    Common(Value, Value),
}

impl Facts {
    /// What is known of `stmt`, if it is a loop with indices or a `for`.
    pub(super) fn of(lengths: &Lengths<'_>, stmt: &Stmt) -> Option<Facts> {
        let (program, defs) = (lengths.program(), lengths.defs());
        let (extents, body, sinks) = parts(stmt)?;
        Some(Facts {
            body,
            is_for: matches!(stmt.op, Op::For { .. }),
            extents: extents.iter().map(|&value| Known::of(lengths, value)).collect(),
            inputs: inputs(program, stmt),
            merged: merged_sinks(program, stmt),
            keys: Key::all(program, defs, &program.bodies[body].params, merged_keys(program, body, sinks)),
            accumulators: cost::accumulators(sinks.iter().map(|decl| &decl.kind)),
        })
    }

    /// What is known of a loop that was fused of these two, whose extents are those that [`Facts::common_extents`] has, or
    /// stand for them. The keys of both are alike.
    pub(super) fn united(mut self, other: Facts, extents: &[Value]) -> Facts {
        self.inputs.extend(other.inputs);
        self.merged.extend(other.merged);
        if self.keys.is_empty() {
            self.keys = other.keys;
        }
        let pairs = self.extents.into_iter().zip(other.extents).zip(extents);
        self.extents = pairs.map(|((one, other), &extent)| one.united(other, extent)).collect();
        self.accumulators += other.accumulators;
        self
    }

    /// A digest of the key that it fills dictionaries by, if it does. Loops with different ones are not fused.
    pub(super) fn key(&self) -> Option<u64> {
        self.keys.first().map(|key| key.digest)
    }

    /// The lengths that its first extent is known to have.
    pub(super) fn lengths(&self) -> impl Iterator<Item = Length> {
        let first = self.extents.first();
        first.into_iter().flat_map(|known| [known.length].into_iter().chain(known.implied.iter().copied()))
    }

    /// What it may share with others: the vectors and dictionaries that it reads, or the loop around it.
    pub(super) fn inputs(&self) -> impl Iterator<Item = Input> {
        let around = self.is_for.then_some(Input::LoopAround);
        let read = self.inputs.iter().filter(|_| !self.is_for).map(|&value| Input::Value(value));
        around.into_iter().chain(read)
    }

    /// The extents of the fused loop, if both have the same iteration space.
    pub(super) fn common_extents(&self, other: &Facts) -> Option<Vec<Extent>> {
        if self.extents.len() != other.extents.len() {
            return None;
        }
        self.extents.iter().zip(&other.extents).map(|(a, b)| a.equal(b)).collect()
    }
}

impl Known {
    fn of(lengths: &Lengths<'_>, value: Value) -> Known {
        let implied = bounds::implied(lengths.program(), lengths.defs(), value);
        let implied = implied.into_iter().map(|number| lengths.of_value(number)).collect();
        Known { value, length: lengths.of_value(value), implied }
    }

    /// What is known of `extent`, which is one of the two or stands for both.
    fn united(mut self, mut other: Known, extent: Value) -> Known {
        if extent == self.value {
            return self;
        }
        if extent == other.value {
            return other;
        }
        let length = Length::Value(extent);
        let mut implied = vec![length];
        implied.append(&mut self.implied);
        implied.append(&mut other.implied);
        Known { value: extent, length, implied }
    }

    /// The extent for both loops, if theirs are equal. Where equality is known from a `zip_len`, the result is what
    /// depends on it, so that proofs of bounds go on holding.
    fn equal(&self, other: &Known) -> Option<Extent> {
        let (a, b) = (self, other);
        if a.value == b.value || a.length == b.length {
            return Some(Extent::Value(a.value));
        }
        if b.implied.contains(&a.length) {
            return Some(Extent::Value(b.value));
        }
        if a.implied.contains(&b.length) {
            return Some(Extent::Value(a.value));
        }
        let common = a.implied.iter().any(|length| b.implied.contains(length));
        common.then_some(Extent::Common(a.value, b.value))
    }
}

/// The extents, the body and the sinks of a loop or `for`.
fn parts(stmt: &Stmt) -> Option<(&[Value], BodyId, &[SinkDecl])> {
    match &stmt.op {
        Op::Loop(Loop { extents, body, sinks }) if !extents.is_empty() => Some((extents, *body, sinks)),
        Op::For { extent, body } => Some((std::slice::from_ref(extent), *body, &[])),
        _ => None,
    }
}

fn inputs(program: &Program, stmt: &Stmt) -> BTreeSet<Value> {
    let mut inputs = BTreeSet::new();
    let mut bound = BTreeSet::new();
    stmt.op.for_each_body(|body| {
        program.for_each_stmt(body, &mut |stmt| {
            bound.extend(stmt.results.iter().copied());
            if let Op::At(x, _) | Op::Lookup(x, _) | Op::OptLookup(x, _) | Op::KeyExists(x, _) = stmt.op {
                inputs.insert(x);
            }
        });
    });
    inputs.retain(|input| !bound.contains(input));
    inputs
}

fn merged_keys(program: &Program, body: BodyId, sinks: &[SinkDecl]) -> Vec<Value> {
    let is_bucket = |decl: &&SinkDecl| {
        matches!(decl.kind, SinkKind::BucketCollect { .. } | SinkKind::BucketReduce { .. })
    };
    let buckets: BTreeSet<Sink> = sinks.iter().filter(is_bucket).map(|decl| decl.sink).collect();
    let mut keys = Vec::new();
    if !buckets.is_empty() {
        program.for_each_stmt(body, &mut |stmt| match &stmt.op {
            Op::Merge { sink, values } if buckets.contains(sink) => keys.push(values[0]),
            _ => {}
        });
    }
    keys
}
