//! Loops in loops.

use crate::table::cases;

cases! {
    "11", "a flat map of a flat map", loops 5 => 2 (3), stored 2 => 0 (0), vectors 1;
    |size| xs = &size.elements(&[1i64, 2, 3], |i| i % 4)[..];
    weld!(|xs: &[i64]| xs.flat_map(|x| (0..x).map(|i| i)).flat_map(|y| [y, y + 10])) =
        vec![0i64, 10, 0, 10, 1, 11, 0, 10, 1, 11, 2, 12];

    "12", "a flat map, a filter and a sum", loops 5 => 2 (2), stored 3 => 0 (0), vectors 0;
    |size| xs = &size.elements(&[1i64, 2, 3], |i| i % 4)[..];
    weld!(|xs: &[i64]| xs.flat_map(|x| (0..x).map(|j| x * j)).filter(|y| y % 2 == 0).sum()) = 8i64;

    "17", "an inner loop that does not depend on the outer one", loops 3 => 2 (2), stored 1 => 0 (0), vectors 1;
    |size| ws = &size.elements(&[1i64, 2, 3], |i| i)[..], n = size.number(3);
    weld!(|ws: &[i64], n: i64| (0..n).map(|i| ws.map(|w| w * 2).sum() * i)) = vec![0i64, 12, 24];

    "", "a large consumer stands once behind several merges", loops 4 => 2 (2), stored 2 => 0 (0), vectors 0;
    |size| xs = &size.elements(&[0.0f64, 0.0], |i| i as f64)[..];
    weld!(|xs: &[f64]| xs.flat_map(|x| [x, -x]).map(|x| exp(sin(x))).sum()) = 4.0f64;

    "27", "branches of literals", loops 3 => 1 (2), stored 1 => 0 (0), vectors 0;
    |size| xs = &size.elements(&[1i64, 2, 3], |i| i)[..];
    weld!(|xs: &[i64]| xs.flat_map(|x| if x > 2 { [x, x + 1] } else { [x] }).sum()) = 10i64;

    "", "two of each have their places before the loop", loops 2 => 1 (1), stored 0 => 0 (0), vectors 1;
    |size| xs = &size.elements(&[1.5f64, -2.0], |i| i as f64)[..];
    weld!(|xs: &[f64]| xs.flat_map(|x| [x, -x])) = vec![1.5f64, -1.5, -2.0, 2.0];

    "", "the number of two of each", loops 2 => 0 (0), stored 1 => 0 (0), vectors 0;
    |size| xs = &size.elements(&[1i64, 2, 3], |i| i)[..];
    weld!(|xs: &[i64]| xs.flat_map(|x| if x > 2 { [x, 100 / x] } else { [2, x] }).len()) = 6i64;
}
