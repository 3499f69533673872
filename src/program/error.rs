//! Mistakes in programs, as users of the facade see them.

use std::fmt;

use weldment_codegen::backend::{BackendError, BackendErrorKind};
use weldment_core::diagnostic::{Code, Diagnostic, Kind, with_code};
use weldment_core::passes;
use weldment_runtime::lang::fault::Position;
use weldment_runtime::lang::snippet::snippet;

/// A mistake in a program: what is wrong, where, and what to write instead.
///
/// ```
/// use weldment::{ErrorCode, ErrorKind, Program};
/// let error = Program::parse("|v: &[f64]| v.smu()").unwrap_err();
/// assert_eq!((error.kind(), error.code), (ErrorKind::Name, ErrorCode::UnknownFunction));
/// assert_eq!(
///     error.to_string(),
///     "name error at 1:15: there is no method `smu` [W0202]\nhelp: did you mean `sum`?"
/// );
/// println!("{}", error.code.explanation());
///
/// let error = Program::parse("|v: &[f64]| v.map(|x| x * a + b)").unwrap_err();
/// assert_eq!(error.others[0].code, ErrorCode::UnknownName);
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CompileError {
    /// Which rule of the language is broken.
    pub code: Code,
    /// What is wrong; lines after the first are advice.
    pub message: String,
    /// Where, in the text that was parsed.
    pub position: Position,
    /// The other mistakes of the program that do not come from this one, in the order of their places.
    pub others: Vec<CompileError>,
}

impl CompileError {
    pub(super) fn new(code: Code, message: impl Into<String>, position: Position) -> CompileError {
        CompileError { code, message: message.into(), position, others: Vec::new() }
    }

    /// A mistake of the compiler. No token is to blame: the place is that of the program.
    pub(super) fn internal(message: String) -> CompileError {
        CompileError::new(Code::Internal, message, Position { line: 1, column: 1 })
    }

    /// The first of `errors`, which are not none, with the others in it.
    pub(super) fn first_of(errors: &[Diagnostic]) -> CompileError {
        let error = |error: &Diagnostic| CompileError::new(error.code, &error.message, error.position());
        let (first, others) = errors.split_first().expect("a program is refused for a reason");
        CompileError { others: others.iter().map(error).collect(), ..error(first) }
    }

    /// Which kind of rule is broken.
    ///
    /// ```
    /// use weldment::{ErrorKind, Program};
    /// let error = Program::parse("|v: &[f64], n: i64| v.sum() / n").unwrap_err();
    /// assert_eq!(error.kind(), ErrorKind::Type);
    /// ```
    pub fn kind(&self) -> Kind {
        self.code.kind()
    }

    /// The mistake and the [others](CompileError::others) as rustc shows them: each beside the line of `text` that it is in, with a caret
    /// below its place. `text` is what was parsed, called `name`.
    ///
    /// ```
    /// use weldment::Program;
    ///
    /// let text = "|price: &[f64]|\n    price.map(|p| p * rate).smu()";
    /// let shown = Program::parse(text).unwrap_err().render("revenue.weld", text);
    /// assert_eq!(
    ///     shown,
    ///     "\
    /// error[W0201]: `rate` is not known here
    ///  --> revenue.weld:2:23
    ///   |
    /// 2 |     price.map(|p| p * rate).smu()
    ///   |                       ^
    ///   = help: add a parameter, `rate: f64`, or capture it: `[rate] |…| …`
    ///
    /// error[W0202]: there is no method `smu`
    ///  --> revenue.weld:2:29
    ///   |
    /// 2 |     price.map(|p| p * rate).smu()
    ///   |                             ^
    ///   = help: did you mean `sum`?
    /// "
    /// );
    /// ```
    pub fn render(&self, name: &str, text: &str) -> String {
        let one = |error: &CompileError| {
            snippet(&format!("error[{}]", error.code), &error.message, name, text, error.position)
        };
        let all: Vec<String> = std::iter::once(self).chain(&self.others).map(one).collect();
        all.join("\n")
    }
}

impl From<BackendError> for CompileError {
    fn from(error: BackendError) -> CompileError {
        let code = match error.kind {
            BackendErrorKind::Unsupported => Code::Executor,
            BackendErrorKind::Foreign => Code::ForeignUnknown,
            BackendErrorKind::Environment => Code::NoLlvm,
            BackendErrorKind::Internal => Code::Internal,
        };
        CompileError::new(code, error.message, error.position)
    }
}

impl From<passes::Broken> for CompileError {
    fn from(broken: passes::Broken) -> CompileError {
        CompileError::internal(broken.to_string())
    }
}

impl fmt::Display for CompileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (kind, message) = (self.kind().name(), with_code(self.code, &self.message));
        match self.position {
            // It is of no place in the program.
            Position { line: 0, .. } => write!(f, "{kind} error: {message}"),
            position => write!(f, "{kind} error at {position}: {message}"),
        }
    }
}

impl std::error::Error for CompileError {}

/// Something that a program asks to be told of: see [`Program::warnings`](super::Program::warnings).
///
/// ```
/// let text = "#[warn(materialized)] |v: &[f64]| v.map(|x| x * x).sort_by_key(|x| -x)[0]";
/// let program = weldment::Program::parse(text)?;
/// let warning = &program.warnings()[0];
/// assert_eq!(warning.code, weldment::ErrorCode::Materialized);
/// assert_eq!(warning.position.to_string(), "1:37"); // `map`
/// # Ok::<(), weldment::CompileError>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Warning {
    /// What it is about.
    pub code: Code,
    /// What is the case; lines after the first say why.
    pub message: String,
    /// Where, in the text that was parsed.
    pub position: Position,
}

impl Warning {
    pub(super) fn of(warning: &Diagnostic) -> Warning {
        Warning { code: warning.code, message: warning.message.clone(), position: warning.position() }
    }

    /// The warning beside the line of `text` that it is about, as [`CompileError::render`] shows a mistake.
    ///
    /// ```
    /// let text = "#[warn(materialized)] |v: &[f64]| v.map(|x| x * x).sort_by_key(|x| -x)[0]";
    /// let shown = weldment::Program::parse(text)?.warnings()[0].render("sorted.weld", text);
    /// assert!(shown.starts_with("warning[W0601]: a vec[f64] is written to memory\n --> sorted.weld:1:37\n"));
    /// # Ok::<(), weldment::CompileError>(())
    /// ```
    pub fn render(&self, name: &str, text: &str) -> String {
        snippet(&format!("warning[{}]", self.code), &self.message, name, text, self.position)
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "warning at {}: {}", self.position, with_code(self.code, &self.message))
    }
}
