//! Several results for each key: by the words of `aggregate`, beside the same as a `reduce_by` of one's own.

use weldment::{Dict, Kernel, weld};

use crate::bench::Bench;
use crate::contest::{Answer, Column, Contest};
use crate::random;

/// Sum, count, least and greatest.
type Several = (f64, i64, f64, f64);

/// A key and its results.
type Row = (i64, Several);

/// Keys and values; the results of each key.
type Aggregate = fn(&[i64], &[f64]) -> Dict<i64, Several>;

const BY_WORDS: Kernel<Aggregate> = weld!(|keys: &[i64], values: &[f64]| {
    zip(keys, values).aggregate(|r| r.0, |g| (g.sum(|r| r.1), g.count(), g.min(|r| r.1), g.max(|r| r.1)))
});

const BY_HAND: Kernel<Aggregate> = weld!(|keys: &[i64], values: &[f64]| {
    let folded = |a, b| (a.0 + b.0, a.1 + b.1, min(a.2, b.2), max(a.3, b.3));
    zip(keys, values).reduce_by(|r| r.0, |r| (r.1, 1i64, r.1, r.1), folded)
});

/// Keys and values; the mean of each key, and how many there are.
type Means = fn(&[i64], &[f64]) -> Dict<i64, (f64, i64)>;

const MEANS: Kernel<Means> = weld!(|keys: &[i64], values: &[f64]| {
    zip(keys, values).aggregate(|r| r.0, |g| (g.mean(|r| r.1), g.count()))
});

/// The same without the division: what the first of its two loops makes.
const SUMS: Kernel<Means> = weld!(|keys: &[i64], values: &[f64]| {
    zip(keys, values).reduce_by(|r| r.0, |r| (r.1, 1i64), +)
});

pub(super) fn run(bench: &mut Bench<'_>) {
    for (keys, distinct) in [("100", 100), ("10 k", 10_000), ("1 M", 1_000_000)] {
        let [several, means] = ["aggregate", "means"].map(|what| format!("{what}, {keys} keys"));
        if ![&several, &means].iter().any(|name| bench.wants(name)) {
            continue;
        }
        let n = bench.rows(30_000_000);
        let spread = |key: u64| key.wrapping_mul(0x9E37_79B9_7F4A_7C15) as i64;
        let keys = &random::column(n, 51, |rng| spread(rng.u64(0..distinct)))[..];
        let values = &random::floats(n, 52, 0.0, 1.0)[..];
        if bench.wants(&several) {
            let contest = Contest::new(several, 16 * n, Some(1.05))
                .with("reduce_by", || BY_HAND(keys, values), of_several)
                .ours(&BY_WORDS, (keys, values), |kernel, (k, v)| kernel(k, v), of_several);
            bench.contest(&contest);
        }
        if bench.wants(&means) {
            let divided = |sums: Dict<i64, (f64, i64)>| {
                of_means(sums.iter().map(|(key, (sum, count))| (*key, sum / *count as f64, *count)).collect())
            };
            let plain = |means: Dict<i64, (f64, i64)>| {
                of_means(means.iter().map(|(key, (mean, count))| (*key, *mean, *count)).collect())
            };
            let contest = Contest::new(means, 16 * n, Some(1.2))
                .with("reduce_by", || SUMS(keys, values), divided)
                .ours(&MEANS, (keys, values), |kernel, (k, v)| kernel(k, v), plain);
            bench.contest(&contest);
        }
    }
}

fn of_several(groups: Dict<i64, Several>) -> Answer {
    let mut rows: Vec<Row> = groups.iter().map(|(key, several)| (*key, *several)).collect();
    rows.sort_unstable_by_key(|row| row.0);
    let integers: [fn(&Row) -> i64; 2] = [|row| row.0, |row| row.1.1];
    let floats: [fn(&Row) -> f64; 3] = [|row| row.1.0, |row| row.1.2, |row| row.1.3];
    let integers = integers.map(|column| Column::Integers(rows.iter().map(column).collect()));
    let floats = floats.map(|column| Column::Floats(rows.iter().map(column).collect()));
    integers.into_iter().chain(floats).collect()
}

fn of_means(mut rows: Vec<(i64, f64, i64)>) -> Answer {
    rows.sort_unstable_by_key(|row| row.0);
    vec![
        Column::Integers(rows.iter().map(|row| row.0).collect()),
        Column::Floats(rows.iter().map(|row| row.1).collect()),
        Column::Integers(rows.iter().map(|row| row.2).collect()),
    ]
}
