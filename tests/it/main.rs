//! The tests that cut across the crates: one binary, so that they link once.
//!
//! Those of run-time programs need the feature `program`; `./test` turns it on.
#![forbid(unsafe_code)]
#![deny(warnings)]

#[cfg(feature = "program")]
mod agree;
mod emitted;
mod hygiene;
#[cfg(feature = "program")]
mod tpch;
