//! Whether two statements of one body can be brought together.
//!
//! Statements of a body are bound to their order by two things only: a value that one binds and the other
//! reads, at any depth, and merges into the same sink of a loop around. Faults do not order statements: which
//! of two faults is reported may change.

use std::collections::BTreeSet;
use std::ops::Range;

use super::footprints::Footprints;
use crate::ir::{BodyId, Const, Def, Defs, Loc, Op, Program, Stmt, Value};

/// What has to stand before two statements when they are brought together, where the first of them is.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Meeting {
    /// The numbers of the statements between them that the second needs, which ascend. The others go behind the pair.
    pub before: Vec<usize>,
}

impl Meeting {
    /// Brings the statements `first` and `second` of `body` together, if the second does not depend on the
    /// first by way of a statement between them. Values in `exempt` do not count as read by the second; `defs` and
    /// `footprints` are of this very program. Takes as long as what the second needs is large, however far apart they are,
    /// unless it merges into a sink of a loop around.
    ///
    /// Whether the second reads what the first binds, and whether they merge into the same sink, is left to
    /// the caller.
    pub fn arrange(
        program: &Program,
        defs: &Defs,
        footprints: &Footprints,
        body: BodyId,
        [first, second]: [usize; 2],
        exempt: &[Value],
    ) -> Option<Meeting> {
        let stmts = &program.bodies[body].stmts;
        let mut needed = BTreeSet::new();
        let mut next = vec![second];
        while let Some(number) = next.pop() {
            let footprint = footprints.of(program, &stmts[number]);
            let mut is_kept_apart = false;
            let mut needs = |index: usize| {
                is_kept_apart |= index == first && number != second;
                if first < index && index < number && needed.insert(index) {
                    next.push(index);
                }
            };
            footprint.for_each_read(|value| {
                if let Some(Def::Stmt { body: of, index, .. }) = defs.def(value)
                    && of == body
                    && (number != second || !exempt.contains(&value))
                {
                    needs(index);
                }
            });
            if footprint.merges() {
                let sinks = footprint.sinks();
                let merges = |&index: &usize| footprints.of(program, &stmts[index]).merges_any(&sinks);
                (first..number).filter(merges).for_each(needs);
            }
            if is_kept_apart {
                return None;
            }
        }
        Some(Meeting { before: needed.into_iter().collect() })
    }

    /// Puts `fused` where the first of the pair stood, behind what goes before it, and a [`hole`] where the second did. The
    /// numbers of the statements that are others now.
    pub(crate) fn apply(&self, stmts: &mut [Stmt], [first, second]: [usize; 2], fused: Stmt) -> Range<usize> {
        stmts[second] = hole();
        let Some(&last) = self.before.last() else {
            stmts[first] = fused;
            return first..first + 1;
        };
        let mut take = |index: usize| std::mem::replace(&mut stmts[index], hole());
        let before: Vec<Stmt> = self.before.iter().map(|&index| take(index)).collect();
        let behind = (first + 1..=last).filter(|index| self.before.binary_search(index).is_err());
        let behind: Vec<Stmt> = behind.map(take).collect();
        let moved = before.into_iter().chain([fused]).chain(behind);
        stmts[first..=last].iter_mut().zip(moved).for_each(|(place, stmt)| *place = stmt);
        first..last + 1
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::footprints::Footprints;
    use crate::ir::*;

    #[test]
    fn what_stands_between_two_goes_to_either_side() {
        {
            let program = parse(
                "weldment ir 1 program(v0: i64) {
                v1: i64 = neg v0
                v2: i64 = add v1, v1 v3: i64 = abs v0 v4: i64 = add v1, v3 return v4 }",
            )
            .unwrap();
            let (body, defs) = (program.entry.unwrap(), Defs::of(&program));
            // v1: i64 = neg v0   v2: i64 = add v1, v1   v3: i64 = abs v0   v4: i64 = add v1, v3
            let meeting =
                Meeting::arrange(&program, &defs, &Footprints::default(), body, [0, 3], &[]).unwrap();
            assert_eq!(meeting.before, [2]); // v4 needs v3; v2 goes behind
        }
        {
            let program = parse(
                "weldment ir 1 program(v0: i64) {
                v1: i64 = neg v0
                v2: i64 = add v1, v1 v3: i64 = mul v0, v1 v4: i64 = add v2, v3 return v4 }",
            )
            .unwrap();
            let (body, defs) = (program.entry.unwrap(), Defs::of(&program));
            // v1: i64 = neg v0   v2: i64 = add v1, v1   v3: i64 = mul v0, v1   v4: i64 = add v2, v3
            let meet = |pair| Meeting::arrange(&program, &defs, &Footprints::default(), body, pair, &[]);
            assert!(meet([0, 2]).is_some());
            assert!(meet([0, 3]).is_none()); // by way of v2
        }
    }
}
