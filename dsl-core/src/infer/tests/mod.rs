//! Several mistakes in one program: what is independent is told together, and nothing is told twice.

mod aliases;
mod items;
mod limits;
mod literals;
mod mixed;
mod reference;

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::diagnostic::{Code, Diagnostic};
use crate::front;

/// The type of what a program of one line gives.
#[track_caller]
fn result(text: &str) -> String {
    let program = crate::syntax::parse_text(text).and_then(|program| super::infer(&program));
    program.unwrap_or_else(|errors| panic!("{text}: {}", errors[0])).result.to_string()
}

/// `column code` of each error of a program of one line.
fn errors(text: &str) -> Vec<String> {
    let shown = |error: &Diagnostic| format!("{} {}", error.position().column, error.code);
    match front::from_text(text) {
        Ok(_) => Vec::new(),
        Err(errors) => errors.iter().map(shown).collect(),
    }
}

#[track_caller]
fn check_errors(cases: &[(&str, &[&str])]) {
    for (text, expected) in cases {
        assert_eq!(errors(text), *expected, "{text}");
    }
}

#[test]
fn types_with_arguments_are_named_wherever_a_type_ends() {
    check_errors(&[
        ("struct P<T> { x: T } type q = P<f64>; |v: &[q]| v.map(|p| p.x)", &[]),
        ("struct P<T> { x: T } |b: &[u8]| deserialize::<P<f64>>(b).x + deserialize[P<f64>](b).x", &[]),
        ("struct P<T> { x: T } |v: &[P<i64>]| v.map(|p| p).collect::<Vec<P<i64>>>()[0].x", &[]),
        ("struct P<T> { x: T } |v: &[P<i64>]| v[0].x + v.reduce::<P<i64>>(|a, b| b).x", &[]),
    ]);
}

#[test]
fn a_zip_in_a_zip_is_a_vector_of_structs() {
    let body = "appender[f64], |b, i, x| merge(b, x.0.1 + x.1)))";
    for over in ["zip(zip(n, v), v)", "zip(n, v).zip(v)", "zip(zip(n, v).iter(), v)"] {
        check_errors(&[(&format!("|n: &[i64], v: &[f64]| result(for({over}, {body}"), &[])]);
    }
}

#[test]
fn independent_mistakes_are_told_together() {
    check_errors(&[
        ("|x: f64| (x + a, x + b)", &["15 W0201", "22 W0201"]),
        ("|x: f64, n: i64| (x + n, -(x == 0.0), len(x))", &["23 W0301", "26 W0309", "39 W0315"]),
        ("type a = b; |x: a, y: c| x + y", &["10 W0203", "23 W0203"]),
        ("macro f(a) = a; macro f(a) = a; |x: f64| f(x, y)", &["23 W0205", "42 W0305", "47 W0201"]),
        ("|x: f64| for(x, appender[f64], |b, i| b)", &["14 W0315", "32 W0306"]),
        ("|v: &[f64]| v.map(|x: i64| x + q)", &["20 W0301", "32 W0201"]),
        ("|x: i8| (x + 1000, y)", &["14 W0106", "20 W0201"]),
    ]);
}

#[test]
fn what_follows_from_a_mistake_is_not_told() {
    check_errors(&[
        ("|x: f64| let a = b; a.0 + a[1] + sum(a) + f64(a) + a.map(|x| x & 1).sum()", &["18 W0201"]),
        ("|x: f64| let a = x.nothing(); if a { a } else { a + 1 }", &["20 W0202"]),
        ("|x: f64| let b = nothing(x); result(for([x], merge(b, x), |b, i, x| merge(b, 1)))", &["18 W0202"]),
        ("|d: dict[a, a]| lookup(d, 1) + lookup(d, 1.0)", &["10 W0203"]),
        ("|v: vec[bool]| v.sum() + 1.0", &["18 W0312"]),
        ("|x: f64| let f = |a| a; sort([x], f)[0] + [x].map(f).fold(0.0, f)", &["18 W0306"]),
        ("|p: {f64, f64}| let (a, b, c) = p; a[0] && c", &["21 W0307"]),
        ("|x: f64| let b = x + 1; b / 2 * b", &["22 W0301"]),
        ("macro f(a) = f(a) + f(a); |x: f64| f(x)", &["14 W0206"]),
        ("type t = {t, t}; |x: t| x.0", &["11 W0206"]),
    ]);
}

#[test]
fn mistakes_in_structs_are_told_together_and_once() {
    check_errors(&[
        (
            "struct P { x: f64, y: f64 } |p: P| P { z: p.q, x: p.x + 1 }.x",
            &["40 W0308", "45 W0308", "57 W0301"],
        ),
        ("struct P { x: f64 } |p: P| { let P { a, b } = p; a[0] + b.c }", &["38 W0308", "41 W0308"]),
        ("struct P { x: f64 } |p: P| let P { x } = q; x + p.x", &["42 W0201"]),
        ("struct P { x: f64 } |p: P| { let (a, b) = p; a[0] + b.c }", &["34 W0301"]),
        ("struct P { x: f64, y: f64 } |a: f64| let p = P { x: a }; p.x + p.y", &["46 W0323"]),
        ("struct P { x: f64 } |a: f64| let p = P(a, q); p.x + p.y", &["38 W0324", "43 W0201", "55 W0308"]),
        ("|p: P, q: P| let r = P { x: s }; p.x + q.x + r.y + P { x: 1 }.z", &["5 W0210", "29 W0201"]),
        ("struct A { b: B } struct B { a: A } |a: A| a.b.a.c", &["33 W0206"]),
        ("struct A<T> { x: T } |a: A, b: A<i64, i64>| a.x + b.x.y", &["26 W0325", "32 W0325"]),
        ("struct A { x: Dict<Dict<i64, i64>, i64> } |a: A, b: A| a.x.y", &["20 W0313", "60 W0308"]),
        ("type a = f64; |x: a<f64>| x.y", &["19 W0325"]),
        ("struct P { x: f64 } |p: P| {p.0, p.$0, p.$1, p.x}", &["31 W0308", "43 W0308"]),
        ("struct P(f64); |p: P| {p.0, p.$0, p.1}", &["37 W0308"]),
        ("struct P { x: {i64, f64} } |p: P| p.$0.1", &[]),
        ("struct P { x: f64 } type Q = {P, i64}; |q: Q| q.$0.0", &["50 W0308"]),
    ]);
}

#[test]
fn structs_with_parameters_ask_nothing_of_types_that_are_not_given() {
    check_errors(&[
        ("struct A<K> { d: Dict<K, i64> } |a: A<i64>| len(a.d)", &[]),
        ("struct A<K> { d: Dict<K, i64> } || 1", &[]),
        ("type t = f64; struct A<T> { x: t, y: T } |a: A<i64>| a.x + 0.5", &[]),
        ("struct A<K> { d: Dict<K, i64> } |a: A<Dict<i64, i64>>| len(a.d)", &["23 W0313"]),
        ("type t = T; struct A<T> { x: t } |a: A<i64>| a.x", &["10 W0210"]),
    ]);
}

#[test]
fn builders_are_looked_at_when_the_types_are_right() {
    check_errors(&[
        ("|x: f64| let b = appender[f64]; x + y", &["37 W0201"]),
        ("|x: f64| let b = appender[f64]; let c = appender[f64]; x", &["14 W0402", "37 W0402"]),
        ("|x: f64| let b = appender[f64]; {result(b), result(b), result(b)}", &["52 W0401"]),
        (
            "|x: f64| let b = appender[f64]; let c = merge(b, x); let d = merge(b, x); result(d)",
            &["68 W0401"],
        ),
        (
            "|v: vec[f64]| let b = appender[f64]; let c = merger[f64,+]; \
             {result(for(v, appender[f64], |a, i, x| merge(b, x))), result(c), result(c)}",
            &["107 W0405", "134 W0401"],
        ),
    ]);
}

/// The words of `text`, and what stands between them, one character each.
fn words(text: &str) -> Vec<&str> {
    let mut words = Vec::new();
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let is_word = |c: char| c == '_' || c == '.' && first.is_ascii_digit() || c.is_alphanumeric();
        let length = if is_word(first) { rest.find(|c| !is_word(c)) } else { Some(first.len_utf8()) };
        let (word, after) = rest.split_at(length.unwrap_or(rest.len()));
        words.push(word);
        rest = after;
    }
    words
}

/// What somebody may write instead of a word.
const SLIPS: [&str; 12] =
    ["", "x", "q", "1", "2.5", "v", "b", "f64", "sum", "(x, x)", "|x| x", "appender[f64]"];

/// How many slips in the words of `text` are refused, and their mistakes told in the order of their places.
fn refused_slips(text: &str) -> usize {
    let mut refused = 0;
    let words = words(text);
    for at in (0..words.len()).filter(|at| words[*at] != " ") {
        // Every third in each place, and others in the next.
        for slip in SLIPS.iter().skip(at % 3).step_by(3) {
            let mut slipped = words.clone();
            slipped[at] = slip;
            let Err(errors) = front::from_text(&slipped.concat()) else { continue };
            let place = |error: &Diagnostic| (error.position().line, error.position().column);
            assert!(errors.is_sorted_by(|a, b| place(a) < place(b)), "{}: {errors:?}", slipped.concat());
            refused += 1;
        }
    }
    proc_macro2::extra::invalidate_current_thread_spans();
    refused
}

#[test]
fn slips_are_answered_in_the_order_of_their_places() {
    let examples = Code::ALL.iter().filter_map(|code| code.example());
    let texts = examples.flat_map(|example| [example.right, example.wrong]).filter(|text| text.len() < 120);
    let (texts, next) = (texts.collect::<Vec<_>>(), AtomicUsize::new(0));
    let some_of_them = || {
        let mine = std::iter::from_fn(|| texts.get(next.fetch_add(1, Ordering::Relaxed)));
        mine.map(|text| refused_slips(text)).sum::<usize>()
    };
    let refused: usize = std::thread::scope(|scope| {
        let threads = std::thread::available_parallelism().map_or(1, usize::from);
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(some_of_them)).collect();
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(|panic| resume_unwind(panic))).sum()
    });
    assert!(refused > 5000, "only {refused} of the slips are mistakes");
}
