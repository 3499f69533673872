//! Dictionaries, and reductions that must not be taken apart.

use crate::table::cases;

cases! {
    "13", "group by, then a sum of each group", loops 4 => 2 (2), stored 2 => 1 (1), vectors 0;
    |size| pairs = &size.elements(&[(1i64, 10i64), (2, 20), (1, 30)], |i| (i % 10, i))[..];
    weld!(|pairs: &[(i64, i64)]| pairs.group_by(|(k, _)| k).tovec().map(|(_, g)| g.map(|(_, x)| x).sum())) =
        vec![40i64, 20];

    "13b", "group by, then a mean of each group: one table", loops 4 => 2 (2), stored 2 => 1 (2), vectors 0;
    |size| pairs = &size.elements(&[(1i64, 10i64), (2, 20), (1, 30)], |i| (i % 10, i))[..];
    weld!(|pairs: &[(i64, i64)]| {
        pairs.group_by(|(k, _)| k).tovec().map(|(_, g)| f64(g.map(|(_, x)| x).sum()) / f64(g.len()))
    }) = vec![20.0f64, 20.0];

    "", "buckets of a flat map take the key of each element", loops 4 => 2 (2), stored 3 => 1 (1), vectors 0;
    |size| xs = &size.elements(&[1i64, 2, 3], |i| i % 4)[..];
    weld!(|xs: &[i64]| {
        xs.flat_map(|x| (0..x).map(|j| x * j)).reduce_by(|y| y % 3, |_| 1i64, +).tovec()
    }) = vec![(0i64, 5i64), (2, 1)];

    "", "two dictionaries of one key are one table", loops 2 => 2 (2), stored 2 => 1 (1), vectors 0;
    |size| xs = &size.elements(&[1i64, 2, 3, 4], |i| i)[..];
    weld!(|xs: &[i64]| {
        (xs.reduce_by(|x| x % 3, |x| x, +).tovec(), xs.reduce_by(|x| x % 3, |_| 1i64, +).tovec())
    }) = (vec![(1i64, 5i64), (2, 2), (0, 3)], vec![(1i64, 2i64), (2, 1), (0, 1)]);

    "", "a key that would fault is computed under its guard", loops 2 => 1 (1), stored 2 => 1 (1), vectors 0;
    |size| xs = &size.elements(&[0i64, 1, 5, 0, 10], |i| i % 20)[..];
    weld!(|xs: &[i64]| xs.filter(|x| x != 0).reduce_by(|x| 10 / x, |x| x, +).tovec()) =
        vec![(10i64, 1i64), (2, 5), (1, 10)];

    "", "the place of a greatest value is reduced together with it", loops 2 => 1 (1), stored 1 => 0 (0), vectors 0;
    |size| xs = &size.elements(&[3i64, 9, 4, 9], |i| i * 7 % 1000)[..];
    weld!(|xs: &[i64]| xs.enumerate().reduce(|a, b| if b.1 > a.1 { b } else { a }).0) = 1i64;

    "", "the same by argmax", loops 2 => 1 (1), stored 1 => 0 (0), vectors 0;
    |size| xs = &size.elements(&[3i64, 9, 4, 9], |i| i * 7 % 1000)[..];
    weld!(|xs: &[i64]| xs.argmax()) = 1i64;
}
