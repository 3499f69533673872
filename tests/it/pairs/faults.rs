//! Each kind of fault that a program has by itself, with its place.

use weldment::FaultKind;

use super::Outcome::Fault;
use super::pairs;

pairs! {
    a_fault_between_two_of_an_iteration(&[5i64, 1, 2, 4, 0, 3, 7][..]) = Fault(FaultKind::DivisionByZero, "/ x");
    weld!(|v: &[i64]| v.flat_map(|x| [[x], [100 / x, x]])),
    "|v: vec[i64]| flat_map(v, |x| [[x], [100L / x, x]])";

    an_index_outside(&[0i64, 2, 5, 1, 9][..]) = Fault(FaultKind::IndexOutOfBounds, "[x]");
    weld!(|v: &[i64]| v.map(|x| v[x]).sum()),
    "|v: vec[i64]| sum(map(v, |x| lookup(v, x)))";

    a_slice_that_starts_outside(&[1i64, 2, 3][..], 4i64) = Fault(FaultKind::IndexOutOfBounds, "slice");
    weld!(|v: &[i64], at: i64| slice(v, at, 1)),
    "|v: vec[i64], at: i64| slice(v, at, 1L)";

    a_slice_of_a_negative_size(&[1i64, 2, 3][..], -1i64) = Fault(FaultKind::IndexOutOfBounds, "slice");
    weld!(|v: &[i64], size: i64| slice(v, 1, size)),
    "|v: vec[i64], size: i64| slice(v, 1L, size)";

    a_missing_key(&[1i64, 2, 3][..]) = Fault(FaultKind::KeyNotFound, "lookup");
    weld!(|v: &[i64]| {
        let d = result(for(v, dictmerger[i64,i64,+], |b, _, x| merge(b, (x * 2, x))));
        v.map(|x| lookup(d, x * 2) + lookup(d, x + 1))
    }),
    "|v: vec[i64]|
       let d = result(for(v, dictmerger[i64,i64,+], |b, i, x| merge(b, {x * 2L, x})));
       map(v, |x| lookup(d, x * 2L) + lookup(d, x + 1L))";

    zipped_lengths_that_differ(&[1i64, 2, 3][..], &[1.0f64, 2.0][..]) = Fault(FaultKind::ZipLengthMismatch, "map");
    weld!(|a: &[i64], b: &[f64]| zip(a, b).map(|(x, y)| x as f64 + y)),
    "|a: vec[i64], b: vec[f64]| map(zip(a, b), |p| let x = p.$0; let y = p.$1; f64(x) + y)";

    a_stride_that_does_not_fit(&[1i64, 2, 3, 4][..], 3i64) = Fault(FaultKind::BadIterator, "iter");
    weld!(|v: &[i64], step: i64| result(for(iter(v, 0, 4, step), merger[i64,+], |b, _, x| merge(b, x)))),
    "|v: vec[i64], step: i64| result(for(iter(v, 0L, 4L, step), merger[i64,+], |b, i, x| merge(b, x)))";

    the_first_division_by_zero_of_two(&[4i64, 2, 1, 0, 5, 0][..]) = Fault(FaultKind::DivisionByZero, "/ x");
    weld!(|v: &[i64]| v.map(|x| 100 / x).sum()),
    "|v: vec[i64]| sum(map(v, |x| 100L / x))";

    a_remainder_that_overflows(&[5i32, i32::MIN, 7][..], -1i32) = Fault(FaultKind::Overflow, "% by");
    weld!(|v: &[i32], by: i32| v.map(|x| x % by)),
    "|v: vec[i32], by: i32| map(v, |x| x % by)";

    the_least_of_nothing_beside_a_sum(&[0.0f64; 0][..]) = Fault(FaultKind::EmptyReduction, "min");
    weld!(|v: &[f64]| (v.sum(), v.min(), v.max())),
    "|v: vec[f64]| {sum(v), min(v), max(v)}";

    the_least_of_nothing(&[-1.0f64, -2.0][..]) = Fault(FaultKind::EmptyReduction, "min");
    weld!(|v: &[f64]| v.filter(|x| x > 0.0).min()),
    "|v: vec[f64]| min(filter(v, |x| x > 0.0))";

    an_assertion(&[1i64, 5, 8][..], 6i64) = Fault(FaultKind::AssertionFailed, "assert");
    weld!(|v: &[i64], cap: i64| v.map(|x| if assert(x < cap) { x * 2 } else { 0 })),
    "|v: vec[i64], cap: i64| map(v, |x| if(assert(x < cap), x * 2L, 0L))";

    a_fault_in_a_row(&[vec![1i64, 2], vec![3, 0, 4], vec![0]][..]) = Fault(FaultKind::DivisionByZero, "/ x");
    weld!(|rows: &[Vec<i64>]| rows.map(|row| row.map(|x| 12 / x).sum())),
    "|rows: vec[vec[i64]]| map(rows, |row| sum(map(row, |x| 12L / x)))";
}
