//! What makes options and takes them apart: `Some(x)`, `match` and `if let`.
//!
//! There is nothing else that a `match` takes apart, so every one of them has the same two arms.

use proc_macro2::{Delimiter, Span};

use super::ast::{Closure, Expr, ExprKind, Match, Param, Pattern};
use super::control::arm_body;
use super::expr::{expression, operators};
use super::input::{Input, Parsed};
use super::pattern::pattern;
use super::words;
use crate::diagnostic::{Code, Diagnostic};

/// What follows `Some`: `(x)`, or nothing where it is a function, as in `v.map(Some)`.
pub(super) fn some(input: &mut Input<'_>, span: Span) -> Parsed<Expr> {
    let whole = |value| Expr { kind: ExprKind::Option(Some(Box::new(value))), span };
    if let Some((mut inside, _)) = input.enter(Delimiter::Parenthesis) {
        let value = expression(&mut inside)?;
        inside.comma_or_end()?;
        inside.expect_end()?;
        return Ok(whole(value));
    }
    let name = words::ident("x".to_owned(), span);
    let params = vec![Param { pattern: Pattern::Name(name.clone()), ty: None }];
    let body = Box::new(whole(Expr { kind: ExprKind::Name(name), span }));
    Ok(Expr { kind: ExprKind::Closure(Closure { params, result: None, body, span }), span })
}

/// What an arm is for.
pub(super) enum Arm {
    /// `Some(pattern)`
    Some(Pattern),
    /// `None`
    None,
}

/// `Some(pattern)` or `None`.
pub(super) fn arm(input: &mut Input<'_>) -> Parsed<Arm> {
    if input.take_word("None").is_some() {
        return Ok(Arm::None);
    }
    if input.take_word("Some").is_none() {
        return Err(input.unexpected("`Some(x)` or `None`").help(
            "only an `Option` is taken apart so: choose by a value with `if x == 0 { a } else { b }`, and take a struct apart \
             with `let`",
        ));
    }
    let (mut inside, _) = input.expect_group(Delimiter::Parenthesis)?;
    let value = pattern(&mut inside)?;
    inside.comma_or_end()?;
    inside.expect_end()?;
    Ok(Arm::Some(value))
}

/// What follows `match`: `o { Some(x) => a, None => b }`.
pub(super) fn match_expression(input: &mut Input<'_>, span: Span) -> Parsed<Expr> {
    let of = input.before_block(operators)?;
    let (mut inside, _) = input.expect_group(Delimiter::Brace)?;
    let mut some = None;
    let mut none = None;
    while !inside.is_end() {
        let place = inside.span();
        let arm = match inside.take_word("_") {
            Some(_) => None,
            None => Some(arm(&mut inside)?),
        };
        if inside.at_word("if") {
            let error = Diagnostic::new(Code::Arms, inside.span(), "an arm has no condition");
            return Err(error.help("put it behind the arrow: `Some(x) => if c { a } else { b }`"));
        }
        inside.expect("=>")?;
        let body = arm_body(&mut inside)?;
        match arm {
            Some(Arm::Some(value)) if some.is_none() => some = Some((value, body)),
            Some(Arm::None) if none.is_none() => none = Some(body),
            None if some.is_some() && none.is_none() => none = Some(body),
            None if some.is_none() && none.is_some() => some = Some((Pattern::Ignore(place), body)),
            None if some.is_none() => {
                let error = Diagnostic::new(Code::Arms, place, "this `match` has one arm for everything");
                return Err(error.help("write what the arm gives in its place"));
            }
            _ => {
                let error = Diagnostic::new(Code::Arms, place, "an arm before this one is for the same");
                return Err(error.help("leave one of them out"));
            }
        }
    }
    match (some, none) {
        (Some((value, some)), Some(none)) => Ok(whole(of, value, some, none, span)),
        (some, _) => Err(missing(some.is_none(), span)),
    }
}

/// `if let arm = of { then } else { els }`
pub(super) fn if_let((arm, of): (Arm, Expr), then: Expr, els: Expr, span: Span) -> Expr {
    match arm {
        Arm::Some(value) => whole(of, value, then, els, span),
        Arm::None => whole(of, Pattern::Ignore(span), els, then, span),
    }
}

fn whole(of: Expr, value: Pattern, some: Expr, none: Expr, span: Span) -> Expr {
    Expr { kind: ExprKind::Match(Box::new(Match { of, value, some, none })), span }
}

/// The error of a `match` that does not say what it is where there is a value, or else where there is none.
fn missing(is_some: bool, span: Span) -> Diagnostic {
    let arm = if is_some { "Some(x)" } else { "None" };
    let error = Diagnostic::new(Code::Arms, span, format!("this `match` has no arm for `{arm}`"));
    error.help(format!("add one, `{arm} => …`, or one for what is left, `_ => …`"))
}

/// The error of `Some(x)` or `None` where a pattern has to match whatever comes.
pub(super) fn refutable(input: &Input<'_>) -> Diagnostic {
    let message = "this pattern does not match every value";
    Diagnostic::new(Code::Refutable, input.span(), message).help(
        "say what it is otherwise, `if let Some(x) = o { a } else { b }` or `match o { Some(x) => a, None => b }`; \
         or take the value, `o.or_fault()`, `o.unwrap_or(x)`",
    )
}
