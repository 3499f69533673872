//! Push: the consumer's body goes where the producer merges.
//!
//! `p = loop i < n { B }` and a consumer over `j < len p` with body D, in the same body: in B, every
//! `merge p, x` is followed by D with x for `at p, j`. The consumer's sinks become sinks of the producer's loop.
//! The merge into p stays; if nobody needs p, it is dead code.

use std::collections::{BTreeSet, HashMap};

use crate::analysis::bounds;
use crate::analysis::cost;
use crate::analysis::equal::{Length, Lengths, places};
use crate::analysis::order::{Meeting, merged_sinks};
use crate::extract::MapLoop;
use crate::ir::rewrite::Copier;
use crate::ir::{BodyId, Def, Defs, Empty, Loc, Op, Program, Sink, SinkDecl, SinkKind, Stmt, Value};
use crate::passes::candidate::{Candidate, Reason};

/// A loop or `for` that reads the result of a loop before it in the same body.
pub(super) struct Push {
    body: BodyId,
    producer: usize,
    consumer: usize,
}

const NOT_THE_WHOLE: Reason =
    Reason::new("the consumer does not run over exactly the elements of its producer");
const READ_OTHERWISE: Reason =
    Reason::new("the consumer reads its producer otherwise than element by element");
const OWN_INDEX: Reason =
    Reason::new("the consumer uses its own index, which is not the index of its producer");
const ANOTHER_PATH: Reason = Reason::new("the consumer depends on its producer by another path");
const SAME_SINK: Reason = Reason::new("the producer and the consumer merge into the same builder");
const LARGE: Reason = Reason::new("the consumer is large, and its producer merges at several places");

/// What is left of the two statements, once everything has been checked.
pub(super) struct Plan {
    meeting: Meeting,
    /// The extents of the fused loop.
    extents: Vec<Value>,
    /// What stands for the consumer's index, if it has a meaning in the producer.
    index: Option<Value>,
    /// The vectors read by index, and the sink of each.
    read: HashMap<Value, Sink>,
}

impl Push {
    /// The pairs of a producer and a consumer in `body`, nearest producers first.
    pub(super) fn candidates(program: &Program, defs: &Defs, body: BodyId) -> Vec<Push> {
        let consumers = 0..program.bodies[body].stmts.len();
        consumers.flat_map(|consumer| Push::candidates_of(program, defs, body, consumer)).collect()
    }

    /// The pairs with this consumer.
    pub(super) fn candidates_of(
        program: &Program,
        defs: &Defs,
        body: BodyId,
        consumer: usize,
    ) -> impl Iterator<Item = Push> + use<> {
        let stmts = &program.bodies[body].stmts;
        let mut producers = BTreeSet::new();
        if let Some((extents, _)) = consumer_parts(&stmts[consumer]) {
            let mut read = |vector: Value| match defs.def(vector) {
                Some(Def::Stmt { body: made_in, index, result }) if made_in == body && index < consumer => {
                    let Op::Loop(inner) = &stmts[index].op else { return };
                    if let SinkKind::Collect { .. } = inner.sinks[result].kind {
                        producers.insert(index);
                    }
                }
                _ => {}
            };
            if let Length::Of(vector) = Lengths::new(program, defs).of_value(extents[0]) {
                read(vector);
            }
            stmts[consumer].op.for_each_body(|inner| {
                program.for_each_stmt(inner, &mut |stmt| match stmt.op {
                    Op::At(vector, _) | Op::Lookup(vector, _) => read(vector),
                    _ => {}
                });
            });
        }
        producers.into_iter().rev().map(move |producer| Push { body, producer, consumer })
    }

    /// The number of the producer among the statements.
    pub(super) fn producer(&self) -> usize {
        self.producer
    }
}

impl Candidate for Push {
    const RULE: &'static str = "push";
    type Plan = Plan;

    fn loc(&self, program: &Program) -> Loc {
        program.bodies[self.body].stmts[self.consumer].loc
    }

    fn producer(&self, program: &Program) -> Option<Loc> {
        Some(program.bodies[self.body].stmts[self.producer].loc)
    }

    fn apply(&self, plan: Plan, program: &mut Program) {
        let mut stmts = program.take_stmts(self.body);
        let consumer = stmts[self.consumer].clone();
        let (Stmt { results, op: Op::Loop(mut producer), loc }, Some((extents, consumer_body))) =
            (stmts[self.producer].clone(), consumer_parts(&consumer))
        else {
            unreachable!("a plan is made for a loop and its consumer")
        };
        // The consumer's body without its reads of the producer, in nested `for`s if it has more indices.
        let index = program.bodies[consumer_body].params[0];
        let elements = remove_reads(program, consumer_body, index, &plan.read);
        let stmts_of_consumer = wrap_in_fors(program, consumer_body, &extents[1..], consumer.loc);
        let paste = Paste { plan: &plan, elements, index, stmts: stmts_of_consumer };
        paste.at_merges(program, producer.body);

        producer.extents = plan.extents.clone();
        let mut fused = Stmt { results, op: Op::Loop(producer), loc: consumer.loc };
        if let (Op::Loop(fused_loop), Op::Loop(consumer_loop)) = (&mut fused.op, consumer.op) {
            let faults = |sinks: &[SinkDecl]| sinks.iter().any(|decl| can_fault(&decl.kind));
            if faults(&fused_loop.sinks) && !faults(&consumer_loop.sinks) {
                fused.loc = loc;
            }
            let mut late: BTreeSet<Value> = fused.results.iter().copied().collect();
            late.extend(plan.meeting.after.iter().flat_map(|&index| &stmts[index].results));
            for mut decl in consumer_loop.sinks {
                if let SinkKind::Collect { hint, .. } = &mut decl.kind {
                    *hint = hint.filter(|hint| !late.contains(hint));
                }
                fused_loop.sinks.push(decl);
            }
            fused.results.extend(consumer.results);
        }
        stmts = plan.meeting.apply(stmts, self.producer, self.consumer, vec![fused]);
        program.put_stmts(self.body, stmts);
    }

    fn place(&self, plan: &Plan) -> usize {
        self.producer + plan.meeting.before.len()
    }

    fn plan(&self, program: &Program, defs: &Defs) -> Result<Plan, Reason> {
        let stmts = &program.bodies[self.body].stmts;
        let (producer_stmt, consumer_stmt) = (&stmts[self.producer], &stmts[self.consumer]);
        let Op::Loop(producer) = &producer_stmt.op else { return Err(READ_OTHERWISE) };
        let (extents, consumer_body) = consumer_parts(consumer_stmt).ok_or(READ_OTHERWISE)?;
        let index = program.bodies[consumer_body].params[0];

        let reads = Reads::of(program, producer_stmt, consumer_stmt, index);
        let lengths = Lengths::new(program, defs);
        if let Some(because) = reads.otherwise {
            return Err(READ_OTHERWISE.at(because));
        }
        let first = match (reads.vectors.first(), lengths.of_value(extents[0])) {
            (Some(&vector), _) => vector,
            // A consumer that only counts reads no element.
            (None, Length::Of(vector)) if producer_stmt.results.contains(&vector) => vector,
            _ => return Err(READ_OTHERWISE),
        };
        let mut read = HashMap::new();
        for (decl, &result) in producer.sinks.iter().zip(&producer_stmt.results) {
            if reads.vectors.contains(&result) || result == first {
                if !matches!(decl.kind, SinkKind::Collect { .. }) {
                    return Err(READ_OTHERWISE);
                }
                read.insert(result, decl.sink);
            }
        }
        let merges = places(program, producer.body, read[&first]);
        if read.values().any(|&sink| places(program, producer.body, sink) != merges) {
            return Err(READ_OTHERWISE);
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
        let fused_extents = extents_of(extents[0]).ok_or(NOT_THE_WHOLE)?;
        if let (Some(because), None) = (reads.own_index, &map) {
            return Err(OWN_INDEX.at(because));
        }

        // The extent over which the consumer runs is not needed any more, unless the body reads it too or
        // it becomes the extent of the fused loop. Nor are size hints.
        let mut exempt = hints(consumer_stmt);
        if fused_extents == producer.extents && count_reads(program, consumer_stmt, extents[0]) == 1 {
            exempt.push(extents[0]);
        }
        let meeting = Meeting::arrange(program, defs, self.body, self.producer, self.consumer, &exempt)
            .ok_or(ANOTHER_PATH)?;
        let sinks = merged_sinks(program, defs, producer_stmt);
        if !sinks.is_disjoint(&merged_sinks(program, defs, consumer_stmt)) {
            return Err(SAME_SINK);
        }
        let pastes: usize = merges.iter().map(|(_, times)| times).sum();
        if pastes > 1 && cost::of_body(program, consumer_body) > cost::PASTED {
            return Err(LARGE);
        }
        Ok(Plan { meeting, extents: fused_extents, index: map.map(|map| map.index), read })
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

/// How a consumer reads its producer.
struct Reads {
    /// Results of the producer read by `at p, index`.
    vectors: Vec<Value>,
    /// The first place where one is read in another way.
    otherwise: Option<Loc>,
    /// The first place where the index is read in another way.
    own_index: Option<Loc>,
}

impl Reads {
    fn of(program: &Program, producer: &Stmt, consumer: &Stmt, index: Value) -> Reads {
        let mut reads = Reads { vectors: Vec::new(), otherwise: None, own_index: None };
        let mut ignored = hints(consumer);
        ignored.extend(consumer_parts(consumer).map(|(extents, _)| extents[0]));
        consumer.op.for_each_operand(|value| {
            if producer.results.contains(&value) && !ignored.contains(&value) {
                reads.otherwise.get_or_insert(consumer.loc);
            }
        });
        consumer.op.for_each_body(|body| reads.body(program, producer, body, index, consumer.loc));
        reads
    }

    /// Looks at what stands in `body`, which belongs to what stands at `holder`.
    fn body(&mut self, program: &Program, producer: &Stmt, body: BodyId, index: Value, holder: Loc) {
        let body = &program.bodies[body];
        for stmt in &body.stmts {
            match stmt.op {
                Op::At(vector, at) if at == index && producer.results.contains(&vector) => {
                    if !self.vectors.contains(&vector) {
                        self.vectors.push(vector);
                    }
                }
                _ => stmt.op.for_each_operand(|value| self.other(producer, index, value, stmt.loc)),
            }
            stmt.op.for_each_body(|inner| self.body(program, producer, inner, index, stmt.loc));
        }
        body.results.iter().for_each(|&value| self.other(producer, index, value, holder));
    }

    fn other(&mut self, producer: &Stmt, index: Value, value: Value, loc: Loc) {
        if producer.results.contains(&value) {
            self.otherwise.get_or_insert(loc);
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

fn can_fault(kind: &SinkKind) -> bool {
    matches!(kind, SinkKind::Scatter { .. } | SinkKind::Reduce { init: None, empty: Empty::Fault, .. })
}

/// Removes `at p, index` from the consumer's body; what each bound, and the vector it read.
fn remove_reads(
    program: &mut Program,
    body: BodyId,
    index: Value,
    read: &HashMap<Value, Sink>,
) -> Vec<(Value, Value)> {
    let bodies = program.bodies_within(body);
    let mut elements = Vec::new();
    for body in bodies {
        program.bodies[body].stmts.retain(|stmt| match stmt.op {
            Op::At(vector, at) if at == index && read.contains_key(&vector) => {
                elements.push((stmt.results[0], vector));
                false
            }
            _ => true,
        });
    }
    elements
}

/// The statements of a consumer's body, in one `for` for each extent besides the first.
fn wrap_in_fors(program: &mut Program, body: BodyId, extents: &[Value], loc: Loc) -> Vec<Stmt> {
    let mut stmts = program.take_stmts(body);
    let params = program.bodies[body].params.split_off(1);
    for (&param, &extent) in params.iter().zip(extents).rev() {
        let body = program.add_body(vec![param], stmts, Vec::new());
        stmts = vec![Stmt { results: Vec::new(), op: Op::For { extent, body }, loc }];
    }
    stmts
}

/// What is pasted where the producer merges.
struct Paste<'a> {
    plan: &'a Plan,
    /// Which values of the consumer are elements, and of which vector.
    elements: Vec<(Value, Value)>,
    /// The consumer's index.
    index: Value,
    /// The consumer's body.
    stmts: Vec<Stmt>,
}

impl Paste<'_> {
    /// Pastes a copy behind each merge into the vectors read, in `body` and the bodies inside it; where there
    /// are several vectors, behind the last of the merges that belong together.
    fn at_merges(&self, program: &mut Program, body: BodyId) {
        let mut pasted = Vec::new();
        // The values merged so far into each vector and not yet consumed.
        let mut merged: HashMap<Sink, Vec<Value>> = HashMap::new();
        let mut consumed = 0;
        for stmt in program.take_stmts(body) {
            stmt.op.for_each_body(|inner| self.at_merges(program, inner));
            if let Op::Merge { sink, values } = &stmt.op
                && self.plan.read.values().any(|read| read == sink)
            {
                merged.entry(*sink).or_default().push(values[0]);
                pasted.push(stmt);
                let complete = |sink| merged.get(sink).is_some_and(|values| values.len() > consumed);
                if self.plan.read.values().all(complete) {
                    let element = |vector: &Value| merged[&self.plan.read[vector]][consumed];
                    pasted.extend(self.copy(program, element));
                    consumed += 1;
                }
            } else {
                pasted.push(stmt);
            }
        }
        program.put_stmts(body, pasted);
    }

    fn copy(&self, program: &mut Program, element: impl Fn(&Value) -> Value) -> Vec<Stmt> {
        let mut copier = Copier::new();
        for (value, vector) in &self.elements {
            copier.subst.insert(*value, element(vector));
        }
        if let Some(index) = self.plan.index {
            copier.subst.insert(self.index, index);
        }
        copier.stmts(program, &self.stmts)
    }
}
