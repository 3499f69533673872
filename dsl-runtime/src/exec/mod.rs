//! Execution: options and context of a run, threads, and the driver that runs loops on them.

pub mod allocate;
pub mod context;
pub mod cpu;
pub mod dbg;
pub mod drive;
pub mod options;
pub(crate) mod parallel_copy;
mod progress;
#[doc(hidden)]
pub mod threads;
