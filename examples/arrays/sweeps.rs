//! Relaxation of a grid whose border is fixed: by Jacobi's method, and in two colours by that of Gauss and Seidel.

use weldment::{Array, Kernel, weld};

use crate::compared::{Compared, compared};

type Grid = Array<f64, 2>;

/// Of a grid after so many sweeps.
type Sweeps = fn(&Grid, i64) -> Grid;

static JACOBI: Kernel<Sweeps> = weld!(|u: &Array<f64, 2>, n: i64| {
    times(n, u, |u| overwrite(u, u.stencil(|c| 0.25 * (c[-1, 0] + c[1, 0] + c[0, -1] + c[0, 1]))))
});

// A point is red where the sum of its coordinates is even. The black points of a sweep see the red ones of the same sweep.
static RED_BLACK: Kernel<Sweeps> = weld!(|u: &Array<f64, 2>, n: i64| {
    let half = |u, colour| overwrite(u, u.stencil(|c| {
        let (i, j) = c.at();
        if (i + j) % 2 == colour { 0.25 * (c[-1, 0] + c[1, 0] + c[0, -1] + c[0, 1]) } else { c[0, 0] }
    }));
    times(n, u, |u| half(half(u, 0), 1))
});

/// A grid that is hot at one side.
fn grid(size: usize) -> Grid {
    Array::from_fn([size, size], |[i, j]| if i == 0 { 100.0 } else { ((i * 7 + j * 3) % 11) as f64 })
        .expect("a grid that fits")
}

/// What the sum of the four neighbours comes to, at position `at` of rows of `m`.
fn mean(u: &[f64], at: usize, m: usize) -> f64 {
    0.25 * (u[at - m] + u[at + m] + u[at - 1] + u[at + 1])
}

fn jacobi_by_hand(grid: &Grid, n: usize) -> Grid {
    let [rows, m] = grid.shape();
    let (mut now, mut next) = (grid.clone(), grid.clone());
    for _ in 0..n {
        let (u, out) = (now.as_slice(), next.as_mut_slice());
        for i in 1..rows - 1 {
            let (above, here, below) = (&u[(i - 1) * m..i * m], &u[i * m..][..m], &u[(i + 1) * m..][..m]);
            let row = &mut out[i * m..][..m];
            for j in 1..m - 1 {
                row[j] = 0.25 * (above[j] + below[j] + here[j - 1] + here[j + 1]);
            }
        }
        std::mem::swap(&mut now, &mut next);
    }
    now
}

fn red_black_by_hand(grid: &Grid, n: usize) -> Grid {
    let [rows, m] = grid.shape();
    let mut grid = grid.clone();
    let u = grid.as_mut_slice();
    for colour in (0..n).flat_map(|_| [0, 1]) {
        for i in 1..rows - 1 {
            for j in (1..m - 1).filter(|j| (i + j) % 2 == colour) {
                u[i * m + j] = mean(u, i * m + j, m);
            }
        }
    }
    grid
}

pub(crate) fn run(size: usize) -> Vec<Compared> {
    let grid = grid(size);
    vec![
        compared("10 sweeps of Jacobi", || JACOBI(&grid, 10), || jacobi_by_hand(&grid, 10)),
        compared("10 red-black sweeps", || RED_BLACK(&grid, 10), || red_black_by_hand(&grid, 10)),
    ]
}
