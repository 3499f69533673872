//! `strips`: a long loop asks between strips of iterations whether the run is cancelled.
//!
//! # Before / After
//! ```text
//! for p in 0..n { x = load c[p]; … }
//! ```
//! ```text
//! for s in 0..n by 16384 to e poll {
//!   m = sub e, s
//!   d = slice c, s, m
//!   for p in 0..m { x = load d[p]; … }
//! }
//! ```
//! Positions are those in the strip. Lanes of registers that a strip does not fill as often as each other, elements of
//! vectors that are written by position, and what is computed of a position, have theirs in the whole loop.
//!
//! # Declines when
//! The loop does not poll: it is of few iterations, or the driver polls before each chunk of it.
//!
//! # Order
//! Before `outline`, so that a function is a strip, and behind `prologue`.

use std::collections::BTreeMap;

use weldment_core::ir::{BinaryOp, Value};

use super::pass::{Pass, each_for};
use crate::imp::{Action, Block, For, Imp, Lane, Stmt, Target};

pub(super) const PASS: Pass = Pass { name: "strips", is_for: |_| true, run };

fn run(imp: &mut Imp, _: &Target) {
    let polls = |inner: &For| inner.hints.as_ref().is_some_and(|hints| hints.strip.is_some());
    each_for(imp, polls, |imp, mut inner, out| {
        let Some(step) = inner.hints.as_mut().and_then(|hints| hints.strip.take()) else { return };
        let strip = [imp.position(), imp.position()];
        let mut body = Block::default();
        let range = cut(imp, &mut inner, strip, step, &mut body);
        let loc = inner.loc;
        body.stmts.push(Stmt::For(inner));
        out.stmts.push(Stmt::For(For::in_strips(strip, range, step, body, loc)));
    });
}

/// Has `inner` run over a strip of `step` iterations, from `strip[0]` up to `strip[1]`, and gives the range of all of them. `body` is what the
/// strip begins with.
pub(super) fn cut(
    imp: &mut Imp,
    inner: &mut For,
    [strip, end]: [Value; 2],
    step: u32,
    body: &mut Block,
) -> [Value; 2] {
    let length = body.position(imp, BinaryOp::Sub, end, strip);
    let cut: BTreeMap<Value, Value> =
        inner.columns().iter().map(|&column| (column, body.slice(imp, column, strip, length))).collect();
    inner.read_instead(&cut);
    if let Some(number) = &mut inner.number {
        number.first = body.position(imp, BinaryOp::Add, number.first, strip);
    }
    in_whole(imp, inner, strip, step);
    let zero = imp.at(0);
    std::mem::replace(&mut inner.range, [zero, length])
}

/// Gives what needs it the position in the whole loop.
fn in_whole(imp: &mut Imp, inner: &mut For, strip: Value, step: u32) {
    let index = inner.index;
    let whole = imp.position();
    let mut is_needed = false;
    let regs = &imp.regs;
    inner.body.for_each_stmt_mut(&mut |stmt| match stmt {
        Stmt::Accumulate { reg, lane: Lane::Of(position), .. }
            if *position == index && !step.is_multiple_of(regs[*reg].lanes) =>
        {
            (*position, is_needed) = (whole, true);
        }
        Stmt::Do { action: Action::Put, args, .. } if args[0] == index => {
            (args[0], is_needed) = (whole, true);
        }
        // What is computed of the position is one of the whole loop, too: that of a row beside it, of a column that is not cut.
        Stmt::Let { op, .. } if op.reads(index) => {
            op.for_each_operand_mut(|operand| {
                if *operand == index {
                    *operand = whole;
                }
            });
            is_needed = true;
        }
        _ => {}
    });
    if is_needed {
        let mut start = Block::default();
        start.let_(
            whole,
            weldment_core::ir::Op::Binary(BinaryOp::Add, strip, index),
            weldment_core::ir::Loc::NONE,
        );
        inner.body.stmts.splice(0..0, start.stmts);
    }
}
