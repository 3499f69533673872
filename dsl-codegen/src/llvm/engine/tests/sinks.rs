//! Every kind of sink, split into chunks.

use weldment_runtime::lang::value::Value;

use super::{check, f64s, i64s, mixed, rough};

#[test]
fn float_sums_use_lanes_chunks_and_init() {
    for n in [0, 1, 2, 3, 4, 16, 17, 33, 100] {
        let v = f64s(rough(n));
        check("|v: vec[f64]| sum(map(v, |x| x * x))", std::slice::from_ref(&v));
        check("|v: vec[f64]| sum(map(filter(v, |x| x > 0.35), |x| x * 1.1))", std::slice::from_ref(&v));
        check(
            "|v: vec[f64]| result(for(v, merger[f64,+](0.1), |b, i, x| merge(merge(b, x), 2.0 * x)))",
            &[v],
        );
    }
}

#[test]
fn reductions_of_every_operator_and_type() {
    let v = f64s(rough(50).into_iter().chain([f64::NAN, -0.0, 0.0]));
    for op in ["+", "*", "min", "max"] {
        for ty in ["f64", "f32", "i64", "i8", "u16"] {
            check(
                &format!("|v: vec[f64]| result(for(v, merger[{ty},{op}], |b, i, x| merge(b, {ty}(x))))"),
                std::slice::from_ref(&v),
            );
            check(
                &format!(
                    "|v: vec[f64]| result(for(v, merger[{ty},{op}], |b, i, x| if(x > 0.0, merge(b, {ty}(x)), b)))"
                ),
                std::slice::from_ref(&v),
            );
        }
    }
    check(
        "|v: vec[f64]| result(for(v, merger[{f64,f32,i64},+]({1.0, 2.0f, 3L}), |b, i, x| if(x > 0.0, merge(b, {x, f32(x), i}), b)))",
        &[v],
    );
}

#[test]
fn several_sinks_in_one_loop() {
    let v = f64s(rough(60));
    check(
        "|v: &[f64]| (v.sum(), v.min(), v.max(), v.count(), v.map(|x| x + 1.0), v.filter(|x| x > 0.0))",
        std::slice::from_ref(&v),
    );
    check(
        "|v: vec[f64]| let r = for(v, {merger[f64,+], appender[i64], dictmerger[i64,f64,+]}, |b, i, x| \
         if(x > 0.0, {merge(b.$0, x), b.$1, merge(b.$2, {i % 4L, x})}, {b.$0, merge(b.$1, i), b.$2})); \
         {result(r.$0), result(r.$1), result(r.$2)}",
        &[v],
    );
}

#[test]
fn maps_and_filters_keep_their_order() {
    for n in [0, 1, 5, 40, 100] {
        let v = i64s(mixed(n));
        check("|v: vec[i64]| map(v, |x| x * 3L)", std::slice::from_ref(&v));
        check("|v: vec[i64]| map(v, |x| {x, f64(x), x > 0L, i8(x)})", std::slice::from_ref(&v));
        check("|v: vec[i64]| filter(v, |x| x % 3L == 0L)", std::slice::from_ref(&v));
        check("|v: vec[i64]| map(filter(v, |x| x > 0L), |x| {i8(x), x, x > 9L})", std::slice::from_ref(&v));
        check("|v: vec[i64]| map(filter(v, |x| x > 0L), |x| slice(v, 0L, x % 4L))", std::slice::from_ref(&v));
        check("|v: vec[i64]| filter(v, |x| x > 1000L)", &[v]);
    }
}

#[test]
fn iterators_with_strides() {
    let v = i64s(mixed(31));
    check(
        "|v: vec[i64]| result(for(iter(v, 1L, 31L, 3L), appender[i64], |b, i, x| merge(b, x * 100L + i)))",
        std::slice::from_ref(&v),
    );
    check(
        "|v: vec[i64]| result(for(zip(iter(v, 0L, 20L, 2L), rangeiter(5L, 25L, 2L)), merger[i64,+], |b, i, x| merge(b, x.$0 * x.$1)))",
        std::slice::from_ref(&v),
    );
    check(
        "|v: vec[i64]| result(for(zip(v, v), appender[{i64,i64}], |b, i, x| if(x.$0 > 0L, merge(b, x), b)))",
        &[v],
    );
}

#[test]
fn scatters_add_to_what_is_there() {
    let v = i64s([0, 1, 2, 2, 1, 0, 0, 2, 1, 1, 0]);
    for op in ["+", "*", "min", "max"] {
        check(
            &format!(
                "|v: vec[i64], w: vec[f64]| result(for(v, vecmerger[f64,{op}](w), |b, i, x| merge(b, {{x, 0.1 * f64(i)}})))"
            ),
            &[v.clone(), f64s([1.5, -0.0, f64::NAN])],
        );
        check(
            &format!(
                "|v: vec[i64], w: vec[i64]| result(for(v, vecmerger[i64,{op}](w), |b, i, x| if(x > 0L, merge(b, {{x, i}}), b)))"
            ),
            &[v.clone(), i64s([1, 2, 3])],
        );
    }
    let pairs = Value::vec((0..3).map(|i| Value::structure(vec![Value::F64(0.5), Value::I32(i)])).collect());
    check(
        "|v: vec[i64], w: vec[{f64,i32}]| result(for(v, vecmerger[{f64,i32},+](w), |b, i, x| merge(b, {x, {0.1 * f64(i), i32(i)}})))",
        &[v, pairs],
    );
}
