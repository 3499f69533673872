//! Why a program could not be compiled.

use std::fmt;

/// Which side is to blame when a program does not compile.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum EngineErrorKind {
    /// The program uses something this executor does not have yet.
    Unsupported,
    /// LLVM is missing, of another version, or without support for this machine.
    Environment,
    /// A foreign function that is neither in the process nor in a library given to the program.
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
}

impl EngineError {
    /// Something that this executor does not have yet.
    pub fn unsupported(what: impl fmt::Display) -> EngineError {
        EngineError { kind: EngineErrorKind::Unsupported, message: format!("not supported yet: {what}") }
    }

    /// LLVM is not as it should be.
    pub fn environment(what: impl fmt::Display) -> EngineError {
        EngineError {
            kind: EngineErrorKind::Environment,
            message: format!(
                "{what}\nhelp: install LLVM 22: on Debian and Ubuntu the package `llvm-22-dev` to build, `libllvm22` to run"
            ),
        }
    }

    /// Foreign functions that are not to be found.
    pub fn foreign(names: &[String], note: impl fmt::Display) -> EngineError {
        let names: Vec<String> = names.iter().map(|name| format!("`{name}`")).collect();
        let message = format!("foreign function not found, among {}\n{note}", names.join(", "));
        EngineError { kind: EngineErrorKind::Foreign, message }
    }

    /// A mistake in the compiler.
    pub fn internal(what: impl fmt::Display) -> EngineError {
        EngineError {
            kind: EngineErrorKind::Internal,
            message: format!("internal error of the LLVM executor: {what}"),
        }
    }
}

impl fmt::Display for EngineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.message)
    }
}

impl std::error::Error for EngineError {}
