//! What the language means: types, values, scalar operations, orders and faults.

pub mod calendar;
pub mod conversion;
pub mod decimal;
mod display;
pub mod domain;
pub mod fault;
pub mod half;
pub mod num;
pub mod order;
pub mod pointer;
pub mod reduce;
pub mod scalar;
pub mod snippet;
pub mod text;
pub(crate) mod tuples;
pub mod types;
pub mod value;
pub mod write;
