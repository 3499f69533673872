//! Whether two statements of one body can be brought together.
//!
//! Statements of a body are bound to their order by two things only: a value that one binds and the other
//! reads, at any depth, and merges into the same sink of a loop around. Faults do not order statements: which
//! of two faults is reported may change.

use std::collections::BTreeSet;

use super::effects::Effects;
use crate::ir::{BodyId, Defs, Program, Sink, Stmt, Value};

/// Where the statements between two statements go when the two are brought together.
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
    pub fn arrange(
        program: &Program,
        defs: &Defs,
        body: BodyId,
        first: usize,
        second: usize,
        exempt: &[Value],
    ) -> Option<Meeting> {
        let stmts = &program.bodies[body].stmts;
        let mut meeting = Meeting::default();
        let mut bound: BTreeSet<Value> = stmts[first].results.iter().copied().collect();
        let mut merged = merged_sinks(program, defs, &stmts[first]);
        // What only the statements that go behind bind and merge into: not yet the first itself.
        let mut bound_after = BTreeSet::new();
        let mut merged_after = BTreeSet::new();
        for (index, stmt) in stmts.iter().enumerate().take(second).skip(first + 1) {
            let sinks = merged_sinks(program, defs, stmt);
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
            || !merged_sinks(program, defs, &stmts[second]).is_disjoint(&merged_after);
        (!depends).then_some(meeting)
    }

    /// The statements of a body with the pair replaced by `pair`: those in front of the first, those that go
    /// before, the pair, those that go behind, those behind the second.
    pub fn apply(&self, stmts: Vec<Stmt>, first: usize, second: usize, pair: Vec<Stmt>) -> Vec<Stmt> {
        let mut stmts: Vec<Option<Stmt>> = stmts.into_iter().map(Some).collect();
        (stmts[first], stmts[second]) = (None, None);
        let behind = stmts.split_off(second);
        let mut take = |indices: &[usize]| -> Vec<Stmt> {
            indices.iter().filter_map(|&index| stmts[index].take()).collect()
        };
        let (before, after) = (take(&self.before), take(&self.after));
        let front = stmts.into_iter().flatten();
        front.chain(before).chain(pair).chain(after).chain(behind.into_iter().flatten()).collect()
    }
}

/// The sinks of loops around that a statement merges into.
pub fn merged_sinks(program: &Program, defs: &Defs, stmt: &Stmt) -> BTreeSet<Sink> {
    Effects::of_stmt(program, defs, stmt).merges
}

/// Whether a statement reads, at any depth, one of `values` that is not in `exempt`.
pub fn reads_any(program: &Program, stmt: &Stmt, values: &BTreeSet<Value>, exempt: &[Value]) -> bool {
    let mut reads = false;
    program.for_each_read_of(stmt, &mut |value| reads |= values.contains(&value) && !exempt.contains(&value));
    reads
}
