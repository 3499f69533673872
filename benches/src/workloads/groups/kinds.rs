//! Sums by keys of other kinds: structs of scalars, narrow ones, and words.

use std::ops::Range;

use weldment::{Dict, Kernel, weld};

use super::table;
use crate::bench::Bench;
use crate::contest::{Answer, Column, Contest};
use crate::prefetch::read_ahead;
use crate::random;

/// Two columns of keys, and values.
type Pairs = fn(&[i64], &[i64], &[i64]) -> Dict<(i64, i64), i64>;

const PAIRS: Kernel<Pairs> = weld!(|a: &[i64], b: &[i64], values: &[i64]| {
    zip(a, b, values).reduce_by(|(a, b, _)| (a, b), |(_, _, v)| v, +)
});

type Narrow = fn(&[i32], &[f64]) -> Dict<i32, f64>;

const NARROW: Kernel<Narrow> =
    weld!(|keys: &[i32], values: &[f64]| zip(keys, values).reduce_by(|(k, _)| k, |(_, v)| v, +));

type Letters = fn(&[i8], &[i8], &[f64]) -> Dict<(i8, i8), f64>;

const LETTERS: Kernel<Letters> = weld!(|a: &[i8], b: &[i8], values: &[f64]| {
    zip(a, b, values).reduce_by(|(a, b, _)| (a, b), |(_, _, v)| v, +)
});

type Words = fn(&[Vec<u8>]) -> Dict<Vec<u8>, i64>;

const WORDS: Kernel<Words> = weld!(|words: &[Vec<u8>]| words.reduce_by(|word| word, |_| i64(1), +));

pub(super) fn run(bench: &mut Bench<'_>) {
    for (keys, distinct) in [("10 k", 10_000), ("1 M", 1_000_000)] {
        pairs(bench, &format!("group by two i64, {keys} keys"), distinct);
        narrow(bench, &format!("group f64 by i32, {keys} keys"), distinct);
    }
    letters(bench, "group f64 by two i8");
    words(bench, "count words, 10 k keys", 10_000);
}

fn pairs(bench: &mut Bench<'_>, name: &str, distinct: usize) {
    if !bench.wants(name) {
        return;
    }
    let n = bench.rows(20_000_000);
    let ids = random::column(n, 21, |rng| rng.usize(0..distinct) as i64);
    let (a, b): (Vec<i64>, Vec<i64>) = ids.iter().map(|id| (id % 1000 - 500, id / 1000 * 77)).unzip();
    let values = random::column(n, 22, |rng| rng.i64(-1000..=1000));
    let (a, b, values) = (&a[..], &b[..], &values[..]);
    let hand = || {
        let rows = |range: Range<usize>| {
            let keys = read_ahead(&a[range.clone()]).zip(read_ahead(&b[range.clone()]));
            keys.zip(read_ahead(&values[range]))
        };
        table::sums(n, rows, distinct)
    };
    let contest = Contest::new(name, 24 * n, Some(1.0)).with("hand", hand, of_pairs).ours(
        &PAIRS,
        (a, b, values),
        |kernel, (a, b, v)| kernel(a, b, v),
        |groups: Dict<(i64, i64), i64>| of_pairs(groups.to_vec()),
    );
    bench.contest(&contest);
}

fn of_pairs(mut groups: Vec<((i64, i64), i64)>) -> Answer {
    groups.sort_unstable();
    type Group = ((i64, i64), i64);
    let columns: [fn(&Group) -> i64; 3] = [|group| group.0.0, |group| group.0.1, |group| group.1];
    columns.map(|column| Column::Integers(groups.iter().map(column).collect())).into()
}

fn narrow(bench: &mut Bench<'_>, name: &str, distinct: usize) {
    if !bench.wants(name) {
        return;
    }
    let n = bench.rows(30_000_000);
    let keys = &random::column(n, 23, |rng| {
        (rng.usize(0..distinct) as i32).wrapping_mul(0x9E37_79B1_u32 as i32)
    })[..];
    let values = &random::floats(n, 24, 0.0, 1.0)[..];
    let hand = || {
        let rows = |range: Range<usize>| read_ahead(&keys[range.clone()]).zip(read_ahead(&values[range]));
        table::sums(n, rows, distinct)
    };
    // As for query 1 of TPC-H: by hand the bits of a sum depend on the threads, ours do not, for which they are made by segment.
    let contest = Contest::new(name, 12 * n, Some(1.2)).with("hand", hand, of_narrow).ours(
        &NARROW,
        (keys, values),
        |kernel, (k, v)| kernel(k, v),
        |groups: Dict<i32, f64>| of_narrow(groups.to_vec()),
    );
    bench.contest(&contest);
}

fn of_narrow(mut groups: Vec<(i32, f64)>) -> Answer {
    groups.sort_unstable_by_key(|group| group.0);
    let (keys, sums) = groups.into_iter().map(|(key, sum)| (i64::from(key), sum)).unzip();
    vec![Column::Integers(keys), Column::Floats(sums)]
}

fn letters(bench: &mut Bench<'_>, name: &str) {
    if !bench.wants(name) {
        return;
    }
    let n = bench.rows(30_000_000);
    let [a, b] = &[25, 26].map(|seed| random::column(n, seed, |rng| rng.i8(-13..13)));
    let values = &random::floats(n, 27, 0.0, 1.0)[..];
    let hand = || {
        // One sum and whether it is taken for each key there can be.
        let mut sums = vec![(0.0, false); 1 << 16];
        for ((&a, &b), value) in a.iter().zip(b).zip(read_ahead(values)) {
            let sum = &mut sums[usize::from(a as u8) << 8 | usize::from(b as u8)];
            *sum = (sum.0 + value, true);
        }
        let key = |place: usize| ((place >> 8) as u8 as i8, place as u8 as i8);
        let taken = sums.into_iter().enumerate().filter(|(_, sum)| sum.1);
        taken.map(|(place, sum)| (key(place), sum.0)).collect()
    };
    let contest = Contest::new(name, 10 * n, None).with("hand, one thread", hand, of_letters).ours(
        &LETTERS,
        (&a[..], &b[..], values),
        |kernel, (a, b, v)| kernel(a, b, v),
        |groups: Dict<(i8, i8), f64>| of_letters(groups.to_vec()),
    );
    bench.contest(&contest);
}

fn of_letters(groups: Vec<((i8, i8), f64)>) -> Answer {
    of_narrow(groups.into_iter().map(|((a, b), sum)| (i32::from(a) * 256 + i32::from(b), sum)).collect())
}

fn words(bench: &mut Bench<'_>, name: &str, distinct: usize) {
    if !bench.wants(name) {
        return;
    }
    let n = bench.rows(5_000_000);
    let word = |rng: &mut fastrand::Rng| {
        let number = rng.usize(0..distinct);
        format!("{}{number}", ["pack my box", "five", "dozen liquor jugs"][number % 3]).into_bytes()
    };
    let words = &random::column(n, 28, word)[..];
    let hand = || {
        let rows = |range: Range<usize>| words[range].iter().map(|word| (&word[..], 1));
        let groups: Vec<(&[u8], i64)> = table::sums(n, rows, distinct);
        groups.into_iter().map(|(word, count)| (word.to_vec(), count)).collect()
    };
    let contest = Contest::new(name, n * 36, Some(1.0)).with("hand", hand, of_words).ours(
        &WORDS,
        (words,),
        |kernel, (words,)| kernel(words),
        |groups: Dict<Vec<u8>, i64>| of_words(groups.to_vec()),
    );
    bench.contest(&contest);
}

fn of_words(mut groups: Vec<(Vec<u8>, i64)>) -> Answer {
    groups.sort_unstable();
    let bytes = groups.iter().flat_map(|(word, _)| word.iter().map(|&byte| i64::from(byte))).collect();
    vec![Column::Integers(bytes), Column::Integers(groups.iter().map(|group| group.1).collect())]
}
