//! A map and its sum.

pub fn run(v: &[f64]) -> f64 {
    weldment::weld!(|v: &[f64]| v.map(|x| x * 2.0 + 1.0).sum())(v)
}
