//! Why a program could not be compiled for an executor.

use std::fmt;

use weldment_core::ir::Loc;
use weldment_runtime::lang::fault::Position;

/// What an executor does not take of a program: see [`Backend::accepts`](super::Backend::accepts).
///
/// ```
/// use weldment_codegen::backend::Unsupported;
/// use weldment_core::ir::Loc;
/// let unsupported = Unsupported::new("dictionaries", Loc::NONE);
/// assert_eq!(unsupported.message("c"), "the executor `c` does not support dictionaries\nhelp: \
///     compile the program for another executor: LLVM and the interpreter of the language support them all");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// What it is, in the plural: "dictionaries".
    pub what: String,
    /// The user's token, if there is one to blame.
    pub loc: Loc,
    /// What to do instead; without it, to choose another executor.
    pub advice: Option<String>,
}

impl Unsupported {
    /// `what`, a noun phrase such as "dictionaries", at `loc`; the advice is to choose another executor.
    ///
    /// ```
    /// # use weldment_codegen::backend::Unsupported;
    /// # use weldment_core::ir::Loc;
    /// assert!(Unsupported::new("sorts", Loc::NONE).advice.is_none());
    /// ```
    pub fn new(what: impl Into<String>, loc: Loc) -> Unsupported {
        Unsupported { what: what.into(), loc, advice: None }
    }

    /// The text of the error that users see of the executor with this name.
    ///
    /// ```
    /// # use weldment_codegen::backend::Unsupported;
    /// # use weldment_core::ir::Loc;
    /// let advice = Some("give each a name of its own".to_owned());
    /// let unsupported = Unsupported { advice, ..Unsupported::new("names of two functions", Loc::NONE) };
    /// assert!(unsupported.message("c").ends_with("\nhelp: give each a name of its own"));
    /// ```
    pub fn message(&self, executor: &str) -> String {
        let other = "compile the program for another executor: LLVM and the interpreter of the language support them all";
        let (what, advice) = (&self.what, self.advice.as_deref().unwrap_or(other));
        format!("the executor `{executor}` does not support {what}\nhelp: {advice}")
    }
}

/// Which side is to blame when a program does not compile.
///
/// ```
/// use weldment_codegen::backend::{BackendError, BackendErrorKind};
/// assert_eq!(BackendError::internal("no entry").kind, BackendErrorKind::Internal);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum BackendErrorKind {
    /// The program uses something that the executor does not have.
    Unsupported,
    /// What the executor needs of the machine is missing, of another version, or does not support it.
    Environment,
    /// A foreign function that is not among those given to the program.
    Foreign,
    /// A mistake in the executor: the program is valid and ought to have compiled.
    Internal,
}

/// A program could not be compiled; nothing has run.
///
/// ```
/// # use weldment_codegen::{llvm, loops};
/// # use weldment_core::front::from_text;
/// let lowered = from_text("|x: f64| cudf[norm, f64](x) + cudf[norm, f64](x, x)").unwrap();
/// let loops = loops::build(&lowered.program, &loops::Options::default());
/// let target = llvm::Target::host();
/// let error = llvm::emit(&loops, &lowered.positions, &Default::default(), &target).unwrap_err();
/// assert!(error.to_string().contains("`norm` called with different numbers of arguments"));
/// assert_eq!((error.position.line, error.position.column), (1, 36));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackendError {
    /// Which side is to blame.
    pub kind: BackendErrorKind,
    /// What is wrong: lower case, without a full stop; lines after the first are advice.
    pub message: String,
    /// The user's token, if there is one to blame.
    pub position: Position,
}

impl BackendError {
    /// Something that the executor with this name does not have, at its place.
    ///
    /// ```
    /// use weldment_codegen::backend::{BackendError, Unsupported};
    /// use weldment_core::ir::Loc;
    /// use weldment_runtime::lang::fault::Position;
    /// let position = Position { line: 1, column: 7 };
    /// let error = BackendError::unsupported("c", &Unsupported::new("sorts", Loc::NONE), position);
    /// assert_eq!(error.position.column, 7);
    /// ```
    pub fn unsupported(executor: &str, what: &Unsupported, position: Position) -> BackendError {
        BackendError { kind: BackendErrorKind::Unsupported, message: what.message(executor), position }
    }

    /// What the executor needs of the machine is not as it should be.
    ///
    /// ```
    /// use weldment_codegen::backend::{BackendError, BackendErrorKind};
    /// let error = BackendError::environment("there is no `cc`\nhelp: install a compiler of C");
    /// assert_eq!(error.kind, BackendErrorKind::Environment);
    /// ```
    pub fn environment(what: impl fmt::Display) -> BackendError {
        let (kind, position) = (BackendErrorKind::Environment, Position::default());
        BackendError { kind, message: what.to_string(), position }
    }

    /// A foreign function that is not to be found, called at a place.
    ///
    /// ```
    /// use weldment_codegen::backend::BackendError;
    /// let error = BackendError::foreign("half", Default::default());
    /// assert!(error.to_string().starts_with("foreign function not found: `half`"));
    /// ```
    pub fn foreign(name: &str, position: Position) -> BackendError {
        let message = format!(
            "foreign function not found: `{name}`\nhelp: name it among the foreign functions of the options"
        );
        BackendError { kind: BackendErrorKind::Foreign, message, position }
    }

    /// A mistake in the executor.
    ///
    /// ```
    /// use weldment_codegen::backend::BackendError;
    /// assert_eq!(BackendError::internal("no entry").to_string(), "internal error of the executor: no entry");
    /// ```
    pub fn internal(what: impl fmt::Display) -> BackendError {
        let message = format!("internal error of the executor: {what}");
        BackendError { kind: BackendErrorKind::Internal, message, position: Position::default() }
    }
}

impl fmt::Display for BackendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for BackendError {}
