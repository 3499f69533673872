//! The loop IR in the MultiCollect style: loops that merge into sinks.
//!
//! [`op`] is what the IR consists of, and [`ops`] the table of what it computes. Programs are made with [`build`], have a text form ([`print()`],
//! [`parse()`]), are judged by [`verify()`], and are changed with the help of [`uses`], [`defs`], [`rewrite`]
//! and [`local`].

pub mod entity;
pub mod fixed_order;
pub mod op;
pub mod ops;
pub mod sink;

pub mod build;
mod make;
pub mod typing;

mod lex;
mod lines;
pub mod parse;
pub mod print;

pub mod verify;

pub mod local;
pub mod rewrite;

pub mod defs;
mod merges;
pub mod uses;
mod walk;

pub use build::Builder;
pub use defs::{Def, Defs};
pub use entity::{Arena, BodyId, Entity, Loc, Sink, Value};
pub use fixed_order::FixedOrder;
pub use lines::{Line, mark_lines};
pub(crate) use merges::Merges;
pub use op::*;
pub use parse::{ParseError, parse};
pub use print::{Locations, print, print_lines};
pub use rewrite::renumber;
pub use typing::result_types;
pub use uses::Uses;
pub use verify::{VerifyError, verify};
