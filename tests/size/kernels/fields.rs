//! One dictionary of four fields.

pub fn run(v: &[i64], w: &[f64]) -> weldment::Dict<i64, (f64, f64, i64, i64)> {
    weldment::weld!(|v: &[i64], w: &[f64]| {
        zip(v, w).reduce_by(|(x, _)| x, |(x, y)| (y, y * 2.0, x, 1i64), +)
    })(v, w)
}
