//! The four reduction operators, their identities, and the neutral values that accumulators start with.

use std::fmt;

use crate::lang::scalar::{self, BinaryOp, Const};
use crate::lang::types::Scalar;

/// An operator of `merger`, `dictmerger` and `vecmerger`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum ReduceOp {
    Add,
    Mul,
    Min,
    Max,
}

impl ReduceOp {
    /// Every operator.
    pub const ALL: [ReduceOp; 4] = [ReduceOp::Add, ReduceOp::Mul, ReduceOp::Min, ReduceOp::Max];

    /// The spelling in a builder's brackets.
    pub fn name(self) -> &'static str {
        match self {
            ReduceOp::Add => "+",
            ReduceOp::Mul => "*",
            ReduceOp::Min => "min",
            ReduceOp::Max => "max",
        }
    }

    /// The operator with this spelling.
    pub fn from_name(name: &str) -> Option<ReduceOp> {
        ReduceOp::ALL.into_iter().find(|op| op.name() == name)
    }

    /// The scalar operation.
    pub fn binary(self) -> BinaryOp {
        match self {
            ReduceOp::Add => BinaryOp::Add,
            ReduceOp::Mul => BinaryOp::Mul,
            ReduceOp::Min => BinaryOp::Min,
            ReduceOp::Max => BinaryOp::Max,
        }
    }

    /// What a reduction of nothing gives: 0, 1, the type's largest or smallest value (infinities for floats).
    pub fn identity(self, ty: Scalar) -> Const {
        match self {
            ReduceOp::Add => Const::from_i128(ty, 0),
            ReduceOp::Mul => Const::from_i128(ty, 1),
            ReduceOp::Min => scalar::largest(ty),
            ReduceOp::Max => scalar::smallest(ty),
        }
    }

    /// What accumulators and lanes start with: it leaves every value alone, bit for bit, on either side. The
    /// identity, but −0.0 for float `+`, and for float `min` and `max` NaN, so that NaNs alone give NaN.
    pub fn neutral(self, ty: Scalar) -> Const {
        match (self, ty) {
            (ReduceOp::Add, Scalar::F32) => Const::F32(-0.0),
            (ReduceOp::Add, Scalar::F64) => Const::F64(-0.0),
            (ReduceOp::Min | ReduceOp::Max, Scalar::F32) => Const::F32(f32::NAN),
            (ReduceOp::Min | ReduceOp::Max, Scalar::F64) => Const::F64(f64::NAN),
            _ => self.identity(ty),
        }
    }

    /// Whether the order of folding cannot change a bit of the result on this type.
    pub fn is_exact(self, ty: Scalar) -> bool {
        !ty.is_float() || matches!(self, ReduceOp::Min | ReduceOp::Max)
    }

    /// The number of lanes of a float `+` or `*`: 16 for 8-byte types, 32 for narrower ones.
    pub fn lanes(ty: Scalar) -> usize {
        if ty.size() == 8 { 16 } else { 32 }
    }
}

impl fmt::Display for ReduceOp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lang::scalar::Const;
    use crate::lang::types::Scalar;

    #[test]
    fn operators_have_names_and_neutral_values() {
        assert_eq!(ReduceOp::ALL.map(ReduceOp::name), ["+", "*", "min", "max"]);
        assert_eq!((ReduceOp::from_name("max"), ReduceOp::from_name("-")), (Some(ReduceOp::Max), None));
        assert_eq!(ReduceOp::Add.identity(Scalar::F64), Const::F64(0.0));
        assert_eq!(ReduceOp::Max.identity(Scalar::F64), Const::F64(f64::NEG_INFINITY));
        assert_eq!(ReduceOp::Max.identity(Scalar::I8), Const::I8(-128));
        assert_eq!(ReduceOp::Add.neutral(Scalar::F64), Const::F64(-0.0)); // 0.0 + −0.0 is 0.0
        assert_eq!(ReduceOp::Max.neutral(Scalar::F64), Const::F64(f64::NAN));
        assert_eq!(ReduceOp::Max.neutral(Scalar::I8), Const::I8(-128));
        assert!(ReduceOp::Add.is_exact(Scalar::I64) && ReduceOp::Min.is_exact(Scalar::F64));
        assert!(!ReduceOp::Add.is_exact(Scalar::F64));
        assert_eq!((ReduceOp::lanes(Scalar::F64), ReduceOp::lanes(Scalar::F32)), (16, 32));
    }
}
