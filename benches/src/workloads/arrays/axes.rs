//! Reductions along the axes of matrices: sums of columns and of rows, and a product.

use rayon::prelude::*;
use weldment::{Array, Kernel, weld};

use crate::bench::Bench;
use crate::contest::{Column, Contest};
use crate::cpu::dispatch;
use crate::random;

type Sums = fn(&Array<f64, 2>) -> Array<f64, 1>;
type Product = fn(&Array<f64, 2>, &Array<f64, 2>) -> Array<f64, 2>;

const COLUMNS: Kernel<Sums> = weld!(|a: &Array<f64, 2>| a.sum(0));
const ROWS: Kernel<Sums> = weld!(|a: &Array<f64, 2>| a.sum(1));
const PRODUCT: Kernel<Product> = weld!(|a: &Array<f64, 2>, b: &Array<f64, 2>| inner(a, b));

/// The same, as who has no such word would write it.
const NESTED: Kernel<Product> = weld!(|a: &Array<f64, 2>, b: &Array<f64, 2>| array((extent(a, 0), extent(b, 1)), |i, j| {
    (0..extent(a, 1)).map(|k| a[i, k] * b[k, j]).sum()
}));

pub(crate) fn run(bench: &mut Bench<'_>) {
    sums(bench, "sums of columns", 0, &COLUMNS, columns_by_hand);
    sums(bench, "sums of rows", 1, &ROWS, rows_by_hand);
    product(bench, "product of matrices", &PRODUCT);
    product(bench, "product by nested loops", &NESTED);
}

fn sums(
    bench: &mut Bench<'_>,
    name: &'static str,
    axis: usize,
    kernel: &Kernel<Sums>,
    by_hand: fn(&[f64], usize) -> Vec<f64>,
) {
    if !bench.wants(name) {
        return;
    }
    let n = bench.rows(4096 * 4096).isqrt();
    let a = &matrix(n, 61);
    let answer = |sums: Array<f64, 1>| vec![Column::Floats(sums.into_vec())];
    let mut contest = Contest::new(name, size_of_val(a.as_slice()), Some(1.1))
        .with("hand", || by_hand(a.as_slice(), n), |sums| vec![Column::Floats(sums)])
        .ours(kernel, (a,), |kernel, (a,)| kernel(a), answer);
    #[cfg(feature = "ndarray")]
    {
        let run = || crate::peers::array::sums(a.as_slice(), n, axis);
        contest = contest.with("ndarray", run, |sums| vec![Column::Floats(sums)]);
    }
    #[cfg(not(feature = "ndarray"))]
    let _ = axis;
    // Sums of both signs may come near to zero.
    contest.unit = 1.0;
    bench.contest(&contest);
}

fn product(bench: &mut Bench<'_>, name: &'static str, kernel: &Kernel<Product>) {
    if !bench.wants(name) {
        return;
    }
    let n = bench.rows(1024 * 1024).isqrt();
    let (a, b) = (&matrix(n, 62), &matrix(n, 63));
    let answer = |product: Array<f64, 2>| vec![Column::Floats(product.into_vec())];
    let mut contest = Contest::new(name, 3 * size_of_val(a.as_slice()), Some(1.2))
        .with(
            "hand",
            || product_by_hand(a.as_slice(), b.as_slice(), n),
            |product| vec![Column::Floats(product)],
        )
        .ours(kernel, (a, b), |kernel, (a, b)| kernel(a, b), answer);
    #[cfg(feature = "ndarray")]
    {
        let run = || crate::peers::array::matrix_product(a.as_slice(), b.as_slice(), n);
        contest = contest.with("ndarray", run, |product| vec![Column::Floats(product)]);
    }
    contest.unit = 1.0;
    bench.contest(&contest);
}

fn matrix(n: usize, seed: u64) -> Array<f64, 2> {
    Array::new(random::floats(n * n, seed, -1.0, 1.0), [n, n]).expect("a square")
}

/// Row by row, by each thread for its columns.
fn columns_by_hand(a: &[f64], n: usize) -> Vec<f64> {
    let mut sums = vec![0.0; n];
    let share = n.div_ceil(rayon::current_num_threads());
    sums.par_chunks_mut(share).enumerate().for_each(|(number, sums)| {
        dispatch(
            #[inline(always)]
            || {
                for row in a.chunks_exact(n) {
                    let row = &row[number * share..][..sums.len()];
                    sums.iter_mut().zip(row).for_each(|(sum, x)| *sum += x);
                }
            },
        );
    });
    sums
}

fn rows_by_hand(a: &[f64], n: usize) -> Vec<f64> {
    let mut sums = vec![0.0; n];
    a.par_chunks(n).zip(&mut sums).for_each(|(row, to)| {
        *to = dispatch(
            #[inline(always)]
            || {
                let (blocks, rest) = row.as_chunks::<16>();
                let mut lanes = [-0.0; 16];
                for block in blocks {
                    lanes.iter_mut().zip(block).for_each(|(lane, x)| *lane += x);
                }
                rest.iter().fold(lanes.iter().sum(), |sum, x| sum + x)
            },
        );
    });
    sums
}

/// The side of a tile in the matrix of products, and how many products are added before the next tile.
const TILE: [usize; 2] = [4, 16];
const DEPTH: usize = 256;

/// By tiles that the registers hold, without fused operations.
fn product_by_hand(a: &[f64], b: &[f64], n: usize) -> Vec<f64> {
    let [height, width] = TILE;
    let mut product = vec![0.0; n * n];
    product.par_chunks_mut(height * n).enumerate().for_each(|(number, strip)| {
        dispatch(
            #[inline(always)]
            || {
                for first in (0..n).step_by(DEPTH) {
                    let depth = DEPTH.min(n - first);
                    for column in (0..n).step_by(width) {
                        if strip.len() == height * n && column + width <= n {
                            let mut sums = [[0.0; TILE[1]]; TILE[0]];
                            for (row, sums) in sums.iter_mut().enumerate() {
                                sums.copy_from_slice(&strip[row * n + column..][..width]);
                            }
                            let left: [&[f64]; TILE[0]] =
                                std::array::from_fn(|row| &a[(number * height + row) * n + first..][..depth]);
                            for at in 0..depth {
                                let right: &[f64; TILE[1]] =
                                    b[(first + at) * n + column..][..width].try_into().expect("a tile wide");
                                for row in 0..height {
                                    for lane in 0..width {
                                        sums[row][lane] += left[row][at] * right[lane];
                                    }
                                }
                            }
                            for (row, sums) in sums.iter().enumerate() {
                                strip[row * n + column..][..width].copy_from_slice(sums);
                            }
                        } else {
                            for (row, strip) in strip.chunks_exact_mut(n).enumerate() {
                                for to in column..n.min(column + width) {
                                    for at in first..first + depth {
                                        strip[to] += a[(number * height + row) * n + at] * b[at * n + to];
                                    }
                                }
                            }
                        }
                    }
                }
            },
        );
    });
    product
}
