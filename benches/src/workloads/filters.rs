//! The elements of a column that pass a test, as a column.

use rayon::prelude::*;
use weldment::{Kernel, weld};

use crate::contest::{Column, Contest};
use crate::cpu::dispatch;
use crate::peers::{Input, Task};
use crate::random;
use crate::run::Bench;
use crate::workloads::pieces::PIECE;

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

/// How many elements are compacted at a time: they stay in the nearest cache.
const BLOCK: usize = 1 << 10;

/// On one thread into the result at once; on several into a vector for each piece, which are copied to where they belong
/// once it is known.
fn by_hand(v: &[f64], most: f64) -> Vec<f64> {
    if rayon::current_num_threads() == 1 {
        return compact(v, most);
    }
    let parts: Vec<Vec<f64>> = v.par_chunks(PIECE).map(|piece| compact(piece, most)).collect();
    let mut all = vec![0.0; parts.iter().map(Vec::len).sum()];
    let mut rest = &mut all[..];
    let mut places = Vec::with_capacity(parts.len());
    for part in &parts {
        let (place, after) = rest.split_at_mut(part.len());
        places.push((place, part));
        rest = after;
    }
    places.into_par_iter().for_each(|(place, part)| place.copy_from_slice(part));
    all
}

/// Writes every element, and goes on only behind those that are kept: no branch can be mispredicted.
fn compact(from: &[f64], most: f64) -> Vec<f64> {
    // Pages that nobody touches cost nothing.
    let mut all = Vec::with_capacity(from.len());
    dispatch(
        #[inline(always)]
        || {
            let mut buffer = [0.0; BLOCK];
            for block in from.chunks(BLOCK) {
                let mut kept = 0;
                for &x in block {
                    // Never more than are in the block; this tells the compiler.
                    buffer[kept % BLOCK] = x;
                    kept += usize::from(x < most);
                }
                all.extend_from_slice(&buffer[..kept]);
            }
        },
    );
    all
}
