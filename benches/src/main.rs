//! `cargo run --release -p weldment-benches --features llvm -- --help`

use std::process::ExitCode;

use clap::Parser;
use weldment_benches::{Args, run};

fn main() -> ExitCode {
    run(&Args::parse())
}
