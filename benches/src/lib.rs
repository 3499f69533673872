//! Workloads that people run, by the kernels of `weld!`, by the same programs on LLVM, and by the best loops that we know
//! how to write by hand.
//!
//! `cargo run --release -p weldment-benches --features llvm` prints one table. With `--peers PYTHON` the engines
//! of others take part.
//!
//! A contest is one row group of the table, and runs in a process of its own, since a heap that other workloads have left
//! behind changes times. Its contestants must agree before anything is timed; they take turns, so that
//! whatever else the machine does meets them all; medians are told with their spread, and the bandwidth of a copy in the
//! same run says what the memory could do.

mod alone;
mod args;
mod bench;
mod clock;
mod contest;
mod cpu;
mod measure;
mod memory;
mod ours;
mod peers;
mod prefetch;
mod random;
mod repeat;
mod run;
mod table;
mod workloads;

pub use args::Args;
pub use run::run;
