//! Arrays of many rows: what is made of each row after it was reduced, and reductions down few columns, whose rows are split over threads.

use weldment::{Array, CompileOptions, Executor, FaultKind, Options, ToProgram};

use super::arrays::array;
use super::rule;
use crate::pairs::Outcome::Fault;

#[cfg(feature = "llvm")]
const EXECUTORS: [Executor; 2] = [Executor::Interpreter, Executor::Llvm];
#[cfg(not(feature = "llvm"))]
const EXECUTORS: [Executor; 1] = [Executor::Interpreter];

/// So many rows that some of them are in a second segment.
const ROWS: usize = (1 << 18) + 99;

fn tenths(count: usize) -> Vec<f64> {
    (0..count).map(|n| (n * 37 % 1009) as f64 / 10.0).collect()
}

/// The sums of the columns of `rows` of three, in segments.
fn sums(rows: &[f64]) -> Vec<f64> {
    let mut sums = vec![0.0; 3];
    for segment in rows.chunks(3 << 18) {
        let mut partials = [-0.0; 3];
        for elements in segment.chunks(3) {
            partials.iter_mut().zip(elements).for_each(|(sum, x)| *sum += x);
        }
        sums.iter_mut().zip(partials).for_each(|(sum, partial)| *sum += partial);
    }
    sums
}

#[test]
fn few_columns_are_reduced_in_segments_of_rows() {
    let elements = tenths(3 * ROWS);
    let a = array([ROWS, 3], elements.clone());
    let expected = array([3], sums(&elements));
    let in_order = elements.chunks(3).fold(-0.0, |sum, row| sum + row[0]);
    assert_ne!(expected.as_slice()[0], in_order, "segments show");
    let kernel = weldment::weld!(|a: &Array<f64, 2>| a.sum(0));
    for threads in [1, 2, 3] {
        let options = Options::new().threads(threads);
        assert_eq!(kernel.with(&options).call(&a).unwrap(), expected, "{threads} threads");
        for executor in EXECUTORS {
            let name = format!("{executor:?}, {threads} threads");
            let compiled =
                kernel.program().compile(&CompileOptions { executor, ..CompileOptions::default() });
            let got = compiled.unwrap().call_with::<(&Array<f64, 2>,), Array<f64, 1>>(&options, (&a,));
            assert_eq!(got.unwrap(), expected, "{name}");
        }
    }
}

#[test]
fn what_is_made_of_rows_is_reduced_with_them() {
    // Sums of such numbers are exact in any order.
    let quarters = |count: usize| -> Vec<f64> { (0..count).map(|n| (n * 37 % 1009) as f64 / 4.0).collect() };
    let elements = quarters(3 * ROWS);
    let a = array([ROWS, 3], elements.clone());
    let factors = quarters(ROWS);
    let sums = |elements: &[f64], factors: &[f64]| {
        let mut sums = vec![0.0; 3];
        for (row, y) in elements.chunks(3).zip(factors) {
            sums.iter_mut().zip(row).for_each(|(sum, x)| *sum += x * y);
        }
        sums
    };
    rule!(
        weld!(|a: &Array<f64, 2>, y: &[f64]| (0..3).map(|j| (0..y.len()).map(|i| a[i, j] * y[i]).sum() / 2.0));
        (&a, &factors[..]) => sums(&elements, &factors).iter().map(|sum| sum / 2.0).collect::<Vec<_>>(),
        // As few as one segment has: in order.
        (&array([4, 3], elements[..12].to_vec()), &factors[..4]) =>
            sums(&elements[..12], &factors[..4]).iter().map(|sum| sum / 2.0).collect::<Vec<_>>(),
        (&array([0, 3], vec![]), &[][..]) => vec![0.0; 3],
    );
}

#[test]
fn greatest_and_counts_of_columns_need_no_order() {
    let numbers: Vec<i64> = (0..2 * ROWS as i64).map(|n| n * 7919 % 100_003 - 50_000).collect();
    let a = array([ROWS, 2], numbers.clone());
    let column = |j: usize| numbers.iter().skip(j).step_by(2).copied();
    rule!(
        weld!(|a: &Array<i64, 2>| (0..2).map(|j| {
            let column = (0..a.shape().0).map(|i| a[i, j]);
            (column.max(), column.filter(|x| x > 40_000).len(), column.sum() / a.shape().0)
        }));
        (&a) => (0..2).map(|j| (
            column(j).max().unwrap(),
            column(j).filter(|&x| x > 40_000).count() as i64,
            column(j).sum::<i64>() / ROWS as i64,
        )).collect::<Vec<_>>(),
        (&array([0, 2], vec![])) => Fault(FaultKind::EmptyReduction, "max"),
    );
}

#[test]
fn functions_of_what_rows_come_to_are_those_of_each_row() {
    let elements = tenths(5 * 700);
    let rows = || elements.chunks(5).map(|row| row.iter().fold(-0.0, |sum, x| sum + x) / 100.0);
    let a = array([700, 5], elements.clone());
    let y = tenths(700);
    let exp = |x| weldment::weld!(|x: f64| exp(x))(x);
    rule!(
        weld!(|a: &Array<f64, 2>, y: &[f64]| {
            let score = (0..y.len()).map(|i| (0..5).map(|j| a[i, j]).sum() / 100.0);
            (score.map(|s| exp(s)), zip(score, y).map(|(s, y)| (exp(s) - y, s)).filter(|(e, _)| e > 0.0))
        });
        (&a, &y[..]) => (
            rows().map(exp).collect::<Vec<f64>>(),
            rows().zip(&y).map(|(s, y)| (exp(s) - y, s)).filter(|(e, _)| *e > 0.0).collect::<Vec<_>>(),
        ),
    );
}

/// What each row comes to is a quarter, so that sums are exact in any order.
#[test]
fn rows_are_reduced_with_what_they_come_to() {
    let elements: Vec<f64> = (0..3 * ROWS).map(|n| (n * 37 % 1009) as f64 / 4.0).collect();
    let y: Vec<f64> = (0..ROWS).map(|n| (n % 3) as f64).collect();
    let exp = weldment::weld!(|x: f64| floor(exp(x) * 4.0) / 4.0);
    let sums = |elements: &[f64], y: &[f64]| {
        let mut sums = vec![0.0; 3];
        for (row, y) in elements.chunks(3).zip(y) {
            let off = exp(row.iter().fold(-0.0, |sum, x| sum + x) / 500.0) - y;
            sums.iter_mut().zip(row).for_each(|(sum, x)| *sum += x * off);
        }
        sums
    };
    rule!(
        weld!(|a: &Array<f64, 2>, y: &[f64]| {
            let off = (0..y.len()).map(|i| floor(exp((0..3).map(|j| a[i, j]).sum() / 500.0) * 4.0) / 4.0 - y[i]);
            (0..3).map(|j| (0..y.len()).map(|i| a[i, j] * off[i]).sum())
        });
        (&array([ROWS, 3], elements.clone()), &y[..]) => sums(&elements, &y),
        // In a row that is not there, before anything of it is merged.
        (&array([ROWS - 1, 3], elements[3..].to_vec()), &y[..]) => Fault(FaultKind::IndexOutOfBounds, "[i, j]).sum() / 500.0"),
        // In one segment, column by column.
        (&array([700, 3], elements[..2100].to_vec()), &y[..700]) => sums(&elements[..2100], &y[..700]),
        (&array([0, 3], vec![]), &[][..]) => vec![0.0; 3],
    );
}

#[test]
fn rows_are_merged_by_what_they_come_to() {
    let elements: Vec<f64> = (0..5 * 700).map(|n| (n * 37 % 1009) as f64 / 4.0).collect();
    let y: Vec<f64> = (0..700).map(|n| (n % 7) as f64).collect();
    let exp = weldment::weld!(|x: f64| floor(exp(x) * 4.0) / 4.0);
    let mut sums = [0.0, 1.0, 2.0, 3.0, 4.0];
    for (row, y) in elements.chunks(5).zip(&y) {
        let off = exp(row.iter().fold(-0.0, |sum, x| sum + x) / 500.0) - y;
        sums.iter_mut().zip(row).for_each(|(sum, x)| *sum += x * off);
    }
    let a = array([700, 5], elements);
    let outside = |place| Fault(FaultKind::IndexOutOfBounds, place);
    let [first, second] = ["[i + p, j]", "[i + q, j]"];
    rule!(
        weld!(|a: &Array<f64, 2>, y: &[f64], p: i64, q: i64| {
            result(for(y, vecmerger[f64,+]([0.0, 1.0, 2.0, 3.0, 4.0]), |b, i, y| {
                let off = floor(exp((0..5).map(|j| a[i + p, j]).sum() / 500.0) * 4.0) / 4.0 - y;
                for(0..5, b, |b, j, _| merge(b, (j, a[i + q, j] * off)))
            }))
        });
        (&a, &y[..], 0i64, 0i64) => sums.to_vec(),
        // The fault is that of the first row that has one.
        (&a, &y[..], 1i64, 0i64) => outside(first),
        (&a, &y[..], 0i64, 1i64) => outside(second),
        (&a, &y[..], 1i64, 2i64) => outside(second),
        (&a, &y[..], 2i64, 1i64) => outside(first),
    );
}
