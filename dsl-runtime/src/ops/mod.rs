//! Operations on whole values that emitted code calls: checks, copies, spans, sorts.

pub mod checked;
pub mod copy;
pub mod dbg;
pub mod ranked;
pub mod sort;
pub mod span;
pub mod write;
