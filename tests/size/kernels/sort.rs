//! A sort of numbers.

pub fn run(v: &[i64]) -> Vec<i64> {
    weldment::weld!(|v: &[i64]| v.sort())(v)
}
