//! Arrays that are put together, scanned and multiplied, and elements that may not be there.

use weldment::FaultKind;

use super::arrays::{array, over, table};
use super::rule;
use crate::pairs::Outcome::Fault;

#[test]
fn arrays_are_stacked() {
    rule!(
        weld!(|a: &Array<i64, 2>, b: &Array<i64, 2>| (stack(0, a, b, a), stack(1, a, b), stack(0, a, b)[1..3, 0]));
        (&array([2, 2], vec![1, 2, 3, 4]), &array([2, 2], vec![5, 6, 7, 8])) => (
            array([6, 2], vec![1i64, 2, 3, 4, 5, 6, 7, 8, 1, 2, 3, 4]),
            array([2, 4], vec![1i64, 2, 5, 6, 3, 4, 7, 8]),
            over([(1, 1, 2)], vec![3i64, 5]),
        ),
        (&array([2, 2], vec![1, 2, 3, 4]), &array([0, 2], vec![])) => Fault(FaultKind::ShapeMismatch, "stack"),
    );
    rule!(
        weld!(|a: &Array<i64, 1>, b: &Array<i64, 1>| (stack(0, a, b), stack(0, a.reverse(), b).sum()));
        (&over([(3, 1, 2)], vec![1, 2]), &array([3], vec![5, 6, 7])) => (over([(3, 1, 5)], vec![1i64, 2, 5, 6, 7]), 21i64),
        (&array([0], vec![]), &array([2], vec![5, 6])) => (array([2], vec![5i64, 6]), 11i64),
        (&array([2], vec![5, 6]), &array([0], vec![])) => (array([2], vec![5i64, 6]), 11i64),
    );
}

/// A piece that begins at 0 has no coordinate below 0, whatever the whole has; and one that is wider than what it is made of has more.
/// What makes the elements is moved into the branches of an `if`, each of which then makes an array of that shape.
#[test]
fn pieces_may_be_made_in_branches() {
    rule!(
        weld!(|n: i64, v: &[u8]| {
            let texts = store(array((2, 1, 3), |_, _, _| n).map(|n| v.filter(|b| b > n as u8).from_utf8().unwrap_or("?")));
            flat(stack(0, texts, texts.reverse(), texts))
        });
        (97, &b"abc"[..]) => vec!["bc".to_owned(); 18],
        (200, &b"\xFF"[..]) => vec!["?".to_owned(); 18],
    );
}

#[test]
fn pieces_begin_at_0_and_have_steps_of_their_own() {
    rule!(
        weld!(|a: &Array<i64, 1>, n: i64| { let own = a.move_to(0); overwrite(own.shift(-2)[..n], own * 10) });
        (&array([3], vec![1, 2, 3]), 1) => over([(-2, 1, 3)], vec![1i64, 2, 10]),
        (&array([3], vec![1, 2, 3]), 0) => over([(-2, 1, 2)], vec![1i64, 2]),
    );
    rule!(
        weld!(|a: &Array<i64, 2>, n: i64| fuse(pad(a[.. step n, ..], (2, 1), 9), a));
        (&over([(0, 3, 2), (-1, 1, 0)], vec![]), 9) => over([(-2, 1, 5), (-2, 1, 2)], vec![9i64; 10]),
    );
}

/// Along all axes but one, what is stacked has the same coordinates, also where nobody asks for them.
#[test]
fn arrays_with_other_coordinates_are_not_stacked() {
    let wrong = || Fault(FaultKind::ShapeMismatch, "stack");
    let moved = over([(0, 1, 1), (5, 1, 2)], vec![3, 4]);
    let spread = over([(0, 1, 1), (0, 3, 2)], vec![3, 4]);
    let plain = array([1, 2], vec![1, 2]);
    rule!(
        weld!(|a: &Array<i64, 2>, b: &Array<i64, 2>| stack(0, a, b));
        (&plain, &moved) => wrong(),
        (&plain, &spread) => wrong(),
        (&spread, &plain) => wrong(),
        (&spread, &spread) => over([(0, 1, 2), (0, 3, 2)], vec![3i64, 4, 3, 4]),
        // Along the axis itself coordinates go on from the first array.
        (&over([(3, 1, 1), (0, 1, 1)], vec![1]), &over([(7, 4, 2), (0, 1, 1)], vec![2, 3])) => over([(3, 1, 3), (0, 1, 1)], vec![1i64, 2, 3]),
    );
    rule!(
        weld!(|a: &Array<i64, 2>, b: &Array<i64, 2>| stack(0, a, b).sum());
        (&plain, &moved) => wrong(),
        (&plain, &spread) => wrong(),
        (&spread, &spread) => 14i64,
    );
    rule!(
        weld!(|a: &Array<i64, 2>, b: &Array<i64, 2>, n: i64| (stack(0, a[.., 0..n step 2], b[.., 0..n step n]).flat()[3], stack(1, a.spread(2, 1), b.spread(n, 1))[0, 3]));
        (&array([1, 4], vec![1, 2, 3, 4]), &array([1, 4], vec![5, 6, 7, 8]), 2) => Fault(FaultKind::IndexOutOfBounds, "[3]"),
        (&array([2, 4], vec![1, 2, 3, 4, 1, 2, 3, 4]), &array([2, 4], vec![5, 6, 7, 8, 5, 6, 7, 8]), 2) => (5i64, 4i64),
        (&array([2, 4], vec![1, 2, 3, 4, 1, 2, 3, 4]), &array([2, 4], vec![5, 6, 7, 8, 5, 6, 7, 8]), 3) => wrong(),
    );
}

#[test]
fn margins_are_added() {
    rule!(
        weld!(|a: &Array<i64, 2>, k: i64| (pad(a, (k, 1), -7), pad(a, (1, k), 0).stencil(|c| c[-1, 0] + c[1, 0])));
        (&array([1, 2], vec![1, 2]), 1) => (
            over([(-1, 1, 3), (-1, 1, 4)], vec![-7i64, -7, -7, -7, -7, 1, 2, -7, -7, -7, -7, -7]),
            over([(0, 1, 1), (-1, 1, 4)], vec![0i64; 4]),
        ),
        (&over([(2, 3, 2), (0, 1, 1)], vec![1, 2]), 0) => (
            over([(2, 3, 2), (-1, 1, 3)], vec![-7i64, 1, -7, -7, 2, -7]),
            over([(2, 3, 2), (0, 1, 1)], vec![2i64, 1]),
        ),
        (&array([1, 2], vec![1, 2]), -4) => (
            over([(0, 1, 1), (-1, 1, 4)], vec![-7i64, 1, 2, -7]),
            over([(0, 1, 1), (0, 1, 2)], vec![0i64, 0]),
        ),
    );
}

#[test]
fn parts_are_written_over() {
    rule!(
        weld!(|a: &Array<i64, 2>, n: i64, m: i64| overwrite(a, a[0..n step 2, 1..m step 2] * -1));
        (&table(), 3, 4) => array([3, 4], vec![3i64, 1, 4, -1, 5, 9, -2, 6, 5, -3, 5, 8]),
        (&table(), 1, 2) => array([3, 4], vec![3i64, 1, 4, 1, 5, 9, -2, 6, 5, 3, 5, -8]),
        (&table(), 0, 4) => table(),
    );
    // What lies outside is left out; coordinates decide, not positions.
    rule!(
        weld!(|a: &Array<i64, 1>, b: &Array<i64, 1>| overwrite(a, b));
        (&array([4], vec![1, 2, 3, 4]), &over([(2, 1, 4)], vec![10, 20, 30, 40])) => array([4], vec![1i64, 2, 10, 20]),
        (&array([4], vec![1, 2, 3, 4]), &over([(-2, 1, 3)], vec![10, 20, 30])) => array([4], vec![30i64, 2, 3, 4]),
        (&over([(1, 2, 4)], vec![1, 2, 3, 4]), &over([(0, 3, 4)], vec![10, 20, 30, 40])) => over([(1, 2, 4)], vec![1i64, 20, 3, 4]),
        (&array([2], vec![1, 2]), &array([0], vec![])) => array([2], vec![1i64, 2]),
        (&array([0], vec![]), &array([2], vec![1, 2])) => array([0], Vec::<i64>::new()),
    );
    rule!(
        weld!(|a: &Array<i64, 2>, n: i64| (where_domain((1..n, ..), a * 10, -a), where_domain((.., 1), a, a * 0)[0], where_domain((0..3 step 2,), a, a + a)));
        (&array([3, 2], vec![1, 2, 3, 4, 5, 6]), 2) => (
            array([3, 2], vec![-1i64, -2, 30, 40, -5, -6]),
            array([2], vec![0i64, 2]),
            array([3, 2], vec![1i64, 2, 6, 8, 5, 6]),
        ),
    );
}

#[test]
fn elements_may_be_missing() {
    rule!(
        weld!(|a: &Array<i64, 2>, i: i64, j: i32| (a.get((i, j), -1), a.shift(1).get((i, j), -2)));
        (&table(), 0, 3) => (1i64, -2i64),
        (&table(), 2, 0) => (5i64, 5i64),
        (&table(), 3, 0) => (-1i64, 5i64),
        (&table(), -1, 0) => (-1i64, -2i64),
        (&table(), i64::MIN, 0) => (-1i64, -2i64),
        (&over([(0, 2, 2), (0, 1, 1)], vec![7, 8]), 1, 0) => (-1i64, 7i64),
        (&over([(0, 2, 2), (0, 1, 1)], vec![7, 8]), 2, 0) => (8i64, -2i64),
        (&array([0, 4], vec![]), 0, 0) => (-1i64, -2i64),
    );
    // Of arrays that begin at 0, a coordinate may be below that as well.
    rule!(
        weld!(|v: &[i64], i: i64, j: i64| {
            let a = v.shaped((2, 2));
            (a.get((i, j), -1), a.transpose().map(|x| x * 2).get((i, j), -1), a[0].get(i + j, -1))
        });
        (&[1, 2, 3, 4][..], 0, 1) => (2i64, 6i64, 2i64),
        (&[1, 2, 3, 4][..], 1, -1) => (-1i64, -1i64, 1i64),
        (&[1, 2, 3, 4][..], -1, 0) => (-1i64, -1i64, -1i64),
        (&[1, 2, 3, 4][..], 2, 0) => (-1i64, -1i64, -1i64),
        (&[1, 2, 3, 4][..], i64::MIN, 0) => (-1i64, -1i64, -1i64),
        (&[1, 2, 3, 4][..], 0, i64::MAX) => (-1i64, -1i64, -1i64),
    );
    rule!(
        weld!(|v: &[u8], n: i64| v.cycled((n, 2)));
        (&[7, 8, 9][..], 2) => array([2, 2], vec![7u8, 8, 9, 7]),
        (&[][..], 0) => array([0, 2], Vec::<u8>::new()),
        (&[][..], 1) => Fault(FaultKind::ShapeMismatch, "cycled"),
    );
    rule!(
        weld!(|a: &Array<i64, 2>| (a.indexed().filter(|(_, x)| x < 0).map(|((i, j), x)| (i, j, x)), select(a.map(|x| x > 3), a, -a)[0]));
        (&table()) => (vec![(0i64, 1i64, -1i64), (1, 2, -2), (2, 3, -8)], array([4], vec![-3i64, 1, 4, -1])),
    );
}

#[test]
fn values_are_merged_at_coordinates() {
    rule!(
        weld!(|a: &Array<i64, 2>, v: &[(i64, i64, i64)]| fill(a, +, v.map(|(i, j, w)| ((i, j), w))));
        (&array([2, 2], vec![1, 1, 1, 1]), &[(0, 1, 5), (1, 1, 2), (0, 1, -3)][..]) => array([2, 2], vec![1i64, 3, 1, 3]),
        (&over([(4, 2, 2), (0, 1, 1)], vec![1, 1]), &[(6, 0, 5)][..]) => over([(4, 2, 2), (0, 1, 1)], vec![1i64, 6]),
        (&array([2, 2], vec![1, 1, 1, 1]), &[(2, 0, 5)][..]) => Fault(FaultKind::IndexOutOfBounds, "fill"),
        (&over([(4, 2, 2), (0, 1, 1)], vec![1, 1]), &[(5, 0, 5)][..]) => Fault(FaultKind::IndexOutOfBounds, "fill"),
    );
    rule!(
        weld!(|a: &Array<f64, 1>, v: &[(i64, f64)]| (fill(a, max, v), fill(a, *, v)));
        (&array([3], vec![1.0, 2.0, 3.0]), &[(0, 5.0), (2, 0.5)][..]) => (array([3], vec![5.0, 2.0, 3.0]), array([3], vec![5.0, 2.0, 1.5])),
    );
}

#[test]
fn arrays_are_scanned() {
    rule!(
        weld!(|a: &Array<i64, 2>| (a.scan(0, 0, |c, x| c + x), a.scan(1, 10, |c, x| c + x), a.scan_back(1, 0, |c, x| c * 2 + x)));
        (&over([(1, 1, 2), (0, 1, 3)], vec![3, -1, 4, 5, 9, -2])) => (
            over([(1, 1, 2), (0, 1, 3)], vec![3i64, -1, 4, 8, 8, 2]),
            over([(1, 1, 2), (0, 1, 3)], vec![13i64, 12, 16, 15, 24, 22]),
            over([(1, 1, 2), (0, 1, 3)], vec![17i64, 7, 4, 15, 5, -2]),
        ),
        (&array([0, 3], vec![])) =>
            (array([0, 3], Vec::<i64>::new()), array([0, 3], Vec::<i64>::new()), array([0, 3], Vec::<i64>::new())),
        (&array([3, 0], vec![])) =>
            (array([3, 0], Vec::<i64>::new()), array([3, 0], Vec::<i64>::new()), array([3, 0], Vec::<i64>::new())),
    );
    rule!(
        weld!(|a: &Array<i64, 4>| (a.scan(1, 0, |c, x| c + x), a.scan_back(2, 1, |c, x| c * x)[1]));
        (&array([2, 2, 2, 2], (0..16).collect())) => (
            array([2, 2, 2, 2], vec![0i64, 1, 2, 3, 4, 6, 8, 10, 8, 9, 10, 11, 20, 22, 24, 26]),
            array([2, 2, 2], vec![80i64, 99, 10, 11, 168, 195, 14, 15]),
        ),
    );
    // The names of what scans are made of are free.
    rule!(
        weld!(|a: &Array<i64, 3>| { let slabs = |b| b.scan(1, 0, |c, x| c + x); slabs(a).map(|x| x * 2) });
        (&array([1, 2, 2], vec![1, 2, 3, 4])) => array([1, 2, 2], vec![2i64, 4, 8, 12]),
    );
    // What is carried may be of another type than the elements.
    rule!(
        weld!(|a: &Array<i64, 1>| a.scan(0, (0, 1.5), |(n, c), x| (n + 1, c * f64(x))));
        (&array([3], vec![2, 3, 4])) => array([3], vec![(1i32, 3.0), (2, 9.0), (3, 36.0)]),
    );
    // A tridiagonal system: forward and back.
    rule!(
        weld!(|a: &Array<f64, 1>, b: &Array<f64, 1>, c: &Array<f64, 1>, d: &Array<f64, 1>| {
            zip(a, b, c, d)
                .scan(0, (0.0, 0.0), |(cp, dp), (a, b, c, d)| (c / (b - a * cp), (d - a * dp) / (b - a * cp)))
                .scan_back(0, 0.0, |x, (cp, dp)| dp - cp * x)
        });
        (&array([3], vec![0.0, 1.0, 1.0]), &array([3], vec![2.0, 2.5, 2.5]), &array([3], vec![1.0, 1.0, 0.0]), &array([3], vec![4.0, 9.0, 9.5])) =>
            array([3], vec![1.0, 2.0, 3.0]),
    );
}

#[test]
fn arrays_are_multiplied() {
    rule!(
        weld!(|a: &Array<i64, 2>, b: &Array<i64, 2>, v: &Array<i64, 1>| (
            inner(a, b), inner(a, v), inner(v, v), inner(a, b, max, |x, y| x + y), inner(a, b, |x, y| x * y, +)));
        (&array([2, 3], vec![1, 2, 3, 4, 5, 6]), &array([3, 2], vec![1, 0, 2, -1, 3, 1]), &array([3], vec![1, -1, 2])) => (
            array([2, 2], vec![14i64, 1, 32, 1]),
            array([2], vec![5i64, 11]),
            6i64,
            array([2, 2], vec![6i64, 4, 9, 7]),
            array([2, 2], vec![48i64, 4, 315, 112]),
        ),
        (&array([2, 2], vec![1, 2, 3, 4]), &array([3, 2], vec![1, 0, 2, -1, 3, 1]), &array([2], vec![1, 2])) =>
            Fault(FaultKind::ShapeMismatch, "inner"),
    );
    rule!(
        weld!(|a: &Array<i64, 1>, b: &Array<i64, 1>| (outer(a, b), outer(a, b, |x, y| x * 100 - y)[1, 2], outer(a, b, max)[0]));
        (&array([2], vec![1, 2]), &over([(5, 1, 3)], vec![3, 4, 5])) =>
            Fault(FaultKind::IndexOutOfBounds, "["),
        (&array([2], vec![1, 2]), &array([3], vec![3, 4, 5])) =>
            (array([2, 3], vec![3i64, 4, 5, 6, 8, 10]), 195i64, array([3], vec![3i64, 4, 5])),
    );
}

#[test]
fn entries_of_tables_name_neighbours() {
    rule!(
        weld!(|t: &Array<i32, 2>, f: &Array<f64, 1>| array(extent(t, 0), |v| (
            neighbours(t, v).map(|e| f[e]).sum(), neighbours(t, v).count(), neighbours(t, v).fold(1.0, |s, e| s * 0.5 + f[e]))));
        (&array([3, 2], vec![0, 2, -1, 1, -1, -1]), &array([3], vec![2.0, 4.0, 8.0])) =>
            array([3], vec![(10.0, 2i64, 9.25), (4.0, 1, 4.5), (0.0, 0, 1.0)]),
        (&array([1, 2], vec![0, 3]), &array([3], vec![2.0, 4.0, 8.0])) => Fault(FaultKind::IndexOutOfBounds, "["),
    );
}

#[test]
fn functions_have_names() {
    rule!(
        weld!(|v: &[f64], k: f64| {
            let scale = |x| x * k;
            let k = 3.0;
            let twice = |f, x| f(f(x));
            let again = scale;
            (v.map(scale), twice(again, k), twice(|x| x + k, 1.0), v.fold(0.0, |a, x| a + scale(x)), v.sort_by_key(|x| -scale(x)))
        });
        (&[1.0, 2.0][..], 10.0) => (vec![10.0, 20.0], 300.0, 7.0, 30.0, vec![2.0, 1.0]),
    );
}
