//! The engine: compiles IR text with LLVM, links it into the process and calls it.

#[cfg(feature = "llvm")]
mod code_generator;
#[cfg(feature = "llvm")]
pub(crate) mod compile;
pub(crate) mod error;
#[cfg(feature = "llvm")]
mod host;
#[cfg(feature = "llvm")]
mod jit;
#[cfg(feature = "llvm")]
pub(crate) mod level;
#[cfg(feature = "llvm")]
mod machine;
#[cfg(feature = "llvm")]
pub(crate) mod object_cache;
#[cfg(feature = "llvm")]
pub(crate) mod optimize;
#[cfg(feature = "llvm")]
mod pipeline;
#[cfg(feature = "llvm")]
mod target;
#[cfg(all(test, feature = "llvm"))]
mod tests;
