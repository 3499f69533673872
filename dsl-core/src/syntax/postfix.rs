//! What stands behind an operand: fields, methods, indices and arguments.

use proc_macro2::{Delimiter, Span};

use super::ast::{Expr, ExprKind};
use super::expr::expression;
use super::input::{Input, Parsed};
use super::{primary, types, words};
use crate::diagnostic::{Diagnostic, Kind};

/// A primary expression and everything behind it.
pub(super) fn postfix(input: &mut Input<'_>) -> Parsed<Expr> {
    let first = primary::primary(input)?;
    postfixes(input, first)
}

/// `expr` and everything behind it.
pub(super) fn postfixes(input: &mut Input<'_>, mut expr: Expr) -> Parsed<Expr> {
    loop {
        if input.at_symbol(".") {
            input.take(".");
            expr = member(input, expr)?;
        } else if let Some((mut inside, spans)) = input.enter(Delimiter::Bracket) {
            let index = expression(&mut inside)?;
            inside.expect_end()?;
            expr = Expr { kind: index_kind(expr, index)?, span: spans.open() };
        } else if let Some((inside, spans)) = input.enter(Delimiter::Parenthesis) {
            let args = inside.list(expression)?;
            expr = Expr { kind: ExprKind::Apply(Box::new(expr), args), span: spans.open() };
        } else if input.at_symbol("?") {
            return Err(input.unexpected("an operator"));
        } else {
            return Ok(expr);
        }
    }
}

/// Whether an operand here would have something behind it.
pub(super) fn follows(input: &Input<'_>) -> bool {
    input.at_symbol(".") || input.at_group(Delimiter::Bracket) || input.at_group(Delimiter::Parenthesis)
}

fn index_kind(vector: Expr, index: Expr) -> Parsed<ExprKind> {
    if matches!(index.kind, ExprKind::Range(..)) {
        let error = Diagnostic::new(Kind::Parse, index.span, "an index is one number");
        return Err(error.help("a part of a vector is `slice(v, start, length)`"));
    }
    Ok(ExprKind::Index(Box::new(vector), Box::new(index)))
}

/// What follows a dot: `$0`, `0`, a method; or several indices, which Rust reads as one number.
fn member(input: &mut Input<'_>, expr: Expr) -> Parsed<Expr> {
    input.take("$");
    let span = input.span();
    if let Some(literal) = input.take_literal() {
        return indices(input, expr, &literal.to_string(), span);
    }
    if input.word().is_none() {
        return Err(input.unexpected("a field, such as `0`, or a method"));
    }
    method(input, expr)
}

/// The fields that `digits` names: `0`, or `0.1`, or `0.` where `$1` follows.
fn indices(input: &mut Input<'_>, mut expr: Expr, digits: &str, span: Span) -> Parsed<Expr> {
    let error = || {
        let message = format!("expected the number of a field, found `{digits}`");
        Diagnostic::new(Kind::Parse, span, message).help("the fields of a struct are `.0`, `.1`, …")
    };
    let (digits_only, dot) = match digits.strip_suffix('.') {
        Some(digits) => (digits, true),
        None => (digits, false),
    };
    for part in digits_only.split('.') {
        if !part.bytes().all(|byte| byte.is_ascii_digit()) {
            return Err(error());
        }
        let field = part.parse().map_err(|_| error())?;
        expr = Expr { kind: ExprKind::Field(Box::new(expr), field), span };
    }
    if dot { member(input, expr) } else { Ok(expr) }
}

fn method(input: &mut Input<'_>, receiver: Expr) -> Parsed<Expr> {
    let name = words::any_name(input)?;
    let turbofish = turbofish(input)?;
    let Some((inside, _)) = input.enter(Delimiter::Parenthesis) else {
        let message = format!("there is no field `{}`: fields have numbers", name.name);
        let error = Diagnostic::new(Kind::Type, name.span, message);
        return Err(error.help(format!("write `.0` for the first field, or `.{}()` for a method", name.name)));
    };
    let mut args = vec![receiver];
    args.extend(inside.list(expression)?);
    let span = name.span;
    Ok(Expr { kind: ExprKind::Call { name, turbofish, args, is_method: true }, span })
}

/// `::<type>`, if it is there.
pub(super) fn turbofish(input: &mut Input<'_>) -> Parsed<Option<super::ast::Type>> {
    if input.take("::").is_none() {
        return Ok(None);
    }
    input.expect("<")?;
    let ty = types::ty(input)?;
    input.take(",");
    input.expect(">")?;
    Ok(Some(ty))
}
