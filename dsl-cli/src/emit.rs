//! `weldment explain` and `weldment emit`: what becomes of a program, as text.

use std::path::Path;

use crate::args::{Explain, Format, Stage, Told};
use crate::engine::{CompileError, ExplainOptions, Program};
use crate::explain;
use crate::report::Failure;
use crate::run::{check_llvm, read_program, read_source};

/// What became of a program, and why: to print, unless it is written to a file.
pub(crate) fn explain(args: &Explain) -> Result<String, Failure> {
    let options = ExplainOptions {
        title: Path::new(&args.file).file_stem().map(|name| name.to_string_lossy().into_owned()),
        fuel: args.fuel,
        stop_after: args.stop_after.clone(),
    };
    let text = print(&args.file, &args.told, |program| match args.format {
        Format::Text => program.explain(&options).map(|explanation| explanation.to_string()),
        Format::Json => program.explain(&options).map(|explanation| explain::json(&explanation)),
        Format::Html => program.explain_html(&options),
    })?;
    let Some(path) = &args.output else { return Ok(text) };
    let failed = |error| Failure::Input(format!("cannot write {}: {error}", path.display()));
    std::fs::write(path, text).map_err(failed)?;
    Ok(String::new())
}

/// The program in `file` at `stage`.
pub(crate) fn emit(file: &str, told: &Told, stage: Stage) -> Result<String, Failure> {
    check_llvm(stage.needs_llvm())?;
    print(file, told, |program| program.emit(stage.form()))
}

fn print(
    file: &str,
    told: &Told,
    show: impl FnOnce(&Program) -> Result<String, CompileError>,
) -> Result<String, Failure> {
    let source = read_source(file)?;
    let program = read_program(&source, told)?;
    let mut text = show(&program).map_err(|error| Failure::Compile(source.clone(), error))?;
    if !text.ends_with('\n') {
        text.push('\n');
    }
    Ok(text)
}
