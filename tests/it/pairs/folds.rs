//! Folds by functions: `reduce`, `argmin`, `argmax`, `fold` as a reduction and one step after another, and
//! dictionaries by functions.

use weldment::FaultKind;

use super::Outcome::Fault;
use super::pairs;

const NAN: f64 = f64::NAN;

pairs! {
    the_longest_of_pairs(&[(3i64, 0.5f64), (9, 1.5), (9, 2.5), (-4, 3.5)][..]) = (9i64, 1.5f64);
    weld!(|v: &[(i64, f64)]| v.reduce(|a, b| if b.0 > a.0 { b } else { a })),
    "|v: vec[{i64,f64}]| reduce(v, |a, b| if(b.$0 > a.$0, b, a))";

    a_product_of_matrices(&[(1i64, 1i64, 0i64, 1i64), (2, 0, 0, 1), (1, 0, 3, 1), (0, 1, 1, 0), (1, 2, 0, 1)][..]) =
        (1i64, 7i64, 1i64, 5i64);
    weld!(|v: &[(i64, i64, i64, i64)]| v.reduce(|a, b| (
        a.0 * b.0 + a.1 * b.2, a.0 * b.1 + a.1 * b.3,
        a.2 * b.0 + a.3 * b.2, a.2 * b.1 + a.3 * b.3,
    ))),
    "|v: vec[{i64,i64,i64,i64}]| reduce(v, |a, b| {
        a.$0 * b.$0 + a.$1 * b.$2, a.$0 * b.$1 + a.$1 * b.$3,
        a.$2 * b.$0 + a.$3 * b.$2, a.$2 * b.$1 + a.$3 * b.$3
     })";

    rows_joined_in_order(&[vec![1i64, 2], vec![], vec![3], vec![4, 5], vec![6]][..]) = vec![1i64, 2, 3, 4, 5, 6];
    weld!(|rows: &[Vec<i64>]| rows.reduce(|a, b| flatten([a, b]))),
    "|rows: vec[vec[i64]]| reduce(rows, |a, b| flatten([a, b]))";

    what_a_fold_starts_with_among_its_elements(7i64) = vec![(vec![vec![7i64]], 1i64)];
    weld!(|n: i64| result(for(rangeiter(0L, 3L, 3L), dictmerger[Vec<Vec<i64>>, i64, +], |b, i, x|
        b.merge(([[[n]]].fold([[n]], |a, b| b), 1)))).tovec()),
    "|n: i64| tovec(result(for(rangeiter(0L, 3L, 3L), dictmerger[vec[vec[i64]], i64, +], |b, i, x|
        merge(b, {fold([[[n]]], [[n]], |a, b| b), 1L}))))";

    one_element_is_itself(&[7.5f64][..], 3.0f64) = 7.5f64;
    weld!(|v: &[f64], k: f64| v.reduce(|a, b| a * k + b)),
    "|v: vec[f64], k: f64| reduce(v, |a, b| a * k + b)";

    a_function_that_captures(&[5i64, 17, 12, 30][..], 7i64) = 1i64;
    weld!(|v: &[i64], m: i64| v.map(|x| x % m).reduce(|a, b| (a + b) % m)),
    "|v: vec[i64], m: i64| reduce(map(v, |x| x % m), |a, b| (a + b) % m)";

    functions_that_capture_a_row(&[1i32, -3, 2][..], &[1i64, 2, 3][..]) =
        (vec![2i32], vec![2i32], vec![-3i32], vec![1i32, 2]);
    weld!(|v: &[i32], w: &[i64]| (
        v.filter(|x| w.reduce(|a, b| a * x as i64 + b) > 6),
        v.filter(|x| w.reduce_by(|k| k % 2, |k| k, |a, b| a * x as i64 + b)[1] > 4),
        v.filter(|x| w.sort(|a, b| if x > 0 { compare(a, b) } else { compare(b, a) })[0] == 3),
        v.filter(|x| (x as f32).sin().sin() < x as f32),
    )),
    "|v: vec[i32], w: vec[i64]| {
        filter(v, |x| reduce(w, |a, b| a * i64(x) + b) > 6L),
        filter(v, |x| lookup(reduce_by(w, |k| k % 2L, |k| k, |a, b| a * i64(x) + b), 1L) > 4L),
        filter(v, |x| sort(w, |a, b| if(x > 0, compare(a, b), compare(b, a)))[0] == 3L),
        filter(v, |x| sin(sin(f32(x))) < f32(x))
     }";

    reduce_of_nothing(&[-1i64, -2][..]) = Fault(FaultKind::EmptyReduction, "reduce");
    weld!(|v: &[i64]| v.filter(|x| x > 0).reduce(|a, b| a * 10 + b)),
    "|v: vec[i64]| reduce(filter(v, |x| x > 0L), |a, b| a * 10L + b)";

    a_function_that_faults(&[6i64, 0, 3, 0, 1][..]) = Fault(FaultKind::DivisionByZero, "/ b");
    weld!(|v: &[i64]| v.reduce(|a, b| a / b)),
    "|v: vec[i64]| reduce(v, |a, b| a / b)";

    places_of_extremes(&[3.5f64, NAN, -2.25, 8.0, -2.25, 8.0, NAN][..], &[4i32, 4, 1, 1][..]) = (2i64, 3i64, 2i64, 0i64);
    weld!(|v: &[f64], w: &[i32]| (v.argmin(), v.argmax(), w.argmin(), w.argmax())),
    "|v: vec[f64], w: vec[i32]| {argmin(v), argmax(v), argmin(w), argmax(w)}";

    places_among_nans(&[NAN, NAN, 2.0f64, NAN, 2.0][..]) = (2i64, 2i64, 0i64, 0i64);
    weld!(|v: &[f64]| (v.argmin(), v.argmax(), v.slice(0, 2).argmin(), v.slice(0, 2).argmax())),
    "|v: vec[f64]| {argmin(v), argmax(v), argmin(slice(v, 0L, 2L)), argmax(slice(v, 0L, 2L))}";

    the_place_of_the_least_of_the_kept(&[9i64, 4, 7, 2, 8][..], 3i64) = (1i64, 0i64);
    weld!(|v: &[i64], least: i64| (v.filter(|x| x > least).argmin(), v.map(|x| x * x).argmax())),
    "|v: vec[i64], least: i64| {argmin(filter(v, |x| x > least)), argmax(map(v, |x| x * x))}";

    argmax_of_nothing(&[1i64, 2][..]) = Fault(FaultKind::EmptyReduction, "argmax");
    weld!(|v: &[i64]| v.filter(|x| x > 5).argmax()),
    "|v: vec[i64]| argmax(filter(v, |x| x > 5L))";

    folds_by_operators(&[1.5f64, -4.0, 2.5, 0.25][..], 2.0f64) = (6.5f64, -7.5f64, -8.0f64, 8.0f64, 34.0f64);
    weld!(|v: &[f64], k: f64| (
        v.fold(k, |acc, x| acc + x.abs() / 2.0) + 0.375,
        v.fold(k, |acc, x| x * acc),
        v.fold(k, |acc, x| min(acc, x * k)),
        v.fold(0.0, |acc, x| acc.max(-x * k)),
        zip(v, v).fold(k, |acc, (x, y)| acc + x * y) + 7.4375,
    )),
    "|v: vec[f64], k: f64| {
        fold(v, k, |acc, x| acc + abs(x) / 2.0) + 0.375,
        fold(v, k, |acc, x| x * acc),
        fold(v, k, |acc, x| min(acc, x * k)),
        fold(v, 0.0, |acc, x| max(acc, -x * k)),
        fold(zip(v, v), k, |acc, p| let x = p.$0; let y = p.$1; acc + x * y) + 7.4375
     }";

    extremes_from_a_nan(&[NAN, 3.0f64, 1.0][..], NAN) = (1.0f64, 3.0f64, NAN, NAN);
    weld!(|v: &[f64], start: f64| (
        v.fold(start, |acc, x| acc.min(x)),
        v.fold(start, |acc, x| acc.max(x)),
        v.slice(0, 1).fold(start, |acc, x| acc.min(x)),
        v.slice(0, 0).fold(start, |acc, x| acc.max(x)),
    )),
    "|v: vec[f64], start: f64| {
        fold(v, start, |acc, x| min(acc, x)),
        fold(v, start, |acc, x| max(acc, x)),
        fold(slice(v, 0L, 1L), start, |acc, x| min(acc, x)),
        fold(slice(v, 0L, 0L), start, |acc, x| max(acc, x))
     }";

    a_fold_of_one_type(&[3i64, 5, 9, 11][..], 1i64) = (5i64, 1i64);
    weld!(|v: &[i64], start: i64| (
        v.fold(start, |acc, x| acc ^ x),
        v.fold(start, |acc, x| if acc < x { acc } else { x }),
    )),
    "|v: vec[i64], start: i64| {
        fold(v, start, |acc, x| acc ^ x),
        fold(v, start, |acc, x| if(acc < x, acc, x))
     }";

    the_initial_value_is_leftmost(&[vec![1i64], vec![2, 3], vec![], vec![4], vec![5], vec![6], vec![7]][..], &[0i64][..]) =
        vec![0i64, 1, 2, 3, 4, 5, 6, 7];
    weld!(|rows: &[Vec<i64>], first: &[i64]| rows.fold(first, |acc, row| flatten([acc, row]))),
    "|rows: vec[vec[i64]], first: vec[i64]| fold(rows, first, |acc, row| flatten([acc, row]))";

    // A function that is not associative shows it: the chunks are of three elements, or one is all there is.
    the_initial_value_goes_before_the_first_chunk(&[1i64, 0, 0, 1, 3][..], 4i64) = 29i64;
    weld!(|v: &[i64], start: i64| v.fold(start, |acc, x| acc * 2 + x)),
    "|v: vec[i64], start: i64| fold(v, start, |acc, x| acc * 2L + x)";

    a_fold_in_order(&[2i32, 7, -3, 4, 7, 0][..]) = (2_192_718i64, (7i32, 2i64));
    weld!(|v: &[i32]| (
        v.fold(1L, |acc, x| acc * 11 + x as i64),
        v.fold((0, 0L), |(most, times), x| if x > most { (x, 1) } else { (most, times + i64(x == most)) }),
    )),
    "|v: vec[i32]| {
        fold(v, 1L, |acc, x| acc * 11L + i64(x)),
        fold(v, {0, 0L}, |s, x| let most = s.$0; let times = s.$1;
            if(x > most, {x, 1L}, {most, times + i64(x == most)}))
     }";

    folds_over_ranges_and_zips(&[1i64, 2, 3][..], &[0.5f64, 1.5, 2.5][..]) = (0.0f64, 13.625f64, 4i64);
    weld!(|a: &[i64], b: &[f64]| (
        (0..0).fold(0.0, |acc, i| acc / 2.0 + i as f64),
        zip(a, b).fold(1.0, |acc, (n, x)| acc * x + n as f64),
        (1..4).fold(true, |acc, i| !acc && i > 0).select(3L, 4L),
    )),
    "|a: vec[i64], b: vec[f64]| {
        fold(0L..0L, 0.0, |acc, i| acc / 2.0 + f64(i)),
        fold(zip(a, b), 1.0, |acc, p| let n = p.$0; let x = p.$1; acc * x + f64(n)),
        select(fold(1L..4L, true, |acc, i| !acc && i > 0L), 3L, 4L)
     }";

    a_fold_in_each_row(&[vec![1i64, 2, 3], vec![], vec![4]][..]) = vec![(6i64, 10i64), (0, 0), (4, 0)];
    weld!(|rows: &[Vec<i64>]| rows.map(|row| (
        row.fold(0, |acc, x| acc + x),
        row.fold((0, 0), |(i, acc), x| (i + 1, acc * 2 + x * i)).1,
    ))),
    "|rows: vec[vec[i64]]| map(rows, |row| {
        fold(row, 0L, |acc, x| acc + x),
        fold(row, {0L, 0L}, |s, x| let i = s.$0; let acc = s.$1; {i + 1L, acc * 2L + x * i}).$1
     })";

    the_last_value_of_each_key(&[(3i64, 0.5f64), (1, 1.5), (3, 2.5), (2, 3.5), (1, 4.5)][..]) =
        vec![(3i64, 2.5f64), (1, 4.5), (2, 3.5)];
    weld!(|v: &[(i64, f64)]| v.to_dict().tovec()),
    "|v: vec[{i64,f64}]| tovec(to_dict(v))";

    a_dictionary_of_rows(&[1u8, 2, 1][..], &[vec![1i64], vec![2, 3], vec![4, 5]][..]) = (vec![4i64, 5], vec![2i64, 3]);
    weld!(|k: &[u8], rows: &[Vec<i64>]| {
        let d = zip(k, rows).to_dict();
        (d[1u8], d[2u8])
    }),
    "|k: vec[u8], rows: vec[vec[i64]]|
       let d = to_dict(zip(k, rows));
       {lookup(d, 1u8), lookup(d, 2u8)}";

    values_of_a_key_by_a_function(&[(7i64, 1i64), (8, 2), (7, 3), (7, 5), (8, 4), (9, 6), (7, 7)][..], 5i64) =
        vec![(7i64, 1i64), (8, 1), (9, 6)];
    weld!(|v: &[(i64, i64)], m: i64| v.reduce_by(|x| x.0, |x| x.1, |a, b| (a + b) % m).tovec()),
    "|v: vec[{i64,i64}], m: i64| tovec(reduce_by(v, |x| x.$0, |x| x.$1, |a, b| (a + b) % m))";
}
