//! Scalar code, vectors as values, and control.

use weldment_runtime::lang::scalar::MathFn;
use weldment_runtime::lang::value::Value;

use super::{check, f64s, i64s, mixed, rough};

#[test]
fn scalar_arithmetic() {
    check("|x: i64, y: i64| x * y + 1L", &[Value::I64(6), Value::I64(7)]);
    check(
        "|x: i64, y: i64| {x / y, x % y, x << y, x >> y, x & y, x | y, x ^ y, -x}",
        &[Value::I64(-77), Value::I64(5)],
    );
    check("|x: u8, y: u8| {x / y, x % y, x + y, x * y, x >> y, x < y}", &[Value::U8(250), Value::U8(7)]);
    check(
        "|x: f64, y: f64| {x % y, min(x, y), max(x, y), x == y, x < y}",
        &[Value::F64(-7.5), Value::F64(f64::NAN)],
    );
    check(
        "|x: f64| {x.floor(), x.ceil(), x.round(), x.trunc(), x.abs(), x.signum(), -x}",
        &[Value::F64(-2.5)],
    );
    check("|x: f32| {i64(x), u8(x), i8(x), f64(x), x.sqrt()}", &[Value::F32(300.7)]);
    check("|x: i64| {i8(x), u16(x), f32(x), bool(x), u64(x)}", &[Value::I64(-129)]);
}

#[test]
fn functions_of_floats() {
    let limits = [0.0, -0.0, 1.0, -1.0, 0.5, 700.0, -745.0, 1e-300, f64::INFINITY, f64::NAN, 3e5];
    // Blocks of angles that are not huge, then one that holds a huge one.
    let v = f64s(limits.into_iter().chain((0..40).map(|i| 0.3 * f64::from(i) - 5.0)).chain([1e9]));
    for &function in MathFn::ALL.iter().filter(|function| function.arity() == 1) {
        let name = function.name();
        check(&format!("|v: vec[f64]| map(v, |x| x.{name}())"), std::slice::from_ref(&v));
        check(&format!("|v: vec[f64]| map(v, |x| f32(x).{name}())"), std::slice::from_ref(&v));
    }
    let w = f64s((0..52).map(|i| 2.5 - 0.25 * f64::from(i)));
    for function in ["pow", "atan2", "hypot"] {
        check(
            &format!("|v: vec[f64], w: vec[f64]| map(zip(v, w), |p| p.0.{function}(p.1))"),
            &[v.clone(), w.clone()],
        );
        check(
            &format!("|v: vec[f64], w: vec[f64]| map(zip(v, w), |p| f32(p.0).{function}(f32(p.1)))"),
            &[v.clone(), w.clone()],
        );
    }
    check("|v: vec[f64]| map(v, |x| {pow(x, 1.5), x.mul_add(2.0, 1.0), x.atan2(0.3), x.hypot(x)})", &[v]);
}

#[test]
fn vectors_as_values() {
    let v = i64s(mixed(20));
    check(
        "|v: vec[i64]| {v, len(v), v[3], slice(v, 4L, 5L), slice(v, 18L, 9L), slice(v, 20L, 0L)}",
        std::slice::from_ref(&v),
    );
    check("|v: vec[i64]| [v, slice(v, 1L, 2L), [7L]]", std::slice::from_ref(&v));
    check(
        "|v: vec[i64]| {v == v, v < slice(v, 1L, 3L), compare(v, slice(v, 0L, 3L))}",
        std::slice::from_ref(&v),
    );
    check("|v: vec[i64]| sort(v, |a, b| compare(a, b))", std::slice::from_ref(&v));
    check("|v: vec[i64]| sort(v, |a, b| compare(a % 7L, b % 7L))", std::slice::from_ref(&v));
    check("|v: vec[i64]| let n = len(v); sort(v, |a, b| compare(b % n, a % n))", &[v]);
    let x = f64s(rough(30).into_iter().chain([f64::NAN, -0.0, 0.0]));
    check("|x: vec[f64]| sort(x, |a, b| compare(a, b))", &[x]);
}

#[test]
fn branches_and_iteration() {
    let collatz = "|n: i64| iterate({n, 0L}, |s| {{if(s.$0 % 2L == 0L, s.$0 / 2L, 3L * s.$0 + 1L), s.$1 + 1L}, s.$0 > 2L})";
    check(collatz, &[Value::I64(27)]);
    let v = i64s(mixed(12));
    check("|v: vec[i64]| if(len(v) > 3L, map(v, |x| x + 1L), v)", std::slice::from_ref(&v));
    check("|v: vec[i64]| map(v, |x| if(x > 0L, {x, 1.5}, {-x, 0.5}))", std::slice::from_ref(&v));
    check("|v: vec[i64]| map(v, |x| select(x > 0L, x, -x))", std::slice::from_ref(&v));
    check("|v: vec[i64]| map(v, |x| x > 0L && 100L / x > 5L || x == -50L)", std::slice::from_ref(&v));
    check("|v: vec[i64]| map(v, |x| iterate(x, |y| {y * 3L + 1L, y < 40L}))", std::slice::from_ref(&v));
    check(
        "|v: vec[i64]| iterate({v, 0L}, |s| {{map(s.$0, |x| x * 2L % 1000L), s.$1 + 1L}, s.$1 < 4L})",
        &[v],
    );
}

#[test]
fn bytes_there_and_back() {
    let v = i64s(mixed(5));
    check("|v: vec[i64]| serialize({v, 1.5, true, [v, v]})", std::slice::from_ref(&v));
    check(
        "|v: vec[i64]| deserialize[{vec[i64],f64,bool}](serialize({v, 1.5, true}))",
        std::slice::from_ref(&v),
    );
    check(
        "|v: vec[i64]| deserialize[dict[i64,f64]](serialize(result(for(v, dictmerger[i64,f64,+], |b, i, x| merge(b, {x, f64(i)})))))",
        &[v],
    );
}
