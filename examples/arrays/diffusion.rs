//! Horizontal diffusion with a limiter, as weather models have it: fluxes of fluxes, without arrays in between.

use weldment::{Array, Kernel, weld};

use crate::compared::{Compared, compared};

type Field = Array<f64, 3>;

static DIFFUSION: Kernel<fn(&Field, &Field) -> Field> = weld!(|u: &Array<f64, 3>, a: &Array<f64, 3>| {
    let lap = |x| 4.0 * x[0, 0, 0] - (x[1, 0, 0] + x[-1, 0, 0] + x[0, 1, 0] + x[0, -1, 0]);
    let limited = |flux, gradient| if flux * gradient > 0.0 { 0.0 } else { flux };
    let along_i = |x| { let l = lift(lap, x); limited(l[1, 0, 0] - l[0, 0, 0], x[1, 0, 0] - x[0, 0, 0]) };
    let along_j = |x| { let l = lift(lap, x); limited(l[0, 1, 0] - l[0, 0, 0], x[0, 1, 0] - x[0, 0, 0]) };
    stencil((u, a), |u, a| {
        let (p, q) = (lift(along_i, u), lift(along_j, u));
        u[0, 0, 0] - a[0, 0, 0] * (p[0, 0, 0] - p[-1, 0, 0] + q[0, 0, 0] - q[0, -1, 0])
    })
});

fn by_hand(u: &Field, a: &Field) -> Vec<f64> {
    let [n, m, l] = u.shape();
    let (u, a) = (u.as_slice(), a.as_slice());
    let mut out = Vec::with_capacity((n - 4) * (m - 4) * l);
    for i in 2..n - 2 {
        for j in 2..m - 2 {
            let row = |di: isize, dj: isize| {
                let at = (i as isize + di) as usize * m + (j as isize + dj) as usize;
                &u[at * l..][..l]
            };
            let lap = |k: usize, di: isize, dj: isize| {
                4.0 * row(di, dj)[k]
                    - (row(di + 1, dj)[k] + row(di - 1, dj)[k] + row(di, dj + 1)[k] + row(di, dj - 1)[k])
            };
            let limited = |flux: f64, gradient: f64| if flux * gradient > 0.0 { 0.0 } else { flux };
            let along_i =
                |k, di, dj| limited(lap(k, di + 1, dj) - lap(k, di, dj), row(di + 1, dj)[k] - row(di, dj)[k]);
            let along_j =
                |k, di, dj| limited(lap(k, di, dj + 1) - lap(k, di, dj), row(di, dj + 1)[k] - row(di, dj)[k]);
            let factor = &a[(i * m + j) * l..][..l];
            out.extend((0..l).map(|k| {
                let sum = along_i(k, 0, 0) - along_i(k, -1, 0) + along_j(k, 0, 0) - along_j(k, 0, -1);
                row(0, 0)[k] - factor[k] * sum
            }));
        }
    }
    out
}

pub(crate) fn run(size: usize) -> Vec<Compared> {
    let shape = [size / 4, size / 4, 64];
    let field = |scale: f64| {
        Array::from_fn(shape, |[i, j, k]| ((i * 13 + j * 7 + k * 3) % 17) as f64 * scale)
            .expect("a field that fits")
    };
    let (u, a) = (field(0.5), field(0.01));
    vec![compared("horizontal diffusion with a limiter", || DIFFUSION(&u, &a).into_vec(), || by_hand(&u, &a))]
}
