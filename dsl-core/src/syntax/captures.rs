//! What a program takes from the Rust around it: `[k, &w, rate = self.rate()]`, in front of its closure.

use std::collections::HashSet;

use proc_macro2::{Delimiter, TokenStream};

use super::ast::{Outside, Param, Pattern};
use super::input::{Input, Parsed};
use super::{types, words};
use crate::diagnostic::{Code, Diagnostic};

/// The captures of the closure that comes next, if it has any.
pub(super) fn captures(input: &mut Input<'_>) -> Parsed<Vec<(Param, Outside)>> {
    let mut ahead = input.clone();
    match ahead.enter(Delimiter::Bracket) {
        Some((inside, _)) if ahead.at("|") => {
            *input = ahead;
            let captures = inside.list(capture)?;
            refuse_twice(&captures)?;
            Ok(captures)
        }
        _ => Ok(Vec::new()),
    }
}

/// Refuses a second capture of one name.
fn refuse_twice(captures: &[(Param, Outside)]) -> Parsed<()> {
    let mut seen = HashSet::new();
    for (param, _) in captures {
        if let Pattern::Name(name) = &param.pattern
            && !seen.insert(&name.name)
        {
            let message = format!("`{}` is captured twice", name.name);
            return Err(Diagnostic::new(Code::DefinedTwice, name.span, message)
                .help("give one of them another name, `[k, other = …]`"));
        }
    }
    Ok(())
}

/// `NAME`, `&NAME`, `NAME = EXPRESSION`, either of the ones without `&` with a type behind the name.
fn capture(input: &mut Input<'_>) -> Parsed<(Param, Outside)> {
    let start = input.clone();
    let is_borrowed = input.take("&").is_some();
    let name = match input.word() {
        Some((word, _)) if word == "self" => {
            return Err(input.unexpected("a name").help("give it a name in the program: `[k = self.k]`"));
        }
        _ => words::new_name(input)?,
    };
    let named = start.tokens_to(input);
    let ty = if is_borrowed { None } else { types::annotation(input, ":")? };
    let value = match input.take("=") {
        Some(_) if !is_borrowed => expression_of_rust(input)?,
        Some(_) => {
            let form = format!("write `[{0} = …]`, with `&` where the value is borrowed", name.name);
            return Err(input.unexpected("`,` or `]`").help(form));
        }
        None => named,
    };
    Ok((Param { pattern: Pattern::Name(name), ty }, Outside::Capture(value)))
}

/// What ends at a comma that stands neither in brackets nor between the `<` and `>` of `::<A, B>`.
fn expression_of_rust(input: &mut Input<'_>) -> Parsed<TokenStream> {
    let start = input.clone();
    let mut depth = 0;
    while !input.is_end() && (depth > 0 || !input.at(",")) {
        if input.take("->").is_some() || input.take("=>").is_some() {
        } else if input.take("::").is_some() {
            depth += usize::from(input.take("<").is_some());
        } else if depth > 0 && input.take("<").is_some() {
            depth += 1;
        } else if depth > 0 && input.take(">").is_some() {
            depth -= 1;
        } else {
            input.skip();
        }
    }
    let value = start.tokens_to(input);
    if value.is_empty() { Err(input.unexpected("an expression of Rust")) } else { Ok(value) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::syntax::parse_text;

    fn captured(text: &str) -> Vec<(String, bool, String)> {
        let program = parse_text(text).unwrap();
        let of = |(param, outside): (&Param, &Outside)| match (&param.pattern, outside) {
            (Pattern::Name(name), Outside::Capture(value)) => {
                (name.name.clone(), param.ty.is_some(), value.to_string())
            }
            other => panic!("{other:?}"),
        };
        program.closure.params.iter().zip(&program.outside).map(of).collect()
    }

    fn mistake(text: &str) -> String {
        parse_text(text).unwrap_err()[0].to_string()
    }

    #[test]
    fn a_capture_is_a_name_and_an_expression_of_rust() {
        let found = captured("[k, &w, rate = self.rate(1, 2), m: f64 = a::<B, C>(x) , n: i64] |v: &[f64]| v");
        let expected = [
            ("k", false, "k"),
            ("w", false, "& w"),
            ("rate", false, "self . rate (1 , 2)"),
            ("m", true, "a ::< B , C > (x)"),
            ("n", true, "n"),
        ];
        assert_eq!(found, expected.map(|(name, ty, value)| (name.to_owned(), ty, value.to_owned())));
    }

    #[test]
    fn what_is_no_capture_is_told_where_it_stands() {
        for (text, place, advice) in [
            ("[self.k] |v: i64| v", "expected a name, found `self`", "`[k = self.k]`"),
            ("[&mut k] |v: i64| v", "variables cannot be changed", "leave out `mut`"),
            ("[&w = 3] |v: i64| v", "expected `,` or `]`", "`[w = …]`"),
            ("[w = ] |v: i64| v", "expected an expression of Rust, found `]`", ""),
            ("[1.0] |v: i64| v", "expected a name, found `1.0`", ""),
        ] {
            let found = mistake(text);
            assert!(found.contains(place) && found.contains(advice), "{found}");
        }
    }
}
