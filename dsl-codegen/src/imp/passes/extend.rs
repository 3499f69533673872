//! `extend`: a loop that appends each element of a vector in turn appends them all at once.
//!
//! Compilers do not see that it copies memory, for each element may be the one for which the vector has to grow.
//!
//! # Before / After
//! ```text
//! for p in 0..n { x = load c[p]; do append #0, x }
//! ```
//! ```text
//! d = slice c, 0, n
//! do extend #0, d
//! ```
//!
//! # Declines when
//! The loop does anything else, its elements hold vectors, or what they are appended to is no vector that grows by itself.
//!
//! # Order
//! Behind `strips`, which sees to it that a run can be cancelled while much is copied.

use weldment_core::ir::BinaryOp;

use super::pass::{Pass, each_for};
use crate::imp::{Action, Block, For, Hints, Imp, Stmt, Strategy, Stride, Target};

pub(super) const PASS: Pass = Pass { name: "extend", is_for: |target| target.extend, run };

fn run(imp: &mut Imp, _: &Target) {
    let is_plain = |inner: &For| {
        inner.step == 1
            && inner.number.is_none()
            && inner.end.is_none()
            && inner.exit.is_none()
            && inner.hints.as_ref().is_none_or(|hints| is_settled(hints))
            && matches!(inner.body.stmts[..], [Stmt::Load { .. }, Stmt::Do { action: Action::Append, .. }])
    };
    each_for(imp, is_plain, |imp, inner, out| {
        if extended(imp, &inner, out).is_none() {
            out.stmts.push(Stmt::For(inner));
        }
    });
}

/// Whether other passes have nothing to do with the loop but to prefetch what it reads, and to reserve room.
fn is_settled(hints: &Hints) -> bool {
    let Hints { prefetch, reserve, .. } = hints.clone();
    *hints == Hints { prefetch, reserve, ..Hints::default() }
}

/// Puts into `out` what `inner` does, if it copies.
fn extended(imp: &mut Imp, inner: &For, out: &mut Block) -> Option<()> {
    let [
        Stmt::Load { result, column, index, stride: Stride::One },
        Stmt::Do { store, args, mask: None, loc, .. },
    ] = &inner.body.stmts[..]
    else {
        return None;
    };
    let of = &imp.stores[*store];
    let grows = of.strategy == Strategy::Grow && of.item.is_scalars();
    if *index != inner.index || args[..] != [*result] || !grows {
        return None;
    }
    let count = out.position(imp, BinaryOp::Sub, inner.range[1], inner.range[0]);
    let part = out.slice(imp, *column, inner.range[0], count);
    out.stmts.push(Stmt::Do {
        results: Vec::new(),
        store: *store,
        action: Action::Extend,
        args: vec![part],
        mask: None,
        loc: *loc,
    });
    Some(())
}
