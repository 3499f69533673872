//! Powers.

use std::f64::consts::LOG2_E;

use super::exact::{quotient, sum, upper};
use super::exp::{LN_2_HIGH, LN_2_LOW, ROUNDER, TAIL, between, scale};
use super::log::{self, Parts};
use super::polynomial::polynomial;
use super::real::with_sign_of;
use super::{Bits, Real, Test};

/// (3 atanh(s) / s − 3 − s²) / s⁴ in s², for |s| ≤ 0.06, to 2⁻⁷² of the whole.
const ATANH: [f64; 5] =
    [0.6000000000000079, 0.42857142854924885, 0.33333335589147817, 0.27271663156688636, 0.23313512117050403];

/// ⅔ in two parts, of which the first has 26 digits.
const TWO_THIRDS_HIGH: f64 = 0.6666666567325592;
const TWO_THIRDS_LOW: f64 = 9.934107462565104e-09;

/// `x` to the power `y`, within 1 ulp, as C has it at the limits: 1 to any power and anything to the power 0 are 1, even a NaN.
#[inline(always)]
pub fn pow<R: Real>(x: R, y: R) -> R {
    let (zero, one, infinity) = (x.constant(0.0), x.constant(1.0), x.constant(f64::INFINITY));
    let size = x.absolute();
    let Logarithm { high, low } = logarithm(size);
    // Beyond this, all powers are beyond all floats, but those of 1.
    let within = power_of_e(between(y, -1e21, 1e21), high, low);
    // What the logarithm of the result is like, to tell when that is beyond all floats.
    let is_finite = size.is_less(infinity);
    let rough = y * zero.is_less(size).choose(is_finite.choose(high, infinity), -infinity);
    let floor = rough.is_less(x.constant(-746.0)).choose(zero, within);
    let power = x.constant(710.0).is_less(rough).choose(infinity, floor);
    // Of a negative number, powers that are no integers are none, and those that are odd are negative.
    let Parity { is_integer, sign } = parity(y);
    let is_negative = with_sign_of(x, one).is_less(zero);
    let sign = is_negative.choose(sign, zero);
    let power = power.bits().xor(sign.bits()).real();
    let is_inside = x.is_less(zero).and(is_finite);
    let power = is_inside.choose(is_integer.choose(power, x.constant(f64::NAN)), power);
    let power = x.is_equal(x).and(y.is_equal(y)).choose(power, x + y);
    y.is_equal(zero).choose(one, x.is_equal(one).choose(one, power))
}

struct Parity<R: Real> {
    is_integer: R::Test,
    /// −0 of odd integers, else 0.
    sign: R,
}

/// Infinities are even integers.
#[inline(always)]
fn parity<R: Real>(y: R) -> Parity<R> {
    let zero = y.constant(0.0);
    let size = y.absolute();
    let half = size * 0.5;
    let is_integer = rounded(size).is_equal(size);
    let odd = rounded(half).is_equal(half).choose(zero, -zero);
    Parity { is_integer, sign: is_integer.choose(odd, zero) }
}

/// The nearest integer of a number that is not negative.
#[inline(always)]
fn rounded<R: Real>(size: R) -> R {
    /// From here on all floats are integers.
    const INTEGERS: f64 = 4_503_599_627_370_496.0;
    size.is_less(size.constant(INTEGERS)).choose((size + INTEGERS) - INTEGERS, size)
}

/// `high + low`, to 2⁻⁶⁸ of it; `high` has 26 digits.
struct Logarithm<R> {
    high: R,
    low: R,
}

/// The natural logarithm of a positive number.
#[inline(always)]
fn logarithm<R: Real>(x: R) -> Logarithm<R> {
    let (zero, one) = (x.constant(0.0), x.constant(1.0));
    let Parts { exponent, f } = log::parts(x);
    // 1 + f = c (1 + s) / (1 − s), where c is one of three numbers. The first parts of their logarithms are multiples of
    // 2⁻⁴², so that the sum with `exponent` times that of 2 is exact.
    let near = Near { is_low: f.is_less(x.constant(-0.109)), is_high: x.constant(0.1225).is_less(f) };
    let c = near.of_three(0.796875, one, 1.2578125);
    let c_high = near.of_three(-0.22705745063535687, zero, 0.22937410106487732);
    let c_low = near.of_three(1.078736749871691e-14, zero, -3.149265065191484e-14);
    let over = f - (c - 1.0);
    // −0, since a compiler may not leave out a sum with 0.
    let nothing = x.constant(-0.0);
    let (under, under_low) = sum(c + 1.0, f);
    let (s_high, s_low) = quotient((over, nothing), (under, under_low), one / under);
    let s = s_high + s_low;
    // The logarithm of that quotient is ⅔ s (3 + s² + rest).
    let square = s * s;
    let square_high = s_high * s_high;
    let rest = s_low * (s_high + s) + square * square * polynomial(square, &ATANH);
    let factor_high = upper(square_high + 3.0 + rest);
    let factor_low = rest - ((factor_high - 3.0) - square_high);
    let product = s_high * factor_high;
    let product_rest = s_low * factor_high + factor_low * s;
    let product_high = upper(product + product_rest);
    let product_low = product_rest - (product_high - product);
    let part = product_high * TWO_THIRDS_HIGH;
    let part_low = product_high * TWO_THIRDS_LOW + product_low * (2.0 / 3.0);
    let (whole, lost) = sum(exponent * LN_2_HIGH + c_high, part);
    let low = lost + (part_low + (exponent * LN_2_LOW + c_low));
    let high = upper(whole + low);
    Logarithm { high, low: low - (high - whole) }
}

/// To which of three numbers another is near: the middle one, if to neither of the others.
#[derive(Clone, Copy)]
struct Near<T> {
    is_low: T,
    is_high: T,
}

impl<T: Test<Real: Real>> Near<T> {
    #[inline(always)]
    fn of_three(self, low: f64, middle: T::Real, high: f64) -> T::Real {
        let upper = self.is_high.choose(middle.constant(high), middle);
        self.is_low.choose(middle.constant(low), upper)
    }
}

/// `e` to the power `y (high + low)`, if that is finite and not 0.
#[inline(always)]
fn power_of_e<R: Real>(y: R, high: R, low: R) -> R {
    let (zero, one) = (y.constant(0.0), y.constant(1.0));
    let y_high = upper(y);
    let product = y_high * high;
    let product_low = (y - y_high) * high + y * low;
    let rounded = (product + product_low) * LOG2_E + ROUNDER;
    let k = rounded - ROUNDER;
    let (r, r_low) = sum(product - k * LN_2_HIGH, product_low - k * LN_2_LOW);
    let (most, most_low) = sum(one, r);
    let (fraction, lost) = sum(most, most_low + (r * r * polynomial(r, &TAIL) + r_low * most));
    // A subnormal result is rounded where its last digit is to be, and not again: beside this power of two.
    let last = (-k + ROUNDER).bits().plus_number(1).shift_left(52).real();
    let aside = (k + fraction).is_less(y.constant(-1021.0)).choose(last, zero);
    let (beside, left) = sum(aside, fraction);
    scale((beside + (left + lost)) - aside, rounded.bits())
}
