//! Programs through the facade.
#![forbid(unsafe_code)]
#![deny(warnings)]

#[cfg(feature = "program")]
mod agree;
mod emitted;
