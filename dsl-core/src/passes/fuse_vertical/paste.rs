//! The consumer's body on its way into the producer's: without its reads of the producer, and with what was merged in
//! place of what it read.

use std::collections::HashMap;

use crate::ir::rewrite::Copier;
use crate::ir::{BodyId, Loc, Op, Program, Sink, Stmt, Value};

/// What is left of a consumer when a producer takes it in.
pub(super) struct Consumed<'a> {
    /// The vectors that it read, and the sink of each.
    pub(super) read: &'a HashMap<Value, Sink>,
    /// Which values are elements, and of which vector.
    elements: Vec<(Value, Value)>,
    /// The body.
    stmts: Vec<Stmt>,
    /// The consumer's index, and what stands for it, if it has a meaning in the producer.
    index: Option<(Value, Value)>,
}

impl<'a> Consumed<'a> {
    /// Takes the body of a consumer, with its indices besides the first in `for`s up to `extents`.
    pub(super) fn take(
        program: &mut Program,
        body: BodyId,
        extents: &[Value],
        read: &'a HashMap<Value, Sink>,
        own_index: Option<Value>,
        loc: Loc,
    ) -> Consumed<'a> {
        let index = program.bodies[body].params[0];
        let elements = remove_reads(program, body, index, read);
        let stmts = wrap_in_fors(program, body, extents, loc);
        Consumed { read, elements, stmts, index: own_index.map(|own| (index, own)) }
    }

    /// Pastes a copy behind each merge into the vectors read, in `body` and the bodies inside it; where there
    /// are several vectors, behind the last of the merges that belong together.
    pub(super) fn at_merges(&self, program: &mut Program, body: BodyId) {
        let mut pasted = Vec::new();
        // The values merged so far into each vector and not yet consumed.
        let mut merged: HashMap<Sink, Vec<Value>> = HashMap::new();
        let mut consumed = 0;
        for stmt in program.take_stmts(body) {
            stmt.op.for_each_body(|inner| self.at_merges(program, inner));
            if let Some((sink, value)) = self.merge(&stmt) {
                merged.entry(sink).or_default().push(value);
                pasted.push(stmt);
                let complete = |sink| merged.get(sink).is_some_and(|values| values.len() > consumed);
                if self.read.values().all(complete) {
                    pasted.extend(self.copy(program, |sink| merged[&sink][consumed]));
                    consumed += 1;
                }
            } else {
                pasted.push(stmt);
            }
        }
        program.put_stmts(body, pasted);
    }

    /// The vector's sink and the element, if `stmt` merges into a vector that was read.
    pub(super) fn merge(&self, stmt: &Stmt) -> Option<(Sink, Value)> {
        match &stmt.op {
            Op::Merge { sink, values } if self.read.values().any(|read| read == sink) => {
                Some((*sink, values[0]))
            }
            _ => None,
        }
    }

    /// A copy for these elements, by the sinks of their vectors.
    pub(super) fn copy(&self, program: &mut Program, element: impl Fn(Sink) -> Value) -> Vec<Stmt> {
        let mut copier = Copier::new();
        for (value, vector) in &self.elements {
            copier.subst.insert(*value, element(self.read[vector]));
        }
        if let Some((index, own)) = self.index {
            copier.subst.insert(index, own);
        }
        copier.stmts(program, &self.stmts)
    }
}

/// Removes `at p, index` from the consumer's body; what each bound, and the vector it read.
fn remove_reads(
    program: &mut Program,
    body: BodyId,
    index: Value,
    read: &HashMap<Value, Sink>,
) -> Vec<(Value, Value)> {
    let mut elements = Vec::new();
    for body in program.bodies_within(body) {
        program.bodies[body].stmts.retain(|stmt| match stmt.op {
            Op::At(vector, at) if at == index && read.contains_key(&vector) => {
                elements.push((stmt.results[0], vector));
                false
            }
            _ => true,
        });
    }
    elements
}

/// The statements of a consumer's body, in one `for` for each extent.
fn wrap_in_fors(program: &mut Program, body: BodyId, extents: &[Value], loc: Loc) -> Vec<Stmt> {
    let mut stmts = program.take_stmts(body);
    let params = program.bodies[body].params.split_off(1);
    for (&param, &extent) in params.iter().zip(extents).rev() {
        let body = program.add_body(vec![param], stmts, Vec::new());
        stmts = vec![Stmt { results: Vec::new(), op: Op::For { extent, body }, loc }];
    }
    stmts
}
