//! Views at affine coordinates, and arrays that are fused of pieces.

use weldment::{Array, FaultKind};

use super::arrays::{array, over, table};
use super::rule;
use crate::pairs::Outcome::Fault;

#[test]
fn coordinates_are_affine() {
    rule!(
        weld!(|a: &Array<i64, 2>, n: i64| (
            a.reference(|i, j| (j, 2 * i)),
            a.reference(|i, j| (-i, j - n)),
            a.reference(|(i, j)| { let k = i + n; (k, 3 - j) }),
        ));
        (&array([2, 3], vec![1, 2, 3, 4, 5, 6]), 1) => (
            array([2, 2], vec![1i64, 4, 3, 6]),
            over([(-1, 1, 2), (1, 1, 3)], vec![4i64, 5, 6, 1, 2, 3]),
            over([(-1, 1, 2), (1, 1, 3)], vec![3i64, 2, 1, 6, 5, 4]),
        ),
        (&array([1, 0], vec![]), 0) => (
            array([0, 1], Vec::<i64>::new()),
            over([(0, 1, 1), (0, 1, 0)], Vec::<i64>::new()),
            over([(0, 1, 1), (4, 1, 0)], Vec::<i64>::new()),
        ),
    );
    // An index may stand for several coordinates, and a coordinate may be a number.
    rule!(
        weld!(|a: &Array<i64, 2>, n: i64| (
            a.reference(|i| (i, i)),
            a.reference(|i| (i, n - i)),
            a.reference(|j| (n, j)),
        ));
        (&table(), 1) => (array([3], vec![3i64, 9, 5]), array([2], vec![-1i64, 5]), array([4], vec![5i64, 9, -2, 6])),
        (&table(), 4) => (array([3], vec![3i64, 9, 5]), over([(1, 1, 2)], vec![6i64, 5]), array([0], Vec::<i64>::new())),
        (&over([(1, 2, 2), (3, 2, 2)], vec![1, 2, 3, 4]), 6) => (
            over([(3, 1, 1)], vec![3i64]),
            over([(1, 2, 2)], vec![2i64, 3]),
            over([(3, 1, 0)], Vec::<i64>::new()),
        ),
        (&over([(1, 2, 2), (0, 2, 2)], vec![1, 2, 3, 4]), 6) => Fault(FaultKind::ShapeMismatch, "reference"),
    );
}

/// What `a.reference(|i| plus + i * scale)` is.
fn referred(a: &Array<i64, 1>, plus: i64, scale: i64) -> Array<i64, 1> {
    let reach = -200..200;
    let found: Vec<(i64, i64)> =
        reach.filter_map(|i| a.get([plus + i * scale]).map(|&element| (i, element))).collect();
    let step = if found.len() > 1 { found[1].0 - found[0].0 } else { 1 };
    let elements = found.iter().map(|(_, element)| *element).collect();
    over([(found[0].0, step, found.len() as u64)], elements)
}

#[test]
fn all_points_are_found_whatever_the_steps_are() {
    for (lower, step) in [(0, 1), (1, 2), (-3, 3), (2, 4), (-5, 7), (0, 10)] {
        let a = &over([(lower, step, 12)], (0..12).map(|k| k * k).collect());
        rule!(
            weld!(|a: &Array<i64, 1>, n: i64| (
                a.reference(|i| i + n),
                a.reference(|i| 3 * i),
                a.reference(|i| n - 4 * i),
                a.reference(|i| 6 * i + lower(a, 0)),
            ));
            (a, lower) => (referred(a, lower, 1), referred(a, 0, 3), referred(a, lower, -4), referred(a, lower, 6)),
        );
    }
}

#[test]
fn arrays_are_spread() {
    rule!(
        weld!(|a: &Array<i64, 2>, k: i64| (a.spread(2, k), a.spread(3)[.., 1], a[0..2 step 2].spread(k).move_to(0)));
        (&over([(1, 1, 2), (0, 1, 2)], vec![1, 2, 3, 4]), 3) => Fault(FaultKind::IndexOutOfBounds, "["),
        (&array([2, 2], vec![1, 2, 3, 4]), 3) => (
            over([(0, 2, 2), (0, 3, 2)], vec![1i64, 2, 3, 4]),
            over([(0, 3, 2)], vec![2i64, 4]),
            array([1, 2], vec![1i64, 2]),
        ),
        (&array([2, 2], vec![1, 2, 3, 4]), 0) => Fault(FaultKind::ShapeMismatch, "spread"),
    );
    rule!(
        weld!(|a: &Array<i64, 1>, k: i64| a.spread(k).spread(k)[0..1].sum());
        (&array([2], vec![1, 2]), 1 << 31) => 1i64,
        (&array([2], vec![1, 2]), 1 << 32) => Fault(FaultKind::ShapeMismatch, "spread"),
        (&array([2], vec![1, 2]), i64::MAX) => Fault(FaultKind::ShapeMismatch, "spread"),
    );
}

#[test]
fn pieces_fill_ranges() {
    rule!(
        weld!(|a: &Array<i64, 1>, n: i64| (fuse(a[0..n step 2] + 100, a[1..n step 2] * 2), fuse(a[n - 2..n], a[0..n - 2]).sum()));
        (&array([5], vec![3, 1, 4, 1, 5]), 5) => (array([5], vec![103i64, 2, 104, 2, 105]), 14i64),
        (&array([5], vec![3, 1, 4, 1, 5]), 2) => (array([2], vec![103i64, 2]), 4i64),
        (&array([5], vec![3, 1, 4, 1, 5]), 1) => Fault(FaultKind::IndexOutOfBounds, "["),
    );
    rule!(
        weld!(|a: &Array<i64, 1>, b: &Array<i64, 1>| (fuse(a, b), fuse(b, a).map(|x| x * 2).reverse()));
        (&array([2], vec![1, 2]), &over([(2, 1, 2)], vec![3, 4])) => (array([4], vec![1i64, 2, 3, 4]), array([4], vec![8i64, 6, 4, 2])),
        (&over([(-2, 4, 3)], vec![1, 2, 3]), &over([(0, 4, 2)], vec![7, 8])) =>
            (over([(-2, 2, 5)], vec![1i64, 7, 2, 8, 3]), over([(-2, 2, 5)], vec![6i64, 16, 4, 14, 2])),
        // One point each, as far from each other as one likes.
        (&over([(5, 1, 1)], vec![1]), &over([(-4, 1, 1)], vec![2])) => (over([(-4, 9, 2)], vec![2i64, 1]), over([(-4, 9, 2)], vec![2i64, 4])),
        (&array([2], vec![1, 2]), &over([(7, 1, 0)], vec![])) => (array([2], vec![1i64, 2]), array([2], vec![4i64, 2])),
        (&array([0], vec![]), &array([0], vec![])) => (array([0], Vec::<i64>::new()), array([0], Vec::<i64>::new())),
        (&array([2], vec![1, 2]), &over([(1, 1, 2)], vec![3, 4])) => Fault(FaultKind::ShapeMismatch, "fuse"),
        (&array([2], vec![1, 2]), &over([(3, 1, 2)], vec![3, 4])) => Fault(FaultKind::ShapeMismatch, "fuse"),
        (&array([2], vec![1, 2]), &array([2], vec![3, 4])) => Fault(FaultKind::ShapeMismatch, "fuse"),
        (&over([(0, 2, 3)], vec![1, 2, 3]), &over([(1, 3, 2)], vec![3, 4])) => Fault(FaultKind::ShapeMismatch, "fuse"),
        (&over([(-1 << 40, 1, 1)], vec![1]), &over([(1 << 40, 1, 1)], vec![3])) =>
            (over([(-1 << 40, 1 << 41, 2)], vec![1i64, 3]), over([(-1 << 40, 1 << 41, 2)], vec![6i64, 2])),
    );
    // As many points as the product has, of which one is there twice and one not at all.
    rule!(
        weld!(|a: &Array<i64, 2>, k: i64| fuse(a[0..1], a[1..3, 0..2], a[2 - k..3 - k, 2..4], a[2..3, 2..4]).sum(0));
        (&table(), 1) => array([4], vec![13i64, 11, 7, -1]),
        (&table(), 0) => Fault(FaultKind::ShapeMismatch, "fuse"),
        (&table(), 2) => Fault(FaultKind::ShapeMismatch, "fuse"),
    );
    rule!(
        weld!(|a: &Array<i64, 2>| fuse(a.spread(2, 2), (a * 10).spread(2, 2).shift(1, 0), a.spread(2, 2).shift(0, 1), -a.spread(2, 2).shift(1, 1)));
        (&array([1, 2], vec![1, 2])) => array([2, 4], vec![1i64, 1, 2, 2, 10, -1, 20, -2]),
        (&array([0, 2], vec![])) => over([(0, 1, 0), (0, 2, 2)], Vec::<i64>::new()),
    );
}

#[test]
fn views_and_pieces_cost_no_loop() {
    rule!(
        weld!(#[expect(loops = 1, materialized = 0)] |a: &Array<i64, 1>, n: i64| fuse(a[0..n step 2] + 100, a[1..n step 2].reference(|i| 1 - i).reverse().reference(|i| 1 - i)).sum());
        (&array([4], vec![1, 2, 3, 4]), 4) => 210i64,
    );
    rule!(
        weld!(#[expect(loops = 1, materialized = 0)] |a: &Array<i64, 1>| a.spread(3).reference(|i| 6 * i + 3).sum());
        (&array([6], vec![1, 2, 3, 4, 5, 6])) => 12i64,
    );
}
