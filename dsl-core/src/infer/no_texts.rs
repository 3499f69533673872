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
