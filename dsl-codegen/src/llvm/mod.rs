//! Programs compiled at run time by LLVM.
//!
//! A loop program is printed as LLVM IR text, optimised for the CPU at hand and linked into the process:
//!
//! ```text
//! LoopProgram ─emit▶ IR text ─parse, verify▶ module ─passes▶ module ─codegen▶ object ─link▶ code
//! ```
//!
//! The text is what is cached and what `explain` shows. How values lie in memory is decided in `layout`; what
//! the compiled code calls stands in `runtime`; everything a run allocates belongs to the run, see `memory`.

mod engine;

mod error;

mod native;

mod emit;

mod layout;

mod memory;

mod runtime;

mod machine;
mod marshal;

mod target;

mod optimize;
mod pipeline;

mod jit;

mod kept;

#[cfg(test)]
mod tests;

pub use engine::{Compiled, EngineOptions, compile, listing};
pub use error::{EngineError, EngineErrorKind};
pub use kept::CacheStatus;
pub use optimize::{Level, Listing};
