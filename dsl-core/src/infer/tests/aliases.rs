//! Aliases stand wherever what they name may stand.

use super::{check_errors, errors, result};

#[test]
fn an_alias_is_its_type_wherever_types_stand() {
    for (text, expected) in [
        ("type t = i64; |x: t, y: f64| -> t { x + (y as t) }", "i64"),
        ("type t = f32; |x: i64| t(x)", "f32"),
        ("type t = i16; |x: i64| (x as t) < t(3) && t(x) > 1", "bool"),
        ("type t = f64; |v: vec[t]| v.sum::<t>()", "f64"),
        ("type t = f64; |b: vec[u8]| deserialize[t](b) + cudf[g, t](1L)", "f64"),
        (
            "type t = i64; type row = {t, vec[t]}; type rows = vec[row]; |r: rows| r.map(|r| r.0: t)",
            "vec[i64]",
        ),
        ("type rows = vec[row]; type row = {i64, f64}; |r: rows| r[0]", "{i64,f64}"),
        ("type t = u8; |x: t| (t::MAX, t::MIN, x)", "{u8,u8,u8}"),
        ("type t = f32; || t::consts::PI + t::EPSILON", "f32"),
        ("type k = i64; |v: &[k]| { let f: k = v[0]; (|a: k| a)(f) }", "i64"),
        ("type d = Dict<i64, f64>; |d: &d, k: &i64| d[k]", "f64"),
    ] {
        assert_eq!(result(text), expected, "{text}");
    }
}

#[test]
fn an_alias_of_a_builder_makes_builders() {
    for (text, expected) in [
        ("type B = merger[i64,+]; |v: vec[i64]| result(for(v, B, |b, i, x| merge(b, x)))", "i64"),
        ("type B = merger[i64,+]; |v: vec[i64]| result(for(v, B(7L), |b, i, x| merge(b, x)))", "i64"),
        ("type A = appender[f64]; type B = A; |x: f64| result(merge(B, x))", "vec[f64]"),
        ("type A = appender; |x: f64| {result(merge(A, x)), result(merge(A(4L), 1))}", "{vec[f64],vec[i32]}"),
        ("type D = dictmerger[i64,f64,max]; |x: f64| result(merge(D, {1, x}))", "dict[i64,f64]"),
        ("type G = groupmerger[i64,f64]; |x: f64| result(merge(G, {1, x}))", "dict[i64,vec[f64]]"),
        ("type V = vecmerger[f64,+]; |v: vec[f64]| result(merge(V(v), {0L, 1.0}))", "vec[f64]"),
        ("type B = merger[i64,+]; |v: vec[i64]| result(for(v, B, |b: B, i, x| merge(b, x)))", "i64"),
        ("type B = merger[i64,+]; macro new(x) = B(x); |n: i64| result(new(n))", "i64"),
    ] {
        assert_eq!(result(text), expected, "{text}");
    }
}

#[test]
fn an_alias_of_a_struct_makes_and_takes_apart_its_values() {
    for (text, expected) in [
        ("struct P { x: f64, y: i64 } type Q = P; |x: f64| { let Q { y, .. } = Q { x, y: 1 }; y }", "i64"),
        ("struct P(f64, i64); type Q = P; |x: f64| Q(x, 1).1", "i64"),
        ("struct P<T> { x: T } type Q = P<f32>; |q: Q| Q { x: 0.5f }.x + q.x", "f32"),
        ("struct P<T>(T); type q = P<i16>; |x: i64| q(7).0", "i16"),
    ] {
        assert_eq!(result(text), expected, "{text}");
    }
}

#[test]
fn variables_hide_aliases_and_sugar_means_what_the_language_says() {
    for (text, expected) in [
        ("type t = i64; |t: f64| t + 1.0", "f64"),
        ("type count = f32; |v: vec[i64]| count(len(v)) + f32(v.count())", "f32"),
        ("type enumerate = f32; |v: vec[i64]| argmin(v)", "i64"),
        ("macro enumerate(v) = 1L; |v: vec[i64]| argmin(v)", "i64"),
    ] {
        assert_eq!(result(text), expected, "{text}");
    }
}

#[test]
fn what_an_alias_cannot_be_is_told_at_its_token() {
    check_errors(&[
        ("type t = t; |x: i64| x", &["10 W0206"]),
        ("type a = vec[b]; type b = {a, i64}; |x: i64| x", &["28 W0206"]),
        ("type t = {i64, t}; |x: t| t(x)", &["16 W0206"]),
        ("type t = nothing; |x: i64| x as t", &["10 W0203"]),
        ("type t = vec[i64]; |x: i64| x as t", &["34 W0311"]),
        ("type t = vec[i64]; |x: i64| t(x)", &["29 W0202"]),
        ("type t = dict[i64,i64]; |x: i64| t(x)", &["34 W0202"]),
        ("type t = {i64,i64}; |x: i64| t(x, y)", &["30 W0202", "35 W0201"]),
        ("type t = i64; |x: f64| t", &["24 W0123"]),
        ("type t = i64; |x: f64| t(x, x)", &["24 W0305"]),
        ("type t = bool; |x: f64| t(x)", &["25 W0311"]),
        ("type V = vecmerger[i64,+]; |x: f64| V", &["37 W0305"]),
        ("type D = dictmerger[i64,i64,+]; |x: i64| D(x)", &["42 W0126"]),
        ("type M = merger[bool,+]; |x: i64| result(M)", &["42 W0312"]),
        ("type T = vec[i64]; |x: i64| T { x: x }", &["29 W0203"]),
        ("type t = i64; |x: i64| t::PI + x", &["24 W0204"]),
        ("type t = vec[i64]; |x: i64| t::MAX + x", &["29 W0204"]),
        ("type t = i64; |x: i64| t::max(x)", &["24 W0204"]),
        ("|x: i64| nothing::MAX + y", &["10 W0204", "25 W0201"]),
        ("|x: i64| nothing::max(x, y)", &["10 W0204", "26 W0201"]),
        ("|x: i64| x as nothing", &["15 W0203"]),
        ("|x: i64| x as char", &["15 W0319"]),
    ]);
}

#[test]
fn aliases_of_aliases_nest_so_deep_and_no_deeper() {
    let chain = |length: usize| {
        let next = |i: usize| format!("type t{i} = vec[t{}]; ", i + 1);
        (0..length).map(next).collect::<String>() + &format!("type t{length} = i64; |x: t0| len(x)")
    };
    assert_eq!(result(&chain(100)), "i64");
    let [error] = &errors(&chain(2000))[..] else { panic!("one error") };
    assert!(error.ends_with(" W0103"), "{error}");
}
