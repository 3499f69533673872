//! The consumer's body on its way into the producer's: without its reads of the producer, and with what was merged in
//! place of what it read.

use std::collections::HashMap;

use crate::ir::rewrite::Copier;
use crate::ir::{BodyId, Loc, Op, Program, Sink, Stmt, Value};

/// What is left of a consumer when a producer takes it in.
pub(super) struct Consumed {
    /// The vectors that it read, and the sink of each.
    pub(super) read: HashMap<Value, Sink>,
    /// Which values are elements, and of which vector.
    elements: Vec<(Value, Value)>,
    /// The body.
    stmts: Vec<Stmt>,
    /// The consumer's index, and what stands for it, if it has a meaning in the producer.
    index: Option<(Value, Value)>,
}

impl Consumed {
    /// Takes the body of a consumer, with its indices besides the first in `for`s up to `extents`.
    pub(super) fn take(
        program: &mut Program,
        body: BodyId,
        extents: &[Value],
        read: HashMap<Value, Sink>,
        own_index: Option<Value>,
        loc: Loc,
    ) -> Consumed {
        let index = program.bodies[body].params[0];
        let elements = remove_reads(program, body, index, &read);
        let stmts = wrap_in_fors(program, body, extents, loc);
        Consumed { read, elements, stmts, index: own_index.map(|own| (index, own)) }
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

/// Pastes a copy of each of `consumed` behind each merge into the vectors that it read, in `body` and the bodies inside it;
/// where it read several vectors, behind the last of the merges that belong together.
pub(super) fn at_merges(program: &mut Program, body: BodyId, consumed: &[Consumed]) {
    let mut readers: HashMap<Sink, Vec<usize>> = HashMap::new();
    for (number, consumed) in consumed.iter().enumerate() {
        consumed.read.values().for_each(|&sink| readers.entry(sink).or_default().push(number));
    }
    if !readers.is_empty() {
        paste(program, body, consumed, &readers);
    }
}

fn paste(program: &mut Program, body: BodyId, consumed: &[Consumed], readers: &HashMap<Sink, Vec<usize>>) {
    let mut pasted = Vec::new();
    // The values merged here into each vector, and how many of them each consumer has got.
    let mut merged: HashMap<Sink, Vec<Value>> = HashMap::new();
    let mut got: HashMap<usize, usize> = HashMap::new();
    for stmt in program.take_stmts(body) {
        stmt.op.for_each_body(|inner| paste(program, inner, consumed, readers));
        let merge = match &stmt.op {
            Op::Merge { sink, values } => readers.get(sink).map(|readers| (*sink, values[0], readers)),
            _ => None,
        };
        pasted.push(stmt);
        let Some((sink, value, readers)) = merge else { continue };
        merged.entry(sink).or_default().push(value);
        for &number in readers.iter().rev() {
            let (consumed, got) = (&consumed[number], got.entry(number).or_default());
            let is_complete = |sink| merged.get(sink).is_some_and(|values| values.len() > *got);
            if consumed.read.values().all(is_complete) {
                pasted.extend(consumed.copy(program, |sink| merged[&sink][*got]));
                *got += 1;
            }
        }
    }
    program.put_stmts(body, pasted);
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
