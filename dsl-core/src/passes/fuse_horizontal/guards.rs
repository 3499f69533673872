//! Branches on the same condition.

use crate::analysis::footprints::Footprints;
use crate::analysis::order::Meeting;
use crate::ir::rewrite::Subst;
use crate::ir::{BodyId, Op, Program, Stmt};

/// Two `if`s of one body on the same condition.
pub(super) struct Guards {
    body: BodyId,
    first: usize,
    second: usize,
}

impl Guards {
    /// The first pair in `body` that can be brought together.
    pub(super) fn find(program: &Program, body: BodyId) -> Option<Guards> {
        let (stmts, footprints) = (&program.bodies[body].stmts, Footprints::default());
        let cond = |stmt: &Stmt| match stmt.op {
            Op::If { cond, .. } => Some(cond),
            _ => None,
        };
        for second in 0..stmts.len() {
            let Some(wanted) = cond(&stmts[second]) else { continue };
            for first in (0..second).filter(|&first| cond(&stmts[first]) == Some(wanted)) {
                if Meeting::arrange(program, &footprints, body, [first, second], &[]).is_some() {
                    return Some(Guards { body, first, second });
                }
            }
        }
        None
    }

    /// Makes one `if` of the two. What the second reads of the first, it reads inside the branch.
    pub(super) fn apply(&self, program: &mut Program) {
        let pair = [self.first, self.second];
        let Some(meeting) = Meeting::arrange(program, &Footprints::default(), self.body, pair, &[]) else {
            return;
        };
        let mut stmts = program.take_stmts(self.body);
        let (mut fused, second) = (stmts[self.first].clone(), stmts[self.second].clone());
        if let (Op::If { then, els, .. }, Op::If { then: then_too, els: els_too, .. }) =
            (&fused.op, &second.op)
        {
            for (branch, other) in [(*then, *then_too), (*els, *els_too)] {
                let mut subst = Subst::new();
                subst.insert_all(&fused.results, &program.bodies[branch].results.clone());
                program.substitute(other, &subst);
                let mut moved = program.take_stmts(other);
                program.bodies[branch].stmts.append(&mut moved);
                let results = program.bodies[other].results.clone();
                program.bodies[branch].results.extend(results);
            }
        }
        fused.results.extend(second.results);
        stmts = meeting.apply(stmts, self.first, self.second, vec![fused]);
        program.put_stmts(self.body, stmts);
    }
}
