//! One number of a column of 50 million floats: as fast as they come from memory.

use rayon::prelude::*;
use weldment::{Kernel, weld};

use crate::bench::Bench;
use crate::contest::{Column, Contest};
use crate::cpu::dispatch;
#[cfg(feature = "ndarray")]
use crate::peers::array;
use crate::peers::{Input, Task};
use crate::prefetch::{ahead, prefetch};
use crate::random;
use crate::workloads::pieces::PIECE;

const SUM_OF_SQUARES: Kernel<fn(&[f64]) -> f64> = weld!(|v: &[f64]| v.map(|x| x * x).sum());

const CHAIN: Kernel<fn(&[f64]) -> f64> =
    weld!(|v: &[f64]| v.filter(|x| x > 0.25).map(|x| 3.0 * x + 1.0).sum());

pub(crate) fn run(bench: &mut Bench<'_>) {
    let (squares, chain) = ("sum of squares", "filter, map, sum");
    if !bench.wants(squares) && !bench.wants(chain) {
        return;
    }
    let v = &random::floats(bench.rows(50_000_000), 1, -1.0, 1.0)[..];
    let task = |query| Task { query, columns: vec![("x", Input::F64(v))], given: vec![] };
    let answer = |sum: f64| vec![Column::Floats(vec![sum])];
    if bench.wants(squares) {
        let contest = Contest::new(squares, size_of_val(v), Some(1.05))
            .with("hand", || by_hand(v, squared), answer)
            .ours(&SUM_OF_SQUARES, (v,), |kernel, (v,)| kernel(v), answer)
            .peers(&bench.peers, &["polars", "duckdb", "datafusion"], &task("sum_of_squares"), |sum| sum);
        #[cfg(feature = "ndarray")]
        let contest = contest.with("ndarray", || array::sum_of_squares(v), answer);
        bench.contest(&contest);
    }
    if bench.wants(chain) {
        let contest = Contest::new(chain, size_of_val(v), Some(1.05))
            .with("hand", || by_hand(v, kept), answer)
            .ours(&CHAIN, (v,), |kernel, (v,)| kernel(v), answer)
            .peers(&bench.peers, &["polars", "duckdb", "datafusion"], &task("chain"), |sum| sum);
        bench.contest(&contest);
    }
}

#[inline(always)]
fn squared(x: f64) -> f64 {
    x * x
}

/// −0.0 changes no sum.
#[inline(always)]
fn kept(x: f64) -> f64 {
    if x > 0.25 { 3.0 * x + 1.0 } else { -0.0 }
}

/// Adding is associative only in lanes of one's own.
const LANES: usize = 16;

/// The sum of `term` of every element, in lanes and pieces.
pub(crate) fn by_hand<T: Copy + Sync>(v: &[T], term: impl Fn(T) -> f64 + Sync) -> f64 {
    let ahead = ahead();
    let sums: Vec<f64> = v
        .par_chunks(PIECE)
        .map(|piece| {
            dispatch(
                #[inline(always)]
                || {
                    let (chunks, rest) = piece.as_chunks::<LANES>();
                    let mut sums = [-0.0; LANES];
                    for chunk in chunks {
                        prefetch(chunk, ahead);
                        for (sum, x) in sums.iter_mut().zip(chunk) {
                            *sum += term(*x);
                        }
                    }
                    let sum = sums.iter().fold(-0.0, |sum, lane| sum + lane);
                    rest.iter().fold(sum, |sum, x| sum + term(*x))
                },
            )
        })
        .collect();
    sums.iter().sum()
}
