//! What the operations give on each type.

use super::{BinaryOp, CompareOp, Const, MathFn, UnaryOp};
use crate::lang::fault::FaultKind;
use crate::lang::num::{Float, Integer, Number};
use crate::lang::order::Order;
use crate::lang::types::Scalar;

/// Runs the expression of the kind of `$a` (and `$b`, of the same type) with both bound to the names before it.
macro_rules! by_type {
    ($a:expr, $b:expr; $($kinds:tt)*) => { match ($a, $b) { (a, b) => crate::scalar_types!(by_kind a b $($kinds)*) } };
}

macro_rules! by_kind {
    (
        [$a:ident $b:ident
            bool $p:ident $q:ident => $bool:expr; int $x:ident $y:ident => $int:expr; float $u:ident $v:ident => $float:expr;]
        $($variant:ident $ty:ident $kind:ident $bits:ident;)*
    ) => {
        match ($a, $b) {
            $((Const::$variant(a), Const::$variant(b)) => {
                pick!($kind { let ($p, $q) = (a, b); $bool } { let ($x, $y) = (a, b); $int } { let ($u, $v) = (a, b); $float })
            })*
            (a, b) => panic!("operands {a:?} and {b:?} of different types"),
        }
    };
}

/// The block of the kind.
macro_rules! pick {
    (Truth $bool:block $int:block $float:block) => {
        $bool
    };
    (Float $bool:block $int:block $float:block) => {
        $float
    };
    ($kind:ident $bool:block $int:block $float:block) => {
        $int
    };
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
    op.holds(by_type! { x, y;
        bool p q => Some(p.cmp(&q));
        int x y => Some(x.cmp(&y));
        float u v => u.partial_cmp(&v);
    })
}

/// How two constants of one type compare in the total order, which puts NaN last.
pub fn total_order(x: Const, y: Const) -> std::cmp::Ordering {
    by_type! { x, y;
        bool p q => p.cmp(&q);
        int x y => x.cmp(&y);
        float u v => u.total_order(&v);
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
            int x y => integer_math(function, x, y);
            float _u _v => unreachable!("floats are handled above");
        },
    }
}

macro_rules! define {
    ([] $($variant:ident $name:ident $arity:tt $how:ident $(($($part:ident),*))? $(as $of:ident::$method:ident)?;)*) => {
        fn float_math<F: Float + Into<Const>>(function: MathFn, x: F, y: F, z: F) -> Const {
            match function {
                $(MathFn::$variant => apply!($arity [Float::$name] $([$of::$method])? x y z).into(),)*
            }
        }

        fn integer_math<I: Integer + Into<Const>>(function: MathFn, x: I, y: I) -> Const {
            match function {
                $($(MathFn::$variant => apply!($arity [$of::$method] x y x).into(),)?)*
                _ => panic!("{function:?} of an integer"),
            }
        }
    };
}

/// The last of the functions named, of as many of the arguments as it takes.
macro_rules! apply {
    ($arity:tt [$($first:tt)*] [$($last:tt)*] $($args:ident)*) => { apply!($arity [$($last)*] $($args)*) };
    (1 [$($function:tt)*] $x:ident $y:ident $z:ident) => { $($function)*($x) };
    (2 [$($function:tt)*] $x:ident $y:ident $z:ident) => { $($function)*($x, $y) };
    (3 [$($function:tt)*] $x:ident $y:ident $z:ident) => { $($function)*($x, $y, $z) };
}

crate::math_functions!(define);

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

macro_rules! cast {
    ([] $($variant:ident $ty:ident $kind:ident $bits:ident;)*) => {
        fn cast_float(to: Scalar, wide: f64, narrow: f32) -> Const {
            match to { $(Scalar::$variant => cast!($variant $ty $kind wide narrow),)* }
        }
    };
    ($variant:ident $ty:ident Truth $wide:ident $narrow:ident) => { panic!("a float does not cast to bool") };
    (F32 $ty:ident Float $wide:ident $narrow:ident) => { Const::F32($narrow) };
    ($variant:ident $ty:ident $kind:ident $wide:ident $narrow:ident) => { Const::$variant($wide as $ty) };
}

crate::scalar_types!(cast);

#[cfg(test)]
mod tests {
    use super::*;

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
