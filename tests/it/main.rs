//! The tests that cut across the crates: one binary, so that they link once.
//!
//! Those of run-time programs need the feature `program`; `./test` turns it on.
#![forbid(unsafe_code)]
#![deny(warnings)]

#[cfg(feature = "program")]
mod every_way;
#[cfg(feature = "program")]
mod executors;

#[cfg(feature = "program")]
mod agree;
#[cfg(feature = "program")]
mod aliases;
#[cfg(feature = "program")]
mod arrays;
#[cfg(feature = "program")]
mod blur;
#[cfg(feature = "program")]
mod calls;
#[cfg(feature = "program")]
mod claims;
#[cfg(feature = "program")]
mod constants;
#[cfg(feature = "program")]
mod counts;
mod emitted;
mod functions;
mod hygiene;
#[cfg(feature = "program")]
mod items;
#[cfg(feature = "llvm")]
mod kept;
#[cfg(feature = "program")]
mod malformed;
mod options;
#[cfg(feature = "program")]
mod outside;
#[cfg(feature = "program")]
mod pairs;
#[cfg(feature = "program")]
mod pixels;
#[cfg(feature = "program")]
mod report;
#[cfg(feature = "program")]
mod rows;
#[cfg(feature = "program")]
mod rules;
#[cfg(feature = "program")]
mod source;
#[cfg(feature = "program")]
mod strides;
#[cfg(feature = "program")]
mod structs;
#[cfg(feature = "program")]
mod sweeps;
#[cfg(feature = "program")]
mod tpch;
mod tuples;
#[cfg(feature = "program")]
mod vocabulary;
#[cfg(feature = "program")]
mod welded;
#[cfg(feature = "program")]
mod windows;

/// Programs here call no foreign functions.
#[cfg(feature = "program")]
fn foreign() -> weldment::Foreign {
    weldment::Foreign::Refused
}
