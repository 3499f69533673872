//! `weldment explain` and `weldment emit`: what becomes of a program, as text.

use crate::args::{Format, Stage};
use crate::engine::{CompileError, Program};
use crate::report::{Failure, warn};
use crate::run::{check_llvm, read_source};

/// What became of the program in `file`, and why.
pub(crate) fn explain(file: &str, format: Format) -> Result<String, Failure> {
    print(file, |program| program.explain(format == Format::Json))
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
