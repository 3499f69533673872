//! The language's arithmetic as methods of Rust's number types: what emitted Rust and compiled programs call.
//!
//! Every method is `#[inline]` and free of branches where the hardware allows it, so that loops over them
//! vectorise.

mod float;
mod integer;

use crate::lang::fault::FaultKind;

/// `yes` if `condition` holds, and else `no`, without a branch.
///
/// Of an accumulator that becomes what it is already on one side of an `if`, the compiler makes a store on the other side
/// only. Such a store is masked in a loop over lanes, and then the lanes stay in memory instead of registers: loops with several
/// accumulators take twice as long.
#[inline(always)]
pub fn select<T>(condition: bool, yes: T, no: T) -> T {
    std::hint::select_unpredictable(condition, yes, no)
}

/// What all numbers have.
pub trait Number: Copy {
    /// `self + other`; wraps on integers.
    fn add(self, other: Self) -> Self;
    /// `self − other`; wraps on integers.
    fn sub(self, other: Self) -> Self;
    /// `self × other`; wraps on integers.
    fn mul(self, other: Self) -> Self;
    /// `−self`; wraps on integers, flips the sign bit of floats.
    fn negate(self) -> Self;
    /// The smaller one. Ignores a NaN beside a number; −0.0 is less than 0.0.
    fn least(self, other: Self) -> Self;
    /// The larger one. Ignores a NaN beside a number; −0.0 is less than 0.0.
    fn greatest(self, other: Self) -> Self;
    /// The absolute value; wraps on the smallest integer.
    fn absolute(self) -> Self;
    /// −1, 0 or 1 of integers; of floats ±1 by the sign bit, NaN of NaN.
    fn sign(self) -> Self;
    /// `self` to the power `exponent`. Integers wrap; a negative exponent gives what the exact quotient
    /// truncates to: 0, or ±1 for a base of ±1 (and 0 for a base of 0).
    fn power(self, exponent: Self) -> Self;
}

/// What integers have besides.
pub trait Integer: Number {
    /// `self / divisor`, truncated; faults on zero and on MIN / −1.
    fn checked_quotient(self, divisor: Self) -> Result<Self, FaultKind>;
    /// The remainder of the truncated quotient, with the sign of `self`; faults as the quotient does.
    fn checked_remainder(self, divisor: Self) -> Result<Self, FaultKind>;
    /// `self << count`, the count masked to the width.
    fn shift_left(self, count: Self) -> Self;
    /// `self >> count`, the count masked to the width; arithmetic on signed types.
    fn shift_right(self, count: Self) -> Self;
}

macro_rules! declare {
    ([] $($variant:ident $name:ident $arity:tt $how:ident $(($($part:ident),*))? $(as $of:ident::$method:ident)?;)*) => {
        $(declare!($how $arity $name $($($part)*)? $($of)?);)*
    };
    (own 1 $name:ident) => {
        #[doc = concat!("That of [`math`](crate::math::", stringify!($name), "), in 64 bits.")]
        fn $name(self) -> Self;
    };
    (own 2 $name:ident) => {
        #[doc = concat!("That of [`math`](crate::math::", stringify!($name), "), in 64 bits.")]
        fn $name(self, other: Self) -> Self;
    };
    (angle 1 $name:ident $near:ident $($libm:ident)*) => {
        #[doc = concat!("That of [`math`](crate::math::", stringify!($name), ") of an angle in radians, and of `libm` where it is huge.")]
        fn $name(self) -> Self;
        #[doc = concat!("The same of an angle that [is near](Float::is_near), without a branch: the bits that `", stringify!($name), "` gives.")]
        fn $near(self) -> Self;
    };
    (exact $arity:tt $name:ident $($of:ident)?) => {};
    (own 2 $name:ident Number) => {};
}

/// What floats have besides.
///
/// The functions are those of [`math`](crate::math) or, for remainders and huge angles, of the crate `libm`, not of the
/// platform: the same bits wherever a program runs. They are off by 1 ulp at most where nothing else is said. Rust's floats
/// have methods of the same names, which win over these, so that calls are written `Float::exp(x)`.
pub trait Float: Number {
    /// `fmod`: what is left of `self` after subtracting a whole number of times `divisor`, with the sign of `self`.
    fn remainder(self, divisor: Self) -> Self;
    /// The square root, correctly rounded.
    fn sqrt(self) -> Self;
    /// Whether [`Float::near_sin`], [`Float::near_cos`] and [`Float::near_tan`] are for this angle.
    fn is_near(self) -> bool;
    /// The next whole number towards −∞.
    fn floor(self) -> Self;
    /// The next whole number towards ∞; keeps the sign.
    fn ceil(self) -> Self;
    /// Half away from zero.
    fn round(self) -> Self;
    /// The next whole number towards 0; keeps the sign.
    fn trunc(self) -> Self;
    /// What `trunc` takes off, with the sign of `self`; NaN of an infinity.
    fn fract(self) -> Self;
    /// Whether this is no number.
    fn is_nan(self) -> bool;
    /// `self × factor + summand`, rounded once.
    fn mul_add(self, factor: Self, summand: Self) -> Self;

    crate::math_functions!(declare);
}

#[cfg(test)]
mod tests {
    use std::f64::consts::PI;

    use super::*;
    use crate::lang::fault::FaultKind;

    #[test]
    fn integers_wrap_and_divide_toward_zero() {
        assert_eq!((200u8.add(100), i64::MAX.add(1)), (44, i64::MIN));
        assert_eq!((0u8.sub(1), (-0.0f64).sub(0.0).is_sign_negative()), (255, true));
        assert_eq!((i8::MIN.mul(-1), 0.0.mul(f64::INFINITY).is_nan()), (i8::MIN, true));
        assert_eq!((i32::MIN.negate(), 1u8.negate()), (i32::MIN, 255));
        assert!(0.0f64.negate().is_sign_negative());
        assert_eq!((f64::NAN.least(1.0), 1.0.least(f64::NAN)), (1.0, 1.0));
        assert!(0.0f64.least(-0.0).is_sign_negative());
        assert_eq!((f64::NAN.greatest(1.0), 1.0.greatest(f64::NAN)), (1.0, 1.0));
        assert!((-0.0f64).greatest(0.0).is_sign_positive());
        assert_eq!(((-7i64).absolute(), i8::MIN.absolute()), (7, i8::MIN));
        assert_eq!(((-7i64).sign(), 0i64.sign(), 7u8.sign()), (-1, 0, 1));
        assert_eq!((0.0.sign(), (-0.0).sign()), (1.0, -1.0));
        assert_eq!((2i8.power(7), 2i64.power(-1), (-1i64).power(-3)), (-128, 0, -1));
        assert_eq!(2.0.power(-1.0), 0.5);
        assert_eq!((-7i64).checked_quotient(2), Ok(-3));
        assert_eq!(7i64.checked_quotient(0), Err(FaultKind::DivisionByZero));
        assert_eq!(i64::MIN.checked_quotient(-1), Err(FaultKind::Overflow));
        assert_eq!(((-7i64).checked_remainder(2), 7i64.checked_remainder(-2)), (Ok(-1), Ok(1)));
        assert_eq!(i64::MIN.checked_remainder(-1), Err(FaultKind::Overflow));
        assert_eq!((1i32.shift_left(4), 1i32.shift_left(33)), (16, 2));
        assert_eq!(((-8i8).shift_right(1), 128u8.shift_right(9)), (-4, 64));
    }

    #[test]
    fn floats_at_the_edges_of_each_function() {
        assert_eq!(Float::exp(1.0), std::f64::consts::E.next_up()); // on every machine
        assert_eq!(Float::exp(-1.0f64).to_bits(), 0x3FD7_8B56_362C_EF38);
        assert_eq!((7.5.remainder(2.0), (-7.5).remainder(2.0)), (1.5, -1.5));
        assert!(1.0f64.remainder(0.0).is_nan());
        assert_eq!(Float::exp(0.0), 1.0);
        assert_eq!(Float::exp(f64::NEG_INFINITY), 0.0);
        assert_eq!(Float::log(1.0), 0.0);
        assert_eq!(Float::log(0.0), f64::NEG_INFINITY);
        assert!(Float::log(-1.0f64).is_nan());
        assert_eq!(Float::sqrt(2.25), 1.5);
        assert!(Float::sqrt(-1.0f64).is_nan());
        assert_eq!(Float::sin(0.5f64), 0.479425538604203);
        assert!(Float::sin(f64::INFINITY).is_nan());
        assert_eq!(Float::cos(0.0), 1.0);
        assert!(Float::cos(f64::INFINITY).is_nan());
        assert!(Float::is_near(1e6) && !Float::is_near(1e7) && !Float::is_near(f64::NAN));
        assert_eq!(Float::near_sin(0.5f64), Float::sin(0.5f64));
        assert_eq!(Float::near_cos(0.5f64), Float::cos(0.5f64));
        assert_eq!(Float::near_tan(0.5f64), Float::tan(0.5f64));
        assert_eq!(Float::tan(0.0), 0.0);
        assert!(Float::tan(f64::INFINITY).is_nan());
        assert_eq!(Float::asin(1.0), std::f64::consts::FRAC_PI_2);
        assert!(Float::asin(1.5f64).is_nan());
        assert_eq!(Float::acos(-1.0), std::f64::consts::PI);
        assert!(Float::acos(1.5f64).is_nan());
        assert_eq!(Float::atan(f64::INFINITY), std::f64::consts::FRAC_PI_2);
        assert_eq!(Float::sinh(0.0), 0.0);
        assert_eq!(Float::sinh(-1000.0), f64::NEG_INFINITY);
        assert_eq!(Float::cosh(0.0), 1.0);
        assert_eq!(Float::cosh(-1000.0), f64::INFINITY);
        assert_eq!(Float::tanh(0.0), 0.0);
        assert_eq!(Float::tanh(-1000.0), -1.0);
        assert_eq!(Float::erf(0.0), 0.0);
        assert_eq!(Float::erf(f64::INFINITY), 1.0);
        assert_eq!(Float::log2(8.0), 3.0);
        assert_eq!(Float::log2(0.0), f64::NEG_INFINITY);
        assert_eq!(Float::log10(1000.0), 3.0);
        assert!(Float::log10(-1.0f64).is_nan());
        assert_eq!(Float::exp2(10.0), 1024.0);
        assert_eq!(Float::exp2(2000.0), f64::INFINITY);
        assert_eq!(Float::cbrt(-8.0), -2.0);
        assert_eq!(Float::floor(-0.5), -1.0);
        {
            let ceil: f64 = Float::ceil(-0.5);
            assert!(ceil == 0.0 && ceil.is_sign_negative());
        }
        assert_eq!((Float::round(2.5), Float::round(-0.5)), (3.0, -1.0));
        {
            let trunc: f64 = Float::trunc(-0.5);
            assert!(trunc == 0.0 && trunc.is_sign_negative());
        }
        assert_eq!(Float::fract(-1.25), -0.25);
        assert!(Float::fract(f64::INFINITY).is_nan());
        assert!(Float::is_nan(f64::NAN) && !Float::is_nan(f64::INFINITY));
        assert!(Float::hypot(3e200f64, 4e200).is_finite());
        assert_eq!(Float::hypot(f64::INFINITY, f64::NAN), f64::INFINITY);
        assert_eq!((Float::atan2(0.0, -1.0), Float::atan2(-0.0, -1.0)), (PI, -PI));
        {
            let e = 2f64.powi(-30);
            assert_eq!(Float::mul_add(1.0 + e, 1.0 - e, -1.0), -e * e);
            assert_eq!((1.0 + e) * (1.0 - e) - 1.0, 0.0); // rounded twice
        }
    }
}
