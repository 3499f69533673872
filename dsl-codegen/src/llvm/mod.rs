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
pub(crate) mod engine;
pub(crate) mod layout;
pub(crate) mod memory;
pub(crate) mod print;
pub(crate) mod runtime;

#[cfg(feature = "llvm")]
pub use crate::backend::CacheStatus;
pub use emit::emit;
#[cfg(feature = "llvm")]
pub use engine::compile::{Compiled, EngineOptions, Llvm, compile, listing};
pub use engine::error::{EngineError, EngineErrorKind};
#[cfg(feature = "llvm")]
pub use engine::level::Level;
#[cfg(feature = "llvm")]
pub use engine::optimize::Listing;
pub use print::module::{Emitted, Target};
