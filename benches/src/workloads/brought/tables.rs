//! Tables: a flag for a key, the median of each group, the links of a graph.

use std::collections::HashMap;

use rayon::prelude::*;
use weldment::{Kernel, weld};

use super::answers::{TARGET, floats};
use crate::bench::Bench;
use crate::contest::{Column, Contest};
use crate::random;

/// Keys and their flags, and rows; the sum of the amounts of rows whose key has a flag.
type Flagged = fn(&[i64], &[bool], &[i64], &[f64]) -> f64;

const FLAGGED: Kernel<Flagged> = weld!(|keys: &[i64], flags: &[bool], key: &[i64], amount: &[f64]| {
    let flag = zip(keys, flags).to_dict();
    zip(key, amount).filter(|(k, _)| flag[k]).map(|(_, x)| x).sum()
});

/// Keys and values; of each key the element in the middle.
type Medians = fn(&[i64], &[f64]) -> Vec<(i64, f64)>;

const MEDIANS: Kernel<Medians> = weld!(|keys: &[i64], v: &[f64]| {
    let middle = |g| g.map(|(_, x)| x).sort()[g.len() / 2];
    zip(keys, v).group_by(|(k, _)| k).tovec().map(|(k, g)| (k, middle(g))).sort_by_key(|(k, _)| k)
});

/// Where the links of each page begin, the pages that link to it, how many links each has, and how many steps are done; the ranks.
type Ranks = fn(&[i64], &[i64], &[f64], i64) -> Vec<f64>;

const RANKS: Kernel<Ranks> = weld!(|from: &[i64], source: &[i64], links: &[f64], steps: i64| {
    let n = links.len();
    let least = 0.15 / n as f64;
    iterate((links.map(|_| 1.0 / n as f64), 0), |(rank, step)| {
        let given = zip(rank, links).map(|(r, l)| r / l);
        let next = (0..n)
            .map(|i| least + 0.85 * slice(source, from[i], from[i + 1] - from[i]).map(|j| given[j]).sum());
        ((next, step + 1), step + 1 < steps)
    })
    .0
});

pub(super) fn run(bench: &mut Bench<'_>) {
    if bench.wants("flags of 100 k keys") {
        let (n, distinct) = (bench.rows(10_000_000), 100_000);
        let keys: Vec<i64> = (0..distinct).map(|key| key * 7919).collect();
        let flags = random::column(keys.len(), 31, |rng| rng.bool());
        let key = random::column(n, 32, |rng| rng.i64(0..distinct) * 7919);
        let amount = random::floats(n, 33, 0.0, 1.0);
        let (keys, flags, key, amount) = (&keys[..], &flags[..], &key[..], &amount[..]);
        let by_hand = move || {
            let flag: HashMap<i64, bool> = keys.iter().copied().zip(flags.iter().copied()).collect();
            key.par_iter().zip(amount).filter(|(k, _)| flag[k]).map(|(_, x)| x).sum::<f64>()
        };
        let one = |sum| floats(vec![sum]);
        let contest = Contest::new("flags of 100 k keys", 16 * n, TARGET).with("hand", by_hand, one).ours(
            &FLAGGED,
            (keys, flags, key, amount),
            |kernel, (keys, flags, key, amount)| kernel(keys, flags, key, amount),
            one,
        );
        bench.contest(&contest);
    }
    if bench.wants("medians of 10 k groups") {
        let n = bench.rows(5_000_000);
        let keys = random::column(n, 34, |rng| rng.i64(0..10_000));
        let values = random::floats(n, 35, 0.0, 1.0);
        let (keys, values) = (&keys[..], &values[..]);
        let by_hand = move || {
            let mut groups: HashMap<i64, Vec<f64>> = HashMap::new();
            for (&key, &x) in keys.iter().zip(values) {
                groups.entry(key).or_default().push(x);
            }
            let middle = |(key, mut group): (i64, Vec<f64>)| {
                let middle = group.len() / 2;
                (key, *group.select_nth_unstable_by(middle, f64::total_cmp).1)
            };
            let mut medians: Vec<(i64, f64)> = groups.into_par_iter().map(middle).collect();
            medians.par_sort_unstable_by_key(|&(key, _)| key);
            medians
        };
        let answer = |medians: Vec<(i64, f64)>| {
            let (keys, middles) = medians.into_iter().unzip();
            vec![Column::Integers(keys), Column::Floats(middles)]
        };
        let contest = Contest::new("medians of 10 k groups", 16 * n, TARGET)
            .with("hand", by_hand, answer)
            .ours(&MEDIANS, (keys, values), |kernel, (keys, values)| kernel(keys, values), answer);
        bench.contest(&contest);
    }
    if bench.wants("page rank, 10 steps") {
        let (pages, each) = (bench.rows(500_000), 8);
        let source = random::column(pages * each, 36, |rng| rng.i64(0..pages as i64));
        let from: Vec<i64> = (0..=pages).map(|page| (page * each) as i64).collect();
        let mut links = vec![0.0; pages];
        source.iter().for_each(|&page| links[page as usize] += 1.0);
        links.iter_mut().for_each(|links: &mut f64| *links = links.max(1.0));
        let (from, source, links) = (&from[..], &source[..], &links[..]);
        let by_hand = move || {
            let mut rank = vec![1.0 / pages as f64; pages];
            for _ in 0..10 {
                let given: Vec<f64> = rank.par_iter().zip(links).map(|(r, l)| r / l).collect();
                let of_page = |page: usize| {
                    let sources = &source[from[page] as usize..from[page + 1] as usize];
                    0.15 / pages as f64 + 0.85 * sources.iter().map(|&j| given[j as usize]).sum::<f64>()
                };
                rank = (0..pages).into_par_iter().map(of_page).collect();
            }
            rank
        };
        let contest = Contest::new("page rank, 10 steps", 80 * pages * (each + 3), TARGET)
            .with("hand", by_hand, floats)
            .ours(
                &RANKS,
                (from, source, links, 10),
                |kernel, (from, source, links, steps)| kernel(from, source, links, steps),
                floats,
            );
        bench.contest(&contest);
    }
}
