//! Structs with names: definitions, literals, fields and patterns.

use super::{check_advice, check_errors, check_expressions, check_programs, check_types};

#[test]
fn definitions() {
    check_programs(&[
        (
            "struct Point { x: f64, y: f64 } |p: &[Point]| p",
            "(struct Point (x f64) (y f64))\n(fn (p:vec[Point]) p)",
        ),
        ("struct Pair<T>(T, Vec<T>); || 1", "(struct Pair<T> (0 T) (1 vec[T]))\n(fn () 1)"),
        ("struct A, b::A { r#type: i64, } || 1", "(struct A,b::A (type i64))\n(fn () 1)"),
    ]);
    check_errors(&[
        ("struct Point { x f64 } || 1", "1:18 parse: expected `:`, found `f64`"),
        ("struct Pair(f64, f64) || 1", "1:23 parse: expected `;`, found `||`"),
        ("struct f64 { x: f64 } || 1", "1:8 parse: `f64` is a keyword of Weld and cannot be a name"),
    ]);
}

#[test]
fn types_with_arguments() {
    check_types(&[
        ("Point", "Point"),
        ("&[a::b::Point]", "vec[a::b::Point]"),
        ("::a::Point", "::a::Point"),
        ("&Pair<f64, Vec<Pair<i64, i64>>>", "Pair<f64,vec[Pair<i64,i64>]>"),
    ]);
}

#[test]
fn literals_and_fields() {
    check_expressions(&[
        ("Point { x: 1.0, y }", "(Point (x 1.0) (y y))"),
        ("a::Point { ..p }", "(a::Point (.. p))"),
        ("Point { x: a.b.c, ..f(p) }.x", "(.x (Point (x (.c (.b a))) (.. (f p))))"),
        ("Pair { 0: a, 1: b }", "(Pair (0 a) (1 b))"),
        ("Pair(a, b)", "(Pair a b)"),
        ("a::Pair(a)", "(a::Pair a)"),
        ("if c { A { x: 1 } } else { A { x: 2 } }", "(if c (A (x 1)) (A (x 2)))"),
        ("if A { x } else { y }", "(if A x y)"),
        ("if (A { x: 1 }) == a { x } else { y }", "(if (== (A (x 1)) a) x y)"),
        ("if f(A { x: 1 }) { x } else { y }", "(if (f (A (x 1))) x y)"),
        ("a.x()", "(.x a)"),
    ]);
    check_errors(&[
        ("|| A { x: 1, ..a, }", "1:17 parse: expected `}`, found `,`"),
        ("|| a.x::<f64>", "1:13 parse: expected `(`, found the end of the program"),
    ]);
    check_advice(&[(
        "|| point { x: 1 }",
        "1:10 parse: expected the end of the program, found `{`",
        "a block stands only behind a closure's bars, `if c` and `else`; \
         a struct is `{a, b}`, `(a, b)` or, by a name with a capital letter, `Name { x: a, y: b }`",
    )]);
}

#[test]
fn patterns() {
    check_programs(&[
        ("|Point { x, y: (a, _), .. }| x", "(fn ((Point (x x) (y (a _)) ..)) x)"),
        ("|Pair(a, Pair(b, _))| a", "(fn ((Pair (0 a) (1 (Pair (0 b) (1 _))))) a)"),
        ("|v| v.map(|&a::Point { x, .. }| x)", "(fn (v) (.map v (fn ((a::Point (x x) ..)) x)))"),
        ("|v| let A { x } = v; x", "(fn (v) (let (A (x x)) v x))"),
    ]);
}
