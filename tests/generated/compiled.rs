//! Programs compiled by LLVM.

use weldment::{CompileOptions, Executor, Options, Program, Value};

use crate::cases::for_each_program;
use crate::executors::{THREADS, same};
use crate::outcome::watched;
use crate::program::Generated;
use crate::{CUT, LIMITS, ONE_THREAD};

/// What `program` comes to, compiled by LLVM, on some number of threads, if that is something else than by the interpreter.
fn difference(program: &Program, args: &[Value], optimize: bool) -> Result<Option<String>, String> {
    let compile = |executor| {
        let options = CompileOptions { optimize, ..CUT.options(executor) };
        program.compile(&options).map_err(|error| error.to_string())
    };
    let (interpreted, compiled) = (compile(Executor::Interpreter)?, compile(Executor::Llvm)?);
    let (expected, lines) = watched(Options::new(), |options| interpreted.run_with(options, args));
    Ok(THREADS.into_iter().find_map(|threads| {
        let (got, shown) = watched(CUT.on(threads, None), |options| compiled.run_with(options, args));
        (!same(&got, &expected) || shown != lines).then(|| {
            format!(
                "optimised: {optimize}, {threads} threads: {got:?}, shown {shown:?}\ninstead of {expected:?}, shown {lines:?}"
            )
        })
    }))
}

fn check(generated: &Generated) -> Result<(), String> {
    let program = Program::parse(&generated.text()).map_err(|error| error.to_string())?;
    let mut difference = self::difference(&program, &generated.args, true)?;
    // What nobody needs takes long to compile: one program in four is enough.
    if difference.is_none() && generated.source.len().is_multiple_of(4) {
        difference = self::difference(&program, &generated.args, false)?;
    }
    match difference {
        None => Ok(()),
        Some(difference) => {
            let optimised = program.explain().map_err(|error| error.to_string())?;
            Err(format!("{difference}\n{optimised}"))
        }
    }
}

#[test]
fn generated_programs_give_the_same_bits_compiled_by_llvm() {
    for_each_program(60, ONE_THREAD, LIMITS, check);
}
