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
    vector: Value,
    /// The place of the loop.
    loc: Loc,
}

impl Count {
    /// Such vectors made in `body`. What becomes of one is nothing to the others.
    pub(super) fn candidates(program: &Program, uses: &Uses, body: BodyId) -> Vec<Count> {
        let stmts = &program.bodies[body].stmts;
        let mut counts = Vec::new();
        if !stmts.iter().any(|stmt| matches!(stmt.op, Op::Loop(_))) {
            return counts;
        }
        // How many there are of each, and whether somebody reads one.
        let mut lengths: HashMap<Value, (u32, bool)> = HashMap::new();
        program.for_each_stmt(body, &mut |stmt| {
            if let Op::Len(vector) = stmt.op {
                let (lengths, is_read) = lengths.entry(vector).or_default();
                *lengths += 1;
                *is_read |= !uses.is_unused(stmt.results[0]);
            }
        });
        for stmt in stmts {
            let Op::Loop(Loop { sinks, .. }) = &stmt.op else { continue };
            for (decl, &vector) in sinks.iter().zip(&stmt.results) {
                let collects = matches!(decl.kind, SinkKind::Collect { .. });
                // A length that nobody reads is dead, and with it the vector.
                let is_counted = |&(lengths, is_read): &(u32, bool)| is_read && lengths == uses.count(vector);
                if collects && lengths.get(&vector).is_some_and(is_counted) {
                    counts.push(Count { body, vector, loc: stmt.loc });
                }
            }
        }
        counts
    }
}

impl Candidate for Count {
    const RULE: &'static str = "count";
    type Plan = ();

    fn loc(&self, _: &Program) -> Loc {
        self.loc
    }

    fn plan(&self, _: &Program, _: &Defs) -> Result<(), Reason> {
        Ok(())
    }

    /// Replaces the vector by the number of merges into it.
    fn apply(&self, (): (), program: &mut Program) {
        let counter = program.fresh_sink();
        let count = program.fresh(Type::I64);
        let mut stmts = program.take_stmts(self.body);
        let number_of = |stmt: &Stmt| stmt.results.iter().position(|&result| result == self.vector);
        let (index, number) = stmts
            .iter()
            .enumerate()
            .find_map(|(index, stmt)| Some((index, number_of(stmt)?)))
            .expect("a count is found where a vector is made");
        let stmt = &mut stmts[index];
        let one = program.stmt(Op::Const(Const::I64(1)), stmt.loc);
        if let Op::Loop(inner) = &mut stmt.op {
            let counted = std::mem::replace(
                &mut inner.sinks[number],
                SinkDecl { sink: counter, kind: SinkKind::reduce(Type::I64, ReduceOp::Add), loc: stmt.loc },
            );
            stmt.results[number] = count;
            count_merges(program, inner.body, counted.sink, counter, one.results[0]);
        }
        stmts.insert(index, one);
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
