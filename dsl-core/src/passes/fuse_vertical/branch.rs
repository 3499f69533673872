//! A consumer of a vector that an `if` chooses moves into both branches, where it meets the producers.
//!
//! `v = if c { … yield a } else { … yield b }` and a loop over v after it, with nobody else reading v: the loop
//! goes behind the producers of a and of b. A flat map over a conditional list fuses by it.

use crate::analysis::cost;
use crate::analysis::footprints::Footprints;
use crate::analysis::order::Meeting;
use crate::ir::rewrite::Copier;
use crate::ir::{BodyId, Defs, Loc, Op, Program, Stmt, Uses, Value};
use crate::passes::candidate::{Candidate, Fusion, Reason};

const LARGE: Reason = Reason::new(
    "{at|the consumer} costs {cost}, and {limit} is the limit for writing it into both branches of its producer",
);

/// An `if` that chooses a vector, and its only consumer.
pub(super) struct Branch {
    body: BodyId,
    /// The number of the `if`.
    chooser: usize,
    /// The consumer.
    consumer: usize,
    /// The numbers of the lengths of the vector between them, which move along.
    lengths: Vec<usize>,
    meeting: Meeting,
}

impl Branch {
    /// The pairs of an `if` and a consumer in `body`.
    pub(super) fn candidates(program: &Program, defs: &Defs, uses: &Uses, body: BodyId) -> Vec<Branch> {
        let stmts = &program.bodies[body].stmts;
        let (mut candidates, footprints) = (Vec::new(), Footprints::default());
        for (chooser, stmt) in stmts.iter().enumerate() {
            let Op::If { then, els, .. } = stmt.op else { continue };
            for (number, &vector) in stmt.results.iter().enumerate() {
                let made = |branch: BodyId| {
                    is_made_in(program, defs, branch, program.bodies[branch].results[number])
                };
                if program.ty(vector).element().is_some() && (made(then) || made(els)) {
                    candidates.extend(Branch::extract(program, uses, &footprints, body, chooser, vector));
                }
            }
        }
        candidates
    }

    fn extract(
        program: &Program,
        uses: &Uses,
        footprints: &Footprints,
        body: BodyId,
        chooser: usize,
        vector: Value,
    ) -> Option<Branch> {
        let stmts = &program.bodies[body].stmts;
        let lengths: Vec<usize> = (chooser + 1..stmts.len())
            .filter(|&index| matches!(stmts[index].op, Op::Len(of) if of == vector))
            .collect();
        let numbers: Vec<Value> = lengths.iter().map(|&index| stmts[index].results[0]).collect();
        let consumer = (chooser + 1..stmts.len()).find(|&index| {
            let consumes = match &stmts[index].op {
                Op::Loop(inner) => !inner.extents.is_empty(),
                Op::For { .. } => true,
                _ => false,
            };
            let reads = |value: Value| {
                let mut count = 0;
                program.for_each_read_of(&stmts[index], &mut |read| count += u32::from(read == value));
                count
            };
            let alone = reads(vector) + lengths.len() as u32 == uses.count(vector);
            consumes && reads(vector) > 0 && alone && numbers.iter().all(|&n| reads(n) == uses.count(n))
        })?;
        if lengths.iter().any(|&length| length > consumer) {
            return None;
        }
        let mut exempt = numbers;
        exempt.push(vector);
        let meeting = Meeting::arrange(program, footprints, body, [chooser, consumer], &exempt)?;
        Some(Branch { body, chooser, consumer, lengths, meeting })
    }
}

impl Candidate for Branch {
    const RULE: &'static str = "branch";
    type Plan = ();

    fn loc(&self, program: &Program) -> Loc {
        program.bodies[self.body].stmts[self.consumer].loc
    }

    /// Whether the consumer may be written twice.
    fn plan(&self, program: &Program, _: &Defs) -> Result<(), Reason> {
        let stmt = &program.bodies[self.body].stmts[self.consumer];
        let cost = cost::of_bodies(program, stmt.op.bodies());
        if cost <= cost::PASTED { Ok(()) } else { Err(LARGE.costs(cost, cost::PASTED)) }
    }
}

impl Fusion for Branch {
    /// Moves the consumer into both branches.
    fn apply(&self, (): (), program: &mut Program) {
        let mut stmts = program.take_stmts(self.body);
        let mut fused = stmts[self.chooser].clone();
        let moved: Vec<Stmt> =
            self.lengths.iter().chain([&self.consumer]).map(|&index| stmts[index].clone()).collect();
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
        fused.results.extend(&stmts[self.consumer].results);
        let meeting = Meeting {
            after: self.meeting.after.iter().copied().filter(|index| !self.lengths.contains(index)).collect(),
            before: self.meeting.before.clone(),
        };
        for &length in &self.lengths {
            stmts[length].results.clear();
        }
        let length_of = |stmt: &Stmt| matches!(stmt.op, Op::Len(_)) && stmt.results.is_empty();
        stmts = meeting.apply(stmts, self.chooser, self.consumer, vec![fused]);
        stmts.retain(|stmt| !length_of(stmt));
        program.put_stmts(self.body, stmts);
    }
}

/// Whether `value` is a vector that is made in `branch` itself.
fn is_made_in(program: &Program, defs: &Defs, branch: BodyId, value: Value) -> bool {
    let makes = matches!(defs.op(program, value), Some(Op::Loop(_) | Op::Vector(_)));
    makes && defs.body_of(value) == Some(branch)
}
