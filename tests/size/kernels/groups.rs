//! Groups of vectors.

pub fn run(v: &[i64]) -> weldment::Dict<i64, Vec<i64>> {
    weldment::weld!(|v: &[i64]| v.group_by(|x| x % 100))(v)
}
