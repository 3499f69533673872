//! What ops cost by the types of their operands.

use weldment_runtime::lang::scalar::{BinaryOp, MathFn};
use weldment_runtime::lang::types::{Scalar, Type};

use super::super::entity::Value;
use super::super::op::Program;

/// The rules for the column of costs.
pub(super) struct Costs<'a>(pub(super) &'a Program);

impl Costs<'_> {
    pub(super) fn binary(&self, op: BinaryOp, x: Value) -> u64 {
        match (op, self.0.ty(x).as_scalar().is_some_and(Scalar::is_float)) {
            (BinaryOp::Div, true) => 12,
            (BinaryOp::Rem, true) => 40,
            (BinaryOp::Div | BinaryOp::Rem, false) => 24,
            (BinaryOp::Min | BinaryOp::Max, true) => 3,
            _ => 1,
        }
    }

    pub(super) fn math(&self, function: MathFn) -> u64 {
        match function {
            MathFn::Abs | MathFn::IsNan | MathFn::MulAdd => 1,
            MathFn::Floor | MathFn::Ceil | MathFn::Round | MathFn::Trunc | MathFn::Fract | MathFn::Signum => {
                2
            }
            MathFn::Sqrt => 16,
            _ => 32,
        }
    }

    /// What is linear in indices.
    pub(super) fn linear(&self, indices: &[Value]) -> u64 {
        2 * (indices.len() as u64).saturating_sub(1)
    }

    /// A comparison with `x`.
    pub(super) fn compared(&self, x: Value) -> u64 {
        if self.0.ty(x).is_scalars() { 1 } else { 32 }
    }

    /// A read of an element.
    pub(super) fn element(&self, vector: Value) -> u64 {
        if self.0.ty(vector).element().is_some_and(Type::is_scalars) { 1 } else { 2 }
    }
}
