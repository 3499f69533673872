//! A crate of many `weld!` programs, built and run at once.

use std::fmt::Write;
use std::io;
use std::path::Path;
use std::process::Command;

use crate::foreign;
use crate::literal::{passed, rust_type, rust_value};
use crate::program::structs::{Member, Struct};
use crate::program::{Generated, Outside, constant_name};
use crate::user_crate::{UserCrate, succeed};

/// How many binaries a batch is built as, at the same time.
const BINARIES: usize = 2;

/// What stands in each binary before its programs.
const PRELUDE: &str = r#"#![allow(warnings)]
use weldment::__private::rt::exec::options::Testing;
use weldment::{Date, Dict, Element, Fault, Fixed, Options, Span, Timestamp, Weld, bf16, f16};

#[path = "OUTCOME"]
mod outcome;
use outcome::outcome;

/// Prints what program `number` gives in each way to run it, one line a way.
fn show<T: Element>(number: usize, mut run: impl FnMut(&Options) -> Result<T, Fault>) {
    for threads in [1, 2, 7] {
        let (force_parallel, partition_threshold) = (threads > 1, [None, Some(3)][threads % 2]);
        let testing = Testing { chunk: Some(3), segment: Some(5), force_parallel, isa: None, partition_threshold };
        let options = Options::new().threads(threads).testing(testing);
        let got = outcome(options, |options| run(options).map(|value| value.to_value()));
        println!("{number}\t{threads} threads\t{got}");
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
    let user = write(programs).map_err(|error| format!("the crate of a batch: {error}"))?;
    succeed(user.cargo("build").args(["--features", "weldment/half"]))?;
    let mut printed = Vec::new();
    for binary in 0..BINARIES {
        let text = succeed(&mut Command::new(user.target().join(format!("debug/batch{binary}"))))?;
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

fn write(programs: &[Generated]) -> io::Result<UserCrate> {
    let user = UserCrate::new("generated", "")?;
    for binary in 0..BINARIES {
        let outcome = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/generated/outcome.rs");
        let mut text = PRELUDE.replace("OUTCOME", &outcome.display().to_string());
        text += foreign::SOURCE;
        let mut calls = String::new();
        for (number, program) in programs.iter().enumerate().filter(|(number, _)| number % BINARIES == binary)
        {
            let _ = writeln!(text, "fn program{number}() {{\n{}\n}}", function(number, program));
            let _ = writeln!(calls, "    program{number}();");
        }
        let _ = write!(text, "fn main() {{\n{calls}}}\n");
        user.write(format!("src/bin/batch{binary}.rs"), &text)?;
    }
    Ok(user)
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
        let (ty_text, value) = (rust_type(ty), rust_value(ty, value, &generated.structs));
        let pass = passed(ty, &format!("a{i}"));
        let outside = generated.outside.as_ref().filter(|_| i == 0);
        if let Some(Outside::Constant(name)) = outside {
            let _ = writeln!(text, "const {}: {ty_text} = {value};", constant_name(name));
            continue;
        }
        let _ = writeln!(text, "let a{i}: {ty_text} = {value};");
        match outside {
            Some(Outside::Capture(name)) => _ = writeln!(text, "let {name} = {pass};"),
            _ => passes.push(pass),
        }
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
