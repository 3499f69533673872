//! Reductions: sums, products, counts, extremes, several in one pass, initial values.

use super::pairs;

const NAN: f64 = f64::NAN;

pairs! {
    sum_of_squares(&[1i64, 2, 3, 4, 5, 6, 7][..]) = 140i64;
    weld!(|v: &[i64]| v.map(|x| x * x).sum()),
    "|v: vec[i64]| sum(map(v, |x| x * x))";

    product_of_floats(&[1.5f64, -2.0, 4.0, 0.25][..]) = -3.0f64;
    weld!(|v: &[f64]| v.product()),
    "|v: vec[f64]| result(for(v, merger[f64,*], |b, i, x| merge(b, x)))";

    count_of_the_kept(&[4i32, -1, 0, 9, 12, 7][..]) = 3i64;
    weld!(|v: &[i32]| v.filter(|&x| x > 4).count()),
    "|v: vec[i32]| count(filter(v, |x| x > 4))";

    smallest_and_largest(&[3.5f64, NAN, -2.25, 8.0, -0.0][..]) = (-2.25f64, 8.0f64);
    weld!(|v: &[f64]| (v.min(), v.max())),
    "|v: vec[f64]| {min(v), max(v)}";

    any_and_all(&[3u8, 5, 250][..]) = (true, false, false, true);
    weld!(|v: &[u8]| (v.any(|x| x > 200), v.any(|x| x == 4), v.all(|x| x < 250), v.all(|x| x != 0))),
    "|v: vec[u8]| {any(v, |x| x > 200), any(v, |x| x == 4), all(v, |x| x < 250), all(v, |x| x != 0)}";

    mean_and_variance(&[2.0f64, 4.0, 4.0, 4.0, 5.0, 5.0, 7.0, 9.0][..]) = (5.0f64, 4.0f64);
    weld!(|v: &[f64]| {
        let n = v.len() as f64;
        let mean = v.sum() / n;
        (mean, v.map(|x| (x - mean) * (x - mean)).sum() / n)
    }),
    "|v: vec[f64]|
       let n = f64(len(v));
       let mean = sum(v) / n;
       {mean, sum(map(v, |x| (x - mean) * (x - mean))) / n}";

    four_results_in_one_pass(&[3i64, -4, 5, 0, -6][..]) = (-2i64, 8i64, 2i64, vec![9i64, 25]);
    weld!(|v: &[i64]| {
        let positive = v.filter(|x| x > 0);
        (v.sum(), positive.sum(), positive.count(), positive.map(|x| x * x))
    }),
    "|v: vec[i64]|
       let positive = filter(v, |x| x > 0L);
       {sum(v), sum(positive), count(positive), map(positive, |x| x * x)}";

    dot_product(&[1.0f64, 2.0, 3.0][..], &[0.5f64, -1.0, 2.0][..]) = 4.5f64;
    weld!(|a: &[f64], b: &[f64]| zip(a, b).map(|(x, y)| x * y).sum()),
    "|a: vec[f64], b: vec[f64]|
       result(for(result(for(zip(a, b), appender, |c, i, p| merge(c, let x = p.$0; let y = p.$1; x * y))),
                  merger[f64,+], |c, i, x| merge(c, x)))";

    narrow_sums_wrap(&[100i8, 100, 100][..], &[200u8, 100][..]) = (44i8, 44u8, 64i8);
    weld!(|a: &[i8], b: &[u8]| (a.sum(), b.sum(), a.product())),
    "|a: vec[i8], b: vec[u8]| {sum(a), sum(b), product(a)}";

    initial_values_count_once(&[5i64, 7, 9, 11][..], 100i64) = (132i64, 346_500i64, 5i64, 100i64);
    weld!(|v: &[i64], base: i64| (
        result(for(v, merger[i64,+](base), |b, _, x| merge(b, x))),
        result(for(v, merger[i64,*](base), |b, _, x| merge(b, x))),
        result(for(v, merger[i64,min](base), |b, _, x| merge(b, x))),
        result(for(v, merger[i64,max](base), |b, _, x| merge(b, x))),
    )),
    "|v: vec[i64], base: i64| {
        result(for(v, merger[i64,+](base), |b, i, x| merge(b, x))),
        result(for(v, merger[i64,*](base), |b, i, x| merge(b, x))),
        result(for(v, merger[i64,min](base), |b, i, x| merge(b, x))),
        result(for(v, merger[i64,max](base), |b, i, x| merge(b, x)))
     }";

    structs_fold_by_fields(&[(1i32, 0.5f64), (-3, 2.0), (7, 0.25)][..]) = (5i32, 2.75f64);
    weld!(|v: &[(i32, f64)]| v.sum()),
    "|v: vec[{i32,f64}]| result(for(v, merger[{i32,f64},+], |b, i, x| merge(b, x)))";
}
