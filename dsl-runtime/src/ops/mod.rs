//! Operations on whole values that emitted code calls: checks, copies, sorts.

pub mod checked;
pub mod copy;
pub mod sort;
