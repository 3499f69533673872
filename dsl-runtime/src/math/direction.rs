//! The angle of a point.

use std::f64::consts::FRAC_PI_4;

use super::exact::{quotient, sum};
use super::polynomial::polynomial;
use super::real::with_sign_of;
use super::{Real, Test};

/// What `FRAC_PI_4` lacks. Multiples of `FRAC_PI_4` by up to 8 are exact.
const FRAC_PI_4_LOW: f64 = 3.061616997868383e-17;

/// The largest quotient whose arctangent is that of the polynomial: tan(π/8).
const LARGEST_QUOTIENT: f64 = 0.41421356237309503;

/// (atan(x) − x) / x³ in x², for |x| ≤ tan(π/8), to 2⁻⁵⁸.
const ATAN: [f64; 12] = [
    -0.33333333333333326,
    0.19999999999997645,
    -0.1428571428538541,
    0.11111111088034903,
    -0.09090908139986019,
    0.07692282668335311,
    -0.06666225587632132,
    0.05877011791296256,
    -0.05218348404489913,
    0.045033529269276985,
    -0.03347054364841709,
    0.015191794207316221,
];

/// The angle of the point (`x`, `y`), from −π to π, within 1 ulp. The signs of zeros count, and infinities are as far as
/// each other.
#[inline(always)]
pub fn atan2<R: Real>(y: R, x: R) -> R {
    let (zero, one) = (x.constant(0.0), x.constant(1.0));
    let Sides { most, least, is_steep } = sides(y, x);
    // An angle below π/4, as `eighth` times π/4 and the arctangent of a quotient, each side of which is a sum.
    let is_wide = (most * LARGEST_QUOTIENT).is_less(least);
    let (both, both_low) = sum(most, least);
    let (less, less_low) = sum(-most, least);
    let (over, over_low) = (is_wide.choose(less, least), is_wide.choose(less_low, zero));
    let (under, under_low) = (is_wide.choose(both, most), is_wide.choose(both_low, zero));
    let eighth = is_wide.choose(one, zero);
    let (part, part_low) = quotient((over, over_low), (under, under_low), one / under);
    let (part, part_low) = sum(part, part_low);
    // A tiny quotient may be subnormal, and then is rounded by a division, and not again.
    let is_tiny = part.absolute().is_less(x.constant(1e-10));
    let (part, part_low) = (is_tiny.choose(over / under, part), is_tiny.choose(zero, part_low));
    let square = part * part;
    let rest = part * (square * polynomial(square, &ATAN)) + (part_low - part_low * square);
    // The angle itself: from the x axis forwards, from the y axis either way, or from the x axis backwards.
    let is_left = with_sign_of(x, one).is_less(zero);
    let axis = is_steep.choose(x.constant(2.0), is_left.choose(x.constant(4.0), zero));
    let back_from_axis = is_left.choose(one, -one);
    let turn = is_steep.choose(back_from_axis, -back_from_axis);
    let eighths = axis + turn * eighth;
    let (high, low) = sum(eighths * FRAC_PI_4, turn * part);
    let angle = high + (low + (turn * rest + eighths * FRAC_PI_4_LOW));
    with_sign_of(y, angle)
}

/// The sizes of two coordinates, scaled alike, so that they and their sum are finite and not too small.
struct Sides<R: Real> {
    most: R,
    least: R,
    /// Whether `y` is the larger.
    is_steep: R::Test,
}

#[inline(always)]
fn sides<R: Real>(y: R, x: R) -> Sides<R> {
    const LARGE: f64 = f64::from_bits((1023 + 1000) << 52);
    const SMALL: f64 = f64::from_bits((1023 - 800) << 52);
    const SCALE: f64 = f64::from_bits((1023 + 200) << 52);
    let (one, infinity) = (x.constant(1.0), x.constant(f64::INFINITY));
    let (x, y) = (x.absolute(), y.absolute());
    let is_steep = x.is_less(y);
    let (most, least) = (is_steep.choose(y, x), is_steep.choose(x, y));
    let inverse = x.constant(1.0 / SCALE);
    let small = most.is_less(x.constant(SMALL)).choose(x.constant(SCALE), one);
    let factor = x.constant(LARGE).is_less(most).choose(inverse, small);
    // Beside an infinity a number is 0, and a NaN stays one. Both 0 are a quotient of 0.
    let is_infinite = most.is_equal(infinity);
    let far = least.is_equal(infinity).choose(one, least * 0.0);
    let is_zero = most.is_equal(x.constant(0.0));
    let most = is_zero.choose(one, is_infinite.choose(one, most * factor));
    Sides { most, least: is_infinite.choose(far, least * factor), is_steep }
}
