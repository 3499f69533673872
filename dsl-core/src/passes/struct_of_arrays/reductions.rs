//! Reductions of structs by an operator, which goes field by field, become a reduction per field.

use weldment_runtime::types::Type;

use crate::ir::{BodyId, Loop, Op, Program, Reducer, Sink, SinkDecl, SinkKind, Stmt, Value};

/// A reduction of structs by an operator.
pub(super) struct Separable {
    /// Where the loop stands.
    body: BodyId,
    index: usize,
    /// The number of the sink.
    number: usize,
}

impl Separable {
    /// The first in the program.
    pub(super) fn find(program: &Program) -> Option<Separable> {
        let mut found = None;
        program.for_each_body(program.entry?, &mut |body| {
            if found.is_some() {
                return;
            }
            for (index, stmt) in program.bodies[body].stmts.iter().enumerate() {
                let Op::Loop(inner) = &stmt.op else { continue };
                let separable = |decl: &SinkDecl| {
                    matches!(&decl.kind, SinkKind::Reduce { ty, reducer: Reducer::Op(_), .. }
                        if ty.fields().is_some_and(|fields| !fields.is_empty()))
                };
                if let Some(number) = inner.sinks.iter().position(separable) {
                    found = Some(Separable { body, index, number });
                    return;
                }
            }
        });
        found
    }

    /// Reduces each field by itself, and makes the struct of what comes out.
    pub(super) fn split(self, program: &mut Program) {
        let mut stmts = program.take_stmts(self.body);
        let mut after = stmts.split_off(self.index + 1);
        let Some(Stmt { results, op: Op::Loop(mut inner), loc }) = stmts.pop() else {
            unreachable!("a reduction is found at a loop")
        };
        let mut results = results;
        let whole = results.remove(self.number);
        let decl = inner.sinks.remove(self.number);
        let SinkKind::Reduce { ty, reducer, init, empty } = decl.kind else {
            unreachable!("a reduction is found at a sink that reduces")
        };
        let types: Vec<Type> = ty.fields().expect("a struct").to_vec();
        let mut sinks = Vec::new();
        let mut parts = Vec::new();
        for (number, ty) in types.into_iter().enumerate() {
            let init = init.map(|init| program.append(Op::Field(init, number as u32), decl.loc, &mut stmts));
            let part = program.fresh(ty.clone());
            let sink = program.fresh_sink();
            let kind = SinkKind::Reduce { ty, reducer: reducer.clone(), init, empty };
            inner.sinks.insert(self.number + number, SinkDecl { sink, kind, loc: decl.loc });
            results.insert(self.number + number, part);
            sinks.push(sink);
            parts.push(part);
        }
        merge_fields(program, &inner, decl.sink, &sinks);
        stmts.push(Stmt { results, op: Op::Loop(inner), loc });
        let name = ty.struct_name().cloned();
        stmts.push(Stmt { results: vec![whole], op: Op::Struct(parts, name), loc });
        stmts.append(&mut after);
        program.put_stmts(self.body, stmts);
    }
}

/// Merges the fields into `sinks` wherever a struct is merged into `whole`.
fn merge_fields(program: &mut Program, inner: &Loop, whole: Sink, sinks: &[Sink]) {
    for body in program.bodies_within(inner.body) {
        let mut stmts = Vec::new();
        for stmt in program.take_stmts(body) {
            let merged: Option<Value> = match &stmt.op {
                Op::Merge { sink, values } if *sink == whole => Some(values[0]),
                _ => None,
            };
            let Some(merged) = merged else {
                stmts.push(stmt);
                continue;
            };
            for (number, &sink) in sinks.iter().enumerate() {
                let value = program.append(Op::Field(merged, number as u32), stmt.loc, &mut stmts);
                let op = Op::Merge { sink, values: vec![value] };
                stmts.push(Stmt { results: Vec::new(), op, loc: stmt.loc });
            }
        }
        program.put_stmts(body, stmts);
    }
}
