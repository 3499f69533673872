//! Sums and products with what rounding takes from them.

use super::{Bits, Real};

/// The first 26 digits of `x`: the product of two such is exact, and so is `x` less them.
#[inline(always)]
pub(super) fn upper<R: Real>(x: R) -> R {
    const UPPER: u64 = !((1 << 27) - 1);
    x.bits().and_number(UPPER).real()
}

/// `x y`, and what rounding took from it, to 2⁻¹⁰⁵ of the product.
#[inline(always)]
pub(super) fn product<R: Real>(x: R, y: R) -> (R, R) {
    let high = x * y;
    let (x_upper, y_upper) = (upper(x), upper(y));
    let (x_lower, y_lower) = (x - x_upper, y - y_upper);
    let low = ((x_upper * y_upper - high) + x_upper * y_lower + x_lower * y_upper) + x_lower * y_lower;
    (high, low)
}

/// `x x`, and what rounding took from it.
#[inline(always)]
pub(super) fn square<R: Real>(x: R) -> (R, R) {
    let high = x * x;
    let upper = upper(x);
    let lower = x - upper;
    (high, ((upper * upper - high) + upper * lower * 2.0) + lower * lower)
}

/// `x + y`, and what rounding took from it; `y` is not the larger, unless `x` is 0.
#[inline(always)]
pub(super) fn sum<R: Real>(x: R, y: R) -> (R, R) {
    let sum = x + y;
    (sum, (x - sum) + y)
}
