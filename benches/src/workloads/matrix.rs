//! A matrix of 5000 rows and columns times a vector.

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

/// The elements of the matrix row by row, the vector, and the product.
type Product = fn(&[f64], &[f64]) -> Vec<f64>;

const PRODUCT: Kernel<Product> = weld!(|m: &[f64], x: &[f64]| {
    let n = len(x);
    (0L..n).map(|row| (0L..n).map(|column| m[row * n + column] * x[column]).sum())
});

pub(crate) fn run(bench: &mut Bench<'_>) {
    let name = "matrix × vector";
    if !bench.wants(name) {
        return;
    }
    let n = bench.rows(25_000_000).isqrt();
    let (m, x) = (&random::floats(n * n, 4, -1.0, 1.0)[..], &random::floats(n, 5, -1.0, 1.0)[..]);
    let columns = vec![("elements", Input::F64(m)), ("x", Input::F64(x))];
    let task = Task { query: "matrix", columns, given: vec![] };
    let answer = |product: Vec<f64>| vec![Column::Floats(product)];
    let contest = Contest::new(name, size_of_val(m), Some(1.1))
        .with("hand", || by_hand(m, x), answer)
        .ours(&PRODUCT, (m, x), |kernel, (m, x)| kernel(m, x), answer)
        .peers(&bench.peers, &["numpy"], &task, |product| product);
    #[cfg(feature = "ndarray")]
    let contest = contest.with("ndarray", || array::product(m, x), answer);
    // Sums of both signs may come near to zero.
    bench.contest(&Contest { unit: 1.0, ..contest });
}

const LANES: usize = 16;

fn by_hand(m: &[f64], x: &[f64]) -> Vec<f64> {
    let ahead = ahead();
    let mut product = vec![0.0; x.len()];
    m.par_chunks(x.len()).zip(&mut product).for_each(|(row, to)| {
        *to = dispatch(
            #[inline(always)]
            || {
                let (rows, row) = row.as_chunks::<LANES>();
                let (xs, x) = x.as_chunks::<LANES>();
                let mut sums = [-0.0; LANES];
                for (row, x) in rows.iter().zip(xs) {
                    prefetch(row, ahead);
                    for lane in 0..LANES {
                        sums[lane] += row[lane] * x[lane];
                    }
                }
                let sum = sums.iter().fold(-0.0, |sum, lane| sum + lane);
                row.iter().zip(x).fold(sum, |sum, (m, x)| sum + m * x)
            },
        );
    });
    product
}
