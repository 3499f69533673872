//! The normal distribution.

use weldment::welded;

/// One over the square root of two times pi.
#[welded]
const HEIGHT: f64 = 0.3989422804014327;

/// The density at x.
#[welded]
pub fn density(x: f64) -> f64 {
    HEIGHT * exp(-0.5 * x * x)
}

/// How likely a number is below x.
#[welded]
pub fn below(x: f64) -> f64 {
    0.5 + 0.5 * erf(x * sqrt(0.5))
}
