//! `let`, closures, `if` and `for`, and the annotations that may stand before anything.

use proc_macro2::{Delimiter, Span};

use super::ast::{Binding, Closure, Expr, ExprKind, Iter, IterKind, Param, Pattern};
use super::expr::{expression, operators, operators_after};
use super::input::{Input, Parsed};
use super::pattern::{Place, param, pattern, pattern_at};
use super::{matches, types};
use crate::diagnostic::{Code, Diagnostic};

/// What follows `let`.
pub(super) fn binding(input: &mut Input<'_>) -> Parsed<Binding> {
    let pattern = pattern(input)?;
    let ty = types::annotation(input, ":")?;
    input.expect("=")?;
    let value = expression(input)?;
    input.expect(";")?;
    Ok(Binding { pattern, ty, value })
}

/// Whether a closure begins here: with bars, or as in Weld's publications, `(b, i, x) => …`.
pub(super) fn begins_closure(input: &Input<'_>) -> bool {
    let mut next = input.clone();
    input.at("|") || next.enter(Delimiter::Parenthesis).is_some() && next.at_symbol("=>")
}

/// `|a, b: T| -> R body`, or `(a, b: T) => body`. A brace after the bars is a block, as in Rust.
pub(super) fn closure(input: &mut Input<'_>) -> Parsed<Expr> {
    if let Some((mut inside, spans)) = input.enter(Delimiter::Parenthesis) {
        let params = params(&mut inside, |inside| inside.is_end(), "`,` or `)`")?;
        input.expect("=>")?;
        let body = Box::new(expression(input)?);
        let span = spans.open();
        return Ok(Expr { kind: ExprKind::Closure(Closure { params, result: None, body, span }), span });
    }
    let span = input.expect("|")?;
    let params = params(input, |input| input.at("|"), "`,` or `|`")?;
    input.expect("|")?;
    let result = types::annotation(input, "->")?;
    let body = if input.at_group(Delimiter::Brace) {
        let start = input.clone();
        let Block { value, span, is_struct } = block(input, "`{`")?;
        // Weld has no results of closures: braces behind one are no struct of Weld's.
        if !is_struct && result.is_none() && !matches!(value.kind, ExprKind::Let(..)) {
            input.note_block_of_one(span);
        }
        operators_after(input, &start, value)?
    } else {
        expression(input)?
    };
    Ok(Expr { kind: ExprKind::Closure(Closure { params, result, body: Box::new(body), span }), span })
}

/// Parameters of a closure, up to where they end.
fn params(input: &mut Input<'_>, ends: fn(&Input<'_>) -> bool, separators: &str) -> Parsed<Vec<Param>> {
    let is_program = input.begins_program();
    let mut params = Vec::new();
    while !ends(input) {
        if let Some(word) = wanted(input, is_program)? {
            input.note_wanted(params.len(), word);
        }
        let param = param(input)?;
        if input.take(",").is_none() && !ends(input) {
            return Err(after_param(input, &param, separators));
        }
        params.push(param);
    }
    Ok(params)
}

/// The `const` before a parameter, if there is one: only the program itself has such parameters.
pub(super) fn wanted(input: &mut Input<'_>, is_program: bool) -> Parsed<Option<Span>> {
    match input.take_word("const") {
        Some(word) if !is_program => {
            let message = "only a parameter of the program is declared `const`";
            Err(Diagnostic::new(Code::Constant, word, message)
                .help("leave it out: what follows from a constant is known inside of functions as well"))
        }
        word => Ok(word),
    }
}

/// The error of what stands behind a parameter and is no separator.
fn after_param(input: &Input<'_>, param: &Param, separators: &str) -> Diagnostic {
    let error = input.unexpected(separators);
    match (&param.ty, &param.pattern) {
        (None, Pattern::Name(name)) if input.at_symbol("&") || input.word().is_some() => {
            error.help(format!("a type stands behind a colon: `{}: &[f64]`", name.name))
        }
        (Some(_), _) if input.word().is_some() => error.help("parameters stand apart by commas"),
        _ => error,
    }
}

/// `{ e }`, the body of a function.
pub(super) fn body(input: &mut Input<'_>) -> Parsed<Expr> {
    Ok(block(input, "`{`")?.value)
}

/// The body of an arm of a `match`, and the comma behind it, which what ends in a block needs not.
pub(super) fn arm_body(input: &mut Input<'_>) -> Parsed<Expr> {
    if input.at_group(Delimiter::Brace) {
        let body = body(input)?;
        input.take(",");
        return Ok(body);
    }
    let body = expression(input)?;
    if let ExprKind::If { .. } | ExprKind::Match(_) = body.kind {
        input.take(",");
    } else {
        input.comma_or_end()?;
    }
    Ok(body)
}

/// What stands in braces, and where they open.
struct Block {
    value: Expr,
    span: Span,
    is_struct: bool,
}

/// `{ e }`, which is e; or `{a, b}`, a struct. Stands only after a closure's bars, a condition, `else` and the arrow of an arm.
fn block(input: &mut Input<'_>, expected: &str) -> Parsed<Block> {
    let Some((mut inside, spans)) = input.enter(Delimiter::Brace) else {
        return Err(input.unexpected(expected));
    };
    let first = expression(&mut inside)?;
    if inside.at_symbol(";") {
        let error = Diagnostic::new(Code::NoValue, inside.span(), "a block ends with its value");
        return Err(error.help(
            "leave out the `;`; the values of other expressions would be lost, so bind them with `let`",
        ));
    }
    let span = spans.open();
    if !inside.comma_or_end()? {
        return Ok(Block { value: first, span, is_struct: false });
    }
    let mut fields = vec![first];
    fields.extend(inside.list(expression)?);
    Ok(Block { value: Expr { kind: ExprKind::Struct(fields), span }, span, is_struct: true })
}

/// What follows `if`: `(cond, a, b)`, or `cond { a }` and what else.
pub(super) fn if_expression(input: &mut Input<'_>, span: Span) -> Parsed<Expr> {
    let mut arms = Vec::new();
    let mut span = span;
    let otherwise = loop {
        input.check_chain(arms.len())?;
        match arm(input, span)? {
            Arm::Whole(choice) => break choice,
            Arm::Then(choice, then) => arms.push((choice, then, span)),
        }
        if input.take_word("else").is_none() {
            let error = Diagnostic::new(Code::NoElse, span, "this `if` has no `else`");
            return Err(error.help("an `if` is a value: say with `else { … }` what it is otherwise"));
        }
        match input.take_word("if") {
            Some(next) => span = next,
            None => break block(input, "`if` or `{`")?.value,
        }
    };
    Ok(arms.into_iter().rev().fold(otherwise, |els, (choice, then, span)| match choice {
        Choice::Condition(cond) => if_else(cond, then, els, span),
        Choice::Let(of) => matches::if_let(*of, then, els, span),
    }))
}

/// What one `if` turns out to be.
enum Arm {
    /// `(cond, a, b)`
    Whole(Expr),
    /// `cond { a }`
    Then(Choice, Expr),
}

/// What decides which branch it is.
enum Choice {
    Condition(Expr),
    /// `let Some(x) = o`
    Let(Box<(Pattern, Expr)>),
}

fn arm(input: &mut Input<'_>, span: Span) -> Parsed<Arm> {
    if input.take_word("let").is_some() {
        let asked = pattern_at(input, Place::Arm)?;
        input.expect("=")?;
        let of = input.before_block(operators)?;
        return Ok(Arm::Then(Choice::Let(Box::new((asked, of))), block(input, "an operator or `{`")?.value));
    }
    let start = input.clone();
    let Some((mut inside, _)) = input.enter(Delimiter::Parenthesis) else {
        let cond = input.before_block(operators)?;
        return Ok(Arm::Then(Choice::Condition(cond), block(input, "an operator or `{`")?.value));
    };
    let cond = expression(&mut inside)?;
    if inside.take(",").is_none() {
        inside.expect_end()?;
        let cond = input.before_block(|input| operators_after(input, &start, cond))?;
        return Ok(Arm::Then(Choice::Condition(cond), block(input, "an operator or `{`")?.value));
    }
    let form = "if(condition, then, else)";
    let then = expression(&mut inside)?;
    inside.comma_in(form)?;
    let els = expression(&mut inside)?;
    inside.last_in(form)?;
    Ok(Arm::Whole(if_else(cond, then, els, span)))
}

fn if_else(cond: Expr, then: Expr, els: Expr, span: Span) -> Expr {
    Expr { kind: ExprKind::If { cond: Box::new(cond), then: Box::new(then), els: Box::new(els) }, span }
}

/// What follows `for`: `(iters, builder, function)`.
pub(super) fn for_expression(input: &mut Input<'_>, span: Span) -> Parsed<Expr> {
    let Some((mut inside, _)) = input.enter(Delimiter::Parenthesis) else { return Err(for_in(span)) };
    if input.at_word("in") {
        return Err(for_in(span));
    }
    let form = "for(vector, builder, |b, i, x| …)";
    let iters = iters(&mut inside)?;
    if inside.at_word("in") {
        return Err(for_in(span));
    }
    inside.comma_in(form)?;
    let builder = Box::new(expression(&mut inside)?);
    inside.comma_in(form)?;
    let function = Box::new(expression(&mut inside)?);
    inside.last_in(form)?;
    Ok(Expr { kind: ExprKind::For { iters, builder, function }, span })
}

fn for_in(span: Span) -> Diagnostic {
    Diagnostic::new(Code::NoStatements, span, "there is no `for … in`").help(
        "write `for(v, builder, |b, i, x| …)`, or `v.map(|x| …)`, `v.fold(init, |acc, x| …)` and the like",
    )
}

fn iters(input: &mut Input<'_>) -> Parsed<Vec<Iter>> {
    annotations(input)?;
    let Some((inside, _)) = whole_call(input, "zip") else { return Ok(vec![iter(input)?]) };
    if inside.is_end() {
        return Err(inside.unexpected("an iterator"));
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
        let [start, end, stride] = three(&mut inside, "iter(vector, start, end, stride)")?;
        return Ok(Iter { kind: IterKind::Strided { vector, start, end, stride }, span });
    }
    if let Some((mut inside, span)) = whole_call(input, "rangeiter") {
        let [start, end, stride] = three(&mut inside, "rangeiter(start, end, stride)")?;
        return Ok(Iter { kind: IterKind::Range { start, end, stride }, span });
    }
    let expr = expression(input)?;
    let span = expr.span;
    Ok(Iter { kind: IterKind::All(expr), span })
}

/// Start, end and stride.
fn three(inside: &mut Input<'_>, form: &str) -> Parsed<[Expr; 3]> {
    let start = expression(inside)?;
    inside.comma_in(form)?;
    let end = expression(inside)?;
    inside.comma_in(form)?;
    let stride = expression(inside)?;
    inside.last_in(form)?;
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
        inside.list(annotation).map_err(|error| error.help("the form is `@(name: value, …)`"))?;
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
