//! `weldment explain` and `weldment emit`: what becomes of a program, as text.

use crate::args::{Explain, Stage};
use crate::engine::{CompileError, Program};
use crate::report::{Failure, warn};
use crate::run::{check_llvm, read_source};

/// What became of a program, and why: to print, unless it is written to a file.
pub(crate) fn explain(args: &Explain) -> Result<String, Failure> {
    let text = print(&args.file, |program| program.explain(args))?;
    let Some(path) = &args.output else { return Ok(text) };
    let failed = |error| Failure::Input(format!("cannot write {}: {error}", path.display()));
    std::fs::write(path, text).map_err(failed)?;
    Ok(String::new())
}

/// The program in `file` at `stage`.
pub(crate) fn emit(file: &str, stage: Stage) -> Result<String, Failure> {
    check_llvm(stage.needs_llvm())?;
    print(file, |program| program.emit(stage.form()))
}

fn print(
    file: &str,
    show: impl FnOnce(&Program) -> Result<String, Vec<CompileError>>,
) -> Result<String, Failure> {
    let source = read_source(file)?;
    let refused = |errors| Failure::Compile(source.clone(), errors);
    let program = Program::parse(&source.text).map_err(refused)?;
    warn(&source, program.warnings());
    let mut text = show(&program).map_err(refused)?;
    if !text.ends_with('\n') {
        text.push('\n');
    }
    Ok(text)
}
