//! What must still fault, and what must not.

use weldment::FaultKind;

use crate::table::{Outcome::Fault, cases};

cases! {
    "24", "the minimum of nothing is a fault", loops 2 => 1 (1), stored 1 => 0 (0), vectors 0;
    |size| xs = &size.elements(&[1i64], |i| i)[..];
    weld!(|xs: &[i64]| xs.filter(|x| x > 5).min()) = Fault(FaultKind::EmptyReduction);

    "24", "the sum of nothing is zero", loops 2 => 1 (1), stored 1 => 0 (0), vectors 0;
    |size| xs = &size.elements(&[1i64], |i| i)[..];
    weld!(|xs: &[i64]| xs.filter(|x| x > 5).sum()) = 0i64;

    "26", "what is out of range is still a fault", loops 2 => 2 (2), stored 1 => 1 (1), vectors 2;
    |size| n = size.number(4);
    weld!(|n: i64| { let f = (0..n).filter(|i| i > 0); (0..n).map(|i| f[i] + 1) }) = Fault(FaultKind::IndexOutOfBounds);

    "", "what can fault stays in a loop that runs zero times", loops 3 => 2 (2), stored 1 => 0 (0), vectors 0;
    |size| xs = &[0i64; 0][..], ys = &size.elements(&[0i64], |i| i)[..];
    weld!(|xs: &[i64], ys: &[i64]| xs.map(|x| ys.map(|y| 1 / y).sum() + x)) = vec![0i64; 0];
}
