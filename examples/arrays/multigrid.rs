//! A V-cycle of multigrid for Poisson's equation: smooth, take the residual to a grid half as fine, solve there, and bring the
//! correction back.

use weldment::{Array, Kernel, weld};

use crate::compared::{Compared, compared};

type Grid = Array<f64, 2>;

static SMOOTH: Kernel<fn(&Grid, &Grid, i64) -> Grid> = weld!(|u: &Array<f64, 2>, f: &Array<f64, 2>, n: i64| {
    times(n, u, |u| overwrite(u, stencil((u, f), |u, f| {
        u[0, 0] + 0.2 * (u[-1, 0] + u[1, 0] + u[0, -1] + u[0, 1] - 4.0 * u[0, 0] - f[0, 0])
    })))
});

static RESIDUAL: Kernel<fn(&Grid, &Grid) -> Grid> = weld!(|u: &Array<f64, 2>, f: &Array<f64, 2>| {
    overwrite(f * 0.0, stencil((u, f), |u, f| {
        f[0, 0] - (u[-1, 0] + u[1, 0] + u[0, -1] + u[0, 1] - 4.0 * u[0, 0])
    }))
});

// Of every second point, weighted with those around; distances double, and so do the squares of them four times.
static RESTRICT: Kernel<fn(&Grid) -> Grid> = weld!(|r: &Array<f64, 2>| {
    let weighted = r.stencil(pad(0.0), |c| {
        c[0, 0] + 0.5 * (c[-1, 0] + c[1, 0] + c[0, -1] + c[0, 1]) + 0.25 * (c[-1, -1] + c[-1, 1] + c[1, -1] + c[1, 1])
    });
    weighted[.. step 2, .. step 2].move_to(0, 0)
});

static CORRECT: Kernel<fn(&Grid, &Grid) -> Grid> = weld!(|u: &Array<f64, 2>, e: &Array<f64, 2>| {
    array(domain(u), |i, j| {
        let (k, l) = (i / 2, j / 2);
        let (m, n) = (k + i % 2, l + j % 2);
        u[i, j] + 0.25 * (e[k, l] + e[m, l] + e[k, n] + e[m, n])
    })
});

static LARGEST: Kernel<fn(&Grid) -> f64> = weld!(|r: &Array<f64, 2>| r.map(|x| abs(x)).max());

/// The sweeps before and after each correction.
const SWEEPS: usize = 2;

fn cycle(u: &Grid, f: &Grid) -> Grid {
    if u.shape()[0] <= 3 {
        return SMOOTH(u, f, 8);
    }
    let smooth = SMOOTH(u, f, SWEEPS as i64);
    let coarse = RESTRICT(&RESIDUAL(&smooth, f));
    let nothing = Array::from_fn(coarse.shape(), |_| 0.0).expect("fewer points than before");
    let error = cycle(&nothing, &coarse);
    SMOOTH(&CORRECT(&smooth, &error), f, SWEEPS as i64)
}

/// The same by loops.
mod hand {
    use super::{Grid, SWEEPS};
    use weldment::Array;

    fn at(a: &Grid, i: usize, j: usize) -> f64 {
        a.as_slice()[i * a.shape()[1] + j]
    }

    fn smooth(u: &Grid, f: &Grid, n: usize) -> Grid {
        let mut now = u.clone();
        for _ in 0..n {
            let u = now.clone();
            each(&mut now, |i, j| {
                let around = at(&u, i - 1, j) + at(&u, i + 1, j) + at(&u, i, j - 1) + at(&u, i, j + 1);
                at(&u, i, j) + 0.2 * (around - 4.0 * at(&u, i, j) - at(f, i, j))
            });
        }
        now
    }

    /// Sets each point that is not at the border.
    fn each(a: &mut Grid, value: impl Fn(usize, usize) -> f64) {
        let [n, m] = a.shape();
        for i in 1..n - 1 {
            for j in 1..m - 1 {
                a.as_mut_slice()[i * m + j] = value(i, j);
            }
        }
    }

    fn restrict(r: &Grid) -> Grid {
        let [n, m] = r.shape();
        let at = |i: i64, j: i64| {
            let inside = (0..n as i64).contains(&i) && (0..m as i64).contains(&j);
            if inside { at(r, i as usize, j as usize) } else { 0.0 }
        };
        Array::from_fn([n.div_ceil(2), m.div_ceil(2)], |[i, j]| {
            let (i, j) = (2 * i, 2 * j);
            let sides = at(i - 1, j) + at(i + 1, j) + at(i, j - 1) + at(i, j + 1);
            let corners = at(i - 1, j - 1) + at(i - 1, j + 1) + at(i + 1, j - 1) + at(i + 1, j + 1);
            at(i, j) + 0.5 * sides + 0.25 * corners
        })
        .expect("fewer points than before")
    }

    pub(crate) fn cycle(u: &Grid, f: &Grid) -> Grid {
        if u.shape()[0] <= 3 {
            return smooth(u, f, 8);
        }
        let mut smoothed = smooth(u, f, SWEEPS);
        let mut residual = Array::from_fn(u.shape(), |_| 0.0).expect("as many points");
        each(&mut residual, |i, j| {
            let u = &smoothed;
            let around = at(u, i - 1, j) + at(u, i + 1, j) + at(u, i, j - 1) + at(u, i, j + 1);
            at(f, i, j) - (around - 4.0 * at(u, i, j))
        });
        let coarse = restrict(&residual);
        let nothing = Array::from_fn(coarse.shape(), |_| 0.0).expect("fewer points than before");
        let error = cycle(&nothing, &coarse);
        let [n, m] = u.shape();
        for i in 0..n {
            for j in 0..m {
                let (k, l) = (i / 2, j / 2);
                let (p, q) = (k + i % 2, l + j % 2);
                let sum = at(&error, k, l) + at(&error, p, l) + at(&error, k, q) + at(&error, p, q);
                smoothed.as_mut_slice()[i * m + j] += 0.25 * sum;
            }
        }
        smooth(&smoothed, f, SWEEPS)
    }
}

pub(crate) fn run(size: usize) -> Vec<Compared> {
    // One more than a power of two, so that every second point is one of the coarser grid.
    let size = (size / 2).next_power_of_two() + 1;
    let f: Grid = Array::from_fn([size, size], |[i, j]| {
        let (x, y) = (i as f64 / size as f64, j as f64 / size as f64);
        (x * (1.0 - x) * y * (1.0 - y)) / (size * size) as f64
    })
    .expect("a grid that fits");
    let mut u = Array::from_fn([size, size], |_| 0.0).expect("a grid that fits");
    let mut residuals = vec![LARGEST(&RESIDUAL(&u, &f))];
    for _ in 0..4 {
        u = cycle(&u, &f);
        residuals.push(LARGEST(&RESIDUAL(&u, &f)));
    }
    let shown: Vec<String> = residuals.iter().map(|residual| format!("{residual:.1e}")).collect();
    println!("residuals of V-cycles on {size} by {size} points: {}\n", shown.join(", "));
    vec![compared("V-cycle of multigrid", || cycle(&u, &f), || hand::cycle(&u, &f))]
}
