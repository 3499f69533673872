//! Elements of a map, read at indices that come from memory: computed where they are read, or stored before.

use rayon::prelude::*;
use weldment::{Kernel, weld};

use crate::bench::Bench;
use crate::contest::{Answer, Column, Contest};
use crate::random;
use crate::workloads::pieces::PIECE;

/// Indices, and three columns; the sum of what is made of the rows at the indices.
type Gather = fn(&[i64], &[f64], &[f64], &[f64]) -> f64;

/// The kernel of a gather through a map, left to the compiler, stored, and inlined.
macro_rules! ways {
    ($map:ident) => {
        [
            weld!(|at: &[i64], a: &[f64], b: &[f64], c: &[f64]| {
                let w = zip(a, b, c).map(|(a, b, c)| $map(a, b, c));
                at.map(|i| w[i]).sum()
            }),
            weld!(|at: &[i64], a: &[f64], b: &[f64], c: &[f64]| {
                let w = zip(a, b, c).map(|(a, b, c)| $map(a, b, c)).store();
                at.map(|i| w[i]).sum()
            }),
            weld!(|at: &[i64], a: &[f64], b: &[f64], c: &[f64]| {
                let w = zip(a, b, c).map(|(a, b, c)| $map(a, b, c)).inline();
                at.map(|i| w[i]).sum()
            }),
        ]
    };
}

#[weldment::welded]
fn of_one(a: f64, _b: f64, _c: f64) -> f64 {
    a * 2.0 + 1.0
}

#[weldment::welded]
fn of_two(a: f64, b: f64, _c: f64) -> f64 {
    a * b + 1.0
}

#[weldment::welded]
fn of_three(a: f64, b: f64, c: f64) -> f64 {
    a * b + c
}

const OF_ONE: [Kernel<Gather>; 3] = ways!(of_one);
const OF_TWO: [Kernel<Gather>; 3] = ways!(of_two);
const OF_THREE: [Kernel<Gather>; 3] = ways!(of_three);

pub(crate) fn run(bench: &mut Bench<'_>) {
    let ways = [(1, OF_ONE), (2, OF_TWO), (3, OF_THREE)];
    for (of, n) in [("10 k", 10_000), ("30 M", 30_000_000)] {
        for (columns, kernels) in ways {
            let name = format!("gather through {columns} of {of}");
            if !bench.wants(&name) {
                continue;
            }
            let n = if n > 1_000_000 { bench.rows(n) } else { n };
            let at = random::column(n, 91, |rng| rng.usize(0..n) as i64);
            let [a, b, c] = [92, 93, 94].map(|seed| random::floats(n, seed, 0.0, 1.0));
            let (at, a, b, c) = (&at[..], &a[..], &b[..], &c[..]);
            let [chosen, stored, inlined] = kernels;
            let contest = Contest::new(&name, 8 * n * (columns + 2), Some(1.1))
                .with("hand", move || by_hand(at, a, b, c, columns), number)
                .with("stored", move || stored(at, a, b, c), number)
                .with("inlined", move || inlined(at, a, b, c), number)
                .ours(&chosen, (at, a, b, c), |kernel, (at, a, b, c)| kernel(at, a, b, c), number);
            bench.contest(&contest);
        }
    }
}

fn number(sum: f64) -> Answer {
    vec![Column::Floats(vec![sum])]
}

/// One column is read where it is needed; of more the elements are stored.
fn by_hand(at: &[i64], a: &[f64], b: &[f64], c: &[f64], columns: usize) -> f64 {
    match columns {
        1 => sum_at(at, |i| a[i] * 2.0 + 1.0),
        2 => {
            let stored: Vec<f64> = a.par_iter().zip(b).map(|(a, b)| a * b + 1.0).collect();
            sum_at(at, |i| stored[i])
        }
        _ => {
            let stored: Vec<f64> = a.par_iter().zip(b).zip(c).map(|((a, b), c)| a * b + c).collect();
            sum_at(at, |i| stored[i])
        }
    }
}

fn sum_at(at: &[i64], of: impl Fn(usize) -> f64 + Sync) -> f64 {
    at.par_chunks(PIECE).map(|at| at.iter().map(|&i| of(i as usize)).sum::<f64>()).sum()
}
