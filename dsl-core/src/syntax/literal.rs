//! Literals: numbers in Weld's and in Rust's spelling, strings and bytes.
//!
//! A number with a type of its own is checked against it here. One without becomes [`ExprKind::Integer`] (`1`) or
//! [`ExprKind::Float`] (`1.0`); whether it fits is known only when its type is.

use proc_macro2::{Literal, Span};
use syn::Lit;
use weldment_runtime::lang::scalar::{self, Const};
use weldment_runtime::lang::types::Scalar;

use super::ast::{Expr, ExprKind};
use super::input::{Input, Parsed};
use super::postfix;
use crate::diagnostic::{Code, Diagnostic, out_of_range};

/// A literal.
pub(super) fn literal(literal: &Literal) -> Parsed<Expr> {
    let (text, span) = (literal.to_string(), literal.span());
    let kind = match text.strip_prefix('-') {
        Some(digits) => number(digits, true, span)?,
        None if text.starts_with(|first: char| first.is_ascii_digit()) => number(&text, false, span)?,
        None => quoted(literal, &text, span)?,
    };
    Ok(Expr { kind, span })
}

/// After a minus, the number that it belongs to: one that nothing stands behind, as `-1.abs()` is `-(1.abs())`.
pub(super) fn negative(input: &mut Input<'_>) -> Parsed<Option<Expr>> {
    let mut ahead = input.clone();
    let Some(literal) = ahead.take_literal() else { return Ok(None) };
    let (text, span) = (literal.to_string(), literal.span());
    if !text.starts_with(|first: char| first.is_ascii_digit()) || postfix::follows(&ahead) {
        return Ok(None);
    }
    *input = ahead;
    Ok(Some(Expr { kind: number(&text, true, span)?, span }))
}

/// Whether only Weld ends a number like this: `1L`, `1c`, `1si`, `1.0f`.
pub(super) fn is_of_weld(literal: &Literal) -> bool {
    let text = literal.to_string();
    text.starts_with(|first: char| first.is_ascii_digit())
        && matches!(split(&text).suffix, "l" | "L" | "c" | "C" | "si" | "f" | "F")
}

/// A number's parts: `0x1f_ffsi` is 16, `1f_ff`, `si`.
struct Parts<'a> {
    base: u32,
    digits: &'a str,
    is_float: bool,
    suffix: &'a str,
}

fn number(text: &str, negative: bool, span: Span) -> Parsed<ExprKind> {
    let parts = split(text);
    let digits: String = parts.digits.chars().filter(|digit| *digit != '_').collect();
    let scalar = suffix_type(&parts, text, span)?;
    let is_float = match scalar {
        Some(scalar) => scalar.is_float(),
        None => parts.is_float,
    };
    if is_float {
        return float(&digits, negative, scalar, text, span);
    }
    if digits.is_empty() || !digits.chars().all(|digit| digit.is_digit(parts.base)) {
        return Err(malformed(text, span));
    }
    // The least i128 has no positive one to negate.
    let magnitude = u128::from_str_radix(&digits, parts.base).ok();
    let value = magnitude.and_then(|magnitude| match negative {
        true => 0i128.checked_sub_unsigned(magnitude),
        false => i128::try_from(magnitude).ok(),
    });
    let value = value.ok_or_else(|| too_large(text, span))?;
    match scalar {
        None => Ok(ExprKind::Integer(value)),
        Some(scalar) => Ok(ExprKind::Const(in_range(value, scalar, text, span)?)),
    }
}

fn split(text: &str) -> Parts<'_> {
    let (base, rest) = match text.as_bytes() {
        [b'0', b'x', ..] => (16, &text[2..]),
        [b'0', b'b', ..] => (2, &text[2..]),
        [b'0', b'o', ..] => (8, &text[2..]),
        _ => return split_decimal(text),
    };
    // In base 2 and 8 the digits 2 to 9 belong to the number, as an error, and not to the suffix.
    let is_digit = |c: char| c == '_' || if base == 16 { c.is_ascii_hexdigit() } else { c.is_ascii_digit() };
    let end = rest.find(|c| !is_digit(c)).unwrap_or(rest.len());
    Parts { base, digits: &rest[..end], is_float: false, suffix: &rest[end..] }
}

fn split_decimal(text: &str) -> Parts<'_> {
    let digits_from = |start: usize| {
        let is_digit = |c: char| c == '_' || c.is_ascii_digit();
        text[start..].find(|c| !is_digit(c)).map_or(text.len(), |length| start + length)
    };
    let mut end = digits_from(0);
    let mut is_float = false;
    if text[end..].starts_with('.') {
        is_float = true;
        end = digits_from(end + 1);
    }
    if text[end..].starts_with(['e', 'E']) {
        let sign = text[end + 1..].starts_with(['+', '-']) as usize;
        is_float = true;
        end = digits_from(end + 1 + sign);
    }
    Parts { base: 10, digits: &text[..end], is_float, suffix: &text[end..] }
}

/// The type that a suffix names.
fn suffix_type(parts: &Parts<'_>, text: &str, span: Span) -> Parsed<Option<Scalar>> {
    let error = |message: String| Diagnostic::new(Code::BadLiteral, span, message);
    let scalar = match parts.suffix {
        "" => return Ok(None),
        "l" | "L" => Scalar::I64,
        "c" | "C" => Scalar::I8,
        "si" => Scalar::I16,
        "f" | "F" => Scalar::F32,
        "usize" | "isize" => Scalar::I64,
        suffix => {
            match Scalar::from_name(suffix).filter(|scalar| *scalar != Scalar::Bool) {
                Some(scalar) => scalar,
                None => {
                    let error = error(format!("a number cannot end in `{suffix}`"));
                    return Err(error.help("the suffixes are `L` (i64), `c` (i8), `si` (i16), `f` (f32) and Rust's, such as `u8`"));
                }
            }
        }
    };
    if parts.is_float && !scalar.is_float() {
        let message = format!("`{text}` is not an integer, but `{}` makes {}", parts.suffix, one(scalar));
        return Err(error(message).help(format!("leave `{}` out, for an f64", parts.suffix)));
    }
    if parts.base != 10 && scalar.is_float() {
        let message = format!("`{text}` is an integer, but `{}` makes {}", parts.suffix, one(scalar));
        return Err(error(message).help("floats are written in decimal"));
    }
    Ok(Some(scalar))
}

/// The type's name with its article.
fn one(scalar: Scalar) -> String {
    let article = if scalar.name().starts_with(['b', 'u']) { "a" } else { "an" };
    format!("{article} {scalar}")
}

fn float(digits: &str, negative: bool, scalar: Option<Scalar>, text: &str, span: Span) -> Parsed<ExprKind> {
    let signed = if negative { format!("-{digits}") } else { digits.to_string() };
    if signed.parse::<f64>().is_err() {
        return Err(malformed(text, span));
    }
    // What no f64 holds, no f32 holds either.
    let Some(constant) = float_of(&signed, scalar.unwrap_or(Scalar::F64)) else {
        return Err(out_of_range(text, scalar.unwrap_or(Scalar::F64), span));
    };
    Ok(match scalar {
        Some(_) => ExprKind::Const(constant),
        None => ExprKind::Float(signed),
    })
}

/// The constant of a float type nearest to what `text` says, which is rounded once; `None` if that is infinite.
pub(crate) fn float_of(text: &str, scalar: Scalar) -> Option<Const> {
    if scalar == Scalar::F32 {
        return text.parse().ok().filter(|value: &f32| value.is_finite()).map(Const::F32);
    }
    text.parse().ok().filter(|value: &f64| value.is_finite()).map(Const::F64)
}

fn in_range(value: i128, scalar: Scalar, text: &str, span: Span) -> Parsed<Const> {
    let bound = |constant: Const| constant.as_integer().expect("an integer type");
    if value < bound(scalar::smallest(scalar)) || value > bound(scalar::largest(scalar)) {
        let sign = if value < 0 { "-" } else { "" };
        return Err(out_of_range(&format!("{sign}{text}"), scalar, span));
    }
    Ok(Const::from_i128(scalar, value))
}

fn too_large(text: &str, span: Span) -> Diagnostic {
    Diagnostic::new(Code::OutOfRange, span, format!("`{text}` is out of range for every integer type")).help(
        format!(
            "the widest integers are those of `i128`, {} to {}; as a float, end it with `.0`",
            i128::MIN,
            i128::MAX
        ),
    )
}

fn malformed(text: &str, span: Span) -> Diagnostic {
    Diagnostic::new(Code::BadLiteral, span, format!("`{text}` is not a number"))
}

/// The error of a literal of Rust that the language does not have.
fn foreign(text: &str, span: Span) -> Diagnostic {
    Diagnostic::new(Code::BadLiteral, span, format!("`{text}` is not a literal of the language"))
        .help("there are numbers, `true` and `false`, strings `\"x\"`, and bytes `b\"x\"` and `b'x'`")
}

/// Strings and bytes.
fn quoted(literal: &Literal, text: &str, span: Span) -> Parsed<ExprKind> {
    if !text.starts_with(['"', '\'', 'b', 'r']) {
        return Err(foreign(text, span));
    }
    let quoted = Lit::new(literal.clone());
    if !quoted.suffix().is_empty() {
        let message = format!("a string or byte cannot end in `{}`", quoted.suffix());
        return Err(Diagnostic::new(Code::BadLiteral, span, message).help("leave it out"));
    }
    match quoted {
        Lit::Str(text) => Ok(ExprKind::Bytes(text.value().into_bytes(), Scalar::I8)),
        Lit::ByteStr(bytes) => Ok(ExprKind::Bytes(bytes.value(), Scalar::U8)),
        Lit::Byte(byte) => Ok(ExprKind::Const(Const::U8(byte.value()))),
        Lit::Char(_) => {
            let error = Diagnostic::new(Code::NoCharacters, span, "there are no characters");
            Err(error.help("write `b'x'` for a byte (u8), or `\"x\"` for a text"))
        }
        _ => Err(foreign(text, span)),
    }
}
