//! Rows of one table with those of another that have the same key.

use rayon::prelude::*;
use weldment::{Kernel, weld};

use crate::bench::Bench;
use crate::contest::{Answer, Column, Contest};
use crate::peers::{Input, Task};
use crate::random;
use crate::workloads::pieces::PIECE;

pub(crate) mod index;

use index::Index;

/// Keys and their values; keys that are looked up, of which not all are there. How many are, and the sum of their values.
type Join = fn(&[i64], &[f64], &[i64]) -> (i64, f64);

const JOIN: Kernel<Join> = weld!(|keys: &[i64], values: &[f64], wanted: &[i64]| {
    let by_key = zip(keys, values).to_dict();
    let found = wanted.filter(|k| keyexists(by_key, k));
    (len(found), found.map(|k| by_key[k]).sum())
});

/// The same by the words for it, of rows that hold their keys.
const OF_ROWS: Kernel<Join> = weld!(|keys: &[i64], values: &[f64], wanted: &[i64]| {
    let found = wanted.join(zip(keys, values).index_by(|(key, _)| key), |k| k);
    (len(found), found.map(|(_, (_, value))| value).sum())
});

pub(crate) fn run(bench: &mut Bench<'_>) {
    let workloads = [
        ("join with 10 k keys", 10_000, &JOIN),
        ("join with 1 M keys", 1_000_000, &JOIN),
        ("join with 10 M keys", 10_000_000, &JOIN),
        ("join with 10 k rows", 10_000, &OF_ROWS),
        ("join with 1 M rows", 1_000_000, &OF_ROWS),
    ];
    for (name, distinct, kernel) in workloads {
        if !bench.wants(name) {
            continue;
        }
        let spread = |key: usize| (key as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) as i64;
        let keys: Vec<i64> = (0..distinct).map(spread).collect();
        let values = &random::floats(distinct, 72, 0.0, 1.0)[..];
        let n = bench.rows(10_000_000);
        let wanted = random::column(n, 73, |rng| spread(rng.usize(0..2 * distinct)));
        let (keys, wanted) = (&keys[..], &wanted[..]);
        let columns = vec![
            ("build.key", Input::I64(keys)),
            ("build.value", Input::F64(values)),
            ("t.key", Input::I64(wanted)),
        ];
        let task = Task { query: "join", columns, given: vec![] };
        let contest = Contest::new(name, 16 * distinct + 8 * n, None)
            .with("hand", || by_hand(keys, values, wanted), answer)
            .ours(kernel, (keys, values, wanted), |kernel, (k, v, w)| kernel(k, v, w), answer)
            .peers(&bench.peers, &["polars", "duckdb", "datafusion"], &task, |sums| sums);
        bench.contest(&contest);
    }
}

fn answer((found, sum): (i64, f64)) -> Answer {
    vec![Column::Integers(vec![found]), Column::Floats(vec![sum])]
}

fn by_hand(keys: &[i64], values: &[f64], wanted: &[i64]) -> (i64, f64) {
    let index = Index::of(keys.iter().copied());
    let both = |a: (i64, f64), b: (i64, f64)| (a.0 + b.0, a.1 + b.1);
    let piece = |wanted: &[i64]| {
        let found = wanted.iter().filter_map(|&key| index.row(key));
        found.fold((0, 0.0), |sums, row| both(sums, (1, values[row])))
    };
    wanted.par_chunks(PIECE).map(piece).reduce(|| (0, 0.0), both)
}
