//! From optimised IR to what runs: the loop IR, which both emitters share, and the emitters.

pub mod loops;

pub mod imp;

pub mod rust;

pub mod expand;

mod text;

mod dump;

pub mod cache;

pub mod foreign;

pub mod structs;

pub mod derive;

pub mod llvm;

#[cfg(feature = "html")]
pub mod page;
