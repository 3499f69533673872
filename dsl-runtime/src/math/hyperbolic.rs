//! Hyperbolic sine, cosine and tangent.

use super::exp::{self, Parts, scale};
use super::polynomial::polynomial;
use super::real::with_sign_of;
use super::{Bits, Real, Test};

/// (sinh(x) − x) / x³ in x², for |x| ≤ 1, to 2⁻⁶³.
const SINH: [f64; 7] = [
    0.16666666666666669,
    0.008333333333333137,
    0.0001984126984143853,
    2.7557319155059345e-06,
    2.505212344406797e-08,
    1.6057236695312034e-10,
    7.759425727469397e-13,
];

/// Halves of eˣ and e⁻ˣ.
struct Halves<R> {
    high: R,
    /// What `high` lacks.
    low: R,
    inverse: R,
}

/// For x from 0 to 711.
#[inline(always)]
fn halves<R: Real>(x: R) -> Halves<R> {
    let Parts { high, low, exponent } = exp::parts(x, x.constant(0.0));
    let exponent = exponent.plus_number(1u64.wrapping_neg());
    let (high, low) = (scale(high, exponent), scale(low, exponent));
    Halves { high, low, inverse: x.constant(0.25) / high }
}

/// |x|, or 711 if that is less: there both are infinite.
#[inline(always)]
fn capped<R: Real>(x: R) -> R {
    let (size, most) = (x.absolute(), x.constant(711.0));
    most.is_less(size).choose(most, size)
}

/// The hyperbolic cosine, within 1 ulp.
#[inline(always)]
pub fn cosh<R: Real>(x: R) -> R {
    let Halves { high, low, inverse } = halves(capped(x));
    high + (low + inverse)
}

/// The hyperbolic sine, within 1 ulp.
#[inline(always)]
pub fn sinh<R: Real>(x: R) -> R {
    let square = x * x;
    let near = x + x * (square * polynomial(square, &SINH));
    let Halves { high, low, inverse } = halves(capped(x));
    let far = with_sign_of(x, high + (low - inverse));
    x.constant(1.0).is_less(x.absolute()).choose(far, near)
}

/// The hyperbolic tangent, within 1.2 ulp.
#[inline(always)]
pub fn tanh<R: Real>(x: R) -> R {
    let (size, most) = (x.absolute(), x.constant(22.0));
    let is_far = x.constant(0.55).is_less(size);
    let twice = most.is_less(size).choose(most, size) * 2.0;
    // Far from 0: 1 − 2 / (e²ˣ + 1), and what rounding takes from the divisor.
    let Parts { high, low, exponent } = exp::parts(twice, x.constant(0.0));
    let (high, low) = (scale(high, exponent), scale(low, exponent));
    let divisor = high + 1.0;
    let lost = ((high - divisor) + 1.0) + low;
    // Near 0: x − x³ N / D, after the eighth convergent of Lambert's continued fraction.
    let square = x * x;
    let n = (((square + 594.0) * square + 45045.0) * square + 675675.0) * square;
    let d = (((square + 630.0) * square + 51975.0) * square + 945945.0) * square + 2027025.0;
    let quotient = is_far.choose(x.constant(2.0), n) / is_far.choose(divisor, d);
    let far = (quotient * quotient * lost * 0.5 - quotient) + 1.0;
    with_sign_of(x, is_far.choose(far, size - size * quotient))
}
