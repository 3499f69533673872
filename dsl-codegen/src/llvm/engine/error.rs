//! Why LLVM could not compile a program.

#[cfg(feature = "llvm")]
use std::fmt;

use crate::backend::{BackendError, BackendErrorKind};

/// The error of the engine is that of every executor.
pub type EngineError = BackendError;

/// Which side is to blame.
pub type EngineErrorKind = BackendErrorKind;

/// LLVM is not as it should be.
#[cfg(feature = "llvm")]
pub(crate) fn environment(what: impl fmt::Display) -> EngineError {
    BackendError::environment(format_args!(
        "{what}\nhelp: install LLVM 22: on Debian and Ubuntu the package `llvm-22-dev` to build, `libllvm22` to run"
    ))
}
