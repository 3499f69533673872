//! What is short and would become endless is refused: by each limit, with structs without and with names.

use super::{errors, result};

/// The code of the only error.
#[track_caller]
fn refused(text: &str) -> String {
    let errors = crate::guard::on_large_stack(|| errors(text));
    let [error] = &errors[..] else { panic!("{errors:?}: {text:.200}") };
    error.split(' ').nth(1).expect("a code").to_owned()
}

/// What `of` makes of the numbers from 1 on.
fn levels(n: usize, of: impl Fn(usize) -> String) -> String {
    (1..=n).map(of).collect()
}

/// A program whose vectors `a0` and `b0` have elements of 2^n parts each: no step makes a large type, but the variable
/// in each is bound to two of the next.
fn backwards(n: usize, pair: impl Fn(&str) -> String, body: &str) -> String {
    let empty = levels(n + 1, |i| format!("let a{0} = []; let b{0} = []; ", i - 1));
    let link =
        |name: &str, i: usize| format!("let _ = [{name}{}[0], {}]; ", i - 1, pair(&format!("{name}{i}[0]")));
    let links = levels(n, |i| link("a", i) + &link("b", i));
    format!("|x: i64| {empty}{links}let _ = [a{n}[0], x]; let _ = [b{n}[0], x]; {body}")
}

#[test]
fn types_that_grow_backwards_are_refused_wherever_they_are_met() {
    let struct_pair = |x: &str| format!("{{{x}, {x}}}");
    let named_pair = |x: &str| format!("P {{ a: {x}, b: {x} }}");
    for body in [
        "x",
        "a0",
        "[a0, b0]",
        "[a0[0], 1]",
        "a0[0] + b0[0]",
        "a0[0] == b0[0]",
        "a0[0].nothing",
        "a0[0] + x",
        "-a0[0]",
        "f64(a0[0])",
        "a0.sum()",
        "a0.map(|y| y)",
        "a0.group_by(|y| y)",
        "zip(a0, b0).to_dict()",
        "a0.fold(b0[0], |y, z| z)",
        "result(for(a0, merger[?,+], |b, i, y| merge(b, y)))",
        "for(a0, b0[0], |b, i, y| b)",
        "if x > 0 { a0 } else { b0 }",
        "let (p, (q, r)) = a0[0]; p",
        "serialize(a0)",
        "(a0: vec[i64])",
        "a0[0].nothing()",
        "unknown(a0)",
        "[unknown, a0]",
        "let y = unknown; [y, a0]",
    ] {
        let named = format!("struct P<T> {{ a: T, b: T }} {}", backwards(40, named_pair, body));
        for text in [backwards(40, struct_pair, body), named] {
            let errors = crate::guard::on_large_stack(|| errors(&text));
            let of_size = errors.iter().filter(|error| error.ends_with(" W0506")).count();
            // Beside it there may be a mistake of the body's own.
            assert!(of_size == 1 && errors.len() <= 2, "{body}: {errors:?}");
        }
    }
    assert_eq!(result(&backwards(4, struct_pair, "len(a0)")), "i64");
    let named = format!("struct P<T> {{ a: T, b: T }} {}", backwards(4, named_pair, "len(a0)"));
    assert_eq!(result(&named), "i64");
}

#[test]
fn generic_structs_in_themselves_are_refused_by_their_parts() {
    let nested = |n: usize| format!("struct A<T> {{ x: T }} |a: {}i64{}| a", "A<".repeat(n), ">".repeat(n));
    assert_eq!(result(&nested(8)), format!("{}i64{}", "{".repeat(8), "}".repeat(8)));
    assert_eq!(refused(&nested(40)), "W0506");
    assert_eq!(refused(&nested(100)), "W0506");
}

#[test]
fn every_limit_holds_for_structs_with_names() {
    let doubled = levels(40, |i| format!("struct S{i} {{ a: S{0}, b: S{0} }} ", i - 1));
    assert_eq!(refused(&format!("struct S0 {{ x: i64 }} {doubled}|s: S40| 1")), "W0506");
    assert_eq!(refused(&format!("struct S0 {{ x: i64 }} {doubled}|| 1")), "W0506");
    let generic = levels(40, |i| format!("struct S{i}<T> {{ a: S{0}<T>, b: S{0}<T> }} ", i - 1));
    assert_eq!(refused(&format!("struct S0<T> {{ x: T }} {generic}|s: S40<i64>| 1")), "W0506");
    let deep = levels(300, |i| format!("struct S{i} {{ x: S{} }} ", i - 1));
    assert_eq!(refused(&format!("struct S0 {{ x: i64 }} {deep}|s: S300| 1")), "W0103");
    let values = levels(40, |i| format!("macro m{i}(p) = P {{ x: m{0}(p).x, y: m{0}(p).y }}; ", i - 1));
    assert_eq!(
        refused(&format!("struct P {{ x: i64, y: i64 }} macro m0(p) = p; {values}|p: P| m40(p)")),
        "W0505"
    );
    let members = ".p".repeat(450);
    let links = levels(28, |i| format!("macro m{i}(p) = m{}(p){members}; ", i - 1));
    assert_eq!(refused(&format!("struct P {{ p: i64 }} macro m0(p) = p; {links}|p: P| m28(p)")), "W0103");
    // Only what is large is refused.
    let small = levels(9, |i| format!("struct S{i} {{ a: S{0}, b: S{0} }} ", i - 1));
    assert_eq!(result(&format!("struct S0 {{ x: i64 }} {small}|s: &[S9]| len(s)")), "i64");
}

#[test]
fn messages_show_large_types_in_part() {
    let fields = vec!["x"; 1000].join(", ");
    let Err(errors) = crate::front::from_text(&format!("|x: i64| ({fields}).map(|y| y)")) else { panic!() };
    assert!(errors[0].message.len() < 4000, "{}", errors[0].message);
    assert!(errors[0].message.contains('…'), "{}", errors[0].message);
}

/// Whoever asks for the type of a receiver must not type it anew: each link would double what the links before it take.
#[test]
fn a_long_chain_of_methods_is_typed_once() {
    let chains = [
        ("s: &str", "str", ".slice(0, 3)"),
        ("s: &str", "str", ".strip_prefix(\"a\").or(None).unwrap_or(\"b\")"),
        ("s: Timestamp", "Timestamp", ".add_months(1)"),
        ("s: Timestamp", "Timestamp", ".trunc(\"month\")"),
        ("s: Timestamp", "Timestamp", ".midnight()"),
        ("s: Date", "Date", ".trunc(\"week\").add_months(1)"),
        ("s: &[i64]", "vec[i64]", ".k_largest(9)"),
        ("s: Option<i64>", "option[i64]", ".map(|x| x + 1).filter(|x| x > 0)"),
    ];
    for (param, ty, link) in chains {
        let program = format!("|{param}| s{}", link.repeat(40));
        assert_eq!(crate::guard::on_large_stack(|| result(&program)), ty, "{link}");
    }
}
