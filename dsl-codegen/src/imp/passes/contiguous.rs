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
//! same in all iterations is computed once; if that can fault, only where there is an iteration, and none of them can fault before.
//!
//! Indices that move along are checked once for all iterations, see `guard`, and the loop stays as it is beside, for where that does not hold.
//!
//! # Declines when
//! The loop holds others, or is a part of a row of points, which `partition` cuts.
//!
//! # Order
//! Behind `interchange`, which makes slices itself, and `strips`, so that a slice is that of a strip; before `outline`, which hands slices
//! to functions.

use weldment_core::ir::{CompareOp, Op};
use weldment_runtime::lang::types::Type;

use super::guard::Guarded;
use super::moving::{Moving, needed};
use super::pass::{Pass, each_for};
use crate::imp::effects::of_stmt;
use crate::imp::{Block, For, Imp, Side, Stmt, Target};

pub(super) const PASS: Pass = Pass { name: "contiguous", is_for: |target| target.blocks, run };

fn run(imp: &mut Imp, _: &Target) {
    each_for(imp, is_innermost, |imp, inner, out| {
        if let Some(Guarded { mut before, holds, proved }) = Guarded::of(imp, &inner)
            && let Some(then) = sliced(imp, &proved)
        {
            out.stmts.append(&mut before.stmts);
            let els = sliced(imp, &inner)
                .unwrap_or_else(|| Block { stmts: vec![Stmt::For(inner)], results: Vec::new() });
            let cold = Some(Side::Else);
            return out.stmts.push(Stmt::If { results: Vec::new(), cond: holds, then, els, cold });
        }
        match sliced(imp, &inner) {
            Some(mut sliced) => out.stmts.append(&mut sliced.stmts),
            None => out.stmts.push(Stmt::For(inner)),
        }
    });
}

/// `inner`, whose reads are of slices; nothing if none can be.
fn sliced(imp: &mut Imp, inner: &For) -> Option<Block> {
    let mut moving = Moving::of(imp, inner);
    let (mut before, mut body) = (Block::default(), Vec::new());
    // Whether a fault of an iteration may come before that of what is the same in all.
    let (mut may_fault, mut is_asked) = (false, false);
    for stmt in &inner.body.stmts {
        let faults = of_stmt(imp, stmt).faults;
        if moving.is_fixed(stmt) && is_pure(imp, stmt) && !(faults && may_fault) {
            is_asked |= faults;
            before.stmts.push(stmt.clone());
            continue;
        }
        may_fault |= faults;
        if !moving.note_read(imp, stmt) {
            moving.note(stmt);
        }
        body.push(stmt.clone());
    }
    let ([from, to], Some(number)) = (inner.range, inner.number) else { return None };
    if moving.reads.is_empty() || imp.known_position(from) != Some(0) {
        return None;
    }
    let loads = moving.loads(imp, &mut before, inner, [number.first, to, inner.index]);
    for (&(read, ..), load) in moving.reads.iter().zip(loads) {
        let at = body.iter().position(|stmt| matches!(stmt, Stmt::Let { result, .. } if *result == read));
        body[at.expect("a read stands in the body")] = load;
    }
    let body = Block { stmts: needed(imp, body), results: Vec::new() };
    before.stmts.push(Stmt::For(For { body, ..inner.clone() }));
    if !is_asked {
        return Some(before);
    }
    // Of no iterations there is no fault.
    let mut whole = Block::default();
    let zero = imp.at(0);
    let cond = whole.bind(imp, Type::BOOL, Op::Compare(CompareOp::Lt, zero, to));
    whole.stmts.push(Stmt::If { results: Vec::new(), cond, then: before, els: Block::default(), cold: None });
    Some(whole)
}

/// Whether a statement computes a scalar, of nothing that it reads in memory, and does so without a fault but for that of an index.
fn is_pure(imp: &Imp, stmt: &Stmt) -> bool {
    match stmt {
        Stmt::Let { op: Op::At(..), .. } => false,
        Stmt::Let { op: Op::Position(..) | Op::CheckIndex(..), .. } => true,
        Stmt::Let { result, .. } => imp.values[*result].ty.is_scalars() && !of_stmt(imp, stmt).faults,
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
                    | Stmt::Read { .. }
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
