//! Reductions of structs by an operator, which goes field by field, become a reduction per field.

use std::collections::{HashMap, HashSet};

use weldment_runtime::lang::types::Type;

use crate::ir::{BodyId, Loc, Loop, Op, Program, Reducer, Sink, SinkDecl, SinkKind, Stmt, Value};

/// The sinks that reduce structs by an operator.
pub(super) fn separable(program: &Program) -> Vec<Sink> {
    let mut sinks = Vec::new();
    let Some(entry) = program.entry else { return sinks };
    let is_separable = |decl: &&SinkDecl| {
        matches!(&decl.kind, SinkKind::Reduce { ty, reducer: Reducer::Op(_), .. }
            if ty.fields().is_some_and(|fields| !fields.is_empty()))
    };
    program.for_each_body(entry, &mut |body| {
        for stmt in &program.bodies[body].stmts {
            if let Op::Loop(inner) = &stmt.op {
                sinks.extend(inner.sinks.iter().filter(is_separable).map(|decl| decl.sink));
            }
        }
    });
    sinks
}

/// Reduces each field of what is merged into `sinks` by itself, and makes the structs of what comes out.
pub(super) fn split(program: &mut Program, sinks: &[Sink]) {
    let entry = program.entry.expect("sinks are found in a program");
    let wanted: HashSet<Sink> = sinks.iter().copied().collect();
    let mut parts = HashMap::new();
    for body in program.bodies_within(entry) {
        let mut stmts = Vec::new();
        for stmt in program.take_stmts(body) {
            match stmt.op {
                Op::Loop(inner) if inner.sinks.iter().any(|decl| wanted.contains(&decl.sink)) => {
                    split_sinks(program, (stmt.results, inner, stmt.loc), &wanted, &mut parts, &mut stmts);
                }
                _ => stmts.push(stmt),
            }
        }
        program.put_stmts(body, stmts);
    }
    merge_fields(program, entry, &parts);
}

/// Replaces the `wanted` sinks of a loop, whose sinks for the fields go into `parts`, by statements in `out`.
fn split_sinks(
    program: &mut Program,
    (results, mut inner, loc): (Vec<Value>, Loop, Loc),
    wanted: &HashSet<Sink>,
    parts: &mut HashMap<Sink, Vec<Sink>>,
    out: &mut Vec<Stmt>,
) {
    let (mut of_fields, mut wholes) = (Vec::new(), Vec::new());
    for (decl, whole) in std::mem::take(&mut inner.sinks).into_iter().zip(results) {
        let SinkKind::Reduce { ty, reducer, init, empty, order } = &decl.kind else {
            inner.sinks.push(decl);
            of_fields.push(whole);
            continue;
        };
        if !wanted.contains(&decl.sink) {
            inner.sinks.push(decl);
            of_fields.push(whole);
            continue;
        }
        let types: Vec<Type> = ty.fields().expect("a struct").to_vec();
        let mut values = Vec::new();
        for (number, field_type) in types.into_iter().enumerate() {
            let init = init.map(|init| program.append(Op::Field(init, number as u32), decl.loc, out));
            let (value, sink) = (program.fresh(field_type.clone()), program.fresh_sink());
            let kind = SinkKind::Reduce {
                ty: field_type,
                reducer: reducer.clone(),
                init,
                empty: *empty,
                order: *order,
            };
            inner.sinks.push(SinkDecl { sink, kind, loc: decl.loc });
            of_fields.push(value);
            values.push(value);
            parts.entry(decl.sink).or_default().push(sink);
        }
        let op = Op::Struct(values, ty.struct_name().cloned());
        wholes.push(Stmt { results: vec![whole], op, loc });
    }
    out.push(Stmt { results: of_fields, op: Op::Loop(inner), loc });
    out.extend(wholes);
}

/// Merges the fields into their sinks wherever a struct is merged into one that has `parts`.
fn merge_fields(program: &mut Program, entry: BodyId, parts: &HashMap<Sink, Vec<Sink>>) {
    for body in program.bodies_within(entry) {
        let mut stmts = Vec::new();
        for stmt in program.take_stmts(body) {
            let (merged, sinks) = match &stmt.op {
                Op::Merge { sink, values } if parts.contains_key(sink) => (values[0], &parts[sink]),
                _ => {
                    stmts.push(stmt);
                    continue;
                }
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
