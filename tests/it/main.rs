//! Programs through the facade.
#![forbid(unsafe_code)]
#![deny(warnings)]

mod emitted;
