//! Writes what the emitters make of every program of the corpus, each into a file of its own: to see what a change of the compiler
//! changes in emitted code, run it before and after, and compare.
//!
//! ```text
//! cargo run -p weldment-codegen --example corpus -- target/before
//! cargo run -p weldment-codegen --example corpus -- target/after
//! diff -r target/before target/after
//! ```
//!
//! A file holds the program, the function in Rust, and the LLVM module for one fixed target. It takes no LLVM, and the same sources
//! give the same files, whatever the CPU. What the compiler refuses is in the files as the reason.

mod sources;

use std::error::Error;
use std::path::Path;
use std::{env, fs};

use weldment_codegen::{llvm, loops, rust};
use weldment_core::source::Positions;
use weldment_core::{front, guard, ir, passes};

use sources::{Form, Text};

/// The target of the LLVM modules. It has all that a target can ask for.
const TARGET: llvm::Target = llvm::Target { prefetches: true, halves_vectors: true };

fn main() -> Result<(), Box<dyn Error>> {
    let folder = env::args_os().nth(1).ok_or("usage: corpus FOLDER")?;
    let folder = Path::new(&folder);
    let mut refused = 0;
    let programs = sources::programs()?;
    for program in &programs {
        let file = folder.join(&program.name);
        let (is_emitted, text) = guard::on_large_stack(|| emitted(program));
        refused += usize::from(!is_emitted);
        fs::create_dir_all(file.parent().expect("it is in the folder"))?;
        fs::write(&file, text)?;
    }
    println!("{} programs, {refused} of them refused, in {}", programs.len(), folder.display());
    Ok(())
}

/// The text of a file, and whether both emitters had one to give.
fn emitted(program: &Text) -> (bool, String) {
    let made = match lowered(program) {
        Ok((program, positions)) => {
            let loops = loops::build(&program, &loops::Options::default());
            [rust_text(&loops, &positions), llvm_text(&loops, &positions)]
        }
        Err(reason) => [Err(reason.clone()), Err(reason)],
    };
    let is_emitted = made.iter().all(Result::is_ok);
    let [rust, llvm] = made.map(|text| text.unwrap_or_else(|reason| format!("refused: {reason}\n")));
    (is_emitted, format!("{}\n\n==== Rust\n\n{rust}\n==== LLVM\n\n{llvm}", program.text.trim()))
}

/// The program, optimised, and where its tokens stand.
fn lowered(program: &Text) -> Result<(ir::Program, Positions), String> {
    let (mut program, positions) = match program.form {
        Form::Language => {
            let lowered = front::from_text(&program.text).map_err(|errors| errors[0].message.clone())?;
            (lowered.program, lowered.positions)
        }
        Form::Ir => (ir::parse(&program.text).map_err(|error| error.to_string())?, Positions::new()),
    };
    passes::optimize(&mut program, &passes::Options::default()).map_err(|broken| broken.to_string())?;
    Ok((program, positions))
}

fn rust_text(program: &loops::LoopProgram, positions: &Positions) -> Result<String, String> {
    let paths = rust::Paths::new("::weldment".parse().expect("a path"));
    let tokens = rust::function(program, positions, &paths).map_err(|unsupported| {
        let whats: Vec<_> = unsupported.into_iter().map(|unsupported| unsupported.what).collect();
        whats.join(", ")
    })?;
    let file = syn::parse2(tokens).map_err(|error| format!("no Rust: {error}"))?;
    Ok(prettyplease::unparse(&file))
}

fn llvm_text(program: &loops::LoopProgram, positions: &Positions) -> Result<String, String> {
    llvm::emit(program, positions, &Default::default(), &TARGET)
        .map(|emitted| emitted.text)
        .map_err(|error| error.to_string())
}
