//! Events: sessions of sorted ones, the commonest keys, runs of equal values, points in intervals.

use std::collections::HashMap;

use rayon::prelude::*;
use weldment::{Kernel, weld};

use super::answers::{TARGET, integers};
use crate::bench::Bench;
use crate::contest::{Column, Contest};
use crate::random;

/// Users and times of events, sorted, and the longest pause; how many sessions there are.
type Sessions = fn(&[i64], &[i64], i64) -> i64;

const SESSIONS: Kernel<Sessions> = weld!(|user: &[i64], at: &[i64], pause: i64| {
    (1..user.len()).filter(|i| user[i] != user[i - 1] || at[i] - at[i - 1] > pause).count() + 1
});

/// Keys, and how many of the commonest are wanted; these and how often they are there.
type Commonest = fn(&[i64], i64) -> Vec<(i64, i64)>;

const COMMONEST: Kernel<Commonest> = weld!(|keys: &[i64], k: i64| {
    keys.reduce_by(|k| k, |_| 1i64, +).tovec().sort_by_key(|(key, n)| (-n, key)).take(k)
});

/// Values; each that differs from the one before, and how often it comes in a row.
type Runs = fn(&[i32]) -> Vec<(i32, i64)>;

const RUNS: Kernel<Runs> = weld!(|v: &[i32]| {
    let starts = (0..v.len()).filter(|i| i == 0 || v[i] != v[i - 1]);
    zip(starts, starts.skip(1).chain([v.len()])).map(|(a, b)| (v[a], b - a))
});

/// The sorted starts and ends of intervals, and points; in how many intervals the points are, all together.
type Inside = fn(&[f64], &[f64], &[f64]) -> i64;

const INSIDE: Kernel<Inside> = weld!(|starts: &[f64], ends: &[f64], points: &[f64]| {
    let up_to = |sorted, x| sorted.partition_point(|y| y <= x);
    points.map(|x| up_to(starts, x) - up_to(ends, x)).sum()
});

pub(super) fn run(bench: &mut Bench<'_>) {
    let one = |count| integers(vec![count]);
    if bench.wants("sessions of sorted events") {
        let n = bench.rows(10_000_000);
        let mut events = random::column(n, 21, |rng| (rng.i64(0..n as i64 / 20), rng.i64(0..86_400)));
        events.par_sort_unstable();
        let (user, at): (Vec<i64>, Vec<i64>) = events.into_iter().unzip();
        let (user, at) = (&user[..], &at[..]);
        let by_hand = move || {
            let begins = |(user, at): (&[i64], &[i64])| user[1] != user[0] || at[1] - at[0] > 1800;
            user.par_windows(2).zip(at.par_windows(2)).filter(|pair| begins(*pair)).count() as i64 + 1
        };
        let contest = Contest::new("sessions of sorted events", 16 * n, TARGET)
            .with("hand", by_hand, one)
            .ours(&SESSIONS, (user, at, 1800), |kernel, (user, at, pause)| kernel(user, at, pause), one);
        bench.contest(&contest);
    }
    let rows = |rows: Vec<(i64, i64)>| {
        let (keys, counts) = rows.into_iter().unzip();
        vec![Column::Integers(keys), Column::Integers(counts)]
    };
    if bench.wants("10 commonest of 100 k keys") {
        let n = bench.rows(10_000_000);
        let skewed = |rng: &mut fastrand::Rng| (rng.f64() * rng.f64() * rng.f64() * 100_000.0) as i64;
        let keys = &random::column(n, 22, skewed)[..];
        let by_hand = move || {
            let count = |mut counts: HashMap<i64, i64>, &key: &i64| {
                *counts.entry(key).or_default() += 1;
                counts
            };
            let add = |mut a: HashMap<i64, i64>, b: HashMap<i64, i64>| {
                b.into_iter().for_each(|(key, n)| *a.entry(key).or_default() += n);
                a
            };
            let counts = keys.par_iter().fold(HashMap::new, count).reduce(HashMap::new, add);
            let mut counts: Vec<(i64, i64)> = counts.into_iter().collect();
            counts.sort_unstable_by_key(|&(key, n)| (-n, key));
            counts.truncate(10);
            counts
        };
        let contest = Contest::new("10 commonest of 100 k keys", 8 * n, TARGET)
            .with("hand", by_hand, rows)
            .ours(&COMMONEST, (keys, 10), |kernel, (keys, k)| kernel(keys, k), rows);
        bench.contest(&contest);
    }
    if bench.wants("runs of equal values") {
        let n = bench.rows(20_000_000);
        let mut value = 0;
        let column = random::column(n, 23, |rng| {
            if rng.u8(0..8) == 0 {
                value = rng.i32(0..100);
            }
            value
        });
        let v = &column[..];
        let by_hand = move || {
            let mut runs: Vec<(i32, i64)> = Vec::new();
            for &x in v {
                match runs.last_mut() {
                    Some(run) if run.0 == x => run.1 += 1,
                    _ => runs.push((x, 1)),
                }
            }
            runs
        };
        let answer = |runs: Vec<(i32, i64)>| rows(runs.into_iter().map(|(x, n)| (i64::from(x), n)).collect());
        let contest = Contest::new("runs of equal values", 4 * n, TARGET).with("hand", by_hand, answer).ours(
            &RUNS,
            (v,),
            |kernel, (v,)| kernel(v),
            answer,
        );
        bench.contest(&contest);
    }
    if bench.wants("points in 10 k intervals") {
        let n = bench.rows(2_000_000);
        let [mut starts, mut lengths] = [24, 25].map(|seed| random::floats(10_000, seed, 0.0, 1.0));
        lengths.iter_mut().zip(&starts).for_each(|(length, start)| *length += start);
        starts.sort_by(f64::total_cmp);
        lengths.sort_by(f64::total_cmp);
        let points = random::floats(n, 26, 0.0, 2.0);
        let (starts, ends, points) = (&starts[..], &lengths[..], &points[..]);
        let up_to = |sorted: &[f64], x: f64| sorted.partition_point(|&y| y <= x) as i64;
        let by_hand = move || points.par_iter().map(|&x| up_to(starts, x) - up_to(ends, x)).sum::<i64>();
        let contest =
            Contest::new("points in 10 k intervals", 8 * n, TARGET).with("hand", by_hand, one).ours(
                &INSIDE,
                (starts, ends, points),
                |kernel, (starts, ends, points)| kernel(starts, ends, points),
                one,
            );
        bench.contest(&contest);
    }
}
