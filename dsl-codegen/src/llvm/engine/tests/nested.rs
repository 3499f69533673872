//! Loops inside loops.

use weldment_runtime::lang::value::Value;

use super::{check, f64s, i64s, mixed, rough, rows};

#[test]
fn over_rows() {
    let rows = rows(12);
    check("|r: &[Vec<f64>]| r.map(|row| row.sum())", std::slice::from_ref(&rows));
    check("|r: &[Vec<f64>]| r.map(|row| row.map(|x| x * 2.0))", std::slice::from_ref(&rows));
    check("|r: &[Vec<f64>]| r.flat_map(|row| row).sum()", std::slice::from_ref(&rows));
    check("|r: &[Vec<f64>]| r.flat_map(|row| row.filter(|x| x > 0.0))", std::slice::from_ref(&rows));
    check(
        "|r: &[Vec<f64>]| r.filter(|row| row.len() > 9).map(|row| (row.len(), row))",
        std::slice::from_ref(&rows),
    );
    check("|r: &[Vec<f64>]| flatten(r)", std::slice::from_ref(&rows));
    check(
        "|r: vec[vec[f64]]| result(for(r, appender[dict[i64,f64]], |b, i, row| merge(b, result(for(row, dictmerger[i64,f64,+], \
         |c, j, x| merge(c, {j % 3L, x}))))))",
        &[rows],
    );
}

#[test]
fn products_of_vectors() {
    let (x, n) = (f64s(rough(21)), i64s(mixed(21)));
    check("|x: &[f64]| x.map(|a| x.map(|b| a * b).sum())", std::slice::from_ref(&x));
    check(
        "|x: vec[f64]| result(for(x, merger[f64,+], |b, i, a| for(x, b, |c, j, e| merge(c, a * e))))",
        std::slice::from_ref(&x),
    );
    check(
        "|x: vec[f64]| result(for(x, merger[f64,+], |b, i, a| for(x, merge(b, a), |c, j, e| if(e > a, merge(c, e), c))))",
        std::slice::from_ref(&x),
    );
    check(
        "|n: vec[i64]| result(for(n, dictmerger[i64,i64,+], |b, i, a| for(n, b, |c, j, e| merge(c, {(a + e) % 5L, e}))))",
        std::slice::from_ref(&n),
    );
    check(
        "|n: vec[i64]| result(for(n, appender[i64], |b, i, a| if(a > 0L, for(rangeiter(0L, a % 5L, 1L), b, |c, j, e| merge(c, e * a)), merge(b, a))))",
        std::slice::from_ref(&n),
    );
    check(
        "|n: vec[i64]| result(for(n, groupmerger[i64,i64], |b, i, a| for(n, b, |c, j, e| merge(c, {a % 3L, e}))))",
        &[n],
    );
}

#[test]
fn builders_before_and_after_loops() {
    let x = f64s(rough(25));
    check(
        "|x: vec[f64]| let b = for(x, merger[f64,+], |b, i, a| merge(b, a)); \
         result(for(x, merge(b, 0.1), |b, i, a| if(a > 0.0, merge(b, a), b)))",
        std::slice::from_ref(&x),
    );
    check("|x: vec[f64]| result(merge(for(x, merge(appender[f64], 1.0), |b, i, a| merge(b, a)), 2.0))", &[x]);
}

#[test]
fn one_loop_feeds_the_next() {
    let n = i64s(mixed(40));
    check(
        "|n: vec[i64]| let m = filter(n, |x| x > 0L); {m, sum(m), len(m), map(m, |x| x * x)}",
        std::slice::from_ref(&n),
    );
    check(
        "|n: vec[i64]| let m = map(n, |x| x + 1L); map(m, |x| m[x % 3L * x % 3L])",
        std::slice::from_ref(&n),
    );
    check("|n: vec[i64]| let s = sum(n); map(n, |x| x - s)", std::slice::from_ref(&n));
    check("|n: vec[i64], k: i64| map(filter(n, |x| x % k == 0L), |x| x / k)", &[n, Value::I64(3)]);
}
