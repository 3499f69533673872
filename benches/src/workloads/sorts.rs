//! Ten million numbers in order, alone and with another column that follows them.

use rayon::prelude::*;
use weldment::{Kernel, weld};

use crate::bench::Bench;
use crate::contest::{Answer, Column, Contest};
use crate::peers::{Input, Task};
use crate::random;

mod radix;

type Integers = fn(&[i64]) -> Vec<i64>;
type Floats = fn(&[f64]) -> Vec<f64>;
/// Keys and values; both in the order of the keys, and of equal keys in that of the rows.
type Rows = fn(&[i32], &[f64]) -> (Vec<i32>, Vec<f64>);

const INTEGERS: Kernel<Integers> = weld!(|v: &[i64]| v.sort_by_key(|x| x));
const FLOATS: Kernel<Floats> = weld!(|v: &[f64]| v.sort_by_key(|x| x));
const ROWS: Kernel<Rows> = weld!(|keys: &[i32], values: &[f64]| {
    let rows = zip(keys, values).sort_by_key(|(k, _)| k);
    (rows.map(|(k, _)| k), rows.map(|(_, v)| v))
});

pub(crate) fn run(bench: &mut Bench<'_>) {
    let n = bench.rows(10_000_000);
    let name = "sort, 10 M i64";
    if bench.wants(name) {
        let v = &random::column(n, 31, |rng| rng.i64(..))[..];
        let task = Task { query: "sort", columns: vec![("x", Input::I64(v))], given: vec![] };
        let answer = |sorted: Vec<i64>| vec![Column::Integers(sorted)];
        let contest = Contest::new(name, 2 * size_of_val(v), None)
            .with("hand", || sorted(v, |rows| rows.par_sort_unstable()), answer)
            .ours(&INTEGERS, (v,), |kernel, (v,)| kernel(v), answer)
            .peers(&bench.peers, &["polars", "duckdb", "datafusion"], &task, |sorted| sorted);
        bench.contest(&contest);
    }
    let name = "sort, 10 M f64";
    if bench.wants(name) {
        let v = &random::floats(n, 32, -1000.0, 1000.0)[..];
        let task = Task { query: "sort", columns: vec![("x", Input::F64(v))], given: vec![] };
        let answer = |sorted: Vec<f64>| vec![Column::Floats(sorted)];
        let contest = Contest::new(name, 2 * size_of_val(v), None)
            .with("hand", || sorted(v, |rows| rows.par_sort_unstable_by(f64::total_cmp)), answer)
            .ours(&FLOATS, (v,), |kernel, (v,)| kernel(v), answer)
            .peers(&bench.peers, &["polars", "duckdb", "datafusion"], &task, |sorted| sorted);
        bench.contest(&contest);
    }
    let name = "sort rows by i32, 10 M";
    if bench.wants(name) {
        let keys = &random::column(n, 33, |rng| rng.i32(0..1_000_000))[..];
        let values = &random::floats(n, 34, 0.0, 1.0)[..];
        let columns = vec![("key", Input::I32(keys)), ("x", Input::F64(values))];
        let task = Task { query: "sort_rows", columns, given: vec![] };
        let contest = Contest::new(name, 24 * n, None)
            .with("hand", move || rows_by_hand(keys, values), rows)
            .ours(&ROWS, (keys, values), |kernel, (k, v)| kernel(k, v), rows)
            .peers(&bench.peers, &["polars"], &task, |rows| rows);
        bench.contest(&contest);
    }
}

fn rows((keys, values): (Vec<i32>, Vec<f64>)) -> Answer {
    vec![Column::Integers(keys.into_iter().map(i64::from).collect()), Column::Floats(values)]
}

/// A copy of `rows`, sorted by the library.
fn sorted<T: Copy>(rows: &[T], sort: impl FnOnce(&mut [T])) -> Vec<T> {
    let mut rows = rows.to_vec();
    sort(&mut rows);
    rows
}

fn rows_by_hand(keys: &[i32], values: &[f64]) -> (Vec<i32>, Vec<f64>) {
    let rows: Vec<(i32, f64)> = keys.iter().copied().zip(values.iter().copied()).collect();
    radix::sorted(&rows, |row| u64::from(row.0 as u32 ^ 1 << 31)).into_par_iter().unzip()
}
