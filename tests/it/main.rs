//! The tests that cut across the crates: one binary, so that they link once.
//!
//! Those of run-time programs need the feature `program`; `./test` turns it on.

#[cfg(feature = "program")]
mod tpch;
