//! Faults: the kind, the text and the place are the interpreter's, and the first one in order wins.

use weldment_runtime::lang::value::Value;

use super::{check, f64s, i64s, mixed};

fn range(n: i64) -> Value {
    i64s(0..n)
}

#[test]
fn divisions() {
    check("|v: vec[i64]| map(v, |x| 10L / x)", &[i64s([1, 2, 0, 4, 0])]);
    check("|v: vec[i64]| map(v, |x| x % (x - 13L))", &[range(20)]);
    check("|v: vec[i64]| sum(map(v, |x| x / -1L))", &[i64s([1, i64::MIN, 2, i64::MIN])]);
    check("|v: vec[i64]| map(v, |x| u64(x) / u64(x - x))", &[i64s([-1])]);
    check("|v: vec[i64]| map(v, |x| i8(x) % i8(0))", &[i64s([5])]);
    check("|x: i64| x / 0L", &[Value::I64(7)]);
}

#[test]
fn lookups_and_slices() {
    check("|v: vec[i64]| map(v, |x| lookup(v, x))", &[i64s([1, 2, 0, 4, 9])]);
    check("|v: vec[i64]| map(v, |x| v[x])", &[i64s([1, 2, -3, 99])]);
    check("|v: vec[i64]| map(v, |x| len(slice(v, x, 2L)))", &[i64s([0, 4, 5, 3])]);
    check("|v: vec[i64]| map(v, |x| len(slice(v, 0L, x)))", &[i64s([0, 4, -5, 3])]);
    check(
        "|v: vec[i64]| let d = result(for(v, dictmerger[i64,i64,+], |b, i, x| merge(b, {x, x}))); map(v, |x| lookup(d, x + 1L))",
        &[i64s([1, 2, 3, 7, 8])],
    );
    check("|v: vec[i64], k: u64| v[k]", &[range(3), Value::U64(u64::MAX)]);
    check(
        "|v: vec[i64], w: vec[i64]| result(for(v, vecmerger[i64,+](w), |b, i, x| merge(b, {x, i})))",
        &[i64s([0, 1, 3, 2, 5]), range(3)],
    );
}

#[test]
fn iterators() {
    check(
        "|v: vec[i64]| result(for(iter(v, 0L, 9L, 1L), merger[i64,+], |b, i, x| merge(b, x)))",
        &[range(5)],
    );
    check(
        "|v: vec[i64]| result(for(iter(v, 0L, 5L, 2L), merger[i64,+], |b, i, x| merge(b, x)))",
        &[range(5)],
    );
    check(
        "|v: vec[i64]| result(for(iter(v, 3L, 1L, 1L), merger[i64,+], |b, i, x| merge(b, x)))",
        &[range(5)],
    );
    check(
        "|n: i64| result(for(rangeiter(0L, n, 0L), merger[i64,+], |b, i, x| merge(b, x)))",
        &[Value::I64(4)],
    );
    check("|v: vec[i64], w: vec[i64]| zip(v, w).map(|(a, b)| a + b)", &[range(5), range(4)]);
    check(
        "|v: vec[i64]| map(v, |x| result(for(rangeiter(0L, x, 2L), merger[i64,+], |b, i, y| merge(b, y))))",
        &[i64s([0, 2, 4, 5, 7])],
    );
}

#[test]
fn nothing_to_reduce() {
    check("|v: &[i64]| v.min()", &[range(0)]);
    check("|v: &[f64]| v.filter(|x| x > 100.0).max()", &[f64s([1.0, 2.0, 3.0, 4.0])]);
    check("|v: &[i64]| v.map(|n| (0..n).map(|i| i * i).max())", &[i64s([3, 2, 0, 1, 0])]);
}

#[test]
fn assertions_and_bytes() {
    check("|v: vec[i64]| map(v, |x| if(assert(x < 7L), x, 0L))", &[range(20)]);
    check("|v: vec[u8]| deserialize[vec[i64]](v)", &[Value::vec(vec![Value::U8(2); 24])]);
    check("|v: vec[i64]| deserialize[i64](serialize({v, 1L}))", &[range(2)]);
    check("|v: vec[i64]| deserialize[{vec[i64],f64}](serialize(v))", &[range(2)]);
}

#[test]
fn the_first_of_many_faults_wins() {
    let v = i64s(mixed(100));
    check("|v: vec[i64]| map(v, |x| 100L / (x % 5L))", std::slice::from_ref(&v));
    check(
        "|v: vec[i64]| result(for(v, dictmerger[i64,i64,+], |b, i, x| merge(b, {v[x], 100L / (x + 48L)})))",
        std::slice::from_ref(&v),
    );
    check(
        "|v: vec[i64]| {sum(map(v, |x| v[i64(x > 40L) * 1000L])), sum(map(v, |x| 1L / (x + 11L)))}",
        std::slice::from_ref(&v),
    );
    check(
        "|v: vec[i64]| result(for(v, appender[i64], |b, i, x| for(rangeiter(0L, 3L, 1L), b, |c, j, y| merge(c, 7L / (x + y)))))",
        std::slice::from_ref(&v),
    );
    check("|v: vec[i64]| sort(v, |a, b| compare(100L / (a + 50L), b))", &[v]);
}
