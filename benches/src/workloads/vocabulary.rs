//! Words for what takes a line of closures: products, parts, the least by a key, texts put together.

use rayon::prelude::*;
use weldment::{Kernel, weld};

use crate::bench::Bench;
use crate::contest::{Answer, Column, Contest};
use crate::cpu::dispatch;
use crate::prefetch::{ahead, prefetch};
use crate::random;
use crate::workloads::pieces::PIECE;

/// Two columns; the sum of their products.
type Dot = fn(&[f64], &[f64]) -> f64;

const DOT: Kernel<Dot> = weld!(|v: &[f64], w: &[f64]| v.dot(w));

/// A column; what is below 0.5 of it, and the rest.
type Parts = (Vec<f64>, Vec<f64>);

const PARTITION: Kernel<fn(&[f64]) -> Parts> = weld!(|v: &[f64]| v.partition(|x| x < 0.5));

const NEAREST: Kernel<fn(&[f64], f64) -> f64> = weld!(|v: &[f64], to: f64| v.min_by_key(|x| (x - to).abs()));

const JOIN: Kernel<fn(&[String], &str) -> String> = weld!(|texts: &[String], part: &str| texts.join(part));

pub(crate) fn run(bench: &mut Bench<'_>) {
    let names @ [dot, parts, nearest] = ["dot", "partition", "nearest, by key"];
    joined(bench);
    if !names.iter().any(|name| bench.wants(name)) {
        return;
    }
    let v = &random::floats(bench.rows(50_000_000), 41, 0.0, 1.0)[..];
    let number = |number: f64| vec![Column::Floats(vec![number])];
    if bench.wants(dot) {
        let w = &random::floats(v.len(), 42, -1.0, 1.0)[..];
        let contest = Contest::new(dot, 2 * size_of_val(v), Some(1.05))
            .with("hand", || product(v, w), number)
            .ours(&DOT, (v, w), |kernel, (v, w)| kernel(v, w), number);
        bench.contest(&contest);
    }
    if bench.wants(parts) {
        let answer = |(low, high): Parts| -> Answer { vec![Column::Floats(low), Column::Floats(high)] };
        let contest = Contest::new(parts, 2 * size_of_val(v), Some(1.1))
            .with("hand", || parted(v), answer)
            .ours(&PARTITION, (v,), |kernel, (v,)| kernel(v), answer);
        bench.contest(&contest);
    }
    if bench.wants(nearest) {
        let contest = Contest::new(nearest, size_of_val(v), Some(1.1))
            .with("hand", || nearest_to(v, 0.3), number)
            .ours(&NEAREST, (v, 0.3), |kernel, (v, to)| kernel(v, to), number);
        bench.contest(&contest);
    }
}

fn joined(bench: &mut Bench<'_>) {
    let name = "texts joined";
    if !bench.wants(name) {
        return;
    }
    let lengths = random::column(bench.rows(1_000_000), 43, |rng| rng.u8(8..48));
    let texts: Vec<String> =
        lengths.iter().map(|&len| char::from(b'a' + len % 26).to_string().repeat(len.into())).collect();
    let texts = &texts[..];
    let answer = |text: String| {
        let sum = text.bytes().zip(0..).fold(0i64, |sum, (byte, at)| sum.wrapping_add(at * i64::from(byte)));
        vec![Column::Integers(vec![text.len() as i64, sum])]
    };
    let contest =
        Contest::new(name, 2 * lengths.iter().map(|&len| usize::from(len) + 2).sum::<usize>(), Some(1.2))
            .with("hand", || texts.join(", "), answer)
            .ours(&JOIN, (texts, ", "), |kernel, (texts, part)| kernel(texts, part), answer);
    bench.contest(&contest);
}

/// Adding is associative only in lanes of one's own.
const LANES: usize = 16;

fn product(v: &[f64], w: &[f64]) -> f64 {
    let ahead = ahead();
    let pieces = v.par_chunks(PIECE).zip(w.par_chunks(PIECE));
    let of_piece = |(v, w): (&[f64], &[f64])| {
        dispatch(
            #[inline(always)]
            || {
                let ((v, rest_v), (w, rest_w)) = (v.as_chunks::<LANES>(), w.as_chunks::<LANES>());
                let mut sums = [-0.0; LANES];
                for (v, w) in v.iter().zip(w) {
                    prefetch(v, ahead);
                    prefetch(w, ahead);
                    for lane in 0..LANES {
                        sums[lane] += v[lane] * w[lane];
                    }
                }
                let sum = sums.iter().fold(-0.0, |sum, lane| sum + lane);
                rest_v.iter().zip(rest_w).fold(sum, |sum, (x, y)| sum + x * y)
            },
        )
    };
    let sums: Vec<f64> = pieces.map(of_piece).collect();
    sums.iter().sum()
}

/// Each piece has its parts, which stand behind each other in the end. Every element is written to both, and goes on in one.
fn parted(v: &[f64]) -> Parts {
    let parts: Vec<Parts> =
        v.par_chunks(v.len().div_ceil(rayon::current_num_threads()).max(1)).map(parted_piece).collect();
    let mut parts = parts.into_iter();
    let (mut low, mut high) = parts.next().unwrap_or_default();
    for (more_low, more_high) in parts {
        low.extend(more_low);
        high.extend(more_high);
    }
    (low, high)
}

fn parted_piece(v: &[f64]) -> Parts {
    let (mut low, mut high) = (vec![0.0; v.len()], vec![0.0; v.len()]);
    let (mut lows, mut highs) = (0, 0);
    for &x in v {
        low[lows] = x;
        high[highs] = x;
        lows += usize::from(x < 0.5);
        highs += usize::from(x >= 0.5);
    }
    low.truncate(lows);
    high.truncate(highs);
    (low, high)
}

/// The first of those that are nearest to `to`.
fn nearest_to(v: &[f64], to: f64) -> f64 {
    let of_piece = |v: &[f64]| {
        let mut best = (f64::INFINITY, f64::NAN);
        for &x in v {
            let distance = (x - to).abs();
            if distance < best.0 {
                best = (distance, x);
            }
        }
        best
    };
    let bests: Vec<(f64, f64)> = v.par_chunks(PIECE).map(of_piece).collect();
    bests
        .into_iter()
        .fold((f64::INFINITY, f64::NAN), |best, next| if next.0 < best.0 { next } else { best })
        .1
}
