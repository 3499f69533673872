//! What a loop comes through: the sum and the greatest of all elements up to each, and a mean that forgets.

use rayon::prelude::*;
use weldment::{Kernel, weld};

use crate::bench::Bench;
use crate::contest::{Column, Contest};
use crate::random;

/// Integers; their sums so far.
type Sums = fn(&[i64]) -> Vec<i64>;

const SUMS: Kernel<Sums> = weld!(|v: &[i64]| v.map(|x| x * 3).cumsum());

/// Floats; the greatest so far.
type Maxima = fn(&[f64]) -> Vec<f64>;

const MAXIMA: Kernel<Maxima> = weld!(|v: &[f64]| v.cummax());

/// Values, and how much of a mean each new one is.
type Means = fn(&[f64], f64) -> Vec<f64>;

const MEANS: Kernel<Means> = weld!(|v: &[f64], part: f64| v.scan(0.0, |mean, x| mean + part * (x - mean)));

pub(crate) fn run(bench: &mut Bench<'_>) {
    let names @ [sums, maxima, means] = ["running sums", "running maxima", "exponential means"];
    if !names.iter().any(|name| bench.wants(name)) {
        return;
    }
    let n = bench.rows(20_000_000);
    if bench.wants(sums) {
        let v = &random::column(n, 51, |rng| rng.i64(-1000..1000))[..];
        let answer = |sums: Vec<i64>| vec![Column::Integers(sums)];
        let contest = Contest::new(sums, 2 * size_of_val(v), Some(1.2))
            .with("hand", || in_pieces(v, 0, |sum, x| sum + x * 3, |a, b| a + b), answer)
            .ours(&SUMS, (v,), |kernel, (v,)| kernel(v), answer);
        bench.contest(&contest);
    }
    let v = &random::floats(n, 52, 0.0, 1.0)[..];
    let answer = |values: Vec<f64>| vec![Column::Floats(values)];
    if bench.wants(maxima) {
        let contest = Contest::new(maxima, 2 * size_of_val(v), Some(1.2))
            .with("hand", || in_pieces(v, f64::NAN, f64::max, f64::max), answer)
            .ours(&MAXIMA, (v,), |kernel, (v,)| kernel(v), answer);
        bench.contest(&contest);
    }
    if bench.wants(means) {
        let contest = Contest::new(means, 2 * size_of_val(v), Some(1.05))
            .with("hand", || in_order(v, 0.0, |mean, x| mean + 0.1 * (x - mean)), answer)
            .ours(&MEANS, (v, 0.1), |kernel, (v, part)| kernel(v, part), answer);
        bench.contest(&contest);
    }
}

fn in_order<T: Copy>(v: &[T], first: T, step: impl Fn(T, T) -> T) -> Vec<T> {
    let next = |state: &mut T, x: &T| {
        *state = step(*state, *x);
        Some(*state)
    };
    v.iter().scan(first, next).collect()
}

/// Each thread has a piece, which begins with what those before come to.
fn in_pieces<T: Copy + Send + Sync>(
    v: &[T],
    first: T,
    step: impl Fn(T, T) -> T + Sync,
    join: impl Fn(T, T) -> T,
) -> Vec<T> {
    let threads = rayon::current_num_threads();
    if threads == 1 {
        let mut made = Vec::with_capacity(v.len());
        let mut state = first;
        for &x in v {
            state = step(state, x);
            made.push(state);
        }
        return made;
    }
    let piece = v.len().div_ceil(threads).max(1);
    let totals: Vec<T> =
        v.par_chunks(piece).map(|v| v.iter().fold(first, |state, &x| step(state, x))).collect();
    let mut starts = vec![first];
    for total in totals {
        starts.push(join(starts[starts.len() - 1], total));
    }
    let mut made = vec![first; v.len()];
    let pieces = made.par_chunks_mut(piece).zip(v.par_chunks(piece)).zip(starts);
    pieces.for_each(|((made, v), start)| {
        let mut state = start;
        for (to, &x) in made.iter_mut().zip(v) {
            state = step(state, x);
            *to = state;
        }
    });
    made
}
