//! Logarithms.

use super::exp::{LN_2_HIGH, LN_2_LOW};
use super::polynomial::polynomial;
use super::{Bits, Real, Test};

/// (ln((1 + s) / (1 − s)) − 2s) / s³ in s², for 1 + f = (1 + s) / (1 − s) between √½ and √2, to 2⁻⁵⁸.
const TAIL: [f64; 7] = [
    0.6666666666666734,
    0.3999999999941396,
    0.28571428742564564,
    0.2222219855351908,
    0.18183565420006198,
    0.15314020827664773,
    0.14796263787374556,
];

/// The natural logarithm, within 1 ulp.
#[inline(always)]
pub fn log<R: Real>(x: R) -> R {
    let Parts { exponent, f } = parts(x);
    let Near { half_square, rest } = near(f);
    // ln(1 + f) = f − (f²/2 − rest); the large terms come last.
    let sum = exponent * LN_2_HIGH - ((half_square - (rest + exponent * LN_2_LOW)) - f);
    with_limits(x, sum)
}

/// The logarithm to the base 2, within 1 ulp; of powers of two it is exact.
#[inline(always)]
pub fn log2<R: Real>(x: R) -> R {
    let base = Base { of_e: (1.4426950407214463, 1.6751713164886512e-10), of_2: (1.0, 0.0) };
    to_base(x, base)
}

/// The logarithm to the base 10, within 1 ulp.
#[inline(always)]
pub fn log10<R: Real>(x: R) -> R {
    let base = Base {
        of_e: (0.4342944818781689, 2.5082946711645275e-11),
        of_2: (0.30102999565860955, 5.371644767466998e-12),
    };
    to_base(x, base)
}

/// What tells a base: the logarithms of e and 2 to it, each in two parts.
struct Base {
    /// The first is a multiple of 2⁻³¹ or more.
    of_e: (f64, f64),
    /// The first is exact when multiplied by an exponent.
    of_2: (f64, f64),
}

#[inline(always)]
fn to_base<R: Real>(x: R, base: Base) -> R {
    /// Leaves 21 digits, whose product with `of_e.0` is exact.
    const UPPER: u64 = !((1 << 32) - 1);
    let Parts { exponent, f } = parts(x);
    let Near { half_square, rest } = near(f);
    let high = (f - half_square).bits().and_number(UPPER).real();
    let low = (f - high) - half_square + rest;
    let whole = exponent * base.of_2.0;
    let part = high * base.of_e.0;
    let small = (low + high) * base.of_e.1 + low * base.of_e.0 + exponent * base.of_2.1;
    let sum = whole + part;
    with_limits(x, small + ((whole - sum) + part) + sum)
}

/// A positive number as 2 to the power `exponent`, times 1 + `f`, which is between √½ and √2.
pub(super) struct Parts<R> {
    pub(super) exponent: R,
    pub(super) f: R,
}

#[inline(always)]
pub(super) fn parts<R: Real>(x: R) -> Parts<R> {
    const ROOT_HALF: u64 = std::f64::consts::FRAC_1_SQRT_2.to_bits();
    const BIAS: u64 = 1 << 10;
    const FRACTION: u64 = (1 << 52) - 1;
    /// Where integers stand in the low bits.
    const INTEGERS: f64 = 4_503_599_627_370_496.0;
    let is_subnormal = x.is_less(x.constant(f64::MIN_POSITIVE));
    let normal = is_subnormal.choose(x * 18_014_398_509_481_984.0, x);
    let shift =
        is_subnormal.choose(x.constant(INTEGERS + BIAS as f64 + 54.0), x.constant(INTEGERS + BIAS as f64));
    let biased = normal.bits().plus_number((BIAS << 52).wrapping_sub(ROOT_HALF));
    let exponent = biased.shift_right(52).or_number(INTEGERS.to_bits()).real() - shift;
    let f = biased.and_number(FRACTION).plus_number(ROOT_HALF).real() - 1.0;
    Parts { exponent, f }
}

/// ln(1 + f) = f − (`half_square` − `rest`).
pub(super) struct Near<R> {
    pub(super) half_square: R,
    pub(super) rest: R,
}

#[inline(always)]
pub(super) fn near<R: Real>(f: R) -> Near<R> {
    let s = f / (f + 2.0);
    let z = s * s;
    let half_square = f * f * 0.5;
    Near { half_square, rest: s * (half_square + z * polynomial(z, &TAIL)) }
}

/// `sum`, the logarithm of `x` if that is positive and finite, or else what it is at the limits.
#[inline(always)]
pub(super) fn with_limits<R: Real>(x: R, sum: R) -> R {
    let (zero, infinity) = (x.constant(0.0), x.constant(f64::INFINITY));
    let is_positive = zero.is_less(x);
    let beyond = is_positive.choose(x, x.is_equal(zero).choose(-infinity, x.constant(f64::NAN)));
    is_positive.and(x.is_less(infinity)).choose(sum, beyond)
}
