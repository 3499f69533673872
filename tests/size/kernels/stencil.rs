//! A sweep of a stencil with a border.

use weldment::Array;

pub fn run(u: &Array<f64, 2>) -> Array<f64, 2> {
    weldment::weld!(|u: &Array<f64, 2>| u.stencil(clamp, |c| 0.25 * (c[-1, 0] + c[1, 0] + c[0, -1] + c[0, 1])))(u)
}
