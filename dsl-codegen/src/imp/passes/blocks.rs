//! `blocks`: a straight loop runs in blocks of iterations side by side, and the rest as a tail.
//!
//! # Preconditions
//! The loop computes scalars without faults, accumulates, and appends to vectors, to each at one place.
//!
//! # Before / After
//! ```text
//! for p in 0..n { x = load c[p]; a0[p] += x }
//! ```
//! ```text
//! r = rem n, 16; m = sub n, r
//! copy a1, a0
//! for k in 0..m by 16 { lanes q at k x 16 { y = load c[q]; a1[q] += y } }
//! copy a0, a1
//! for p in m..n tail { x = load c[p]; a0[p] += x }
//! ```
//! So it is for sums of floats; of what is exact the tail adds to the first lane. The lanes that blocks add to are of their own: the tail
//! finds its lane by a number, and what is found so is in memory, where the compiler left one of the lanes in every block as well. An accumulator of one lane, for which the order does not matter, has
//! as many as a block where the target wants that.
//!
//! # Order
//! Behind `outline`, `fill` and `reserve`; before `near_angles`, `fission` and `prefetch`. Extremes that are found by comparing are
//! handed to `rescan`.

use weldment_core::ir::Value;

use super::parts::{again, side_by_side, whole};
use super::pass::{Pass, each_for};
use super::rescan;
use crate::imp::{AccOp, Block, For, Hints, Imp, Lane, RegId, Stmt, Target};

pub(super) const PASS: Pass = Pass { name: "blocks", is_for: |_| true, run };

/// A register that a loop accumulates in, and the one that its blocks have for it.
struct Own {
    reg: RegId,
    op: AccOp,
    own: RegId,
    kind: Kind,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    /// As many lanes, copied.
    Copied,
    /// One lane outside, many in blocks.
    Widened,
    /// The best by comparing.
    Compared,
}

fn run(imp: &mut Imp, target: &Target) {
    each_for(
        imp,
        |inner| inner.block().is_some(),
        |imp, mut inner, out| {
            let hints = inner.hints.take().unwrap_or_default();
            let Some(width) = hints.block else { return out.stmts.push(Stmt::For(inner)) };
            let middle = whole(imp, out, inner.range[1], width);
            let owns = owns(imp, &inner, &hints, width, target);
            for own in &owns {
                out.stmts.push(match own.kind {
                    Kind::Copied => Stmt::Copy { to: own.own, from: own.reg },
                    Kind::Widened | Kind::Compared => Stmt::Start(own.own),
                });
            }
            let tail = tail(imp, &inner, [middle, inner.range[1]]);
            let prefetch = hints.prefetch;
            let rescans: Vec<_> = owns.iter().filter(|own| own.kind == Kind::Compared).collect();
            let asked = (!rescans.is_empty()).then(|| inner.clone());
            out.stmts.push(Stmt::For(blocks(imp, inner, middle, width, prefetch, &owns)));
            if let Some(asked) = asked {
                for own in rescans {
                    rescan::ask(imp, out, &asked, middle, width, own.reg, own.own);
                }
            }
            for own in &owns {
                match (own.kind, own.op) {
                    (Kind::Copied, _) => out.stmts.push(Stmt::Copy { to: own.reg, from: own.own }),
                    (Kind::Widened, AccOp::Reduce(fold)) => {
                        let value = imp.value(imp.regs[own.own].ty.into());
                        out.stmts.push(Stmt::Read { result: value, reg: own.own, fold });
                        out.stmts.push(Stmt::Accumulate {
                            reg: own.reg,
                            lane: Lane::Zero,
                            op: own.op,
                            value,
                            mask: None,
                        });
                    }
                    _ => {}
                }
            }
            out.stmts.push(tail);
        },
    );
}

/// The registers that `inner` accumulates in, in order, each with one for its blocks.
fn owns(imp: &mut Imp, inner: &For, hints: &Hints, width: u32, target: &Target) -> Vec<Own> {
    let mut owns: Vec<Own> = Vec::new();
    for stmt in &inner.body.stmts {
        let Stmt::Accumulate { reg, op, .. } = *stmt else { continue };
        if owns.iter().any(|own| own.reg == reg) {
            continue;
        }
        let mut own = imp.regs[reg].clone();
        let compared = hints.compared.iter().find(|compared| compared.0 == reg);
        let kind = match (compared, op) {
            (Some(&(_, lanes)), AccOp::Reduce(op)) => {
                (own.lanes, own.start) = (lanes, op.identity(own.ty));
                Kind::Compared
            }
            (_, AccOp::Reduce(_)) if own.lanes == 1 && target.widen_exact => {
                own.lanes = width;
                Kind::Widened
            }
            _ => Kind::Copied,
        };
        let own = imp.regs.push(own);
        owns.push(Own { reg, op, own, kind });
    }
    owns
}

/// The iterations of `inner` behind the last whole block. Where the order does not matter, all of them go into the first lane, which stays in
/// a register.
fn tail(imp: &mut Imp, inner: &For, range: [Value; 2]) -> Stmt {
    let mut tail = again(imp, inner, range);
    if let Stmt::For(inner) = &mut tail {
        for stmt in &mut inner.body.stmts {
            if let Stmt::Accumulate { reg, lane, op: AccOp::Reduce(op), .. } = stmt
                && op.is_exact(imp.regs[*reg].ty)
            {
                *lane = Lane::Zero;
            }
        }
    }
    tail
}

/// The whole blocks of `inner`, which end at `middle`.
fn blocks(imp: &mut Imp, inner: For, middle: Value, width: u32, prefetch: Vec<Value>, owns: &[Own]) -> For {
    let (index, loc, first) = (inner.index, inner.loc, imp.position());
    let mut lanes = side_by_side(imp, inner, first, width);
    for stmt in &mut lanes.body.stmts {
        let Stmt::Accumulate { reg, lane, op, .. } = stmt else { continue };
        let Some(own) = owns.iter().find(|own| own.reg == *reg) else { continue };
        *reg = own.own;
        match (own.kind, *op) {
            (Kind::Widened, _) => *lane = Lane::Of(index),
            (Kind::Compared, AccOp::Reduce(reduce)) => {
                (*lane, *op) = (Lane::Of(index), AccOp::Better(reduce));
            }
            _ => {}
        }
    }
    let zero = imp.at(0);
    let body = Block { stmts: vec![Stmt::Lanes(lanes)], results: Vec::new() };
    let hints = Some(Box::new(Hints { prefetch, ..Hints::default() }));
    For { hints, ..For::over(first, [zero, middle], width, body, loc) }
}
