//! From optimised IR to what runs: the loop IR, the low-level code that is made of it, and what prints that.

pub mod loops;

pub mod imp;

pub mod backend;

pub mod rust;

mod errors;

pub mod expand;

mod text;

mod dump;

mod halves;

pub mod cache;

pub mod foreign;

mod told;

pub mod derive;

pub mod welded;

pub mod items;

pub mod llvm;

#[cfg(feature = "html")]
pub mod page;
