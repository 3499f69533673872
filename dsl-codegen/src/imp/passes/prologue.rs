//! `prologue`: the first iterations of a short reduction are folded in order as well, which is all if there are no more.
//!
//! # Preconditions
//! The loop does nothing but accumulate in lanes of registers, each once in an iteration.
//!
//! # Before / After
//! ```text
//! for p in 0..n { x = load c[p]; a0[p] += x }
//! t = read a0 fold +
//! ```
//! ```text
//! start a1
//! for p in 0..n { x = load c[p]; a0[p] := x; a1 += x }
//!   exit 16 { m = sub n, 16; d = slice c, 16, m; for q in 0..m { y = load d[q]; a0[q] += y }; s = read a0 fold +; a1 := s }
//! t = read a1 fold +
//! ```
//!
//! # Declines when
//! The loop IR did not ask for it.
//!
//! # Order
//! Before `strips`: the rest polls, and the first iterations do not.

use std::collections::BTreeMap;

use weldment_core::ir::BinaryOp;
use weldment_runtime::exec::context::ROW_STRIP;

use super::pass::{Pass, each_block};
use crate::imp::copy::copy_of;
use crate::imp::make::set;
use crate::imp::{AccOp, Block, For, Hints, Imp, Lane, RegId, Stmt, Target};

pub(super) const PASS: Pass = Pass { name: "prologue", is_for: |_| true, run };

fn run(imp: &mut Imp, _: &Target) {
    each_block(imp, &mut |imp, block| {
        let mut sums = BTreeMap::new();
        let mut out = Block { stmts: Vec::new(), results: std::mem::take(&mut block.results) };
        for stmt in std::mem::take(&mut block.stmts) {
            match stmt {
                Stmt::For(inner) if few(&inner).is_some() => rewrite(imp, inner, &mut out, &mut sums),
                Stmt::Read { result, reg, fold } => {
                    let reg = sums.get(&reg).copied().unwrap_or(reg);
                    out.stmts.push(Stmt::Read { result, reg, fold });
                }
                stmt => out.stmts.push(stmt),
            }
        }
        *block = out;
    });
}

fn few(inner: &For) -> Option<u32> {
    inner.hints.as_ref()?.prologue
}

fn rewrite(imp: &mut Imp, mut inner: For, out: &mut Block, sums: &mut BTreeMap<RegId, RegId>) {
    let Some(few) = few(&inner) else { return };
    let hints = inner.hints.take().unwrap_or_default();
    let rest = rest(imp, &inner, few, *hints);
    let mut own = BTreeMap::new();
    let mut stmts = Vec::with_capacity(inner.body.stmts.len());
    for stmt in inner.body.stmts {
        match stmt {
            Stmt::Accumulate { reg, lane, op: op @ AccOp::Reduce(fold), value, mask } => {
                let sum = own.entry(reg).or_insert_with(|| {
                    let of = imp.regs[reg].clone();
                    (imp.reg(of.ty, 1, of.start), fold)
                });
                stmts.push(Stmt::Accumulate { reg: sum.0, lane: Lane::Zero, op, value, mask });
                stmts.push(Stmt::Accumulate { reg, lane, op: AccOp::Set, value, mask });
            }
            stmt => stmts.push(stmt),
        }
    }
    inner.body.stmts = stmts;
    let mut exit = rest;
    for (&reg, &(sum, fold)) in &own {
        out.stmts.push(Stmt::Start(sum));
        let result = imp.value(imp.regs[reg].ty.into());
        exit.stmts.push(Stmt::Read { result, reg, fold });
        exit.stmts.push(set(sum, result));
        sums.insert(reg, sum);
    }
    inner.exit = Some((few, exit));
    out.stmts.push(Stmt::For(inner));
}

/// The iterations behind the first `few`.
fn rest(imp: &mut Imp, inner: &For, few: u32, hints: Hints) -> Block {
    let mut rest = Block::default();
    let few = imp.at(few.into());
    let [_, count] = inner.range;
    let left = rest.position(imp, BinaryOp::Sub, count, few);
    let columns = inner.columns();
    let cut = columns.iter().map(|&column| (column, rest.slice(imp, column, few, left))).collect();
    let first = inner.number.map(|number| rest.position(imp, BinaryOp::Add, number.first, few));
    let whole = Block { stmts: vec![Stmt::For(inner.clone())], results: Vec::new() };
    let mut copy = copy_of(imp, &whole, cut);
    let Some(Stmt::For(again)) = copy.stmts.first_mut() else { unreachable!("a copy of a loop is a loop") };
    again.range[1] = left;
    if let (Some(number), Some(first)) = (&mut again.number, first) {
        number.first = first;
    }
    let hints = Hints { prologue: None, strip: Some(ROW_STRIP as u32), prefetch: Vec::new(), ..hints };
    again.hints = Some(Box::new(hints));
    rest.stmts.extend(copy.stmts);
    rest
}
