//! Sums and squares with what rounding takes from them.

use super::{Bits, Real};

/// The first 26 digits of `x`: the product of two such is exact, and so is `x` less them.
#[inline(always)]
pub(super) fn upper<R: Real>(x: R) -> R {
    const UPPER: u64 = !((1 << 27) - 1);
    x.bits().and_number(UPPER).real()
}

/// `x x` in two parts, to 2⁻⁷⁷ of it: the first is exact, and the second less than 2⁻²⁴ of it.
#[inline(always)]
pub(super) fn square<R: Real>(x: R) -> (R, R) {
    let upper = upper(x);
    (upper * upper, (x - upper) * (x + upper))
}

/// `x + y`, and what rounding took from it; `y` is not the larger, unless `x` is 0.
#[inline(always)]
pub(super) fn sum<R: Real>(x: R, y: R) -> (R, R) {
    let sum = x + y;
    (sum, (x - sum) + y)
}

/// `over / (under + under_low)` in two parts, to 2⁻⁷⁷ of it. `inverse` is 1 / `under`, and the second part of the
/// quotient less than 2⁻²⁴ of it.
#[inline(always)]
pub(super) fn quotient<R: Real>((over, over_low): (R, R), (under, under_low): (R, R), inverse: R) -> (R, R) {
    let high = upper(over * inverse);
    let under_high = upper(under);
    let under_rest = (under - under_high) + under_low;
    (high, ((over - high * under_high) - high * under_rest + over_low) * inverse)
}
