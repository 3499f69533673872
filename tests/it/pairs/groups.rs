//! The sugar that makes dictionaries: `group_by`, `reduce_by`.

use super::pairs;

pairs! {
    groups_by_a_key(&[5i64, 12, 8, 7, 21, 3][..]) =
        vec![(1i64, vec![5i64, 7, 3]), (0, vec![12, 8]), (2, vec![21])];
    weld!(|v: &[i64]| v.group_by(|x| if x > 20 { 2 } else { x % 2 }).tovec()),
    "|v: vec[i64]| tovec(group_by(v, |x| if(x > 20L, 2L, x % 2L)))";

    groups_of_rows_by_a_word(&[b"ash".to_vec(), b"elm".to_vec(), b"ash".to_vec()][..], &[1.5f64, 2.5, 3.5][..]) =
        vec![(b"ash".to_vec(), vec![1.5f64, 3.5]), (b"elm".to_vec(), vec![2.5])];
    weld!(|words: &[Vec<u8>], v: &[f64]| {
        zip(words, v).group_by(|(word, _)| word).tovec().map(|(word, rows)| (word, rows.map(|row| row.1)))
    }),
    "|words: vec[vec[u8]], v: vec[f64]|
       map(tovec(group_by(zip(words, v), |p| let word = p.$0; word)),
           |g| let word = g.$0; let rows = g.$1; {word, map(rows, |row| row.$1)})";

    sums_and_extremes_by_a_key(&[(2i32, 1.5f64), (1, -4.0), (2, 2.25), (1, 8.0)][..]) =
        (vec![(2i32, 3.75f64), (1, 4.0)], vec![(2i32, 3.375f64), (1, -32.0)], vec![(2i32, 1.5f64), (1, -4.0)],
         vec![(2i32, 2.25f64), (1, 8.0)]);
    weld!(|v: &[(i32, f64)]| (
        v.reduce_by(|x| x.0, |x| x.1, +).tovec(),
        v.reduce_by(|x| x.0, |x| x.1, *).tovec(),
        v.reduce_by(|x| x.0, |x| x.1, min).tovec(),
        v.reduce_by(|x| x.0, |x| x.1, max).tovec(),
    )),
    "|v: vec[{i32,f64}]| {
        tovec(reduce_by(v, |x| x.$0, |x| x.$1, +)),
        tovec(reduce_by(v, |x| x.$0, |x| x.$1, *)),
        tovec(reduce_by(v, |x| x.$0, |x| x.$1, min)),
        tovec(reduce_by(v, |x| x.$0, |x| x.$1, max))
     }";

    an_operator_through_a_macro(&[3i64, 4, 5, 6][..]) = (vec![(1i64, 8i64), (0, 10)], vec![(1i64, 2i64), (0, 2)]);
    weld!(
        macro by_parity(v, value, op) = v.reduce_by(|x| x % 2, value, op).tovec();
        |v: &[i64]| (by_parity(v, |x| x, +), by_parity(v, |_| 1L, +))
    ),
    "macro by_parity(v, value, op) = tovec(reduce_by(v, |x| x % 2L, value, op));
     |v: vec[i64]| {by_parity(v, |x| x, +), by_parity(v, |x| 1L, +)}";

    nothing_makes_empty_dictionaries(&[-1i64, -2][..]) = (0i64, 0i64);
    weld!(|v: &[i64]| {
        let kept = v.filter(|x| x > 0);
        (kept.group_by(|x| x).len(), kept.reduce_by(|x| x, |x| x, max).len())
    }),
    "|v: vec[i64]|
       let kept = filter(v, |x| x > 0L);
       {len(group_by(kept, |x| x)), len(reduce_by(kept, |x| x, |x| x, max))}";

    totals_and_extremes_by_one_key(&[(3i64, 2.5f64), (1, -1.0), (3, 0.5), (1, f64::NAN), (2, 8.0)][..], 3i64) =
        (3.0f64, (false, 0i64), vec![(3i64, 2.5f64), (1, -1.0), (2, 8.0)], 3i64);
    weld!(|rows: &[(i64, f64)], k: i64| {
        let total = result(for(rows, dictmerger[i64,f64,+], |b, _, row| merge(b, row)));
        let most = result(for(rows, dictmerger[i64,f64,max], |b, _, row| merge(b, row)));
        let count = result(for(rows, dictmerger[i64,i64,+], |b, _, row| merge(b, (row.0, 1))));
        (lookup(total, k), optlookup(count, k + 1), tovec(most), len(count))
    }),
    "|rows: vec[{i64,f64}], k: i64|
       let total = result(for(rows, dictmerger[i64,f64,+], |b, i, row| merge(b, row)));
       let most = result(for(rows, dictmerger[i64,f64,max], |b, i, row| merge(b, row)));
       let count = result(for(rows, dictmerger[i64,i64,+], |b, i, row| merge(b, {row.$0, 1L})));
       {lookup(total, k), optlookup(count, k + 1L), tovec(most), len(count)}";
}
