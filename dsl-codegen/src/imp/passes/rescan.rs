//! `rescan`: the least and the greatest of floats in blocks, by comparing, and the loop that asks what that leaves open.
//!
//! `min` and `max` skip NaN and tell −0.0 from 0.0, which takes six instructions for one; a comparison does neither. It finds the
//! extreme but for two questions that hardly ever come up: of the zeros, was there one of the sign that wins; of the infinity, was it
//! merged at all. If they do, all iterations are looked at once more.
//!
//! # Before / After
//! ```text
//! for k in 0..m by 16 { lanes q at k x 16 { y = load c[q]; a1[q] better= y } }
//! ```
//! ```text
//! … the same, and behind it:
//! w, o = rescan a0, a1 min
//! if w {
//!   start a2
//!   for k in 0..m by 16 { lanes q at k x 16 { y = load c[q]; a2 |= y is o } }
//!   f = read a2
//!   if f { a0 min= o }
//! }
//! ```
//!
//! # Order
//! Called by `blocks`, which knows the loop.

use std::collections::BTreeMap;

use weldment_core::ir::{Const, ReduceOp, Value};
use weldment_runtime::lang::scalar;
use weldment_runtime::lang::types::Scalar;

use super::parts::side_by_side;
use crate::imp::copy::copy_of;
use crate::imp::make::{ANY, FLAG};
use crate::imp::{AccOp, Block, For, Imp, Lane, RegId, Stmt};

/// Asks what comparing has left open about `total`, whose best lanes are `best`. `inner` is the loop before it ran in blocks.
pub(super) fn ask(
    imp: &mut Imp,
    out: &mut Block,
    inner: &For,
    middle: Value,
    width: u32,
    total: RegId,
    best: RegId,
) {
    let Some(op) = operator(inner, total) else { return };
    let (wanted, open) = (imp.value(FLAG), imp.value(imp.regs[total].ty.into()));
    out.stmts.push(Stmt::Rescan { wanted, open, total, best, op });
    let flag = imp.flag();
    let looked = looked_at(imp, inner, middle, width, total, [flag, total], open);
    let found = imp.value(FLAG);
    let merge =
        Stmt::Accumulate { reg: total, lane: Lane::Zero, op: AccOp::Reduce(op), value: open, mask: None };
    let then = Block {
        stmts: vec![
            Stmt::Start(flag),
            Stmt::For(looked),
            Stmt::Read { result: found, reg: flag, fold: ANY },
            branch(found, Block { stmts: vec![merge], results: Vec::new() }),
        ],
        results: Vec::new(),
    };
    out.stmts.push(branch(wanted, then));
}

/// What comparing leaves open about the least or greatest of floats: whether the infinity that it starts with was merged, and, where
/// the best is a zero, whether it was this one.
pub fn open_ends(op: ReduceOp, ty: Scalar) -> [Const; 2] {
    let zero = Const::F64(if op == ReduceOp::Min { -0.0 } else { 0.0 });
    [op.identity(ty), scalar::cast(ty, zero)]
}

fn branch(cond: Value, then: Block) -> Stmt {
    Stmt::If { results: Vec::new(), cond, then, els: Block::default(), cold: None }
}

fn operator(inner: &For, total: RegId) -> Option<ReduceOp> {
    inner.body.stmts.iter().find_map(|stmt| match stmt {
        Stmt::Accumulate { reg, op: AccOp::Reduce(op), .. } if *reg == total => Some(*op),
        _ => None,
    })
}

/// The blocks of `inner` once more: what goes to `total` is compared with `open`.
fn looked_at(
    imp: &mut Imp,
    inner: &For,
    middle: Value,
    width: u32,
    total: RegId,
    [flag, _]: [RegId; 2],
    open: Value,
) -> For {
    let mut inner = inner.clone();
    inner.hints = None;
    inner.body.stmts.retain(|stmt| match stmt {
        Stmt::Accumulate { reg, .. } => *reg == total,
        Stmt::Do { .. } => false,
        _ => true,
    });
    let whole = Block { stmts: vec![Stmt::For(inner)], results: Vec::new() };
    let mut copy = copy_of(imp, &whole, BTreeMap::new());
    let Some(Stmt::For(mut inner)) = copy.stmts.pop() else { unreachable!("a copy of a loop is a loop") };
    for stmt in &mut inner.body.stmts {
        if let Stmt::Accumulate { reg, lane, op, .. } = stmt {
            (*reg, *lane, *op) = (flag, Lane::Zero, AccOp::Same(open));
        }
    }
    let (zero, first, loc) = (imp.at(0), imp.position(), inner.loc);
    let lanes = side_by_side(imp, inner, first, width);
    let body = Block { stmts: vec![Stmt::Lanes(lanes)], results: Vec::new() };
    For::over(first, [zero, middle], width, body, loc)
}
