//! What a program says of how it is compiled, before its closure: `#[expect(loops = 1, materialized = 0)]`,
//! `#[warn(materialized)]` and `#[versions(n = [3, 5])]`.

use proc_macro2::{Delimiter, Span};
use weldment_runtime::lang::scalar::Const;

pub use super::ast::{Attributes, Claim, Versions};
use super::ast::{Expr, ExprKind, Ident};
use super::input::{Input, Parsed};
use super::literal::{literal, negative};
use crate::diagnostic::{Code, Diagnostic, nearest};

const FORMS: &str = "the attributes of a program are `#[expect(loops = 1, materialized = 0)]`, `#[warn(materialized)]` and \
                     `#[versions(n = [3, 5])]`";

const VERSIONS: &str = "the form is `#[versions(n = [3, 5])]`, where `n` is a parameter, and its values are integers, `true` or `false`";

/// The attributes here, up to what is none.
pub(super) fn attributes(input: &mut Input<'_>) -> Parsed<Attributes> {
    let mut attributes = Attributes::default();
    while let Some(start) = input.take("#") {
        let (mut inside, _) = input.expect_group(Delimiter::Bracket)?;
        attribute(&mut inside, start, &mut attributes)?;
        inside.expect_end()?;
        if let Some((word, _)) = input.word()
            && ["struct", "enum", "type", "macro", "fn", "const", "axis", "extern", "use"]
                .contains(&word.as_str())
        {
            let message = format!("a `{word}` has no attributes");
            let error = Diagnostic::new(Code::NoPlaceHere, start, message);
            return Err(error.help("the attributes of a program stand right before its closure"));
        }
    }
    Ok(attributes)
}

/// What stands between `#[` and `]`; `start` is the `#`.
fn attribute(input: &mut Input<'_>, start: Span, attributes: &mut Attributes) -> Parsed<()> {
    let Some((name, span)) = input.take_any_word() else {
        return Err(input.unexpected("an attribute").help(FORMS));
    };
    match name.as_str() {
        "expect" => {
            let inside = arguments(input, "expect(loops = 1, materialized = 0)")?;
            inside.list(|input| claim(input, attributes)).map(drop)
        }
        "warn" => {
            let inside = arguments(input, "warn(materialized)")?;
            inside.list(|input| warned(input, attributes)).map(drop)
        }
        "versions" => {
            let advise = |error: Diagnostic| error.help(VERSIONS);
            let (inside, _) = input.expect_group(Delimiter::Parenthesis).map_err(advise)?;
            if inside.is_end() {
                return Err(advise(inside.unexpected("a parameter")));
            }
            inside.list(|input| versions(input, attributes)).map(drop)
        }
        "doc" => {
            let error = Diagnostic::new(Code::NoPlaceHere, start, "doc comments have no place here");
            Err(error.help("comments begin with `//`"))
        }
        _ => {
            let message = format!("there is no attribute `{name}`");
            let error = Diagnostic::new(Code::UnknownAttribute, span, message);
            Err(match nearest(&name, ["expect", "warn", "versions"].into_iter()) {
                Some(near) => error.help(format!("did you mean `{near}`?")),
                None => error.help(FORMS),
            })
        }
    }
}

/// The arguments of an attribute, which are not none.
fn arguments<'a>(input: &mut Input<'a>, form: &str) -> Parsed<Input<'a>> {
    let advise = |error: Diagnostic| error.help(format!("the form is `#[{form}]`"));
    let (inside, _) = input.expect_group(Delimiter::Parenthesis).map_err(advise)?;
    if inside.is_end() { Err(advise(inside.unexpected("something to claim"))) } else { Ok(inside) }
}

/// `loops = 1` or `materialized = 0`
fn claim(input: &mut Input<'_>, attributes: &mut Attributes) -> Parsed<()> {
    let (name, span) = known(input, &["loops", "materialized", "windows"])?;
    let claim = match name {
        "loops" => &mut attributes.loops,
        "materialized" => &mut attributes.materialized,
        _ => &mut attributes.windows,
    };
    if let Some(first) = claim {
        let error = Diagnostic::new(Code::ClaimedTwice, span, format!("`{name}` is claimed twice"));
        return Err(error.help(format!("keep one of them; the first is `{name} = {}`", first.number)));
    }
    if input.take("=").is_none() {
        return Err(input.unexpected("`=`").help(format!("a claim is a number in digits: `{name} = 1`")));
    }
    let (found, span) = (input.found(), input.span());
    let literal = input.take_literal().and_then(|literal| literal.to_string().parse().ok());
    let Some(number) = literal else {
        let error = Diagnostic::new(Code::Expected, span, format!("expected a number, found {found}"));
        return Err(error.help(format!("a claim is a number in digits: `{name} = 1`")));
    };
    *claim = Some(Claim { number, span });
    Ok(())
}

/// `materialized`
fn warned(input: &mut Input<'_>, attributes: &mut Attributes) -> Parsed<()> {
    if input.at_word("loops") {
        let error = Diagnostic::new(Code::UnknownAttribute, input.span(), "there is no warning of `loops`");
        return Err(error.help("`#[expect(loops = 1)]` claims how many there are"));
    }
    let (_, span) = known(input, &["materialized"])?;
    if attributes.warns {
        let error = Diagnostic::new(Code::ClaimedTwice, span, "`materialized` is warned of already");
        return Err(error.help("leave one of them out"));
    }
    attributes.warns = true;
    Ok(())
}

/// `n = [3, 5]`
fn versions(input: &mut Input<'_>, attributes: &mut Attributes) -> Parsed<()> {
    let advise = |error: Diagnostic| error.help(VERSIONS);
    let Some((name, span)) = input.take_any_word() else {
        return Err(advise(input.unexpected("a parameter")));
    };
    if attributes.versions.iter().any(|versions| versions.param.name == name) {
        let error = Diagnostic::new(Code::ClaimedTwice, span, format!("`{name}` has versions already"));
        return Err(error.help("write all of its values into one pair of brackets"));
    }
    input.expect("=").map_err(advise)?;
    let (inside, _) = input.expect_group(Delimiter::Bracket).map_err(advise)?;
    if inside.is_end() {
        return Err(advise(inside.unexpected("a value")));
    }
    let values = inside.list(value)?;
    attributes.versions.push(Versions { param: Ident { name, mark: 0, span }, values });
    Ok(())
}

/// A literal that is an integer, `true` or `false`.
fn value(input: &mut Input<'_>) -> Parsed<Expr> {
    let (found, span) = (input.found(), input.span());
    for (word, value) in [("true", true), ("false", false)] {
        if let Some(span) = input.take_word(word) {
            return Ok(Expr { kind: ExprKind::Const(Const::Bool(value)), span });
        }
    }
    let number = match input.take("-") {
        Some(_) => negative(input)?,
        None => input.take_literal().map(|found| literal(&found)).transpose()?,
    };
    let is_integer = |expr: &Expr| match expr.kind {
        ExprKind::Integer(_) => true,
        ExprKind::Const(constant) => constant.as_integer().is_some(),
        _ => false,
    };
    number.filter(is_integer).ok_or_else(|| {
        Diagnostic::new(Code::Expected, span, format!("expected a value, found {found}")).help(VERSIONS)
    })
}

/// One of the words that may stand here.
fn known(input: &mut Input<'_>, names: &[&'static str]) -> Parsed<(&'static str, Span)> {
    let all: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
    let all = all.join(" or ");
    let Some((word, span)) = input.take_any_word() else { return Err(input.unexpected(&all)) };
    if let Some(name) = names.iter().find(|name| **name == word) {
        return Ok((name, span));
    }
    let error = Diagnostic::new(Code::UnknownAttribute, span, format!("there is no claim `{word}`"));
    Err(match nearest(&word, names.iter().copied()) {
        Some(near) => error.help(format!("did you mean `{near}`?")),
        None => error.help(format!("what can be claimed is {all}")),
    })
}
