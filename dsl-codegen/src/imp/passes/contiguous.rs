//! `contiguous`: what a loop reads one element behind the other becomes a slice, so that no index is checked and a block is one read.
//!
//! # Preconditions
//! The body computes, merges and accumulates; a read stands in it directly, so that all iterations make it, and its index is the number
//! of the iteration plus something that is the same in all of them.
//!
//! # Before / After
//! ```text
//! for p number j in 0..n { i = mul r, m; k = add i, j; x = at v, k; a0[p] += x }
//! ```
//! ```text
//! i = mul r, m; k = add i, …; l = select (lt 0, n), k, 0; c = slice v, l, n
//! for p in 0..n { x = load c[p]; a0[p] += x }
//! ```
//! Each iteration reads where it did, and where all of them read is inside; of no iterations, the slice is one of nothing. What is the
//! same in all iterations is computed once.
//!
//! # Declines when
//! The loop holds others, or is a part of a row of points, which `partition` cuts.
//!
//! # Order
//! Behind `interchange`, which makes slices itself, and `strips`, so that a slice is that of a strip; before `outline`, which hands slices
//! to functions.

use weldment_core::ir::Op;

use super::moving::{Moving, needed};
use super::pass::{Pass, each_for};
use crate::imp::effects::of_op;
use crate::imp::{Block, For, Imp, Stmt, Target};

pub(super) const PASS: Pass = Pass { name: "contiguous", is_for: |target| target.blocks, run };

fn run(imp: &mut Imp, _: &Target) {
    each_for(imp, is_innermost, |imp, mut inner, out| {
        let mut moving = Moving::of(imp, &inner);
        let (mut before, mut body) = (Block::default(), Vec::new());
        for stmt in &inner.body.stmts {
            if is_total(imp, stmt) && moving.is_fixed(stmt) {
                before.stmts.push(stmt.clone());
                continue;
            }
            if !moving.note_read(imp, stmt) {
                moving.note(stmt);
            }
            body.push(stmt.clone());
        }
        let ([from, to], Some(number)) = (inner.range, inner.number) else {
            return out.stmts.push(Stmt::For(inner));
        };
        if moving.reads.is_empty() || imp.known_position(from) != Some(0) {
            return out.stmts.push(Stmt::For(inner));
        }
        let loads = moving.loads(imp, &mut before, &inner, [number.first, to, inner.index]);
        for (&(read, ..), load) in moving.reads.iter().zip(loads) {
            let at = body.iter().position(|stmt| matches!(stmt, Stmt::Let { result, .. } if *result == read));
            body[at.expect("a read stands in the body")] = load;
        }
        inner.body.stmts = needed(imp, body);
        out.stmts.append(&mut before.stmts);
        out.stmts.push(Stmt::For(inner));
    });
}

/// Whether a statement computes something without a fault, wherever it stands.
fn is_total(imp: &Imp, stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Let { op: Op::At(..), .. } => false,
        Stmt::Let { result, op, known, .. } => {
            imp.values[*result].ty.is_scalars() && !of_op(imp, op, *known).faults
        }
        _ => false,
    }
}

/// Whether a loop goes on one by one, and holds no others.
fn is_innermost(inner: &For) -> bool {
    let is_plain = |stmt: &Stmt| {
        let mut is_straight = true;
        let whole = Block { stmts: vec![stmt.clone()], results: Vec::new() };
        whole.for_each_stmt(&mut |stmt| {
            is_straight &= matches!(
                stmt,
                Stmt::Let { .. }
                    | Stmt::Load { .. }
                    | Stmt::Accumulate { .. }
                    | Stmt::Do { .. }
                    | Stmt::If { .. }
            );
        });
        is_straight
    };
    let is_row = inner.hints.as_ref().is_some_and(|hints| hints.row.is_some());
    inner.number.is_some()
        && (inner.step, inner.end) == (1, None)
        && !is_row
        && inner.body.stmts.iter().all(is_plain)
}
