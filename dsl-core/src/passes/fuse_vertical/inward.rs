//! Moves a loop to where its only consumers are: into a region, or into one branch of an `if`.
//!
//! A region runs exactly once, so any loop may go there, but it goes only to be fused, for in a region it would
//! not be split over cores. Into a branch goes only what is total: it is then done less often, and a fault
//! would be lost. Nothing moves into a loop, where it would be done more often.

use super::push::Push;
use crate::analysis::effects::Effects;
use crate::analysis::footprints::Footprints;
use crate::ir::{BodyId, Defs, Op, Program, Stmt, Uses, Value};
use crate::passes::candidate::Candidate;

/// A loop that can be moved, together with the lengths of what it makes.
pub(super) struct Inward {
    from: BodyId,
    /// The numbers of the statements, the loop first.
    moved: Vec<usize>,
    to: BodyId,
    into_region: bool,
}

impl Inward {
    /// The loops of `body` that can be moved.
    pub(super) fn candidates(program: &Program, defs: &Defs, uses: &Uses, body: BodyId) -> Vec<Inward> {
        let count = program.bodies[body].stmts.len();
        (0..count).filter_map(|index| Inward::extract(program, defs, uses, body, index)).collect()
    }

    /// Moves the loop, if that is of use; whether it was.
    pub(super) fn apply(&self, program: &mut Program) -> bool {
        if !self.into_region {
            self.move_stmts(program);
            return true;
        }
        let mut moved = program.clone();
        self.move_stmts(&mut moved);
        let defs = Defs::of(&moved);
        let fuses = Push::candidates(&moved, &defs, &Footprints::default(), self.to)
            .iter()
            .any(|push| push.producer() == 0 && push.plan(&moved, &defs).is_ok());
        if fuses {
            *program = moved;
        }
        fuses
    }

    fn move_stmts(&self, program: &mut Program) {
        let mut stmts: Vec<Option<Stmt>> = program.take_stmts(self.from).into_iter().map(Some).collect();
        let mut moved: Vec<Stmt> = self.moved.iter().filter_map(|&index| stmts[index].take()).collect();
        program.put_stmts(self.from, stmts.into_iter().flatten().collect());
        moved.append(&mut program.take_stmts(self.to));
        program.put_stmts(self.to, moved);
    }

    fn extract(program: &Program, defs: &Defs, uses: &Uses, body: BodyId, index: usize) -> Option<Inward> {
        let stmts = &program.bodies[body].stmts;
        let Op::Loop(_) = stmts[index].op else { return None };
        let effects = Effects::of_stmt(program, defs, &stmts[index]);
        if !effects.merges.is_empty() {
            return None;
        }
        let mut moved = vec![index];
        let is_length = |stmt: &Stmt| matches!(stmt.op, Op::Len(of) if stmts[index].results.contains(&of));
        moved.extend((index + 1..stmts.len()).filter(|&later| is_length(&stmts[later])));
        let bound: Vec<Value> = moved.iter().flat_map(|&index| stmts[index].results.clone()).collect();
        let all_uses_in = |inner: BodyId| {
            let within = Uses::within(program, inner);
            let lengths = |value: Value| moved.iter().filter(|&&index| stmts[index].op.reads(value)).count();
            bound.iter().any(|&value| within.count(value) > 0)
                && bound
                    .iter()
                    .all(|&value| within.count(value) as usize + lengths(value) == uses.count(value) as usize)
        };
        stmts[index + 1..].iter().find_map(|later| {
            let (to, into_region) = match &later.op {
                Op::Loop(inner) if inner.extents.is_empty() => (inner.body, true),
                Op::If { then, els, .. } if effects.is_total() => {
                    ([*then, *els].into_iter().find(|&branch| all_uses_in(branch))?, false)
                }
                _ => return None,
            };
            all_uses_in(to).then(|| Inward { from: body, moved: moved.clone(), to, into_region })
        })
    }
}
