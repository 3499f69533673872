//! Surface syntax: the tree, and the parser that serves both the macro (tokens) and the run time (text).
//!
//! One grammar, two spellings that mix freely: Weld's and Rust's closures. The parser resolves no names and
//! knows no types; it stops at the first error, which it reports at the token that is wrong.

pub mod ast;

mod parts;

pub mod attributes;

mod program;

mod expr;

mod postfix;

mod primary;

mod control;

mod matches;

mod items;

mod captures;

mod externs;

mod builder;

pub(crate) mod constant;

pub(crate) mod literal;

mod pattern;

mod structs;

mod enums;

mod types;

mod welded;

mod words;

pub mod names;

mod symbols;

mod input;

mod text;

mod excerpts;

#[cfg(test)]
pub(crate) mod show;

#[cfg(test)]
mod tests;

pub(crate) use words::KEYWORDS;

pub use enums::NEEDS_ZERO;
pub use program::{parse_body, parse_items, parse_prelude, parse_text, parse_tokens};
