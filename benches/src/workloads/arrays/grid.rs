//! Grids of numbers.

use weldment::Array;

use crate::bench::Bench;
use crate::random;

pub(super) type Matrix = Array<f64, 2>;

/// So many rows and columns, for a full input of 4096 times 4096.
pub(super) fn side(bench: &Bench<'_>) -> usize {
    bench.rows(4096 * 4096).isqrt().max(4)
}

pub(super) fn matrix(side: usize, seed: u64) -> Matrix {
    Array::new(random::floats(side * side, seed, -1.0, 1.0), [side, side]).expect("a square")
}
