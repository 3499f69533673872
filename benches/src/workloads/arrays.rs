//! Arrays of several axes, whose results are written to the array of the run before: point by point, along axes,
//! stencils, and a limited diffusion.

mod axes;
mod diffusion;
mod grid;
mod mesh;
mod out;
mod stencils;
mod sweeps;
mod tridiagonal;

use weldment::{Kernel, weld};

use crate::bench::Bench;
use crate::contest::Contest;
use grid::{Matrix, matrix, side};
use out::{Out, rows};

/// Two matrices of one shape; one more.
type Pointwise = fn(&Matrix, &Matrix) -> Matrix;

const POINTWISE: Kernel<Pointwise> = weld!(|a: &Array<f64, 2>, b: &Array<f64, 2>| a * 2.0 + b);

pub(crate) fn run(bench: &mut Bench<'_>) {
    pointwise(bench);
    axes::run(bench);
    mesh::run(bench);
    tridiagonal::run(bench);
    stencils::run(bench);
    sweeps::run(bench);
    diffusion::run(bench);
}

fn pointwise(bench: &mut Bench<'_>) {
    let name = "a·2 + b, 4096²";
    if !bench.wants(name) {
        return;
    }
    let n = side(bench);
    let (a, b) = (&matrix(n, 81), &matrix(n, 82));
    let outs: [Out<f64, 2>; 3] = Default::default();
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
    bench.contest(
        &outs[1].ours(contest, &outs[2], &POINTWISE, (a, b), |kernel, to, (a, b)| kernel.call_into(to, a, b)),
    );
}
