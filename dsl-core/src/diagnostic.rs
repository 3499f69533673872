//! Compile errors: what is wrong, where, and what to write instead.
//!
//! Every mistake has a [`Code`], which names the rule it breaks and stands in one table. Stages collect mistakes and
//! stop at a gate: parsing at the first one; names and types, and then linearity, tell all that are independent.

mod kind;

mod entry;

mod code;

mod nearest;

mod table;

#[cfg(test)]
mod tests;

use std::fmt;

use proc_macro2::Span;
use weldment_runtime::lang::fault::Position;
use weldment_runtime::lang::scalar;
use weldment_runtime::lang::types::Scalar;

pub use entry::Example;
pub use kind::Kind;
pub use nearest::nearest;
pub use table::Code;

/// One compile error.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// Which rule is broken.
    pub code: Code,
    /// What is wrong: lower case, no final full stop, code in backticks. Lines after the first are notes that
    /// begin with `help:` or `note:`.
    pub message: String,
    /// The token that is wrong.
    pub span: Span,
}

impl Diagnostic {
    /// An error of this code at `span`.
    pub fn new(code: Code, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { code, message: message.into(), span }
    }

    /// Which kind of rule is broken.
    pub fn kind(&self) -> Kind {
        self.code.kind()
    }

    /// The error with a line of advice.
    pub fn help(mut self, advice: impl fmt::Display) -> Diagnostic {
        self.message.push_str(&format!("\nhelp: {advice}"));
        self
    }

    /// The error with a line of background.
    pub fn note(mut self, note: impl fmt::Display) -> Diagnostic {
        self.message.push_str(&format!("\nnote: {note}"));
        self
    }

    /// Line and column, both from 1, columns in characters.
    pub fn position(&self) -> Position {
        position(self.span)
    }
}

/// The error of a literal, written as `text`, that `ty` does not hold.
pub fn out_of_range(text: &str, ty: Scalar, span: Span) -> Diagnostic {
    let error = Diagnostic::new(Code::OutOfRange, span, format!("`{text}` is out of range for `{ty}`"));
    match (scalar::smallest(ty).as_integer(), scalar::largest(ty).as_integer()) {
        (Some(low), Some(high)) => error.help(format!("`{ty}` holds {low} to {high}")),
        _ => error,
    }
}

/// Line and column of where `span` starts, both from 1. A program without tokens has only the span of its call, which
/// starts nowhere in a text: that is its first place.
pub fn position(span: Span) -> Position {
    let start = span.start();
    Position { line: start.line.max(1) as u32, column: start.column as u32 + 1 }
}

/// The message, with the code behind its first line: `... is not known here [W0201]`.
impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&with_code(self.code, &self.message))
    }
}

/// `message` with the code behind its first line.
pub fn with_code(code: Code, message: &str) -> String {
    match message.split_once('\n') {
        Some((first, rest)) => format!("{first} [{code}]\n{rest}"),
        None => format!("{message} [{code}]"),
    }
}

/// The errors in the order of their places, one for each place: where two meet, the second is an echo.
pub fn in_order(mut errors: Vec<Diagnostic>) -> Vec<Diagnostic> {
    let place = |error: &Diagnostic| (error.position().line, error.position().column);
    errors.sort_by_key(place);
    errors.dedup_by_key(|error| place(error));
    errors
}
