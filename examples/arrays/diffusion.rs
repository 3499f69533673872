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
            // The columns around, from two steps before on along both axes.
            let column = |di: usize, dj: usize| &u[((i + di - 2) * m + j + dj - 2) * l..][..l];
            let around: [[&[f64]; 5]; 5] = std::array::from_fn(|di| std::array::from_fn(|dj| column(di, dj)));
            let factor = &a[(i * m + j) * l..][..l];
            let limited = |flux: f64, gradient: f64| if flux * gradient > 0.0 { 0.0 } else { flux };
            out.extend((0..l).map(|k| {
                let at = |di: usize, dj: usize| around[di][dj][k];
                let lap = |di: usize, dj: usize| {
                    4.0 * at(di, dj) - (at(di + 1, dj) + at(di - 1, dj) + at(di, dj + 1) + at(di, dj - 1))
                };
                let flux = |[i, j]: [usize; 2], [di, dj]: [usize; 2]| {
                    let (k, l) = (i + di, j + dj);
                    limited(lap(k, l) - lap(i, j), at(k, l) - at(i, j))
                };
                let along_i = flux([2, 2], [1, 0]) - flux([1, 2], [1, 0]);
                at(2, 2) - factor[k] * (along_i + flux([2, 2], [0, 1]) - flux([2, 1], [0, 1]))
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
