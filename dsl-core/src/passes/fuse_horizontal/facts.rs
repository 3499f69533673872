//! What must be known of a loop before it is compared with its siblings.

use std::collections::{BTreeSet, HashMap, HashSet};
use std::rc::Rc;

use super::keys::Key;
use crate::analysis::bounds;
use crate::analysis::cost;
use crate::analysis::depend::Dependences;
use crate::analysis::equal::{Length, Lengths};
use crate::analysis::footprints::Footprints;
use crate::analysis::order::merged_sinks;
use crate::ir::{BodyId, Defs, Loop, Op, Program, Sink, SinkDecl, SinkKind, Stmt, Value};

/// A loop or `for`, and its number in its body.
#[derive(Clone)]
pub(super) struct Sibling {
    pub(super) number: usize,
    pub(super) facts: Rc<Facts>,
}

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

impl Sibling {
    /// The loops and `for`s of `body`, in order; `known` is what is known of some of them by their bodies.
    fn all_in(
        program: &Program,
        defs: &Defs,
        body: BodyId,
        known: &mut HashMap<BodyId, Rc<Facts>>,
    ) -> Vec<Sibling> {
        let stmts = program.bodies[body].stmts.iter().enumerate();
        let lengths = Lengths::new(program, defs);
        let siblings = stmts.filter_map(|(number, stmt)| {
            let (extents, body, sinks) = parts(stmt)?;
            let facts = known.entry(body);
            let facts = facts.or_insert_with(|| Rc::new(Facts::of(&lengths, stmt, extents, body, sinks)));
            Some(Sibling { number, facts: facts.clone() })
        });
        siblings.collect()
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

/// The loops and `for`s of one body, and what is known of them while they are fused one after the other.
pub(super) struct Family {
    pub(super) body: BodyId,
    /// What is known of some by themselves, by their bodies.
    known: HashMap<BodyId, Rc<Facts>>,
    /// Their dependences, and their places among these by their bodies.
    dependences: Dependences,
    places: HashMap<BodyId, usize>,
    pub(super) footprints: Footprints,
}

impl Family {
    /// Those of `body`.
    pub(super) fn of(program: &Program, defs: &Defs, body: BodyId) -> Family {
        let stmts = program.bodies[body].stmts.iter().enumerate();
        let members = stmts.filter_map(|(number, stmt)| Some((number, parts(stmt)?.1)));
        let (mut numbers, bodies): (Vec<usize>, Vec<BodyId>) = members.unzip();
        if numbers.len() < 2 {
            numbers.clear();
        }
        let dependences = Dependences::among(program, defs, body, &numbers);
        let places = bodies.into_iter().enumerate().map(|(place, body)| (body, place)).collect();
        Family { body, known: HashMap::new(), dependences, places, footprints: Footprints::default() }
    }

    /// Those that are there now, in order.
    pub(super) fn members(&mut self, program: &Program, defs: &Defs) -> Vec<Sibling> {
        Sibling::all_in(program, defs, self.body, &mut self.known)
    }

    /// Whether the second depends on the first.
    pub(super) fn keeps_apart(&self, first: &Sibling, second: &Sibling) -> bool {
        let [first, second] = [first, second].map(|sibling| self.places[&sibling.facts.body]);
        self.dependences.keep_apart(first, second)
    }

    /// Follows a fusion, whose result is the statement with this number: it has the body of the first of the two.
    pub(super) fn unite(&mut self, program: &Program, defs: &Defs, number: usize) {
        self.footprints.forget_around(program, defs, self.body, number);
        let stmts = &program.bodies[self.body].stmts;
        let (extents, fused, _) = parts(&stmts[number]).expect("loops become a loop");
        let left: HashSet<BodyId> = stmts.iter().filter_map(|stmt| Some(parts(stmt)?.1)).collect();
        let gone: Vec<BodyId> = self.places.keys().copied().filter(|body| !left.contains(body)).collect();
        let lengths = Lengths::new(program, defs);
        for second in gone {
            let pair = [fused, second].map(|body| self.known.remove(&body));
            if let [Some(one), Some(other)] = pair.map(|facts| facts.and_then(Rc::into_inner)) {
                self.known.insert(fused, Rc::new(one.united(other, &lengths, extents)));
            }
            let second = self.places.remove(&second).expect("a member has a place");
            self.dependences.unite(self.places[&fused], second);
        }
    }
}

impl Facts {
    fn of(lengths: &Lengths<'_>, stmt: &Stmt, extents: &[Value], body: BodyId, sinks: &[SinkDecl]) -> Facts {
        let (program, defs) = (lengths.program(), lengths.defs());
        Facts {
            body,
            is_for: matches!(stmt.op, Op::For { .. }),
            extents: extents.iter().map(|&value| Known::of(lengths, value)).collect(),
            inputs: inputs(program, stmt),
            merged: merged_sinks(program, stmt),
            keys: Key::all(program, defs, &program.bodies[body].params, merged_keys(program, body, sinks)),
            accumulators: cost::accumulators(sinks.iter().map(|decl| &decl.kind)),
        }
    }

    /// What is known of a loop over `extents` that was fused of these two. The keys of both are alike.
    fn united(mut self, other: Facts, lengths: &Lengths<'_>, extents: &[Value]) -> Facts {
        self.inputs.extend(other.inputs);
        self.merged.extend(other.merged);
        if self.keys.is_empty() {
            self.keys = other.keys;
        }
        self.extents = extents.iter().map(|&value| Known::of(lengths, value)).collect();
        self.accumulators += other.accumulators;
        self
    }

    /// Whether both read the same vector or dictionary, or are `for`s.
    pub(super) fn shares(&self, other: &Facts) -> bool {
        self.is_for == other.is_for && (self.is_for || !self.inputs.is_disjoint(&other.inputs))
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
