//! Casts, and among them those to and from floats of 16 bits, which are structs of these.

use weldment_runtime::lang::conversion::HalfFn;
use weldment_runtime::lang::half::Half;
use weldment_runtime::lang::scalar::{BinaryOp, CompareOp, Const, MathFn};
use weldment_runtime::lang::types::{Name, Scalar, Type};

use super::Lower;
use crate::ir::{Loc, Op, Value};

impl Lower {
    /// `x as to`
    pub(super) fn cast(&mut self, x: Value, to: &Type, loc: Loc) -> Value {
        if let Some(half) = to.as_half() {
            let bits = self.narrowed(x, half, loc);
            return self.builder.push(Op::Struct(vec![bits], Some(Name::Half(half).into())), loc);
        }
        let to = to.as_scalar().expect("casts give scalars");
        let Some(half) = self.builder.ty(x).as_half() else {
            return self.builder.push(Op::Cast(to, x), loc);
        };
        let function = match half {
            Half::F16 => HalfFn::F16ToF32,
            Half::Bf16 => HalfFn::Bf16ToF32,
        };
        let bits = self.builder.push(Op::Field(x, 0), loc);
        let number = self.builder.push(Op::Half(function, bits), loc);
        if to == Scalar::F32 { number } else { self.builder.push(Op::Cast(to, number), loc) }
    }

    /// The bits of the number that is nearest to the scalar `x`.
    fn narrowed(&mut self, x: Value, half: Half, loc: Loc) -> Value {
        let from = self.builder.ty(x).as_scalar().expect("a scalar is narrowed");
        let float = match (from, half) {
            (Scalar::F32 | Scalar::F64, _) => x,
            // Where it has more digits than an f64, the least of them may decide. Such a number is infinite as an f16 in any case.
            (Scalar::I64 | Scalar::U64 | Scalar::I128, Half::Bf16) => self.rounded_to_odd(x, from, loc),
            _ => self.builder.push(Op::Cast(Scalar::F64, x), loc),
        };
        let function = match (half, self.builder.ty(float).as_scalar()) {
            (Half::F16, Some(Scalar::F32)) => HalfFn::F32ToF16,
            (Half::F16, _) => HalfFn::F64ToF16,
            (Half::Bf16, Some(Scalar::F32)) => HalfFn::F32ToBf16,
            (Half::Bf16, _) => HalfFn::F64ToBf16,
        };
        self.builder.push(Op::Half(function, float), loc)
    }

    /// An f64 that is rounded to fewer digits as the integer `x` is: where it is not that integer, the last of ten digits or more is odd, so
    /// that it is no middle between two numbers (S. Boldo, G. Melquiond, "When double rounding is odd", 2005).
    fn rounded_to_odd(&mut self, x: Value, from: Scalar, loc: Loc) -> Value {
        let exact = self.builder.push(Op::Cast(Scalar::F64, x), loc);
        // Of an integer that has more than `most` binary digits, so many are left out: no fewer than ten stay, and no more than an f64 has.
        let steps: &[(u32, u32)] = if from == Scalar::I128 { &[(53, 43), (96, 75)] } else { &[(53, 11)] };
        let mut number = exact;
        for &(most, out) in steps {
            let [count, ones, zero] = [i128::from(out), (1 << out) - 1, 0]
                .map(|n| self.builder.constant(Const::from_i128(from, n), loc));
            let above = self.builder.binary(BinaryOp::Shr, x, count, loc);
            let rest = self.builder.binary(BinaryOp::And, x, ones, loc);
            let is_inexact = self.builder.compare(CompareOp::Ne, rest, zero, loc);
            let last = self.builder.push(Op::Cast(from, is_inexact), loc);
            let odd = self.builder.binary(BinaryOp::Or, above, last, loc);
            let odd = self.builder.push(Op::Cast(Scalar::F64, odd), loc);
            let scale = self.builder.constant(Const::F64(2f64.powi(out as i32)), loc);
            let scaled = self.builder.binary(BinaryOp::Mul, odd, scale, loc);
            // A carry of the nearest f64 may tell of one digit too many: then it is a power of two, or digits enough stay here as well.
            let limit = self.builder.constant(Const::F64(2f64.powi(most as i32)), loc);
            let size = self.builder.push(Op::Math(MathFn::Abs, vec![exact]), loc);
            let is_long = self.builder.compare(CompareOp::Ge, size, limit, loc);
            number = self.builder.push(Op::Select(is_long, scaled, number), loc);
        }
        number
    }
}
