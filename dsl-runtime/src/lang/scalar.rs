//! Scalar operations: their names, and what each gives on each type.
//!
//! This is the one definition of what a program means on scalars. The interpreter and constant folding
//! evaluate [`Const`]s here; emitted code calls the same functions through [`crate::lang::num`].

mod constant;
mod evaluate;

pub use crate::math::functions::MathFn;
pub use constant::{Const, largest, smallest};
pub use evaluate::{binary, cast, compare, math, total_order, unary};

use crate::lang::types::Scalar;

/// An operation on one scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum UnaryOp {
    /// `-x`: wraps on integers, flips the sign bit of floats.
    Neg,
    /// `!x`: of a bool, or of the bits of an integer.
    Not,
}

/// An operation on two scalars of one type that gives the same type.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BinaryOp {
    /// Wraps on integers.
    Add,
    /// Wraps on integers.
    Sub,
    /// Wraps on integers.
    Mul,
    /// Truncates on integers, where it faults on zero and on MIN / −1.
    Div,
    /// Truncates on integers, where it faults as `Div` does; `fmod` on floats.
    Rem,
    /// Of bools or bits.
    And,
    /// Of bools or bits.
    Or,
    /// Of bools or bits.
    Xor,
    /// The count is masked to the width.
    Shl,
    /// The count is masked to the width; arithmetic on signed types.
    Shr,
    /// Ignores a NaN beside a number; −0.0 is less than 0.0.
    Min,
    /// Ignores a NaN beside a number; −0.0 is less than 0.0.
    Max,
}

/// A comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[allow(missing_docs)]
pub enum CompareOp {
    Eq,
    Ne,
    Lt,
    Le,
    Gt,
    Ge,
}

impl UnaryOp {
    /// Every operation.
    pub const ALL: [UnaryOp; 2] = [UnaryOp::Neg, UnaryOp::Not];

    /// The name in IR text.
    pub fn name(self) -> &'static str {
        match self {
            UnaryOp::Neg => "neg",
            UnaryOp::Not => "not",
        }
    }
}

impl BinaryOp {
    /// Every operation.
    pub const ALL: [BinaryOp; 12] = [
        BinaryOp::Add,
        BinaryOp::Sub,
        BinaryOp::Mul,
        BinaryOp::Div,
        BinaryOp::Rem,
        BinaryOp::And,
        BinaryOp::Or,
        BinaryOp::Xor,
        BinaryOp::Shl,
        BinaryOp::Shr,
        BinaryOp::Min,
        BinaryOp::Max,
    ];

    /// The name in IR text.
    pub fn name(self) -> &'static str {
        match self {
            BinaryOp::Add => "add",
            BinaryOp::Sub => "sub",
            BinaryOp::Mul => "mul",
            BinaryOp::Div => "div",
            BinaryOp::Rem => "rem",
            BinaryOp::And => "and",
            BinaryOp::Or => "or",
            BinaryOp::Xor => "xor",
            BinaryOp::Shl => "shl",
            BinaryOp::Shr => "shr",
            BinaryOp::Min => "min",
            BinaryOp::Max => "max",
        }
    }

    /// Whether the operation can fault on operands of type `ty`.
    pub fn can_fault(self, ty: Scalar) -> bool {
        matches!(self, BinaryOp::Div | BinaryOp::Rem) && ty.is_integer()
    }
}

impl CompareOp {
    /// Every comparison.
    pub const ALL: [CompareOp; 6] =
        [CompareOp::Eq, CompareOp::Ne, CompareOp::Lt, CompareOp::Le, CompareOp::Gt, CompareOp::Ge];

    /// The name in IR text.
    pub fn name(self) -> &'static str {
        match self {
            CompareOp::Eq => "eq",
            CompareOp::Ne => "ne",
            CompareOp::Lt => "lt",
            CompareOp::Le => "le",
            CompareOp::Gt => "gt",
            CompareOp::Ge => "ge",
        }
    }

    /// Whether the comparison holds between two values in this order; `None` is a NaN.
    pub fn holds(self, order: Option<std::cmp::Ordering>) -> bool {
        use std::cmp::Ordering::{Equal, Greater, Less};
        match self {
            CompareOp::Eq => order == Some(Equal),
            CompareOp::Ne => order != Some(Equal),
            CompareOp::Lt => order == Some(Less),
            CompareOp::Le => matches!(order, Some(Less | Equal)),
            CompareOp::Gt => order == Some(Greater),
            CompareOp::Ge => matches!(order, Some(Greater | Equal)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering::*;

    use super::*;
    use crate::lang::types::Scalar;

    #[test]
    fn ops_have_names_and_types() {
        assert_eq!(MathFn::from_name("mul_add"), Some(MathFn::MulAdd));
        assert_eq!(MathFn::from_name("ln"), None); // it is called `log`
        assert!(MathFn::Pow.takes_integers() && !MathFn::Sqrt.takes_integers());
        assert_eq!(UnaryOp::Neg.name(), "neg");
        assert_eq!(BinaryOp::Shl.name(), "shl");
        assert!(BinaryOp::Div.can_fault(Scalar::I64));
        assert!(!BinaryOp::Div.can_fault(Scalar::F64)); // infinity or NaN
        assert_eq!(CompareOp::Ge.name(), "ge");
        assert!(CompareOp::Le.holds(Some(Less)) && CompareOp::Le.holds(Some(Equal)));
        assert!(!CompareOp::Le.holds(None) && CompareOp::Ne.holds(None));
    }
}
