//! Four dictionaries of other keys and operators, from one loop.

use weldment::Dict;

pub fn run(v: &[i64], w: &[f64]) -> (Dict<i64, f64>, Dict<i64, f64>, Dict<(i64, i64), f64>, Dict<u8, i64>) {
    weldment::weld!(|v: &[i64], w: &[f64]| {
        let rows = zip(v, w);
        (
            rows.reduce_by(|(x, _)| x, |(_, y)| y, +),
            rows.reduce_by(|(x, _)| x / 10, |(_, y)| y, max),
            rows.reduce_by(|(x, _)| (x, x % 7), |(_, y)| y, +),
            rows.reduce_by(|(x, _)| u8(x % 7), |(x, _)| x, min),
        )
    })(v, w)
}
