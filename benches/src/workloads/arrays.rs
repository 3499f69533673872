//! Arrays of several axes, whose results are written to the array of the run before: point by point, along axes,
//! stencils, and a limited diffusion.

mod axes;
mod diffusion;
mod edges;
mod grid;
mod mesh;
mod multigrid;
mod out;
mod small;
mod stencils;
mod sweeps;
mod tridiagonal;

use weldment::{ArrayView, Kernel, weld};

use crate::bench::Bench;
use crate::contest::Contest;
use crate::peers::{Input, Task};
use grid::{Matrix, matrix, side};
use out::{Out, chunks, rows};

/// Two matrices of one shape; one more.
type Pointwise = fn(&Matrix, &Matrix) -> Matrix;

const POINTWISE: Kernel<Pointwise> = weld!(|a: &Array<f64, 2>, b: &Array<f64, 2>| a * 2.0 + b);

/// A matrix, and another one that does not lie row by row.
type Transposed = fn(&Matrix, ArrayView<'_, f64, 2>) -> Matrix;

const TRANSPOSED: Kernel<Transposed> = weld!(|a: &Array<f64, 2>, b: ArrayView<f64, 2>| a * 2.0 + b);

/// The side of the squares in which what does not lie row by row is read.
const SQUARE: usize = 32;

pub(crate) fn run(bench: &mut Bench<'_>) {
    small::run(bench);
    pointwise(bench);
    transposed(bench);
    axes::run(bench);
    mesh::run(bench);
    multigrid::run(bench);
    tridiagonal::run(bench);
    stencils::run(bench);
    sweeps::run(bench);
    edges::run(bench);
    diffusion::run(bench);
}

fn pointwise(bench: &mut Bench<'_>) {
    let name = "a·2 + b, 4096²";
    if !bench.wants(name) {
        return;
    }
    let n = side(bench);
    let (a, b) = (&matrix(n, 81), &matrix(n, 82));
    let outs: [Out<f64, 2>; 4] = Default::default();
    let by_hand = |to: &mut Vec<f64>| {
        rows(
            to,
            n,
            n,
            #[inline(always)]
            |i, to| {
                let (a, b) = (&a.as_slice()[i * n..][..n], &b.as_slice()[i * n..][..n]);
                to.iter_mut().zip(a.iter().zip(b)).for_each(|(to, (a, b))| *to = a * 2.0 + b);
            },
        );
    };
    let contest = Contest::new(name, 3 * 8 * n * n, Some(1.05));
    let contest = outs[0].by_hand(contest, &by_hand);
    #[cfg(feature = "ndarray")]
    let by_ndarray =
        |to: &mut Vec<f64>| crate::peers::array::pointwise(a.as_slice(), b.as_slice(), n, false, to);
    #[cfg(feature = "ndarray")]
    let contest = outs[3].by("ndarray", contest, &by_ndarray);
    let columns = vec![("a", Input::F64(a.as_slice())), ("b", Input::F64(b.as_slice()))];
    let task = Task { query: "pointwise", columns, given: vec![("rows", n as f64)] };
    let contest =
        outs[1].ours(contest, &outs[2], &POINTWISE, (a, b), |kernel, to, (a, b)| kernel.call_into(to, a, b));
    bench.contest(&contest.peers(&bench.peers, &["numba"], &task, |answer| answer));
}

fn transposed(bench: &mut Bench<'_>) {
    let name = "a·2 + b transposed, 4096²";
    if !bench.wants(name) {
        return;
    }
    let n = side(bench);
    let (a, b) = (&matrix(n, 88), &matrix(n, 89));
    let outs: [Out<f64, 2>; 4] = Default::default();
    let by_hand = |to: &mut Vec<f64>| {
        chunks(
            to,
            [n, n],
            SQUARE,
            #[inline(always)]
            |first, to| {
                for columns in (0..n).step_by(SQUARE) {
                    for (i, to) in to.chunks_exact_mut(n).enumerate() {
                        let a = &a.as_slice()[(first + i) * n..][..n];
                        for j in columns..(columns + SQUARE).min(n) {
                            to[j] = a[j] * 2.0 + b.as_slice()[j * n + first + i];
                        }
                    }
                }
            },
        );
    };
    let contest = outs[0].by_hand(Contest::new(name, 3 * 8 * n * n, Some(1.3)), &by_hand);
    #[cfg(feature = "ndarray")]
    let by_ndarray =
        |to: &mut Vec<f64>| crate::peers::array::pointwise(a.as_slice(), b.as_slice(), n, true, to);
    #[cfg(feature = "ndarray")]
    let contest = outs[3].by("ndarray", contest, &by_ndarray);
    let args = (a, b.view().transpose());
    bench.contest(
        &outs[1].ours(contest, &outs[2], &TRANSPOSED, args, |kernel, to, (a, b)| kernel.call_into(to, a, b)),
    );
}
