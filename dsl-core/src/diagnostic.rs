//! Compile errors: what is wrong, where, and what to write instead.
//!
//! Every stage pushes into [`Diagnostics`] and stops at a gate: after parsing, after typing, after lowering.

use std::fmt;

use proc_macro2::Span;
use weldment_runtime::fault::Position;
use weldment_runtime::scalar;
use weldment_runtime::types::Scalar;

/// Which rule of the language a program breaks.
///
/// ```
/// # use weldment_core::diagnostic::*;
/// use weldment_core::front::from_text;
/// let kind = |text| from_text(text).unwrap_err()[0].kind;
/// assert_eq!((kind("|x: i64| x +"), kind("|x: i64| y")), (Kind::Parse, Kind::Name));
/// assert_eq!(kind("|x: i64| x + 0.5"), Kind::Type);
/// ```
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
    ///
    /// ```
    /// # use weldment_core::diagnostic::*;
    /// assert_eq!(Kind::Linearity.name(), "linearity");
    /// ```
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
///
/// ```
/// # use weldment_core::diagnostic::*;
/// use weldment_core::front::from_text;
/// let errors = from_text("|x: i64|\n  y + 1L").unwrap_err();
/// assert_eq!((errors[0].kind, errors[0].position().to_string()), (Kind::Name, "2:3".into()));
/// assert!(errors[0].message.contains("`y`"));
/// ```
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
    ///
    /// ```
    /// # use weldment_core::diagnostic::*;
    /// # use proc_macro2::Span;
    /// let error = Diagnostic::new(Kind::Type, Span::call_site(), "expected `f64`, found `i64`");
    /// assert_eq!(error.to_string(), "expected `f64`, found `i64`");
    /// ```
    pub fn new(kind: Kind, span: Span, message: impl Into<String>) -> Diagnostic {
        Diagnostic { kind, message: message.into(), span }
    }

    /// The error with a line of advice.
    ///
    /// ```
    /// # use weldment_core::diagnostic::*;
    /// # use proc_macro2::Span;
    /// let error = Diagnostic::new(Kind::Type, Span::call_site(), "expected `f64`, found an integer");
    /// let error = error.help("write `1.0`");
    /// assert_eq!(error.message, "expected `f64`, found an integer\nhelp: write `1.0`");
    /// ```
    pub fn help(mut self, advice: impl fmt::Display) -> Diagnostic {
        self.message.push_str(&format!("\nhelp: {advice}"));
        self
    }

    /// The error with a line of background.
    ///
    /// ```
    /// # use weldment_core::diagnostic::*;
    /// # use proc_macro2::Span;
    /// let error = Diagnostic::new(Kind::Linearity, Span::call_site(), "`b` is used twice");
    /// let error = error.note("the first use is at 1:9");
    /// assert_eq!(error.message.lines().last(), Some("note: the first use is at 1:9"));
    /// ```
    pub fn note(mut self, note: impl fmt::Display) -> Diagnostic {
        self.message.push_str(&format!("\nnote: {note}"));
        self
    }

    /// Line and column, both from 1, columns in characters.
    ///
    /// ```
    /// # use weldment_core::diagnostic::*;
    /// let errors = weldment_core::front::from_text("|x: i64|\n  y + 1L").unwrap_err();
    /// let position = errors[0].position();
    /// assert_eq!((position.line, position.column), (2, 3));
    /// ```
    pub fn position(&self) -> Position {
        position(self.span)
    }
}

/// The error of a literal, written as `text`, that `ty` does not hold.
///
/// ```
/// # use weldment_core::diagnostic::*;
/// # use proc_macro2::Span;
/// use weldment_runtime::types::Scalar;
/// let error = out_of_range("300", Scalar::U8, Span::call_site());
/// assert!(error.message.starts_with("`300` is out of range for `u8`"));
/// assert!(error.message.contains("0 to 255"));
/// ```
pub fn out_of_range(text: &str, ty: Scalar, span: Span) -> Diagnostic {
    let error = Diagnostic::new(Kind::Parse, span, format!("`{text}` is out of range for `{ty}`"));
    match (scalar::smallest(ty).as_integer(), scalar::largest(ty).as_integer()) {
        (Some(low), Some(high)) => error.help(format!("`{ty}` holds {low} to {high}")),
        _ => error,
    }
}

/// Line and column of where `span` starts, both from 1.
///
/// ```
/// # use weldment_core::diagnostic::*;
/// let tokens: proc_macro2::TokenStream = "a\n b".parse().unwrap();
/// let spans: Vec<_> = tokens.into_iter().map(|token| token.span()).collect();
/// assert_eq!((position(spans[0]).to_string(), position(spans[1]).to_string()), ("1:1".into(), "2:2".into()));
/// ```
pub fn position(span: Span) -> Position {
    let start = span.start();
    Position { line: start.line as u32, column: start.column as u32 + 1 }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

/// The errors of one program, in the order they were found.
///
/// ```
/// # use weldment_core::diagnostic::*;
/// # use proc_macro2::Span;
/// let mut errors = Diagnostics::default();
/// errors.push(Diagnostic::new(Kind::Parse, Span::call_site(), "expected `)`"));
/// assert_eq!(errors.gate("a tree").unwrap_err().len(), 1);
/// ```
#[derive(Debug, Default)]
pub struct Diagnostics {
    errors: Vec<Diagnostic>,
}

impl Diagnostics {
    /// Adds an error.
    ///
    /// ```
    /// # use weldment_core::diagnostic::*;
    /// # use proc_macro2::Span;
    /// let mut errors = Diagnostics::default();
    /// errors.push(Diagnostic::new(Kind::Parse, Span::call_site(), "first"));
    /// errors.push(Diagnostic::new(Kind::Type, Span::call_site(), "second"));
    /// assert_eq!(errors.gate(()).unwrap_err()[1].message, "second");
    /// ```
    pub fn push(&mut self, error: Diagnostic) {
        self.errors.push(error);
    }

    /// Whether there are none.
    ///
    /// ```
    /// # use weldment_core::diagnostic::*;
    /// assert!(Diagnostics::default().is_empty());
    /// ```
    pub fn is_empty(&self) -> bool {
        self.errors.is_empty()
    }

    /// `value`, or the errors if there are any.
    ///
    /// ```
    /// # use weldment_core::diagnostic::*;
    /// assert_eq!(Diagnostics::default().gate(7).unwrap(), 7);
    /// ```
    pub fn gate<T>(self, value: T) -> Result<T, Vec<Diagnostic>> {
        if self.errors.is_empty() { Ok(value) } else { Err(self.errors) }
    }
}
