//! Sums over the edges around each vertex of a mesh, by a table of neighbours in which some are missing.

use rayon::prelude::*;
use weldment::{Array, ArrayView, Kernel, weld};

use crate::bench::Bench;
use crate::contest::{Column, Contest};
use crate::cpu::dispatch;
use crate::peers::{Input, Task};
use crate::random;

/// The most edges around a vertex.
const AROUND: usize = 6;

type Sums = fn(ArrayView<'_, i32, 2>, ArrayView<'_, f64, 1>) -> Array<f64, 1>;

const SUMS: Kernel<Sums> = weld!(
    axis Vertex;
    axis Edge;
    |edges: array[i32; Vertex, 6], flow: array[f64; Edge]| {
        array(extent(edges, 0), |v| neighbours(edges, v).fold(0.0, |sum, e| sum + flow[e]))
    }
);

pub(super) fn run(bench: &mut Bench<'_>) {
    let name = "sums over edges of a mesh";
    if !bench.wants(name) {
        return;
    }
    let edges = bench.rows(1_000_000);
    let vertices = edges / 3;
    let near = |[vertex, k]: [i64; 2]| match (vertex + k) % 11 {
        0 => -1,
        _ => ((vertex * 3 + k * 17) % edges as i64) as i32,
    };
    let table = &Array::from_fn([vertices, AROUND], near).expect("a table that fits");
    let flow = &Array::new(random::floats(edges, 71, 0.0, 1.0), [edges]).expect("flows");
    let answer = |sums: Array<f64, 1>| vec![Column::Floats(sums.into_vec())];
    let bytes = size_of_val(table.as_slice()) + size_of_val(flow.as_slice());
    let columns = vec![("edges", Input::I32(table.as_slice())), ("flow", Input::F64(flow.as_slice()))];
    let task = Task { query: "neighbours", columns, given: vec![("rows", vertices as f64)] };
    let contest = Contest::new(name, bytes, Some(1.05))
        .with("hand", || by_hand(table.as_slice(), flow.as_slice()), |sums| vec![Column::Floats(sums)])
        .ours(&SUMS, (table.view(), flow.view()), |kernel, (table, flow)| kernel(table, flow), answer)
        .peers(&bench.peers, &["numba"], &task, |answer| answer);
    bench.contest(&contest);
}

fn by_hand(table: &[i32], flow: &[f64]) -> Vec<f64> {
    let mut sums = vec![0.0; table.len() / AROUND];
    let share = sums.len().div_ceil(rayon::current_num_threads()).max(1);
    sums.par_chunks_mut(share).zip(table.par_chunks(share * AROUND)).for_each(|(sums, table)| {
        dispatch(
            #[inline(always)]
            || {
                for (sum, around) in sums.iter_mut().zip(table.as_chunks::<AROUND>().0) {
                    for &edge in around {
                        if edge >= 0 {
                            *sum += flow[edge as usize];
                        }
                    }
                }
            },
        );
    });
    sums
}
