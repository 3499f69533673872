//! The cube root, and the root of a sum of squares.

use super::exact::{square, sum};
use super::exp::ROUNDER;
use super::polynomial::polynomial;
use super::real::with_sign_of;
use super::{Bits, Real, Test};

/// The length of the hypotenuse of a right triangle, within 0.51 ulp where it is a normal number, else within 1 ulp.
/// It is infinite if either side is, even beside a NaN.
#[inline(always)]
pub fn hypot<R: Real>(x: R, y: R) -> R {
    /// 2⁶⁰⁰, and what it is to scale: squares of what is between are neither infinite nor lose digits.
    const SCALE: f64 = f64::from_bits((1023 + 600) << 52);
    const LARGE: f64 = f64::from_bits((1023 + 500) << 52);
    const SMALL: f64 = f64::from_bits((1023 - 400) << 52);
    let (x, y) = (x.absolute(), y.absolute());
    let is_steep = x.is_less(y);
    let (most, least) = (is_steep.choose(y, x), is_steep.choose(x, y));
    let (one, scale, inverse) = (x.constant(1.0), x.constant(SCALE), x.constant(1.0 / SCALE));
    let is_large = x.constant(LARGE).is_less(most);
    let is_small = most.is_less(x.constant(SMALL));
    let factor = is_large.choose(inverse, is_small.choose(scale, one));
    let back = is_large.choose(scale, is_small.choose(inverse, one));
    let (first, first_low) = square(most * factor);
    let (second, second_low) = square(least * factor);
    let (high, low) = sum(first, second);
    let low = low + (first_low + second_low);
    let root = (high + low).root();
    let (root_square, root_square_low) = square(root);
    let rest = (high - root_square) + (low - root_square_low);
    // The sum is 0 only where the root is.
    let length = (root + rest / (root + root + f64::MIN_POSITIVE)) * back;
    let infinity = x.constant(f64::INFINITY);
    x.is_equal(infinity).choose(infinity, y.is_equal(infinity).choose(infinity, length))
}

/// 1 / ∛t for t from ½ to 4, to 2⁻⁸.
const INVERSE: [f64; 6] = [
    1.795256164041259,
    -1.5035055798098582,
    1.0272002675437073,
    -0.38916335725294854,
    0.07450424409508091,
    -0.005620117476247973,
];

/// The cube root, also of negative numbers, within 0.51 ulp.
#[inline(always)]
pub fn cbrt<R: Real>(x: R) -> R {
    /// Leaves 17 digits, whose cube is exact.
    const UPPER: u64 = !((1 << 36) - 1);
    /// Where integers stand in the low bits.
    const INTEGERS: f64 = 4_503_599_627_370_496.0;
    const BIAS: f64 = 1023.0;
    let size = x.absolute();
    let is_subnormal = size.is_less(x.constant(f64::MIN_POSITIVE));
    let normal = is_subnormal.choose(size * 18_014_398_509_481_984.0, size);
    let exponent = normal.bits().shift_right(52).or_number(INTEGERS.to_bits()).real() - (INTEGERS + BIAS);
    // Three times this exponent leaves a number from ½ to 4.
    let third = (exponent * (1.0 / 3.0) + ROUNDER).bits();
    let t = normal.bits().minus(third.plus(third).plus(third).shift_left(52)).real();
    let near = polynomial(t, &INVERSE);
    // 1 / ∛t = near (1 − h)^(−⅓), whose series ends here at 2⁻²².
    let h = -(near * near * near * t) + 1.0;
    let inverse = near + near * h * (h * (2.0 / 9.0) + 1.0 / 3.0);
    let root = (inverse * inverse * t).bits().and_number(UPPER).real();
    // ∛t = root ∛(1 + d), where d is below 2⁻¹⁴.
    let cube = root * root * root;
    let d = (t - cube) / cube;
    let root = root + root * (d * ((d * (5.0 / 81.0) - 1.0 / 9.0) * d + 1.0 / 3.0));
    let shift = is_subnormal.choose(x.constant(1.0 / 262_144.0), x.constant(1.0));
    let scaled = root.bits().plus(third.shift_left(52)).real() * shift;
    let (zero, infinity) = (x.constant(0.0), x.constant(f64::INFINITY));
    zero.is_less(size).and(size.is_less(infinity)).choose(with_sign_of(x, scaled), x)
}
