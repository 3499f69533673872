//! Why a program could not be compiled.

use std::fmt;

use weldment_runtime::lang::fault::Position;

/// Which side is to blame when a program does not compile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EngineErrorKind {
    /// The program uses something this executor does not have yet.
    Unsupported,
    /// LLVM is missing, of another version, or without support for this machine.
    Environment,
    /// A foreign function that is not among those given to the program.
    Foreign,
    /// A mistake in the compiler: the program is valid and ought to have compiled.
    Internal,
}

/// A program could not be compiled; nothing has run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineError {
    /// Which side is to blame.
    pub kind: EngineErrorKind,
    /// What is wrong: lower case, without a full stop.
    pub message: String,
    /// The user's token, if there is one to blame.
    pub position: Position,
}

impl EngineError {
    /// Something that this executor does not have yet.
    pub(crate) fn unsupported(what: impl fmt::Display, position: Position) -> EngineError {
        let message = format!("not supported yet: {what}");
        EngineError { kind: EngineErrorKind::Unsupported, message, position }
    }

    /// LLVM is not as it should be.
    pub(crate) fn environment(what: impl fmt::Display) -> EngineError {
        let message = format!(
            "{what}\nhelp: install LLVM 22: on Debian and Ubuntu the package `llvm-22-dev` to build, `libllvm22` to run"
        );
        EngineError { kind: EngineErrorKind::Environment, message, position: Position::default() }
    }

    /// A foreign function that is not to be found.
    pub(crate) fn foreign(name: &str, position: Position) -> EngineError {
        let message = format!(
            "foreign function not found: `{name}`\nhelp: name it among the foreign functions of the options"
        );
        EngineError { kind: EngineErrorKind::Foreign, message, position }
    }

    /// A mistake in the compiler.
    pub(crate) fn internal(what: impl fmt::Display) -> EngineError {
        let message = format!("internal error of the LLVM executor: {what}");
        EngineError { kind: EngineErrorKind::Internal, message, position: Position::default() }
    }
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for EngineError {}
