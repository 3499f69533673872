//! A filter that collects.

pub fn run(v: &[f64]) -> Vec<f64> {
    weldment::weld!(|v: &[f64]| v.filter(|x| x > 0.5).map(|x| x * x))(v)
}
