//! What is computed of whole arrays and vectors, or along one axis: means, orders, sums so far, convolutions.

use weldment::FaultKind;

use super::arrays::{array, over, table};
use super::rule;
use crate::pairs::Outcome::Fault;

#[test]
fn means_and_variances_are_those_of_samples() {
    rule!(
        weld!(|a: &Array<f64, 2>, v: &[i32], f: &[f32]| (a.mean(), a.mean(0), a.var(1), var(a, (0, 1)), v.mean(), v.var(), (f.mean(), f.var(), f.std()), a.std(1)));
        (&array([2, 2], vec![1.0, 2.0, 3.0, 6.0]), &[3, 1, 2][..], &[0.5, 1.5][..]) =>
            (3.0, array([2], vec![2.0, 4.0]), array([2], vec![0.5, 4.5]), 14.0 / 3.0, 2.0, 1.0, (1.0f32, 0.5f32, 0.5f32.sqrt()), array([2], vec![0.5f64.sqrt(), 4.5f64.sqrt()])),
        (&array([1, 0], vec![]), &[i32::MAX, i32::MAX][..], &[f32::MAX][..]) =>
            (f64::NAN, array([0], Vec::<f64>::new()), array([1], vec![f64::NAN]), f64::NAN, f64::from(i32::MAX), 0.0, (f32::MAX, f32::NAN, f32::NAN), array([1], vec![f64::NAN])),
    );
}

#[test]
fn bools_need_no_function() {
    rule!(
        weld!(|a: &Array<bool, 2>, v: &[bool]| (a.any(), a.all(), a.any(0), all(a, 1), a.any(0, |x| !x), v.any(), v.all()));
        (&array([2, 2], vec![true, false, true, true]), &[][..]) =>
            (true, false, array([2], vec![true, true]), array([2], vec![false, true]), array([2], vec![false, true]), false, true),
        (&array([0, 1], vec![]), &[true, false][..]) =>
            (false, true, array([1], vec![false]), array([0], Vec::<bool>::new()), array([1], vec![false]), true, false),
    );
}

#[test]
fn lines_are_sorted() {
    rule!(
        weld!(|a: &Array<i64, 2>| (a.sort(), a.sort(0), a.argsort(), argsort(a, 0), a.sort(0, |x| -x), a.sort(|x, y| compare(y, x))));
        (&array([2, 3], vec![5, 2, 9, 3, 6, 1])) => (
            array([2, 3], vec![2i64, 5, 9, 1, 3, 6]),
            array([2, 3], vec![3i64, 2, 1, 5, 6, 9]),
            array([2, 3], vec![1i64, 0, 2, 2, 0, 1]),
            array([2, 3], vec![1i64, 0, 1, 0, 1, 0]),
            array([2, 3], vec![5i64, 6, 9, 3, 2, 1]),
            array([2, 3], vec![9i64, 5, 2, 6, 3, 1]),
        ),
        (&over([(4, 2, 2), (-1, 1, 1)], vec![2, 1])) => (
            over([(4, 2, 2), (-1, 1, 1)], vec![2i64, 1]),
            over([(4, 2, 2), (-1, 1, 1)], vec![1i64, 2]),
            over([(4, 2, 2), (-1, 1, 1)], vec![-1i64, -1]),
            over([(4, 2, 2), (-1, 1, 1)], vec![6i64, 4]),
            over([(4, 2, 2), (-1, 1, 1)], vec![2i64, 1]),
            over([(4, 2, 2), (-1, 1, 1)], vec![2i64, 1]),
        ),
        (&array([0, 2], vec![])) => (
            array([0, 2], Vec::<i64>::new()), array([0, 2], Vec::<i64>::new()), array([0, 2], Vec::<i64>::new()),
            array([0, 2], Vec::<i64>::new()), array([0, 2], Vec::<i64>::new()), array([0, 2], Vec::<i64>::new()),
        ),
    );
    // Equal elements keep their order, and NaN is last.
    rule!(
        weld!(|a: &Array<f64, 1>, v: &[f64]| (a.sort(), a.argsort(), v.sort(), v.argsort(), a.sort(|x| abs(x))));
        (&over([(3, 1, 4)], vec![2.0, f64::NAN, -3.0, 2.0]), &[2.0, f64::NAN, 1.0][..]) => (
            over([(3, 1, 4)], vec![-3.0, 2.0, 2.0, f64::NAN]),
            over([(3, 1, 4)], vec![5i64, 3, 6, 4]),
            vec![1.0, 2.0, f64::NAN],
            vec![2i64, 0, 1],
            over([(3, 1, 4)], vec![2.0, 2.0, -3.0, f64::NAN]),
        ),
    );
}

#[test]
fn sums_so_far() {
    rule!(
        weld!(|a: &Array<i64, 2>, v: &[f64]| (a.cumsum(0), a.cumsum(1), cumprod(a, 1)[0], a.cumsum(), a[0].cumsum(), v.cumsum(), v.cumprod()));
        (&table(), &[-0.0, 2.0, 0.5][..]) => (
            array([3, 4], vec![3i64, -1, 4, 1, 8, 8, 2, 7, 13, 11, 7, -1]),
            array([3, 4], vec![3i64, 2, 6, 7, 5, 14, 12, 18, 5, 8, 13, 5]),
            array([4], vec![3i64, -3, -12, -12]),
            vec![3i64, 2, 6, 7, 12, 21, 19, 25, 30, 33, 38, 30],
            array([4], vec![3i64, 2, 6, 7]),
            vec![-0.0, 2.0, 2.5],
            vec![-0.0, -0.0, -0.0],
        ),
        (&array([1, 0], vec![]), &[][..]) => (
            array([1, 0], Vec::<i64>::new()), array([1, 0], Vec::<i64>::new()), array([0], Vec::<i64>::new()), Vec::<i64>::new(),
            array([0], Vec::<i64>::new()), Vec::<f64>::new(), Vec::<f64>::new(),
        ),
        (&array([0, 4], vec![]), &[][..]) => Fault(FaultKind::IndexOutOfBounds, "["),
    );
}

#[test]
fn the_least_and_the_greatest_so_far() {
    rule!(
        weld!(|a: &Array<i64, 2>, v: &[f64], w: &[u8]| (a.cummin(0), a.cummax(1), a.cummax(), v.cummin(), v.cummax(), w.cummin(), w.cummax()));
        (&table(), &[f64::NAN, 2.0, f64::NAN, 0.5, 3.0][..], &[7u8, 255, 0, 9][..]) => (
            array([3, 4], vec![3i64, -1, 4, 1, 3, -1, -2, 1, 3, -1, -2, -8]),
            array([3, 4], vec![3i64, 3, 4, 4, 5, 9, 9, 9, 5, 5, 5, 5]),
            vec![3i64, 3, 4, 4, 5, 9, 9, 9, 9, 9, 9, 9],
            vec![f64::NAN, 2.0, 2.0, 0.5, 0.5],
            vec![f64::NAN, 2.0, 2.0, 2.0, 3.0],
            vec![7u8, 7, 0, 0],
            vec![7u8, 255, 255, 255],
        ),
    );
}

#[test]
fn vectors_are_scanned() {
    rule!(
        weld!(|v: &[f64], a: &Array<i64, 1>, first: f64| (
            v.scan(first, |c, x| c * 0.5 + x),
            v.scan_back(first, |c, x| c * 0.5 + x),
            a.scan(1, |c, x| c * 3 + x),
            a.scan_back(1, |c, x| c * 3 + x),
            v.map(|x| x + 1.0).filter(|x| x > 2.0).scan((0, first), |(n, c), x| (n + 1, c + x)).map(|(n, c)| c / n as f64),
        ));
        (&[1.0, 2.0, 4.0][..], &over([(3, 1, 3)], vec![1i64, 0, 2]), 8.0) => (
            vec![5.0, 4.5, 6.25],
            vec![4.0, 6.0, 8.0],
            over([(3, 1, 3)], vec![4i64, 12, 38]),
            over([(3, 1, 3)], vec![46i64, 15, 5]),
            vec![11.0, 8.0],
        ),
        (&[][..], &array([0], vec![]), 8.0) => (
            Vec::<f64>::new(), Vec::<f64>::new(), array([0], Vec::<i64>::new()), array([0], Vec::<i64>::new()), Vec::<f64>::new(),
        ),
    );
}

/// What takes the values of a scan runs in its steps: by the number of each, several at a time, and behind a prefix.
#[test]
fn the_values_of_a_scan_are_taken_in_its_steps() {
    rule!(
        weld!(|v: &[i64], w: &[i64]| {
            let c = v.scan(0, |c, x| max(c + x, 0));
            let large = c.enumerate().filter(|(i, c)| c > i);
            (c, large, c.max(), [9].chain(c), zip(c, v).map(|(c, x)| c * x), zip(c, w).map(|(c, x)| c * x).sum(), c.map(|c| c % 2).group_by(|m| m).get(0))
        });
        (&[3, -1, -5, 4][..], &[1, 10, 100, 1000][..]) => (
            vec![3i64, 2, 0, 4],
            vec![(0i64, 3i64), (1, 2), (3, 4)],
            4i64,
            vec![9i64, 3, 2, 0, 4],
            vec![9i64, -2, 0, 16],
            4023i64,
            Some(vec![0i64, 0, 0]),
        ),
        (&[][..], &[][..]) => Fault(FaultKind::EmptyReduction, "max"),
        (&[1][..], &[][..]) => Fault(FaultKind::ZipLengthMismatch, "map(|(c, x)| c * x).sum()"),
    );
    rule!(
        weld!(|v: &[i64], n: i64| { let c = v.scan(0, |c, x| c + x); (c.map(|x| x / n), c.take(2), c.rev(), len(c)) });
        (&[3, 5, -8][..], 2) => (vec![1i64, 4, 0], vec![3i64, 8], vec![0i64, 8, 3], 3i64),
        (&[][..], 0) => (Vec::<i64>::new(), Vec::<i64>::new(), Vec::<i64>::new(), 0i64),
        (&[1][..], 0) => Fault(FaultKind::DivisionByZero, "/"),
    );
}

/// Steps that are counted, of numbers and of rows that a prefix and a loop make.
#[test]
fn states_go_from_step_to_step() {
    rule!(
        weld!(|a: &[u8], b: &[u8]| {
            let last = a.fold((0..len(b) + 1).map(|j| j), |row, c| {
                let below = row[0] + 1;
                [below].chain((0..len(b)).scan(below, |left, j| min(min(row[j] + select(b[j] != c, 1, 0), row[j + 1] + 1), left + 1)))
            });
            (last[len(b)], last)
        });
        (&b"kitten"[..], &b"sitting"[..]) => (3i64, vec![6i64, 6, 5, 4, 3, 3, 2, 3]),
        (&b""[..], &b"ab"[..]) => (2i64, vec![0i64, 1, 2]),
        (&b"ab"[..], &b""[..]) => (2i64, vec![2i64]),
    );
    rule!(
        weld!(|n: i64| (
            iterate((0i64, 1, 0), |(a, b, i)| ((b, a + b, i + 1), i + 1 < n)).0,
            if n == 0 { 7 } else { iterate((7, 0, true), |(a, i, odd)| ((if odd { a * 3 } else { a - i }, i + 1, !odd), i + 1 < n)).0 },
        ));
        (90) => (2880067194370816120i64, -1444815529876911072i64),
        (1) => (1i64, 21i64),
        (0) => (1i64, 7i64),
        (-5) => (1i64, 21i64),
    );
}

/// Searches run in lockstep: their loop is there a second time for the last of them, and with it the text that a prefix begins.
#[test]
fn what_a_prefix_begins_is_there_twice() {
    rule!(
        weld!(|t: &[i32], v: &[i32], s: &str| v.map(|y| len(if t.search_sorted(y) > 1 { "12" + s.replace("a", "bc") } else { "a" })));
        (&[1, 3, 5][..], &[9, 0, 4, 1, 7][..], "banana") => vec![11i64, 1, 11, 1, 11],
        (&[][..], &[9][..], "") => vec![1i64],
    );
}

#[test]
fn a_scan_faults_where_it_comes_to() {
    rule!(
        weld!(|v: &[i64], w: &[i64]| v.scan(0, |c, x| c + w[x]));
        (&[0, 2, 1][..], &[5, 7, 11][..]) => vec![5i64, 16, 23],
        (&[0, 3, -1][..], &[5, 7, 11][..]) => Fault(FaultKind::IndexOutOfBounds, "["),
    );
}

#[test]
fn rows_are_scanned() {
    rule!(
        weld!(|rows: &[Vec<f64>], init: f64| rows.map(|row| row.scan(init, |c, x| max(c, x)).sum()));
        (&[vec![1.0, 3.0, 2.0], vec![], vec![-1.0]][..], 0.0) => vec![7.0, 0.0, 0.0],
    );
}

#[test]
fn kernels_are_laid_on_arrays() {
    rule!(
        weld!(|a: &Array<i64, 1>, k: &Array<i64, 1>| (convolve(a, k), convolve(a, k, pad(0)), a.convolve(k, wrap), convolve(a, k, clamp)));
        // numpy.convolve(a, k, "valid") and "same".
        (&array([5], vec![1, 2, 3, 4, 5]), &array([3], vec![1, 10, 100])) => (
            over([(1, 1, 3)], vec![123i64, 234, 345]),
            array([5], vec![12i64, 123, 234, 345, 450]),
            array([5], vec![512i64, 123, 234, 345, 451]),
            array([5], vec![112i64, 123, 234, 345, 455]),
        ),
        (&over([(3, 1, 3)], vec![1, 2, 3]), &over([(-7, 2, 2)], vec![1, 10])) => (
            over([(4, 1, 2)], vec![12i64, 23]),
            over([(3, 1, 3)], vec![1i64, 12, 23]),
            over([(3, 1, 3)], vec![31i64, 12, 23]),
            over([(3, 1, 3)], vec![11i64, 12, 23]),
        ),
        (&array([1], vec![7]), &array([4], vec![1, 1, 1, 1])) => (
            over([(1, 1, 0)], Vec::<i64>::new()),
            array([1], vec![7i64]),
            array([1], vec![28i64]),
            array([1], vec![28i64]),
        ),
    );
    rule!(
        weld!(|a: &Array<f64, 2>, k: &Array<f64, 2>| (convolve(a, k), convolve(a, k, pad(0.0))));
        (&array([3, 3], vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0]), &array([2, 2], vec![1.0, 10.0, 100.0, 1000.0])) => (
            over([(1, 1, 2), (1, 1, 2)], vec![1245.0, 2356.0, 4578.0, 5689.0]),
            array([3, 3], vec![1.0, 12.0, 23.0, 104.0, 1245.0, 2356.0, 407.0, 4578.0, 5689.0]),
        ),
    );
}

/// Chunks of 512 columns run apart from each other, each row by row.
#[test]
fn wide_matrices_are_scanned_down_columns() {
    let element = |i: usize| (i % 41) as f64 * 0.25 - 3.0;
    for [rows, columns] in [[3, 2100], [1, 700], [40, 5], [0, 9], [9, 0]] {
        let (x, y): (Vec<f64>, Vec<f64>) = (0..rows * columns).map(|i| (element(i), element(7 * i))).unzip();
        let (mut down, mut up) = (x.clone(), vec![0.0; rows * columns]);
        for at in columns..rows * columns {
            down[at] += down[at - columns];
        }
        for row in (0..rows).rev() {
            for column in 0..columns {
                let (at, below) = (row * columns + column, (row + 1) * columns + column);
                let state = if row + 1 < rows { up[below] } else { 0.5 };
                up[at] = if x[at] > 1.0 { state } else { state * y[at] + x[at] };
            }
        }
        // A sum begins with a zero.
        down.iter_mut().take(columns).for_each(|sum| *sum += 0.0);
        let last: Vec<f64> =
            (0..columns).map(|column| if rows > 1 { down[columns + column] } else { 0.0 }).collect();
        rule!(
            weld!(|a: &Array<f64, 2>, b: &Array<f64, 2>| {
                let down = a.cumsum(0);
                let up = zip(a, b).scan_back(0, 0.5, |s, (x, y)| if x > 1.0 { s } else { s * y + x });
                (down, up, array(extent(a, 1), |j| if extent(a, 0) > 1 { down[1, j] } else { 0.0 }))
            });
            (&array([rows, columns], x.clone()), &array([rows, columns], y.clone())) =>
                (array([rows, columns], down), array([rows, columns], up), array([columns], last)),
        );
    }
}

/// Each row of a scan back is put where it belongs: as many rows as columns, rows of rows, and two results at once.
#[test]
fn rows_are_scanned_back_into_their_places() {
    let up = |rows: usize, columns: usize, x: &[i64]| {
        let mut up = x.to_vec();
        for at in (0..(rows - 1) * columns).rev() {
            up[at] = up[at].wrapping_sub(up[at + columns].wrapping_mul(3));
        }
        up
    };
    let element = |i: usize| (i * i % 23) as i64 - 11;
    for n in [1, 3, 40] {
        let x: Vec<i64> = (0..n * n).map(element).collect();
        rule!(
            weld!(|n: i64, a: &Array<i64, 1>| array((n, n), |i, j| a[i * n + j]).scan_back(0, 0, |s, x| x - s * 3));
            (n as i64, &array([n * n], x.clone())) => array([n, n], up(n, n, &x)),
        );
    }
    let x: Vec<i64> = (0..4 * 3 * 401).map(element).collect();
    let slab = |of: &[i64]| up(4, 3 * 401, of);
    let y: Vec<i64> = x.iter().map(|x| x * 5 + 1).collect();
    rule!(
        weld!(|a: &Array<i64, 3>, b: &Array<i64, 3>| {
            let s = zip(a, b).scan_back(0, (0, 0), |(s, t), (x, y)| (x - s * 3, y - t * 3));
            (s.map(|x| x.0), s.map(|x| x.1))
        });
        (&array([4, 3, 401], x.clone()), &array([4, 3, 401], y.clone())) =>
            (array([4, 3, 401], slab(&x)), array([4, 3, 401], slab(&y))),
    );
    let each: Vec<i64> = x.chunks(401 * 3).flat_map(|rows| up(3, 401, rows)).collect();
    rule!(
        weld!(|a: &Array<i64, 3>| a.scan_back(1, 0, |s, x| x - s * 3));
        (&array([4, 3, 401], x.clone())) => array([4, 3, 401], each.clone()),
    );
}
