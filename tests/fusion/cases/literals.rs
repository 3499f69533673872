//! Programs of which everything is known: the compiler runs their loops.

use weldment::FaultKind;

use crate::table::{Outcome::Fault, cases};

cases! {
    "1", "a map of a map of a literal", loops 2 => 0 (1), stored 1 => 0 (0), vectors 0;
    |size| ;
    weld!(|| [1i64, 2, 3].map(|x| x + 1).map(|x| x * 2)) = vec![4i64, 6, 8];

    "2", "a map, a filter, a map and a sum over a literal", loops 4 => 0 (1), stored 3 => 0 (0), vectors 0;
    |size| ;
    weld!(|| [1i64, 2, 3, 4, 5].map(|x| x * x).filter(|x| x > 4).map(|x| x + 1).sum()) = 53i64;

    "3", "a sum of floats over a fixed range", loops 3 => 0 (1), stored 2 => 0 (0), vectors 0;
    |size| ;
    weld!(|| (0..10).filter(|i| i != 2).map(|i| i - 2).fold(0.0, |sum, y| sum + 1.0 / f64(y))) =
        1.0928571428571427f64;

    "23", "a dependence in a circle, over fixed ranges", loops 4 => 0 (2), stored 0 => 0 (0), vectors 0;
    |size| ;
    weld!(|| {
        let a = (0..2).map(|i| 2 * i + 1);
        let c = (0..4).map(|i| i + 2);
        let b = a.map(|x| x + c[0]);
        let d = c.map(|x| x + a[0]);
        (a, b, c, d)
    }) = (vec![1i64, 3], vec![3i64, 5], vec![2i64, 3, 4, 5], vec![3i64, 4, 5, 6]);

    "24", "the minimum of nothing that is left of a literal", loops 2 => 0 (1), stored 1 => 0 (0), vectors 0;
    |size| ;
    weld!(|| [1i64].filter(|x| x > 5).min()) = Fault(FaultKind::EmptyReduction);

    "25", "a part of a map of a fixed range", loops 2 => 0 (1), stored 1 => 0 (0), vectors 0;
    |size| ;
    weld!(|| { let a = (0..10).map(|i| i + 1); (0..5).map(|i| a[i]) }) = vec![1i64, 2, 3, 4, 5];

    "26", "what is out of the range of a literal", loops 2 => 2 (2), stored 1 => 1 (1), vectors 0;
    |size| ;
    weld!(|| { let f = (0..4).filter(|i| i > 0); (0..4).map(|i| f[i] + 1) }) = Fault(FaultKind::IndexOutOfBounds);

    "", "a sum over a literal inside a loop", loops 3 => 1 (1), stored 1 => 0 (0), vectors 1;
    |size| xs = &size.elements(&[1.0f64, 2.0], |i| i as f64)[..];
    weld!(|xs: &[f64]| xs.map(|x| x * [0.5, 1.5, 2.0].map(|y| y * y).sum())) = vec![6.5f64, 13.0];
}
