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
///
/// ```
/// use weldment_runtime::lang::num::select;
/// assert_eq!((select(true, 1, 2), select(false, 1, 2)), (1, 2));
/// ```
#[inline(always)]
pub fn select<T>(condition: bool, yes: T, no: T) -> T {
    std::hint::select_unpredictable(condition, yes, no)
}

/// What all numbers have.
///
/// ```
/// # use weldment_runtime::lang::num::*;
///
/// use weldment_runtime::lang::num::Number;
/// assert_eq!(127i8.add(1), -128);
/// assert_eq!(2.0.least(f64::NAN), 2.0);
/// ```
pub trait Number: Copy {
    /// `self + other`; wraps on integers.
    ///
    /// ```
    /// # use weldment_runtime::lang::num::*;
    /// assert_eq!((200u8.add(100), i64::MAX.add(1)), (44, i64::MIN));
    /// ```
    fn add(self, other: Self) -> Self;
    /// `self − other`; wraps on integers.
    ///
    /// ```
    /// # use weldment_runtime::lang::num::*;
    /// assert_eq!((0u8.sub(1), (-0.0f64).sub(0.0).is_sign_negative()), (255, true));
    /// ```
    fn sub(self, other: Self) -> Self;
    /// `self × other`; wraps on integers.
    ///
    /// ```
    /// # use weldment_runtime::lang::num::*;
    /// assert_eq!((i8::MIN.mul(-1), 0.0.mul(f64::INFINITY).is_nan()), (i8::MIN, true));
    /// ```
    fn mul(self, other: Self) -> Self;
    /// `−self`; wraps on integers, flips the sign bit of floats.
    ///
    /// ```
    /// # use weldment_runtime::lang::num::*;
    /// assert_eq!((i32::MIN.negate(), 1u8.negate()), (i32::MIN, 255));
    /// assert!(0.0f64.negate().is_sign_negative());
    /// ```
    fn negate(self) -> Self;
    /// The smaller one. Ignores a NaN beside a number; −0.0 is less than 0.0.
    ///
    /// ```
    /// # use weldment_runtime::lang::num::*;
    /// assert_eq!((f64::NAN.least(1.0), 1.0.least(f64::NAN)), (1.0, 1.0));
    /// assert!(0.0f64.least(-0.0).is_sign_negative());
    /// ```
    fn least(self, other: Self) -> Self;
    /// The larger one. Ignores a NaN beside a number; −0.0 is less than 0.0.
    ///
    /// ```
    /// # use weldment_runtime::lang::num::*;
    /// assert_eq!((f64::NAN.greatest(1.0), 1.0.greatest(f64::NAN)), (1.0, 1.0));
    /// assert!((-0.0f64).greatest(0.0).is_sign_positive());
    /// ```
    fn greatest(self, other: Self) -> Self;
    /// The absolute value; wraps on the smallest integer.
    ///
    /// ```
    /// # use weldment_runtime::lang::num::*;
    /// assert_eq!(((-7i64).absolute(), i8::MIN.absolute()), (7, i8::MIN));
    /// ```
    fn absolute(self) -> Self;
    /// −1, 0 or 1 of integers; of floats ±1 by the sign bit, NaN of NaN.
    ///
    /// ```
    /// # use weldment_runtime::lang::num::*;
    /// assert_eq!(((-7i64).sign(), 0i64.sign(), 7u8.sign()), (-1, 0, 1));
    /// assert_eq!((0.0.sign(), (-0.0).sign()), (1.0, -1.0));
    /// ```
    fn sign(self) -> Self;
    /// `self` to the power `exponent`. Integers wrap; a negative exponent gives what the exact quotient
    /// truncates to: 0, or ±1 for a base of ±1 (and 0 for a base of 0).
    ///
    /// ```
    /// # use weldment_runtime::lang::num::*;
    /// assert_eq!((2i8.power(7), 2i64.power(-1), (-1i64).power(-3)), (-128, 0, -1));
    /// assert_eq!(2.0.power(-1.0), 0.5);
    /// ```
    fn power(self, exponent: Self) -> Self;
}

/// What integers have besides.
///
/// ```
/// # use weldment_runtime::lang::num::*;
///
/// use weldment_runtime::lang::fault::FaultKind;
/// use weldment_runtime::lang::num::Integer;
/// assert_eq!((-7i64).checked_quotient(2), Ok(-3));
/// assert_eq!(7u8.checked_quotient(0), Err(FaultKind::DivisionByZero));
/// ```
pub trait Integer: Number {
    /// `self / divisor`, truncated; faults on zero and on MIN / −1.
    ///
    /// ```
    /// # use weldment_runtime::lang::fault::FaultKind;
    /// # use weldment_runtime::lang::num::*;
    /// assert_eq!((-7i64).checked_quotient(2), Ok(-3));
    /// assert_eq!(7i64.checked_quotient(0), Err(FaultKind::DivisionByZero));
    /// assert_eq!(i64::MIN.checked_quotient(-1), Err(FaultKind::Overflow));
    /// ```
    fn checked_quotient(self, divisor: Self) -> Result<Self, FaultKind>;
    /// The remainder of the truncated quotient, with the sign of `self`; faults as the quotient does.
    ///
    /// ```
    /// # use weldment_runtime::lang::fault::FaultKind;
    /// # use weldment_runtime::lang::num::*;
    /// assert_eq!(((-7i64).checked_remainder(2), 7i64.checked_remainder(-2)), (Ok(-1), Ok(1)));
    /// assert_eq!(i64::MIN.checked_remainder(-1), Err(FaultKind::Overflow));
    /// ```
    fn checked_remainder(self, divisor: Self) -> Result<Self, FaultKind>;
    /// `self << count`, the count masked to the width.
    ///
    /// ```
    /// # use weldment_runtime::lang::num::*;
    /// assert_eq!((1i32.shift_left(4), 1i32.shift_left(33)), (16, 2));
    /// ```
    fn shift_left(self, count: Self) -> Self;
    /// `self >> count`, the count masked to the width; arithmetic on signed types.
    ///
    /// ```
    /// # use weldment_runtime::lang::num::*;
    /// assert_eq!(((-8i8).shift_right(1), 128u8.shift_right(9)), (-4, 64));
    /// ```
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
///
/// ```
/// use weldment_runtime::lang::num::Float;
/// assert_eq!(Float::exp(1.0), std::f64::consts::E.next_up()); // on every machine
/// assert_eq!(Float::exp(-1.0f64).to_bits(), 0x3FD7_8B56_362C_EF38);
/// ```
pub trait Float: Number {
    /// `fmod`: what is left of `self` after subtracting a whole number of times `divisor`, with the sign of `self`.
    ///
    /// ```
    /// # use weldment_runtime::lang::num::{Float, Number};
    /// assert_eq!((7.5.remainder(2.0), (-7.5).remainder(2.0)), (1.5, -1.5));
    /// assert!(1.0f64.remainder(0.0).is_nan());
    /// ```
    fn remainder(self, divisor: Self) -> Self;
    /// The square root, correctly rounded.
    ///
    /// ```
    /// # use weldment_runtime::lang::num::{Float, Number};
    /// assert_eq!(Float::sqrt(2.25), 1.5);
    /// assert!(Float::sqrt(-1.0f64).is_nan());
    /// ```
    fn sqrt(self) -> Self;
    /// Whether [`Float::near_sin`], [`Float::near_cos`] and [`Float::near_tan`] are for this angle.
    ///
    /// ```
    /// # use weldment_runtime::lang::num::{Float, Number};
    /// assert!(Float::is_near(1e6) && !Float::is_near(1e7) && !Float::is_near(f64::NAN));
    /// ```
    fn is_near(self) -> bool;
    /// The next whole number towards −∞.
    ///
    /// ```
    /// # use weldment_runtime::lang::num::{Float, Number};
    /// assert_eq!(Float::floor(-0.5), -1.0);
    /// ```
    fn floor(self) -> Self;
    /// The next whole number towards ∞; keeps the sign.
    ///
    /// ```
    /// # use weldment_runtime::lang::num::{Float, Number};
    /// let ceil: f64 = Float::ceil(-0.5);
    /// assert!(ceil == 0.0 && ceil.is_sign_negative());
    /// ```
    fn ceil(self) -> Self;
    /// Half away from zero.
    ///
    /// ```
    /// # use weldment_runtime::lang::num::{Float, Number};
    /// assert_eq!((Float::round(2.5), Float::round(-0.5)), (3.0, -1.0));
    /// ```
    fn round(self) -> Self;
    /// The next whole number towards 0; keeps the sign.
    ///
    /// ```
    /// # use weldment_runtime::lang::num::{Float, Number};
    /// let trunc: f64 = Float::trunc(-0.5);
    /// assert!(trunc == 0.0 && trunc.is_sign_negative());
    /// ```
    fn trunc(self) -> Self;
    /// What `trunc` takes off, with the sign of `self`; NaN of an infinity.
    ///
    /// ```
    /// # use weldment_runtime::lang::num::{Float, Number};
    /// assert_eq!(Float::fract(-1.25), -0.25);
    /// assert!(Float::fract(f64::INFINITY).is_nan());
    /// ```
    fn fract(self) -> Self;
    /// Whether this is no number.
    ///
    /// ```
    /// # use weldment_runtime::lang::num::{Float, Number};
    /// assert!(Float::is_nan(0.0 / 0.0) && !Float::is_nan(1.0 / 0.0));
    /// ```
    fn is_nan(self) -> bool;
    /// `self × factor + summand`, rounded once.
    ///
    /// ```
    /// # use weldment_runtime::lang::num::{Float, Number};
    /// let e = 2f64.powi(-30);
    /// assert_eq!(Float::mul_add(1.0 + e, 1.0 - e, -1.0), -e * e);
    /// assert_eq!((1.0 + e) * (1.0 - e) - 1.0, 0.0); // rounded twice
    /// ```
    fn mul_add(self, factor: Self, summand: Self) -> Self;

    crate::math_functions!(declare);
}
