//! A consumer of a vector that an `if` chooses moves into both branches, where it meets the producers.
//!
//! `v = if c { … yield a } else { … yield b }` and a loop over v after it, with nobody else reading v: the loop
//! goes behind the producers of a and of b. A flat map over a conditional list fuses by it.

use std::collections::{HashMap, HashSet};
use std::mem;

use crate::analysis::cost;
use crate::analysis::footprints::Footprints;
use crate::analysis::order::{Meeting, close_holes, hole};
use crate::ir::rewrite::Copier;
use crate::ir::{BodyId, Def, Defs, Loc, Op, Program, Stmt, Value};
use crate::passes::Cx;
use crate::passes::candidate::{Candidate, Reason};

const LARGE: Reason = Reason::new(
    "{at|the consumer} costs {cost}, and {limit} is the limit for writing it into both branches of its producer",
);

/// Moves every consumer in `body` that can be moved into the branches of an `if` before it, each into one. Whether there were
/// any; `defs` are those of the program, and stay so.
pub(super) fn branch_in(program: &mut Program, cx: &mut Cx, defs: &mut Defs, body: BodyId) -> bool {
    let chosen = chosen_in(program, defs, body);
    if chosen.is_empty() {
        return false;
    }
    let readers = Readers::of(program, body, &chosen);
    let (footprints, mut moved) = (Footprints::default(), HashSet::new());
    for &(chooser, vector) in &chosen {
        if cx.is_empty() {
            break;
        }
        let Some(branch) = readers.branch(program, defs, &footprints, body, chooser, vector, &moved) else {
            continue;
        };
        if cx.accept(program, defs, &branch).is_some() {
            moved.insert(branch.consumer_body);
            branch.apply(program, defs, &footprints);
        }
    }
    if !moved.is_empty() {
        close_holes(program, body);
        defs.update(program, body);
    }
    !moved.is_empty()
}

/// The vectors that `if`s of `body` choose and of which a branch makes one, with the first branch of each `if`.
fn chosen_in(program: &Program, defs: &Defs, body: BodyId) -> Vec<(BodyId, Value)> {
    let mut chosen = Vec::new();
    for stmt in &program.bodies[body].stmts {
        let Op::If { then, els, .. } = stmt.op else { continue };
        for (number, &vector) in stmt.results.iter().enumerate() {
            let made =
                |branch: BodyId| is_made_in(program, defs, branch, program.bodies[branch].results[number]);
            if program.ty(vector).element().is_some() && (made(then) || made(els)) {
                chosen.push((then, vector));
            }
        }
    }
    chosen
}

/// Whether `value` is a vector that is made in `branch` itself.
fn is_made_in(program: &Program, defs: &Defs, branch: BodyId, value: Value) -> bool {
    let makes = matches!(defs.op(program, value), Some(Op::Loop(_) | Op::Vector(_)));
    makes && defs.body_of(value) == Some(branch)
}

/// Who reads the vectors that are chosen in a body, and their lengths.
struct Readers {
    by_value: HashMap<Value, Vec<Reader>>,
    /// The lengths of each vector, in order.
    lengths: HashMap<Value, Vec<Value>>,
}

#[derive(Clone, Copy, PartialEq)]
enum Reader {
    /// The length of it, which is this value.
    Length(Value),
    /// The statement that holds this body, its first.
    Holder(BodyId),
    Other,
}

impl Readers {
    fn of(program: &Program, body: BodyId, chosen: &[(BodyId, Value)]) -> Readers {
        let vectors = chosen.iter().map(|&(_, vector)| (vector, Vec::new()));
        let mut readers = Readers { by_value: vectors.collect(), lengths: HashMap::new() };
        for stmt in &program.bodies[body].stmts {
            let mut reader = match stmt.op {
                Op::Len(_) => Reader::Length(stmt.results[0]),
                _ => Reader::Other,
            };
            stmt.op.for_each_body(|inner| {
                if reader == Reader::Other {
                    reader = Reader::Holder(inner);
                }
            });
            program.for_each_read_of(stmt, &mut |value| readers.add(value, reader));
            if let Op::Len(vector) = stmt.op
                && readers.by_value.contains_key(&vector)
            {
                readers.by_value.insert(stmt.results[0], Vec::new());
                readers.lengths.entry(vector).or_default().push(stmt.results[0]);
            }
        }
        program.bodies[body].results.iter().for_each(|&value| readers.add(value, Reader::Other));
        readers
    }

    fn add(&mut self, value: Value, reader: Reader) {
        if let Some(readers) = self.by_value.get_mut(&value)
            && readers.last() != Some(&reader)
        {
            readers.push(reader);
        }
    }

    /// The `if` that chooses `vector`, whose first branch is `chooser`, and the only consumer of the vector, unless that has
    /// been moved.
    #[expect(clippy::too_many_arguments, reason = "all that is known of the body")]
    fn branch(
        &self,
        program: &Program,
        defs: &Defs,
        footprints: &Footprints,
        body: BodyId,
        chooser: BodyId,
        vector: Value,
        moved: &HashSet<BodyId>,
    ) -> Option<Branch> {
        let numbers = self.lengths.get(&vector).map_or(&[][..], Vec::as_slice);
        let others = self.by_value[&vector].iter().filter(|reader| !matches!(reader, Reader::Length(_)));
        let all: Vec<&Reader> = others.collect();
        let [&Reader::Holder(consumer_body)] = all[..] else { return None };
        let is_only = |number: &Value| {
            self.by_value[number].iter().all(|&reader| reader == Reader::Holder(consumer_body))
        };
        if moved.contains(&consumer_body) || !numbers.iter().all(is_only) {
            return None;
        }
        let number_of =
            |holder: BodyId| defs.holder(holder).filter(|&(of, _)| of == body).map(|(_, number)| number);
        let (chooser, consumer) = (number_of(chooser)?, number_of(consumer_body)?);
        let consumes = match &program.bodies[body].stmts[consumer].op {
            Op::Loop(inner) => !inner.extents.is_empty(),
            op => matches!(op, Op::For { .. }),
        };
        let lengths = numbers.iter().map(|&number| match defs.def(number) {
            Some(Def::Stmt { index, .. }) => Some(index).filter(|&index| index < consumer),
            _ => None,
        });
        let lengths: Vec<usize> = lengths.collect::<Option<_>>()?;
        if !consumes {
            return None;
        }
        let mut exempt = numbers.to_vec();
        exempt.push(vector);
        let meeting = Meeting::arrange(program, defs, footprints, body, [chooser, consumer], &exempt)?;
        Some(Branch { body, chooser, consumer, consumer_body, lengths, meeting })
    }
}

/// An `if` that chooses a vector, and its only consumer.
struct Branch {
    body: BodyId,
    /// The number of the `if`.
    chooser: usize,
    /// The consumer.
    consumer: usize,
    consumer_body: BodyId,
    /// The numbers of the lengths of the vector between them, which move along.
    lengths: Vec<usize>,
    meeting: Meeting,
}

impl Candidate for Branch {
    const RULE: &'static str = "branch";
    type Rewrite = ();

    fn loc(&self, program: &Program) -> Loc {
        program.bodies[self.body].stmts[self.consumer].loc
    }

    /// Whether the consumer may be written twice.
    fn plan(&self, program: &Program, _: &Defs) -> Result<(), Reason> {
        let stmt = &program.bodies[self.body].stmts[self.consumer];
        let cost = cost::of_bodies(program, stmt.op.bodies());
        if cost <= cost::MAX_PASTED { Ok(()) } else { Err(LARGE.costs(cost, cost::MAX_PASTED)) }
    }
}

impl Branch {
    /// Moves the consumer into both branches.
    fn apply(&self, program: &mut Program, defs: &mut Defs, footprints: &Footprints) {
        let mut stmts = program.take_stmts(self.body);
        let mut take = |number: usize| mem::replace(&mut stmts[number], hole());
        let mut fused = take(self.chooser);
        let mut moved: Vec<Stmt> = self.lengths.iter().map(|&length| take(length)).collect();
        let consumer = take(self.consumer);
        footprints.unite(program, &fused, &consumer);
        let results = consumer.results.clone();
        moved.push(consumer);
        let Op::If { then, els, .. } = fused.op else { unreachable!("a branch is found at an `if`") };
        for branch in [then, els] {
            let mut copier = Copier::new();
            // The consumer may read other values that the `if` gives.
            copier.subst.insert_all(&fused.results, &program.bodies[branch].results);
            let copies = copier.stmts(program, &moved);
            if let Some(consumer) = copies.last() {
                program.bodies[branch].results.extend(&consumer.results);
            }
            program.bodies[branch].stmts.extend(copies);
        }
        fused.results.extend(results);
        let numbers = self.meeting.apply(&mut stmts, [self.chooser, self.consumer], fused);
        program.put_stmts(self.body, stmts);
        defs.moved(program, self.body, numbers);
    }
}
