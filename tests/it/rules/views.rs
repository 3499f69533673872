//! Views of arrays: which elements they are, at which coordinates, and what is refused.

use weldment::FaultKind;

use super::arrays::{array, over, table};
use super::rule;
use crate::pairs::Outcome::Fault;

#[test]
fn slices_keep_their_coordinates() {
    let outside = || Fault(FaultKind::IndexOutOfBounds, "[");
    rule!(
        weld!(|a: &Array<i64, 2>, lo: i64, hi: i64, s: i64| (a[lo..hi step s, 1..], a[.., lo]));
        (&table(), 0, 3, 2) => (over([(0, 2, 2), (1, 1, 3)], vec![-1i64, 4, 1, 3, 5, -8]), array([3], vec![3i64, 5, 5])),
        (&table(), 1, 2, 7) => (over([(1, 1, 1), (1, 1, 3)], vec![9i64, -2, 6]), array([3], vec![-1i64, 9, 3])),
        (&table(), 2, 1, 1) => (over([(2, 1, 0), (1, 1, 3)], Vec::<i64>::new()), array([3], vec![4i64, -2, 5])),
        (&table(), 0, 4, 1) => outside(),
        (&table(), -1, 2, 1) => outside(),
        (&table(), 0, 3, 0) => outside(),
        (&table(), 0, 3, -1) => outside(),
        (&table(), i64::MIN, i64::MAX, 1) => outside(),
        (&over([(4, 3, 3), (0, 1, 2)], vec![1, 2, 3, 4, 5, 6]), 0, 0, 1) =>
            (over([(0, 1, 0), (1, 1, 1)], Vec::<i64>::new()), over([(4, 3, 3)], vec![1i64, 3, 5])),
    );
    rule!(
        weld!(|a: &Array<i64, 1>, lo: i64, hi: i64, s: i64| { let b = a[lo..hi step s]; (b, b.sum(), b[..hi - 1 step s].count()) });
        (&over([(4, 3, 4)], vec![1, 2, 3, 4]), 4, 14, 3) => (over([(4, 3, 4)], vec![1i64, 2, 3, 4]), 10i64, 3i64),
        (&over([(4, 3, 4)], vec![1, 2, 3, 4]), 7, 14, 6) => (over([(7, 6, 2)], vec![2i64, 4]), 6i64, 1i64),
        (&over([(4, 3, 4)], vec![1, 2, 3, 4]), 9, 9, 3) => (over([(9, 1, 0)], Vec::<i64>::new()), 0i64, 0i64),
        (&over([(4, 3, 4)], vec![1, 2, 3, 4]), 4, 11, 2) => outside(),
        (&over([(4, 3, 4)], vec![1, 2, 3, 4]), 5, 11, 3) => outside(),
    );
    // Differences: elements pair by position.
    rule!(
        weld!(|v: &Array<f64, 1>, n: i64| v[1..n].move_to(0) - v[0..n - 1]);
        (&array([5], vec![1.0, 4.0, 9.5, 2.25, 0.0]), 5) => array([4], vec![3.0, 5.5, -7.25, -2.25]),
        (&array([5], vec![1.0, 4.0, 9.5, 2.25, 0.0]), 6) => outside(),
    );
}

#[test]
fn the_first_and_the_last_are_taken_and_dropped() {
    rule!(
        weld!(|a: &Array<i64, 2>, k: i64, l: i64| (a.take(k, l), a.drop(k, l), a.take(k)[.., 0].sum()));
        (&table(), 2, 3) => (array([2, 3], vec![3i64, -1, 4, 5, 9, -2]), over([(2, 1, 1), (3, 1, 1)], vec![-8i64]), 8i64),
        (&table(), -1, -2) => (
            over([(2, 1, 1), (2, 1, 2)], vec![5i64, -8]),
            array([2, 2], vec![3i64, -1, 5, 9]),
            5i64,
        ),
        (&table(), 0, 9) => (array([0, 4], Vec::<i64>::new()), over([(0, 1, 3), (4, 1, 0)], Vec::<i64>::new()), 0i64),
        (&table(), i64::MIN, i64::MAX) => (table(), over([(0, 1, 0), (4, 1, 0)], Vec::<i64>::new()), 13i64),
    );
}

#[test]
fn axes_are_turned_swapped_and_moved() {
    rule!(
        weld!(|a: &Array<i64, 2>, n: i64| (a.reverse(), a.reverse(1), a.rotate(n, -n), a.transpose(), a.shift(n), a.move_to(n, n)));
        (&over([(1, 2, 2), (0, 1, 3)], vec![1, 2, 3, 4, 5, 6]), 4) => (
            over([(1, 2, 2), (0, 1, 3)], vec![6i64, 5, 4, 3, 2, 1]),
            over([(1, 2, 2), (0, 1, 3)], vec![3i64, 2, 1, 6, 5, 4]),
            over([(1, 2, 2), (0, 1, 3)], vec![3i64, 1, 2, 6, 4, 5]),
            over([(0, 1, 3), (1, 2, 2)], vec![1i64, 4, 2, 5, 3, 6]),
            over([(5, 2, 2), (0, 1, 3)], vec![1i64, 2, 3, 4, 5, 6]),
            over([(4, 1, 2), (4, 1, 3)], vec![1i64, 2, 3, 4, 5, 6]),
        ),
        (&over([(1, 1, 0), (0, 1, 1)], vec![]), -3) => (
            over([(1, 1, 0), (0, 1, 1)], Vec::<i64>::new()),
            over([(1, 1, 0), (0, 1, 1)], Vec::<i64>::new()),
            over([(1, 1, 0), (0, 1, 1)], Vec::<i64>::new()),
            over([(0, 1, 1), (1, 1, 0)], Vec::<i64>::new()),
            over([(-2, 1, 0), (0, 1, 1)], Vec::<i64>::new()),
            over([(-3, 1, 0), (-3, 1, 1)], Vec::<i64>::new()),
        ),
    );
    rule!(
        weld!(|a: &Array<i64, 3>| (a.permute([2, 0, 1])[1, 0], a.diagonal(), (a + 1).transpose()[0, 1].sum()));
        (&array([2, 2, 3], (0..12).collect())) => (
            array([2], vec![1i64, 4]),
            array([2, 3], vec![0i64, 1, 2, 9, 10, 11]),
            14i64,
        ),
    );
    // Of one element there is no next one: its step is 1, whatever that of the axis was.
    rule!(
        weld!(|a: &Array<i64, 2>| pad(a.diagonal(), 1, 0));
        (&over([(1, 2, 2), (0, 1, 2)], vec![4, 5, 6, 7])) => over([(-1, 2, 4)], vec![0i64, 4, 7, 0]),
        (&over([(1, 2, 2), (0, 1, 1)], vec![4, 5])) => over([(0, 1, 3)], vec![0i64, 4, 0]),
    );
}

#[test]
fn axes_repeat_what_another_array_has_more_of() {
    rule!(
        weld!(|r: &Array<i64, 1>, c: &Array<i64, 1>| (r.expand(1) * 10 + c.expand(0), r.expand(0)));
        (&array([3], vec![1, 2, 3]), &over([(7, 1, 2)], vec![4, 5])) => (
            over([(0, 1, 3), (7, 1, 2)], vec![14i64, 15, 24, 25, 34, 35]),
            array([1, 3], vec![1i64, 2, 3]),
        ),
        (&array([0], vec![]), &array([2], vec![4, 5])) => (array([0, 2], Vec::<i64>::new()), array([1, 0], Vec::<i64>::new())),
    );
    rule!(
        weld!(|a: &Array<i64, 2>, n: i64, m: i64| a.broadcast((n, m)));
        (&array([1, 2], vec![4, 5]), 3, 2) => array([3, 2], vec![4i64, 5, 4, 5, 4, 5]),
        (&array([1, 2], vec![4, 5]), 0, 2) => array([0, 2], Vec::<i64>::new()),
        (&array([1, 2], vec![4, 5]), 1, 3) => Fault(FaultKind::ShapeMismatch, "broadcast"),
    );
    rule!(
        weld!(|a: &Array<i64, 2>, n: i64| (a.transpose().reshape((n, 6)), a.reshape(12)[5]));
        (&table(), 2) => (array([2, 6], vec![3i64, 5, 5, -1, 9, 3, 4, -2, 5, 1, 6, -8]), 9i64),
        (&table(), 3) => Fault(FaultKind::ShapeMismatch, "reshape"),
    );
}
