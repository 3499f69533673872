//! Scalar operations: their names, and what each gives on each type.
//!
//! This is the one definition of what a program means on scalars. The interpreter and constant folding
//! evaluate [`Const`]s here; emitted code calls the same functions through [`crate::num`].

mod evaluate;

pub use evaluate::{binary, cast, compare, math, total_order, unary};

use crate::types::Scalar;

/// A scalar constant.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub enum Const {
    Bool(bool),
    I8(i8),
    I16(i16),
    I32(i32),
    I64(i64),
    U8(u8),
    U16(u16),
    U32(u32),
    U64(u64),
    F32(f32),
    F64(f64),
}

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

macro_rules! math_functions {
    ($($variant:ident $name:literal $arity:literal;)*) => {
        /// A function of floats. `Abs`, `Signum` and `Pow` also take integers.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        pub enum MathFn { $($variant,)* }

        impl MathFn {
            /// Every function.
            pub const ALL: &[MathFn] = &[$(MathFn::$variant,)*];

            /// The name in the language.
            pub fn name(self) -> &'static str {
                match self { $(MathFn::$variant => $name,)* }
            }

            /// The number of arguments.
            pub fn arity(self) -> usize {
                match self { $(MathFn::$variant => $arity,)* }
            }
        }
    };
}

math_functions! {
    Exp "exp" 1;
    Log "log" 1;
    Sqrt "sqrt" 1;
    Sin "sin" 1;
    Cos "cos" 1;
    Tan "tan" 1;
    Asin "asin" 1;
    Acos "acos" 1;
    Atan "atan" 1;
    Sinh "sinh" 1;
    Cosh "cosh" 1;
    Tanh "tanh" 1;
    Erf "erf" 1;
    Log2 "log2" 1;
    Log10 "log10" 1;
    Exp2 "exp2" 1;
    Cbrt "cbrt" 1;
    Abs "abs" 1;
    Floor "floor" 1;
    Ceil "ceil" 1;
    Round "round" 1;
    Trunc "trunc" 1;
    Fract "fract" 1;
    Signum "signum" 1;
    IsNan "is_nan" 1;
    Pow "pow" 2;
    Hypot "hypot" 2;
    Atan2 "atan2" 2;
    MulAdd "mul_add" 3;
}

impl MathFn {
    /// The function with this name.
    pub fn from_name(name: &str) -> Option<MathFn> {
        MathFn::ALL.iter().copied().find(|function| function.name() == name)
    }

    /// Whether integers are accepted besides floats.
    pub fn takes_integers(self) -> bool {
        matches!(self, MathFn::Abs | MathFn::Signum | MathFn::Pow)
    }
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

macro_rules! const_from {
    ($($ty:ident $variant:ident)*) => {
        $(impl From<$ty> for Const {
            fn from(x: $ty) -> Const {
                Const::$variant(x)
            }
        })*
    };
}

const_from!(bool Bool i8 I8 i16 I16 i32 I32 i64 I64 u8 U8 u16 U16 u32 U32 u64 U64 f32 F32 f64 F64);

impl Const {
    /// The type of the constant.
    pub fn scalar(self) -> Scalar {
        match self {
            Const::Bool(_) => Scalar::Bool,
            Const::I8(_) => Scalar::I8,
            Const::I16(_) => Scalar::I16,
            Const::I32(_) => Scalar::I32,
            Const::I64(_) => Scalar::I64,
            Const::U8(_) => Scalar::U8,
            Const::U16(_) => Scalar::U16,
            Const::U32(_) => Scalar::U32,
            Const::U64(_) => Scalar::U64,
            Const::F32(_) => Scalar::F32,
            Const::F64(_) => Scalar::F64,
        }
    }

    /// The number `x` as `ty`: wraps to an integer type, rounds to a float, is `x != 0` as a bool.
    pub fn from_i128(ty: Scalar, x: i128) -> Const {
        match ty {
            Scalar::Bool => Const::Bool(x != 0),
            Scalar::I8 => Const::I8(x as i8),
            Scalar::I16 => Const::I16(x as i16),
            Scalar::I32 => Const::I32(x as i32),
            Scalar::I64 => Const::I64(x as i64),
            Scalar::U8 => Const::U8(x as u8),
            Scalar::U16 => Const::U16(x as u16),
            Scalar::U32 => Const::U32(x as u32),
            Scalar::U64 => Const::U64(x as u64),
            Scalar::F32 => Const::F32(x as f32),
            Scalar::F64 => Const::F64(x as f64),
        }
    }

    /// The number, if this is an integer or a bool.
    pub fn as_integer(self) -> Option<i128> {
        Some(match self {
            Const::Bool(x) => x as i128,
            Const::I8(x) => x as i128,
            Const::I16(x) => x as i128,
            Const::I32(x) => x as i128,
            Const::I64(x) => x as i128,
            Const::U8(x) => x as i128,
            Const::U16(x) => x as i128,
            Const::U32(x) => x as i128,
            Const::U64(x) => x as i128,
            Const::F32(_) | Const::F64(_) => return None,
        })
    }

    /// The bits in the low end of a word; all NaNs give one pattern.
    pub fn bits(self) -> u64 {
        match self {
            Const::F32(x) if x.is_nan() => f32::NAN.to_bits() as u64,
            Const::F32(x) => x.to_bits() as u64,
            Const::F64(x) if x.is_nan() => f64::NAN.to_bits(),
            Const::F64(x) => x.to_bits(),
            _ => self.as_integer().expect("not a float") as u64,
        }
    }
}

/// Bit for bit, with all NaNs one value and −0.0 different from 0.0.
impl PartialEq for Const {
    fn eq(&self, other: &Const) -> bool {
        self.scalar() == other.scalar() && self.bits() == other.bits()
    }
}

impl Eq for Const {}

impl std::hash::Hash for Const {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (self.scalar(), self.bits()).hash(state);
    }
}

/// The type's largest value; infinity for floats.
pub fn largest(ty: Scalar) -> Const {
    match ty {
        Scalar::Bool => Const::Bool(true),
        Scalar::F32 => Const::F32(f32::INFINITY),
        Scalar::F64 => Const::F64(f64::INFINITY),
        _ => {
            let bits = 8 * ty.size() as u32 - ty.is_signed() as u32;
            Const::from_i128(ty, (1i128 << bits) - 1)
        }
    }
}

/// The type's smallest value; negative infinity for floats.
pub fn smallest(ty: Scalar) -> Const {
    match ty {
        Scalar::F32 => Const::F32(f32::NEG_INFINITY),
        Scalar::F64 => Const::F64(f64::NEG_INFINITY),
        _ if ty.is_signed() => Const::from_i128(ty, -(1i128 << (8 * ty.size() - 1))),
        _ => Const::from_i128(ty, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extremes_are_the_types_own() {
        assert_eq!(largest(Scalar::I8), Const::I8(127));
        assert_eq!(smallest(Scalar::I64), Const::I64(i64::MIN));
        assert_eq!(largest(Scalar::U64), Const::U64(u64::MAX));
        assert_eq!(smallest(Scalar::F32), Const::F32(f32::NEG_INFINITY));
    }
}
