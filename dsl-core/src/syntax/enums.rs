//! Enums: `enum NAME: u8 { VARIANT, VARIANT = NUMBER }`.

use proc_macro2::{Delimiter, Span};
use weldment_runtime::lang::scalar::{Const, largest, smallest};
use weldment_runtime::lang::types::Scalar;

use super::ast::{Expr, ExprKind, Ident, Origin, Struct, Type, TypeKind};
use super::input::{Input, Parsed};
use super::literal::{literal, negative};
use super::{structs, words};
use crate::diagnostic::{Code, Diagnostic, out_of_range};

/// What follows `enum`.
pub(super) fn item(input: &mut Input<'_>) -> Parsed<Struct> {
    let (name, paths) = structs::item_names(input)?;
    if input.at("<") {
        return Err(
            bad(input.span(), "an enum has no parameters").help("its values are numbers: leave them out")
        );
    }
    let (number, span) = number_type(input, &name)?;
    let (mut inside, _) = input.expect_group(Delimiter::Brace)?;
    let mut variants: Vec<(Ident, i128)> = Vec::new();
    while !inside.is_end() {
        let variant = words::new_name(&mut inside)?;
        if inside.at_group(Delimiter::Parenthesis) || inside.at_group(Delimiter::Brace) {
            let message = format!("the variant `{}` holds data", variant.name);
            let error = bad(variant.span, message);
            return Err(error
                .help("an enum says which, and no more: keep what it holds beside it, in a struct of both"));
        }
        let next = variants.last().map_or(0, |(_, number)| number + 1);
        let (value, place) = match inside.take("=") {
            Some(_) => numbered(&mut inside)?,
            None => (next, variant.span),
        };
        let holds = |bound: fn(Scalar) -> Const| bound(number).as_integer().expect("an integer type");
        if value < holds(smallest) || value > holds(largest) {
            return Err(out_of_range(&value.to_string(), number, place));
        }
        if variants.iter().any(|(known, _)| known.name == variant.name) {
            let message = format!("the variant `{}` is named twice", variant.name);
            return Err(bad(variant.span, message).help("give one of them another name"));
        }
        if let Some((known, _)) = variants.iter().find(|(_, known)| *known == value) {
            let message = format!("`{}` and `{}` have one number, {value}", known.name, variant.name);
            return Err(bad(place, message).help("give one of them another"));
        }
        variants.push((variant, value));
        inside.comma_or_end()?;
    }
    if variants.iter().all(|(_, value)| *value != 0) {
        let message = format!("no variant of `{}` has the number 0", name.name);
        return Err(bad(name.span, message).help(NEEDS_ZERO));
    }
    let field = Ident { name: "number".to_owned(), ..name.clone() };
    let fields = vec![(field, Type { kind: TypeKind::Scalar(number), span })];
    let shown = name.name.clone();
    let (lifetimes, params, origin) = (0, Vec::new(), Origin::Program);
    Ok(Struct { name, shown, paths, lifetimes, params, fields, variants, origin })
}

/// What to do about an enum without a variant of number 0.
pub const NEEDS_ZERO: &str = "it stands where there is no value, as in an option that is `None`: give one the number 0, or add one, `Unknown = 0`";

/// `: u8`
fn number_type(input: &mut Input<'_>, name: &Ident) -> Parsed<(Scalar, Span)> {
    let advice = format!("write `enum {}: u8 {{ … }}`, or another integer type", name.name);
    if input.take(":").is_none() {
        let message = format!("nothing says which numbers the variants of `{}` are", name.name);
        return Err(bad(name.span, message).help(advice));
    }
    let span = input.span();
    let word = input.take_any_word().map_or_else(String::new, |(word, _)| word);
    match Scalar::from_name(&word).filter(|scalar| scalar.is_integer()) {
        // As of an enum of Rust, whose `repr(i128)` is not stable.
        Some(Scalar::I128) => Err(bad(span, "the numbers of an enum have 64 bits at most").help(advice)),
        Some(scalar) => Ok((scalar, span)),
        None => Err(bad(span, "the numbers of an enum are of an integer type").help(advice)),
    }
}

/// The number behind `=`, and where it stands.
fn numbered(input: &mut Input<'_>) -> Parsed<(i128, Span)> {
    let is_negative = input.take("-").is_some();
    let span = input.span();
    let error =
        || bad(span, "the number of a variant is a literal").help("write it out, `A = 65`, `A = b'A'`");
    let value = match is_negative {
        true => negative(input)?,
        false => input.take_literal().map(|found| literal(&found)).transpose()?,
    };
    match value {
        Some(Expr { kind: ExprKind::Integer(number), .. }) => Ok((number, span)),
        Some(Expr { kind: ExprKind::Const(constant), .. }) => {
            Ok((constant.as_integer().ok_or_else(error)?, span))
        }
        _ => Err(error()),
    }
}

fn bad(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Code::BadEnum, span, message)
}
