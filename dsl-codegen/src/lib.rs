//! From optimised IR to something that runs: the loop IR, and the emitters that print it.

#![deny(unsafe_code)]

#[cfg(feature = "llvm")]
pub mod llvm;
