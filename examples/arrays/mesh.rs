//! Sums over the edges around each vertex of a mesh, by a table of neighbours in which some are missing.

use weldment::{Array, Kernel, weld};

use crate::compared::{Compared, compared};

type Table = Array<i32, 2>;
type Flow = Array<f64, 1>;
type Sums = fn(&Table, &Flow) -> Flow;

static SUMS: Kernel<Sums> = weld!(|edges: &Array<i32, 2>, flow: &Array<f64, 1>| {
    array(extent(edges, 0), |v| neighbours(edges, v).fold(0.0, |sum, e| sum + flow[e]))
});

fn by_hand(edges: &Table, flow: &Flow) -> Flow {
    let ([vertices, most], flow) = (edges.shape(), flow.as_slice());
    let sums = edges.as_slice().chunks_exact(most).map(|around| {
        around.iter().filter(|&&edge| edge >= 0).fold(0.0, |sum, &edge| sum + flow[edge as usize])
    });
    Array::new(sums.collect(), [vertices]).expect("one for each vertex")
}

pub(crate) fn run(size: usize) -> Vec<Compared> {
    let vertices = size * 64;
    let edges = Array::from_fn([vertices, 6], |[v, k]| {
        let edge = (v * 3 + k * 17) % (3 * vertices as i64);
        if (v + k) % 11 == 0 { -1 } else { edge as i32 }
    })
    .expect("a table that fits");
    let flow = Array::from_fn([3 * vertices], |[e]| (e % 31) as f64 * 0.25).expect("flows that fit");
    vec![compared("sums over the edges of a mesh", || SUMS(&edges, &flow), || by_hand(&edges, &flow))]
}
