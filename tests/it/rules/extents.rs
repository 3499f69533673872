//! How far loops run: iterators with bounds, ranges, zips, slices, and hints of length.

use weldment::{FaultKind, Options};

use super::rule;
use crate::pairs::Outcome::Fault;

const V: &[i64] = &[10, 11, 12, 13, 14, 15];

#[test]
fn each_bound_of_an_iterator_is_checked() {
    let bad = || Fault(FaultKind::BadIterator, "iter(v");
    let end = i64::MAX;
    rule!(
        weld!(|v: &[i64], s: i64, e: i64, t: i64| result(for(iter(v, s, e, t), appender[(i64, i64)], |b, i, x| merge(b, (i, x)))));
        (V, 0, 6, 1) => vec![(0i64, 10i64), (1, 11), (2, 12), (3, 13), (4, 14), (5, 15)],
        (V, 1, 5, 2) => vec![(0i64, 11i64), (1, 13)],
        (V, 0, 6, 6) => vec![(0i64, 10i64)],
        (V, 6, 6, 1) => Vec::<(i64, i64)>::new(),
        (V, 2, 2, end) => Vec::<(i64, i64)>::new(),
        (&[][..], 0, 0, 1) => Vec::<(i64, i64)>::new(),
        (V, -1, 5, 1) => bad(),
        (V, 0, 7, 1) => bad(),
        (V, 4, 3, 1) => bad(),
        (V, 7, 7, 1) => bad(),
        (V, 0, 6, 0) => bad(),
        (V, 3, 3, 0) => bad(),
        (V, 0, 6, -1) => bad(),
        (V, 6, 0, -1) => bad(),
        (V, 0, 6, 4) => bad(),
        (V, 0, 6, end) => bad(),
        (V, i64::MIN, end, 1) => bad(),
        (V, 0, end, end) => bad(),
        (V, i64::MIN, 0, i64::MIN) => bad(),
    );
}

#[test]
fn an_iterator_inside_a_loop_is_checked_where_the_loop_stands() {
    rule!(
        weld!(|v: &[i64], ends: &[i64]| ends.map(|e| if e < 100 { result(for(iter(v, 0, e, 2), merger[i64,+], |b, _, x| merge(b, x))) } else { -1 }));
        (V, &[2, 6, 0, 101, 4][..]) => vec![10i64, 36, 0, -1, 22],
        (V, &[2, 6, 8, 101][..]) => Fault(FaultKind::BadIterator, "iter(v"),
        (V, &[2, 3, 101][..]) => Fault(FaultKind::BadIterator, "iter(v"),
        (V, &[][..]) => Vec::<i64>::new(),
    );
}

#[test]
fn ranges_have_any_bounds_but_more_steps_than_an_index_counts() {
    let (least, most) = (i64::MIN, i64::MAX);
    let bad = || Fault(FaultKind::BadIterator, "rangeiter");
    rule!(
        weld!(|s: i64, e: i64, t: i64| result(for(rangeiter(s, e, t), appender[i64], |b, i, x| merge(b, x))));
        (-3, 3, 2) => vec![-3i64, -1, 1],
        (5, 5, 1) => Vec::<i64>::new(),
        (most - 4, most, 2) => vec![most - 4, most - 2],
        (least, least + 3, 1) => vec![least, least + 1, least + 2],
        (least, -1, most) => vec![least],
        (-most, most, most) => vec![-most, 0],
        (0, most, most) => vec![0i64],
        (0, 3, 0) => bad(),
        (0, 3, -1) => bad(),
        (3, 0, 1) => bad(),
        (3, 0, -1) => bad(),
        (0, 3, 2) => bad(),
        (least, most, 1) => bad(),
        (least, 0, 1) => bad(),
    );
    // `..` is empty where it ends before it starts.
    rule!(
        weld!(|s: i64, e: i64| ((s..e).count(), (s..e).sum()));
        (2, 5) => (3i64, 9i64),
        (5, 2) => (0i64, 0i64),
        (most, least) => (0i64, 0i64),
        (most - 1, most) => (1i64, most - 1),
    );
}

#[test]
fn zips_have_one_length_and_iterators_count() {
    let differ = || Fault(FaultKind::ZipLengthMismatch, "for");
    rule!(
        weld!(|v: &[i64], w: &[u8], e: i64| result(for(zip(iter(v, 0, e, 2), w, rangeiter(0, 3, 1)), appender[(i64, i64)], |b, i, x| merge(b, (i, x.0 + x.1 as i64 * 100 + x.2 * 1000)))));
        (V, &[1, 2, 3][..], 6) => vec![(0i64, 110i64), (1, 1212), (2, 2314)],
        (V, &[1, 2][..], 6) => differ(),
        (V, &[1, 2, 3, 4][..], 6) => differ(),
        (V, &[1, 2, 3][..], 4) => differ(),
        (V, &[][..], 6) => differ(),
        (&[][..], &[1, 2, 3][..], 0) => differ(),
        (V, &[1, 2, 3][..], 5) => Fault(FaultKind::BadIterator, "iter(v"),
    );
}

#[test]
fn lengths_are_checked_where_the_loop_stands_and_not_before() {
    rule!(
        weld!(|a: &[i64], b: &[i64], rows: &[Vec<i64>]| (
            if len(a) > 2 { zip(a, b).map(|(x, y)| x * y).sum() } else { -1 },
            rows.map(|row| zip(row, b).map(|(x, y)| x * y).sum()),
        ));
        (&[1, 2][..], &[5][..], &[vec![3], vec![4]][..]) => (-1i64, vec![15i64, 20]),
        (&[1, 2][..], &[][..], &[][..]) => (-1i64, Vec::<i64>::new()),
        (&[1, 2, 3][..], &[5][..], &[][..]) => Fault(FaultKind::ZipLengthMismatch, "map"),
        (&[1][..], &[5][..], &[vec![3], vec![]][..]) => Fault(FaultKind::ZipLengthMismatch, "map"),
    );
}

#[test]
fn slices_are_clamped_at_the_end_and_fault_at_the_start() {
    let outside = || Fault(FaultKind::IndexOutOfBounds, "slice");
    rule!(
        weld!(|v: &[i64], at: i64, n: i64| (slice(v, at, n), len(slice(v, at, n))));
        (V, 0, 6) => (V.to_vec(), 6i64),
        (V, 4, 1) => (vec![14i64], 1i64),
        (V, 4, i64::MAX) => (vec![14i64, 15], 2i64),
        (V, 6, 3) => (Vec::<i64>::new(), 0i64),
        (V, 3, 0) => (Vec::<i64>::new(), 0i64),
        (&[][..], 0, 0) => (Vec::<i64>::new(), 0i64),
        (V, 7, 0) => outside(),
        (V, -1, 2) => outside(),
        (V, 0, -1) => outside(),
        (V, i64::MAX, i64::MAX) => outside(),
        (V, i64::MIN, i64::MIN) => outside(),
    );
}

#[test]
fn indices_are_checked_at_both_ends() {
    let outside = || Fault(FaultKind::IndexOutOfBounds, "[at]");
    rule!(
        weld!(|v: &[i64], at: i8| v[at]);
        (V, 0) => 10i64,
        (V, 5) => 15i64,
        (V, 6) => outside(),
        (V, -1) => outside(),
        (V, i8::MIN) => outside(),
        (&[][..], 0) => outside(),
    );
}

#[test]
fn hints_of_length_mean_nothing() {
    let hints = [0, 1, 5, 100, -1, i64::MIN, i64::MAX, 1 << 40];
    for hint in hints {
        rule!(
            weld!(|v: &[i64], n: i64| result(for(v, appender[i64](n), |b, _, x| if x > 11 { merge(b, x) } else { b })));
            (V, hint) => vec![12i64, 13, 14, 15],
        );
        rule!(
            weld!(|v: &[i64], n: i64| result(for(v, appender[i64](n), |b, _, x| for(rangeiter(0, x - 12, 1), b, |b, _, y| merge(b, y)))));
            (&V[2..5], hint) => vec![0i64, 0, 1],
        );
    }
    // A hint is no reason to hold more than the run may.
    let kernel = weldment::weld!(|v: &[i64], n: i64| result(for(v, appender[i64](n), |b, _, x| if x > 11 { merge(b, x) } else { b })));
    for hint in hints {
        let limited = kernel.with(&Options::new().memory_limit(1 << 16)).call(V, hint);
        assert_eq!(limited, Ok(vec![12, 13, 14, 15]), "hint {hint}");
    }
}

/// Rows that are read by index: their checks are made once for a row, and the fault is that of the index that is outside.
#[test]
fn indices_that_move_along_fault_as_one_by_one() {
    let a = weldment::Array::new((0..70).map(f64::from).collect(), [7, 10]).expect("a number for each");
    let sum = |i: usize, from: usize, to: usize| {
        0.0 + (from..to).map(|j| (i * 10 + j) as f64 * j as f64).sum::<f64>()
    };
    for (rows, from, to) in [(7, 0, 10), (7, 2, 9), (0, 0, 99), (3, 5, 5)] {
        rule!(
            weld!(|a: &Array<f64, 2>, n: i64, from: i64, to: i64| (0..n).map(|i| (from..to).map(|j| a[i, j] * j as f64).sum()));
            (&a, rows as i64, from as i64, to as i64) => (0..rows).map(|i| sum(i, from, to)).collect::<Vec<_>>(),
        );
    }
    rule!(
        weld!(|a: &Array<f64, 2>, n: i64, from: i64, to: i64| (0..n).map(|i| (from..to).map(|j| a[i, j] * j as f64).sum()));
        (&a, 8, 0, 10) => Fault(FaultKind::IndexOutOfBounds, "[i, j] * j"),
        (&a, 7, 0, 11) => Fault(FaultKind::IndexOutOfBounds, "[i, j] * j"),
        (&a, 7, -1, 3) => Fault(FaultKind::IndexOutOfBounds, "[i, j] * j"),
    );
}
