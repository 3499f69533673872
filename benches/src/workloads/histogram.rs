//! How often each of 1000 values stands in a column of 50 million.

use rayon::prelude::*;
use weldment::{Kernel, weld};

use crate::bench::Bench;
use crate::contest::{Column, Contest};
use crate::peers::{Input, Task};
use crate::prefetch::{AHEAD, prefetch};
use crate::random;
use crate::workloads::groups::by_key;
use crate::workloads::pieces::pieces;

/// The numbers of bins, and a zero for each bin; the counts.
type Counts = fn(&[i64], &[i64]) -> Vec<i64>;

const HISTOGRAM: Kernel<Counts> = weld!(|of: &[i64], none: &[i64]| result(for(of, vecmerger[i64, +](none), |b, i, bin| merge(b, {bin, 1L}))));

pub(crate) fn run(bench: &mut Bench<'_>) {
    let name = "histogram, 1000 bins";
    if !bench.wants(name) {
        return;
    }
    let bins = 1000;
    let of = random::column(bench.rows(50_000_000), 3, |rng| rng.i64(0..bins as i64));
    let (of, none) = (&of[..], &vec![0; bins][..]);
    let task = Task { query: "count_by", columns: vec![("key", Input::I64(of))], given: vec![] };
    let answer = |counts: Vec<i64>| vec![Column::Integers(counts)];
    let contest = Contest::new(name, size_of_val(of), Some(1.05))
        .with("hand", || by_hand(of, bins), answer)
        .ours(&HISTOGRAM, (of, none), |kernel, (of, none)| kernel(of, none), answer)
        .peers(&bench.peers, &["polars", "duckdb", "datafusion"], &task, |counts| {
            by_key(counts).split_off(1)
        });
    bench.contest(&contest);
}

/// Four tables that take turns, so that a bin which comes twice in a row does not wait for itself.
fn by_hand(of: &[i64], bins: usize) -> Vec<i64> {
    let piece = of.len().div_ceil(rayon::current_num_threads()).max(1);
    let tables: Vec<Vec<i64>> = pieces(of.len(), piece)
        .map(|rows| {
            let mut tables = vec![[0i64; 4]; bins];
            let (chunks, rest) = of[rows].as_chunks::<4>();
            for chunk in chunks {
                prefetch(chunk, AHEAD);
                for lane in 0..4 {
                    tables[chunk[lane] as usize][lane] += 1;
                }
            }
            for &bin in rest {
                tables[bin as usize][0] += 1;
            }
            tables.iter().map(|lanes| lanes.iter().sum()).collect()
        })
        .collect();
    (0..bins).map(|bin| tables.iter().map(|table| table[bin]).sum()).collect()
}
