//! The number in the middle of a column.

use weldment::{Kernel, weld};

use crate::bench::Bench;
use crate::contest::{Column, Contest};
use crate::random;

const MEDIAN: Kernel<fn(&[f64]) -> f64> = weld!(|v: &[f64]| v.median());

pub(crate) fn run(bench: &mut Bench<'_>) {
    let name = "median";
    if !bench.wants(name) {
        return;
    }
    let v = &random::floats(bench.rows(10_000_000), 44, -1.0, 1.0)[..];
    let answer = |median: f64| vec![Column::Floats(vec![median])];
    let contest = Contest::new(name, size_of_val(v), Some(1.2)).with("hand", || by_hand(v), answer).ours(
        &MEDIAN,
        (v,),
        |kernel, (v,)| kernel(v),
        answer,
    );
    bench.contest(&contest);
}

/// Of a copy, of which std puts one element in its place.
fn by_hand(v: &[f64]) -> f64 {
    let mut v = v.to_vec();
    let (half, is_odd) = ((v.len() - 1) / 2, v.len() % 2 == 1);
    let (_, &mut low, above) = v.select_nth_unstable_by(half, f64::total_cmp);
    match is_odd {
        true => low,
        false => above.iter().fold(f64::INFINITY, |least, &x| least.min(x)) / 2.0 + low / 2.0,
    }
}
