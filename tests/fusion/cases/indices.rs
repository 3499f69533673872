//! Consumers that use their index, the length of the producer, or other elements of it.

use crate::opaque::weldment_case_successor;
use crate::table::cases;

cases! {
    "14a", "an index over a map", loops 3 => 1 (1), stored 2 => 0 (0), vectors 1;
    |size| xs = &size.elements(&[1i64, 2, 3], |i| i)[..];
    weld!(|xs: &[i64]| { let a = xs.map(|x| x * 2); a.enumerate().map(|(i, x)| x + i) }) = vec![2i64, 5, 8];

    "14b", "an index over a filter is not that of its input", loops 3 => 2 (2), stored 2 => 1 (1), vectors 2;
    |size| xs = &size.elements(&[5i64, 1, 7], |i| i)[..];
    weld!(|xs: &[i64]| xs.filter(|x| x > 1).enumerate().map(|(i, x)| x + i)) = vec![5i64, 8];

    "15a", "the length of a map", loops 2 => 1 (1), stored 1 => 0 (0), vectors 1;
    |size| xs = &size.elements(&[1i64, 2, 3], |i| i)[..];
    weld!(|xs: &[i64]| { let a = xs.map(|x| x * 2); a.map(|x| x + a.len()) }) = vec![5i64, 7, 9];

    "15b", "the length of a filter", loops 2 => 2 (2), stored 1 => 1 (1), vectors 2;
    |size| xs = &size.elements(&[1i64, 2, 3], |i| i)[..];
    weld!(|xs: &[i64]| { let a = xs.filter(|x| x > 1); a.map(|x| x + a.len()) }) = vec![4i64, 5];

    "16", "one element of an opaque map", loops 2 => 2 (2), stored 1 => 1 (1), vectors 2, calls 3;
    |size| xs = &size.elements(&[1i64, 3, 5], |i| i)[..];
    weld!(|xs: &[i64]| { let a = xs.map(|x| cudf[weldment_case_successor, i64](x)); a.map(|x| x + a[0]) }) =
        vec![4i64, 6, 8];

    "16", "one element of a cheap map", loops 2 => 1 (1), stored 1 => 0 (0), vectors 1;
    |size| xs = &size.elements(&[1i64, 2, 3], |i| i)[..];
    weld!(|xs: &[i64]| { let a = xs.map(|x| x * 2); a.map(|x| x + a[0]) }) = vec![4i64, 6, 8];

    "25", "a part of an opaque map", loops 2 => 2 (2), stored 1 => 1 (1), vectors 2, calls 10;
    |size| n = size.number(10);
    weld!(|n: i64| { let a = (0..n).map(|i| cudf[weldment_case_successor, i64](i)); (0..n / 2).map(|i| a[i] * 2) }) =
        vec![2i64, 4, 6, 8, 10];

    "25", "a part of a cheap map", loops 2 => 1 (1), stored 1 => 0 (0), vectors 1;
    |size| n = size.number(10);
    weld!(|n: i64| { let a = (0..n).map(|i| i + 1); (0..n / 2).map(|i| a[i] * 2) }) =
        vec![2i64, 4, 6, 8, 10];

    "", "a loop over a part of a vector is not the vector", loops 1 => 1 (1), stored 0 => 0 (0), vectors 1;
    |size| xs = &size.elements(&[1i64, 2, 3], |i| i)[..];
    weld!(|xs: &[i64]| (0..len(xs) - 1).map(|i| xs[i])) = vec![1i64, 2];

    "25", "the first of a cheap map", loops 2 => 1 (1), stored 1 => 0 (0), vectors 0;
    |size| xs = &size.elements(&[1i64, 2, 3], |i| i)[..];
    weld!(|xs: &[i64]| xs.map(|x| x * 2).take(2)) = vec![2i64, 4];

    "25", "all but the first of a filter", loops 3 => 2 (2), stored 2 => 1 (1), vectors 1;
    |size| xs = &size.elements(&[1i64, 2, 3], |i| i)[..];
    weld!(|xs: &[i64]| xs.filter(|x| x > 1).skip(1).sum()) = 3i64;

    "", "every second element, the other way round", loops 4 => 1 (1), stored 3 => 0 (0), vectors 0;
    |size| xs = &size.elements(&[1i64, 2, 3], |i| i)[..];
    weld!(|xs: &[i64]| xs.step_by(2).rev().map(|x| x + 1).sum()) = 6i64;

    "", "an element of two columns at indices from memory", loops 3 => 2 (2), stored 2 => 1 (1), vectors 1;
    |size| at = &size.elements(&[2i64, 0, 2], |i| i % 3)[..], a = &size.elements(&[1.0, 2.0, 4.0], |i| i as f64)[..],
        b = &size.elements(&[1.0, 2.0, 4.0], |i| i as f64)[..];
    weld!(|at: &[i64], a: &[f64], b: &[f64]| { let w = zip(a, b).map(|(x, y)| x * y); at.map(|i| w[i]).sum() }) = 33.0;

    "", "an element of one column at indices from memory", loops 3 => 1 (1), stored 2 => 0 (0), vectors 0;
    |size| at = &size.elements(&[2i64, 0, 2], |i| i % 3)[..], a = &size.elements(&[1.0, 2.0, 4.0], |i| i as f64)[..];
    weld!(|at: &[i64], a: &[f64]| { let w = a.map(|x| x * 3.0); at.map(|i| w[i]).sum() }) = 27.0;

    "", "one that is to be inlined", loops 3 => 1 (1), stored 2 => 0 (0), vectors 0;
    |size| at = &size.elements(&[2i64, 0, 2], |i| i % 3)[..], a = &size.elements(&[1.0, 2.0, 4.0], |i| i as f64)[..],
        b = &size.elements(&[1.0, 2.0, 4.0], |i| i as f64)[..];
    weld!(|at: &[i64], a: &[f64], b: &[f64]| { let w = zip(a, b).map(|(x, y)| x * y).inline(); at.map(|i| w[i]).sum() }) = 33.0;

    "", "one that is to be stored", loops 2 => 2 (2), stored 1 => 1 (1), vectors 1;
    |size| xs = &size.elements(&[1i64, 2, 3], |i| i)[..];
    weld!(|xs: &[i64]| xs.map(|x| x * 2).store().sum()) = 12i64;

    "", "one of two vectors that is to be inlined", loops 3 => 1 (1), stored 2 => 0 (0), vectors 1;
    |size| xs = &size.elements(&[1i64, 2, 3], |i| i)[..];
    weld!(|xs: &[i64]| { let p = (xs.map(|x| x * 2), xs.filter(|x| x > 1)); (p.0.inline().sum(), p.1) }) =
        (12i64, vec![2i64, 3]);
}
