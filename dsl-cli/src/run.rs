//! `weldment run`: a program, its arguments and its result.

use crate::args::{Executor, Run, Told};
use crate::engine::{self, Options, Program};
use crate::json;
use crate::report::{Failure, Source, show, warn, warn_not_kept};

/// The result as one line of JSON.
pub(crate) fn run(args: &Run) -> Result<String, Failure> {
    let on_llvm = args.on == Executor::Llvm;
    check_llvm(on_llvm)?;
    if args.cache.is_some() && !on_llvm {
        return Err(Failure::Input(
            "`--cache` keeps what LLVM makes, and the interpreter compiles nothing".to_owned(),
        ));
    }
    if args.file == "-" && args.args.as_deref() == Some("-") {
        return Err(Failure::Input("the program and its arguments cannot both be standard input".to_owned()));
    }
    let source = read_source(&args.file)?;
    let refused = |error| Failure::Compile(source.clone(), error);
    let program = read_program(&source, &args.told)?;
    let values = read_values(args, &program)?;
    let threads = args.threads.map(|threads| usize::try_from(threads).expect("checked by the command line"));
    let foreign = engine::foreign(&args.library, args.foreign).map_err(Failure::Input)?;
    let (memory_limit, cache) = (args.memory_limit, args.cache.clone());
    let options = Options { on_llvm, threads, memory_limit, cache, foreign };
    let name = source.name.clone();
    let executable = program.compile(&options, move |dbg| show(&name, dbg)).map_err(refused)?;
    if let Some(reason) = executable.not_kept() {
        warn_not_kept(reason);
    }
    let result = executable.run(&values).map_err(|fault| Failure::Fault(source.clone(), fault))?;
    let mut line = String::new();
    json::write(&result, program.result(), &mut line);
    line.push('\n');
    Ok(line)
}

/// The program in `source`, to which some parameters are constants. Tells its warnings.
pub(crate) fn read_program(source: &Source, told: &Told) -> Result<Program, Failure> {
    let refused = |error| Failure::Compile(source.clone(), error);
    let program = Program::parse(&source.text).map_err(refused)?;
    warn(source, program.warnings());
    let mut constants = Vec::new();
    for (name, value) in &told.constants {
        // What is no parameter has no type to be read by, and is refused as such.
        let value = match program.param(name) {
            Some(ty) => json::read_args(&format!("[{value}]"), std::slice::from_ref(ty))
                .map_err(|message| Failure::Input(format!("--constant {name}: {message}")))?
                .remove(0),
            None => engine::Value::structure(Vec::new()),
        };
        constants.push((name.as_str(), value));
    }
    if constants.is_empty() { Ok(program) } else { program.with_constants(&constants).map_err(refused) }
}

fn read_values(args: &Run, program: &Program) -> Result<Vec<engine::Value>, Failure> {
    let (name, text) = match &args.args {
        Some(file) => (shown(file), read_text(file)?),
        None => ("without `--args`", "[]".to_owned()),
    };
    json::read_args(&text, program.params()).map_err(|message| Failure::Input(format!("{name}: {message}")))
}

/// Refuses what takes LLVM where there is none.
pub(crate) fn check_llvm(needed: bool) -> Result<(), Failure> {
    if needed && !engine::HAS_LLVM {
        let message = "this `weldment` was built without LLVM; build it with `--features llvm`";
        return Err(Failure::Input(message.to_owned()));
    }
    Ok(())
}

/// The program in `file`, or on standard input.
pub(crate) fn read_source(file: &str) -> Result<Source, Failure> {
    Ok(Source { name: shown(file).to_owned(), text: read_text(file)? })
}

/// The name of `file` in messages.
fn shown(file: &str) -> &str {
    if file == "-" { "<stdin>" } else { file }
}

fn read_text(file: &str) -> Result<String, Failure> {
    let text =
        if file == "-" { std::io::read_to_string(std::io::stdin()) } else { std::fs::read_to_string(file) };
    text.map_err(|error| Failure::Input(format!("cannot read {}: {error}", shown(file))))
}
