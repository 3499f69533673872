//! From a coarse grid to a fine one and back: what every second point of each axis does otherwise.

use weldment::{Kernel, weld};

use super::grid::{Matrix, matrix, side};
use super::out::{Out, rows};
use crate::bench::Bench;
use crate::contest::Contest;

/// The fine grid, and the coarse one.
type Correct = fn(&Matrix, &Matrix) -> Matrix;
type Restrict = fn(&Matrix) -> Matrix;

const CORRECT: Kernel<Correct> = weld!(|u: &Array<f64, 2>, e: &Array<f64, 2>| {
    array(domain(u), |i, j| {
        let (k, l) = (i / 2, j / 2);
        let (m, n) = (k + i % 2, l + j % 2);
        u[i, j] + 0.25 * (e[k, l] + e[m, l] + e[k, n] + e[m, n])
    })
});

const RESTRICT: Kernel<Restrict> = weld!(|r: &Array<f64, 2>| {
    let (n, m) = ((extent(r, 0) + 1) / 2, (extent(r, 1) + 1) / 2);
    array((n, m), |i, j| {
        let near = r.get((2 * i - 1, 2 * j), 0.0)
            + r.get((2 * i + 1, 2 * j), 0.0)
            + r.get((2 * i, 2 * j - 1), 0.0)
            + r.get((2 * i, 2 * j + 1), 0.0);
        0.5 * r[2 * i, 2 * j] + 0.125 * near
    })
});

pub(super) fn run(bench: &mut Bench<'_>) {
    correct(bench);
    restrict(bench);
}

/// So many points along each side of the fine grid, that its first and its last one are in the coarse one.
fn odd(bench: &Bench<'_>) -> usize {
    (side(bench) - 2) | 1
}

fn correct(bench: &mut Bench<'_>) {
    let name = "from a coarse grid, 4095²";
    if !bench.wants(name) {
        return;
    }
    let n = odd(bench);
    let coarse = n.div_ceil(2);
    let (u, e) = (&matrix(n, 91), &matrix(coarse, 92));
    let outs: [Out<f64, 2>; 3] = Default::default();
    let by_hand = |to: &mut Vec<f64>| {
        rows(
            to,
            n,
            n,
            #[inline(always)]
            |i, to| {
                let row = |k: usize| &e.as_slice()[k * coarse..][..coarse];
                let (above, below, u) = (row(i / 2), row(i / 2 + i % 2), &u.as_slice()[i * n..][..n]);
                let pairs = to.chunks_exact_mut(2).zip(u.chunks_exact(2));
                let corners = above.windows(2).zip(below.windows(2));
                for ((to, u), (above, below)) in pairs.zip(corners) {
                    let ([a, b], [c, d]) = ([above[0], above[1]], [below[0], below[1]]);
                    to[0] = u[0] + 0.25 * (a + c + a + c);
                    to[1] = u[1] + 0.25 * (a + c + b + d);
                }
                let (a, c) = (above[coarse - 1], below[coarse - 1]);
                to[n - 1] = u[n - 1] + 0.25 * (a + c + a + c);
            },
        );
    };
    let contest = outs[0].by_hand(Contest::new(name, 2 * 8 * n * n, Some(1.05)), &by_hand);
    bench.contest(
        &outs[1].ours(contest, &outs[2], &CORRECT, (u, e), |kernel, to, (u, e)| kernel.call_into(to, u, e)),
    );
}

fn restrict(bench: &mut Bench<'_>) {
    let name = "to a coarse grid, 4095²";
    if !bench.wants(name) {
        return;
    }
    let n = odd(bench);
    let coarse = n.div_ceil(2);
    let r = &matrix(n, 93);
    let outs: [Out<f64, 2>; 3] = Default::default();
    let zeros = vec![0.0; n];
    let by_hand = |to: &mut Vec<f64>| {
        rows(
            to,
            coarse,
            coarse,
            #[inline(always)]
            |i, to| {
                let row = |k: usize| r.as_slice().get(k * n..(k + 1) * n).unwrap_or(&zeros);
                let (here, below) = (row(2 * i), row(2 * i + 1));
                let above = if i == 0 { &zeros[..] } else { row(2 * i - 1) };
                let near = |j: usize, l: f64, r: f64| 0.5 * here[j] + 0.125 * (above[j] + below[j] + l + r);
                to[0] = near(0, 0.0, here[1]);
                to[coarse - 1] = near(n - 1, here[n - 2], 0.0);
                for (j, to) in to[1..coarse - 1].iter_mut().enumerate() {
                    let j = 2 * (j + 1);
                    *to = near(j, here[j - 1], here[j + 1]);
                }
            },
        );
    };
    let contest = outs[0].by_hand(Contest::new(name, 8 * n * n, Some(1.1)), &by_hand);
    bench.contest(
        &outs[1].ours(contest, &outs[2], &RESTRICT, (r,), |kernel, to, (r,)| kernel.call_into(to, r)),
    );
}
