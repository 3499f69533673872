//! Every executor on one program: whatever is run, plain or optimised, comes to the same, but for faults of what nobody needs.

#[path = "../../dsl-core/tests/generated/promise.rs"]
mod promise;

use weldment_core::interp::{self, Instead, InterpOptions};
use weldment_core::lower::Lowered;
use weldment_core::passes;
use weldment_runtime::lang::fault::{Fault, FaultKind};
use weldment_runtime::lang::value::Value;

/// How much may run: programs need not end.
const STEPS: u64 = 20_000;

/// Whether the optimised program gives the plain one's bits.
#[derive(Clone, Copy, PartialEq)]
pub(crate) enum Sums {
    /// It does.
    Exact,
    /// Its sums of floats may round otherwise, and so may be whatever depends on them.
    Rounded,
}

/// Runs the program `source` on `args`, plain and optimised, interpreted and compiled, and compares.
#[cfg_attr(not(feature = "llvm"), allow(unused_variables, reason = "only LLVM compiles it once more"))]
pub(crate) fn check(source: &str, lowered: &Lowered, args: &[Value], sums: Sums) {
    let plain = interpreted(lowered, &lowered.program, args, None);
    let mut optimised = lowered.program.clone();
    passes::optimize(&mut optimised, &passes::Options::default())
        .unwrap_or_else(|broken| panic!("{broken}\n{source}"));
    let expected = interpreted(lowered, &optimised, args, None);
    if was_stopped(&plain) || was_stopped(&expected) {
        return;
    }
    if sums == Sums::Exact {
        let go_on = |instead: &Instead| interpreted(lowered, &lowered.program, args, Some(instead.clone()));
        promise::check(&expected, &plain, Value::same_bits, go_on)
            .unwrap_or_else(|why| panic!("{why}: {expected:?}\ninstead of {plain:?}"));
    }
    // LLVM takes a hundred times as long as the interpreter.
    #[cfg(feature = "llvm")]
    if share(source, 4) {
        compiled(source, args, &expected);
    }
}

/// Whether `source` is among the one of `many` programs for which there is time, always the same.
#[cfg_attr(not(feature = "llvm"), allow(dead_code, reason = "not every target has more that takes long"))]
pub(crate) fn share(source: &str, many: u32) -> bool {
    let sum = source.bytes().fold(0u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    sum.is_multiple_of(many)
}

fn interpreted(
    lowered: &Lowered,
    program: &weldment_core::ir::Program,
    args: &[Value],
    instead: Option<Instead>,
) -> Result<Value, Fault> {
    let options =
        InterpOptions { chunk: Some(3), segment: Some(5), steps: Some(STEPS), foreign: None, instead };
    interp::run(program, &lowered.positions, args, &options)
}

fn was_stopped(result: &Result<Value, Fault>) -> bool {
    result.as_ref().is_err_and(|fault| fault.kind == FaultKind::Cancelled)
}

/// LLVM gives the same bits, on one thread and on several.
#[cfg(feature = "llvm")]
fn compiled(source: &str, args: &[Value], expected: &Result<Value, Fault>) {
    use weldment::{CompileOptions, Options, Program};
    use weldment_runtime::exec::options::Testing;

    let (chunk, segment) = (Some(3), Some(5));
    let program = Program::parse(source).unwrap_or_else(|error| panic!("{error}"));
    let options = CompileOptions { chunk, segment, ..CompileOptions::default() };
    let compiled = program.compile(&options).unwrap_or_else(|error| panic!("{error}"));
    for threads in [1, 3] {
        let testing = Testing { chunk, segment, force_parallel: threads > 1, ..Testing::default() };
        let got = compiled.run_with(&Options::new().threads(threads).testing(testing), args);
        match (&got, expected) {
            (Ok(got), Ok(expected)) => assert!(got.same_bits(expected), "{got:?}\ninstead of {expected:?}"),
            _ => assert_eq!(got.as_ref().err(), expected.as_ref().err()),
        }
    }
}
