//! The language's arithmetic as methods of Rust's number types: what emitted Rust and compiled programs call.
//!
//! Every method is `#[inline]` and free of branches where the hardware allows it, so that loops over them
//! vectorise.

use crate::fault::FaultKind;

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

macro_rules! integer {
    ($($ty:ident $signed:literal)*) => {$(
        impl Number for $ty {
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                self.wrapping_add(other)
            }
            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                self.wrapping_sub(other)
            }
            #[inline(always)]
            fn mul(self, other: Self) -> Self {
                self.wrapping_mul(other)
            }
            #[inline(always)]
            fn negate(self) -> Self {
                self.wrapping_neg()
            }
            #[inline(always)]
            fn least(self, other: Self) -> Self {
                if other < self { other } else { self }
            }
            #[inline(always)]
            fn greatest(self, other: Self) -> Self {
                if other > self { other } else { self }
            }
            #[inline(always)]
            #[allow(unused_comparisons)]
            fn absolute(self) -> Self {
                if self < 0 { self.wrapping_neg() } else { self }
            }
            #[inline(always)]
            #[allow(unused_comparisons)]
            fn sign(self) -> Self {
                if self < 0 { (0 as $ty).wrapping_sub(1) } else { (self != 0) as $ty }
            }
            #[inline]
            #[allow(unused_comparisons)]
            fn power(self, exponent: Self) -> Self {
                if exponent < 0 {
                    return match self {
                        1 => 1,
                        _ if $signed && self == (0 as $ty).wrapping_sub(1) => {
                            if exponent & 1 == 0 { 1 } else { self }
                        }
                        _ => 0,
                    };
                }
                let (mut base, mut exponent, mut power) = (self, exponent, 1 as $ty);
                while exponent > 0 {
                    if exponent & 1 == 1 {
                        power = power.wrapping_mul(base);
                    }
                    base = base.wrapping_mul(base);
                    exponent >>= 1;
                }
                power
            }
        }

        impl Integer for $ty {
            #[inline(always)]
            fn checked_quotient(self, divisor: Self) -> Result<Self, FaultKind> {
                match self.checked_div(divisor) {
                    Some(quotient) => Ok(quotient),
                    None if divisor == 0 => Err(FaultKind::DivisionByZero),
                    None => Err(FaultKind::Overflow),
                }
            }
            #[inline(always)]
            fn checked_remainder(self, divisor: Self) -> Result<Self, FaultKind> {
                match self.checked_rem(divisor) {
                    Some(remainder) => Ok(remainder),
                    None if divisor == 0 => Err(FaultKind::DivisionByZero),
                    None => Err(FaultKind::Overflow),
                }
            }
            #[inline(always)]
            fn shift_left(self, count: Self) -> Self {
                self.wrapping_shl(count as u32)
            }
            #[inline(always)]
            fn shift_right(self, count: Self) -> Self {
                self.wrapping_shr(count as u32)
            }
        }
    )*};
}

integer!(i8 true i16 true i32 true i64 true u8 false u16 false u32 false u64 false);

/// What floats have besides.
#[allow(missing_docs)]
pub trait Float: Number {
    /// `fmod`: what is left of `self` after subtracting a whole number of times `divisor`, with the sign of `self`.
    fn remainder(self, divisor: Self) -> Self;
    fn exp(self) -> Self;
    fn log(self) -> Self;
    fn sqrt(self) -> Self;
    fn sin(self) -> Self;
    fn cos(self) -> Self;
    fn tan(self) -> Self;
    fn asin(self) -> Self;
    fn acos(self) -> Self;
    fn atan(self) -> Self;
    fn sinh(self) -> Self;
    fn cosh(self) -> Self;
    fn tanh(self) -> Self;
    fn erf(self) -> Self;
    fn log2(self) -> Self;
    fn log10(self) -> Self;
    fn exp2(self) -> Self;
    fn cbrt(self) -> Self;
    fn floor(self) -> Self;
    fn ceil(self) -> Self;
    /// Half away from zero.
    fn round(self) -> Self;
    fn trunc(self) -> Self;
    fn fract(self) -> Self;
    fn is_nan(self) -> bool;
    fn hypot(self, other: Self) -> Self;
    fn atan2(self, other: Self) -> Self;
    /// `self × factor + summand`, rounded once.
    fn mul_add(self, factor: Self, summand: Self) -> Self;
}

// The transcendental functions are those of the crate `libm`, not of the platform's C library: the same bits
// wherever a program runs.
macro_rules! float {
    ($ty:ident, $bits:ident: $fmod:ident $exp:ident $log:ident $sin:ident $cos:ident $tan:ident $asin:ident $acos:ident
     $atan:ident $sinh:ident $cosh:ident $tanh:ident $erf:ident $log2:ident $log10:ident $exp2:ident $cbrt:ident
     $hypot:ident $atan2:ident $pow:ident) => {
        impl Number for $ty {
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                self + other
            }
            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                self - other
            }
            #[inline(always)]
            fn mul(self, other: Self) -> Self {
                self * other
            }
            #[inline(always)]
            fn negate(self) -> Self {
                -self
            }
            // Equal numbers differ at most in the sign of zero, and then their bits decide: `or` keeps a sign
            // bit that either has, `and` only one that both have.
            #[inline(always)]
            fn least(self, other: Self) -> Self {
                let equal = <$ty>::from_bits(self.to_bits() | other.to_bits());
                let less = if self < other { self } else { other };
                let number = if self == other { equal } else { less };
                if other != other { self } else { number }
            }
            #[inline(always)]
            fn greatest(self, other: Self) -> Self {
                let equal = <$ty>::from_bits(self.to_bits() & other.to_bits());
                let more = if self > other { self } else { other };
                let number = if self == other { equal } else { more };
                if other != other { self } else { number }
            }
            #[inline(always)]
            fn absolute(self) -> Self {
                self.abs()
            }
            #[inline(always)]
            fn sign(self) -> Self {
                if self != self { self } else { (1.0 as $ty).copysign(self) }
            }
            #[inline]
            fn power(self, exponent: Self) -> Self {
                libm::$pow(self, exponent)
            }
        }

        impl Float for $ty {
            #[inline]
            fn remainder(self, divisor: Self) -> Self {
                libm::$fmod(self, divisor)
            }
            float!(@unary exp $exp log $log sin $sin cos $cos tan $tan asin $asin acos $acos atan $atan
                   sinh $sinh cosh $cosh tanh $tanh erf $erf log2 $log2 log10 $log10 exp2 $exp2 cbrt $cbrt);
            float!(@binary hypot $hypot atan2 $atan2);
            #[inline(always)]
            fn sqrt(self) -> Self {
                self.sqrt()
            }
            #[inline(always)]
            fn floor(self) -> Self {
                self.floor()
            }
            #[inline(always)]
            fn ceil(self) -> Self {
                self.ceil()
            }
            #[inline(always)]
            fn round(self) -> Self {
                self.round()
            }
            #[inline(always)]
            fn trunc(self) -> Self {
                self.trunc()
            }
            #[inline(always)]
            fn fract(self) -> Self {
                self - self.trunc()
            }
            #[inline(always)]
            fn is_nan(self) -> bool {
                self != self
            }
            #[inline(always)]
            fn mul_add(self, factor: Self, summand: Self) -> Self {
                <$ty>::mul_add(self, factor, summand)
            }
        }
    };
    (@unary $($name:ident $libm:ident)*) => {$(
        #[inline]
        fn $name(self) -> Self {
            libm::$libm(self)
        }
    )*};
    (@binary $($name:ident $libm:ident)*) => {$(
        #[inline]
        fn $name(self, other: Self) -> Self {
            libm::$libm(self, other)
        }
    )*};
}

float!(f64, u64: fmod exp log sin cos tan asin acos atan sinh cosh tanh erf log2 log10 exp2 cbrt hypot atan2 pow);
float!(f32, u32: fmodf expf logf sinf cosf tanf asinf acosf atanf sinhf coshf tanhf erff log2f log10f exp2f cbrtf
       hypotf atan2f powf);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn integer_powers_wrap_and_truncate() {
        assert_eq!(3i64.power(4), 81);
        assert_eq!(2i8.power(7), -128);
        assert_eq!((-1i32).power(-3), -1);
        assert_eq!(2i32.power(-1), 0);
        assert_eq!(255u8.power(2), 1);
    }

    #[test]
    fn shifts_mask_their_count() {
        assert_eq!(1i32.shift_left(33), 2);
        assert_eq!((-8i8).shift_right(1), -4);
        assert_eq!(200u8.shift_right(9), 100);
    }

    #[test]
    fn least_and_greatest_agree_with_the_rules_on_edge_values() {
        for (x, y, least, greatest) in [
            (0.0f64, -0.0f64, -0.0f64, 0.0f64),
            (-0.0, 0.0, -0.0, 0.0),
            (1.0, f64::NAN, 1.0, 1.0),
            (f64::NAN, -2.0, -2.0, -2.0),
        ] {
            assert_eq!(x.least(y).to_bits(), least.to_bits());
            assert_eq!(x.greatest(y).to_bits(), greatest.to_bits());
        }
    }
}
