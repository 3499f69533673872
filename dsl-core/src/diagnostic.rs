//! Compile errors: what is wrong, where, and what to write instead.
//!
//! Every stage pushes into [`Diagnostics`] and stops at a gate: after parsing, after typing, after lowering.

use std::fmt;

use proc_macro2::Span;
use weldment_runtime::fault::Position;
use weldment_runtime::scalar;
use weldment_runtime::types::Scalar;

/// Which rule of the language a program breaks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// Tokens and grammar, including literals out of range and chained comparisons.
    Parse,
    /// Names that are not bound, macros that are recursive or defined twice.
    Name,
    /// Types and arity, including a parameter without a type and a field that does not exist.
    Type,
    /// A builder used twice, dropped, used after `result`, or swapped for another one.
    Linearity,
    /// Well formed, but not supported.
    Unsupported,
    /// No rule is broken: the compiler made a mistake.
    Internal,
}

impl Kind {
    /// The name that tools print.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Parse => "parse",
            Kind::Name => "name",
            Kind::Type => "type",
            Kind::Linearity => "linearity",
            Kind::Unsupported => "unsupported",
            Kind::Internal => "internal",
        }
    }
}

/// One compile error.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// Which rule is broken.
    pub kind: Kind,
    /// What is wrong: lower case, no final full stop, code in backticks. Lines after the first are notes that
    /// begin with `help:` or `note:`.
    pub message: String,
    /// The token that is wrong.
    pub span: Span,
}

impl Diagnostic {
    /// An error of `kind` at `span`.
    pub fn new(kind: Kind, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { kind, message: message.into(), span }
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
    let error = Diagnostic::new(Kind::Parse, span, format!("`{text}` is out of range for `{ty}`"));
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

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// The errors of one program, in the order they were found.
#[derive(Debug, Default)]
pub struct Diagnostics {
    errors: Vec<Diagnostic>,
}

impl Diagnostics {
    /// Adds an error.
    pub fn push(&mut self, error: Diagnostic) {
        self.errors.push(error);
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.errors.is_empty()
    }

    /// `value`, or the errors if there are any.
    pub fn gate<T>(self, value: T) -> Result<T, Vec<Diagnostic>> {
        if self.errors.is_empty() { Ok(value) } else { Err(self.errors) }
    }
}
