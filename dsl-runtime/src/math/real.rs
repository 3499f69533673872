//! The operations that functions are made of, and how `f64` does them.

use std::ops::{Add, Div, Mul, Neg, Sub};

/// What a function may do with a float of 64 bits. Every operation rounds once, as IEEE 754 says.
pub trait Real:
    Copy
    + Add<Output = Self>
    + Sub<Output = Self>
    + Mul<Output = Self>
    + Div<Output = Self>
    + Neg<Output = Self>
    + Add<f64, Output = Self>
    + Sub<f64, Output = Self>
    + Mul<f64, Output = Self>
{
    /// The bits of such a float.
    type Bits: Bits<Real = Self>;
    /// What a comparison gives.
    type Test: Test<Real = Self>;

    /// A constant: of the same kind as `self`, which has no part in its value.
    fn constant(self, value: f64) -> Self;
    /// The absolute value.
    fn absolute(self) -> Self;
    /// The square root, rounded correctly.
    fn root(self) -> Self;
    /// `self < other`; false beside a NaN.
    fn is_less(self, other: Self) -> Self::Test;
    /// `self == other`; false beside a NaN.
    fn is_equal(self, other: Self) -> Self::Test;
    /// The bits.
    fn bits(self) -> Self::Bits;
}

/// What a function may do with the bits of a float, an unsigned number that wraps.
pub trait Bits: Copy {
    /// The float.
    type Real;

    /// The sum.
    fn plus(self, other: Self) -> Self;
    /// The difference.
    fn minus(self, other: Self) -> Self;
    /// The sum with a constant.
    fn plus_number(self, number: u64) -> Self;
    /// The bits that a constant has too.
    fn and_number(self, number: u64) -> Self;
    /// The bits, and those of a constant.
    fn or_number(self, number: u64) -> Self;
    /// The bits that either has.
    fn or(self, other: Self) -> Self;
    /// The bits that one of the two has.
    fn xor(self, other: Self) -> Self;
    /// Shifted to the left by less than 64.
    fn shift_left(self, count: u32) -> Self;
    /// Shifted to the right by less than 64; zeros come in.
    fn shift_right(self, count: u32) -> Self;
    /// The float that has these bits.
    fn real(self) -> Self::Real;
}

/// What a function may do with the outcome of a comparison.
pub trait Test: Copy {
    /// The floats that were compared.
    type Real;

    /// Whether both hold.
    fn and(self, other: Self) -> Self;
    /// `yes` where it holds, else `no`; both are computed.
    fn choose(self, yes: Self::Real, no: Self::Real) -> Self::Real;
}

/// `size`, which is not negative, with the sign of `x`.
#[inline(always)]
pub(super) fn with_sign_of<R: Real>(x: R, size: R) -> R {
    const SIGN: u64 = 1 << 63;
    size.bits().or(x.bits().and_number(SIGN)).real()
}

impl Real for f64 {
    type Bits = u64;
    type Test = bool;

    #[inline(always)]
    fn constant(self, value: f64) -> f64 {
        value
    }
    #[inline(always)]
    fn absolute(self) -> f64 {
        self.abs()
    }
    #[inline(always)]
    fn root(self) -> f64 {
        self.sqrt()
    }
    #[inline(always)]
    fn is_less(self, other: f64) -> bool {
        self < other
    }
    #[inline(always)]
    fn is_equal(self, other: f64) -> bool {
        self == other
    }
    #[inline(always)]
    fn bits(self) -> u64 {
        self.to_bits()
    }
}

impl Bits for u64 {
    type Real = f64;

    #[inline(always)]
    fn plus(self, other: u64) -> u64 {
        self.wrapping_add(other)
    }
    #[inline(always)]
    fn minus(self, other: u64) -> u64 {
        self.wrapping_sub(other)
    }
    #[inline(always)]
    fn plus_number(self, number: u64) -> u64 {
        self.wrapping_add(number)
    }
    #[inline(always)]
    fn and_number(self, number: u64) -> u64 {
        self & number
    }
    #[inline(always)]
    fn or_number(self, number: u64) -> u64 {
        self | number
    }
    #[inline(always)]
    fn or(self, other: u64) -> u64 {
        self | other
    }
    #[inline(always)]
    fn xor(self, other: u64) -> u64 {
        self ^ other
    }
    #[inline(always)]
    fn shift_left(self, count: u32) -> u64 {
        self << count
    }
    #[inline(always)]
    fn shift_right(self, count: u32) -> u64 {
        self >> count
    }
    #[inline(always)]
    fn real(self) -> f64 {
        f64::from_bits(self)
    }
}

impl Test for bool {
    type Real = f64;

    #[inline(always)]
    fn and(self, other: bool) -> bool {
        self & other
    }
    #[inline(always)]
    fn choose(self, yes: f64, no: f64) -> f64 {
        if self { yes } else { no }
    }
}
