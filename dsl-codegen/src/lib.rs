//! From optimised IR to what runs: the loop IR, which both emitters share, and the emitters.

pub mod loops;

pub mod rust;

#[cfg(feature = "llvm")]
pub mod llvm;
