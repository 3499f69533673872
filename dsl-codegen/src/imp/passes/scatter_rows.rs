//! `scatter_rows`: a loop that computes scalars and merges one of them into a vector by index takes some rows at a time, so that none
//! need wait to see whether the one before it goes to the same place. Where an index is outside, its rows are computed again one by
//! one, so that nothing is kept in registers for that.
//!
//! # Before / After
//! ```text
//! for p in 0..n { i = load c[p]; do merge #0, i, 1 }
//! ```
//! ```text
//! for k in 0..m by 8 {
//!   lanes q at k x 8 apart { j = load c[q] }
//!   ok = do merge_block #0, j, 1
//!   if ok {} else { e = add k, 8; for p in k..e tail { i = load c[p]; do merge #0, i, 1 } } cold else
//! }
//! for p in m..n tail { i = load c[p]; do merge #0, i, 1 }
//! ```
//!
//! # Order
//! Behind `outline`, before `prefetch`.

use std::collections::BTreeMap;

use weldment_core::ir::{BinaryOp, Value};
use weldment_runtime::lang::types::Type;

use super::parts::{again, whole};
use super::pass::{Pass, each_for};
use crate::imp::copy::copy_of;
use crate::imp::{Action, Block, For, Hints, Imp, Lanes, Side, Stmt, Target};

pub(super) const PASS: Pass = Pass { name: "scatter-rows", is_for: |_| true, run };

fn run(imp: &mut Imp, _: &Target) {
    let rows = |inner: &For| inner.hints.as_ref().and_then(|hints| hints.rows);
    each_for(
        imp,
        |inner| rows(inner).is_some(),
        |imp, inner, out| {
            let Some(rows) = rows(&inner) else { return };
            let middle = whole(imp, out, inner.range[1], rows);
            let step = imp.position();
            let mut body = Block::default();
            let (lanes, merged) = lanes(imp, &inner, step, rows);
            body.stmts.push(Stmt::Lanes(lanes));
            let is_inside = imp.value(Type::BOOL);
            let Some(Stmt::Do { store, args, loc, .. }) =
                inner.body.stmts.iter().find(|stmt| matches!(stmt, Stmt::Do { .. }))
            else {
                return out.stmts.push(Stmt::For(inner));
            };
            let args = args.iter().map(|arg| merged.get(arg).copied().unwrap_or(*arg)).collect();
            let (results, action) = (vec![is_inside], Action::MergeBlock);
            body.stmts.push(Stmt::Do { results, store: *store, action, args, mask: None, loc: *loc });
            let mut slow = Block::default();
            let count = imp.at(rows.into());
            let end = slow.position(imp, BinaryOp::Add, step, count);
            slow.stmts.push(again(imp, &inner, [step, end]));
            let (then, cold) = (Block::default(), Some(Side::Else));
            body.stmts.push(Stmt::If { results: Vec::new(), cond: is_inside, then, els: slow, cold });
            let zero = imp.at(0);
            let prefetch = inner.hints.as_ref().map(|hints| hints.prefetch.clone()).unwrap_or_default();
            let hints = Some(Box::new(Hints { prefetch, ..Hints::default() }));
            let steps = For::over(step, [zero, middle], rows, body, inner.loc);
            out.stmts.push(Stmt::For(For { hints, ..steps }));
            out.stmts.push(again(imp, &inner, [middle, inner.range[1]]));
        },
    );
}

/// What `rows` iterations from `first` on compute, and what the values of an iteration are there.
fn lanes(imp: &mut Imp, inner: &For, first: Value, rows: u32) -> (Lanes, BTreeMap<Value, Value>) {
    let mut body = inner.body.clone();
    body.stmts.retain(|stmt| !matches!(stmt, Stmt::Do { .. }));
    let bound: Vec<Value> =
        body.stmts.iter().flat_map(|stmt| stmt.values(super::super::walk::Use::Bind)).collect();
    let index = imp.position();
    let mut names = BTreeMap::from([(inner.index, index)]);
    let number = inner.number.map(|number| {
        let value = imp.value(Type::I64);
        names.insert(number.value, value);
        super::super::Number { value, first: number.first }
    });
    let body = copy_of(imp, &body, names.clone());
    let made: Vec<Value> =
        body.stmts.iter().flat_map(|stmt| stmt.values(super::super::walk::Use::Bind)).collect();
    names.extend(bound.into_iter().zip(made));
    for &value in names.values() {
        imp.values[value].width = rows;
    }
    (Lanes { index, number, first, width: rows, apart: true, body }, names)
}
