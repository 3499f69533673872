//! Programs that are told constants, interpreted and compiled by LLVM.

use weldment::{CompileOptions, Executor, Options, Program, Value};

use crate::cases::for_each_program;
use crate::executors::{Cut, same};
use crate::outcome::watched;
use crate::program::{Folds, Generated, Limits};
use crate::{CUT, LIMITS, ONE_THREAD};

/// The program to which every parameter from `first` on, in steps of `step`, is a constant, as far as it may be one; and the arguments that it takes.
fn told(program: &Program, args: &[Value], first: usize, step: usize) -> (Program, Vec<Value>) {
    let (mut knowing, mut left) = (program.clone(), Vec::new());
    for (number, arg) in args.iter().enumerate() {
        let is_told = number >= first && (number - first).is_multiple_of(step);
        let told = program.param_name(number).filter(|_| is_told).map(|name| [(name, arg.clone())]);
        match told.map(|constant| knowing.with_constants(&constant)) {
            Some(Ok(more)) => knowing = more,
            // It has no name, or is too large.
            Some(Err(_)) | None => left.push(arg.clone()),
        }
    }
    (knowing, left)
}

/// Where the program gives a value, it gives the same if it is specialised to constants. A fault that nobody needs may be gone, and of several faults
/// another may come first.
fn check(generated: &Generated, cut: Cut) -> Result<(), String> {
    let program = Program::parse(&generated.text()).map_err(|error| error.to_string())?;
    let args = &generated.args;
    for (first, step) in [(0, 1), (0, 2), (1, 2)] {
        let (knowing, left) = told(&program, args, first, step);
        let compile = |program: &Program, executor| {
            let options: CompileOptions = cut.options(executor);
            program.compile(&options).map_err(|error| error.to_string())
        };
        let general = compile(&program, Executor::Interpreter)?;
        let (expected, lines) = watched(Options::new(), |options| general.run_with(options, args));
        for executor in [Executor::Interpreter, Executor::Llvm] {
            let executable = compile(&knowing, executor.clone())?;
            let (got, shown) = watched(cut.on(2, None), |options| executable.run_with(options, &left));
            if expected.is_ok() && (!same(&got, &expected) || shown != lines) {
                let explained = knowing.explain().map_err(|error| error.to_string())?;
                return Err(format!(
                    "{executor:?}, {cut:?}: {got:?}, shown {shown:?}\ninstead of {expected:?}, shown {lines:?}\n{explained}"
                ));
            }
        }
    }
    Ok(())
}

#[test]
fn generated_programs_give_the_same_bits_where_they_know_their_arguments() {
    for_each_program(40, ONE_THREAD, LIMITS, |generated| check(generated, Cut::COST));
}

/// Loops that are run when a program is compiled fold in chunks of the length that follows from their cost.
#[test]
fn in_small_chunks_they_do_so_where_no_order_of_sums_shows() {
    for_each_program(40, ONE_THREAD, Limits { folds: Folds::Exact, ..LIMITS }, |generated| {
        check(generated, CUT)
    });
}
