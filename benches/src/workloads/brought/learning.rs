//! Learning: the nearest of a few centres, a gradient over the rows of a matrix, a decision tree, resampling.

use rayon::prelude::*;
use weldment::{Array, Kernel, weld};

use super::answers::{TARGET, floats, integers};
use crate::bench::Bench;
use crate::contest::Contest;
use crate::random;

/// Coordinates of points and of centres; the number of the nearest centre of each point.
type Nearest = fn(&[f64], &[f64], &[f64], &[f64]) -> Vec<i64>;

const NEAREST: Kernel<Nearest> = weld!(|x: &[f64], y: &[f64], cx: &[f64], cy: &[f64]| {
    let distance = |a, b, c, d| (a - c) * (a - c) + (b - d) * (b - d);
    zip(x, y).map(|(a, b)| zip(cx, cy).map(|(c, d)| distance(a, b, c, d)).argmin())
});

/// Rows, what is to be told of each, and weights; the gradient of logistic regression.
type Gradient = fn(&Array<f64, 2>, &[f64], &[f64]) -> Vec<f64>;

const GRADIENT: Kernel<Gradient> = weld!(|x: &Array<f64, 2>, y: &[f64], w: &[f64]| {
    let off = (0..y.len()).map(|i| 1.0 / (1.0 + exp(-(0..w.len()).map(|j| x[i, j] * w[j]).sum())) - y[i]);
    (0..w.len()).map(|j| (0..y.len()).map(|i| x[i, j] * off[i]).sum())
});

/// Three features; how many are in the last class of a tree.
type Tree = fn(&[f64], &[f64], &[f64]) -> i64;

const TREE: Kernel<Tree> = weld!(|age: &[f64], income: &[f64], debt: &[f64]| {
    let class = zip(age, income, debt).map(|(age, income, debt)| {
        if income > 50.0 {
            if debt < 10.0 {
                0
            } else if age > 40.0 {
                1
            } else {
                2
            }
        } else if age > 60.0 {
            1
        } else if debt > income {
            3
        } else {
            2
        }
    });
    class.filter(|c| c == 3).count()
});

/// A sample, and how often it is drawn anew; the mean of each.
type Bootstrap = fn(&[f64], i64) -> Vec<f64>;

const BOOTSTRAP: Kernel<Bootstrap> = weld!(|v: &[f64], samples: i64| {
    let n = v.len();
    (0..samples).map(|b| {
        (0..n)
            .map(|i| {
                let z = (b * n + i) * 0x1E3779B97F4A7C15;
                let z = (z ^ (z >> 29)) * 0x3F58476D1CE4E5B9;
                v[((z ^ (z >> 32)) & 0x7FFFFFFF) % n]
            })
            .sum()
            / n as f64
    })
});

pub(super) fn run(bench: &mut Bench<'_>) {
    if bench.wants("nearest of 8 centres") {
        let n = bench.rows(5_000_000);
        let [x, y] = [1, 2].map(|seed| random::floats(n, seed, -1.0, 1.0));
        let [cx, cy] = [3, 4].map(|seed| random::floats(8, seed, -1.0, 1.0));
        let (x, y, cx, cy) = (&x[..], &y[..], &cx[..], &cy[..]);
        let nearest = |(a, b): (&f64, &f64)| {
            let mut best = (0, f64::INFINITY);
            for (at, (c, d)) in cx.iter().zip(cy).enumerate() {
                let distance = (a - c) * (a - c) + (b - d) * (b - d);
                if distance < best.1 {
                    best = (at as i64, distance);
                }
            }
            best.0
        };
        let by_hand = move || x.par_iter().zip(y).map(nearest).collect::<Vec<i64>>();
        let contest = Contest::new("nearest of 8 centres", 24 * n, TARGET)
            .with("hand", by_hand, integers)
            .ours(&NEAREST, (x, y, cx, cy), |kernel, (x, y, cx, cy)| kernel(x, y, cx, cy), integers);
        bench.contest(&contest);
    }
    if bench.wants("gradient of 16 weights") {
        let (n, d) = (bench.rows(1_000_000), 16);
        let x = random::floats(n * d, 5, -1.0, 1.0);
        let y = random::column(n, 6, |rng| f64::from(rng.u8(0..2)));
        let w = random::floats(d, 7, -1.0, 1.0);
        let rows = Array::new(x.clone(), [n, d]).expect("a number for each row and column");
        let (x, y, w) = (&x[..], &y[..], &w[..]);
        let by_hand = move || {
            let add = |mut a: Vec<f64>, b: Vec<f64>| {
                a.iter_mut().zip(b).for_each(|(a, b)| *a += b);
                a
            };
            let of_row = |mut sum: Vec<f64>, (row, y): (&[f64], &f64)| {
                let score: f64 = row.iter().zip(w).map(|(x, w)| x * w).sum();
                let off = 1.0 / (1.0 + (-score).exp()) - y;
                sum.iter_mut().zip(row).for_each(|(sum, x)| *sum += x * off);
                sum
            };
            let none = || vec![0.0; d];
            x.par_chunks(d).zip(y).fold(none, of_row).reduce(none, add)
        };
        let contest = Contest::new("gradient of 16 weights", 8 * n * (d + 1), TARGET)
            .with("hand", by_hand, floats)
            .ours(&GRADIENT, (&rows, y, w), |kernel, (x, y, w)| kernel(x, y, w), floats);
        bench.contest(&contest);
    }
    if bench.wants("decision tree") {
        let n = bench.rows(10_000_000);
        let columns = [8, 9, 10].map(|seed| random::floats(n, seed, 0.0, 100.0));
        let [age, income, debt] = [0, 1, 2].map(|column| &columns[column][..]);
        let class = |((age, income), debt): ((&f64, &f64), &f64)| {
            if *income > 50.0 {
                if *debt < 10.0 {
                    0
                } else if *age > 40.0 {
                    1
                } else {
                    2
                }
            } else if *age > 60.0 {
                1
            } else if debt > income {
                3
            } else {
                2
            }
        };
        let by_hand =
            move || age.par_iter().zip(income).zip(debt).map(class).filter(|&c| c == 3).count() as i64;
        let one = |count| integers(vec![count]);
        let contest = Contest::new("decision tree", 24 * n, TARGET).with("hand", by_hand, one).ours(
            &TREE,
            (age, income, debt),
            |kernel, (age, income, debt)| kernel(age, income, debt),
            one,
        );
        bench.contest(&contest);
    }
    if bench.wants("bootstrap of 1000 means") {
        let n = bench.rows(10_000);
        let v = random::floats(n, 11, 0.0, 1.0);
        let v = &v[..];
        let by_hand = move || {
            let mean = |b: i64| {
                let draw = |i: i64| {
                    let z = (b * n as i64 + i).wrapping_mul(0x1E37_79B9_7F4A_7C15);
                    let z = (z ^ (z >> 29)).wrapping_mul(0x3F58_476D_1CE4_E5B9);
                    v[((z ^ (z >> 32)) & 0x7FFF_FFFF) as usize % n]
                };
                (0..n as i64).map(draw).sum::<f64>() / n as f64
            };
            (0..1000).into_par_iter().map(mean).collect::<Vec<f64>>()
        };
        let contest = Contest::new("bootstrap of 1000 means", 8 * 1000 * n, TARGET)
            .with("hand", by_hand, floats)
            .ours(&BOOTSTRAP, (v, 1000), |kernel, (v, samples)| kernel(v, samples), floats);
        bench.contest(&contest);
    }
}
