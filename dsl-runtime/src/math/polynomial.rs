//! Polynomials.

use super::Real;

/// `c[0] + c[1] x + c[2] x² + …`.
///
/// The powers are dealt to four chains, which a CPU runs side by side; a short polynomial has two.
#[inline(always)]
pub(super) fn polynomial<R: Real, const N: usize>(x: R, c: &[f64; N]) -> R {
    let square = x * x;
    if N < 10 {
        return chain(square, c, 1, 2) * x + chain(square, c, 0, 2);
    }
    let fourth = square * square;
    let lower = chain(fourth, c, 1, 4) * x + chain(fourth, c, 0, 4);
    let upper = chain(fourth, c, 3, 4) * x + chain(fourth, c, 2, 4);
    upper * square + lower
}

/// `c[first] + c[first + step] y + c[first + 2 step] y² + …`.
#[inline(always)]
fn chain<R: Real, const N: usize>(y: R, c: &[f64; N], first: usize, step: usize) -> R {
    let mut i = N - 1 - (N - 1 - first) % step;
    let mut sum = y.constant(c[i]);
    while i > first {
        i -= step;
        sum = sum * y + c[i];
    }
    sum
}
