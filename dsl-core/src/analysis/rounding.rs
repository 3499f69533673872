//! Where it shows in the bits of a program how its loops are cut and nested: sums and products of floats are rounded once for each step,
//! and a function that reduces need not be associative to the last bit.
//!
//! A program that is specialised to constants when it is optimised already has the order that it had without them: see [`FixedOrder`]. Rules
//! that could change it ask here.

use std::collections::BTreeSet;

use weldment_runtime::lang::types::{Scalar, Type};

use super::cost;
use super::effects::Effects;
use crate::ir::{
    BodyId, Defs, FixedOrder, Loop, Op, Order, Program, Reducer, Sink, SinkDecl, SinkKind, Stmt,
};

/// The order that `program` has now, to be kept.
pub(crate) fn order_of(program: &Program) -> FixedOrder {
    let mut chunks = Vec::new();
    for_each_cut(program, program.entry, &mut |inner| {
        let shown = inner.sinks.iter().filter(|decl| shows_order(decl));
        chunks.extend(shown.map(|decl| (decl.sink, cost::chunk_len(program, inner))));
    });
    chunks.into_iter().collect()
}

/// Whether `program`, whose order is fixed, is cut into chunks where it was not when that was fixed, and it shows.
pub(crate) fn is_cut_otherwise(program: &Program) -> bool {
    let Some(order) = &program.fixed_order else { return false };
    let mut is_cut = false;
    for_each_cut(program, program.entry, &mut |inner| {
        is_cut |= inner.sinks.iter().any(shows_order) && order.chunk(&inner.sinks).is_none();
    });
    is_cut
}

/// The loops that are cut into chunks: those in no other loop or function.
fn for_each_cut<'p>(program: &'p Program, body: Option<BodyId>, visit: &mut impl FnMut(&'p Loop)) {
    for stmt in body.iter().flat_map(|&body| &program.bodies[body].stmts) {
        match &stmt.op {
            Op::Loop(inner) if !inner.extents.is_empty() => visit(inner),
            Op::If { then, els, .. } => {
                for_each_cut(program, Some(*then), visit);
                for_each_cut(program, Some(*els), visit);
            }
            Op::Iterate { body, .. } => for_each_cut(program, Some(*body), visit),
            _ => {}
        }
    }
}

/// Whether the iterations of `stmt`, a loop or a `for`, may be written out, one behind the other, with the same bits: not where they merge
/// floats into a loop around, since the index of the innermost loop chooses the lane.
pub(crate) fn may_write_out(program: &Program, defs: &Defs, stmt: &Stmt) -> bool {
    if program.fixed_order.is_none() {
        return true;
    }
    let merged = Effects::of_stmt(program, defs, stmt).merges;
    merged.is_empty() || merged.is_disjoint(&in_lanes(program))
}

/// Whether the statements of `body` may stand outside of the loop or region that they are in, with the same bits: a loop that stands in no
/// other is cut into chunks.
pub(crate) fn may_leave(program: &Program, body: BodyId) -> bool {
    let mut holds_loops = false;
    program.for_each_stmt(body, &mut |stmt| holds_loops |= matches!(stmt.op, Op::Loop(_) | Op::For { .. }));
    program.fixed_order.is_none() || !holds_loops
}

/// Whether it shows in what a sink makes in which order values are combined.
fn shows_order(decl: &SinkDecl) -> bool {
    match &decl.kind {
        SinkKind::Collect { .. } | SinkKind::BucketCollect { .. } => false,
        SinkKind::Reduce { ty, reducer: Reducer::Op(_), .. }
        | SinkKind::BucketReduce { value: ty, reducer: Reducer::Op(_), .. }
        | SinkKind::Scatter { ty, .. } => holds_floats(ty),
        SinkKind::Reduce { reducer: Reducer::Func(_), .. }
        | SinkKind::BucketReduce { reducer: Reducer::Func(_), .. } => true,
    }
}

fn holds_floats(ty: &Type) -> bool {
    ty.sum(|leaf| u64::from(leaf.as_scalar().is_none_or(Scalar::is_float))) > 0
}

/// The sinks that fold floats in lanes.
fn in_lanes(program: &Program) -> BTreeSet<Sink> {
    let mut sinks = BTreeSet::new();
    for_each_loop(program, &mut |inner| {
        let in_lanes = inner.sinks.iter().filter(|decl| match &decl.kind {
            SinkKind::Reduce { ty, reducer: Reducer::Op(_), order: Order::Lanes, .. } => holds_floats(ty),
            _ => false,
        });
        sinks.extend(in_lanes.map(|decl| decl.sink));
    });
    sinks
}

fn for_each_loop<'p>(program: &'p Program, visit: &mut impl FnMut(&'p Loop)) {
    let Some(entry) = program.entry else { return };
    program.for_each_stmt(entry, &mut |stmt| {
        if let Op::Loop(inner) = &stmt.op {
            visit(inner);
        }
    });
}
