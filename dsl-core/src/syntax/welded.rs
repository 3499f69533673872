//! Items of a library: `#[welded] fn shop::tax, tax(x: f64) -> f64 { … }`, and as `weld!` is told them.

use proc_macro2::Delimiter;

use super::ast::{Constant, Function, Welded};
use super::input::{Input, Parsed};
use super::{externs, items, structs};

/// `#[welded] fn …`, `#[welded] const …` or `#[welded(opaque)] fn …`, if that comes next: an item of a library, which may have several names.
pub(super) fn item(input: &mut Input<'_>) -> Parsed<Option<Welded>> {
    let mut ahead = input.clone();
    if ahead.take("#").is_none() {
        return Ok(None);
    }
    let Some((mut inside, _)) = ahead.enter(Delimiter::Bracket) else { return Ok(None) };
    if inside.take_word("welded").is_none() {
        return Ok(None);
    }
    let option = inside.enter(Delimiter::Parenthesis);
    let is_opaque = option.is_some_and(|(mut option, _)| option.take_word("opaque").is_some());
    *input = ahead;
    if is_opaque && input.take_word("fn").is_some() {
        return externs::opaque(input).map(|function| Some(Welded::Function(function)));
    }
    match definition(input)? {
        Some(item) => Ok(Some(item)),
        None => Err(input.unexpected("`fn` or `const`")),
    }
}

/// The same as it is told, without the attribute; one that is opaque is `extern fn …`.
pub(super) fn told(input: &mut Input<'_>) -> Parsed<Option<Welded>> {
    if input.take_word("extern").is_some() {
        if input.take_word("fn").is_none() {
            return Err(input.unexpected("`fn`"));
        }
        return externs::opaque(input).map(|function| Some(Welded::Function(function)));
    }
    definition(input)
}

/// A function with its body, or a constant with its value.
fn definition(input: &mut Input<'_>) -> Parsed<Option<Welded>> {
    if input.take_word("const").is_some() {
        let (name, paths) = structs::item_names(input)?;
        return Ok(Some(Welded::Constant(Constant {
            paths,
            is_welded: true,
            ..items::constant_named(input, name)?
        })));
    }
    if input.take_word("fn").is_none() {
        return Ok(None);
    }
    let (name, paths) = structs::item_names(input)?;
    Ok(Some(Welded::Function(Function { paths, is_welded: true, ..items::function_named(input, name)? })))
}
