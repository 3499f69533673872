//! Sums of 30 million values by key, for few and for many keys.

use std::ops::Range;

use weldment::{Dict, Kernel, weld};

use crate::bench::Bench;
use crate::contest::{Answer, Column, Contest};
use crate::peers::{Input, Task};
use crate::prefetch::read_ahead;
use crate::random;

mod kinds;
mod several;
mod table;

/// Keys and values; the sums.
type Sums = fn(&[i64], &[i64]) -> Dict<i64, i64>;

const SUMS: Kernel<Sums> =
    weld!(|keys: &[i64], values: &[i64]| zip(keys, values).reduce_by(|(k, _)| k, |(_, v)| v, +));

pub(crate) fn run(bench: &mut Bench<'_>) {
    for (keys, distinct) in [("100", 100), ("10 k", 10_000), ("1 M", 1_000_000), ("10 M", 10_000_000)] {
        let name = format!("group by, {keys} keys");
        if !bench.wants(&name) {
            continue;
        }
        let n = bench.rows(30_000_000);
        let spread = |key: u64| key.wrapping_mul(0x9E37_79B9_7F4A_7C15) as i64;
        let keys = &random::column(n, 11, |rng| spread(rng.u64(0..distinct)))[..];
        let values = &random::column(n, 12, |rng| rng.i64(-1000..=1000))[..];
        let columns = vec![("key", Input::I64(keys)), ("value", Input::I64(values))];
        let task = Task { query: "sum_by", columns, given: vec![] };
        let contest = Contest::new(name, 16 * n, Some(1.0))
            .with(
                "hand",
                || {
                    let rows = |range: Range<usize>| {
                        read_ahead(&keys[range.clone()]).zip(read_ahead(&values[range]))
                    };
                    table::sums(n, rows, distinct as usize)
                },
                sorted,
            )
            .ours(
                &SUMS,
                (keys, values),
                |kernel, (k, v)| kernel(k, v),
                |groups: Dict<i64, i64>| sorted(groups.iter().map(|(key, sum)| (*key, *sum)).collect()),
            )
            .peers(&bench.peers, &["polars", "duckdb", "datafusion"], &task, by_key);
        bench.contest(&contest);
    }
    kinds::run(bench);
    several::run(bench);
    distinct(bench);
}

/// Keys; those that are different.
type Distinct = fn(&[i64]) -> Vec<i64>;

const DISTINCT: Kernel<Distinct> = weld!(|keys: &[i64]| keys.distinct());

/// The keys alone.
fn distinct(bench: &mut Bench<'_>) {
    let name = "distinct, 10 k keys";
    if !bench.wants(name) {
        return;
    }
    let n = bench.rows(30_000_000);
    let keys = &random::column(n, 13, |rng| rng.i64(0..10_000).wrapping_mul(0x9E37_79B9_7F4A))[..];
    let sorted = |mut keys: Vec<i64>| {
        keys.sort_unstable();
        vec![Column::Integers(keys)]
    };
    let by_hand = || {
        let rows = |range: Range<usize>| read_ahead(&keys[range]).map(|key| (key, 0u8));
        table::sums(n, rows, 10_000).into_iter().map(|(key, _)| key).collect()
    };
    let contest = Contest::new(name, 8 * n, Some(1.0)).with("hand", by_hand, sorted).ours(
        &DISTINCT,
        (keys,),
        |kernel, (keys,)| kernel(keys),
        sorted,
    );
    bench.contest(&contest);
}

/// Sums by key, in the order of the keys.
fn sorted(mut groups: Vec<(i64, i64)>) -> Answer {
    groups.sort_unstable();
    let (keys, sums) = groups.into_iter().unzip();
    vec![Column::Integers(keys), Column::Integers(sums)]
}

/// Columns of keys and of numbers, in the order of the keys.
pub(crate) fn by_key(columns: Answer) -> Answer {
    match &columns[..] {
        [Column::Integers(keys), Column::Integers(numbers)] => {
            sorted(keys.iter().copied().zip(numbers.iter().copied()).collect())
        }
        _ => columns,
    }
}
