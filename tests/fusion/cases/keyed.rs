//! Reductions for each of several keys, and along columns of rows.

use weldment::FaultKind;

use crate::table::{Outcome::Fault, cases};

cases! {
    "", "several results for each key are one table", loops 1 => 1 (1), stored 1 => 1 (1), vectors 0;
    |size| xs = &size.elements(&[1i64, 2, 3], |i| i % 7)[..];
    weld!(|xs: &[i64]| xs.aggregate(|x| x % 2, |g| (g.sum(), g.count(), g.max()))[1]) = (4i64, 2i64, 3i64);

    "", "a sum for each key is a table of sums", loops 4 => 4 (4), stored 2 => 2 (2), vectors 0;
    |size|
        ks = &size.elements(&[1i64, 2, 1, 4], |i| i % 7)[..],
        xs = &size.elements(&[10i64, 20, 30, 40], |i| i)[..],
        cs = &[2i64, 1, 3, 1, 5, 6, 7, 8, 9][..];
    weld!(|ks: &[i64], xs: &[i64], cs: &[i64]| {
        cs.map(|c| zip(ks, xs).filter(|(k, _)| k == c).map(|(_, x)| x).sum())
    }) = vec![20i64, 40, 0, 40, 0, 0, 0, 0, 0];

    "", "the largest for a key that no element has is a fault", loops 4 => 4 (4), stored 2 => 2 (2), vectors 0;
    |size|
        ks = &size.elements(&[1i64, 2, 1], |i| i % 7)[..],
        xs = &size.elements(&[10i64, 20, 30], |i| i)[..],
        cs = &[2i64, 1, 3, 1, 5, 6, 7, 8, 9][..];
    weld!(|ks: &[i64], xs: &[i64], cs: &[i64]| {
        cs.map(|c| zip(ks, xs).filter(|(k, _)| k == c).map(|(_, x)| x).max())
    }) = Fault(FaultKind::EmptyReduction);

    "", "without keys nobody compares lengths", loops 4 => 4 (4), stored 2 => 2 (2), vectors 0;
    |size| ks = &[1i64][..], xs = &size.elements(&[10i64, 20], |i| i)[..], cs = &[0i64; 0][..];
    weld!(|ks: &[i64], xs: &[i64], cs: &[i64]| {
        cs.map(|c| zip(ks, xs).filter(|(k, _)| k == c).map(|(_, x)| x).sum())
    }) = vec![0i64; 0];

    "", "a division for each key stays under its comparison", loops 4 => 4 (4), stored 2 => 2 (2), vectors 0;
    |size| ks = &size.elements(&[0i64, 2, 3, 2], |i| i % 4)[..], cs = &[2i64, 1, 3, 1, 5, 6, 7, 8, 9][..];
    weld!(|ks: &[i64], cs: &[i64]| cs.map(|c| ks.filter(|k| k == c).map(|k| 6 / k).sum())) =
        vec![6i64, 0, 2, 0, 0, 0, 0, 0, 0];

    "", "a division for a key that is wanted is a fault", loops 4 => 4 (4), stored 2 => 2 (2), vectors 0;
    |size| ks = &size.elements(&[0i64, 2, 3, 2], |i| i % 4)[..], cs = &[1i64, 1, 1, 1, 1, 1, 1, 1, 0][..];
    weld!(|ks: &[i64], cs: &[i64]| cs.map(|c| ks.filter(|k| k == c).map(|k| 6 / k).sum())) =
        Fault(FaultKind::DivisionByZero);

    "", "columns are summed in blocks of eight, and one by one", loops 3 => 4 (4), stored 1 => 1 (1), vectors 0;
    |size|
        xs = &size.elements(&[0i64, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19], |i| i)[..],
        n = size.number(20) / 10,
        m = 10i64;
    weld!(|xs: &[i64], n: i64, m: i64| (0..m).map(|j| (0..n).map(|i| xs[i * m + j]).sum())) =
        vec![10i64, 12, 14, 16, 18, 20, 22, 24, 26, 28];

    "", "a column that is not there is a fault in any block", loops 3 => 4 (4), stored 1 => 1 (1), vectors 0;
    |size| xs = &size.elements(&[0i64, 1, 2, 3, 4, 5, 6, 7, 8], |i| i)[..], n = size.number(10) / 10, m = 11i64;
    weld!(|xs: &[i64], n: i64, m: i64| (0..m).map(|j| (0..n).map(|i| xs[i * m + j]).sum())) =
        Fault(FaultKind::IndexOutOfBounds);

    "", "a join by an index looks up in the loop that reads it", loops 5 => 2 (2), stored 4 => 1 (1), vectors 0;
    |size| xs = &size.elements(&[1i64, 2, 3, 5], |i| i)[..], ys = &[(1i64, 10i64), (2, 20)][..];
    weld!(|xs: &[i64], ys: &[(i64, i64)]| {
        xs.join(ys.index_by(|(k, _)| k), |x| x % 4).map(|(x, (_, y))| x * y).sum()
    }) = 100i64;

    "", "an index of keys that come twice is a fault", loops 5 => 2 (2), stored 4 => 1 (1), vectors 0;
    |size| xs = &size.elements(&[1i64, 2, 3, 5], |i| i)[..], ys = &[(1i64, 10i64), (1, 20)][..];
    weld!(|xs: &[i64], ys: &[(i64, i64)]| {
        xs.join(ys.index_by(|(k, _)| k), |x| x % 4).map(|(x, (_, y))| x * y).sum()
    }) = Fault(FaultKind::DuplicateKey);

    "", "a join with groups goes through each of them where it is found", loops 5 => 3 (3), stored 3 => 1 (1), vectors 0;
    |size| xs = &size.elements(&[1i64, 2, 3, 5], |i| i)[..], ys = &[(1i64, 10i64), (2, 20), (1, 30)][..];
    weld!(|xs: &[i64], ys: &[(i64, i64)]| {
        xs.join(ys.group_by(|(k, _)| k), |x| x % 4).map(|(x, (_, y))| x * y).sum()
    }) = 280i64;
}
