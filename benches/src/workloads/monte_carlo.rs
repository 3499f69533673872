//! Random points in a square: what computes its random numbers as it goes.

use std::ops::Range;

use rayon::prelude::*;
use weldment::{Kernel, weld};

use crate::bench::Bench;
use crate::contest::{Column, Contest};
use crate::cpu::dispatch;
use crate::workloads::pieces::pieces;

/// A seed, and a number of points; how many of these are inside of the circle.
const INSIDE: Kernel<fn(i64, i64) -> i64> = weld!(|seed: i64, n: i64| {
    (0..n)
        .filter(|i| {
            let (x, y) = (random(seed, 2 * i), random(seed, 2 * i + 1));
            x * x + y * y < 1.0
        })
        .count()
});

pub(crate) fn run(bench: &mut Bench<'_>) {
    let name = "random points";
    if !bench.wants(name) {
        return;
    }
    let n = bench.rows(20_000_000) as i64;
    let answer = |inside: i64| vec![Column::Integers(vec![inside])];
    let contest = Contest::new(name, 0, Some(1.1)).with("hand", || by_hand(7, n), answer).ours(
        &INSIDE,
        (7, n),
        |kernel, (seed, n)| kernel(seed, n),
        answer,
    );
    bench.contest(&contest);
}

fn by_hand(seed: i64, n: i64) -> i64 {
    let sequence = mixed((seed as u64).wrapping_add(GOLDEN));
    let of_piece = |piece: Range<usize>| {
        dispatch(
            #[inline(always)]
            || {
                let mut inside = 0;
                for i in piece {
                    let (x, y) = (number(sequence, 2 * i as u64), number(sequence, 2 * i as u64 + 1));
                    inside += i64::from(x * x + y * y < 1.0);
                }
                inside
            },
        )
    };
    pieces(n as usize, 1 << 14).map(of_piece).sum()
}

const GOLDEN: u64 = 0x9E37_79B9_7F4A_7C15;

/// The finaliser of SplitMix64.
#[inline(always)]
fn mixed(z: u64) -> u64 {
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[inline(always)]
fn number(sequence: u64, i: u64) -> f64 {
    let bits = mixed(sequence.wrapping_add((i + 1).wrapping_mul(GOLDEN)));
    (bits >> 11) as i64 as f64 * (0.5f64.powi(53))
}
