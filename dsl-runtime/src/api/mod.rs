//! What connects programs with Rust: elements, their layout, structs, arguments, kernels.

pub mod args;
mod arity;
pub mod array;
pub mod bound;
mod boxed;
pub mod column;
mod derive;
pub mod element;
mod enumeration;
pub mod fixed;
mod fixed_array;
pub mod float;
pub mod half;
pub mod instance;
pub mod kernel;
pub mod layout;
pub mod lent;
mod option;
pub mod output;
pub mod param;
mod reclaim;
pub mod serialize;
#[cfg(target_pointer_width = "64")]
mod sizes;
pub mod structure;
pub mod text;
pub mod time;
