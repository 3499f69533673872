//! The compiled programs against the interpreter, bit for bit, at several numbers of threads.

mod scalars;

mod sinks;

mod dicts;

mod nested;

mod faults;

mod folds;

mod options;

use weldment_core::front;
use weldment_core::interp::{self, InterpOptions};
use weldment_core::ir;
use weldment_core::passes;
use weldment_core::source::Positions;
use weldment_runtime::exec::options::{Options, Testing};
use weldment_runtime::lang::value::Value;

use crate::llvm::{Compiled, EngineOptions, Level, compile};
use crate::loops;

/// How loops are cut: small chunks and segments reach every path with little data.
#[derive(Clone, Copy, Debug)]
struct Cut {
    chunk: u64,
    segment: u64,
}

/// Chunks that lanes fit into and that they do not, segments of whole chunks and of parts of them.
const CUTS: [Cut; 3] =
    [Cut { chunk: 3, segment: 6 }, Cut { chunk: 5, segment: 7 }, Cut { chunk: 40, segment: 40 }];

/// A program of the front end, and where its tokens stand.
struct Source {
    program: ir::Program,
    positions: Positions,
}

fn source(text: &str) -> Source {
    let lowered = front::from_text(text).unwrap_or_else(|errors| panic!("{text}: {errors:?}"));
    Source { program: lowered.program, positions: lowered.positions }
}

impl Source {
    fn optimised(&self) -> Source {
        let mut program = self.program.clone();
        passes::optimize(&mut program, &passes::Options::default())
            .unwrap_or_else(|broken| panic!("{broken}"));
        Source { program, positions: self.positions.clone() }
    }

    fn compiled(&self, cut: Cut, level: Level) -> Compiled {
        let options = loops::Options { chunk: Some(cut.chunk), segment: Some(cut.segment) };
        let program = loops::build(&self.program, &options);
        compile(&program, &self.positions, &EngineOptions { level, ..EngineOptions::default() })
            .unwrap_or_else(|error| panic!("{}\n{error}", self.program))
    }
}

/// Options for a run on `threads` threads, even if there is little to do; if they are odd, even with few keys.
fn on_threads(threads: usize) -> Options {
    let many = [None, Some(3)][threads % 2];
    Options::new().threads(threads).testing(Testing {
        force_parallel: true,
        partition_threshold: many,
        ..Testing::default()
    })
}

/// That the program `text` gives the same compiled as interpreted, value or fault, as it stands and optimised.
fn check(text: &str, args: &[Value]) {
    let plain = source(text);
    for cut in CUTS {
        plain.optimised().check(cut, Level::Full, args);
    }
    plain.check(CUTS[0], Level::Quick, args);
}

impl Source {
    fn check(&self, cut: Cut, level: Level, args: &[Value]) {
        let options =
            InterpOptions { chunk: Some(cut.chunk), segment: Some(cut.segment), ..InterpOptions::default() };
        let expected = interp::run(&self.program, &self.positions, args, &options);
        let compiled = self.compiled(cut, level);
        for threads in [1, 2, 7] {
            let found = compiled.run(args, &on_threads(threads));
            let same = match (&expected, &found) {
                (Ok(expected), Ok(found)) => expected.same_bits(found),
                (Err(expected), Err(found)) => expected == found,
                _ => false,
            };
            assert!(
                same,
                "{cut:?} on {threads} threads: {found:?}\ninterpreted: {expected:?}\n{}",
                self.program
            );
        }
    }
}

fn i64s(values: impl IntoIterator<Item = i64>) -> Value {
    Value::vec(values.into_iter().map(Value::I64).collect())
}

fn f64s(values: impl IntoIterator<Item = f64>) -> Value {
    Value::vec(values.into_iter().map(Value::F64).collect())
}

/// `n` numbers whose sum depends on the order in which they are added.
fn rough(n: usize) -> Vec<f64> {
    let mut x = 0.1f64;
    (0..n)
        .map(|i| {
            x = (x * 3.7 * (1.0 - x)).abs() % 1.0;
            (x - 0.5) * 10f64.powi((i % 13) as i32)
        })
        .collect()
}

/// `n` numbers from −50 to 50.
fn mixed(n: usize) -> Vec<i64> {
    (0..n as i64).map(|i| (i * 7919) % 101 - 50).collect()
}

/// Rows of lengths 0, 3, 6, …
fn rows(n: usize) -> Value {
    Value::vec((0..n).map(|i| f64s(rough(3 * i))).collect())
}
