//! Programs compiled at run time by LLVM.
//!
//! A loop program is printed as LLVM IR text, optimised for the CPU at hand and linked into the process:
//!
//! ```text
//! LoopProgram ─emit▶ IR text ─parse, verify▶ module ─passes▶ module ─codegen▶ object ─link▶ code
//! ```
//!
//! The text is what is cached and what `explain` shows. What the compiled code calls stands in [`runtime`];
//! how values lie in memory is decided in [`layout`].

pub mod error;

pub(crate) mod layout;

pub(crate) mod memory;

pub(crate) mod runtime;

mod target;

mod optimize;

mod jit;

mod cache;
