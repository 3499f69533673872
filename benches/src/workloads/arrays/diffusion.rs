//! Horizontal diffusion with a limiter, as weather models have it: 13 reads of one array, the differences of whose Laplacians are computed
//! again for each point that needs them.

use weldment::{Array, Kernel, weld};

use super::out::{Out, rows};
use crate::bench::Bench;
use crate::contest::Contest;
use crate::random;

type Field = Array<f64, 3>;
type Diffusion = fn(&Field, &Field) -> Field;

const DIFFUSION: Kernel<Diffusion> = weld!(|u: &Array<f64, 3>, c: &Array<f64, 3>| {
    let (ni, nj, nk) = (max(extent(u, 0) - 4, 0), max(extent(u, 1) - 4, 0), extent(u, 2));
    array((ni, nj, nk), |i, j, k| {
        let here = u[i + 2, j + 2, k];
        let (w, e) = (u[i + 1, j + 2, k], u[i + 3, j + 2, k]);
        let (s, n) = (u[i + 2, j + 1, k], u[i + 2, j + 3, k]);
        let (sw, nw) = (u[i + 1, j + 1, k], u[i + 1, j + 3, k]);
        let (se, ne) = (u[i + 3, j + 1, k], u[i + 3, j + 3, k]);
        let lap = 4.0 * here - (e + w + n + s);
        let lap_e = 4.0 * e - (u[i + 4, j + 2, k] + here + ne + se);
        let lap_w = 4.0 * w - (here + u[i, j + 2, k] + nw + sw);
        let lap_n = 4.0 * n - (ne + nw + u[i + 2, j + 4, k] + here);
        let lap_s = 4.0 * s - (se + sw + here + u[i + 2, j, k]);
        let fe = lap_e - lap;
        let fe = if fe * (e - here) > 0.0 { 0.0 } else { fe };
        let fw = lap - lap_w;
        let fw = if fw * (here - w) > 0.0 { 0.0 } else { fw };
        let fn_ = lap_n - lap;
        let fn_ = if fn_ * (n - here) > 0.0 { 0.0 } else { fn_ };
        let fs = lap - lap_s;
        let fs = if fs * (here - s) > 0.0 { 0.0 } else { fs };
        here - c[i + 2, j + 2, k] * (fe - fw + fn_ - fs)
    })
});

pub(super) fn run(bench: &mut Bench<'_>) {
    let name = "limited diffusion, 512²×64";
    if !bench.wants(name) {
        return;
    }
    let (n, m) = (bench.rows(512 * 512).isqrt().max(8), 64);
    let field =
        |seed, low, high| Array::new(random::floats(n * n * m, seed, low, high), [n, n, m]).expect("a field");
    let (u, c) = (&field(85, -1.0, 1.0), &field(86, 0.0, 0.05));
    let outs: [Out<f64, 3>; 3] = Default::default();
    let by_hand = |to: &mut Vec<f64>| {
        let (side, u, c) = (n - 4, u.as_slice(), c.as_slice());
        rows(
            to,
            side * side,
            m,
            #[inline(always)]
            |row, to| {
                let (i, j) = (row / side, row % side);
                diffused(
                    |i0, j0| &u[((i + i0) * n + j + j0) * m..][..m],
                    &c[((i + 2) * n + j + 2) * m..][..m],
                    to,
                );
            },
        );
    };
    let contest = Contest::new(name, 3 * 8 * n * n * m, Some(1.05));
    let contest = outs[0].by_hand(Contest { unit: 1.0, ..contest }, &by_hand);
    bench.contest(
        &outs[1].ours(contest, &outs[2], &DIFFUSION, (u, c), |kernel, to, (u, c)| kernel.call_into(to, u, c)),
    );
}

/// A row along the last axis; `u` gives those of one array by how far they are from the first.
#[inline(always)]
fn diffused<'u>(u: impl Fn(usize, usize) -> &'u [f64], c: &[f64], to: &mut [f64]) {
    let count = to.len();
    let row = |i, j| &u(i, j)[..count];
    let (here, w, e, s, n) = (row(2, 2), row(1, 2), row(3, 2), row(2, 1), row(2, 3));
    let (sw, nw, se, ne) = (row(1, 1), row(1, 3), row(3, 1), row(3, 3));
    let (ww, ee, ss, nn) = (row(0, 2), row(4, 2), row(2, 0), row(2, 4));
    let c = &c[..count];
    for k in 0..count {
        let lap = 4.0 * here[k] - (e[k] + w[k] + n[k] + s[k]);
        let limited = |flux: f64, slope: f64| if flux * slope > 0.0 { 0.0 } else { flux };
        let lap_e = 4.0 * e[k] - (ee[k] + here[k] + ne[k] + se[k]);
        let lap_w = 4.0 * w[k] - (here[k] + ww[k] + nw[k] + sw[k]);
        let lap_n = 4.0 * n[k] - (ne[k] + nw[k] + nn[k] + here[k]);
        let lap_s = 4.0 * s[k] - (se[k] + sw[k] + here[k] + ss[k]);
        let (fe, fw) = (limited(lap_e - lap, e[k] - here[k]), limited(lap - lap_w, here[k] - w[k]));
        let (fn_, fs) = (limited(lap_n - lap, n[k] - here[k]), limited(lap - lap_s, here[k] - s[k]));
        to[k] = here[k] - c[k] * (fe - fw + fn_ - fs);
    }
}
