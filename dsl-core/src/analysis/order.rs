//! Whether two statements of one body can be brought together.
//!
//! Statements of a body are bound to their order by two things only: a value that one binds and the other
//! reads, at any depth, and merges into the same sink of a loop around. Faults do not order statements: which
//! of two faults is reported may change.

use std::collections::{BTreeSet, HashSet};
use std::ops::Range;

use super::footprints::Footprints;
use crate::ir::{BodyId, Const, Entity, Loc, Op, Program, Sink, Stmt, Value};

/// Where the statements between two statements go when the two are brought together.
///
/// ```
/// # use weldment_core::analysis::footprints::Footprints;
/// # use weldment_core::analysis::order::*;
/// # use weldment_core::ir::*;
/// # let program = parse("weldment ir 1 program(v0: i64) {
/// #     v1: i64 = neg v0
/// #     v2: i64 = add v1, v1 v3: i64 = mul v0, v1 v4: i64 = add v2, v3 return v4 }").unwrap();
/// # let body = program.entry.unwrap();
/// // v1: i64 = neg v0   v2: i64 = add v1, v1   v3: i64 = mul v0, v1   v4: i64 = add v2, v3
/// let meeting = Meeting::arrange(&program, &Footprints::default(), body, [0, 2], &[]).unwrap();
/// assert_eq!((meeting.before, meeting.after), (vec![], vec![1])); // v2 needs v1
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Meeting {
    /// The numbers of those that go before the pair.
    pub before: Vec<usize>,
    /// The numbers of those that go behind it, because they depend on the first.
    pub after: Vec<usize>,
}

impl Meeting {
    /// Brings the statements `first` and `second` of `body` together, if the second does not depend on the
    /// first by way of a statement between them. Values in `exempt` do not count as read by the second; `footprints` are
    /// of this very program.
    ///
    /// Whether the second reads what the first binds, and whether they merge into the same sink, is left to
    /// the caller.
    ///
    /// ```
    /// # use weldment_core::analysis::footprints::Footprints;
    /// # use weldment_core::analysis::order::*;
    /// # use weldment_core::ir::*;
    /// # let program = parse("weldment ir 1 program(v0: i64) {
    /// #     v1: i64 = neg v0
    /// #     v2: i64 = add v1, v1 v3: i64 = mul v0, v1 v4: i64 = add v2, v3 return v4 }").unwrap();
    /// # let body = program.entry.unwrap();
    /// // v1: i64 = neg v0   v2: i64 = add v1, v1   v3: i64 = mul v0, v1   v4: i64 = add v2, v3
    /// assert!(Meeting::arrange(&program, &Footprints::default(), body, [0, 2], &[]).is_some());
    /// assert!(Meeting::arrange(&program, &Footprints::default(), body, [0, 3], &[]).is_none()); // by way of v2
    /// ```
    pub fn arrange(
        program: &Program,
        footprints: &Footprints,
        body: BodyId,
        [first, second]: [usize; 2],
        exempt: &[Value],
    ) -> Option<Meeting> {
        let stmts = &program.bodies[body].stmts;
        let mut meeting = Meeting::default();
        // What the first and those that go behind bind, and which of it only the latter do.
        let mut bound = vec![Bound::Elsewhere; program.values.len()];
        stmts[first].results.iter().for_each(|result| bound[result.index()] = Bound::ByTheFirst);
        // Found out when it is asked for: the first may be large.
        let mut merged = None;
        let mut merged_after = BTreeSet::new();
        for (index, stmt) in stmts.iter().enumerate().take(second).skip(first + 1) {
            let footprint = footprints.of(program, stmt);
            let reads = footprint.reads_any(|value| bound[value.index()] != Bound::Elsewhere);
            let mut merges = || {
                let merged = merged.get_or_insert_with(|| footprints.of(program, &stmts[first]).sinks());
                footprint.merges_any(merged)
            };
            if reads || footprint.merges() && merges() {
                meeting.after.push(index);
                stmt.results.iter().for_each(|result| bound[result.index()] = Bound::Behind);
                if footprint.merges() {
                    let sinks = footprint.sinks();
                    let of_first = || footprints.of(program, &stmts[first]).sinks();
                    merged.get_or_insert_with(of_first).extend(&sinks);
                    merged_after.extend(sinks);
                }
            } else {
                meeting.before.push(index);
            }
        }
        let footprint = footprints.of(program, &stmts[second]);
        let counts = |value: Value| bound[value.index()] == Bound::Behind && !exempt.contains(&value);
        let depends = footprint.reads_any(counts) || footprint.merges_any(&merged_after);
        (!depends).then_some(meeting)
    }

    /// The statements of a body with the pair replaced by `pair`: those in front of the first, those that go
    /// before, the pair, those that go behind, those behind the second.
    ///
    /// ```
    /// # use weldment_core::analysis::footprints::Footprints;
    /// # use weldment_core::analysis::order::*;
    /// # use weldment_core::ir::*;
    /// # let program = parse("weldment ir 1 program(v0: i64) {
    /// #     v1: i64 = neg v0
    /// #     v2: i64 = add v1, v1 v3: i64 = mul v0, v1 v4: i64 = add v2, v3 return v4 }").unwrap();
    /// # let body = program.entry.unwrap();
    /// # let stmts = &program.bodies[body].stmts;
    /// // v1: i64 = neg v0   v2: i64 = add v1, v1   v3: i64 = mul v0, v1
    /// let v = Value::from_index;
    /// let meeting = Meeting::arrange(&program, &Footprints::default(), body, [0, 2], &[]).unwrap();
    /// let pair = vec![stmts[0].clone(), stmts[2].clone()];
    /// let stmts = meeting.apply(stmts.clone(), 0, 2, pair);
    /// let order: Vec<_> = stmts.iter().map(|stmt| stmt.results[0]).collect();
    /// assert_eq!(order, [v(1), v(3), v(2), v(4)]);
    /// ```
    pub fn apply(&self, stmts: Vec<Stmt>, first: usize, second: usize, pair: Vec<Stmt>) -> Vec<Stmt> {
        let mut stmts = stmts;
        let mut between: Vec<Option<Stmt>> = stmts.drain(first..=second).map(Some).collect();
        (between[0], between[second - first]) = (None, None);
        let mut take = |indices: &[usize]| -> Vec<Stmt> {
            indices.iter().filter_map(|&index| between[index - first].take()).collect()
        };
        let (before, after) = (take(&self.before), take(&self.after));
        let rest = between.into_iter().flatten();
        stmts.splice(first..first, rest.chain(before).chain(pair).chain(after));
        stmts
    }

    /// As [`Meeting::apply`], with a [`hole`] where the first stood, so that only those move that go behind. The numbers of
    /// the statements that are others now, or have others: the last is that of the second.
    pub(crate) fn apply_in_place(
        &self,
        stmts: &mut [Stmt],
        [first, second]: [usize; 2],
        fused: Stmt,
    ) -> Range<usize> {
        stmts[first] = hole();
        let start = self.after.first().copied().unwrap_or(second);
        let mut take = |index: usize| std::mem::replace(&mut stmts[index], hole());
        let before: Vec<Stmt> =
            self.before.iter().filter(|&&index| index > start).map(|&index| take(index)).collect();
        let after: Vec<Stmt> = self.after.iter().map(|&index| take(index)).collect();
        let moved = before.into_iter().chain([fused]).chain(after);
        stmts[start..=second].iter_mut().zip(moved).for_each(|(place, stmt)| *place = stmt);
        start..second + 1
    }
}

/// What stands where a statement was, until all is done that changes the statements of its body.
pub(crate) fn hole() -> Stmt {
    Stmt { results: Vec::new(), op: Op::Const(Const::Bool(false)), loc: Loc::NONE }
}

/// Takes the [`hole`]s out of the statements of `body`.
pub(crate) fn close_holes(program: &mut Program, body: BodyId) {
    let is_hole = |stmt: &Stmt| stmt.results.is_empty() && matches!(stmt.op, Op::Const(_));
    program.bodies[body].stmts.retain(|stmt| !is_hole(stmt));
}

/// The sinks of loops around that a statement merges into.
///
/// ```
/// # use weldment_core::analysis::order::*;
/// # use weldment_core::ir::*;
/// let program = parse("weldment ir 1 program(v0: i64) {
///     v1: i64 = region { sink #0 = reduce + i64 merge #0, v0 }
///     return v1 }").unwrap();
/// let stmt = &program.bodies[program.entry.unwrap()].stmts[0];
/// assert!(merged_sinks(&program, stmt).is_empty()); // the sink is the region's own
/// let merge = &program.bodies[stmt.op.bodies()[0]].stmts[0];
/// assert_eq!(merged_sinks(&program, merge), [Sink::from_index(0)].into());
/// ```
pub fn merged_sinks(program: &Program, stmt: &Stmt) -> BTreeSet<Sink> {
    let (mut merged, mut declared) = (BTreeSet::new(), HashSet::new());
    add_merged(program, &stmt.op, &mut declared, &mut merged);
    merged
}

fn add_merged(program: &Program, op: &Op, declared: &mut HashSet<Sink>, merged: &mut BTreeSet<Sink>) {
    match op {
        Op::Merge { sink, .. } if !declared.contains(sink) => _ = merged.insert(*sink),
        Op::Loop(inner) => declared.extend(inner.sinks.iter().map(|decl| decl.sink)),
        _ => {}
    }
    op.for_each_body(|body| {
        program.bodies[body].stmts.iter().for_each(|stmt| add_merged(program, &stmt.op, declared, merged));
    });
}

/// Who binds a value, while two statements are brought together.
#[derive(Clone, Copy, PartialEq)]
enum Bound {
    Elsewhere,
    ByTheFirst,
    Behind,
}
