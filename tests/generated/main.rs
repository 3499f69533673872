//! Generated programs give the same bits on LLVM as on the interpreter, on several threads and in small pieces.
//!
//! There are 60 programs, always the same; `WELDMENT_CASES=1000 cargo test --features llvm --test generated` goes on
//! from there.
#![forbid(unsafe_code)]

#[path = "../../dsl-core/tests/generated/program/mod.rs"]
mod program;

use weldment::__private::rt::options::Testing;
use weldment::{CompileOptions, Executor, Options, Program};

use program::{Generated, Limits, for_each_program};

/// Every executor folds in the same order, so sums need not be exact.
const LIMITS: Limits = Limits { exact_folds: false, foreign: false };

fn check(generated: &Generated) -> Result<(), String> {
    let Generated { source, args } = generated;
    let program = Program::parse(source).map_err(|error| error.to_string())?;
    let (piece, segment) = (Some(3), Some(5));
    let compile = |executor| {
        let options = CompileOptions { executor, piece, segment, ..CompileOptions::default() };
        program.compile(&options).map_err(|error| error.to_string())
    };
    let expected = compile(Executor::Interpreter)?.run(args);
    let compiled = compile(Executor::Llvm)?;
    for threads in [1, 2, 7] {
        let testing = Testing { piece, segment, force_parallel: threads > 1, isa: None };
        let got = compiled.run_with(&Options::new().threads(threads).testing(testing), args);
        let same = match (&got, &expected) {
            (Ok(got), Ok(expected)) => got.same_bits(expected),
            (got, expected) => got.as_ref().err() == expected.as_ref().err(),
        };
        if !same {
            let optimised = program.explain().map_err(|error| error.to_string())?;
            return Err(format!("on {threads} threads {got:?}\ninstead of {expected:?}\n{optimised}"));
        }
    }
    Ok(())
}

#[test]
fn generated_programs_give_the_same_bits_compiled() {
    for_each_program(60, LIMITS, check);
}
