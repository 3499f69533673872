//! Searches: what is found, what is not asked any more, and that blocks of any length find the first.

use weldment::FaultKind;

use super::rule;
use crate::pairs::Outcome::Fault;

#[test]
fn the_first_of_several_is_found() {
    let v = [3i64, -1, 4, -1, 5];
    rule!(
        weld!(|v: &[i64], x: i64| (v.position(|y| y == x), v.find(|y| y > x), v.take_while(|y| y != x), v.skip_while(|y| y != x)));
        (&v[..], -1) => (Some(1i64), Some(3i64), vec![3i64], vec![-1i64, 4, -1, 5]),
        (&v[..], 3) => (Some(0i64), Some(4i64), Vec::<i64>::new(), v.to_vec()),
        (&v[..], 5) => (Some(4i64), None::<i64>, vec![3i64, -1, 4, -1], vec![5i64]),
        (&v[..], 9) => (None::<i64>, None::<i64>, v.to_vec(), Vec::<i64>::new()),
        (&[][..], 9) => (None::<i64>, None::<i64>, Vec::<i64>::new(), Vec::<i64>::new()),
    );
}

#[test]
fn what_is_searched_may_be_computed_filtered_or_zipped() {
    let v = [3i64, -1, 4, 1, 5];
    rule!(
        weld!(|v: &[i64], x: i64| {
            let odd = v.filter(|y| y % 2 != 0);
            (v.map(|y| y * 2).position(|y| y == x), odd.position(|y| y == x), odd.find(|y| y > x),
             zip(v, v.rev()).position(|(a, b)| a == b), (0..x).position(|i| i * i > 10), odd.any(|y| y == x))
        });
        (&v[..], 10) => (Some(4i64), None::<i64>, None::<i64>, Some(2i64), Some(4i64), false),
        (&v[..], 1) => (None::<i64>, Some(2i64), Some(3i64), Some(2i64), None::<i64>, true),
        (&[][..], 1) => (None::<i64>, None::<i64>, None::<i64>, None::<i64>, None::<i64>, false),
    );
    let rows = [(7i64, 0.5), (9, 1.5), (7, 2.5)];
    rule!(
        weld!(|rows: &[(i64, f64)], id: i64| (rows.find(|r| r.0 == id), rows.rev().find(|r| r.0 == id).map(|r| r.1)));
        (&rows[..], 7) => (Some((7i64, 0.5)), Some(2.5)),
        (&rows[..], 8) => (None::<(i64, f64)>, None::<f64>),
    );
}

#[test]
fn behind_what_is_found_nothing_faults() {
    let zero = || Fault(FaultKind::DivisionByZero, "/");
    rule!(
        weld!(|v: &[i64], x: i64| v.position(|y| 12 / y == x));
        (&[5i64, 3, 0][..], 4) => Some(1i64),
        (&[5i64, 0, 3][..], 4) => zero(),
        (&[5i64, 3][..], 6) => None::<i64>,
        (&[][..], 6) => None::<i64>,
    );
    rule!(
        weld!(|v: &[i64], x: i64| (v.any(|y| 12 / y == x), v.take_while(|y| 12 / y != x)));
        (&[5i64, 3, 0][..], 4) => (true, vec![5i64]),
        (&[5i64, 2][..], 4) => (false, vec![5i64, 2]),
        (&[0i64, 3][..], 4) => zero(),
    );
    rule!(
        weld!(|v: &[i64], x: i64| v.all(|y| 12 / y != x));
        (&[5i64, 3, 0][..], 4) => false,
        (&[5i64, 2][..], 4) => true,
        (&[5i64, 0][..], 4) => zero(),
    );
    rule!(
        weld!(|at: &[i64], flags: &[bool]| (at.all(|i| flags[i]), at.find(|i| !flags[i])));
        (&[0i64, 2, 9][..], &[true, true, false][..]) => (false, Some(2i64)),
        (&[0i64, 1][..], &[true, true, false][..]) => (true, None::<i64>),
        (&[0i64, 3][..], &[true, true, false][..]) => Fault(FaultKind::IndexOutOfBounds, "["),
    );
}

#[test]
fn what_makes_the_vector_faults_anyway() {
    rule!(
        weld!(|v: &[i64], x: i64| v.map(|y| 12 / y).any(|y| y == x));
        (&[3i64, 0][..], 4) => Fault(FaultKind::DivisionByZero, "/"),
        (&[3i64, 5][..], 4) => true,
    );
}

#[test]
fn blocks_of_any_length_find_the_first() {
    let n = 70_000;
    for at in [0, 1, 4095, 4096, 12_287, 12_288, 40_000, n - 1, n] {
        let mut v = vec![1i32; n];
        v[at..].fill(7);
        let found = (at < n).then_some(at as i64);
        rule!(
            weld!(|v: &[i32], x: i32| (v.position(|y| y == x), v.any(|y| y == x), v.all(|y| y != x), v.take_while(|y| y != x).len()));
            (&v[..], 7) => (found, at < n, at == n, at as i64),
        );
        let sum = v[..at].iter().map(|&x| i64::from(x)).sum::<i64>();
        rule!(
            weld!(|v: &[i32], x: i32| (v.take_while(|y| y != x).map(|y| y as i64).sum(), v.find(|y| y == x)));
            (&v[..], 7) => (sum, found.map(|_| 7i32)),
        );
    }
}

#[test]
fn each_row_ends_by_itself() {
    let row = |n: i64, at: i64| (0..n).map(|i| if i == at { 7 } else { i % 5 }).collect::<Vec<i64>>();
    let rows = [row(0, 0), row(1, 0), row(3000, 2999), row(200, 63), row(200, 64), row(5, 9), row(130, 128)];
    let found: Vec<Option<i64>> = vec![None, Some(0), Some(2999), Some(63), Some(64), None, Some(128)];
    let whether: Vec<bool> = found.iter().map(Option::is_some).collect();
    rule!(
        weld!(|rows: &[Vec<i64>], x: i64| (rows.map(|row| row.position(|y| y == x)), rows.map(|row| row.contains(x))));
        (&rows[..], 7) => (found, whether),
    );
}
