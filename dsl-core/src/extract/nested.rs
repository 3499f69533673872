//! A reduction in each iteration of a loop: the shape of sums of columns, and of comparisons with each key.

use std::collections::BTreeSet;

use crate::ir::{BodyId, Def, Defs, Loc, Loop, Op, Program, SinkKind, Stmt, Value};

/// A loop that only reduces, directly in the body of a loop over one index.
#[derive(Clone, Copy, Debug)]
pub struct NestedReduction {
    /// The body in which the loop around stands.
    pub body: BodyId,
    /// The number of the loop around among the statements there.
    pub index: usize,
    /// The number of iterations of the loop around.
    pub extent: Value,
    /// The body of the loop around.
    pub outer: BodyId,
    /// The number of the reduction among the statements there.
    pub number: usize,
}

impl NestedReduction {
    /// All of them whose loop around stands in `body`, in program order.
    pub fn all(program: &Program, body: BodyId) -> Vec<NestedReduction> {
        let mut found = Vec::new();
        for (index, stmt) in program.bodies[body].stmts.iter().enumerate() {
            let (extent, outer) = match &stmt.op {
                Op::Loop(Loop { extents, body, .. }) => match extents[..] {
                    [extent] => (extent, *body),
                    _ => continue,
                },
                Op::For { extent, body } => (*extent, *body),
                _ => continue,
            };
            let inner = program.bodies[outer].stmts.iter().enumerate();
            let reductions = inner.filter(|(_, stmt)| only_reduces(&stmt.op)).map(|(number, _)| number);
            found.extend(reductions.map(|number| NestedReduction { body, index, extent, outer, number }));
        }
        found
    }

    /// The statement that reduces.
    pub fn stmt<'a>(&self, program: &'a Program) -> &'a Stmt {
        &program.bodies[self.outer].stmts[self.number]
    }

    /// The loop that reduces.
    ///
    /// # Panics
    /// If `program` was rewritten since, so that there is no loop at this place.
    pub fn reduction<'a>(&self, program: &'a Program) -> &'a Loop {
        match &self.stmt(program).op {
            Op::Loop(inner) => inner,
            op => unreachable!("{} is no loop", op.name()),
        }
    }

    /// The numbers of the statements of the loop around that the reduction needs.
    pub fn setup(&self, program: &Program, defs: &Defs) -> BTreeSet<usize> {
        let stmt = self.stmt(program);
        let mut needed = Vec::new();
        program.for_each_read_of(stmt, &mut |value| needed.push(value));
        let mut setup = BTreeSet::new();
        while let Some(value) = needed.pop() {
            if let Some(Def::Stmt { body, index, .. }) = defs.def(value)
                && body == self.outer
                && setup.insert(index)
            {
                program.for_each_read_of(&program.bodies[self.outer].stmts[index], &mut |value| {
                    needed.push(value)
                });
            }
        }
        setup
    }

    /// Where the reduction stands in the source.
    pub fn loc(&self, program: &Program) -> Loc {
        self.stmt(program).loc
    }
}

fn only_reduces(op: &Op) -> bool {
    let Op::Loop(Loop { extents, sinks, .. }) = op else { return false };
    let reduces = |kind: &SinkKind| matches!(kind, SinkKind::Reduce { .. });
    !extents.is_empty() && !sinks.is_empty() && sinks.iter().all(|decl| reduces(&decl.kind))
}
