//! Arrays: how they are made, read, computed with point by point, and what becomes of their coordinates.

use weldment::{Array, Domain, FaultKind, Range};

use super::rule;
use crate::pairs::Outcome::Fault;

/// The array of these elements over `0..n` of each axis.
pub(super) fn array<T, const N: usize>(shape: [usize; N], elements: Vec<T>) -> Array<T, N> {
    Array::new(elements, shape).expect("an element for each point")
}

/// The same, over coordinates from `lower` on in steps of `step`.
pub(super) fn over<T, const N: usize>(axes: [(i64, i64, u64); N], elements: Vec<T>) -> Array<T, N> {
    let ranges = axes.map(|(lower, step, extent)| Range::new(lower, step, extent).expect("a range"));
    Array::over(elements, Domain::new(ranges).expect("a domain")).expect("an element for each point")
}

/// `3 -1 4 1 | 5 9 -2 6 | 5 3 5 -8`
pub(super) fn table() -> Array<i64, 2> {
    array([3, 4], vec![3, -1, 4, 1, 5, 9, -2, 6, 5, 3, 5, -8])
}

#[test]
fn arrays_are_made_of_what_a_function_gives_for_their_points() {
    rule!(
        weld!(|n: i64, m: i32| array((n, m), |i, j| i * 10 + j));
        (2, 3) => array([2, 3], vec![0i64, 1, 2, 10, 11, 12]),
        (0, 3) => array([0, 3], Vec::<i64>::new()),
        (3, 0) => array([3, 0], Vec::<i64>::new()),
        (-1, 3) => array([0, 3], Vec::<i64>::new()),
        (2, -3) => array([2, 0], Vec::<i64>::new()),
        (1 << 40, 1 << 20) => Fault(FaultKind::ShapeMismatch, "(n, m)"),
        (i64::MAX, 2) => Fault(FaultKind::ShapeMismatch, "(n, m)"),
    );
    rule!(
        weld!(|n: u8| (array(n, |i| i * i), iota(n), array((2, n, 2), |p| p.0 * 100 + p.1 * 10 + p.2)));
        (3) => (array([3], vec![0i64, 1, 4]), array([3], vec![0i64, 1, 2]),
            array([2, 3, 2], vec![0i64, 1, 10, 11, 20, 21, 100, 101, 110, 111, 120, 121])),
        (0) => (array([0], Vec::<i64>::new()), array([0], Vec::<i64>::new()), array([2, 0, 2], Vec::<i64>::new())),
    );
    // An element may hold what it likes.
    rule!(
        weld!(|n: i64| array(n, |i| (i, (0..i).map(|k| k * 2))));
        (3) => array([3], vec![(0i64, vec![]), (1, vec![0i64]), (2, vec![0, 2])]),
    );
}

#[test]
fn vectors_are_arrays_of_a_shape_that_fits_them() {
    rule!(
        weld!(|v: &[f32], n: i64| (v.shaped((n, 2)) + 0.5, v.shaped(v.len()).flat()));
        (&[1.0, 2.0, 3.0, 4.0][..], 2) => (array([2, 2], vec![1.5f32, 2.5, 3.5, 4.5]), vec![1.0f32, 2.0, 3.0, 4.0]),
        (&[][..], 0) => (array([0, 2], Vec::<f32>::new()), Vec::<f32>::new()),
        (&[1.0, 2.0, 3.0][..], 2) => Fault(FaultKind::ShapeMismatch, "shaped"),
        (&[1.0, 2.0][..], -1) => Fault(FaultKind::ShapeMismatch, "shaped"),
        (&[][..], i64::MAX) => Fault(FaultKind::ShapeMismatch, "shaped"),
    );
}

#[test]
fn elements_are_read_by_their_coordinates() {
    let read = || Fault(FaultKind::IndexOutOfBounds, "[");
    rule!(
        weld!(|a: &Array<i64, 2>, i: i64, j: u8| a[i, j]);
        (&table(), 1, 2) => -2i64,
        (&table(), 3, 0) => read(),
        (&table(), -1, 0) => read(),
        (&table(), 0, 4) => read(),
        (&over([(-2, 1, 2), (0, 1, 2)], vec![1, 2, 3, 4]), -1, 0) => 3i64,
        (&over([(-2, 1, 2), (0, 1, 2)], vec![1, 2, 3, 4]), 0, 0) => read(),
        (&over([(5, 3, 2), (1, 2, 2)], vec![1, 2, 3, 4]), 8, 1) => 3i64,
        (&over([(5, 3, 2), (1, 2, 2)], vec![1, 2, 3, 4]), 8, 2) => read(),
        (&over([(5, 3, 2), (1, 2, 2)], vec![1, 2, 3, 4]), 11, 1) => read(),
        (&over([(5, 3, 2), (1, 2, 2)], vec![1, 2, 3, 4]), i64::MIN, 1) => read(),
        (&over([(i64::MAX - 2, 1, 2), (0, 1, 1)], vec![1, 2]), i64::MAX - 1, 0) => 2i64,
        (&over([(i64::MAX - 2, 1, 2), (0, 1, 1)], vec![1, 2]), i64::MIN, 0) => read(),
    );
    // Fewer indices leave the array of the other axes.
    rule!(
        weld!(|a: &Array<i64, 2>, i: i64| (a[i], a[i][1], a[i].sum()));
        (&table(), 2) => (array([4], vec![5i64, 3, 5, -8]), 3i64, 5i64),
        (&table(), 3) => read(),
        (&over([(1, 1, 2), (0, 4, 2)], vec![1, 2, 3, 4]), 1) => read(),
    );
    rule!(
        weld!(|a: &Array<i64, 1>, i: i64| (a[i], a[i as i8]));
        (&over([(2, 2, 3)], vec![7, 8, 9]), 4) => (8i64, 8i64),
        (&over([(2, 2, 3)], vec![7, 8, 9]), 5) => read(),
        (&over([(2, 2, 3)], vec![7, 8, 9]), 0) => read(),
    );
}

#[test]
fn arrays_tell_their_extents_and_bounds() {
    rule!(
        weld!(|a: &Array<i32, 3>| (extent(a, 0), a.extent(2), lower(a, 1), shape(a)));
        (&over([(0, 1, 2), (5, 1, 3), (-2, 1, 2)], (0..12).collect())) => (2i64, 2i64, 5i64, (2i64, 3i64, 2i64)),
        (&over([(0, 1, 0), (5, 1, 3), (-2, 1, 2)], vec![])) => (0i64, 2i64, 5i64, (0i64, 3i64, 2i64)),
    );
    rule!(
        weld!(|a: &Array<u8, 1>| array(a.shape(), |i| i + a.lower(0)));
        (&over([(3, 1, 2)], vec![0, 0])) => array([2], vec![3i64, 4]),
    );
}

#[test]
fn coordinates_stay_with_what_is_computed_point_by_point() {
    let moved = || over([(1, 1, 2), (-1, 3, 3)], vec![0.5, 1.0, 1.5, 2.0, 2.5, 3.0]);
    rule!(
        weld!(|a: &Array<f64, 2>| array(domain(a), |i, j| (i * 10 + j) as f64 + a[i, j]));
        (&moved()) => over([(1, 1, 2), (-1, 3, 3)], vec![9.5, 13.0, 16.5, 21.0, 24.5, 28.0]),
        (&over([(7, 1, 0), (0, 1, 3)], vec![])) => over([(7, 1, 0), (0, 1, 3)], Vec::<f64>::new()),
    );
    rule!(
        weld!(|a: &Array<f64, 2>| (-a * 2.0 + 1.0, a.map(|x| x > 1.5), zip(a, a).map(|(x, y)| x * y)));
        (&moved()) => (
            over([(1, 1, 2), (-1, 3, 3)], vec![0.0, -1.0, -2.0, -3.0, -4.0, -5.0]),
            over([(1, 1, 2), (-1, 3, 3)], vec![false, false, false, true, true, true]),
            over([(1, 1, 2), (-1, 3, 3)], vec![0.25, 1.0, 2.25, 4.0, 6.25, 9.0]),
        ),
    );
}

#[test]
fn arrays_are_computed_together_by_position() {
    rule!(
        weld!(|a: &Array<i64, 2>, b: &Array<i64, 2>, k: i64| (a * b - k, k - a, zip(a, b)));
        (&table(), &over([(9, 1, 3), (0, 2, 4)], (0..12).collect()), 1) => (
            array([3, 4], vec![-1i64, -2, 7, 2, 19, 44, -13, 41, 39, 26, 49, -89]),
            array([3, 4], vec![-2i64, 2, -3, 0, -4, -8, 3, -5, -4, -2, -4, 9]),
            array([3, 4], table().into_vec().into_iter().zip(0..).collect::<Vec<(i64, i64)>>()),
        ),
        (&table(), &array([4, 3], (0..12).collect()), 1) => Fault(FaultKind::ShapeMismatch, "*"),
        (&array([0, 4], vec![]), &array([0, 3], vec![]), 1) => Fault(FaultKind::ShapeMismatch, "*"),
    );
    // What a fold runs over has to agree, too.
    rule!(
        weld!(|a: &Array<i64, 2>, b: &Array<i64, 2>| zip(a, b).fold(0.5, |s, (x, y)| s * 0.5 + (x * y) as f64));
        (&array([1, 2], vec![1, 2]), &array([1, 2], vec![3, 4])) => 9.625,
        (&array([1, 2], vec![1, 2]), &array([2, 1], vec![3, 4])) => Fault(FaultKind::ShapeMismatch, "fold"),
    );
}

#[test]
fn loops_run_over_arrays_row_by_row() {
    rule!(
        weld!(|a: &Array<i64, 2>| (a.sum(), a.max(), a.filter(|x| x > 4), a.reduce_by(|x| x % 2, |x| 1, +),
            a.group_by(|x| x > 3)));
        (&table()) => (
            30i64,
            9i64,
            vec![5i64, 9, 6, 5, 5],
            [(1i64, 7i32), (-1, 1), (0, 4)].into_iter().collect::<weldment::Dict<_, _>>(),
            [(false, vec![3i64, -1, 1, -2, 3, -8]), (true, vec![4, 5, 9, 6, 5, 5])]
                .into_iter()
                .collect::<weldment::Dict<_, _>>(),
        ),
        (&array([0, 4], vec![])) => Fault(FaultKind::EmptyReduction, "max"),
    );
    rule!(
        weld!(|a: &Array<i64, 2>| result(for(a, appender[(i64, i64)], |b, (i, j), x| if x > i + j { merge(b, (i * 10 + j, x)) } else { b })));
        (&table()) => vec![(0i64, 3i64), (2, 4), (10, 5), (11, 9), (13, 6), (20, 5), (22, 5)],
        (&over([(2, 2, 2), (3, 1, 2)], vec![5, 6, 7, 9])) => vec![(44i64, 9i64)],
    );
    rule!(
        weld!(|a: &Array<f64, 1>| (a.argmax(), a.fold(1, |s, x| s * 2 + x as i32), a.any(|x| x < 0.0)));
        (&over([(4, 2, 3)], vec![1.0, 3.0, 2.0])) => (6i64, 20i32, false),
    );
}

#[test]
fn arrays_go_through_states_branches_and_structs() {
    rule!(
        weld!(|a: &Array<i64, 2>, n: i64| iterate((a, n), |(a, n)| ((a + n, n - 1), n > 1)));
        (&table(), 3) => (array([3, 4], table().into_vec().iter().map(|x| x + 6).collect::<Vec<i64>>()), 0i64),
        (&over([(1, 2, 2), (0, 1, 1)], vec![5, 6]), 1) => (over([(1, 2, 2), (0, 1, 1)], vec![6i64, 7]), 0i64),
    );
    rule!(
        weld!(|a: &Array<i64, 2>, b: &Array<i64, 2>, c: bool| {
            let chosen = if c { a } else { b * 2 };
            let pair = (chosen, a == b);
            (pair.0.sum(), pair, pair.0[1, 0])
        });
        (&array([2, 1], vec![1, 2]), &over([(1, 1, 2), (0, 1, 1)], vec![1, 2]), true) =>
            (3i64, (array([2, 1], vec![1i64, 2]), false), 2i64),
        (&array([2, 1], vec![1, 2]), &over([(1, 1, 2), (0, 1, 1)], vec![1, 2]), false) =>
            (6i64, (over([(1, 1, 2), (0, 1, 1)], vec![2i64, 4]), false), 2i64),
        (&array([2, 1], vec![1, 2]), &array([2, 1], vec![1, 2]), true) =>
            (3i64, (array([2, 1], vec![1i64, 2]), true), 2i64),
    );
    // Arrays of vectors, and vectors of arrays.
    rule!(
        weld!(|rows: &[Array<f64, 1>], i: i64| (rows.map(|row| row.sum()), rows[i] * 2.0, rows.filter(|row| row[0] > 0.0)));
        (&[array([2], vec![1.0, 2.0]), array([1], vec![-3.0])][..], 1) => (
            vec![3.0, -3.0],
            array([1], vec![-6.0]),
            vec![array([2], vec![1.0, 2.0])],
        ),
        (&[array([2], vec![1.0, 2.0]), array([0], vec![])][..], 0) => Fault(FaultKind::IndexOutOfBounds, "["),
    );
    rule!(
        weld!(|d: &Dict<u8, Array<i64, 1>>, k: u8| (d[k].sum(), optlookup(d, k + 1)));
        (&[(1, array([2], vec![1, 2])), (2, over([(3, 1, 1)], vec![9]))].into_iter().collect(), 1) =>
            (3i64, (true, over([(3, 1, 1)], vec![9i64]))),
        (&[(1, array([2], vec![1, 2]))].into_iter().collect(), 1) => (3i64, (false, array([0], Vec::<i64>::new()))),
    );
}

#[test]
fn arrays_become_bytes() {
    rule!(
        weld!(|a: &Array<u8, 2>| serialize(a));
        (&over([(1, 1, 1), (0, 2, 2)], vec![7, 8])) => [&[2u8, 0, 0, 0, 0, 0, 0, 0, 7, 8][..],
            &[1i64, 0, 1, 2, 1, 2].into_iter().flat_map(i64::to_le_bytes).collect::<Vec<u8>>()].concat(),
    );
}

/// 17 rows: from the first to the last, 1 is lost in 1e16; in lanes, these two meet first.
#[test]
fn sums_down_columns_go_in_order_and_along_rows_in_lanes() {
    let column: Vec<f64> = [1e16, 1.0].into_iter().chain([0.0; 14]).chain([-1e16]).collect();
    rule!(
        weld!(|a: &Array<f64, 2>, b: &Array<f64, 2>| (a.sum(0), a.transpose().sum(1), b.sum(1), b.transpose().sum(0)));
        (&array([17, 1], column.clone()), &array([1, 17], column.clone())) => (
            array([1], vec![0.0]),
            array([1], vec![0.0]),
            array([1], vec![1.0]),
            array([1], vec![1.0]),
        ),
    );
    rule!(
        weld!(|a: &Array<f64, 2>, b: &Array<f64, 2>| array((1, 1), |i, j| (0L..17L).map(|l| a[i, l] * b[l, j]).sum()));
        (&array([1, 17], vec![1.0; 17]), &array([17, 1], column.clone())) => array([1, 1], vec![0.0]),
    );
}

#[test]
fn wide_arrays_are_reduced_down_columns() {
    let (rows, columns) = (5, 2100);
    let elements: Vec<f64> = (0..rows * columns).map(|i| (i % 37) as f64 * 0.7 - 9.0).collect();
    let down = |fold: fn(f64, f64) -> f64| -> Vec<f64> {
        let column = |j| (0..rows).map(|i| elements[i * columns + j]).reduce(fold).expect("rows");
        (0..columns).map(column).collect()
    };
    let (sums, most) = (down(|a, b| a + b), down(f64::max));
    let positive = (0..columns).map(|j| {
        (0..rows).map(|i| elements[i * columns + j]).fold(0.0, |s, x| if x > 1.0 { s + x } else { s })
    });
    let positive: Vec<f64> = positive.collect();
    rule!(
        weld!(|a: &Array<f64, 2>| (a.sum(0), a.max(0), array(extent(a, 1), |j| result(for(a.transpose()[j], merger[f64,+], |b, i, x| if x > 1.0 { merge(b, x) } else { b })))));
        (&array([rows, columns], elements.clone())) => (array([columns], sums), array([columns], most), array([columns], positive)),
    );
}

/// Down columns, too: 4 rows of each matrix at a time, and those that are left; 256 columns at a time, or 1024 of a row that is left.
#[test]
fn products_add_in_order() {
    let element = |i: usize| (i % 41) as f64 * 0.3 - 5.0;
    let matrices = |rows: usize, depth: usize, columns: usize| {
        let (a, b): (Vec<f64>, Vec<f64>) =
            ((0..rows * depth).map(element).collect(), (0..depth * columns).map(element).collect());
        let product = (0..rows * columns).map(|at| {
            let (i, j) = (at / columns, at % columns);
            0.0 + (0..depth).fold(-0.0, |sum, l| sum + a[i * depth + l] * b[l * columns + j])
        });
        let product = array([rows, columns], product.collect::<Vec<f64>>());
        (array([rows, depth], a.clone()), array([depth, columns], b.clone()), product)
    };
    for [rows, depth, columns] in [[3, 9, 1100], [6, 5, 513], [4, 4, 256], [9, 1, 3], [8, 0, 5], [5, 3, 0]] {
        let (a, b, product) = matrices(rows, depth, columns);
        rule!(weld!(|a: &Array<f64, 2>, b: &Array<f64, 2>| inner(a, b)); (&a, &b) => product);
    }
    // What is done with a result knows its row, and is done for all of a row before the next one.
    let (a, b, product) = matrices(6, 2, 300);
    let scaled: Vec<f64> = product
        .as_slice()
        .iter()
        .enumerate()
        .map(|(at, x)| x * (at / 300) as f64 + (at % 300) as f64)
        .collect();
    rule!(
        weld!(|a: &Array<f64, 2>, b: &Array<f64, 2>| array((extent(a, 0), extent(b, 1)), |i, j| {
            let first = i as f64;
            zip(a[i], b.transpose()[j]).map(|(x, y)| x * y).sum() * first + j as f64
        }));
        (&a, &b) => array([6, 300], scaled),
    );
    // How many columns there are is checked in each row.
    let (a, b, product) = matrices(5, 3, 60);
    rule!(
        weld!(|a: &Array<f64, 2>, b: &Array<f64, 2>, v: &[f64]| {
            let (n, m, k) = (extent(a, 0), extent(b, 1), extent(b, 0));
            (0..n).flat_map(|i| zip(0..m, v).map(|(j, _)| (0..k).map(|l| a[i, l] * b[l, j]).sum()))
        });
        (&a, &b, &[0.5; 60][..]) => product.clone().into_vec(),
        (&a, &b, &[0.5; 59][..]) => Fault(FaultKind::ZipLengthMismatch, "map"),
    );
    rule!(
        weld!(|a: &Array<i64, 2>, b: &Array<i64, 2>, w: &Array<i64, 1>| {
            let c = inner(a, b);
            array((extent(a, 0), extent(b, 1)), |i, j| c[i, j] / w[i + j])
        });
        (&array([6, 1], vec![4i64, 6, 8, 10, 12, 14]), &array([1, 2], vec![1i64, 2]), &array([7], vec![1i64, 2, 1, 2, 1, 2, 1])) =>
            array([6, 2], vec![4i64, 4, 3, 12, 8, 8, 5, 20, 12, 12, 7, 28]),
        (&array([6, 1], vec![4i64, 6, 8, 10, 12, 14]), &array([1, 2], vec![1i64, 2]), &array([7], vec![1i64, 0, 1, 2, 1, 2, 1])) =>
            Fault(FaultKind::DivisionByZero, "/"),
        (&array([6, 1], vec![4i64, 6, 8, 10, 12, 14]), &array([1, 2], vec![1i64, 2]), &array([4], vec![1i64, 1, 1, 0])) =>
            Fault(FaultKind::DivisionByZero, "/"),
        (&array([6, 1], vec![4i64, 6, 8, 10, 12, 14]), &array([1, 2], vec![1i64, 2]), &array([3], vec![1i64, 1, 1])) =>
            Fault(FaultKind::IndexOutOfBounds, "["),
    );
}

#[test]
fn reductions_run_along_axes() {
    rule!(
        weld!(|a: &Array<i64, 2>| (a.sum(0), a.sum(1), a.sum((1, 0)), a.product(1), a.count(0), a.any(0, |x| x > 8), a.all(1, |x| x > -3)));
        (&table()) => (
            array([4], vec![13i64, 11, 7, -1]),
            array([3], vec![7i64, 18, 5]),
            30i64,
            array([3], vec![-12i64, -540, -600]),
            array([4], vec![3i64; 4]),
            array([4], vec![false, true, false, false]),
            array([3], vec![true, true, false]),
        ),
        (&over([(2, 1, 0), (1, 3, 2)], vec![])) => (
            over([(1, 3, 2)], vec![0i64, 0]),
            over([(2, 1, 0)], Vec::<i64>::new()),
            0i64,
            over([(2, 1, 0)], Vec::<i64>::new()),
            over([(1, 3, 2)], vec![0i64, 0]),
            over([(1, 3, 2)], vec![false, false]),
            over([(2, 1, 0)], Vec::<bool>::new()),
        ),
    );
    rule!(
        weld!(|a: &Array<i64, 2>| (a.max(0), a.min(1), a.argmax(0), a.argmin(1), max(a, 4), min(a, a.reverse())));
        (&table()) => (
            array([4], vec![5i64, 9, 5, 6]),
            array([3], vec![-1i64, -2, -8]),
            array([4], vec![1i64, 1, 2, 1]),
            array([3], vec![1i64, 2, 3]),
            array([3, 4], vec![4i64, 4, 4, 4, 5, 9, 4, 6, 5, 4, 5, 4]),
            array([3, 4], vec![-8i64, -1, 3, 1, 5, -2, -2, 5, 1, 3, -1, -8]),
        ),
        (&array([0, 2], vec![])) => Fault(FaultKind::EmptyReduction, "max"),
    );
    rule!(
        weld!(|a: &Array<i64, 3>| (a.sum(1), a.sum((0, 2)), a.reduce(2, |x, y| x * 10 + y), a.fold(0, 0.5, |s, x| s * 2.0 + x as f64)));
        (&array([2, 2, 3], (0..12).collect())) => (
            array([2, 3], vec![3i64, 5, 7, 15, 17, 19]),
            array([2], vec![24i64, 42]),
            array([2, 2], vec![12i64, 345, 678, 1011]),
            array([2, 3], vec![8.0, 11.0, 14.0, 17.0, 20.0, 23.0]),
        ),
    );
}

/// Rows go to the sums of columns four at a time, in strips of sixteen: each with the element of `v` that is its own.
#[test]
fn columns_are_summed_beside_a_vector_of_a_number_for_each_row() {
    for rows in [1usize, 4, 15, 16, 17, 35, 70, 1001] {
        let columns = 5;
        let a: Vec<f64> = (0..rows * columns).map(|i| (i * 7 % 13) as f64).collect();
        let v: Vec<f64> = (0..rows).map(|i| (i * 5 % 11) as f64).collect();
        let sum = |j: usize| (0..rows).map(|i| a[i * columns + j] * v[i]).sum::<f64>();
        let sums: Vec<f64> = (0..columns).map(sum).collect();
        let a = array([rows, columns], a.clone());
        rule!(
            weld!(|a: &Array<f64, 2>, v: &[f64], n: i64| (0..n).map(|j| (0..v.len()).map(|i| a[i, j] * v[i]).sum()));
            (&a, &v[..], columns as i64) => sums,
        );
    }
}
