//! Sine, cosine and tangent of angles that are not huge.

use super::exact::{quotient, square, sum};
use super::exp::ROUNDER;
use super::polynomial::polynomial;
use super::{Bits, Real, Test};

/// The largest angle that [`sin`], [`cos`] and [`tan`] are for.
pub const LARGEST_ANGLE: f64 = 1_647_099.0;

/// π/2 in four parts. Up to the quarters in `LARGEST_ANGLE`, a multiple of each of the first three is exact.
const QUARTER: [f64; 4] =
    [1.5707963267341256, 6.077100506303966e-11, 2.0222662487111665e-21, 8.4784276603689e-32];

/// (sin(x) − x) / x³ in x², for |x| ≤ π/4, to 2⁻⁵⁸.
const SIN_FIRST: f64 = -0.16666666666666632;
const SIN_REST: [f64; 5] = [
    0.00833333333332237,
    -0.00019841269829770836,
    2.7557313678610896e-06,
    -2.505075595892093e-08,
    1.5896666600556211e-10,
];

/// (cos(x) − 1 + x²/2) / x⁴ in x², for |x| ≤ π/4, to 2⁻⁶⁴.
const COS: [f64; 6] = [
    0.0416666666666666,
    -0.0013888888888874066,
    2.480158728944461e-05,
    -2.7557314340965054e-07,
    2.087572166303311e-09,
    -1.1359561271631699e-11,
];

/// The sine of an angle of at most [`LARGEST_ANGLE`], within 1 ulp.
#[inline(always)]
pub fn sin<R: Real>(x: R) -> R {
    let Reduced { high, low, quarters } = reduce(x);
    let sine = of_quarter(high, low, quarters);
    // Keeps the sign of zero.
    x.absolute().is_less(x.constant(1e-10)).choose(x, sine)
}

/// The cosine of an angle of at most [`LARGEST_ANGLE`], within 1 ulp.
#[inline(always)]
pub fn cos<R: Real>(x: R) -> R {
    let Reduced { high, low, quarters } = reduce(x);
    of_quarter(high, low, quarters.plus_number(1))
}

/// The tangent of an angle of at most [`LARGEST_ANGLE`], within 1 ulp.
#[inline(always)]
pub fn tan<R: Real>(x: R) -> R {
    let Reduced { high, low, quarters } = reduce(x);
    let (upper_square, lower_square) = square(high);
    let (square, square_low) = sum(upper_square, lower_square);
    let cube = square * high;
    // Sine and cosine, each in two parts: of no part but the first does rounding matter.
    let small = low - square * (low * 0.5 - cube * polynomial(square, &SIN_REST));
    let rest = cube * SIN_FIRST + (square_low * high * SIN_FIRST + small);
    let (sine, sine_low) = sum(high, rest);
    let (most, most_low) = sum(x.constant(1.0), square * -0.5);
    let rest = square * square * polynomial(square, &COS) - square_low * 0.5 - high * low + most_low;
    let (cosine, cosine_low) = sum(most, rest);
    // An odd number of quarters makes it −cos / sin.
    let odd = quarters.and_number(1);
    let is_odd = x.constant(0.0).is_less(odd.shift_left(62).real());
    let over = is_odd.choose(cosine, sine);
    let over_low = is_odd.choose(cosine_low, sine_low);
    let under = is_odd.choose(sine, cosine);
    let under_low = is_odd.choose(sine_low, cosine_low);
    let (size, rest) = quotient((over, over_low), (under, under_low), x.constant(1.0) / under);
    let tangent = (size + rest).bits().xor(odd.shift_left(63)).real();
    // Keeps the sign of zero.
    x.absolute().is_less(x.constant(1e-10)).choose(x, tangent)
}

/// An angle less a multiple of π/2: `high + low`, of which the second is below an ulp of the first.
struct Reduced<R: Real> {
    high: R,
    low: R,
    /// The multiple, in the low bits.
    quarters: R::Bits,
}

#[inline(always)]
fn reduce<R: Real>(x: R) -> Reduced<R> {
    let rounded = x * std::f64::consts::FRAC_2_PI + ROUNDER;
    let k = rounded - ROUNDER;
    let rest = x - k * QUARTER[0];
    let (rest, first) = difference(rest, k * QUARTER[1]);
    let (rest, second) = difference(rest, k * QUARTER[2]);
    let small = first + second - k * QUARTER[3];
    let high = rest + small;
    Reduced { high, low: (rest - high) + small, quarters: rounded.bits() }
}

/// `x - y`, and what rounding took from it.
#[inline(always)]
fn difference<R: Real>(x: R, y: R) -> (R, R) {
    let difference = x - y;
    let part = difference - x;
    (difference, (x - (difference - part)) - (y + part))
}

/// The sine of `high + low` and as many quarters of a turn.
#[inline(always)]
fn of_quarter<R: Real>(high: R, low: R, quarters: R::Bits) -> R {
    let square = high * high;
    let cube = square * high;
    let sine =
        high - ((square * (low * 0.5 - cube * polynomial(square, &SIN_REST)) - low) - cube * SIN_FIRST);
    let half = square * 0.5;
    let most = -half + 1.0;
    let cosine = most + (((-most + 1.0) - half) + (square * square * polynomial(square, &COS) - high * low));
    // 2 where the number of quarters is odd, else 0.
    let odd = quarters.and_number(1).shift_left(62).real();
    let size = odd.constant(0.0).is_less(odd).choose(cosine, sine);
    size.bits().xor(quarters.and_number(2).shift_left(62)).real()
}
