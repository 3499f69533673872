//! The rewrite: a loop over blocks of columns in front of the loop over columns, which then reads what it gave.

use std::collections::BTreeSet;

use weldment_runtime::lang::scalar::{BinaryOp, Const};
use weldment_runtime::lang::types::Type;

use super::columns::{Columns, Rewrite};
use crate::ir::rewrite::{Copier, Subst};
use crate::ir::{CompareOp, Loc, Loop, Op, Program, Reducer, SinkDecl, SinkKind, Stmt, Value};

/// Reduces blocks of columns, as `plan` says.
pub(super) fn apply(columns: &Columns, plan: &Rewrite, program: &mut Program) {
    let loc = columns.nest.loc(program);
    let types: Vec<Type> = {
        let stmt = columns.nest.stmt(program);
        stmt.results.iter().map(|&result| program.ty(result).clone()).collect()
    };
    let mut before = Vec::new();
    let width = program.append(Op::Const(Const::I64(plan.width as i64)), loc, &mut before);
    let mut make = |program: &mut Program, op| program.append(op, loc, &mut before);
    let mut blocks = None;
    let whole = if plan.is_whole {
        width
    } else {
        let number = make(program, Op::Binary(BinaryOp::Div, columns.nest.extent, width));
        blocks = Some(number);
        make(program, Op::Binary(BinaryOp::Mul, number, width))
    };

    let mut params = Vec::new();
    let mut stmts = Vec::new();
    let first = match blocks {
        Some(_) => {
            params.push(program.fresh(Type::I64));
            program.append(Op::Binary(BinaryOp::Mul, params[0], width), loc, &mut stmts)
        }
        None => program.append(Op::Const(Const::I64(0)), loc, &mut stmts),
    };
    let results = reduce_block(columns, plan, program, first, &mut stmts);
    let sinks: Vec<SinkDecl> = types
        .iter()
        .map(|ty| SinkDecl { sink: program.fresh_sink(), kind: SinkKind::collect(ty.clone()), loc })
        .collect();
    for column in results.chunks(types.len()) {
        for (decl, &value) in sinks.iter().zip(column) {
            let op = Op::Merge { sink: decl.sink, values: vec![value] };
            stmts.push(Stmt { results: Vec::new(), op, loc });
        }
    }
    let body = program.add_body(params, stmts, Vec::new());
    let all = program.stmt(Op::Loop(Loop { extents: blocks.into_iter().collect(), body, sinks }), loc);
    let reduced = all.results.clone();
    before.push(all);
    read(columns, plan, program, whole, &reduced, loc);
    program.bodies[columns.nest.body].stmts.splice(columns.nest.index..columns.nest.index, before);
}

/// Reduces the columns from `first` on in one loop over the rows. The results, column by column.
fn reduce_block(
    columns: &Columns,
    plan: &Rewrite,
    program: &mut Program,
    first: Value,
    out: &mut Vec<Stmt>,
) -> Vec<Value> {
    let inner = columns.nest.reduction(program).clone();
    let loc = columns.nest.loc(program);
    let column = program.bodies[columns.nest.outer].params[0];
    let row = program.fresh(Type::I64);
    let mut sinks = Vec::new();
    let mut stmts = Vec::new();
    let mut extent = None;
    let mut changing = None;
    let mut shared = Copier::new();
    for place in 0..plan.width {
        let offset = program.append(Op::Const(Const::I64(place as i64)), loc, out);
        let at = program.append(Op::Binary(BinaryOp::Add, first, offset), loc, out);
        // Vectors as long as there are columns are read without a check.
        let at = program.append(Op::CheckIndex(at, columns.nest.extent), loc, out);
        let changing = changing.get_or_insert_with(|| changing_setup(columns, plan, program));
        let of_outer = program.bodies[columns.nest.outer].stmts.clone();
        if place == 0 {
            for &number in plan.setup.difference(changing) {
                out.push(shared.stmt(program, &of_outer[number]));
            }
        }
        let mut copier = shared.clone();
        copier.subst.insert(column, at);
        for &number in plan.setup.intersection(changing) {
            out.push(copier.stmt(program, &of_outer[number]));
        }
        extent.get_or_insert_with(|| copier.subst.get(inner.extents[0]));
        for decl in &inner.sinks {
            sinks.push(copy_sink(program, decl, &mut copier));
        }
        copier.subst.insert(program.bodies[inner.body].params[0], row);
        let of_row = program.bodies[inner.body].stmts.clone();
        stmts.extend(copier.stmts(program, &of_row));
    }
    let body = program.add_body(vec![row], stmts, Vec::new());
    let block = Loop { extents: extent.into_iter().collect(), body, sinks };
    let block = program.stmt(Op::Loop(block), loc);
    let results = block.results.clone();
    out.push(block);
    results
}

/// A sink of its own for one of the columns.
fn copy_sink(program: &mut Program, decl: &SinkDecl, copier: &mut Copier) -> SinkDecl {
    let sink = program.fresh_sink();
    copier.sinks.insert(decl.sink, sink);
    let mut kind = decl.kind.clone();
    if let SinkKind::Reduce { reducer, init, .. } = &mut kind {
        if let Reducer::Func(func) = reducer {
            *func = copier.body(program, *func);
        }
        *init = init.map(|init| copier.subst.get(init));
    }
    SinkDecl { sink, kind, loc: decl.loc }
}

/// The numbers of those statements of the setup that change with the column.
fn changing_setup(columns: &Columns, plan: &Rewrite, program: &Program) -> BTreeSet<usize> {
    let outer = &program.bodies[columns.nest.outer];
    let mut changed = BTreeSet::from([outer.params[0]]);
    let mut changing = BTreeSet::new();
    for &number in &plan.setup {
        let stmt = &outer.stmts[number];
        let mut changes = false;
        program.for_each_read_of(stmt, &mut |value| changes |= changed.contains(&value));
        if changes {
            changed.extend(&stmt.results);
            changing.insert(number);
        }
    }
    changing
}

/// Reads what has been reduced in place of the inner loop, which is left to the columns behind the last block, if there
/// are any.
fn read(columns: &Columns, plan: &Rewrite, program: &mut Program, whole: Value, reduced: &[Value], loc: Loc) {
    let column = program.bodies[columns.nest.outer].params[0];
    let mut stmts = program.take_stmts(columns.nest.outer);
    let inner = stmts[columns.nest.number].clone();
    let mut found = Vec::new();
    let mut values = Vec::new();
    for &vector in reduced {
        let len = program.append(Op::Len(vector), loc, &mut found);
        let at = program.append(Op::CheckIndex(column, len), loc, &mut found);
        values.push(program.append(Op::At(vector, at), loc, &mut found));
    }
    if plan.is_whole {
        let mut subst = Subst::new();
        subst.insert_all(&inner.results, &values);
        stmts.splice(columns.nest.number..=columns.nest.number, found);
        program.put_stmts(columns.nest.outer, stmts);
        program.substitute(columns.nest.outer, &subst);
        return;
    }
    let then = program.add_body(Vec::new(), found, values);
    let rest: Vec<Value> =
        inner.results.iter().map(|&result| program.fresh(program.ty(result).clone())).collect();
    let last = Stmt { results: rest.clone(), op: inner.op, loc };
    let els = program.add_body(Vec::new(), vec![last], rest);
    let mut out = Vec::new();
    let cond = program.append(Op::Compare(CompareOp::Lt, column, whole), loc, &mut out);
    out.push(Stmt { results: inner.results, op: Op::If { cond, then, els }, loc });
    stmts.splice(columns.nest.number..=columns.nest.number, out);
    program.put_stmts(columns.nest.outer, stmts);
}
