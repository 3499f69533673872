//! Columns of numbers that are the same on every machine.

use fastrand::Rng;

/// A column of `n` values, drawn by `draw` from a source that `seed` determines.
pub(crate) fn column<T>(n: usize, seed: u64, mut draw: impl FnMut(&mut Rng) -> T) -> Vec<T> {
    let mut rng = Rng::with_seed(seed);
    (0..n).map(|_| draw(&mut rng)).collect()
}

/// Floats from `low` to `high`.
pub(crate) fn floats(n: usize, seed: u64, low: f64, high: f64) -> Vec<f64> {
    column(n, seed, |rng| low + (high - low) * rng.f64())
}
