//! Registers: what goes into a lane, and what lanes come to.

use weldment_core::ir::{Const, ReduceOp};
use weldment_runtime::lang::scalar::{self, CompareOp};

use weldment_codegen::imp::{AccOp, open_ends};

/// The lane `before`, after `value` went into it; `other` is that of [`AccOp::Same`].
pub(super) fn accumulate(op: AccOp, before: Const, value: Const, other: Option<Const>) -> Const {
    match op {
        AccOp::Reduce(op) => apply(op, before, value),
        AccOp::Better(op) => better(op, before, value),
        AccOp::Same(_) => {
            Const::Bool(is_true(before) || other.is_some_and(|other| other.bits() == value.bits()))
        }
        AccOp::Set => value,
        AccOp::Or => Const::Bool(is_true(before) || is_true(value)),
    }
}

/// The lanes, from lane 0 on.
pub(super) fn fold(op: ReduceOp, lanes: &[Const]) -> Const {
    let (&first, rest) = lanes.split_first().expect("a register has lanes");
    rest.iter().fold(first, |sum, &lane| apply(op, sum, lane))
}

/// `total` with what is certain of the best of `lanes`, and the value that may have been merged, too, if it would change that.
pub(super) fn rescan(op: ReduceOp, total: Const, lanes: &[Const]) -> (Const, Option<Const>) {
    let ty = total.scalar();
    let [start, zero] = open_ends(op, ty);
    let best = lanes.iter().fold(start, |best, &lane| better(op, best, lane));
    let (certain, open) = match best.bits() == start.bits() {
        true => (op.neutral(ty), Some(best)),
        false => (best, scalar::compare(CompareOp::Eq, best, zero).then_some(zero)),
    };
    let total = apply(op, total, certain);
    (total, open.filter(|&open| apply(op, total, open).bits() != total.bits()))
}

pub(super) fn apply(op: ReduceOp, a: Const, b: Const) -> Const {
    scalar::binary(op.binary(), a, b).expect("operators of reductions do not fault")
}

fn better(op: ReduceOp, best: Const, value: Const) -> Const {
    let wanted = if op == ReduceOp::Min { CompareOp::Lt } else { CompareOp::Gt };
    if scalar::compare(wanted, value, best) { value } else { best }
}

pub(super) fn is_true(flag: Const) -> bool {
    flag == Const::Bool(true)
}
