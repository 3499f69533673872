//! Vectors that loops fill: of known length, of at most one, and growing.

pub mod columns;
mod common;
mod compress;
pub mod cursor;
pub mod exact;
pub mod fixed_fan_out;
pub mod growable;
#[doc(hidden)]
pub mod ordered;
pub mod ragged;
mod ranges;
pub mod state;
