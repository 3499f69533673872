//! The foreign functions that programs at run time call: none unless they are allowed, on every executor.
#![cfg(feature = "program")]

mod library;

mod allowed;
mod apart;
mod panics;
mod refused;
mod signatures;

use weldment::{CompileError, CompileOptions, Executable, Executor, Foreign, Options, Program, Value};

const EXECUTORS: &[Executor] = &[
    Executor::Interpreter,
    #[cfg(feature = "llvm")]
    Executor::Llvm,
];

fn compile(text: &str, executor: &Executor, foreign: &Foreign) -> Result<Executable, CompileError> {
    let options =
        CompileOptions { executor: executor.clone(), foreign: foreign.clone(), ..CompileOptions::default() };
    Program::parse(text).unwrap_or_else(|error| panic!("{error}")).compile(&options)
}

/// What `text` gives on every executor and several numbers of threads, which must be the same.
fn run(text: &str, foreign: &Foreign, args: &[Value]) -> Value {
    let mut results = EXECUTORS.iter().flat_map(|executor| {
        let program = compile(text, executor, foreign).unwrap_or_else(|error| panic!("{error}"));
        [1, 2, 7].map(|threads| program.run_with(&Options::new().threads(threads), args).unwrap())
    });
    let first = results.next().unwrap();
    results.for_each(|other| assert!(other.same_bits(&first), "{other} instead of {first}"));
    first
}

/// Why `text` does not compile, which every executor says alike.
fn refused(text: &str, foreign: &Foreign) -> CompileError {
    let mut errors = EXECUTORS.iter().map(|executor| compile(text, executor, foreign).unwrap_err());
    let first = errors.next().unwrap();
    errors.for_each(|other| assert_eq!(other, first));
    first
}
