//! The slices that an interior reads of columns: where they begin, and how long they are.

use weldment_core::ir::{BinaryOp, Const, Loc, Op, Value};
use weldment_runtime::lang::types::{Scalar, Type};

use super::fact::{Offset, Unit};
use super::linear::Aligned;
use crate::imp::{Block, Imp, Stride};

/// The position of the first element of a column that the iteration of number `lo`, the first of an interior, reads at `at`.
pub(super) fn start(
    imp: &mut Imp,
    out: &mut Block,
    aligned: Option<Aligned>,
    lo: Value,
    at: Offset,
) -> Value {
    let offset = imp.constant(Const::I64(at.offset));
    let mut number = lo;
    match at.unit {
        Unit::Iterations | Unit::Groups => {}
        Unit::Times(times) => {
            let times = imp.constant(Const::I64(times.into()));
            number = out.bind(imp, Type::I64, Op::Binary(BinaryOp::Mul, number, times));
        }
        Unit::Parts { by, .. } => {
            if let Some(base) = aligned.and_then(|aligned| aligned.base) {
                number = out.bind(imp, Type::I64, Op::Binary(BinaryOp::Add, number, base));
            }
            let bits = imp.constant(Const::I64(by.trailing_zeros().into()));
            number = out.bind(imp, Type::I64, Op::Binary(BinaryOp::Shr, number, bits));
        }
    }
    for term in at.base.into_iter().chain((at.offset != 0).then_some(offset)) {
        number = out.bind(imp, Type::I64, Op::Binary(BinaryOp::Add, number, term));
    }
    let start = imp.position();
    out.let_(start, Op::Cast(Scalar::U64, number), Loc::NONE);
    start
}

/// How many elements lie from the first to the last that `count` iterations load, of which there are some.
pub(super) fn span(imp: &mut Imp, out: &mut Block, stride: Stride, count: Value) -> Value {
    if stride == Stride::One {
        return count;
    }
    let one = imp.at(1);
    let last = out.position(imp, BinaryOp::Sub, count, one);
    let last = match stride {
        Stride::One => last,
        Stride::Times(times) => {
            let times = imp.at(times.into());
            out.position(imp, BinaryOp::Mul, last, times)
        }
        Stride::Parts { by, ahead } => {
            let [by, ahead] = [by, ahead].map(|number| imp.at(number.into()));
            let last = out.position(imp, BinaryOp::Add, last, ahead);
            out.position(imp, BinaryOp::Div, last, by)
        }
    };
    out.position(imp, BinaryOp::Add, last, one)
}
