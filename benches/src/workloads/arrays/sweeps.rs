//! Sweeps over a matrix, one after another.

use std::mem;
use std::sync::{Mutex, PoisonError};

use weldment::{Kernel, weld};

use super::grid::{Matrix, matrix, side};
use super::out::{Out, rows};
use crate::bench::Bench;
use crate::contest::Contest;

/// Many enough for what they read first and the memory of two states to be little beside.
const SWEEPS: usize = 40;

type Sweeps = fn(&Matrix, i64) -> Matrix;

const JACOBI: Kernel<Sweeps> = weld!(|u: &Array<f64, 2>, n: i64| {
    times(n, u, |u| overwrite(u, u.stencil(|c| 0.25 * (c[-1, 0] + c[1, 0] + c[0, -1] + c[0, 1]))))
});

pub(super) fn run(bench: &mut Bench<'_>) {
    let name = "40 sweeps of Jacobi";
    if !bench.wants(name) {
        return;
    }
    let n = side(bench);
    let u = &matrix(n, 86);
    let outs: [Out<f64, 2>; 3] = Default::default();
    let other = Mutex::new(Vec::new());
    let by_hand = |to: &mut Vec<f64>| {
        let mut from = other.lock().unwrap_or_else(PoisonError::into_inner);
        sweep(n, u.as_slice(), to);
        for _ in 1..SWEEPS {
            mem::swap(&mut *from, to);
            sweep(n, &from, to);
        }
    };
    let contest = outs[0].by_hand(Contest::new(name, 2 * 8 * n * n * SWEEPS, Some(0.8)), &by_hand);
    let ours = outs[1].ours(contest, &outs[2], &JACOBI, (u, SWEEPS as i64), |kernel, to, (u, sweeps)| {
        kernel.call_into(to, u, sweeps)
    });
    bench.contest(&ours);
}

/// The mean of the four neighbours of what is inside; the border stays.
fn sweep(n: usize, from: &[f64], to: &mut Vec<f64>) {
    rows(
        to,
        n,
        n,
        #[inline(always)]
        |i, to| {
            let here = &from[i * n..][..n];
            if i == 0 || i == n - 1 {
                to.copy_from_slice(here);
                return;
            }
            let (m, up, down) = (n - 2, &from[(i - 1) * n + 1..][..n - 2], &from[(i + 1) * n + 1..][..n - 2]);
            let (left, right) = (&here[..m], &here[2..]);
            (to[0], to[n - 1]) = (here[0], here[n - 1]);
            let to = &mut to[1..n - 1];
            for j in 0..m {
                to[j] = 0.25 * (up[j] + down[j] + left[j] + right[j]);
            }
        },
    );
}
