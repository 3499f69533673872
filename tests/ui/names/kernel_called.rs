use weldment::{Kernel, weld};

static NORM: Kernel<fn(&[f64]) -> f64> = weld!(|v: &[f64]| v.map(|x| x * x).sum());

fn main() {
    let kernel = weld!(|v: &[f64]| v.map(|x| x / NORM(v)));
    let _ = (kernel, &NORM);
}
