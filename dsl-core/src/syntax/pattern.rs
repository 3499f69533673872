//! Patterns: what parameters, `let` and the arms of a `match` bind, and what those arms ask for.

use proc_macro2::Delimiter;

use super::ast::{Expr, ExprKind, Param, Pattern, RangePattern};
use super::input::{Input, Parsed};
use super::literal::{literal, negative};
use super::{constant, names, structs, types, words};
use crate::diagnostic::{Code, Diagnostic};
use weldment_runtime::lang::scalar::Const;
use weldment_runtime::lang::types::Scalar;

/// Where a pattern stands.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Place {
    /// Where it has to match whatever comes: behind `let`, and as a parameter.
    Binding,
    /// In an arm of a `match`, or in an `if let`.
    Arm,
}

/// A name, `_`, `&pattern`, `(a, b)`, `[a, b]` or `Point { x, y }`.
pub(super) fn pattern(input: &mut Input<'_>) -> Parsed<Pattern> {
    one(input, Place::Binding)
}

/// A pattern, or several with `|` between them where they may be.
pub(super) fn pattern_at(input: &mut Input<'_>, place: Place) -> Parsed<Pattern> {
    if place == Place::Binding {
        return one(input, place);
    }
    input.take("|");
    let mut alternatives = vec![one(input, place)?];
    while input.at_symbol("|") {
        input.check_chain(alternatives.len())?;
        input.take("|");
        alternatives.push(one(input, place)?);
    }
    Ok(if alternatives.len() == 1 { alternatives.remove(0) } else { Pattern::Or(alternatives) })
}

fn one(input: &mut Input<'_>, place: Place) -> Parsed<Pattern> {
    input.deeper(|input| nested(input, place))
}

fn nested(input: &mut Input<'_>, place: Place) -> Parsed<Pattern> {
    if input.take("&").is_some() {
        return one(input, place);
    }
    if let Some(span) = input.take_word("_") {
        return Ok(Pattern::Ignore(span));
    }
    if let Some(pattern) = asking(input, place)? {
        return Ok(pattern);
    }
    if let Some((mut inside, spans)) = input.enter(Delimiter::Parenthesis) {
        let first = pattern_at(&mut inside, place)?;
        if !inside.comma_or_end()? {
            return Ok(first);
        }
        let mut fields = vec![first];
        fields.extend(inside.list(|inside| pattern_at(inside, place))?);
        return Ok(Pattern::Struct(fields, spans.open()));
    }
    if let Some((inside, spans)) = input.enter(Delimiter::Bracket) {
        if inside.is_end() {
            return Err(inside.unexpected("a pattern").help("an array has one element at least"));
        }
        let elements = inside.list(|inside| pattern_at(inside, place))?;
        return Ok(Pattern::Elements(elements, spans.open()));
    }
    if input.at_group(Delimiter::Brace) {
        let error = Diagnostic::new(Code::Expected, input.span(), "expected a pattern, found `{`");
        return Err(error.help("take a struct apart with `(a, b)`"));
    }
    let is_taken_apart =
        |input: &Input<'_>| structs::at_fields(input) || input.at_group(Delimiter::Parenthesis);
    if let Some(name) = structs::name(input, is_taken_apart) {
        return structs::taken_apart(input, name, place);
    }
    if input.word().is_none() {
        let error = input.unexpected("a pattern");
        return Err(match input.symbol() {
            Some("..") => error.help("name every field, with `_` for those that are not needed"),
            _ => error,
        });
    }
    let name = words::new_name(input)?;
    if input.at_group(Delimiter::Brace) {
        let message = format!(
            "`{}` does not begin with a capital letter, and only such names take structs apart",
            name.name
        );
        let advice = format!("give it another name before the program: `type Name = {};`", name.name);
        return Err(Diagnostic::new(Code::Expected, name.span, message).help(advice));
    }
    if input.take("@").is_some() {
        return Ok(Pattern::At(name, Box::new(one(input, place)?)));
    }
    Ok(Pattern::Name(name))
}

/// A pattern that does not match every value, if one begins here: they have no place but in arms.
fn asking(input: &mut Input<'_>, place: Place) -> Parsed<Option<Pattern>> {
    let is_option = input.at_word("Some") || input.at_word("None");
    let is_range = begins_range(input);
    if !is_option && !is_range && !begins_value(input, place) {
        return Ok(None);
    }
    if place == Place::Binding {
        return Err(refutable(input));
    }
    if let Some(span) = input.take_word("None") {
        return Ok(Some(Pattern::Option(None, span)));
    }
    if let Some(span) = input.take_word("Some") {
        let (mut inside, _) = input.expect_group(Delimiter::Parenthesis)?;
        let value = pattern_at(&mut inside, place)?;
        inside.comma_or_end()?;
        inside.expect_end()?;
        return Ok(Some(Pattern::Option(Some(Box::new(value)), span)));
    }
    let start = if is_range { None } else { Some(value(input)?) };
    let span = input.span();
    if input.at_symbol("...") {
        let error = Diagnostic::new(Code::Expected, span, "expected `..=`, found `...`");
        return Err(error.help("a range with its end is `a..=b`"));
    }
    let is_closed = input.take("..=").is_some();
    if !is_closed && input.take("..").is_none() {
        let value = start.expect("what is no range begins with a value");
        return Ok(Some(Pattern::Value(Box::new(value))));
    }
    let has_end = is_closed || start.is_none() || begins_value(input, place);
    let end = if has_end { Some(value(input)?) } else { None };
    Ok(Some(Pattern::Range(Box::new(RangePattern { start, end, is_closed, span }))))
}

/// Whether a range without start comes next. Dots alone leave out fields, between braces.
fn begins_range(input: &Input<'_>) -> bool {
    let mut ahead = input.clone();
    input.at_symbol("..=") || ahead.take("..").is_some() && !ahead.is_end() && !ahead.at(",")
}

/// Whether a literal or a constant comes next. Names in capitals are constants where there may be some, unless a struct is taken apart
/// by that name, or a pattern follows.
fn begins_value(input: &Input<'_>, place: Place) -> bool {
    let mut ahead = input.clone();
    if input.at_symbol("-") || ahead.take_literal().is_some() {
        return true;
    }
    let Some((word, _)) = ahead.take_any_word() else { return false };
    let mut path = word.clone();
    while ahead.take("::").is_some() {
        let Some((next, _)) = ahead.take_any_word() else { return true };
        path = format!("{path}::{next}");
    }
    let is_struct = ahead.at_group(Delimiter::Parenthesis) || ahead.at_group(Delimiter::Brace);
    let is_path = path.len() > word.len();
    match word.as_str() {
        "true" | "false" => true,
        _ if is_struct => false,
        _ => is_path || place == Place::Arm && names::is_constant(&word) && !ahead.at_symbol("@"),
    }
}

/// A literal, perhaps behind a minus, or the name of a constant.
fn value(input: &mut Input<'_>) -> Parsed<Expr> {
    if input.take("-").is_some() {
        return negative(input)?.ok_or_else(|| input.unexpected("a number"));
    }
    if let Some(found) = input.take_literal() {
        return literal(&found);
    }
    let Some((word, span)) = input.word() else { return Err(input.unexpected("a number or a constant")) };
    if let "true" | "false" = word.as_str() {
        input.skip();
        return Ok(Expr { kind: ExprKind::Const(Const::Bool(word == "true")), span });
    }
    if let Some(scalar) = Scalar::from_name(&word) {
        input.skip();
        return constant::constant(input, scalar, span);
    }
    let mut ahead = input.clone();
    ahead.skip();
    if ahead.at("::") {
        *input = ahead;
        return constant::path(input, &word, span);
    }
    let name = words::new_name(input)?;
    Ok(Expr { kind: ExprKind::Name(name), span })
}

/// A closure's parameter.
pub(super) fn param(input: &mut Input<'_>) -> Parsed<Param> {
    let pattern = pattern(input)?;
    let ty = types::annotation(input, ":")?;
    Ok(Param { pattern, ty })
}

/// The error of a pattern that asks for something where it has to match whatever comes.
fn refutable(input: &Input<'_>) -> Diagnostic {
    let error = |advice| {
        let message = "this pattern does not match every value";
        Diagnostic::new(Code::Refutable, input.span(), message).help(advice)
    };
    if input.at_word("Some") || input.at_word("None") {
        return error(
            "say what it is otherwise, `if let Some(x) = o { a } else { b }` or `match o { Some(x) => a, None => b }`; \
             or take the value, `o.or_fault()`, `o.unwrap_or(x)`",
        );
    }
    error("say what it is otherwise: `match x { 0 => a, _ => b }`")
}
