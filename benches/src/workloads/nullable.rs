//! The sum of a column of 20 million options, which are read where Rust has them.

use rayon::prelude::*;
use weldment::{Kernel, weld};

use crate::bench::Bench;
use crate::contest::{Column, Contest};
use crate::cpu::dispatch;
use crate::prefetch::{ahead, prefetch};
use crate::random;
use crate::workloads::pieces::PIECE;

/// A column of which some are missing; the sum of the others.
type Sum = fn(&[Option<f64>]) -> f64;

const SUM: Kernel<Sum> = weld!(|v: &[Option<f64>]| v.flatten().sum());

pub(crate) fn run(bench: &mut Bench<'_>) {
    for (name, below) in [("sum of options", -0.8), ("sum of options, all there", -2.0)] {
        if !bench.wants(name) {
            continue;
        }
        let v = random::floats(bench.rows(20_000_000), 1, -1.0, 1.0);
        let v: Vec<Option<f64>> = v.into_iter().map(|x| (x > below).then_some(x)).collect();
        let v = &v[..];
        let answer = |sum: f64| vec![Column::Floats(vec![sum])];
        let contest = Contest::new(name, size_of_val(v), Some(1.2)).with("hand", || by_hand(v), answer).ours(
            &SUM,
            (v,),
            |kernel, (v,)| kernel(v),
            answer,
        );
        bench.contest(&contest);
    }
}

/// Adding is associative only in lanes of one's own.
const LANES: usize = 16;

/// The sum of what is there, in lanes and pieces. −0.0 changes no sum.
fn by_hand(v: &[Option<f64>]) -> f64 {
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
                            *sum += x.unwrap_or(-0.0);
                        }
                    }
                    let sum = sums.iter().fold(-0.0, |sum, lane| sum + lane);
                    rest.iter().fold(sum, |sum, x| sum + x.unwrap_or(-0.0))
                },
            )
        })
        .collect();
    sums.iter().sum()
}
