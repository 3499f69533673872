//! Moves loops to where their only consumers are: into a region, or into one branch of an `if`.
//!
//! A region runs exactly once, so any loop may go there, but it goes only to be fused, for in a region it would
//! not be split over cores. Into a branch goes only what is total: it is then done less often, and a fault
//! would be lost. Nothing moves into a loop, where it would be done more often.
//!
//! A body is walked once, from its end: who reads a value is known before it is asked where it goes.

use std::collections::{BTreeMap, HashSet};
use std::mem;

use super::push::{Known, Push};
use crate::analysis::effects::Effects;
use crate::analysis::order::{close_holes, hole};
use crate::ir::{BodyId, Def, Defs, Op, Program, Stmt, Value};
use crate::passes::Cx;
use crate::passes::candidate::Candidate;

/// Moves the loops of `body` inward that can be, each with the lengths of what it makes; whether there were any.
pub(super) fn move_inward(program: &mut Program, cx: &mut Cx, defs: &mut Defs, body: BodyId) -> bool {
    let takes_in = |stmt: &Stmt| match &stmt.op {
        Op::Loop(inner) => inner.extents.is_empty(),
        op => matches!(op, Op::If { .. }),
    };
    if !program.bodies[body].stmts.iter().any(takes_in) {
        return false;
    }
    let Moves { branches, regions } = Moves::of(program, cx, defs, body);
    let mut moved = !branches.is_empty();
    for (to, numbers) in branches {
        move_stmts(program, body, &numbers, to);
        defs.reordered(program, to);
    }
    for (to, loops) in regions {
        moved |= move_to_be_fused(program, cx, defs, body, &loops, to);
    }
    if moved {
        close_holes(program, body);
        defs.reordered(program, body);
    }
    moved
}

/// Puts the statements with these numbers in front of those of `to`, and holes where they stood.
fn move_stmts(program: &mut Program, from: BodyId, numbers: &[usize], to: BodyId) {
    let take = |&number: &usize| mem::replace(&mut program.bodies[from].stmts[number], hole());
    let mut stmts: Vec<Stmt> = numbers.iter().map(take).collect();
    stmts.append(&mut program.take_stmts(to));
    program.put_stmts(to, stmts);
}

/// Moves loops into a region, each with the lengths of what it makes. Those that are not fused there go back; whether some
/// are not.
fn move_to_be_fused(
    program: &mut Program,
    cx: &mut Cx,
    defs: &mut Defs,
    from: BodyId,
    loops: &[Vec<usize>],
    to: BodyId,
) -> bool {
    let numbers: Vec<usize> = loops.iter().flatten().copied().collect();
    move_stmts(program, from, &numbers, to);
    defs.reordered(program, to);

    let known = Known::default();
    let fused: HashSet<usize> = Push::candidates(program, defs, &known, to)
        .into_iter()
        .filter(|push| push.producer() < numbers.len() && push.plan(program, defs).is_ok())
        .map(|push| push.producer())
        .collect();

    let mut stmts = program.take_stmts(to);
    let mut moved = stmts.drain(..numbers.len()).collect::<Vec<_>>().into_iter();
    let (mut first, mut kept) = (0, Vec::new());
    for group in loops {
        let is_kept = fused.contains(&first) && cx.allows();
        first += group.len();
        for (&number, stmt) in group.iter().zip(&mut moved) {
            match is_kept {
                true => kept.push(stmt),
                false => program.bodies[from].stmts[number] = stmt,
            }
        }
    }
    let is_moved = !kept.is_empty();
    kept.append(&mut stmts);
    program.put_stmts(to, kept);
    defs.reordered(program, to);
    defs.reordered(program, from);
    is_moved
}

/// The statements of a body that go inward, by where they go.
struct Moves {
    /// Into branches: their numbers.
    branches: BTreeMap<BodyId, Vec<usize>>,
    /// Into regions, if they are fused there: the number of each loop, and those of its lengths.
    regions: BTreeMap<BodyId, Vec<Vec<usize>>>,
}

/// Who reads what a statement binds, of those that have been looked at.
#[derive(Clone, Copy, PartialEq)]
enum Readers {
    Nobody,
    /// What is in this body only, which a statement holds, or is moved there.
    Inside(BodyId),
    /// Somebody else.
    Others,
}

impl Readers {
    fn add(&mut self, reader: Readers) {
        *self = match (*self, reader) {
            (same, Readers::Nobody) | (Readers::Nobody, same) => same,
            (one, other) if one == other => one,
            _ => Readers::Others,
        };
    }
}

impl Moves {
    fn of(program: &Program, cx: &mut Cx, defs: &Defs, body: BodyId) -> Moves {
        let stmts = &program.bodies[body].stmts;
        let mut readers = vec![Readers::Nobody; stmts.len()];
        let mut lengths: Vec<Vec<usize>> = vec![Vec::new(); stmts.len()];
        let mut moves = Moves { branches: BTreeMap::new(), regions: BTreeMap::new() };
        let holder = |value: Value| match defs.def(value) {
            Some(Def::Stmt { body: of, index, .. }) if of == body => Some(index),
            _ => None,
        };
        let read = |readers: &mut Vec<Readers>, value: Value, reader: Readers| {
            if let Some(number) = holder(value) {
                readers[number].add(reader);
            }
        };
        for &value in &program.bodies[body].results {
            read(&mut readers, value, Readers::Others);
        }
        for (number, stmt) in stmts.iter().enumerate().rev() {
            let mut moved_to = None;
            if let Op::Len(vector) = stmt.op
                && readers[number] != Readers::Others
                && let Some(of) = holder(vector)
            {
                // It goes where its vector goes, and has to be read there.
                lengths[of].push(number);
                let reader = readers[number];
                readers[of].add(reader);
                continue;
            }
            if let (Op::Loop(_), Readers::Inside(to)) = (&stmt.op, readers[number]) {
                let mut group = vec![number];
                group.extend(lengths[number].iter().rev());
                moved_to = moves.add(program, cx, defs, stmt, group, to).then_some(to);
            }
            let reader_of = |inner| moved_to.map_or(inner, Readers::Inside);
            stmt.op.for_each_operand(|value| read(&mut readers, value, reader_of(Readers::Others)));
            stmt.op.for_each_body(|inner| {
                let reader = reader_of(Readers::Inside(inner));
                program.for_each_read(inner, &mut |value| read(&mut readers, value, reader));
            });
        }
        moves.branches.values_mut().for_each(|numbers| numbers.sort_unstable());
        moves.regions.values_mut().for_each(|loops| loops.reverse());
        moves
    }

    /// Adds a loop and its lengths, if they may go into `to`; whether they go there, come what may.
    fn add(
        &mut self,
        program: &Program,
        cx: &mut Cx,
        defs: &Defs,
        stmt: &Stmt,
        group: Vec<usize>,
        to: BodyId,
    ) -> bool {
        let effects = Effects::of_stmt(program, defs, stmt);
        let Some((from, holder)) = defs.holder(to) else { return false };
        if !effects.merges.is_empty() {
            return false;
        }
        match &program.bodies[from].stmts[holder].op {
            Op::Loop(inner) if inner.extents.is_empty() => {
                self.regions.entry(to).or_default().push(group);
                false
            }
            Op::If { .. } if effects.is_total() && cx.allows() => {
                self.branches.entry(to).or_default().extend(group);
                true
            }
            _ => false,
        }
    }
}
