//! Numbers that lowering may know: of coordinates, and where views begin.

use super::Lower;
use super::view::Number;
use crate::ir::{BinaryOp, Loc, Op, Value};
use weldment_runtime::lang::types::Scalar;

impl Lower {
    /// The number that `value` is, if it is a constant.
    pub(super) fn known(&self, value: Value) -> Option<i64> {
        match *self.builder.op(value)? {
            Op::Const(constant) => i64::try_from(constant.as_integer()?).ok(),
            Op::Cast(Scalar::I64, of) if self.builder.ty(of).as_scalar().is_some_and(Scalar::is_integer) => {
                self.known(of)
            }
            _ => None,
        }
    }

    /// The number that `value` is.
    pub(super) fn number_of(&self, value: Value) -> Number {
        self.known(value).map_or(Number::of(value), Number::known)
    }

    pub(super) fn number(&mut self, number: Number, loc: Loc) -> Value {
        match number {
            Number { base: Some(value), plus: 0 } => value,
            Number { base: None, plus } => self.builder.constant(plus, loc),
            Number { base: Some(value), plus } => {
                let plus = self.builder.constant(plus, loc);
                self.builder.binary(BinaryOp::Add, value, plus, loc)
            }
        }
    }

    /// `x + y`
    pub(super) fn sum(&mut self, x: Number, y: Number, loc: Loc) -> Number {
        match (x.base, y.base) {
            (_, None) => x.plus(y.plus),
            (None, _) => y.plus(x.plus),
            (Some(a), Some(b)) => {
                Number::of(self.builder.binary(BinaryOp::Add, a, b, loc)).plus(x.plus.wrapping_add(y.plus))
            }
        }
    }

    /// `x - y`
    pub(super) fn difference(&mut self, x: Number, y: Number, loc: Loc) -> Number {
        if x.base == y.base {
            return Number::known(x.plus.wrapping_sub(y.plus));
        }
        match y.get() {
            Some(known) => x.plus(known.wrapping_neg()),
            None => {
                let (x, y) = (self.number(x, loc), self.number(y, loc));
                Number::of(self.builder.binary(BinaryOp::Sub, x, y, loc))
            }
        }
    }

    /// `x * y`
    pub(super) fn product(&mut self, x: Number, y: Number, loc: Loc) -> Number {
        match (x.get(), y.get()) {
            (Some(x), Some(y)) => Number::known(x.wrapping_mul(y)),
            (Some(1), _) => y,
            (_, Some(1)) => x,
            (Some(0), _) | (_, Some(0)) => Number::ZERO,
            _ => {
                let (x, y) = (self.number(x, loc), self.number(y, loc));
                Number::of(self.builder.binary(BinaryOp::Mul, x, y, loc))
            }
        }
    }
}
