//! Counts: when only the length of a collected vector is read, its elements are counted instead of stored.
//! (The length of a map is its extent; `simplify` knows that.)

use std::collections::HashMap;

use weldment_runtime::reduce::ReduceOp;
use weldment_runtime::scalar::Const;
use weldment_runtime::types::Type;

use crate::ir::rewrite::Subst;
use crate::ir::{BodyId, Defs, Loc, Loop, Op, Program, Sink, SinkDecl, SinkKind, Stmt, Uses, Value};
use crate::passes::candidate::{Candidate, Reason};

/// A vector of which only the length is read.
pub(super) struct Count {
    body: BodyId,
    index: usize,
    number: usize,
    vector: Value,
}

impl Count {
    /// The first such vector made in `body`.
    pub(super) fn candidates(program: &Program, uses: &Uses, body: BodyId) -> Option<Count> {
        let stmts = &program.bodies[body].stmts;
        stmts.iter().find(|stmt| matches!(stmt.op, Op::Loop(_)))?;
        let mut lengths: HashMap<Value, u32> = HashMap::new();
        program.for_each_stmt(body, &mut |stmt| {
            if let Op::Len(vector) = stmt.op {
                *lengths.entry(vector).or_default() += 1;
            }
        });
        stmts.iter().enumerate().find_map(|(index, stmt)| {
            let Op::Loop(Loop { sinks, .. }) = &stmt.op else { return None };
            sinks.iter().enumerate().find_map(|(number, decl)| {
                let vector = stmt.results[number];
                let collects = matches!(decl.kind, SinkKind::Collect { .. });
                let counted = lengths.get(&vector).is_some_and(|&lengths| lengths == uses.count(vector));
                (collects && counted).then_some(Count { body, index, number, vector })
            })
        })
    }
}

impl Candidate for Count {
    const RULE: &'static str = "count";
    type Plan = ();

    /// The place of the loop.
    fn loc(&self, program: &Program) -> Loc {
        program.bodies[self.body].stmts[self.index].loc
    }

    fn plan(&self, _: &Program, _: &Defs) -> Result<(), Reason> {
        Ok(())
    }

    /// Replaces the vector by the number of merges into it.
    fn apply(&self, (): (), program: &mut Program) {
        let counter = program.fresh_sink();
        let count = program.fresh(Type::I64);
        let mut stmts = program.take_stmts(self.body);
        let stmt = &mut stmts[self.index];
        let one = program.stmt(Op::Const(Const::I64(1)), stmt.loc);
        if let Op::Loop(inner) = &mut stmt.op {
            let counted = std::mem::replace(
                &mut inner.sinks[self.number],
                SinkDecl { sink: counter, kind: SinkKind::reduce(Type::I64, ReduceOp::Add), loc: stmt.loc },
            );
            stmt.results[self.number] = count;
            count_merges(program, inner.body, counted.sink, counter, one.results[0]);
        }
        stmts.insert(self.index, one);
        program.put_stmts(self.body, stmts);
        let mut subst = Subst::new();
        for length in lengths_of(program, self.body, self.vector) {
            subst.insert(length, count);
        }
        let vector = self.vector;
        for body in program.bodies_within(self.body) {
            program.bodies[body].stmts.retain(|stmt| !is_length_of(stmt, vector));
        }
        program.substitute_everywhere(&subst);
    }
}

fn is_length_of(stmt: &Stmt, vector: Value) -> bool {
    matches!(stmt.op, Op::Len(of) if of == vector)
}

/// The values that are the length of `vector`, in `body` and inside.
fn lengths_of(program: &Program, body: BodyId, vector: Value) -> Vec<Value> {
    let mut lengths = Vec::new();
    program.for_each_stmt(body, &mut |stmt| {
        if is_length_of(stmt, vector) {
            lengths.push(stmt.results[0]);
        }
    });
    lengths
}

/// Merges `one` into `counter` wherever something is merged into `counted`.
fn count_merges(program: &mut Program, body: BodyId, counted: Sink, counter: Sink, one: Value) {
    for body in program.bodies_within(body) {
        for stmt in &mut program.bodies[body].stmts {
            if let Op::Merge { sink, values } = &mut stmt.op
                && *sink == counted
            {
                *sink = counter;
                *values = vec![one];
            }
        }
    }
}
