//! Tridiagonal systems, one in each column, of a matrix and of a field of three axes: elimination downwards, substitution upwards.

use rayon::prelude::*;
use weldment::{Array, Kernel, weld};

use crate::bench::Bench;
use crate::contest::{Column, Contest};
use crate::cpu::dispatch;
use crate::peers::{Input, Task};
use crate::random;

/// The number of equations in each system.
const LEVELS: usize = 64;

type Levels<const N: usize> = Array<f64, N>;
/// Of the diagonals below, on and above, and of the right-hand side.
type Solve<const N: usize> = fn(&Levels<N>, &Levels<N>, &Levels<N>, &Levels<N>) -> Levels<N>;

const SOLVE: Kernel<Solve<2>> =
    weld!(|a: &Array<f64, 2>, b: &Array<f64, 2>, c: &Array<f64, 2>, d: &Array<f64, 2>| {
        zip(a, b, c, d)
            .scan(0, (0.0, 0.0), |(cp, dp), (a, b, c, d)| {
                let pivot = b - a * cp;
                (c / pivot, (d - a * dp) / pivot)
            })
            .scan_back(0, 0.0, |x, (cp, dp)| dp - cp * x)
    });

const SOLVE_FIELD: Kernel<Solve<3>> =
    weld!(|a: &Array<f64, 3>, b: &Array<f64, 3>, c: &Array<f64, 3>, d: &Array<f64, 3>| {
        zip(a, b, c, d)
            .scan(0, (0.0, 0.0), |(cp, dp), (a, b, c, d)| {
                let pivot = b - a * cp;
                (c / pivot, (d - a * dp) / pivot)
            })
            .scan_back(0, 0.0, |x, (cp, dp)| dp - cp * x)
    });

pub(super) fn run(bench: &mut Bench<'_>) {
    let systems = bench.rows(65_536);
    columns(bench, "tridiagonal columns, 64×65536", &SOLVE, [LEVELS, systems]);
    columns(bench, "tridiagonal columns, 64×16384×4", &SOLVE_FIELD, [LEVELS, systems / 4, 4]);
}

fn columns<const N: usize>(bench: &mut Bench<'_>, name: &str, kernel: &Kernel<Solve<N>>, shape: [usize; N]) {
    if !bench.wants(name) {
        return;
    }
    let count: usize = shape.iter().product();
    let systems = count / LEVELS;
    let levels = |seed, low, high| {
        Array::new(random::floats(count, seed, low, high), shape).expect("as many elements")
    };
    let (below, on) = (&levels(72, -1.0, 1.0), &levels(73, 4.0, 5.0));
    let (above, right) = (&levels(74, -1.0, 1.0), &levels(75, -1.0, 1.0));
    let answer = |solved: Levels<N>| vec![Column::Floats(solved.into_vec())];
    let args = [below.as_slice(), on.as_slice(), above.as_slice(), right.as_slice()];
    let columns = ["a", "b", "c", "d"].into_iter().zip(args.map(Input::F64)).collect();
    let task = Task { query: "tridiagonal", columns, given: vec![("rows", LEVELS as f64)] };
    let contest = Contest::new(name, 4 * size_of_val(args[0]), Some(1.1))
        .with("hand", || by_hand(args, systems), |solved| vec![Column::Floats(solved)])
        .ours(kernel, (below, on, above, right), |kernel, (a, b, c, d)| kernel(a, b, c, d), answer)
        .peers(&bench.peers, &["numba"], &task, |answer| answer);
    bench.contest(&contest);
}

/// How many systems are solved side by side, so that what they hand from level to level stays in the cache.
const BLOCK: usize = 512;

/// By each thread for blocks of columns.
fn by_hand([a, b, c, d]: [&[f64]; 4], m: usize) -> Vec<f64> {
    let (mut solved, mut factors) = (vec![0.0; LEVELS * m], vec![0.0; LEVELS * m]);
    let both = blocks(&mut solved, m).into_par_iter().zip(blocks(&mut factors, m)).enumerate();
    both.for_each(|(number, (mut solved, mut factors))| {
        dispatch(
            #[inline(always)]
            || solve([a, b, c, d].map(|of| &of[number * BLOCK..]), m, &mut solved, &mut factors),
        );
    });
    solved
}

/// The rows of each block of columns.
fn blocks(of: &mut [f64], m: usize) -> Vec<Vec<&mut [f64]>> {
    let mut blocks: Vec<Vec<&mut [f64]>> = (0..m.div_ceil(BLOCK)).map(|_| Vec::new()).collect();
    for row in of.chunks_exact_mut(m) {
        blocks.iter_mut().zip(row.chunks_mut(BLOCK)).for_each(|(block, part)| block.push(part));
    }
    blocks
}

#[inline(always)]
fn solve([a, b, c, d]: [&[f64]; 4], m: usize, solved: &mut [&mut [f64]], factors: &mut [&mut [f64]]) {
    let width = solved[0].len();
    let zeros = vec![0.0; width];
    for k in 0..LEVELS {
        let [a, b, c, d] = [a, b, c, d].map(|of| &of[k * m..][..width]);
        let (before, x) = solved.split_at_mut(k);
        let (above, f) = factors.split_at_mut(k);
        let last_x = before.last().map_or(&zeros[..], |row| &row[..width]);
        let last_f = above.last().map_or(&zeros[..], |row| &row[..width]);
        let (x, f) = (&mut x[0][..width], &mut f[0][..width]);
        for j in 0..width {
            let pivot = b[j] - a[j] * last_f[j];
            f[j] = c[j] / pivot;
            x[j] = (d[j] - a[j] * last_x[j]) / pivot;
        }
    }
    for k in (0..LEVELS - 1).rev() {
        let (x, after) = solved.split_at_mut(k + 1);
        let (x, after, f) = (&mut x[k][..width], &after[0][..width], &factors[k][..width]);
        for j in 0..width {
            x[j] -= f[j] * after[j];
        }
    }
}
