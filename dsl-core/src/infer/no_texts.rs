//! What errors say of a text where something else is wanted, and of something else where a text is.

use proc_macro2::Span;
use weldment_runtime::lang::types::Scalar;

use super::ty::Ty;
use crate::diagnostic::{Code, Diagnostic};

/// What to do with a text in place of arithmetic.
pub(super) const READ: &str = "read the number: `s.parse::<f64>()` is an `Option<f64>`";

/// What to do in place of reducing texts.
pub(super) const REDUCED: &str =
    "read the numbers, `v.filter_map(|s| s.parse::<f64>()).sum()`, or count: `v.distinct().len()`";

/// What to do in place of taking a text for a vector.
pub(super) const PARTS: &str = "its bytes are `s.as_bytes()`, a part of it is `s.slice(start, size)`, and its parts are `s.split(\",\")`";

/// The error of a text that is taken apart as a struct.
pub(super) fn no_fields(span: Span) -> Diagnostic {
    Diagnostic::new(Code::NoField, span, "`str` has no fields").help(PARTS)
}

/// What to do in place of asking for the text of a `ty`.
pub(super) fn not_shown(ty: &Ty, error: Diagnostic) -> Diagnostic {
    match ty {
        Ty::Vec(element) if matches!(&**element, Ty::Scalar(Scalar::U8)) => {
            error.help("bytes that are UTF-8 become one by `from_utf8(b)`, an `Option<str>`")
        }
        Ty::Vec(_) | Ty::Array(..) => error.help(
            "take the text of each element, `v.map(|x| x.to_string())`, and one behind the other: `.join(\", \")`",
        ),
        Ty::Struct(fields) if fields.as_option().is_some() => {
            error.help("take that of the value, if there is one: `o.map(|x| x.to_string()).unwrap_or(\"\")`")
        }
        Ty::Struct(fields) if fields.as_enum().is_some() => {
            error.help("say what each variant is called: `match x { Side::Buy => \"buy\".to_string(), _ => \"\" }`")
        }
        Ty::Struct(_) => error.help("put it together of its fields: `x.0.to_string() + \", \" + x.1.to_string()`"),
        Ty::Dict(..) => error.help("take its pairs: `tovec(d).map(|(k, x)| …)`"),
        other if other.has_builder() => error.help("take its value first: `result(…)`"),
        _ => error,
    }
}

/// What makes a text of a vector of `element`s, which advice writes as `written`.
pub(super) fn instead(element: &Ty, written: &str) -> String {
    match (element, written) {
        (Ty::Scalar(Scalar::U8), "…") => {
            "bytes that are UTF-8 become one by `from_utf8(b)`, an `Option<str>`".to_owned()
        }
        (Ty::Scalar(Scalar::U8), bytes) => format!("`from_utf8({bytes})` is an `Option<str>`"),
        _ => "a literal is one where a `str` is wanted, and by `\"x\".to_string()`".to_owned(),
    }
}
