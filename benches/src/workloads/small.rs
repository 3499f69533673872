//! A thousand calls over next to nothing: what a call costs besides its loop.

use std::hint::black_box;

use weldment::{Kernel, weld};

use crate::bench::Bench;
use crate::contest::{Column, Contest};
use crate::random;
use crate::repeat::{CALLS, thousandfold};

const SUM: Kernel<fn(&[f64]) -> f64> = weld!(|v: &[f64]| v.map(|x| x * x).sum());

/// A column; the squares.
type Squares = fn(&[f64]) -> Vec<f64>;

const SQUARES: Kernel<Squares> = weld!(|v: &[f64]| v.map(|x| x * x));

pub(crate) fn run(bench: &mut Bench<'_>) {
    for n in [0, 1, 10, 100, 1000] {
        let v = &random::floats(n, 13, -1.0, 1.0)[..];
        let bytes = CALLS * size_of_val(v);
        let name = format!("sum of {n}, 1000 calls");
        if bench.wants(&name) {
            let answer = |sum: f64| vec![Column::Floats(vec![sum])];
            let contest = Contest::new(name, bytes, None)
                .with("hand", || thousandfold(|| black_box(v).iter().map(|x| x * x).sum()), answer)
                .repeated(&SUM, (v,), |kernel, (v,)| kernel(v), answer);
            bench.contest(&contest);
        }
        let name = format!("squares of {n}, 1000 calls");
        if bench.wants(&name) {
            let answer = |squares: Vec<f64>| vec![Column::Floats(squares)];
            let squares = || black_box(v).iter().map(|x| x * x).collect::<Vec<f64>>();
            let contest = Contest::new(name, bytes, None)
                .with("hand", move || thousandfold(squares), answer)
                .repeated(&SQUARES, (v,), |kernel, (v,)| kernel(v), answer);
            bench.contest(&contest);
        }
    }
}
