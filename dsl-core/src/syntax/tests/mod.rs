//! Tests of the parser: programs in, S-expressions or errors with their places out.

use super::{parse_text, show};

/// The program's S-expression.
fn shown(text: &str) -> String {
    match parse_text(text) {
        Ok(program) => show::program(&program),
        Err(errors) => panic!("{text}\n{}: {}", errors[0].position(), errors[0]),
    }
}

/// Checks expressions: each as the body of `|| …`.
#[track_caller]
fn check_expressions(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        let got = shown(&format!("|| {text}"));
        assert_eq!(got, format!("(fn () {expected})"), "{text}");
    }
}

#[test]
fn operators_bind_by_the_table() {
    check_expressions(&[("a + b * c", "(+ a (* b c))")]);
}
