//! `lockstep`: an `iterate` that takes as many steps for all iterations of a loop takes each step for many of them, side by side.
//!
//! A step waits for the one before, so that a CPU has little to do at a time: a binary search waits for one element after the other. Steps of
//! different iterations wait for nothing, and compilers make vectors of them.
//!
//! # Preconditions
//! Whether there is another step does not depend on the iteration. What comes before the last `iterate`, and in it, computes scalars without
//! faults; an `if` around one depends on the iteration no more than its steps do.
//!
//! # Before / After
//! ```text
//! for p in 0..n { x = load c[p]; (s, _) = iterate (t = 0, k = m) { …; u = select (le e, x), f, t; yield u, l, gt l, 1 }; do put #0, p, s }
//! ```
//! ```text
//! for b to e in 0..n by 256 poll {
//!   start a0                                   // of 256 lanes
//!   d = slice c, b, sub e, b
//!   iterate (k = m) {
//!     for q in 0..min (sub e, b), 256 { x = load d[q]; t = pick a0[q]; …; u = select (le e, x), f, t; a0[q] = u }
//!     yield l, gt l, 1
//!   }
//!   for p in b..e { s = pick a0[p]; do put #0, p, s }
//! }
//! ```
//! Every iteration computes what it did, so that the bits are the same. What is behind the last `iterate` may do anything, in the same order.
//!
//! # Declines when
//! An `iterate` holds a loop or an `iterate`, its state is more than scalars, or more than twelve values are to be kept of an iteration. Loops
//! of few iterations stay as they are.
//!
//! # Order
//! Before `strips`, which would cut the loop, and behind `interchange`, which has no loops with an `iterate`.

mod panel;
mod plan;

use std::collections::BTreeMap;

use weldment_core::ir::{CompareOp, Op};
use weldment_runtime::lang::types::Type;

use super::pass::{Pass, each_for};
use crate::imp::copy::copy_of;
use crate::imp::{Block, For, Hints, Imp, Side, Stmt, Target};
use plan::Plan;

pub(super) const PASS: Pass = Pass { name: "lockstep", is_for: |target| target.lockstep, run };

/// So many iterations at least go side by side.
const FEWEST: u64 = 16;

fn run(imp: &mut Imp, _: &Target) {
    each_for(
        imp,
        |outer| is_plain(outer, |_| Hints::default()) && outer.body.stmts.iter().any(plan::iterates),
        |imp, outer, out| {
            if Plan::of(imp, &outer).is_none() {
                return out.stmts.push(Stmt::For(outer));
            }
            let whole = Block { stmts: vec![Stmt::For(outer.clone())], results: Vec::new() };
            let Some(Stmt::For(again)) = copy_of(imp, &whole, BTreeMap::new()).stmts.pop() else {
                unreachable!("a copy of a loop is a loop")
            };
            let plan = Plan::of(imp, &again).expect("a copy does the same");
            let mut then = Block::default();
            panel::rewrite(imp, again, &plan, &mut then);
            let fewest = imp.at(FEWEST);
            let cond = out.bind(imp, Type::BOOL, Op::Compare(CompareOp::Le, fewest, outer.range[1]));
            let els = Block { stmts: vec![Stmt::For(outer)], results: Vec::new() };
            out.stmts.push(Stmt::If { results: Vec::new(), cond, then, els, cold: Some(Side::Else) });
        },
    );
}

/// Whether `outer` goes from one iteration to the next, and nobody has decided how, but for the hints that are `kept`.
pub(super) fn is_plain(outer: &For, kept: fn(&Hints) -> Hints) -> bool {
    let keeps = outer.hints.as_ref().is_none_or(|hints| {
        **hints == Hints { strip: hints.strip, prefetch: hints.prefetch.clone(), ..kept(hints) }
    });
    keeps && outer.step == 1 && outer.end.is_none() && outer.exit.is_none() && !outer.tail && !outer.short
}
