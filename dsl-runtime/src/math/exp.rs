//! The exponential function.

use super::polynomial::polynomial;
use super::{Bits, Real, Test};

/// ln 2 in two parts: a multiple of the first by up to 2²⁰ is exact.
pub(super) const LN_2_HIGH: f64 = 0.6931471803691238;
pub(super) const LN_2_LOW: f64 = 1.9082149292705877e-10;

/// Added to a float that is small beside it, and taken away again, it leaves the nearest integer, which stands in the
/// low bits of the sum.
pub(super) const ROUNDER: f64 = 6_755_399_441_055_744.0;

/// (eʳ − 1 − r) / r² for |r| ≤ ln 2 / 2, to 2⁻⁵⁸ of eʳ.
pub(super) const TAIL: [f64; 10] = [
    0.5000000000000012,
    0.166666666666667,
    0.041666666666522044,
    0.00833333333330734,
    0.0013888888945525796,
    0.0001984126991733521,
    2.4801491307642236e-05,
    2.755721620551121e-06,
    2.763084048179317e-07,
    2.5117920109517225e-08,
];

/// `e` to the power `x`, within 1 ulp.
#[inline(always)]
pub fn exp<R: Real>(x: R) -> R {
    let x = between(x, -746.0, 710.0);
    let Parts { high, exponent, .. } = parts(x, x.constant(0.0));
    scale(high, exponent)
}

/// 2 to the power `x`, within 1 ulp; of integers it is exact.
#[inline(always)]
pub fn exp2<R: Real>(x: R) -> R {
    /// Leaves 21 digits, whose product with `LN_2_HIGH` is exact.
    const UPPER: u64 = !((1 << 32) - 1);
    let x = between(x, -1076.0, 1025.0);
    let rounded = x + ROUNDER;
    let part = x - (rounded - ROUNDER);
    let upper = part.bits().and_number(UPPER).real();
    let low = (part - upper) * std::f64::consts::LN_2 + upper * LN_2_LOW;
    scale(tail(upper * LN_2_HIGH, low) + 1.0, rounded.bits())
}

/// `x`, or the nearer end of an interval; NaN of NaN.
#[inline(always)]
pub(super) fn between<R: Real>(x: R, least: f64, most: f64) -> R {
    let (least, most) = (x.constant(least), x.constant(most));
    let x = x.is_less(least).choose(least, x);
    most.is_less(x).choose(most, x)
}

/// `e` to a power: `high + low`, times 2 to the power `exponent`.
pub(super) struct Parts<R: Real> {
    /// Between 0.7 and 1.42.
    pub(super) high: R,
    /// Less than an ulp of `high`.
    pub(super) low: R,
    /// In the low 12 bits, beside others.
    pub(super) exponent: R::Bits,
}

/// `e` to the power `high + low`, of which the second is far smaller and the first below 2¹⁰ or so.
#[inline(always)]
pub(super) fn parts<R: Real>(high: R, low: R) -> Parts<R> {
    let rounded = high * std::f64::consts::LOG2_E + ROUNDER;
    let k = rounded - ROUNDER;
    let rest = tail(high - k * LN_2_HIGH, low - k * LN_2_LOW);
    let high = rest + 1.0;
    Parts { high, low: (-high + 1.0) + rest, exponent: rounded.bits() }
}

/// e to the power `high + low`, less 1, for a sum of at most ln 2 / 2.
#[inline(always)]
fn tail<R: Real>(high: R, low: R) -> R {
    let r = high + low;
    high + (r * r * polynomial(r, &TAIL) + low)
}

/// `fraction` times two to the power `exponent`, which is in the low bits and may be twice what that of a float is.
#[inline(always)]
pub(super) fn scale<R: Real>(fraction: R, exponent: R::Bits) -> R {
    // In two steps, since the result may be subnormal, or too large.
    const BIAS: u64 = 1 << 11;
    let biased = exponent.plus_number(BIAS.wrapping_sub(ROUNDER.to_bits()));
    let half = biased.shift_right(1);
    let rest = biased.minus(half);
    let bias = 1023u64.wrapping_sub(BIAS / 2);
    let power_of_half = half.plus_number(bias).shift_left(52).real();
    let power_of_rest = rest.plus_number(bias).shift_left(52).real();
    fraction * power_of_half * power_of_rest
}

/// As [`scale`], where the result is known to be a normal number.
#[inline(always)]
pub(super) fn scale_within<R: Real>(fraction: R, exponent: R::Bits) -> R {
    fraction.bits().plus(exponent.shift_left(52)).real()
}
