//! `let`, closures, `if` and `for`, and the annotations that may stand before anything.

use proc_macro2::{Delimiter, Span};

use super::ast::{Closure, Expr, ExprKind, Iter, IterKind, Pattern, Type};
use super::expr::{expression, operators, operators_after};
use super::input::{Input, Parsed};
use super::pattern::{param, pattern};
use super::types;
use crate::diagnostic::{Diagnostic, Kind};

/// `let pattern: type = value;`, still without what it is visible in.
pub(super) struct Binding {
    pattern: Pattern,
    ty: Option<Type>,
    value: Expr,
    span: Span,
}

impl Binding {
    /// The `let` with its body.
    pub(super) fn around(self, body: Expr) -> Expr {
        let Binding { pattern, ty, value, span } = self;
        Expr { kind: ExprKind::Let { pattern, ty, value: Box::new(value), body: Box::new(body) }, span }
    }
}

/// What follows `let`.
pub(super) fn binding(input: &mut Input<'_>, span: Span) -> Parsed<Binding> {
    let pattern = pattern(input)?;
    let ty = match input.take(":") {
        Some(_) => Some(types::ty(input)?),
        None => None,
    };
    input.expect("=")?;
    let value = expression(input)?;
    input.expect(";")?;
    Ok(Binding { pattern, ty, value, span })
}

/// `|params| -> type body`
pub(super) fn closure(input: &mut Input<'_>) -> Parsed<Expr> {
    let span = input.expect("|")?;
    let mut params = Vec::new();
    while !input.at("|") {
        params.push(param(input)?);
        if input.take(",").is_none() && !input.at("|") {
            return Err(input.unexpected("`,` or `|`"));
        }
    }
    input.expect("|")?;
    let result = match input.take("->") {
        Some(_) => Some(types::ty(input)?),
        None => None,
    };
    let body = if input.at_group(Delimiter::Brace) {
        let first = block(input)?;
        operators_after(input, first)?
    } else {
        expression(input)?
    };
    Ok(Expr { kind: ExprKind::Closure(Closure { params, result, body: Box::new(body), span }), span })
}

/// `{ e }`, which is e; or `{a, b}`, a struct. Stands only after a closure's bars, a condition and `else`.
fn block(input: &mut Input<'_>) -> Parsed<Expr> {
    let (mut inside, spans) = input.expect_group(Delimiter::Brace)?;
    let first = expression(&mut inside)?;
    if inside.at_symbol(";") {
        let error = Diagnostic::new(Kind::Parse, inside.span(), "a block ends with its value");
        return Err(error.help(
            "leave out the `;`; the values of other expressions would be lost, so bind them with `let`",
        ));
    }
    if !inside.comma_or_end()? {
        return Ok(first);
    }
    let mut fields = vec![first];
    fields.extend(inside.list(expression)?);
    Ok(Expr { kind: ExprKind::Struct(fields), span: spans.open() })
}

/// What follows `if`: `(cond, a, b)`, or `cond { a } else { b }`.
pub(super) fn if_expression(input: &mut Input<'_>, span: Span) -> Parsed<Expr> {
    if input.at_word("let") {
        let error = Diagnostic::new(Kind::Parse, input.span(), "there is no `if let`");
        return Err(error.help("`optlookup(d, k)` gives `{found, value}`, whose `.0` can be the condition"));
    }
    let cond = match input.enter(Delimiter::Parenthesis) {
        Some((mut inside, _)) => {
            let cond = expression(&mut inside)?;
            if inside.take(",").is_some() {
                let then = expression(&mut inside)?;
                inside.expect(",")?;
                let els = expression(&mut inside)?;
                inside.expect_last()?;
                return Ok(if_else(cond, then, els, span));
            }
            inside.expect_end()?;
            operators_after(input, cond)?
        }
        None => operators(input)?,
    };
    let then = block(input)?;
    if input.take_word("else").is_none() {
        let error = Diagnostic::new(Kind::Parse, span, "this `if` has no `else`");
        return Err(error.help("an `if` is a value: say with `else { … }` what it is otherwise"));
    }
    let els = match input.take_word("if") {
        Some(span) => input.deeper(|input| if_expression(input, span))?,
        None => block(input)?,
    };
    Ok(if_else(cond, then, els, span))
}

fn if_else(cond: Expr, then: Expr, els: Expr, span: Span) -> Expr {
    Expr { kind: ExprKind::If { cond: Box::new(cond), then: Box::new(then), els: Box::new(els) }, span }
}

/// What follows `for`: `(iters, builder, function)`.
pub(super) fn for_expression(input: &mut Input<'_>, span: Span) -> Parsed<Expr> {
    let advice =
        "write `for(v, builder, |b, i, x| …)`, or `v.map(|x| …)`, `v.fold(init, |acc, x| …)` and the like";
    let group = input.enter(Delimiter::Parenthesis);
    let Some((mut inside, _)) = group.filter(|_| !input.at_word("in")) else {
        return Err(Diagnostic::new(Kind::Parse, span, "there is no `for … in`").help(advice));
    };
    let iters = iters(&mut inside)?;
    inside.expect(",")?;
    let builder = Box::new(expression(&mut inside)?);
    inside.expect(",")?;
    let function = Box::new(expression(&mut inside)?);
    inside.expect_last()?;
    Ok(Expr { kind: ExprKind::For { iters, builder, function }, span })
}

fn iters(input: &mut Input<'_>) -> Parsed<Vec<Iter>> {
    annotations(input)?;
    let Some((inside, spans)) = whole_call(input, "zip") else { return Ok(vec![iter(input)?]) };
    if inside.is_end() {
        return Err(Diagnostic::new(Kind::Parse, spans, "`zip` of nothing"));
    }
    inside.list(iter)
}

fn iter(input: &mut Input<'_>) -> Parsed<Iter> {
    annotations(input)?;
    if let Some((mut inside, span)) = whole_call(input, "iter") {
        let vector = expression(&mut inside)?;
        if !inside.comma_or_end()? || inside.is_end() {
            return Ok(Iter { kind: IterKind::All(vector), span });
        }
        let [start, end, stride] = three(&mut inside)?;
        return Ok(Iter { kind: IterKind::Strided { vector, start, end, stride }, span });
    }
    if let Some((mut inside, span)) = whole_call(input, "rangeiter") {
        let [start, end, stride] = three(&mut inside)?;
        return Ok(Iter { kind: IterKind::Range { start, end, stride }, span });
    }
    let expr = expression(input)?;
    let span = expr.span;
    Ok(Iter { kind: IterKind::All(expr), span })
}

/// Start, end and stride.
fn three(inside: &mut Input<'_>) -> Parsed<[Expr; 3]> {
    let start = expression(inside)?;
    inside.expect(",")?;
    let end = expression(inside)?;
    inside.expect(",")?;
    let stride = expression(inside)?;
    inside.expect_last()?;
    Ok([start, end, stride])
}

/// Takes `name(…)` if nothing stands behind it, such as a method.
fn whole_call<'a>(input: &mut Input<'a>, name: &str) -> Option<(Input<'a>, Span)> {
    let mut ahead = input.clone();
    let span = ahead.take_word(name)?;
    let (inside, _) = ahead.enter(Delimiter::Parenthesis)?;
    if !ahead.is_end() && !ahead.at(",") {
        return None;
    }
    *input = ahead;
    Some((inside, span))
}

/// Takes any number of `@(name: value, …)`. They mean nothing yet.
pub(super) fn annotations(input: &mut Input<'_>) -> Parsed<()> {
    while input.take("@").is_some() {
        let (inside, _) = input.expect_group(Delimiter::Parenthesis)?;
        inside.list(annotation)?;
    }
    Ok(())
}

fn annotation(input: &mut Input<'_>) -> Parsed<()> {
    if input.take_any_word().is_none() {
        return Err(input.unexpected("the name of an annotation"));
    }
    input.expect(":")?;
    if input.is_end() || input.at(",") {
        return Err(input.unexpected("the value of an annotation"));
    }
    while !input.is_end() && !input.at(",") {
        input.skip();
    }
    Ok(())
}
