//! Orders: `sort`, `sort_by`, `sort_by_key`.

use super::pairs;

const NAN: f64 = f64::NAN;

pairs! {
    sorted_downwards(&[3i64, 9, -2, 9, 0][..]) = vec![9i64, 9, 3, 0, -2];
    weld!(|v: &[i64]| v.sort_by(|a, b| compare(b, a))),
    "|v: vec[i64]| sort_by(v, |a, b| compare(b, a))";

    equal_keys_keep_their_order(&[(3i32, 0i64), (1, 1), (3, 2), (1, 3), (2, 4)][..]) =
        vec![(1i32, 1i64), (1, 3), (2, 4), (3, 0), (3, 2)];
    weld!(|v: &[(i32, i64)]| v.sort_by_key(|x| x.0)),
    "|v: vec[{i32,i64}]| sort_by_key(v, |x| x.$0)";

    keys_of_several_parts(&[(0.5f64, 7u8), (-0.5, 7), (2.0, 1)][..]) = vec![(2.0f64, 1u8), (-0.5, 7), (0.5, 7)];
    weld!(|v: &[(f64, u8)]| v.sort_by_key(|(x, y)| (y, x))),
    "|v: vec[{f64,u8}]| sort_by_key(v, |p| let x = p.$0; let y = p.$1; {y, x})";

    sort_by_a_function_of_one_parameter_is_by_a_key(&[(3i32, 0i64), (1, 1), (3, 2), (1, 3)][..]) =
        vec![(1i32, 1i64), (1, 3), (3, 0), (3, 2)];
    weld!(|v: &[(i32, i64)]| v.sort(|x| x.0)),
    "|v: vec[{i32,i64}]| sort(v, |x| x.$0)";

    sort_by_a_key_that_a_pattern_takes_apart(&[(0.5f64, 7u8), (-0.5, 7), (2.0, 1)][..]) =
        vec![(2.0f64, 1u8), (-0.5, 7), (0.5, 7)];
    weld!(|v: &[(f64, u8)]| v.sort(|(x, y)| (y, x))),
    "|v: vec[{f64,u8}]| sort_by_key(v, |p| let x = p.$0; let y = p.$1; {y, x})";

    nans_are_last(&[2.0f64, NAN, -1.0, NAN, 0.5][..]) = vec![-1.0f64, 0.5, 2.0, NAN, NAN];
    weld!(|v: &[f64]| v.sort_by_key(|x| x)),
    "|v: vec[f64]| sort_by_key(v, |x| x)";

    keys_that_hold_a_nan_compare_part_by_part(&[(NAN, 1i64), (2.0, 2), (NAN, 0), (2.0, 1)][..]) =
        vec![(2.0f64, 1i64), (2.0, 2), (NAN, 0), (NAN, 1)];
    weld!(|v: &[(f64, i64)]| v.sort_by_key(|x| (x.0, x.1))),
    "|v: vec[{f64,i64}]| sort_by_key(v, |x| {x.$0, x.$1})";

    nan_is_greater_than_all_else_to_compare(&[2.0f64, NAN, -1.0, -NAN, f64::INFINITY][..]) =
        (vec![-1.0f64, 2.0, f64::INFINITY, NAN, NAN], vec![NAN, NAN, f64::INFINITY, 2.0, -1.0]);
    weld!(|v: &[f64]| (v.sort(|a, b| compare(a, b)), v.sort(|a, b| compare(b, a)))),
    "|v: vec[f64]| {sort(v, |a, b| compare(a, b)), sort(v, |a, b| compare(b, a))}";

    compare_is_total_on_scalars_structs_and_vectors(&[0.0f32, f32::NAN, -0.0][..], f32::NAN) =
        (vec![1i32, 0, 1], vec![1i32, -1, 1], vec![1i32, -1, 1]);
    weld!(|v: &[f32], nan: f32| {
        let pairs = zip(v.map(|x| if x == 0.0f32 { nan } else { x }), [0.0f32, nan, -0.0f32]);
        (
            pairs.map(|p| compare(p.0, p.1)),
            pairs.enumerate().map(|e| compare((e.1.0, e.0), (e.1.1, 2))),
            pairs.map(|p| compare([p.0], [p.1, 1.0f32])),
        )
    }),
    "|v: vec[f32], nan: f32|
       let pairs = zip(map(v, |x| if(x == 0.0f, nan, x)), [0.0f, nan, -0.0f]);
       {map(pairs, |p| compare(p.$0, p.$1)),
        map(enumerate(pairs), |e| compare({e.$1.$0, e.$0}, {e.$1.$1, 2L})),
        map(pairs, |p| compare([p.$0], [p.$1, 1.0f]))}";

    rows_by_a_computed_key(&[vec![1i64, 9], vec![4], vec![2, 2, 1]][..]) = vec![vec![4i64], vec![2, 2, 1], vec![1, 9]];
    weld!(|rows: &[Vec<i64>]| rows.sort_by_key(|row| row.sum())),
    "|rows: vec[vec[i64]]| sort_by_key(rows, |row| sum(row))";

    wide_rows_sorted_by_one_field(&[(2i64, 0.5f64, 1.5f64, 7i32, -1.0f64), (1, 1.0, 2.5, 8, -2.0), (2, 4.0, 3.5, 9, -3.0)][..]) =
        (vec![(1i64, 1.0f64, 2.5f64, 8i32, -2.0f64), (2, 0.5, 1.5, 7, -1.0), (2, 4.0, 3.5, 9, -3.0)], 7.5f64, 8i64);
    weld!(|rows: &[(i64, f64, f64, i32, f64)]| {
        let sorted = rows.sort_by_key(|row| row.0);
        let next = slice(rows.map(|row| (-row.0, row.1, row.2, row.4)).sort_by_key(|row| row.0), 1, 2);
        let last = next.map(|row| row.1 * row.2 + row.3);
        (sorted, sort(last, |a, b| compare(a, b)).sum() - 4.0, sorted[0].3 as i64)
    }),
    "|rows: vec[{i64,f64,f64,i32,f64}]|
       let sorted = sort(rows, |a, b| compare(a.$0, b.$0));
       let next = slice(sort(map(rows, |row| {-row.$0, row.$1, row.$2, row.$4}), |a, b| compare(a.$0, b.$0)), 1L, 2L);
       let last = map(next, |row| row.$1 * row.$2 + row.$3);
       {sorted, result(for(sort(last, |a, b| compare(a, b)), merger[f64,+], |b, i, x| merge(b, x))) - 4.0, i64(lookup(sorted, 0).$3)}";
}
