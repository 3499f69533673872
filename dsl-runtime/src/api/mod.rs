//! What connects programs with Rust: elements, their layout, structs, arguments, kernels.

pub mod args;
pub mod array;
mod derive;
pub mod element;
pub mod float;
pub mod kernel;
pub mod layout;
pub mod output;
mod reclaim;
pub mod serialize;
pub mod structure;
