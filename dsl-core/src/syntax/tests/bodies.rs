//! Programs of which only the body is text: what stands where, and what is no body.

use super::{rendered, show};
use crate::syntax::parse_body;

/// The program of `price: vec[f64]` and `n: i64` with this body, or its error.
fn shown(body: &str) -> String {
    let params = [("price", "vec[f64]"), ("n", "i64")].map(|(name, ty)| (name.to_owned(), ty.to_owned()));
    match parse_body(&params, body) {
        Ok(program) => show::program(&program),
        Err(errors) => rendered(&errors),
    }
}

#[test]
fn a_body_stands_behind_the_bars() {
    let whole = |body: &str| {
        let program = crate::syntax::parse_text(&format!("|price: vec[f64], n: i64| {body}")).expect(body);
        show::program(&program)
    };
    for body in ["price[n]", "price.map(|p| p | 1)", "{ let x = n; x + 1 }", "-> f64 { price[n] }", "n | n"] {
        assert_eq!(shown(body), whole(body), "{body}");
    }
}

#[test]
fn places_are_those_in_the_body() {
    assert_eq!(shown("price.map(|p| p *\n  )"), "2:3 parse: expected an expression, found `)`");
    assert_eq!(shown("price[n"), "1:6 parse: this `[` is not closed");
    assert_eq!(shown("n; n").lines().next(), Some("1:2 parse: expected the end of the program, found `;`"));
}

#[test]
fn nothing_is_no_body() {
    assert_eq!(
        shown("").lines().next(),
        Some("1:1 parse: expected an expression, found the end of the program")
    );
}

#[test]
fn a_parameter_has_one_name_and_no_more() {
    for name in ["unit price", "", "7", "x: i64, y", "x| y |z", "x //", "if"] {
        let params = [(name.to_owned(), "i64".to_owned())];
        let errors = parse_body(&params, "1").expect_err(name);
        assert_eq!((errors.len(), errors[0].position().to_string()), (1, "1:1".to_owned()), "{name}");
    }
}

#[test]
fn the_spelling_is_that_of_the_body() {
    let params = [("v".to_owned(), "vec[f64]".to_owned())];
    let spelling = |body| parse_body(&params, body).expect(body).spelling;
    assert_eq!(spelling("v[0]"), crate::syntax::ast::Spelling::Rust);
    assert_eq!(spelling("lookup(v, 0L)"), crate::syntax::ast::Spelling::Weld);
}
