//! What stands behind an operand: fields, methods, indices and arguments.

use proc_macro2::Delimiter;

use super::ast::{Expr, ExprKind, Slice, Spelling, Type, TypeKind};
use super::expr::{bound, expression};
use super::input::{Input, Parsed};
use super::{control, primary, types, words};
use crate::diagnostic::{Code, Diagnostic};

/// A primary expression and everything behind it.
pub(super) fn postfix(input: &mut Input<'_>) -> Parsed<Expr> {
    let first = primary::primary(input)?;
    postfixes(input, first)
}

/// `expr` and everything behind it.
pub(super) fn postfixes(input: &mut Input<'_>, mut expr: Expr) -> Parsed<Expr> {
    // Whether the dot of the next member is taken already, as part of a number.
    let mut dotted = false;
    for length in 0.. {
        input.check_chain(length)?;
        if dotted || input.at_symbol(".") {
            if !dotted {
                input.take(".");
            }
            (expr, dotted) = member(input, expr)?;
        } else if let Some((mut inside, spans)) = input.enter(Delimiter::Bracket) {
            let index = index(&mut inside)?;
            expr = Expr { kind: ExprKind::Index(Box::new(expr), Box::new(index)), span: spans.open() };
        } else if let Some((inside, spans)) = input.enter(Delimiter::Parenthesis) {
            let args = inside.list(expression)?.into();
            expr = Expr { kind: ExprKind::Apply(Box::new(expr), args), span: spans.open() };
        } else if input.at_symbol("?") {
            return Err(input.unexpected("an operator"));
        } else {
            break;
        }
    }
    Ok(expr)
}

/// Whether an operand here would have something behind it.
pub(super) fn follows(input: &Input<'_>) -> bool {
    input.at_symbol(".") || input.at_group(Delimiter::Bracket) || input.at_group(Delimiter::Parenthesis)
}

/// Coordinates: as between brackets, in parentheses if there are several.
pub(super) fn ranges(input: &mut Input<'_>) -> Parsed<Expr> {
    match input.enter(Delimiter::Parenthesis) {
        Some((mut inside, _)) => index(&mut inside),
        None => subscript(input),
    }
}

/// What stands between brackets; several indices are a struct, the point of an array.
fn index(inside: &mut Input<'_>) -> Parsed<Expr> {
    let span = inside.span();
    let first = subscript(inside)?;
    if !inside.comma_or_end()? {
        return Ok(first);
    }
    let mut indices = vec![first];
    while !inside.is_end() {
        indices.push(subscript(inside)?);
        inside.comma_or_end()?;
    }
    Ok(Expr { kind: ExprKind::Struct(indices), span })
}

/// An index, or `start..end step step`.
fn subscript(inside: &mut Input<'_>) -> Parsed<Expr> {
    let start = match inside.at_symbol("..") {
        true => None,
        false if inside.at_word("let") || control::begins_closure(inside) => return expression(inside),
        false => Some(bound(inside)?),
    };
    let span = inside.span();
    if inside.take("..").is_none() {
        return start.ok_or_else(|| inside.unexpected("an index"));
    }
    let ends = inside.is_end() || inside.at(",") || inside.at_word("step");
    let end = if ends { None } else { Some(bound(inside)?) };
    if inside.at_symbol("..") {
        return Err(Diagnostic::new(Code::Chained, inside.span(), "ranges do not chain")
            .help("some of the coordinates are `start..end step 2`"));
    }
    let step = if inside.take_word("step").is_some() { Some(bound(inside)?) } else { None };
    Ok(Expr { kind: ExprKind::Slice(Box::new(Slice { start, end, step })), span })
}

/// What follows a dot: `$0`, `0`, a field, a method; or several indices, which Rust reads as one number. With it comes
/// whether that number ends in the dot of the next member: `x.$0.$1` is `x` `.` `$` `0.` `$` `1`.
fn member(input: &mut Input<'_>, expr: Expr) -> Parsed<(Expr, bool)> {
    let mut spelling = if input.take("$").is_some() { Spelling::Weld } else { Spelling::Rust };
    let span = input.span();
    let Some(literal) = input.take_literal() else { return Ok((method(input, expr)?, false)) };
    let text = literal.to_string();
    let digits = text.strip_suffix('.').unwrap_or(&text);
    let mut expr = expr;
    for part in digits.split('.') {
        let is_index = part.bytes().all(|byte| byte.is_ascii_digit());
        let Some(field) = part.parse().ok().filter(|_| is_index) else {
            let message = format!("expected the number of a field, found `{text}`");
            let error = Diagnostic::new(Code::Expected, span, message);
            return Err(error.help("the fields of a struct are `.0`, `.1`, …"));
        };
        expr = Expr { kind: ExprKind::Field(Box::new(expr), field, spelling), span };
        // Of `x.$0.1` the second is a number of Rust.
        spelling = Spelling::Rust;
    }
    Ok((expr, digits.len() < text.len()))
}

fn method(input: &mut Input<'_>, receiver: Expr) -> Parsed<Expr> {
    if input.word().is_none() {
        return Err(input.unexpected("a field, such as `0`, or a method"));
    }
    let name = words::any_name(input)?;
    let turbofish = turbofish(input)?;
    let span = name.span;
    let Some((inside, _)) = input.enter(Delimiter::Parenthesis) else {
        if turbofish.is_some() {
            return Err(input.unexpected("`(`"));
        }
        return Ok(Expr { kind: ExprKind::Member(Box::new(receiver), name), span });
    };
    let mut args = vec![receiver];
    args.extend(inside.list(argument)?);
    Ok(Expr { kind: ExprKind::Call { name, turbofish, args: args.into(), is_method: true }, span })
}

/// An argument of a call by name: an expression, or a lone operator, which some functions take.
pub(super) fn argument(input: &mut Input<'_>) -> Parsed<Expr> {
    let span = input.span();
    let mut next = input.clone();
    if let Ok(op) = types::operator(&mut next)
        && (next.is_end() || next.at(","))
    {
        *input = next;
        return Ok(Expr { kind: ExprKind::Operator(op), span });
    }
    expression(input)
}

/// `::<type>`, if it is there, or the number of digits of a `Fixed`, `::<2>`.
pub(super) fn turbofish(input: &mut Input<'_>) -> Parsed<Option<Box<Type>>> {
    if input.take("::").is_none() {
        return Ok(None);
    }
    input.expect("<")?;
    let mut ahead = input.clone();
    let (span, is_scale) = (input.span(), ahead.take_literal().is_some());
    let ty = match is_scale {
        true => Type { kind: TypeKind::Fixed(types::scale(input)?), span },
        false => types::delimited(input)?,
    };
    input.take(",");
    input.expect(">")?;
    Ok(Some(Box::new(ty)))
}
