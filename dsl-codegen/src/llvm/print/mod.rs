//! The printer of LLVM IR text.

pub(crate) mod accepts;
mod arrays;
mod boxes;
mod builder;
mod calls;
mod compare;
pub(crate) mod entry;
mod func;
mod growing;
mod halves;
mod lanes;
mod loops;
pub(crate) mod module;
mod ops;
mod records;
mod registers;
mod scalar;
mod scatter;
mod slices;
mod slots;
mod spelling;
mod stmt;
mod stores;
mod strides;
mod tables;
mod traced;
mod val;
