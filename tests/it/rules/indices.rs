//! Indices that move along a vector: what is there is read, and the first that is not is the fault, whether or not a loop is
//! checked as a whole before it runs.

use weldment::FaultKind;

use super::rule;
use crate::pairs::Outcome::Fault;

#[test]
fn a_part_of_a_vector_is_read_up_to_the_first_index_outside() {
    let v: Vec<i64> = (0..40).collect();
    let outside = || Fault(FaultKind::IndexOutOfBounds, "[from + i]");
    rule!(
        weld!(|v: &[i64], from: i64, n: i64| (0..n).map(|i| v[from + i] * 3).sum());
        (&v[..], 0i64, 40i64) => 2340i64,
        (&v[..], 3i64, 37i64) => 2331i64,
        (&v[..], 39i64, 1i64) => 117i64,
        (&v[..], 0i64, 0i64) => 0i64,
        // Nothing is read, so nothing is outside.
        (&v[..], -7i64, 0i64) => 0i64,
        (&v[..], i64::MAX, -3i64) => 0i64,
        (&v[..], 1i64, 40i64) => outside(),
        (&v[..], -1i64, 4i64) => outside(),
        (&v[..], 41i64, 1i64) => outside(),
        (&v[..], i64::MAX, 2i64) => outside(),
        (&v[..], i64::MIN, 2i64) => outside(),
        (&[][..], 0i64, 1i64) => outside(),
    );
    rule!(
        weld!(|v: &[i64], from: i64, n: i64| {
            let kept = (0..n).filter(|i| i % 5 > 0).map(|i| v[from + i]);
            (kept, n)
        });
        (&v[..], 30i64, 10i64) => (vec![31i64, 32, 33, 34, 36, 37, 38, 39], 10i64),
        // Those outside are not read.
        (&v[..], 30i64, 11i64) => (vec![31i64, 32, 33, 34, 36, 37, 38, 39], 11i64),
        (&v[..], -1i64, 5i64) => (vec![0i64, 1, 2, 3], 5i64),
        (&v[..], 30i64, 12i64) => outside(),
    );
}

#[test]
fn neighbours_and_rows_are_read_up_to_the_first_outside() {
    let v: Vec<f64> = (0..40).map(f64::from).collect();
    rule!(
        weld!(|v: &[f64], n: i64| (1..n).map(|i| v[i - 1] - 2.0 * v[i] + v[i + 1] * v[i + 1]));
        (&v[..5], 4i64) => vec![2.0f64, 6.0, 12.0],
        (&v[..5], 1i64) => Vec::<f64>::new(),
        (&v[..5], 5i64) => Fault(FaultKind::IndexOutOfBounds, "[i + 1]"),
        (&v[..4], 6i64) => Fault(FaultKind::IndexOutOfBounds, "[i + 1]"),
    );
    rule!(
        weld!(|m: &[f64], x: &[f64]| {
            let n = len(x);
            (0L..n).map(|row| (0L..n).map(|column| m[row * n + column] * x[column]).sum())
        });
        (&v[..9], &v[..3]) => vec![5.0f64, 14.0, 23.0],
        (&v[..], &v[1..2]) => vec![0.0f64],
        (&v[..8], &v[..3]) => Fault(FaultKind::IndexOutOfBounds, "[row * n + column]"),
        (&v[..2], &v[..3]) => Fault(FaultKind::IndexOutOfBounds, "[row * n + column]"),
    );
}

#[test]
fn narrow_indices_wrap_as_they_do_alone() {
    let v: Vec<i64> = (0..40).collect();
    rule!(
        weld!(|v: &[i64], from: i32, n: i64| (0..n).map(|i| v[i64(from + i32(i))]).sum());
        (&v[..], 3i32, 4i64) => 18i64,
        (&v[..], i32::MAX, 2i64) => Fault(FaultKind::IndexOutOfBounds, "[i64(from + i32(i))]"),
        (&v[..], -2i32, 2i64) => Fault(FaultKind::IndexOutOfBounds, "[i64(from + i32(i))]"),
    );
}
