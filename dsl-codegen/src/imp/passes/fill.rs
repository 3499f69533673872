//! `fill`: a loop that writes an element of one vector in each iteration, and does nothing besides, is a call of its store, which
//! needs no blocks.
//!
//! # Before / After
//! ```text
//! for p in 0..n { x = load c[p]; y = mul x, 2.0; do put #0, p, y }
//! ```
//! ```text
//! func row0(p) captures c { x = load c[p]; y = mul x, 2.0; give y }
//! do fill #0, n by row0
//! ```
//!
//! # Declines when
//! Its functions of mathematics wait for each other, or are of angles: `fission` and `near_angles` want blocks.
//!
//! # Order
//! Behind `outline` and before `blocks`.

use super::pass::{Pass, each_for};
use super::{fission, near_angles};
use crate::imp::{Action, Block, For, Imp, Stmt, Strategy, Stride, Target};

pub(super) const PASS: Pass = Pass { name: "fill", is_for: |target| target.fill, run };

fn run(imp: &mut Imp, _: &Target) {
    let mut wanted = Vec::new();
    for func in imp.funcs.ids() {
        imp.funcs[func].body.for_each_stmt(&mut |stmt| {
            if let Stmt::For(inner) = stmt
                && only_puts(imp, inner)
            {
                wanted.push(inner.index);
            }
        });
    }
    each_for(
        imp,
        |inner| wanted.contains(&inner.index),
        |imp, mut inner, out| {
            let put = inner.body.stmts.iter().position(|stmt| matches!(stmt, Stmt::Do { .. }));
            let Some(Stmt::Do { store, args, loc, .. }) = put.map(|at| inner.body.stmts.remove(at)) else {
                return out.stmts.push(Stmt::For(inner));
            };
            let (count, body) = (inner.range[1], Block { stmts: Vec::new(), results: vec![args[1]] });
            // What is read from one end to the other, the CPU sees coming.
            inner.hints = None;
            let row = super::pass::row(imp, inner, body);
            let (action, args) = (Action::Fill(row), vec![count]);
            out.stmts.push(Stmt::Do { results: Vec::new(), store, action, args, mask: None, loc });
        },
    );
}

/// Whether a loop in blocks does nothing but write one vector of a split loop.
fn only_puts(imp: &Imp, inner: &For) -> bool {
    let mut puts = 0;
    let is_plain = inner.body.stmts.iter().all(|stmt| match stmt {
        Stmt::Let { .. } | Stmt::Load { stride: Stride::One, .. } => true,
        Stmt::Do { store, action: Action::Put, mask: None, .. } => {
            puts += 1;
            let store = &imp.stores[*store];
            store.split && matches!(store.strategy, Strategy::Exact { .. })
        }
        _ => false,
    });
    inner.block().is_some()
        && is_plain
        && puts == 1
        && fission::cuts(imp, &inner.body).is_none()
        && near_angles::angles(&inner.body).is_empty()
}
