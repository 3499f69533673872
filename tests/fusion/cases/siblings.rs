//! Several consumers, several producers.

use crate::opaque::weldment_case_successor;
use crate::table::cases;

cases! {
    "5", "a producer of two consumers", loops 3 => 1 (1), stored 1 => 0 (0), vectors 2;
    |size| xs = &size.elements(&[1i64, 2, 3], |i| i)[..];
    weld!(|xs: &[i64]| { let a = xs.map(|x| x * 2); (a.map(|x| x + 1), a.map(|x| x + 2)) }) =
        (vec![3i64, 5, 7], vec![4i64, 6, 8]);

    "6", "a diamond on a map", loops 4 => 1 (1), stored 3 => 0 (0), vectors 1;
    |size| xs = &size.elements(&[1i64, 2, 3], |i| i)[..];
    weld!(|xs: &[i64]| {
        let a = xs.map(|x| x * 2);
        zip(a.map(|x| x + 1), a.map(|x| x + 2)).map(|(x, y)| x + y)
    }) = vec![7i64, 11, 15];

    "", "searches beside a sum", loops 5 => 1 (1), stored 1 => 0 (0), vectors 0;
    |size| xs = &size.elements(&[1i64, 2, 3], |i| i)[..];
    weld!(|xs: &[i64]| (xs.position(|x| x > 1), xs.any(|x| x > 2), xs.contains(0), xs.filter(|x| x < 4).sum())) =
        (Some(1i64), true, false, 6i64);

    "", "a search of what is computed and filtered", loops 3 => 1 (1), stored 2 => 0 (0), vectors 0;
    |size| xs = &size.elements(&[1i64, 2, 3], |i| i)[..];
    weld!(|xs: &[i64]| xs.map(|x| x * 2).filter(|x| x > 3).all(|x| x < 5)) = false;

    "", "what is taken while something holds", loops 4 => 2 (2), stored 2 => 0 (0), vectors 0;
    |size| xs = &size.elements(&[1i64, 2, 3], |i| i)[..];
    weld!(|xs: &[i64]| xs.take_while(|x| x < 3).map(|x| x * 2).sum()) = 6i64;

    "8", "a diamond on a filter", loops 3 => 1 (1), stored 1 => 0 (0), vectors 0;
    |size| xs = &size.elements(&[1i64, 2, 3], |i| i)[..];
    weld!(|xs: &[i64]| { let f = xs.filter(|x| x > 1); f64(f.sum()) / f64(f.count()) }) = 2.5f64;

    "9", "a zip of two maps of one filter", loops 4 => 1 (1), stored 3 => 0 (0), vectors 1;
    |size| xs = &size.elements(&[1i64, 2, 3], |i| i)[..];
    weld!(|xs: &[i64]| {
        let f = xs.filter(|x| x > 1);
        zip(f.map(|x| x + 1), f.map(|x| x * 10)).map(|(x, y)| x + y)
    }) = vec![23i64, 34];

    "10a", "a zip of filters of two inputs does not fuse", loops 3 => 3 (3), stored 2 => 2 (2), vectors 3;
    |size|
        xs = &size.elements(&[1i64, 2, 3, 4, 5], |i| i)[..],
        ys = &size.elements(&[1i64, 2, 3, 4, 5], |i| 2 + i % 2)[..];
    weld!(|xs: &[i64], ys: &[i64]| {
        zip(xs.filter(|x| x % 2 == 1), ys.filter(|y| y > 2)).map(|(x, y)| x + y)
    }) = vec![4i64, 7, 10];

    "10b", "filters of one input fuse, their zip does not", loops 3 => 2 (2), stored 2 => 2 (2), vectors 3;
    |size| xs = &size.elements(&[1i64, 2, 3, 4, 5], |i| 2 + i % 2)[..];
    weld!(|xs: &[i64]| zip(xs.filter(|x| x % 2 == 1), xs.filter(|y| y > 2)).map(|(x, y)| x + y)) =
        vec![4i64, 7, 10];

    "18", "three reductions of one vector", loops 4 => 1 (1), stored 1 => 0 (0), vectors 0;
    |size| xs = &size.elements(&[3i64, 1, 2], |i| i)[..];
    weld!(|xs: &[i64]| (xs.sum(), xs.map(|x| x * x).sum(), xs.min())) = (6i64, 14i64, 1i64);

    "22", "a dependence through a scalar", loops 3 => 2 (2), stored 1 => 0 (0), vectors 1;
    |size| xs = &size.elements(&[1i64, 2, 3], |i| i)[..];
    weld!(|xs: &[i64]| { let s = xs.map(|x| x + 1).sum(); (s, xs.map(|x| x + s)) }) = (9i64, vec![10i64, 11, 12]);

    "23", "a dependence in a circle, of opaque producers", loops 4 => 3 (3), stored 0 => 0 (0), vectors 4, calls 6;
    |size| m = size.number(2), n = size.number(4);
    weld!(|m: i64, n: i64| {
        let a = (0..m).map(|i| cudf[weldment_case_successor, i64](2 * i));
        let c = (0..n).map(|i| cudf[weldment_case_successor, i64](i + 1));
        let b = a.map(|x| x + c[0]);
        let d = c.map(|x| x + a[0]);
        (a, b, c, d)
    }) = (vec![1i64, 3], vec![3i64, 5], vec![2i64, 3, 4, 5], vec![3i64, 4, 5, 6]);

    "23", "a dependence in a circle, of cheap producers", loops 4 => 2 (2), stored 0 => 0 (0), vectors 4;
    |size| m = size.number(2), n = size.number(4);
    weld!(|m: i64, n: i64| {
        let a = (0..m).map(|i| 2 * i + 1);
        let c = (0..n).map(|i| i + 2);
        let b = a.map(|x| x + c[0]);
        let d = c.map(|x| x + a[0]);
        (a, b, c, d)
    }) = (vec![1i64, 3], vec![3i64, 5], vec![2i64, 3, 4, 5], vec![3i64, 4, 5, 6]);

    "30", "a dot product of two vectors of one size", loops 4 => 1 (1), stored 3 => 0 (0), vectors 0;
    |size|
        xs = &size.elements(&[1i64, 2, 3], |i| i)[..],
        ys = &size.elements(&[4i64, 5, 6], |i| i)[..];
    weld!(|xs: &[i64], ys: &[i64]| {
        let a = (0..len(xs)).map(|i| xs[i] * 2);
        let b = (0..len(xs)).map(|i| ys[i] + 1);
        zip(a, b).map(|(x, y)| x * y).sum()
    }) = 76i64;

    "", "what a match chooses is computed in the loop that reads it", loops 3 => 1 (1), stored 2 => 0 (0), vectors 0;
    |size| xs = &size.elements(&[0i64, 1, 4, 7], |i| i % 10)[..];
    weld!(|xs: &[i64]| {
        let kinds = xs.map(|x| match x { 0 | 1 => (x, true), 2..=5 => (x * 2, false), _ => (-x, true) });
        kinds.map(|p| match p { (n, true) if n < 0 => 10, (n, _) => n }).sum()
    }) = 19i64;
}
