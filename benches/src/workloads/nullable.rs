//! The sum of a column of 20 million options, which are read where Rust has them.

use weldment::{Kernel, weld};

use crate::bench::Bench;
use crate::contest::{Column, Contest};
use crate::random;
use crate::workloads::sums::by_hand;

/// A column of which some are missing; the sum of the others.
type Sum = fn(&[Option<f64>]) -> f64;

const SUM: Kernel<Sum> = weld!(|v: &[Option<f64>]| v.flatten().sum());

pub(crate) fn run(bench: &mut Bench<'_>) {
    // −0.0 changes no sum.
    for (name, below) in [("sum of options", -0.8), ("sum of options, all there", -2.0)] {
        if !bench.wants(name) {
            continue;
        }
        let v = random::floats(bench.rows(20_000_000), 1, -1.0, 1.0);
        let v: Vec<Option<f64>> = v.into_iter().map(|x| (x > below).then_some(x)).collect();
        let v = &v[..];
        let answer = |sum: f64| vec![Column::Floats(vec![sum])];
        let contest = Contest::new(name, size_of_val(v), Some(1.2))
            .with("hand", || by_hand(v, |x| x.unwrap_or(-0.0)), answer)
            .ours(&SUM, (v,), |kernel, (v,)| kernel(v), answer);
        bench.contest(&contest);
    }
}
