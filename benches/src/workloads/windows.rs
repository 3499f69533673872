//! Windows that move over a column, and stretches one behind the other.

use rayon::prelude::*;
use weldment::{Kernel, weld};

use crate::bench::Bench;
use crate::contest::{Answer, Column, Contest};
use crate::cpu::dispatch;
use crate::random;
use crate::workloads::pieces::PIECE;

type Map = Kernel<fn(&[f64]) -> Vec<f64>>;

const SUMS: Map = weld!(|v: &[f64]| v.windows(3).map(|w| w.sum()));

const STEPS: Map = weld!(|v: &[f64]| v.windows(2).map(|w| w[1] - w[0]));

const LONG: Map = weld!(|v: &[f64]| v.windows(64).map(|w| w.sum()));

const MEANS: Map = weld!(|v: &[f64]| v.chunks(1000).map(|c| c.mean()));

pub(crate) fn run(bench: &mut Bench<'_>) {
    let names @ [sums, steps, long, means] =
        ["sums of windows of 3", "differences", "sums of windows of 64", "means of chunks of 1000"];
    if !names.iter().any(|name| bench.wants(name)) {
        return;
    }
    let v = &random::floats(bench.rows(20_000_000), 43, 0.0, 1.0)[..];
    let mut contest =
        |name: &str, kernel: &Map, by_hand: fn(&[f64]) -> Vec<f64>, v: &[f64], written: usize| {
            if bench.wants(name) {
                let contest = Contest::new(name, size_of_val(v) + 8 * written, Some(1.1))
                    .with("hand", || by_hand(v), answer)
                    .ours(kernel, (v,), |kernel, (v,)| kernel(v), answer);
                bench.contest(&contest);
            }
        };
    contest(sums, &SUMS, |v| moved(v, 3, |w| w[0] + w[1] + w[2]), v, v.len());
    contest(steps, &STEPS, |v| moved(v, 2, |w| w[1] - w[0]), v, v.len());
    let fewer = &v[..v.len().div_ceil(10)];
    contest(long, &LONG, |v| moved(v, 64, sum), fewer, fewer.len());
    contest(means, &MEANS, means_by_hand, v, 0);
}

fn answer(column: Vec<f64>) -> Answer {
    vec![Column::Floats(column)]
}

/// What `f` gives for each window of `size` elements.
#[inline(always)]
fn moved(v: &[f64], size: usize, f: impl Fn(&[f64]) -> f64 + Sync) -> Vec<f64> {
    let mut out = vec![0.0; (v.len() + 1).saturating_sub(size)];
    out.par_chunks_mut(PIECE).zip(v.par_chunks(PIECE).enumerate()).for_each(|(out, (piece, _))| {
        let v = &v[piece * PIECE..][..out.len() + size - 1];
        dispatch(
            #[inline(always)]
            || out.iter_mut().zip(v.windows(size)).for_each(|(out, window)| *out = f(window)),
        );
    });
    out
}

fn means_by_hand(v: &[f64]) -> Vec<f64> {
    let mean = |chunk: &[f64]| {
        dispatch(
            #[inline(always)]
            || sum(chunk) / chunk.len() as f64,
        )
    };
    v.par_chunks(1000).map(mean).collect()
}

/// Adding is associative only in lanes of one's own.
#[inline(always)]
fn sum(v: &[f64]) -> f64 {
    let (blocks, rest) = v.as_chunks::<16>();
    let mut sums = [0.0; 16];
    for block in blocks {
        for lane in 0..16 {
            sums[lane] += block[lane];
        }
    }
    sums.iter().chain(rest).sum()
}
