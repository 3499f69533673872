//! The compiled programs against the interpreter, bit for bit, at several numbers of threads.

mod programs;

use weldment_core::front;
use weldment_core::interp::{self, InterpOptions};
use weldment_runtime::fault::Fault;
use weldment_runtime::options::{Options, Testing};
use weldment_runtime::value::Value;

use super::{Compiled, EngineOptions, compile};
use crate::loops;

/// Pieces of 3 and segments of 5 reach every path with little data.
const PIECE: u64 = 3;
const SEGMENT: u64 = 5;

/// The program `text`, compiled to run in small pieces.
fn compiled(text: &str) -> Compiled {
    let lowered = front::from_text(text).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
    let options = loops::Options { piece: Some(PIECE), segment: Some(SEGMENT) };
    let program = loops::build(&lowered.program, &options);
    compile(&program, &lowered.positions, &EngineOptions::default())
        .unwrap_or_else(|error| panic!("{text}: {error}"))
}

/// What the interpreter makes of the program `text`.
fn interpreted(text: &str, args: &[Value]) -> Result<Value, Fault> {
    let lowered = front::from_text(text).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
    let options = InterpOptions { piece: Some(PIECE), segment: Some(SEGMENT), ..InterpOptions::default() };
    interp::run(&lowered.program, &lowered.positions, args, &options)
}

/// Options for a run on `threads` threads, even if there is little to do.
fn on_threads(threads: usize) -> Options {
    Options::new().threads(threads).testing(Testing { force_parallel: true, ..Testing::default() })
}

/// That the program `text` gives the same, value or fault, compiled as interpreted.
fn check(text: &str, args: &[Value]) {
    let expected = interpreted(text, args);
    let compiled = compiled(text);
    for threads in [1, 2, 7] {
        let found = compiled.run(args, &on_threads(threads));
        let same = match (&expected, &found) {
            (Ok(expected), Ok(found)) => expected.same_bits(found),
            (Err(expected), Err(found)) => expected == found,
            _ => false,
        };
        assert!(same, "{text}\non {threads} threads: {found:?}\ninterpreted: {expected:?}");
    }
}

fn i64s(values: impl IntoIterator<Item = i64>) -> Value {
    Value::vec(values.into_iter().map(Value::I64).collect())
}

fn f64s(values: impl IntoIterator<Item = f64>) -> Value {
    Value::vec(values.into_iter().map(Value::F64).collect())
}
