//! Functions of the Rust around a program, by their signatures: `extern { fn score(f64) -> f64; fn tag = other::tag(u8) -> u8; }`, and those of a
//! library that tell theirs, `#[welded(opaque)] fn shop::score, score(f64) -> f64;`.

use proc_macro2::Delimiter;

use super::ast::{Closure, Expr, ExprKind, Extern, Function, Ident, Param, Pattern, Type};
use super::input::{Input, Parsed};
use super::{primary, structs, types, words};
use crate::diagnostic::{Code, Diagnostic};

/// What follows `extern`.
pub(super) fn externs(input: &mut Input<'_>) -> Parsed<Vec<(Extern, Function)>> {
    let (mut inside, _) = input.expect_group(Delimiter::Brace)?;
    let mut externs = Vec::new();
    while !inside.is_end() {
        if inside.take_word("fn").is_none() {
            return Err(inside.unexpected("`fn`"));
        }
        externs.push(declaration(&mut inside)?);
    }
    Ok(externs)
}

/// `NAME(TYPE, …) -> TYPE;` or `NAME = PATH(TYPE, …) -> TYPE;`
fn declaration(input: &mut Input<'_>) -> Parsed<(Extern, Function)> {
    let name = words::new_name(input)?;
    let path = if input.take("=").is_some() { primary::foreign_name(input)? } else { name.clone() };
    let function = calling(input, name.clone(), name.clone())?;
    Ok((Extern { name, path }, function))
}

/// What follows `fn` of one of a library: by several names, the last part of the first of which is what it goes by as a foreign one.
pub(super) fn opaque(input: &mut Input<'_>) -> Parsed<Function> {
    let (name, paths) = structs::item_names(input)?;
    let last = name.name.rsplit("::").next().unwrap_or(&name.name);
    let symbol = Ident { name: last.to_owned(), ..name.clone() };
    Ok(Function { paths, is_welded: true, ..calling(input, name, symbol)? })
}

/// `(TYPE, …) -> TYPE;` of the function `name`: to the program it is one that does nothing but call the foreign function `symbol`.
fn calling(input: &mut Input<'_>, name: Ident, symbol: Ident) -> Parsed<Function> {
    let (params, _) = input.expect_group(Delimiter::Parenthesis)?;
    let params = params.list(param)?;
    let numbered = |number: usize| Ident { name: format!("x{number}"), mark: 0, span: name.span };
    let params = params
        .into_iter()
        .enumerate()
        .map(|(number, (name, ty))| (name.unwrap_or_else(|| numbered(number)), ty));
    let params: Vec<(Ident, Type)> = params.collect();
    let Some(result) = types::annotation(input, "->")? else {
        let message = format!("the function `{}` gives nothing", name.name);
        return Err(Diagnostic::new(Code::NoValue, name.span, message)
            .help("a program calls functions for what they give: `fn score(f64) -> f64;`"));
    };
    input.expect(";")?;
    let span = name.span;
    let arg = |(name, _): &(Ident, Type)| Expr { kind: ExprKind::Name(name.clone()), span };
    let args = params.iter().map(arg).collect();
    let call = ExprKind::Cudf { symbol, ty: result.clone(), args };
    let param = |(name, ty)| Param { pattern: Pattern::Name(name), ty: Some(ty) };
    let params = params.into_iter().map(param).collect();
    let body = Box::new(Expr { kind: call, span });
    let closure = Closure { params, result: Some(result), body, span };
    Ok(Function { name, paths: Vec::new(), is_welded: false, generics: Vec::new(), closure })
}

/// `TYPE`, or `NAME: TYPE`
fn param(input: &mut Input<'_>) -> Parsed<(Option<Ident>, Type)> {
    let mut ahead = input.clone();
    let is_named = ahead.take_any_word().is_some() && ahead.at_symbol(":");
    let name = if is_named { Some(words::new_name(input)?) } else { None };
    if is_named {
        input.expect(":")?;
    }
    Ok((name, types::delimited(input)?))
}
