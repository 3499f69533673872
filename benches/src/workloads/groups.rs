//! Sums of 30 million values by key, for few and for many keys.

use weldment::{Dict, Kernel, weld};

use crate::contest::{Answer, Column, Contest};
use crate::random;
use crate::run::Bench;

mod table;

/// Keys and values.
pub struct Keyed {
    /// Drawn evenly from so many keys, which are spread over all integers.
    pub keys: Vec<i64>,
    /// From −1000 to 1000.
    pub values: Vec<i64>,
    /// How many keys there are to be drawn.
    pub distinct: u64,
}

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
        let data = Keyed {
            keys: random::column(n, 11, |rng| spread(rng.u64(0..distinct))),
            values: random::column(n, 12, |rng| rng.i64(-1000..=1000)),
            distinct,
        };
        let (keys, values) = (&data.keys[..], &data.values[..]);
        let contest = Contest::new(name, 16 * n, Some(1.0))
            .with("hand", || table::sums(keys, values, distinct as usize), by_key)
            .ours(
                &SUMS,
                (keys, values),
                |kernel, (k, v)| kernel(k, v),
                |groups: Dict<i64, i64>| by_key(groups.iter().map(|(key, sum)| (*key, *sum)).collect()),
            )
            .and(bench.guests.group_by(&data));
        bench.contest(&contest);
    }
}

/// Sums by key, in the order of the keys.
pub fn by_key(mut groups: Vec<(i64, i64)>) -> Answer {
    groups.sort_unstable();
    let (keys, sums) = groups.into_iter().unzip();
    vec![Column::Integers(keys), Column::Integers(sums)]
}
