//! The command `weldment`: runs, explains and emits programs from the shell.
//!
//! Standard output carries the result and nothing else. Exit codes: 0 for a result, 1 for bad usage or input,
//! 2 for a program that does not compile, 3 for a program that ends in a fault.

mod args;
mod run;

mod emit;
mod explain;
mod json;

mod engine;
mod report;

use std::io::Write;
use std::process::ExitCode;

use clap::Parser;

use crate::args::{Args, Command};
use crate::report::Failure;

fn main() -> ExitCode {
    let (outcome, as_json) = match Args::try_parse() {
        Ok(args) => match args.command {
            Command::Run(args) => (run::run(&args), args.json),
            Command::Explain(args) => (emit::explain(&args), false),
            Command::Emit { file, to, told } => (emit::emit(&file, &told, to), false),
            Command::Error { code } => (Ok(report::explained(code)), false),
        },
        // Help and version are asked for, so they go to standard output and are no failure.
        Err(error) if !error.use_stderr() => (Ok(error.render().to_string()), false),
        Err(error) => {
            let as_json = std::env::args_os().any(|arg| arg == "--json");
            let text = error.render().to_string();
            (Err(Failure::Input(text.trim_start_matches("error: ").trim_end().to_owned())), as_json)
        }
    };
    match outcome {
        Ok(text) => print(&text, 0),
        Err(failure) if as_json => print(&failure.json(), failure.code()),
        Err(failure) => {
            // Nobody is left to be told if this fails.
            let _ = std::io::stderr().write_all(failure.text().as_bytes());
            ExitCode::from(failure.code())
        }
    }
}

/// Prints `text` to standard output. A reader that has gone away, as in `weldment run … | head`, is no reason
/// to panic.
fn print(text: &str, code: u8) -> ExitCode {
    match std::io::stdout().write_all(text.as_bytes()) {
        Ok(()) => ExitCode::from(code),
        Err(_) => ExitCode::from(1),
    }
}
