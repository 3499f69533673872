//! Push: the consumer's body goes where the producer merges.
//!
//! `p = loop i < n { B }` and a consumer over `j < len p` with body D, in the same body: in B, every
//! `merge p, x` is followed by D with x for `at p, j`. The consumer's sinks become sinks of the producer's loop.
//! The merge into p stays; if nobody needs p, it is dead code. A large D does not follow each of several merges: it
//! stands once, behind all of them (`share.rs`).

use std::cell::OnceCell;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::mem;
use std::rc::Rc;

use weldment_runtime::lang::types::Type;

use super::lengths::LengthReads;
use super::paste::{self, Consumed};
use super::{asked, share};
use crate::analysis::bounds;
use crate::analysis::cost;
use crate::analysis::counted::Counted;
use crate::analysis::equal::{Length, Lengths};
use crate::analysis::footprints::Footprints;
use crate::analysis::order::{Meeting, hole};
use crate::extract::MapLoop;
use crate::ir::{BodyId, Def, Defs, Keep, Loc, Loop, Op, Program, Sink, SinkDecl, SinkKind, Stmt, Value};
use crate::passes::candidate::{Candidate, Reason};

/// A loop or `for` that reads the result of a loop before it in the same body.
pub(super) struct Push<'a> {
    body: BodyId,
    producer: usize,
    consumer: usize,
    known: &'a Known,
}

/// What is found out for all pushes of a round, when it is asked for.
#[derive(Default)]
pub(super) struct Known {
    footprints: Footprints,
    length_reads: Rc<OnceCell<LengthReads>>,
}

const NOT_THE_WHOLE: Reason =
    Reason::new("{at|the consumer} does not run over exactly the elements of {producer|its producer}");
const READ_OTHERWISE: Reason =
    Reason::new("{because|the consumer} reads {producer|its producer} otherwise than element by element");
const ANOTHER_RESULT: Reason = Reason::new(
    "{because|the consumer} needs another result of the loop of {producer|its producer}, which is known only at its end",
);
const OWN_INDEX: Reason = Reason::new(
    "{because|the consumer} uses its own index, which is not the index of {producer|its producer}",
);
const ANOTHER_PATH: Reason =
    Reason::new("{at|the consumer} depends on {producer|its producer} by another path");
const SAME_SINK: Reason =
    Reason::new("{producer|the producer} and {at|the consumer} merge into the same builder");
const NOT_TOGETHER: Reason = Reason::new(
    "the vectors that {at|the consumer} reads together are not made element by element at the same places",
);
const LARGE: Reason = Reason::new(
    "{at|the consumer} costs {cost}, and {limit} is the limit where {producer|its producer} merges at several places that \
     cannot share it",
);

const MANY_MERGES: Reason = Reason::new(
    "{producer|the producer} merges at {cost} places, and {limit} is the limit for writing {at|the consumer} at each",
);
const IN_ORDER: Reason = Reason::new(
    "{at|the consumer} costs {cost}, and {limit} is the limit where it would run in the steps of {producer|its producer}, one after \
     the other instead of on all threads",
);

/// What is left of the two statements, once everything has been checked.
pub(super) struct Rewrite {
    meeting: Meeting,
    /// The extents of the fused loop.
    extents: Vec<Value>,
    /// What stands for the consumer's index, if it has a meaning in the producer.
    index: Option<Value>,
    /// The vectors read by index, and the sink of each.
    read: HashMap<Value, Sink>,
    /// Where a large consumer is to stand once for several merges.
    block: Option<BodyId>,
}

impl Known {
    /// The same of another body, of which what is known of the whole program is known.
    pub(super) fn of_another_body(&self) -> Known {
        Known { footprints: Footprints::default(), length_reads: self.length_reads.clone() }
    }

    fn length_reads(&self, program: &Program) -> &LengthReads {
        self.length_reads.get_or_init(|| LengthReads::of(program))
    }
}

impl<'a> Push<'a> {
    /// The pairs of a producer and a consumer in `body`, nearest producers first.
    pub(super) fn candidates(
        program: &Program,
        defs: &Defs,
        known: &'a Known,
        body: BodyId,
    ) -> Vec<Push<'a>> {
        let consumers = 0..program.bodies[body].stmts.len();
        consumers.flat_map(|consumer| Push::candidates_of(program, defs, known, body, consumer)).collect()
    }

    /// The pairs with this consumer.
    pub(super) fn candidates_of(
        program: &Program,
        defs: &Defs,
        known: &'a Known,
        body: BodyId,
        consumer: usize,
    ) -> impl Iterator<Item = Push<'a>> + use<'a> {
        let read = read_by(program, defs, &program.bodies[body].stmts[consumer]);
        let made = |vector: &Value| match defs.def(*vector) {
            Some(Def::Stmt { body: made_in, index, result }) if made_in == body && index < consumer => {
                let Op::Loop(inner) = &program.bodies[body].stmts[index].op else { return None };
                matches!(inner.sinks[result].kind, SinkKind::Collect { .. }).then_some(index)
            }
            _ => None,
        };
        let producers: BTreeSet<usize> = read.iter().filter_map(made).collect();
        producers.into_iter().rev().map(move |producer| Push { body, producer, consumer, known })
    }

    /// The number of the producer among the statements.
    pub(super) fn producer(&self) -> usize {
        self.producer
    }
}

impl Candidate for Push<'_> {
    const RULE: &'static str = "push";
    type Rewrite = Rewrite;

    fn loc(&self, program: &Program) -> Loc {
        program.bodies[self.body].stmts[self.consumer].loc
    }

    fn producer(&self, program: &Program) -> Option<Loc> {
        Some(program.bodies[self.body].stmts[self.producer].loc)
    }

    /// The first builder of the producer whose vector the consumer reads.
    fn made(&self, program: &Program) -> Option<Loc> {
        let stmts = &program.bodies[self.body].stmts;
        let Op::Loop(inner) = &stmts[self.producer].op else { return None };
        let mut read = HashSet::new();
        program.for_each_read_of(&stmts[self.consumer], &mut |value| _ = read.insert(value));
        let mut made = inner.sinks.iter().zip(&stmts[self.producer].results);
        made.find(|(_, vector)| read.contains(vector)).map(|(decl, _)| decl.loc)
    }

    fn rule(&self, plan: &Rewrite) -> &'static str {
        if plan.block.is_some() { "share" } else { Self::RULE }
    }

    fn plan(&self, program: &Program, defs: &Defs) -> Result<Rewrite, Reason> {
        let stmts = &program.bodies[self.body].stmts;
        let (producer_stmt, consumer_stmt) = (&stmts[self.producer], &stmts[self.consumer]);
        let Op::Loop(producer) = &producer_stmt.op else { return Err(READ_OTHERWISE) };
        let (extents, consumer_body) = consumer_parts(consumer_stmt).ok_or(READ_OTHERWISE)?;
        let index = program.bodies[consumer_body].params[0];

        let made_by = |value: Value| made_by(defs, self.body, self.producer, value);
        let is_made = |value: Value| made_by(value).is_some();
        let reads = Reads::of(program, &is_made, consumer_stmt, index);
        let lengths = Lengths::new(program, defs);
        if let Some((because, value)) = reads.otherwise {
            let is_vector = matches!(program.ty(value), Type::Vec(_));
            return Err(if is_vector { READ_OTHERWISE } else { ANOTHER_RESULT }.at(because));
        }
        let first = match (reads.vectors.first(), lengths.of_value(extents[0])) {
            (Some(&vector), _) => vector,
            // A consumer that only counts reads no element.
            (None, Length::Of(vector)) if is_made(vector) => vector,
            _ => return Err(READ_OTHERWISE),
        };
        let (mut read, mut is_asked) = (HashMap::new(), false);
        for &vector in reads.vectors.iter().chain([&first]) {
            let number = made_by(vector).ok_or(READ_OTHERWISE)?;
            match producer.sinks[number].kind {
                SinkKind::Collect { keep: Keep::Stored, .. } => return Err(asked::STORED),
                SinkKind::Collect { keep: Keep::Inlined, .. } => is_asked = true,
                SinkKind::Collect { .. } => {}
                _ => return Err(READ_OTHERWISE),
            }
            read.insert(vector, producer.sinks[number].sink);
        }
        let merges = defs.merges(program, producer);
        let places = merges.in_order(read[&first]);
        if read.values().any(|&sink| merges.in_order(sink) != places) {
            return Err(NOT_TOGETHER);
        }

        let map = MapLoop::extract(program, defs, first);
        let extents_of = |extent: Value| {
            let length = lengths.of_vector(first);
            if lengths.of_value(extent) == length {
                return Some(producer.extents.clone());
            }
            let implied = bounds::implied(program, defs, extent);
            let equal = implied.into_iter().any(|number| lengths.of_value(number) == length);
            (equal && map.is_some()).then(|| vec![extent])
        };
        let steps = match places {
            &[body] => Counted::of_region(program, defs, producer, body).map(|steps| (steps, body)),
            _ => None,
        };
        let fused_extents = extents_of(extents[0]).ok_or(NOT_THE_WHOLE)?;
        let index = match (&map, steps) {
            (Some(map), _) => Some(map.indices[0]),
            (None, Some((steps, body))) => steps.index_before(program, body, read[&first]),
            _ => None,
        };
        if let (Some(because), None) = (reads.own_index, index) {
            return Err(OWN_INDEX.at(because));
        }

        // The extent over which the consumer runs is not needed any more, unless the body reads it too or
        // it becomes the extent of the fused loop. Nor are size hints.
        let mut exempt = hints(consumer_stmt);
        if fused_extents == producer.extents && count_reads(program, consumer_stmt, extents[0]) == 1 {
            exempt.push(extents[0]);
        }
        let pair = [self.producer, self.consumer];
        let meeting = Meeting::arrange(program, defs, &self.known.footprints, self.body, pair, &exempt)
            .ok_or(ANOTHER_PATH)?;
        if self.known.footprints.share_a_sink(program, producer_stmt, consumer_stmt) {
            return Err(SAME_SINK);
        }
        let cost = cost::of_body(program, consumer_body);
        if steps.is_some() && cost > cost::MAX_IN_ORDER && !is_asked && !is_in_loop(program, defs, self.body)
        {
            return Err(IN_ORDER.costs(cost, cost::MAX_IN_ORDER));
        }
        if places.len() > cost::MAX_PASTES {
            return Err(MANY_MERGES.costs(places.len() as u64, cost::MAX_PASTES as u64));
        }
        let is_large = places.len() > 1 && cost > cost::MAX_PASTED && !is_asked;
        let block = match is_large {
            // What the consumer collects is not seen any more to be as long as its producer.
            true if collects(consumer_stmt)
                && self.known.length_reads(program).matter(program, defs, producer_stmt, first, &extents) =>
            {
                return Err(LARGE.costs(cost, cost::MAX_PASTED));
            }
            true => {
                let large = LARGE.costs(cost, cost::MAX_PASTED);
                Some(share::block(program, producer.body, &read).ok_or(large)?)
            }
            false => None,
        };
        Ok(Rewrite { meeting, extents: fused_extents, index, read, block })
    }
}

/// A consumer whose sinks are its producer's now, and whose body waits to be pasted.
pub(super) struct Parked {
    /// The body of the producer.
    pub(super) producer: BodyId,
    body: BodyId,
    extents: Vec<Value>,
    plan: Rewrite,
    loc: Loc,
}

impl Push<'_> {
    /// Makes one loop of the two by `plan`. The consumer's body stands behind that of the producer, in a region, so that
    /// everybody sees what it reads and merges into, until it is [pasted](Parked::paste_all).
    pub(super) fn park(&self, plan: Rewrite, program: &mut Program, defs: &mut Defs) -> Parked {
        let mut stmts = program.take_stmts(self.body);
        let [producer, consumer] =
            [self.producer, self.consumer].map(|number| mem::replace(&mut stmts[number], hole()));
        self.known.footprints.unite(program, &producer, &consumer);
        let (Stmt { mut results, op: Op::Loop(mut fused), loc }, Some((extents, body))) =
            (producer, consumer_parts(&consumer))
        else {
            unreachable!("a plan is made for a loop and its consumer")
        };
        let mut fused_loc = consumer.loc;
        if let Op::Loop(inner) = consumer.op {
            defs.unite_merges(program, &fused, &inner);
            if faults(&fused.sinks) && !faults(&inner.sinks) {
                fused_loc = loc;
            }
            let is_late = |hint: &Value| match defs.def(*hint) {
                Some(Def::Stmt { body, index, .. }) if body == self.body => {
                    index >= self.producer && plan.meeting.before.binary_search(&index).is_err()
                }
                _ => false,
            };
            fused.sinks.extend(inner.sinks.into_iter().map(|mut decl| {
                if let SinkKind::Collect { hint, .. } = &mut decl.kind {
                    *hint = hint.filter(|hint| !is_late(hint));
                }
                decl
            }));
            results.extend(consumer.results);
        }
        fused.extents.clone_from(&plan.extents);
        let producer = fused.body;
        let region = Loop { extents: Vec::new(), sinks: Vec::new(), body };
        let parked = Stmt { results: Vec::new(), op: Op::Loop(region), loc: consumer.loc };
        program.bodies[producer].stmts.push(parked);
        defs.appended(program, producer, program.bodies[producer].stmts.len() - 1);
        let fused = Stmt { results, op: Op::Loop(fused), loc: fused_loc };
        let moved = plan.meeting.apply(&mut stmts, [self.producer, self.consumer], fused);
        program.put_stmts(self.body, stmts);
        defs.moved(program, self.body, moved);
        Parked { producer, body, extents: extents[1..].to_vec(), plan, loc: consumer.loc }
    }
}

impl Parked {
    /// Pastes all that are parked behind the body of one producer, in the order in which they were.
    pub(super) fn paste_all(program: &mut Program, producer: BodyId, all: Vec<Parked>) {
        let count = program.bodies[producer].stmts.len() - all.len();
        program.bodies[producer].stmts.truncate(count);
        let (mut pasted, mut shared) = (Vec::new(), Vec::new());
        for Parked { body, extents, plan: Rewrite { read, index, block, .. }, loc, .. } in all {
            let consumed = Consumed::take(program, body, &extents, read, index, loc);
            match block {
                None => pasted.push(consumed),
                Some(block) => shared.push((consumed, block, loc)),
            }
        }
        paste::at_merges(program, producer, &pasted);
        for (consumed, block, loc) in shared {
            consumed.behind_merges(program, block, loc);
        }
    }
}

/// Whether one of `sinks` can fault.
fn faults(sinks: &[SinkDecl]) -> bool {
    sinks.iter().any(|decl| decl.kind.can_fault())
}

/// The number of `value` among the results of the statement with this number of `body`, if it is one of them.
fn made_by(defs: &Defs, body: BodyId, number: usize, value: Value) -> Option<usize> {
    match defs.def(value)? {
        Def::Stmt { body: made_in, index, result } if (made_in, index) == (body, number) => Some(result),
        _ => None,
    }
}

/// Whether `body` belongs to an iteration of a loop.
fn is_in_loop(program: &Program, defs: &Defs, mut body: BodyId) -> bool {
    while let Some((around, number)) = defs.holder(body) {
        if matches!(
            program.bodies[around].stmts.get(number).map(|stmt| &stmt.op),
            Some(Op::Loop(_) | Op::For { .. })
        ) {
            return true;
        }
        body = around;
    }
    false
}

/// Whether a loop makes a vector.
fn collects(stmt: &Stmt) -> bool {
    match &stmt.op {
        Op::Loop(inner) => inner.sinks.iter().any(|decl| matches!(decl.kind, SinkKind::Collect { .. })),
        _ => false,
    }
}

/// The extents and the body of a statement that can be a consumer: a `loop` with indices, or a `for`.
fn consumer_parts(stmt: &Stmt) -> Option<(Vec<Value>, BodyId)> {
    match &stmt.op {
        Op::Loop(inner) if !inner.extents.is_empty() => Some((inner.extents.clone(), inner.body)),
        Op::For { extent, body } => Some((vec![*extent], *body)),
        _ => None,
    }
}

/// The vectors and dictionaries that a statement reads elements of, or runs over, if it can be a consumer.
pub(super) fn read_by(program: &Program, defs: &Defs, consumer: &Stmt) -> Vec<Value> {
    let mut read = Vec::new();
    if let Some((extents, body)) = consumer_parts(consumer) {
        if let Length::Of(vector) = Lengths::new(program, defs).of_value(extents[0]) {
            read.push(vector);
        }
        program.for_each_stmt(body, &mut |stmt| match stmt.op {
            Op::At(vector, _) | Op::Lookup(vector, _) => read.push(vector),
            _ => {}
        });
    }
    read
}

/// How a consumer reads its producer.
struct Reads {
    /// Results of the producer read by `at p, index`.
    vectors: Vec<Value>,
    /// The first place where a result is read in another way, and which it is.
    otherwise: Option<(Loc, Value)>,
    /// The first place where the index is read in another way.
    own_index: Option<Loc>,
}

impl Reads {
    /// `is_made` tells the results of the producer.
    fn of(program: &Program, is_made: &dyn Fn(Value) -> bool, consumer: &Stmt, index: Value) -> Reads {
        let mut reads = Reads { vectors: Vec::new(), otherwise: None, own_index: None };
        let mut ignored = hints(consumer);
        ignored.extend(consumer_parts(consumer).map(|(extents, _)| extents[0]));
        consumer.op.for_each_operand(|value| {
            if is_made(value) && !ignored.contains(&value) {
                reads.otherwise.get_or_insert((consumer.loc, value));
            }
        });
        consumer.op.for_each_body(|body| reads.body(program, is_made, body, index, consumer.loc));
        reads
    }

    /// Looks at what stands in `body`, which belongs to what stands at `holder`.
    fn body(
        &mut self,
        program: &Program,
        is_made: &dyn Fn(Value) -> bool,
        body: BodyId,
        index: Value,
        holder: Loc,
    ) {
        let body = &program.bodies[body];
        for stmt in &body.stmts {
            match stmt.op {
                Op::At(vector, at) if at == index && is_made(vector) => {
                    if !self.vectors.contains(&vector) {
                        self.vectors.push(vector);
                    }
                }
                _ => stmt.op.for_each_operand(|value| self.other(is_made, index, value, stmt.loc)),
            }
            stmt.op.for_each_body(|inner| self.body(program, is_made, inner, index, stmt.loc));
        }
        body.results.iter().for_each(|&value| self.other(is_made, index, value, holder));
    }

    fn other(&mut self, is_made: &dyn Fn(Value) -> bool, index: Value, value: Value, loc: Loc) {
        if is_made(value) {
            self.otherwise.get_or_insert((loc, value));
        }
        if value == index {
            self.own_index.get_or_insert(loc);
        }
    }
}

/// The size hints of a loop's sinks.
fn hints(stmt: &Stmt) -> Vec<Value> {
    let Op::Loop(inner) = &stmt.op else { return Vec::new() };
    let hints = inner.sinks.iter().filter_map(|decl| match decl.kind {
        SinkKind::Collect { hint, .. } => hint,
        _ => None,
    });
    hints.collect()
}

/// How often a statement reads `value`, size hints aside.
fn count_reads(program: &Program, stmt: &Stmt, value: Value) -> usize {
    let mut count = 0;
    program.for_each_read_of(stmt, &mut |read| count += usize::from(read == value));
    count - hints(stmt).into_iter().filter(|&hint| hint == value).count()
}
