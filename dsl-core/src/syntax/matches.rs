//! `Some(x)`, `match` and `if let`.

use proc_macro2::{Delimiter, Span};

use super::ast::{Arm, Closure, Expr, ExprKind, Match, Param, Pattern};
use super::control::arm_body;
use super::expr::{expression, operators};
use super::input::{Input, Parsed};
use super::pattern::{Place, pattern_at};
use super::words;

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

/// What follows `match`: `x { 0 => a, n if n < 0 => b, _ => c }`.
pub(super) fn match_expression(input: &mut Input<'_>, span: Span) -> Parsed<Expr> {
    let of = input.before_block(operators)?;
    let (mut inside, _) = input.expect_group(Delimiter::Brace)?;
    let mut arms = Vec::new();
    while !inside.is_end() {
        inside.check_chain(arms.len())?;
        let pattern = pattern_at(&mut inside, Place::Arm)?;
        // No closure begins here: `(c) => …` is a condition and an arrow.
        let guard = match inside.take_word("if") {
            Some(_) => Some(operators(&mut inside)?),
            None => None,
        };
        inside.expect("=>")?;
        let body = arm_body(&mut inside)?;
        arms.push(Arm { pattern, guard, body });
    }
    Ok(Expr { kind: ExprKind::Match(Box::new(Match { of, arms, is_if_let: false })), span })
}

/// `if let pattern = of { then } else { els }`
pub(super) fn if_let((pattern, of): (Pattern, Expr), then: Expr, els: Expr, span: Span) -> Expr {
    let arm = |pattern, body| Arm { pattern, guard: None, body };
    let arms = vec![arm(pattern, then), arm(Pattern::Ignore(span), els)];
    Expr { kind: ExprKind::Match(Box::new(Match { of, arms, is_if_let: true })), span }
}
