//! The elements of a column that pass a test, as a column.

use rayon::prelude::*;
use weldment::{Kernel, weld};

use crate::bench::Bench;
use crate::contest::{Column, Contest};
use crate::cpu::dispatch;
use crate::peers::{Input, Task};
use crate::prefetch::{ahead, prefetch};
use crate::random;

/// The column and the bound; what is below it.
type Filter = fn(&[f64], f64) -> Vec<f64>;

const FILTER: Kernel<Filter> = weld!(|v: &[f64], most: f64| v.filter(|x| x < most));

pub(crate) fn run(bench: &mut Bench<'_>) {
    let selectivities = [0.01, 0.5, 0.99];
    let name = |selectivity: f64| format!("filter {selectivity}");
    if !selectivities.iter().any(|selectivity| bench.wants(&name(*selectivity))) {
        return;
    }
    let v = &random::floats(bench.rows(50_000_000), 2, 0.0, 1.0)[..];
    for selectivity in selectivities {
        let name = name(selectivity);
        if bench.wants(&name) {
            let bytes = size_of_val(v) + (size_of_val(v) as f64 * selectivity) as usize;
            let columns = vec![("x", Input::F64(v))];
            let task = Task { query: "filter", columns, given: vec![("most", selectivity)] };
            let answer = |kept: Vec<f64>| vec![Column::Floats(kept)];
            let contest = Contest::new(name, bytes, Some(1.1))
                .with("hand", move || by_hand(v, selectivity), answer)
                .ours(&FILTER, (v, selectivity), |kernel, (v, most)| kernel(v, most), answer)
                // Of DataFusion, on several threads, what stays comes in any order.
                .peers(&bench.peers, &["polars", "duckdb"], &task, |kept| kept);
            bench.contest(&contest);
        }
    }
}

/// How many elements stand in a line of the cache.
const BLOCK: usize = 8;

/// Each thread writes to its part of the result, and what it has kept moves down.
fn by_hand(v: &[f64], most: f64) -> Vec<f64> {
    // Pages that nobody touches cost nothing.
    let mut all = vec![0.0; v.len()];
    let piece = v.len().div_ceil(rayon::current_num_threads()).max(1);
    let parts = all.par_chunks_mut(piece).zip(v.par_chunks(piece));
    let kept: Vec<usize> = parts.map(|(to, from)| compact(to, from, most)).collect();
    let mut len = 0;
    for (number, kept) in kept.into_iter().enumerate() {
        let start = number * piece;
        all.copy_within(start..start + kept, len);
        len += kept;
    }
    all.truncate(len);
    all
}

/// Writes every element, and goes on only behind those that are kept: no branch can be mispredicted.
fn compact(to: &mut [f64], from: &[f64], most: f64) -> usize {
    let (mut kept, ahead) = (0, ahead());
    dispatch(
        #[inline(always)]
        || {
            let (blocks, rest) = from.as_chunks::<BLOCK>();
            let mut keep = |x| {
                to[kept] = x;
                kept += usize::from(x < most);
            };
            for block in blocks {
                prefetch(block, ahead);
                block.iter().for_each(|&x| keep(x));
            }
            rest.iter().for_each(|&x| keep(x));
        },
    );
    kept
}
