//! Vectors of structs.

use crate::opaque::weldment_case_successor;
use crate::table::cases;

cases! {
    "19", "people with a name that nobody reads", loops 4 => 1 (1), stored 2 => 0 (0), vectors 2;
    |size| n = size.number(4);
    weld!(|n: i64| {
        let people = (0..n).map(|i| (cudf[weldment_case_successor, i64](i), 10 * i, f64(i) + 0.5));
        (people.map(|p| p.2), people.filter(|p| p.1 > 15).map(|p| p.2))
    }) = (vec![0.5f64, 1.5, 2.5, 3.5], vec![2.5f64, 3.5]);

    "20", "an opaque column of people, read backwards", loops 2 => 2 (2), stored 1 => 1 (1), vectors 2, calls 4;
    |size| n = size.number(4);
    weld!(|n: i64| {
        let people = (0..n).map(|i| (i, cudf[weldment_case_successor, i64](10 * i), f64(i) + 0.5));
        (0..n).map(|i| people[n - 1 - i].1)
    }) = vec![31i64, 21, 11, 1];

    "20", "a cheap column of people, read backwards", loops 2 => 1 (1), stored 1 => 0 (0), vectors 1;
    |size| n = size.number(4);
    weld!(|n: i64| {
        let people = (0..n).map(|i| (cudf[weldment_case_successor, i64](i), 10 * i, f64(i) + 0.5));
        (0..n).map(|i| people[n - 1 - i].1)
    }) = vec![30i64, 20, 10, 0];

    "21", "an opaque field of a struct in a struct", loops 2 => 2 (2), stored 1 => 1 (1), vectors 2, calls 3;
    |size| n = size.number(3);
    weld!(|n: i64| {
        let points = (0..n).map(|i| (i, (2 * i, cudf[weldment_case_successor, i64](3 * i))));
        (0..n).map(|i| points[n - 1 - i].1.1)
    }) = vec![7i64, 4, 1];

    "21", "a cheap field of a struct in a struct", loops 2 => 1 (1), stored 1 => 0 (0), vectors 1;
    |size| n = size.number(3);
    weld!(|n: i64| {
        let points = (0..n).map(|i| (i, (2 * i, 3 * i)));
        (0..n).map(|i| points[n - 1 - i].1.1)
    }) = vec![6i64, 3, 0];
}
