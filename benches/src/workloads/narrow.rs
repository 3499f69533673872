//! Narrow numbers: bytes as of images, and `f32`.

use rayon::prelude::*;
use weldment::{Kernel, weld};

use crate::bench::Bench;
use crate::contest::{Column, Contest};
use crate::cpu::dispatch;
use crate::random;
use crate::workloads::pieces::PIECE;

/// Red, green and blue; grey.
type Grey = fn(&[u8], &[u8], &[u8]) -> Vec<u8>;
/// A number, and two vectors of one length.
type Axpy = fn(f32, &[f32], &[f32]) -> Vec<f32>;

const GREY: Kernel<Grey> = weld!(|red: &[u8], green: &[u8], blue: &[u8]| {
    zip(red, green, blue).map(|(r, g, b)| u8((u16(r) * 77u16 + u16(g) * 150u16 + u16(b) * 29u16) >> 8u16))
});
const SUM_OF_BYTES: Kernel<fn(&[u8]) -> i64> = weld!(|v: &[u8]| v.map(|x| i64(x)).sum());
const AXPY: Kernel<Axpy> = weld!(|a: f32, x: &[f32], y: &[f32]| zip(x, y).map(|(x, y)| a * x + y));

pub(crate) fn run(bench: &mut Bench<'_>) {
    let n = bench.rows(100_000_000);
    let bytes = |seed| random::column(n, seed, |rng| rng.u8(..));
    let name = "grey of three u8";
    if bench.wants(name) {
        let (red, green, blue) = (&bytes(61)[..], &bytes(62)[..], &bytes(63)[..]);
        let answer = |grey: Vec<u8>| vec![Column::Integers(grey.into_iter().map(i64::from).collect())];
        let contest = Contest::new(name, 4 * n, Some(1.1))
            .with("hand", || grey_by_hand(red, green, blue), answer)
            .ours(&GREY, (red, green, blue), |kernel, (r, g, b)| kernel(r, g, b), answer);
        bench.contest(&contest);
    }
    let name = "sum of u8";
    if bench.wants(name) {
        let v = &bytes(64)[..];
        let answer = |sum: i64| vec![Column::Integers(vec![sum])];
        let contest = Contest::new(name, n, Some(1.05))
            .with("hand", || v.par_chunks(PIECE).map(sum_of_bytes).sum(), answer)
            .ours(&SUM_OF_BYTES, (v,), |kernel, (v,)| kernel(v), answer);
        bench.contest(&contest);
    }
    let name = "a·x + y, f32";
    if bench.wants(name) {
        let floats = |seed| random::column(n, seed, |rng| rng.f32());
        let (x, y) = (&floats(65)[..], &floats(66)[..]);
        let answer = |sums: Vec<f32>| vec![Column::Floats(sums.into_iter().map(f64::from).collect())];
        let contest = Contest::new(name, 12 * n, Some(1.1))
            .with("hand", || axpy_by_hand(1.5, x, y), answer)
            .ours(&AXPY, (1.5, x, y), |kernel, (a, x, y)| kernel(a, x, y), answer);
        #[cfg(feature = "ndarray")]
        let contest =
            contest.with("ndarray", || crate::peers::array::axpy(1.5, x, y), |sums| answer(sums.to_vec()));
        bench.contest(&contest);
    }
}

fn grey_by_hand(red: &[u8], green: &[u8], blue: &[u8]) -> Vec<u8> {
    let grey = |((r, g), b): ((&u8, &u8), &u8)| {
        ((u16::from(*r) * 77 + u16::from(*g) * 150 + u16::from(*b) * 29) >> 8) as u8
    };
    if rayon::current_num_threads() == 1 {
        return dispatch(
            #[inline(always)]
            || red.iter().zip(green).zip(blue).map(grey).collect(),
        );
    }
    let mut all = vec![0; red.len()];
    let pieces = red.par_chunks(PIECE).zip(green.par_chunks(PIECE)).zip(blue.par_chunks(PIECE));
    all.par_chunks_mut(PIECE).zip(pieces).for_each(|(to, ((red, green), blue))| {
        dispatch(
            #[inline(always)]
            || to.iter_mut().zip(red.iter().zip(green).zip(blue)).for_each(|(to, rgb)| *to = grey(rgb)),
        );
    });
    all
}

fn sum_of_bytes(v: &[u8]) -> i64 {
    dispatch(
        #[inline(always)]
        || {
            // No 2^24 bytes are more than an `u32` holds.
            v.chunks(1 << 16).map(|block| i64::from(block.iter().map(|&x| u32::from(x)).sum::<u32>())).sum()
        },
    )
}

fn axpy_by_hand(a: f32, x: &[f32], y: &[f32]) -> Vec<f32> {
    if rayon::current_num_threads() == 1 {
        return dispatch(
            #[inline(always)]
            || x.iter().zip(y).map(|(x, y)| a * x + y).collect(),
        );
    }
    let mut all = vec![0.0; x.len()];
    all.par_chunks_mut(PIECE).zip(x.par_chunks(PIECE).zip(y.par_chunks(PIECE))).for_each(|(to, (x, y))| {
        dispatch(
            #[inline(always)]
            || to.iter_mut().zip(x.iter().zip(y)).for_each(|(to, (x, y))| *to = a * x + y),
        );
    });
    all
}
