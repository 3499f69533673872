//! A stencil of thirteen reads.

use weldment::Array;

pub fn run(u: &Array<f64, 3>, c: &Array<f64, 3>) -> Array<f64, 3> {
    weldment::weld!(|u: &Array<f64, 3>, c: &Array<f64, 3>| {
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
    })(u, c)
}
