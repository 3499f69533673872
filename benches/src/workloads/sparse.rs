//! A sparse matrix times a vector: short inner loops of different lengths.

use rayon::prelude::*;
use weldment::{Kernel, weld};

use crate::bench::Bench;
use crate::contest::{Column, Contest};
use crate::random;

/// Where the elements of each row begin, and the last of them end; their columns; their values; the vector.
type Product = fn(&[i64], &[i32], &[f64], &[f64]) -> Vec<f64>;

const PRODUCT: Kernel<Product> = weld!(|rows: &[i64], columns: &[i32], values: &[f64], x: &[f64]| {
    (0L..len(rows) - 1L)
        .map(|row| (rows[row]..rows[row + 1L]).map(|at| values[at] * x[i64(columns[at])]).sum())
});

pub(crate) fn run(bench: &mut Bench<'_>) {
    let name = "sparse matrix × vector";
    if !bench.wants(name) {
        return;
    }
    let n = bench.rows(2_000_000);
    let lengths = random::column(n, 51, |rng| rng.i64(0..20));
    let mut rows = vec![0];
    rows.extend(lengths.iter().scan(0, |end, length| {
        *end += length;
        Some(*end)
    }));
    let elements = rows[n] as usize;
    // Near the diagonal, as in most matrices that come from a mesh.
    let mut row = 0;
    let mut at = 0;
    let columns = random::column(elements, 52, |rng| {
        while at >= rows[row + 1] {
            row += 1;
        }
        at += 1;
        (row as i64 + rng.i64(-500..500)).clamp(0, n as i64 - 1) as i32
    });
    let (rows, columns) = (&rows[..], &columns[..]);
    let (values, x) = (&random::floats(elements, 53, -1.0, 1.0)[..], &random::floats(n, 54, -1.0, 1.0)[..]);
    let answer = |product: Vec<f64>| vec![Column::Floats(product)];
    let mut contest = Contest::new(name, 12 * elements + 24 * n, Some(1.1))
        .with("hand", || by_hand(rows, columns, values, x), answer)
        .ours(&PRODUCT, (rows, columns, values, x), |kernel, (r, c, v, x)| kernel(r, c, v, x), answer);
    // Sums of both signs may come near to zero.
    contest.unit = 1.0;
    bench.contest(&contest);
}

fn by_hand(rows: &[i64], columns: &[i32], values: &[f64], x: &[f64]) -> Vec<f64> {
    let row = |ends: &[i64]| {
        let at = ends[0] as usize..ends[1] as usize;
        columns[at.clone()].iter().zip(&values[at]).map(|(column, value)| value * x[*column as usize]).sum()
    };
    rows.par_windows(2).with_min_len(1 << 12).map(row).collect()
}
