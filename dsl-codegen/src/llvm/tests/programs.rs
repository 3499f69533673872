//! One program for each construct.

use weldment_runtime::value::Value;

use super::{check, f64s, i64s};

#[test]
fn scalars() {
    check("|x: i64, y: i64| x * y + 1L", &[Value::I64(6), Value::I64(7)]);
}

#[test]
fn float_sums_use_lanes_pieces_and_init() {
    for n in [0, 1, 2, 3, 4, 16, 17, 100] {
        let v = f64s((0..n).map(|i| 0.1 * i as f64));
        check("|v: vec[f64]| sum(map(v, |x| x * x))", std::slice::from_ref(&v));
        check("|v: vec[f64]| sum(map(filter(v, |x| x > 0.35), |x| x * 1.1))", &[v]);
    }
}

#[test]
fn maps_and_filters_keep_their_order() {
    for n in [0, 1, 5, 40] {
        let v = i64s(0..n);
        check("|v: vec[i64]| map(v, |x| x * 3L)", std::slice::from_ref(&v));
        check("|v: vec[i64]| filter(v, |x| x % 3L == 0L)", &[v]);
    }
}

#[test]
fn dictionaries_keep_the_order_of_insertion() {
    let v = i64s([5, 3, 5, 9, 3, 3, 1, 5, 9, 12, 0, 5, 3]);
    check(
        "|v: vec[i64]| result(for(v, dictmerger[i64,f64,+], |b, i, x| merge(b, {x, 0.1 * f64(i)})))",
        std::slice::from_ref(&v),
    );
    check(
        "|v: vec[i64]| result(for(v, dictmerger[i8,i64,max], |b, i, x| merge(b, {i8(x), i})))",
        std::slice::from_ref(&v),
    );
    check("|v: vec[i64]| result(for(v, groupmerger[i64,i64], |b, i, x| merge(b, {x, i})))", &[v]);
}

#[test]
fn scatters_add_to_what_is_there() {
    let v = i64s([0, 1, 2, 2, 1, 0, 0]);
    let w = f64s([1.5, -0.0, 2.25]);
    check(
        "|v: vec[i64], w: vec[f64]| result(for(v, vecmerger[f64,+](w), |b, i, x| merge(b, {x, 0.1 * f64(i)})))",
        &[v, w],
    );
}

#[test]
fn faults_carry_their_place() {
    check("|v: vec[i64]| map(v, |x| 10L / x)", &[i64s([1, 2, 0, 4, 0])]);
    check("|v: vec[i64]| map(v, |x| lookup(v, x))", &[i64s([1, 2, 0, 4, 9])]);
}
