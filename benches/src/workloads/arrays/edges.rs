//! How steep a picture is at each point, and the mean of that around it.

use weldment::{Kernel, weld};

use super::grid::{Matrix, matrix, side};
use super::out::{Out, chunks};
use crate::bench::Bench;
use crate::contest::Contest;

type Steepness = fn(&Matrix) -> Matrix;

const EDGES: Kernel<Steepness> = weld!(
    #[expect(loops = 2, materialized = 0, windows = 1)]
    |p: &Array<f64, 2>| {
        let steep = p.stencil(|c| {
            let down = (c[1, -1] + 2.0 * c[1, 0] + c[1, 1]) - (c[-1, -1] + 2.0 * c[-1, 0] + c[-1, 1]);
            let right = (c[-1, 1] + 2.0 * c[0, 1] + c[1, 1]) - (c[-1, -1] + 2.0 * c[0, -1] + c[1, -1]);
            sqrt(down * down + right * right)
        });
        steep.stencil(|c| (c[-1, 0] + c[0, -1] + c[0, 0] + c[0, 1] + c[1, 0]) * 0.2)
    }
);

/// So many rows are a part: what they are computed from stays in the second cache.
const ROWS: usize = 16;

pub(super) fn run(bench: &mut Bench<'_>) {
    let name = "edges, then a mean of five";
    if !bench.wants(name) {
        return;
    }
    let n = side(bench);
    let p = &matrix(n, 87);
    let outs: [Out<f64, 2>; 3] = Default::default();
    let by_hand = |to: &mut Vec<f64>| {
        let (wide, m) = (n - 2, n - 4);
        chunks(
            to,
            [m, m],
            ROWS,
            #[inline(always)]
            |first, to| {
                let mut steep = vec![0.0; (to.len() / m + 2) * wide];
                for (i, to) in steep.chunks_exact_mut(wide).enumerate() {
                    let row = |i: usize| &p.as_slice()[i * n..][..n];
                    steepness(row(first + i), row(first + i + 1), row(first + i + 2), to);
                }
                for (i, to) in to.chunks_exact_mut(m).enumerate() {
                    let row = |i: usize, j: usize| &steep[i * wide + j..][..m];
                    let (above, below) = (row(i, 1), row(i + 2, 1));
                    let (left, here, right) = (row(i + 1, 0), row(i + 1, 1), row(i + 1, 2));
                    for j in 0..m {
                        to[j] = (above[j] + left[j] + here[j] + right[j] + below[j]) * 0.2;
                    }
                }
            },
        );
    };
    let contest = outs[0].by_hand(Contest::new(name, 2 * 8 * n * n, Some(1.1)), &by_hand);
    bench.contest(&outs[1].ours(contest, &outs[2], &EDGES, (p,), |kernel, to, (p,)| kernel.call_into(to, p)));
}

/// How steep a row is inside, of it and those above and below.
#[inline(always)]
fn steepness(above: &[f64], here: &[f64], below: &[f64], to: &mut [f64]) {
    let m = to.len();
    let [a, c] = [above, below].map(|row| [&row[..m], &row[1..][..m], &row[2..][..m]]);
    let [left, right] = [&here[..m], &here[2..][..m]];
    for j in 0..m {
        let down = (c[0][j] + 2.0 * c[1][j] + c[2][j]) - (a[0][j] + 2.0 * a[1][j] + a[2][j]);
        let across = (a[2][j] + 2.0 * right[j] + c[2][j]) - (a[0][j] + 2.0 * left[j] + c[0][j]);
        to[j] = (down * down + across * across).sqrt();
    }
}
