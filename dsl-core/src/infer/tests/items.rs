//! Functions and constants in front of a program.

use super::{check_errors, result};
use crate::front;
use crate::ir::{Locations, print};

/// The programs, which are to be one and the same once they are lowered.
#[track_caller]
fn check_same(with_items: &str, by_hand: &str) {
    let lowered = |text: &str| {
        let program = front::from_text(text).unwrap_or_else(|errors| panic!("{text}: {}", errors[0]));
        print(&program.program, Locations::Hidden)
    };
    assert_eq!(lowered(with_items), lowered(by_hand), "{with_items}");
}

#[test]
fn a_call_is_its_body() {
    check_same(
        "fn discount(p: f64, d: f64) -> f64 { p * (1.0 - d) }
         |p: &[f64], d: &[f64]| zip(p, d).map(|(p, d)| discount(p, d)).sum()",
        "|p: &[f64], d: &[f64]| zip(p, d).map(|(p, d)| p * (1.0 - d)).sum()",
    );
    check_same(
        "fn squares(v: &[f64]) -> Vec<f64> { v.map(|x| x * x) } fn norm(v: &[f64]) -> f64 { squares(v).sum().sqrt() }
         |v: &[f64]| norm(v)",
        "|v: &[f64]| v.map(|x| x * x).sum().sqrt()",
    );
    check_same(
        "fn above(v: &[f64], least: f64, f: impl Fn(f64, f64) -> bool) -> Vec<f64> { v.filter(|x| f(x, least)) }
         |v: &[f64]| above(v, 2.0, |x, least| x > least)",
        "|v: &[f64]| { let least = 2.0; v.filter(|x| x > least) }",
    );
    check_same("const K: i64 = 3; |x: i64| K * x", "|x: i64| 3 * x");
}

#[test]
fn items_are_used_by_name_and_as_methods_in_any_order() {
    for (text, expected) in [
        ("|v: &[f64]| { fn f(x: f64) -> f64 { x + 1.0 }; v.map(f) }", "vec[f64]"),
        (
            "fn f(x: f64) -> f64 { g(x) } fn g(x: f64) -> f64 { K * x } const K: f64 = 2.0; |v: &[f64]| v.map(f)",
            "vec[f64]",
        ),
        ("fn f(x: i64, y: i64) -> i64 { x - y } |v: &[i64]| v.map(|x| x.f(1)).sum()", "i64"),
        (
            "fn f(a: i64, b: i64) -> bool { a > b } |v: &[i64]| { let g = f; v.filter(|x| g(x, 1)) }",
            "vec[i64]",
        ),
        ("fn add(a: i64, b: i64) -> i64 { a + b } |v: &[i64]| v.fold(0, add)", "i64"),
        (
            "struct P { x: f64 } fn f(P { x }: P, (a, b): (i64, i64)) -> f64 { x * f64(a + b) } |p: P| p.f((1, 2))",
            "f64",
        ),
        // A method of the language stays what it is; a function of the same name is called as one.
        ("fn sum(v: &[i64]) -> bool { true } |v: &[i64]| (v.sum(), sum(v))", "{i64,bool}"),
        // What a variable is called, no item is.
        (
            "fn f(x: i64) -> i64 { x } const K: f64 = 1.5; |K: i64, x: i64| { let f = |x| x > K; f(x) }",
            "bool",
        ),
        (
            "fn at(b: appender[i64], x: i64) -> appender[i64] { merge(b, x) } |x: i64| result(at(appender[i64], x))",
            "vec[i64]",
        ),
        ("fn f(v: &[i64]) -> i64 { v.map(|x| x + len(v)).sum() } |v: &[i64], w: &[i64]| f(v) + f(w)", "i64"),
    ] {
        assert_eq!(result(text), expected, "{text}");
    }
}

#[test]
fn type_parameters_are_what_the_arguments_are() {
    for (text, expected) in [
        (
            "fn norm<T: Float>(v: &[T]) -> T { v.map(|x| x * x).sum().sqrt() } |v: &[f64], w: &[f32]| (norm(v), norm(w))",
            "{f64,f32}",
        ),
        (
            "fn half<T: Int>(x: T) -> T { x / T(2) + 1 as T - T::MIN } |x: u8, y: i64| (half(x), half(y))",
            "{u8,i64}",
        ),
        ("fn pair<A, B>(a: A, b: B) -> (B, A) { (b, a) } |x: f64, v: &[u8]| pair(x, v)", "{vec[u8],f64}"),
        (
            "fn apply<A, B: Number>(a: A, f: impl Fn(A) -> B) -> B { f(a) } |x: i64| apply(x, |x| f32(x))",
            "f32",
        ),
        ("fn id<T>(x: T) -> T { x } |x: i64| id(id(id(x)) > id(3))", "bool"),
        ("fn twice<T: Number>(x: T) -> T { let y: T = x; y + y } |x: i8| twice::<i8>(x)", "i8"),
    ] {
        assert_eq!(result(text), expected, "{text}");
    }
}

#[test]
fn functions_see_what_stands_where_they_are_written() {
    check_errors(&[
        // A closure that is an argument sees the variables around it, whatever the function calls its own.
        ("fn f(k: i64, g: impl Fn(i64) -> i64) -> i64 { g(k) } |k: i64| f(k + 1, |x| x * k)", &[]),
        // Nor is a call within it a call of the function by itself.
        ("fn f(x: i64, g: impl Fn(i64) -> i64) -> i64 { g(x) } |x: i64| f(x, |y| f(y, |z| z + x))", &[]),
        ("fn f(x: i64) -> i64 { x } |x: i64| f(f(x))", &[]),
        ("fn f(g: impl Fn(i64) -> i64) -> i64 { f(g) } |x: i64| f(|y| y + x)", &["39 W0206"]),
        ("fn f(x: i64) -> i64 { y } |y: i64| f(y)", &["23 W0201"]),
        ("fn f(x: i64) -> i64 { let g = |y| x + y; z } |z: i64| f(z)", &["42 W0201"]),
    ]);
}

#[test]
fn calls_that_multiply_are_told_and_not_expanded_for_ever() {
    let mut text = String::from("fn g0(x: i64) -> i64 { x + 1 }\n");
    for level in 1..40 {
        text += &format!("fn g{level}(x: i64) -> i64 {{ g{}(x) + g{}(x) }}\n", level - 1, level - 1);
    }
    text += "|x: i64| g39(x)";
    let errors = front::from_text(&text).expect_err("too large");
    assert!(errors.iter().any(|error| error.code.to_string() == "W0505"), "{}", errors[0]);
}

#[test]
fn a_function_of_a_library_is_its_body_and_sees_nothing_of_the_program() {
    check_same(
        "#[welded] fn shop::tax(x: f64) -> f64 { x * 0.19 } |v: &[f64]| v.map(|x| shop::tax(x)).sum()",
        "|v: &[f64]| v.map(|x| x * 0.19).sum()",
    );
    check_same(
        "#[welded] fn __id, norm, a::norm<T: Float>(v: &[T]) -> T { v.map(|x| x * x).sum().sqrt() }
         |v: &[f64], w: &[f32]| (norm(v), a::norm(w), v.__id())",
        "|v: &[f64], w: &[f32]| (v.map(|x| x * x).sum().sqrt(), w.map(|x| x * x).sum().sqrt(), v.map(|x| x * x).sum().sqrt())",
    );
    check_same(
        "use a::{tax, b::fee as f, Point}; struct a::Point { x: f64 }
         #[welded] fn a::tax(x: f64) -> f64 { x * 0.19 } #[welded] fn a::b::fee(x: f64) -> f64 { a::tax(x) + 1.0 }
         |v: &[Point]| v.map(|p| p.x).map(tax).map(f).map(a::b::fee).map(|x| x.tax())",
        "struct Point { x: f64 }
         |v: &[Point]| v.map(|p| p.x).map(|x| x * 0.19).map(|x| x * 0.19 + 1.0).map(|x| x * 0.19 + 1.0).map(|x| x * 0.19)",
    );
    check_same(
        "#[welded] const K, a::K: f64 = 0.19; use a::K as R; |x: f64| K * x + a::K + R",
        "|x: f64| 0.19 * x + 0.19 + 0.19",
    );
    // A function and a macro of the program by names that the library has for other things.
    check_same(
        "macro mean(v) = (v[0]); type f = i64; fn rate(x: f64) -> f64 { x * 2.0 }
         #[welded] fn tax(v: &[f64]) -> f64 { let rate = |w| mean(w); rate(v) } |v: &[f64]| tax(v) + mean(v) + rate(1.0)",
        "|v: &[f64]| v.mean() + v[0] + 1.0 * 2.0",
    );
}

#[test]
fn what_is_near_a_function_of_the_language_is_a_slip_or_another_name() {
    for slip in ["smu", "filtr", "summ", "fliter", "sqt", "grop_by", "average", "sum", "map", "slot"] {
        assert!(front::is_word(slip), "{slip}");
    }
    for name in ["tax", "cost", "sums", "rate", "value", "key", "log3", "lo", "norm", "größe", "x", ""] {
        assert!(!front::is_word(name), "{name}");
    }
}
