//! The inverses of sine, cosine and tangent.

use std::f64::consts::{FRAC_PI_2, FRAC_PI_4, PI};

use super::polynomial::polynomial;
use super::real::with_sign_of;
use super::{Bits, Real, Test};

/// What `FRAC_PI_2` lacks.
const FRAC_PI_2_LOW: f64 = 6.123233995736766e-17;

/// (atan(x) − x) / x³ in x², for |x| ≤ 0.66, to 2⁻⁶³.
const ATAN: [f64; 16] = [
    -0.33333333333333326,
    0.19999999999997564,
    -0.14285714285479817,
    0.11111111099624185,
    -0.0909090875397801,
    0.07692301208970793,
    -0.06666580004803559,
    0.058815173068150685,
    -0.05257196738096188,
    0.04729919288883417,
    -0.04217431451050099,
    0.035939809668504075,
    -0.027357502403118093,
    0.01676160116075402,
    -0.007059171123307753,
    0.0014846555527999379,
];

/// (asin(x) − x) / x³ in x², for |x| ≤ ½, to 2⁻⁶⁰.
const ASIN: [f64; 13] = [
    0.16666666666666763,
    0.07499999999970107,
    0.044642857175280916,
    0.030381942675406837,
    0.022372215904737418,
    0.017351595490624563,
    0.013981018902721387,
    0.011397288601138396,
    0.010789351720817585,
    0.0036720547701865596,
    0.021790989073136164,
    -0.021117226747088973,
    0.0327024887326537,
];

/// The arctangent, within 1 ulp.
#[inline(always)]
pub fn atan<R: Real>(x: R) -> R {
    let (zero, one) = (x.constant(0.0), x.constant(1.0));
    let size = x.absolute();
    // atan(x) = π/4 + atan((x − 1) / (x + 1)) = π/2 + atan(−1 / x).
    let is_middle = x.constant(0.66).is_less(size);
    let is_large = x.constant(2.5).is_less(size);
    let over = is_large.choose(-one, is_middle.choose(size - 1.0, size));
    let under = is_large.choose(size, is_middle.choose(size + 1.0, one));
    let high = is_large.choose(x.constant(FRAC_PI_2), is_middle.choose(x.constant(FRAC_PI_4), zero));
    let half_low = is_middle.choose(x.constant(FRAC_PI_2_LOW * 0.5), zero);
    let low = is_large.choose(x.constant(FRAC_PI_2_LOW), half_low);
    let part = over / under;
    let square = part * part;
    with_sign_of(x, high + (part + (part * (square * polynomial(square, &ATAN)) + low)))
}

/// The arcsine, within 1 ulp.
#[inline(always)]
pub fn asin<R: Real>(x: R) -> R {
    let Halved { is_small, size, root, upper, lower, tail } = halve(x);
    let small = size + size * tail;
    // π/2 − 2 asin(root), as π/4 − … + π/4, so that little is lost.
    let rest = root * tail * 2.0 - (lower * -2.0 + FRAC_PI_2_LOW);
    let large = -(rest - (upper * -2.0 + FRAC_PI_4)) + FRAC_PI_4;
    with_sign_of(x, is_small.choose(small, large))
}

/// The arccosine, within 1 ulp.
#[inline(always)]
pub fn acos<R: Real>(x: R) -> R {
    let Halved { is_small, root, upper, lower, tail, .. } = halve(x);
    let small = -(x - (-(x * tail) + FRAC_PI_2_LOW)) + FRAC_PI_2;
    let positive = (upper + (root * tail + lower)) * 2.0;
    let negative = -((root + (root * tail - FRAC_PI_2_LOW)) * 2.0) + PI;
    is_small.choose(small, x.is_less(x.constant(0.0)).choose(negative, positive))
}

/// What arcsine and arccosine share. They are told by asin(|x|) if that is at most ½, or else by asin(√((1 − |x|) / 2)):
/// by asin(y) = y + y `tail`.
struct Halved<R: Real> {
    is_small: R::Test,
    size: R,
    root: R,
    /// The first digits of the root.
    upper: R,
    /// The rest of them, and what rounding took from the root.
    lower: R,
    tail: R,
}

#[inline(always)]
fn halve<R: Real>(x: R) -> Halved<R> {
    /// Leaves 21 digits, whose square is exact.
    const UPPER: u64 = !((1 << 32) - 1);
    let size = x.absolute();
    let is_small = size.is_less(x.constant(0.5));
    let half = (-size + 1.0) * 0.5;
    let root = half.root();
    let upper = root.bits().and_number(UPPER).real();
    // The sum is 0 only where the root is.
    let lower = (half - upper * upper) / (root + upper + f64::MIN_POSITIVE);
    let square = is_small.choose(x * x, half);
    Halved { is_small, size, root, upper, lower, tail: square * polynomial(square, &ASIN) }
}
