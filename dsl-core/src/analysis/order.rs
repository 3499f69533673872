//! Whether two statements of one body can be brought together.
//!
//! Statements of a body are bound to their order by two things only: a value that one binds and the other
//! reads, at any depth, and merges into the same sink of a loop around. Faults do not order statements: which
//! of two faults is reported may change.

use std::collections::{BTreeSet, HashSet};

use crate::ir::{BodyId, Op, Program, Sink, Stmt, Value};

/// Where the statements between two statements go when the two are brought together.
///
/// ```
/// # use weldment_core::analysis::order::*;
/// # use weldment_core::ir::*;
/// # let program = parse("weldment ir 1 program(v0: i64) {
/// #     v1: i64 = neg v0
/// #     v2: i64 = add v1, v1 v3: i64 = mul v0, v1 v4: i64 = add v2, v3 return v4 }").unwrap();
/// # let body = program.entry.unwrap();
/// // v1: i64 = neg v0   v2: i64 = add v1, v1   v3: i64 = mul v0, v1   v4: i64 = add v2, v3
/// let meeting = Meeting::arrange(&program, body, 0, 2, &[]).unwrap();
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
    /// first by way of a statement between them. Values in `exempt` do not count as read by the second.
    ///
    /// Whether the second reads what the first binds, and whether they merge into the same sink, is left to
    /// the caller.
    ///
    /// ```
    /// # use weldment_core::analysis::order::*;
    /// # use weldment_core::ir::*;
    /// # let program = parse("weldment ir 1 program(v0: i64) {
    /// #     v1: i64 = neg v0
    /// #     v2: i64 = add v1, v1 v3: i64 = mul v0, v1 v4: i64 = add v2, v3 return v4 }").unwrap();
    /// # let body = program.entry.unwrap();
    /// // v1: i64 = neg v0   v2: i64 = add v1, v1   v3: i64 = mul v0, v1   v4: i64 = add v2, v3
    /// assert!(Meeting::arrange(&program, body, 0, 2, &[]).is_some());
    /// assert!(Meeting::arrange(&program, body, 0, 3, &[]).is_none()); // by way of v2
    /// ```
    pub fn arrange(
        program: &Program,
        body: BodyId,
        first: usize,
        second: usize,
        exempt: &[Value],
    ) -> Option<Meeting> {
        let stmts = &program.bodies[body].stmts;
        let mut meeting = Meeting::default();
        let mut bound: BTreeSet<Value> = stmts[first].results.iter().copied().collect();
        let mut merged = merged_sinks(program, &stmts[first]);
        // What only the statements that go behind bind and merge into: not yet the first itself.
        let mut bound_after = BTreeSet::new();
        let mut merged_after = BTreeSet::new();
        for (index, stmt) in stmts.iter().enumerate().take(second).skip(first + 1) {
            let sinks = merged_sinks(program, stmt);
            if reads_any(program, stmt, &bound, &[]) || !sinks.is_disjoint(&merged) {
                meeting.after.push(index);
                bound.extend(&stmt.results);
                bound_after.extend(stmt.results.iter().copied());
                merged.extend(&sinks);
                merged_after.extend(sinks);
            } else {
                meeting.before.push(index);
            }
        }
        let depends = reads_any(program, &stmts[second], &bound_after, exempt)
            || !merged_sinks(program, &stmts[second]).is_disjoint(&merged_after);
        (!depends).then_some(meeting)
    }

    /// The statements of a body with the pair replaced by `pair`: those in front of the first, those that go
    /// before, the pair, those that go behind, those behind the second.
    ///
    /// ```
    /// # use weldment_core::analysis::order::*;
    /// # use weldment_core::ir::*;
    /// # let program = parse("weldment ir 1 program(v0: i64) {
    /// #     v1: i64 = neg v0
    /// #     v2: i64 = add v1, v1 v3: i64 = mul v0, v1 v4: i64 = add v2, v3 return v4 }").unwrap();
    /// # let body = program.entry.unwrap();
    /// # let stmts = &program.bodies[body].stmts;
    /// // v1: i64 = neg v0   v2: i64 = add v1, v1   v3: i64 = mul v0, v1
    /// let v = Value::from_index;
    /// let meeting = Meeting::arrange(&program, body, 0, 2, &[]).unwrap();
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

/// Whether a statement reads, at any depth, one of `values` that is not in `exempt`.
///
/// ```
/// # use weldment_core::analysis::order::*;
/// # use weldment_core::ir::*;
/// # let program = parse("weldment ir 1 program(v0: i64) {
/// #     v1: i64 = neg v0
/// #     v2: i64 = add v1, v1 v3: i64 = mul v0, v1 v4: i64 = add v2, v3 return v4 }").unwrap();
/// # let body = program.entry.unwrap();
/// # let stmts = &program.bodies[body].stmts;
/// // v2: i64 = add v1, v1
/// let v = Value::from_index;
/// let values = [v(1)].into();
/// assert!(reads_any(&program, &stmts[1], &values, &[]));
/// assert!(!reads_any(&program, &stmts[1], &values, &[v(1)]));
/// ```
pub fn reads_any(program: &Program, stmt: &Stmt, values: &BTreeSet<Value>, exempt: &[Value]) -> bool {
    let mut reads = false;
    program.for_each_read_of(stmt, &mut |value| reads |= values.contains(&value) && !exempt.contains(&value));
    reads
}
