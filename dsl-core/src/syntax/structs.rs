//! Structs with names: their definitions, and what makes and takes apart values of them.

use proc_macro2::{Delimiter, Span};

use super::ast::{Expr, ExprKind, Ident, NamedPattern, Origin, Pattern, Struct, Type};
use super::expr::expression;
use super::input::{Input, Parsed};
use super::pattern::{Place, pattern_at};
use super::{types, words};

/// What follows `struct`: `NAME<PARAMS> { FIELD: TYPE }` or `NAME(TYPE);`. One of the parameters may be a lifetime.
pub(super) fn item(input: &mut Input<'_>) -> Parsed<Struct> {
    let (name, paths) = item_names(input)?;
    let (mut params, mut lifetimes) = (Vec::new(), 0);
    if input.take("<").is_some() {
        while !input.at(">") {
            match input.take_lifetime() {
                true => lifetimes += 1,
                false => params.push(words::new_name(input)?),
            }
            if input.take(",").is_none() && !input.at(">") {
                return Err(input.unexpected("`,` or `>`"));
            }
        }
        input.expect(">")?;
    }
    let fields = if let Some((inside, _)) = input.enter(Delimiter::Parenthesis) {
        let types = inside.list(types::delimited)?;
        input.expect(";")?;
        types.into_iter().enumerate().map(|(number, ty)| (numbered(number, ty.span), ty)).collect()
    } else {
        let (inside, _) = input.expect_group(Delimiter::Brace)?;
        inside.list(field)?
    };
    let shown = name.name.clone();
    let (variants, origin) = (Vec::new(), Origin::Program);
    Ok(Struct { name, shown, paths, lifetimes, params, fields, variants, origin })
}

/// The names of a struct or a function. It may have several, `A, b::A`: the text of a kernel names what it has found under each.
pub(super) fn item_names(input: &mut Input<'_>) -> Parsed<(Ident, Vec<String>)> {
    let name = item_name(input)?;
    let mut paths = Vec::new();
    while input.take(",").is_some() {
        paths.push(item_name(input)?.name);
    }
    Ok((name, paths))
}

/// A name, which may be a path.
pub(super) fn item_name(input: &mut Input<'_>) -> Parsed<Ident> {
    let mut name = words::new_name(input)?;
    while input.take("::").is_some() {
        let last = words::new_name(input)?;
        name = Ident { name: format!("{}::{}", name.name, last.name), ..last };
    }
    Ok(name)
}

/// `FIELD: TYPE`
fn field(input: &mut Input<'_>) -> Parsed<(Ident, Type)> {
    let name = words::any_name(input)?;
    input.expect(":")?;
    Ok((name, types::delimited(input)?))
}

fn numbered(number: usize, span: Span) -> Ident {
    Ident { name: number.to_string(), mark: 0, span }
}

/// Takes the name of a struct if one comes next, and behind it what `follows` says: a path whose last name begins with
/// a capital letter, as those of structs do.
pub(super) fn name(input: &mut Input<'_>, follows: impl Fn(&Input<'_>) -> bool) -> Option<Ident> {
    let mut ahead = input.clone();
    let (first, span) = ahead.take_any_word()?;
    let name = name_after(&mut ahead, &first, span, follows)?;
    *input = ahead;
    Some(name)
}

/// As [`name`], where the first word has been taken already.
pub(super) fn name_after(
    input: &mut Input<'_>,
    first: &str,
    mut span: Span,
    follows: impl Fn(&Input<'_>) -> bool,
) -> Option<Ident> {
    let mut ahead = input.clone();
    let (mut path, mut last) = (first.to_string(), first.to_string());
    while ahead.take("::").is_some() {
        (last, span) = ahead.take_any_word()?;
        path = format!("{path}::{last}");
    }
    if !last.starts_with(char::is_uppercase) || !follows(&ahead) {
        return None;
    }
    *input = ahead;
    Some(words::ident(path, span))
}

/// Whether fields come next, between braces.
pub(super) fn at_fields(input: &Input<'_>) -> bool {
    input.at_group(Delimiter::Brace)
}

/// What follows the name in `Point { x: a, y, ..rest }`.
pub(super) fn literal(input: &mut Input<'_>, name: Ident) -> Parsed<Expr> {
    let (mut inside, _) = input.expect_group(Delimiter::Brace)?;
    let mut fields = Vec::new();
    let mut rest = None;
    while !inside.is_end() {
        if inside.take("..").is_some() {
            rest = Some(Box::new(expression(&mut inside)?));
            inside.expect_end()?;
            break;
        }
        let field = field_name(&mut inside)?;
        let value = match inside.take(":") {
            Some(_) => expression(&mut inside)?,
            None => Expr { kind: ExprKind::Name(field.clone()), span: field.span },
        };
        fields.push((field, value));
        inside.comma_or_end()?;
    }
    let span = name.span;
    Ok(Expr { kind: ExprKind::Named { name, fields, rest }, span })
}

/// What follows the name in `Point { x, y: b, .. }` or `Pair(a, b)`.
pub(super) fn taken_apart(input: &mut Input<'_>, name: Ident, place: Place) -> Parsed<Pattern> {
    let mut fields = Vec::new();
    let mut is_partial = false;
    let is_tuple = input.at_group(Delimiter::Parenthesis);
    let delimiter = if is_tuple { Delimiter::Parenthesis } else { Delimiter::Brace };
    let (mut inside, _) = input.expect_group(delimiter)?;
    while !inside.is_end() {
        if inside.take("..").is_some() {
            is_partial = true;
            inside.expect_end()?;
            break;
        }
        fields.push(if is_tuple {
            let number = numbered(fields.len(), inside.span());
            (number, pattern_at(&mut inside, place)?)
        } else {
            field_pattern(&mut inside, place)?
        });
        inside.comma_or_end()?;
    }
    Ok(Pattern::Named(Box::new(NamedPattern { name, fields, is_partial })))
}

/// `x` or `x: pattern`
fn field_pattern(input: &mut Input<'_>, place: Place) -> Parsed<(Ident, Pattern)> {
    let field = field_name(input)?;
    let bound = match input.take(":") {
        Some(_) => pattern_at(input, place)?,
        None => Pattern::Name(field.clone()),
    };
    Ok((field, bound))
}

/// The name of a field, which of a struct without names is a number.
fn field_name(input: &mut Input<'_>) -> Parsed<Ident> {
    let span = input.span();
    match input.take_literal() {
        Some(number) => Ok(words::ident(number.to_string(), span)),
        None => words::any_name(input),
    }
}
