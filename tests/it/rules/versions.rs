//! Versions of a program for values of its parameters: they give what the program without them gives, bit for bit.

use weldment::{Dict, FaultKind, Options, ToProgram, Weld};

use super::rule;
use crate::pairs::Outcome::Fault;

/// Sums of which every order rounds otherwise.
fn uneven(count: usize) -> Vec<f64> {
    (0..count).map(|n| 1.0 / (n * 37 % 101 + 3) as f64).collect()
}

#[test]
fn sums_have_the_bits_of_the_program_as_it_is() {
    let plain = weldment::weld!(|v: &[f64], n: i64, by: f64| {
        let means = (0..len(v) - n + 1).map(|i| (0..n).map(|k| v[i + k]).sum() / n as f64 * by);
        (means.sum(), means)
    });
    let versions = weldment::weld!(
        #[versions(n = [2, 3, 17])]
        |v: &[f64], n: i64, by: f64| {
            let means = (0..len(v) - n + 1).map(|i| (0..n).map(|k| v[i + k]).sum() / n as f64 * by);
            (means.sum(), means)
        }
    );
    let v = uneven(40_000);
    for n in [1, 2, 3, 4, 17, 18] {
        for threads in [1, 2, 3] {
            let options = Options::new().threads(threads);
            let expected: (f64, Vec<f64>) = plain.with(&options).call(&v, n, 0.3).unwrap();
            assert_eq!(versions.with(&options).call(&v, n, 0.3).unwrap(), expected, "{n}, {threads} threads");
        }
    }
    let report = versions.program().explain().unwrap().report;
    assert_eq!(
        report.constants.len(),
        1,
        "to a program that is text, it is a parameter that is to be a constant"
    );
}

#[test]
fn each_combination_is_a_version() {
    rule!(
        weld!(#[versions(n = [1, -2], negate = [true, false])] |v: &[i64], n: i8, negate: bool| {
            let sums = v.map(|x| x * n as i64);
            if negate { sums.map(|x| -x) } else { sums }
        });
        (&[3, 4][..], 1, true) => vec![-3i64, -4],
        (&[3, 4][..], 1, false) => vec![3i64, 4],
        (&[3, 4][..], -2, true) => vec![6i64, 8],
        (&[3, 4][..], -2, false) => vec![-6i64, -8],
        (&[3, 4][..], 5, true) => vec![-15i64, -20],
    );
}

#[test]
fn sizes_and_references_have_versions() {
    rule!(
        weld!(#[versions(n = [2])] |v: &[i64], n: usize| v.take(n).sum());
        (&[3, 4, 5][..], 2) => 7i64,
        (&[3, 4, 5][..], 3) => 12i64,
    );
    let kernel = weldment::weld!(
        #[versions(n = [2])]
        |v: &[i64], n: &i64| v.map(|x| x * n).sum()
    );
    assert_eq!((kernel(&[3, 4], 2), kernel(&[3, 4], 5)), (14, 35));
}

#[test]
fn faults_have_their_places() {
    rule!(
        weld!(#[versions(n = [2, 0])] |v: &[i64], n: i64| (v[n], v.map(|x| x / n).sum()));
        (&[3, 4, 5][..], 2) => (5i64, 5i64),
        (&[3, 4][..], 2) => Fault(FaultKind::IndexOutOfBounds, "[n]"),
        (&[3, 4][..], 0) => Fault(FaultKind::DivisionByZero, "/ n"),
        (&[3][..], 1) => Fault(FaultKind::IndexOutOfBounds, "[n]"),
    );
}

/// Columns that belong to another.
#[derive(Weld, Clone, Copy, Debug)]
struct Columns<'a> {
    keys: &'a [i64],
    values: &'a [f64],
}

const OFFSET: i64 = 3;

fn half(x: f64) -> f64 {
    x / 2.0
}

#[test]
fn what_comes_from_around_goes_to_each_version() {
    let by = 2.0;
    let kernel = weldment::weld!(
        extern { fn half(f64) -> f64; }
        #[versions(width = [1, 2])]
        [by]
        |rows: &Columns, width: i64, more: f64| zip(rows.keys, rows.values)
            .reduce_by(|(k, x)| (k + OFFSET) / width, |(k, x)| half(x) * by + more, +)
    );
    let rows = Columns { keys: &[1, 2, 3], values: &[1.0, 2.0, 4.0] };
    for (width, expected) in
        [(1, vec![(4, 1.5), (5, 2.5), (6, 4.5)]), (2, vec![(2, 4.0), (3, 4.5)]), (4, vec![(1, 8.5)])]
    {
        assert_eq!(kernel(&rows, width, 0.5), expected.into_iter().collect::<Dict<i64, f64>>(), "{width}");
    }
}
