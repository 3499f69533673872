//! Vectors: maps, filters, zips, nested vectors, slices, lookups, strings, sorts.

use super::pairs;

pairs! {
    map_then_filter(&[1i64, 2, 3, 4, 5, 6, 7][..]) = vec![9i64, 16, 25];
    weld!(|v: &[i64]| v.map(|x| x * x).filter(|&x| x > 5 && x < 30).to_vec()),
    "|v: vec[i64]| filter(map(v, |x| x * x), |x| x > 5L && x < 30L)";

    flat_map_of_ranges(&[2i64, 0, 3, 1][..]) = vec![0i64, 1, 0, 1, 2, 0];
    weld!(|v: &[i64]| v.flat_map(|n| (0..n))),
    "|v: vec[i64]| flat_map(v, |n| let z = 0L; rangeiter(z, max(z, n), 1L))";

    both_signs(&[2.0f64, -0.0, 7.5, 1.0, -3.0, 4.0, 9.0, 8.0][..]) =
        vec![2.0f64, -2.0, -0.0, 0.0, 7.5, -7.5, 1.0, -1.0, -3.0, 3.0, 4.0, -4.0, 9.0, -9.0, 8.0, -8.0];
    weld!(|v: &[f64]| v.flat_map(|x| [x, -x])),
    "|v: vec[f64]| flat_map(v, |x| [x, -x])";

    both_signs_of_nothing(&[0i64; 0][..]) = Vec::<i64>::new();
    weld!(|v: &[i64]| v.flat_map(|x| [x, -x])),
    "|v: vec[i64]| flat_map(v, |x| [x, -x])";

    as_many_in_either_branch(&[3i64, -1, 0, 4, -5, 6, 7][..]) = vec![3i64, 1, 2, -1, 2, 0, 4, 1, 2, -5, 6, 1, 7, 1];
    weld!(|v: &[i64]| result(for(v, appender[i64], |b, _, x| {
        if x > 0 { merge(merge(b, x), 1) } else { merge(merge(b, 2), x) }
    }))),
    "|v: vec[i64]| result(for(v, appender[i64], |b, i, x|
       if(x > 0L, merge(merge(b, x), 1L), merge(merge(b, 2L), x))))";

    so_many_are_two_of_each(&[3i64, -1, 0, 4, -5, 6, 7][..]) = 14i64;
    weld!(|v: &[i64]| v.flat_map(|x| if x > 0 { [x, 1] } else { [2, x] }).len()),
    "|v: vec[i64]| len(flat_map(v, |x| if(x > 0L, [x, 1L], [2L, x])))";

    so_many_are_two_of_each_number(5i64) = 10i64;
    weld!(|n: i64| (0..n).flat_map(|i| [i, -i]).len()),
    "|n: i64| let z = 0L; len(flat_map(rangeiter(z, max(z, n), 1L), |i| [i, -i]))";

    no_more_than_two_of_each(&[3i64, -1, 0, 4, -5, 6, 7][..]) = vec![3i64, 4, 5, 6, 7];
    weld!(|v: &[i64]| v.flat_map(|x| [x, -x].filter(|y| y > 1))),
    "|v: vec[i64]| flat_map(v, |x| filter([x, -x], |y| y > 1L))";

    a_long_range_for_each(&[3i64, -1, 0, 4, -5, 6, 7][..]) = [3i64, -1, 0, 4, -5, 6, 7]
        .iter().flat_map(|x| (0..300i64).map(move |i| i * x)).collect::<Vec<i64>>();
    weld!(|v: &[i64]| v.flat_map(|x| (0..300).map(|i| i * x))),
    "|v: vec[i64]| flat_map(v, |x| let z = 0L; map(rangeiter(z, max(z, 300L), 1L), |i| i * x))";

    rows_of_as_many(&[3i64, -1][..]) =
        [3i64, -1].map(|x| (0..40i64).flat_map(|i| [i, i * x]).collect::<Vec<i64>>()).to_vec();
    weld!(|v: &[i64]| v.map(|x| (0..40).flat_map(|i| [i, i * x]))),
    "|v: vec[i64]| map(v, |x| let z = 0L; flat_map(rangeiter(z, max(z, 40L), 1L), |i| [i, i * x]))";

    rows_of_each(&[3i64, 1, 4, 2, 5][..]) =
        vec![vec![3i64], vec![3, 4], vec![1], vec![1, 2], vec![4], vec![4, 5], vec![2], vec![2, 3], vec![5], vec![5, 6]];
    weld!(|v: &[i64]| v.flat_map(|x| [[x], [x, x + 1]])),
    "|v: vec[i64]| flat_map(v, |x| [[x], [x, x + 1L]])";

    twice_in_each_row(&[vec![3i64, 1], vec![], vec![4]][..]) = vec![vec![3i64, 4, 1, 2], vec![], vec![4, 5]];
    weld!(|rows: &[Vec<i64>]| rows.map(|row| row.flat_map(|x| [x, x + 1]))),
    "|rows: vec[vec[i64]]| map(rows, |row| flat_map(row, |x| [x, x + 1L]))";

    flatten_rows(&[vec![1u16, 2], vec![], vec![3]][..]) = vec![1u16, 2, 3];
    weld!(|rows: &[Vec<u16>]| rows.flatten()),
    "|rows: vec[vec[u16]]|
       result(for(rows, appender, |b, i, row| for(row, b, |c, j, x| merge(c, x))))";

    positions_of_the_negative(&[4.0f32, -1.0, -0.0, -8.0][..]) = vec![(1i64, -1.0f32), (3, -8.0)];
    weld!(|v: &[f32]| v.enumerate().filter(|(_, x)| x < 0.0f32)),
    "|v: vec[f32]| filter(enumerate(v), |p| let x = p.$1; x < 0.0f)";

    zip_of_three_types(&[1i8, 2][..], &[10u32, 20][..], &[true, false][..]) = vec![11.0f64, 2.0];
    weld!(|a: &[i8], b: &[u32], c: &[bool]| {
        zip(a, b, c).map(|(x, y, keep)| if keep { x as f64 + y as f64 } else { x as f64 })
    }),
    "|a: vec[i8], b: vec[u32], c: vec[bool]|
       map(zip(a, b, c), |p|
         let x = p.$0; let y = p.$1; let keep = p.$2;
         if(keep, f64(x) + f64(y), f64(x)))";

    rows_and_their_sums(&[vec![1i64, 2, 3], vec![], vec![-5]][..]) = (vec![6i64, 0, -5], vec![3i64, 0, 1]);
    weld!(|rows: &[Vec<i64>]| (rows.map(|row| row.sum()), rows.map(|row| row.len()))),
    "|rows: vec[vec[i64]]| {map(rows, |row| sum(row)), map(rows, |row| len(row))}";

    table_of_products(3i64, 4i64) = vec![vec![0i64, 0, 0, 0], vec![0, 1, 2, 3], vec![0, 2, 4, 6]];
    weld!(|n: i64, m: i64| (0..n).map(|i| (0..m).map(|j| i * j))),
    "|n: i64, m: i64|
       let z = 0L;
       map(rangeiter(z, max(z, n), 1L), |i| let z = 0L; map(rangeiter(z, max(z, m), 1L), |j| i * j))";

    rows_that_are_kept_stay_whole(&[vec![1.5f64], vec![], vec![2.0, 3.0]][..]) = vec![vec![1.5f64], vec![2.0, 3.0]];
    weld!(|rows: &[Vec<f64>]| rows.filter(|row| row.len() > 0)),
    "|rows: vec[vec[f64]]| filter(rows, |row| len(row) > 0L)";

    gather_by_index(&[10i64, 20, 30, 40][..], &[3i64, 0, 0, 2][..]) = (vec![40i64, 10, 10, 30], 40i64);
    weld!(|v: &[i64], at: &[i64]| (at.map(|&i| v[i]), v[v.len() - 1])),
    "|v: vec[i64], at: vec[i64]| {map(at, |i| lookup(v, i)), lookup(v, len(v) - 1L)}";

    moving_sums(&[1i64, 2, 3, 4, 5][..]) = vec![6i64, 9, 12];
    weld!(|v: &[i64]| (0..v.len() - 2).map(|i| v.slice(i, 3).sum())),
    "|v: vec[i64]| let z = 0L; map(rangeiter(z, max(z, len(v) - 2L), 1L), |i| sum(slice(v, i, 3L)))";

    a_slice_is_clamped(&[7u8, 8, 9][..]) = (vec![8u8, 9], Vec::<u8>::new(), 2i64);
    weld!(|v: &[u8]| (slice(v, 1, 100), slice(v, 3, 1), slice(v, 0, 2).len())),
    "|v: vec[u8]| {slice(v, 1L, 100L), slice(v, 3L, 1L), len(slice(v, 0L, 2L))}";

    every_second_from_the_second(&[1i32, 2, 3, 4, 5, 6, 7][..]) = 12i32;
    weld!(|v: &[i32]| result(for(iter(v, 1, 7, 2), merger[i32,+], |b, _, x| merge(b, x)))),
    "|v: vec[i32]| result(for(iter(v, 1L, 7L, 2L), merger[i32,+], |b, i, x| merge(b, x)))";

    literal_vectors(5i64) = (vec![5i64, 6, 10], 3i64, 21i64);
    weld!(|n: i64| {
        let v = [n, n + 1, n * 2];
        (v, len(v), v.sum())
    }),
    "|n: i64| let v = [n, n + 1L, n * 2L]; {v, len(v), sum(v)}";

    bytes_and_text(&b"one two  three"[..]) = (3i64, b"ONE TWO  THREE".to_vec(), true, vec![104i8, 105]);
    weld!(|text: &[u8]| {
        let starts = text.enumerate().filter(|(i, c)| c != b' ' && (i == 0 || text[i - 1] == b' '));
        let upper = text.map(|c| if c >= b'a' && c <= b'z' { c - 32 } else { c });
        (starts.count(), upper, text.slice(0, 3) == b"one", "hi")
    }),
    r#"|text: vec[u8]|
       let starts = filter(enumerate(text), |p|
         let i = p.$0; let c = p.$1;
         c != b' ' && (i == 0L || lookup(text, i - 1L) == b' '));
       let upper = map(text, |c| if(c >= b'a' && c <= b'z', c - 32, c));
       {count(starts), upper, slice(text, 0L, 3L) == b"one", "hi"}"#;

    what_iterators_have_as_methods(&[3i64, 5, 7, 9, 11][..], 2i64) =
        ((vec![3i64, 5], vec![7i64, 9, 11], vec![11i64, 9, 7, 5, 3]), (vec![8i64, 12, 16, 20], vec![8i64, 16, 11]),
         (vec![3i64, 7, 11], 1i64, 11i64), (Vec::<i64>::new(), vec![3i64, 5, 7, 9, 11, 3, 5, 7, 9, 11]));
    weld!(|v: &[i64], n: i64| (
        (slice(v, 0, n), slice(v, n, len(v)), (0..len(v)).map(|i| v[len(v) - 1 - i])),
        (
            (0..len(v) - n + 1).map(|i| slice(v, i, n)).map(|w| w.sum()),
            (0..(len(v) + n - 1) / n).map(|i| slice(v, i * n, n)).map(|c| c.sum()),
        ),
        (
            (0..(len(v) + n - 1) / n).map(|i| v[i * n]),
            v.enumerate().filter(|(_, x)| x == 5).map(|(i, _)| i)[0],
            v[len(v) - 1],
        ),
        ((0..len(v) - 9).map(|i| v[i]), [v, v].flatten()),
    )),
    "|v: vec[i64], n: i64| {
       {slice(v, 0L, n), slice(v, n, len(v)), map(0L .. len(v), |i| lookup(v, len(v) - 1L - i))},
       {
         map(map(0L .. len(v) - n + 1L, |i| slice(v, i, n)), |w| sum(w)),
         map(map(0L .. (len(v) + n - 1L) / n, |i| slice(v, i * n, n)), |c| sum(c))
       },
       {
         map(0L .. (len(v) + n - 1L) / n, |i| lookup(v, i * n)),
         lookup(map(filter(enumerate(v), |p| p.$1 == 5L), |p| p.$0), 0),
         lookup(v, len(v) - 1L)
       },
       {map(0L .. len(v) - 9L, |i| lookup(v, i)), flatten([v, v])}
     }";
}
