//! The command line.

use clap::{Parser, Subcommand, ValueEnum};

use crate::engine::{self, ErrorCode, Form};

/// Runs, explains and emits weldment programs.
///
/// Exit codes: 0 for a result, 1 for bad usage or input, 2 for a program that does not compile, 3 for a
/// program that ends in a fault.
#[derive(Debug, Parser)]
#[command(name = "weldment", version)]
pub(crate) struct Args {
    #[command(subcommand)]
    pub(crate) command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Run a program and print its result as one line of JSON.
    Run(Run),
    /// Say what becomes of a program: loops before and after, what fused, what was refused and why.
    Explain(Explain),
    /// Print a program at a later stage.
    Emit {
        /// The program; `-` reads standard input.
        file: String,
        /// The stage.
        #[arg(long, value_enum)]
        to: Stage,
        #[command(flatten)]
        told: Told,
    },
    /// Say what a code in an error message means, with a program that is wrong and one that is right.
    Error {
        /// The code, such as `W0301`.
        #[arg(value_parser = code)]
        code: ErrorCode,
    },
}

fn code(text: &str) -> Result<ErrorCode, String> {
    let known =
        || format!("the codes are {} to {}", ErrorCode::ALL[0], ErrorCode::ALL[ErrorCode::ALL.len() - 1]);
    ErrorCode::from_name(text).ok_or_else(known)
}

fn pass(name: &str) -> Result<String, String> {
    let is_known = engine::pass_names().any(|known| known == name);
    let known = || format!("the passes are {}", engine::pass_names().collect::<Vec<_>>().join(", "));
    is_known.then(|| name.to_owned()).ok_or_else(known)
}

/// The constants that a program is specialised to.
#[derive(Debug, clap::Args)]
pub(crate) struct Told {
    /// A parameter that is a constant to the program, and its value in JSON, such as `n=3` or `taps=[0.25,0.5]`; may be given several
    /// times. The program takes the others.
    #[arg(long = "constant", value_name = "NAME=JSON", value_parser = constant)]
    pub(crate) constants: Vec<(String, String)>,
}

fn constant(text: &str) -> Result<(String, String), String> {
    let form = || "a constant is a name and a value in JSON: `n=3`, `key=\"elm\"`".to_owned();
    let (name, value) = text.split_once('=').ok_or_else(form)?;
    Ok((name.trim().to_owned(), value.to_owned()))
}

#[derive(Debug, clap::Args)]
pub(crate) struct Explain {
    /// The program; `-` reads standard input.
    pub(crate) file: String,
    #[command(flatten)]
    pub(crate) told: Told,
    /// How to print it.
    #[arg(long, value_enum, default_value_t = Format::Text)]
    pub(crate) format: Format,
    /// Where to; standard output if not given.
    #[arg(long, short, value_name = "FILE")]
    pub(crate) output: Option<std::path::PathBuf>,
    /// Stop the optimiser when this pass has changed the program for the first time.
    #[arg(long, value_name = "PASS", value_parser = pass)]
    pub(crate) stop_after: Option<String>,
    /// Make so many rewrites at most: where N is right and N + 1 is wrong, the last rewrite is to blame.
    #[arg(long, value_name = "N")]
    pub(crate) fuel: Option<u64>,
}

#[derive(Debug, clap::Args)]
pub(crate) struct Run {
    /// The program; `-` reads standard input.
    pub(crate) file: String,
    #[command(flatten)]
    pub(crate) told: Told,
    /// A JSON file that holds the array of arguments; `-` reads standard input. Without it there are none.
    #[arg(long, value_name = "ARGS.json")]
    pub(crate) args: Option<String>,
    /// What runs the program: LLVM, if nothing is said and this was built with it.
    #[arg(long, value_enum, default_value_t = Executor::DEFAULT)]
    pub(crate) on: Executor,
    /// The number of threads; as many as there are cores if not given. The interpreter uses one.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=4096))]
    pub(crate) threads: Option<u64>,
    /// The bytes that the program may allocate; not limited if not given.
    #[arg(long, value_name = "BYTES")]
    pub(crate) memory_limit: Option<u64>,
    /// A folder that keeps what LLVM makes of programs, so that the next call need not compile them. Its code is run: the folder must
    /// be yours and of mode 700, as it is if it is made here.
    #[arg(long, value_name = "DIR")]
    pub(crate) cache: Option<std::path::PathBuf>,
    /// A shared library whose functions the program may call by `cudf`: those that it defines itself; may be given several
    /// times. It is loaded, and runs code of its own. Without it and `--foreign` a program calls nothing.
    #[arg(long, value_name = "FILE")]
    pub(crate) library: Vec<std::path::PathBuf>,
    /// Let the program call every function of this process by `cudf`, those of C included, such as `system`: for programs that
    /// you trust with whatever you may do yourself.
    #[arg(long)]
    pub(crate) foreign: bool,
    /// Print errors and faults as JSON to standard output, in one line.
    ///
    /// A program that ends in a fault gives `{"fault": F}`. Bad usage, bad input and a program that does not compile give
    /// `{"error": E, "errors": [E, …]}`: all errors in the order of their places, and the first of them by itself. E and F
    /// hold `kind`, `message`, `line` and `column`, both from 1, without place where there is none; E of a program holds
    /// its `code`, too.
    #[arg(long)]
    pub(crate) json: bool,
}

/// What runs a program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Executor {
    /// The reference interpreter: slow.
    Interp,
    /// LLVM.
    Llvm,
}

impl Executor {
    const DEFAULT: Executor = if engine::HAS_LLVM { Executor::Llvm } else { Executor::Interp };
}

/// How `explain` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    Text,
    /// For tools.
    Json,
    /// One page that needs nothing besides: for a browser.
    Html,
}

/// What `emit` prints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Stage {
    /// The optimised IR.
    Ir,
    /// The loop IR.
    Loops,
    /// The low-level code that Rust is printed from.
    Imp,
    /// Rust.
    Rust,
    /// LLVM IR.
    Llvm,
    /// Assembly.
    Asm,
}

impl Stage {
    /// The form of a program that it prints.
    pub(crate) fn form(self) -> Form {
        match self {
            Stage::Ir => Form::Ir,
            Stage::Loops => Form::Loops,
            Stage::Imp => Form::Imp,
            Stage::Rust => Form::Rust,
            Stage::Llvm => Form::Llvm,
            Stage::Asm => Form::Assembly,
        }
    }

    /// Whether it takes LLVM.
    pub(crate) fn needs_llvm(self) -> bool {
        matches!(self, Stage::Llvm | Stage::Asm)
    }
}

#[cfg(test)]
mod tests {
    use clap::CommandFactory;

    use super::*;

    #[test]
    fn the_command_line_is_well_formed() {
        Args::command().debug_assert();
    }
}
