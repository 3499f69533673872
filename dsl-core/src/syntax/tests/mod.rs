//! Tests of the parser: programs in, S-expressions or errors with their places out.

use super::{parse_text, parse_tokens, show};
use crate::diagnostic::Diagnostic;

mod bodies;
mod errors;
mod expressions;
mod forms;
mod habits;
mod literals;
mod soup;
mod structs;
mod text;

/// The program's S-expression, or its error.
fn shown(text: &str) -> String {
    match parse_text(text) {
        Ok(program) => show::program(&program),
        Err(errors) => rendered(&errors),
    }
}

/// `line:column kind: message`
fn rendered(errors: &[Diagnostic]) -> String {
    let [error] = errors else { panic!("{} errors", errors.len()) };
    format!("{} {}: {}", error.position(), error.kind().name(), error.message)
}

/// Checks programs.
#[track_caller]
fn check_programs(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(shown(text), *expected, "{text}");
    }
}

/// Checks expressions, each as the body of `|| …`.
#[track_caller]
fn check_expressions(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(shown(&format!("|| {text}")), format!("(fn () {expected})"), "{text}");
    }
}

/// Checks types, each as that of a parameter.
#[track_caller]
fn check_types(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        assert_eq!(shown(&format!("|x: {text}| x")), format!("(fn (x:{expected}) x)"), "{text}");
    }
}

/// Checks the first lines of errors, with their places.
#[track_caller]
fn check_errors(cases: &[(&str, &str)]) {
    for (text, expected) in cases {
        let got = shown(text);
        assert_eq!(got.lines().next().unwrap_or_default(), *expected, "{text}");
    }
}

/// Checks the whole text of errors, as a user reads it.
#[track_caller]
fn check_advice(cases: &[(&str, &str, &str)]) {
    for (text, message, help) in cases {
        assert_eq!(shown(text), format!("{message}\nhelp: {help}"), "{text}");
    }
}

#[test]
fn tokens_and_text_give_the_same_tree() {
    let text = "|v: &[f64]| v.map(|x| if x > 0.0 { {x, b'a'} } else { (1e5, 97u8) })";
    let program = parse_tokens(text.parse().expect("tokens")).expect("a program");
    assert_eq!(show::program(&program), shown(text));
}
