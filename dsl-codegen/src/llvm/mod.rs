//! Programs compiled at run time by LLVM.
//!
//! A loop program is printed as LLVM IR text, optimised for the CPU at hand and linked into the process:
//!
//! ```text
//! LoopProgram ─emit▶ IR text ─parse, verify▶ module ─passes▶ module ─codegen▶ object ─link▶ code
//! ```
//!
//! The text is what is cached and what `explain` shows; it is emitted whether LLVM is there or not, and all that needs
//! LLVM takes the feature `llvm`. How values lie in memory is decided in `layout`; what the compiled code calls stands in `runtime`;
//! everything a run allocates belongs to the run, see `memory`.
#![cfg_attr(
    not(feature = "llvm"),
    allow(dead_code, reason = "the text names functions of the runtime that nothing calls without LLVM")
)]

mod emit;

mod error;
mod layout;
mod memory;
mod runtime;

#[cfg(feature = "llvm")]
mod engine;

#[cfg(feature = "llvm")]
mod native;

#[cfg(feature = "llvm")]
mod machine;
#[cfg(feature = "llvm")]
mod marshal;

#[cfg(feature = "llvm")]
mod target;

#[cfg(feature = "llvm")]
mod optimize;
#[cfg(feature = "llvm")]
mod pipeline;

#[cfg(feature = "llvm")]
mod jit;

#[cfg(feature = "llvm")]
mod kept;

#[cfg(all(test, feature = "llvm"))]
mod tests;

pub use emit::{Emitted, Target, emit};
#[cfg(feature = "llvm")]
pub use engine::{Compiled, EngineOptions, compile, listing};
pub use error::{EngineError, EngineErrorKind};
#[cfg(feature = "llvm")]
pub use kept::CacheStatus;
#[cfg(feature = "llvm")]
pub use optimize::{Level, Listing};
