//! Scalar operations: their names, and what each gives on each type.
//!
//! This is the one definition of what a program means on scalars. The interpreter and constant folding
//! evaluate [`Const`]s here; emitted code calls the same functions through [`crate::num`].

use crate::fault::FaultKind;
use crate::num::{Float, Integer, Number};
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

/// Runs `$body` with `$x` (and `$y`, of the same type) bound to the numbers in `$a` (and `$b`), by kind.
macro_rules! by_type {
    ($a:expr, $b:expr; bool $p:ident $q:ident => $bool:expr; int $x:ident $y:ident => $int:expr; float $u:ident $v:ident => $float:expr;) => {
        match ($a, $b) {
            (Const::Bool($p), Const::Bool($q)) => $bool,
            (Const::I8($x), Const::I8($y)) => $int,
            (Const::I16($x), Const::I16($y)) => $int,
            (Const::I32($x), Const::I32($y)) => $int,
            (Const::I64($x), Const::I64($y)) => $int,
            (Const::U8($x), Const::U8($y)) => $int,
            (Const::U16($x), Const::U16($y)) => $int,
            (Const::U32($x), Const::U32($y)) => $int,
            (Const::U64($x), Const::U64($y)) => $int,
            (Const::F32($u), Const::F32($v)) => $float,
            (Const::F64($u), Const::F64($v)) => $float,
            (a, b) => panic!("operands {a:?} and {b:?} of different types"),
        }
    };
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

/// `op x`.
///
/// # Panics
/// If the operation does not exist on the type: the verifier has excluded it.
pub fn unary(op: UnaryOp, x: Const) -> Const {
    by_type! { x, x;
        bool p _q => match op { UnaryOp::Not => (!p).into(), UnaryOp::Neg => panic!("neg of bool") };
        int x _y => match op { UnaryOp::Not => (!x).into(), UnaryOp::Neg => x.wrapping_neg().into() };
        float u _v => match op { UnaryOp::Neg => (-u).into(), UnaryOp::Not => panic!("not of a float") };
    }
}

/// `x op y`, or the fault of an integer division.
///
/// # Panics
/// If the operation does not exist on the type: the verifier has excluded it.
pub fn binary(op: BinaryOp, x: Const, y: Const) -> Result<Const, FaultKind> {
    Ok(by_type! { x, y;
        bool p q => match op {
            BinaryOp::And => (p & q).into(),
            BinaryOp::Or => (p | q).into(),
            BinaryOp::Xor => (p ^ q).into(),
            _ => panic!("{op:?} of bools"),
        };
        int x y => match op {
            BinaryOp::Add => x.add(y).into(),
            BinaryOp::Sub => x.sub(y).into(),
            BinaryOp::Mul => x.mul(y).into(),
            BinaryOp::Div => x.checked_quotient(y)?.into(),
            BinaryOp::Rem => x.checked_remainder(y)?.into(),
            BinaryOp::And => (x & y).into(),
            BinaryOp::Or => (x | y).into(),
            BinaryOp::Xor => (x ^ y).into(),
            BinaryOp::Shl => x.shift_left(y).into(),
            BinaryOp::Shr => x.shift_right(y).into(),
            BinaryOp::Min => x.least(y).into(),
            BinaryOp::Max => x.greatest(y).into(),
        };
        float u v => match op {
            BinaryOp::Add => (u + v).into(),
            BinaryOp::Sub => (u - v).into(),
            BinaryOp::Mul => (u * v).into(),
            BinaryOp::Div => (u / v).into(),
            BinaryOp::Rem => u.remainder(v).into(),
            BinaryOp::Min => u.least(v).into(),
            BinaryOp::Max => u.greatest(v).into(),
            _ => panic!("{op:?} of floats"),
        };
    })
}

/// `x op y`, as IEEE says for floats.
pub fn compare(op: CompareOp, x: Const, y: Const) -> bool {
    op.holds(order(x, y))
}

/// How two constants of one type compare; `None` where a NaN is among them.
pub fn order(x: Const, y: Const) -> Option<std::cmp::Ordering> {
    by_type! { x, y;
        bool p q => Some(p.cmp(&q));
        int x y => Some(x.cmp(&y));
        float u v => u.partial_cmp(&v);
    }
}

/// A math function of as many constants as its arity says.
///
/// # Panics
/// If the number or type of the arguments is wrong: the verifier has excluded it.
pub fn math(function: MathFn, args: &[Const]) -> Const {
    let x = args[0];
    let y = args.get(1).copied().unwrap_or(x);
    match (x, y, args.get(2).copied().unwrap_or(x)) {
        (Const::F32(u), Const::F32(v), Const::F32(w)) => float_math(function, u, v, w),
        (Const::F64(u), Const::F64(v), Const::F64(w)) => float_math(function, u, v, w),
        _ => by_type! { x, y;
            bool _p _q => panic!("{function:?} of a bool");
            int x y => match function {
                MathFn::Abs => x.absolute().into(),
                MathFn::Signum => x.sign().into(),
                MathFn::Pow => x.power(y).into(),
                _ => panic!("{function:?} of an integer"),
            };
            float _u _v => unreachable!("floats are handled above");
        },
    }
}

fn float_math<F: Float + Into<Const>>(function: MathFn, x: F, y: F, z: F) -> Const {
    match function {
        MathFn::Exp => x.exp(),
        MathFn::Log => x.log(),
        MathFn::Sqrt => x.sqrt(),
        MathFn::Sin => x.sin(),
        MathFn::Cos => x.cos(),
        MathFn::Tan => x.tan(),
        MathFn::Asin => x.asin(),
        MathFn::Acos => x.acos(),
        MathFn::Atan => x.atan(),
        MathFn::Sinh => x.sinh(),
        MathFn::Cosh => x.cosh(),
        MathFn::Tanh => x.tanh(),
        MathFn::Erf => x.erf(),
        MathFn::Log2 => x.log2(),
        MathFn::Log10 => x.log10(),
        MathFn::Exp2 => x.exp2(),
        MathFn::Cbrt => x.cbrt(),
        MathFn::Abs => x.absolute(),
        MathFn::Floor => x.floor(),
        MathFn::Ceil => x.ceil(),
        MathFn::Round => x.round(),
        MathFn::Trunc => x.trunc(),
        MathFn::Fract => x.fract(),
        MathFn::Signum => x.sign(),
        MathFn::IsNan => return Const::Bool(x.is_nan()),
        MathFn::Pow => x.power(y),
        MathFn::Hypot => x.hypot(y),
        MathFn::Atan2 => x.atan2(y),
        MathFn::MulAdd => x.mul_add(y, z),
    }
    .into()
}

/// `x` as another scalar type: wraps between integers, rounds once to a float, saturates from a float to an
/// integer (NaN gives 0), is `x != 0` as a bool.
///
/// # Panics
/// From a float to bool, which the language does not have.
pub fn cast(to: Scalar, x: Const) -> Const {
    match x {
        Const::F32(x) => cast_float(to, x as f64, x),
        Const::F64(x) => cast_float(to, x, x as f32),
        _ => Const::from_i128(to, x.as_integer().expect("not a float")),
    }
}

fn cast_float(to: Scalar, wide: f64, narrow: f32) -> Const {
    match to {
        Scalar::Bool => panic!("a float does not cast to bool"),
        Scalar::I8 => Const::I8(wide as i8),
        Scalar::I16 => Const::I16(wide as i16),
        Scalar::I32 => Const::I32(wide as i32),
        Scalar::I64 => Const::I64(wide as i64),
        Scalar::U8 => Const::U8(wide as u8),
        Scalar::U16 => Const::U16(wide as u16),
        Scalar::U32 => Const::U32(wide as u32),
        Scalar::U64 => Const::U64(wide as u64),
        Scalar::F32 => Const::F32(narrow),
        Scalar::F64 => Const::F64(wide),
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

    #[test]
    fn division_faults_as_specified() {
        let div = |x: i8, y: i8| binary(BinaryOp::Div, x.into(), y.into());
        assert_eq!(div(7, 0), Err(FaultKind::DivisionByZero));
        assert_eq!(div(-128, -1), Err(FaultKind::Overflow));
        assert_eq!(div(-7, 2), Ok(Const::I8(-3)));
    }

    #[test]
    fn casts_wrap_saturate_and_round_once() {
        assert_eq!(cast(Scalar::I8, Const::I64(-70000)), Const::I8(-112));
        assert_eq!(cast(Scalar::U8, Const::F64(300.7)), Const::U8(255));
        assert_eq!(cast(Scalar::I64, Const::F64(f64::NAN)), Const::I64(0));
        assert_eq!(cast(Scalar::F32, Const::I64(i64::MAX)), Const::F32(i64::MAX as f32));
    }

    #[test]
    fn min_and_max_ignore_nan_and_order_zeros() {
        let min = |x: f64, y: f64| binary(BinaryOp::Min, x.into(), y.into()).unwrap();
        assert_eq!(min(f64::NAN, 2.0), Const::F64(2.0));
        assert_eq!(min(2.0, f64::NAN), Const::F64(2.0));
        assert_eq!(min(0.0, -0.0), Const::F64(-0.0));
        assert_eq!(min(f64::NAN, f64::NAN), Const::F64(f64::NAN));
    }
}
