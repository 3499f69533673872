//! A crate of many `weld!` programs, built and run at once.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use crate::foreign;
use crate::literal::{passed, rust_type, rust_value};
use crate::program::Generated;
use crate::program::structs::{Member, Struct};

/// How many binaries a batch is built as, at the same time.
const BINARIES: usize = 2;

/// What stands in each binary before its programs.
const PRELUDE: &str = r#"#![allow(warnings)]
use weldment::__private::rt::exec::options::Testing;
use weldment::{Dict, Element, Fault, Options, Weld};

#[path = "OUTCOME"]
mod outcome;
use outcome::outcome;

/// Prints what program `number` gives in each way to run it, one line a way.
fn show<T: Element>(number: usize, mut run: impl FnMut(&Options) -> Result<T, Fault>) {
    for threads in [1, 2, 7] {
        let (force_parallel, partition_threshold) = (threads > 1, [None, Some(3)][threads % 2]);
        let testing = Testing { chunk: Some(3), segment: Some(5), force_parallel, isa: None, partition_threshold };
        let got = run(&Options::new().threads(threads).testing(testing));
        println!("{number}\t{threads} threads\t{}", outcome(&got.map(|value| value.to_value())));
    }
}
"#;

/// What one program printed in one way.
pub(crate) struct Printed {
    pub(crate) program: usize,
    pub(crate) way: String,
    pub(crate) outcome: String,
}

/// Builds and runs `programs`, and tells what they printed.
///
/// # Errors
/// What the compiler or a binary that failed has said.
pub(crate) fn run(programs: &[Generated]) -> Result<Vec<Printed>, String> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("generated");
    write(&folder, programs).map_err(|error| format!("{}: {error}", folder.display()))?;
    let target = folder.join("target");
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args(["build", "--quiet", "--offline"]).current_dir(&folder).env("CARGO_TARGET_DIR", &target);
    // The crate is not part of what is being measured or linted around it.
    cargo.env_remove("RUSTFLAGS");
    succeed(&mut cargo)?;
    let mut printed = Vec::new();
    for binary in 0..BINARIES {
        let text = succeed(&mut Command::new(target.join(format!("debug/batch{binary}"))))?;
        for line in text.lines() {
            let [number, way, outcome] = line.splitn(3, '\t').collect::<Vec<_>>()[..] else {
                return Err(format!("printed: {line}"));
            };
            let program = number.parse().map_err(|_| format!("printed: {line}"))?;
            printed.push(Printed { program, way: way.to_owned(), outcome: outcome.to_owned() });
        }
    }
    Ok(printed)
}

/// What `command` printed.
fn succeed(command: &mut Command) -> Result<String, String> {
    let output = command.output().map_err(|error| format!("{command:?}: {error}"))?;
    if output.status.success() {
        return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
    }
    Err(format!("{command:?}: {}\n{}", output.status, String::from_utf8_lossy(&output.stderr)))
}

fn write(folder: &Path, programs: &[Generated]) -> std::io::Result<()> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let bins = folder.join("src/bin");
    fs::create_dir_all(&bins)?;
    let manifest = format!(
        "[package]\nname = \"generated\"\nversion = \"0.0.0\"\nedition = \"2024\"\n\n\
         [dependencies]\nweldment = {{ path = {root:?} }}\n\n[workspace]\n"
    );
    write_if_new(folder.join("Cargo.toml"), &manifest)?;
    // The versions that the tests themselves are built with: they are at hand without a network.
    write_if_new(folder.join("Cargo.lock"), &fs::read_to_string(root.join("Cargo.lock"))?)?;
    for binary in 0..BINARIES {
        let outcome = root.join("tests/generated/outcome.rs");
        let mut text = PRELUDE.replace("OUTCOME", &outcome.display().to_string());
        text += foreign::SOURCE;
        let mut calls = String::new();
        for (number, program) in programs.iter().enumerate().filter(|(number, _)| number % BINARIES == binary)
        {
            let _ = writeln!(text, "fn program{number}() {{\n{}\n}}", function(number, program));
            let _ = writeln!(calls, "    program{number}();");
        }
        let _ = write!(text, "fn main() {{\n{calls}}}\n");
        write_if_new(bins.join(format!("batch{binary}.rs")), &text)?;
    }
    Ok(())
}

/// Cargo builds anew what was written after the last build.
fn write_if_new(path: PathBuf, text: &str) -> std::io::Result<()> {
    if fs::read_to_string(&path).is_ok_and(|old| old == text) {
        return Ok(());
    }
    fs::write(path, text)
}

/// The body of the function that runs a program.
fn function(number: usize, generated: &Generated) -> String {
    let mut text = String::new();
    for declared in &generated.structs {
        let copied = if is_copy(declared) { "Copy, " } else { "" };
        let _ = writeln!(text, "#[derive(Clone, {copied}Debug, Weld)]\n{}", declared.item());
    }
    let mut passes = Vec::new();
    for (i, (ty, value)) in generated.params.iter().zip(&generated.args).enumerate() {
        let value = rust_value(ty, value, &generated.structs);
        let _ = writeln!(text, "let a{i}: {} = {value};", rust_type(ty));
        passes.push(passed(ty, &format!("a{i}")));
    }
    let (source, args, result) = (&generated.source, passes.join(", "), rust_type(&generated.result));
    let _ = write!(text, "let kernel = weldment::weld!(\n{source}\n);\n");
    let _ = write!(text, "show::<{result}>({number}, |way| kernel.with(way).call({args}));");
    text
}

/// Whether values of a struct can be copied, if those of its parameter can be.
fn is_copy(declared: &Struct) -> bool {
    declared.fields.iter().all(|(_, member)| match member {
        Member::Of(ty) => ty.is_scalars(),
        Member::Param => true,
        Member::Params => false,
    })
}
