//! `vecmerger`, `sort`, bytes.

use weldment::FaultKind;

use super::Outcome::Fault;
use super::pairs;

const NAN: f64 = f64::NAN;

pairs! {
    histogram(&[0i64, 2, 2, 1, 2, 0][..], &[0i64, 100, 0][..]) = vec![2i64, 101, 3];
    weld!(|v: &[i64], start: &[i64]| result(for(v, vecmerger[i64,+](start), |b, _, x| merge(b, (x, 1))))),
    "|v: vec[i64], start: vec[i64]| result(for(v, vecmerger[i64,+](start), |b, i, x| merge(b, {x, 1L})))";

    scattered_extremes(&[(0i64, NAN), (1, NAN), (1, 4.0), (2, NAN), (3, 1.0)][..], &[NAN, NAN, 7.0, -0.0][..]) =
        vec![NAN, 4.0f64, 7.0, -0.0];
    weld!(|rows: &[(i64, f64)], v: &[f64]| result(for(rows, vecmerger[f64,min](v), |b, _, row| merge(b, row)))),
    "|rows: vec[{i64,f64}], v: vec[f64]| result(for(rows, vecmerger[f64,min](v), |b, i, row| merge(b, row)))";

    an_index_outside_a_vecmerger(&[0i64, 1, -1, 7][..], &[1i64, 1][..]) = Fault(FaultKind::IndexOutOfBounds, "merge(b");
    weld!(|v: &[i64], start: &[i64]| result(for(v, vecmerger[i64,+](start), |b, _, x| merge(b, (x, 1))))),
    "|v: vec[i64], start: vec[i64]| result(for(v, vecmerger[i64,+](start), |b, i, x| merge(b, {x, 1L})))";

    bytes_that_are_too_few(&[1u8, 2, 3][..]) = Fault(FaultKind::DeserializeError, "deserialize");
    weld!(|bytes: &[u8]| deserialize[i32](bytes)),
    "|bytes: vec[u8]| deserialize[i32](bytes)";

    sorted_both_ways(&[3i64, -1, 2, 3][..]) = (vec![-1i64, 2, 3, 3], vec![3i64, 3, 2, -1]);
    weld!(|v: &[i64]| (v.sort(|a, b| compare(a, b)), v.sort(|a, b| compare(b, a)))),
    "|v: vec[i64]| {sort(v, |a, b| compare(a, b)), sort(v, |a, b| compare(b, a))}";

    a_stable_sort_of_rows(&[(2i32, 1.0f64), (1, 5.0), (2, -1.0), (1, -5.0)][..]) =
        vec![(1i32, 5.0f64), (1, -5.0), (2, 1.0), (2, -1.0)];
    weld!(|rows: &[(i32, f64)]| sort(rows, |a, b| compare(a.0, b.0))),
    "|rows: vec[{i32,f64}]| sort(rows, |a, b| compare(a.$0, b.$0))";

    sorted_rows_of_rows(&[vec![3u8, 1], vec![], vec![2]][..], 10i64) = (vec![vec![1u8, 3], vec![], vec![2]], 9i64);
    weld!(|rows: &[Vec<u8>], far: i64| {
        let sorted = rows.map(|row| sort(row, |a, b| compare(a, b)));
        (sorted, sort(sorted.map(|row| far - row.len()), |a, b| compare(a, b))[1])
    }),
    "|rows: vec[vec[u8]], far: i64|
       let sorted = map(rows, |row| sort(row, |a, b| compare(a, b)));
       {sorted, lookup(sort(map(sorted, |row| far - len(row)), |a, b| compare(a, b)), 1)}";

    bytes_there_and_back(&[(1i16, vec![true, false]), (-2, vec![])][..]) =
        (true, vec![2u8, 0, 0, 0, 0, 0, 0, 0, 1, 0, 2, 0, 0, 0, 0, 0, 0, 0, 1, 0, 254, 255, 0, 0, 0, 0, 0, 0, 0, 0]);
    weld!(|rows: &[(i16, Vec<bool>)]| {
        let bytes = serialize(rows);
        (deserialize[vec[(i16, Vec<bool>)]](bytes) == rows, bytes)
    }),
    "|rows: vec[{i16,vec[bool]}]|
       let bytes = serialize(rows);
       {deserialize[vec[{i16,vec[bool]}]](bytes) == rows, bytes}";

    the_first_fault_of_a_comparator(&[3i64, 0, 2][..]) = Fault(FaultKind::DivisionByZero, "/ a");
    weld!(|v: &[i64]| sort(v, |a, b| i32(6 / b - 6 / a))),
    "|v: vec[i64]| sort(v, |a, b| i32(6L / b - 6L / a))";

    indices_of_any_integer_type(&[10i64, 20, 30][..], (1u8, 2i32), (1u64, u64::MAX)) =
        (vec![20i64, 30], vec![20i64, 30], vec![10i64, 21, 35], 20i64);
    weld!(|v: &[i64], near: (u8, i32), far: (u64, u64)| {
        let added = for(v, vecmerger[i64,+](v), |b, i, x| if i == 0 { merge(merge(b, (near.0, 1)), (near.1, 5)) } else { b });
        (slice(v, near.0, near.1), v.slice(far.0, far.1), result(added), v[far.0])
    }),
    "|v: vec[i64], near: {u8,i32}, far: {u64,u64}|
       let added = for(v, vecmerger[i64,+](v), |b, i, x|
         if(i == 0L, merge(merge(b, {near.$0, 1L}), {near.$1, 5L}), b));
       {slice(v, near.$0, near.$1), slice(v, far.$0, far.$1), result(added), lookup(v, far.$0)}";
}
