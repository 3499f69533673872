//! What the emitters print: a small program for each constructor of low-level code and each strategy of a store.
//!
//! A file in `filetests/printed` holds a program, as IR text or in the language, and behind lines `----` the functions of its loops as
//! Rust and as LLVM text. Where it says `// whole`, the Rust is all that runs; where it says `// rust`, LLVM's text would show nothing
//! that other files do not. `UPDATE_EXPECT=1 cargo test` writes what came out into the
//! files.

use std::fs;
use std::path::{Path, PathBuf};

use weldment_codegen::llvm::{self, Target};
use weldment_codegen::loops::{self, LoopProgram};
use weldment_codegen::rust;
use weldment_core::source::Positions;
use weldment_core::{front, ir, passes};
use weldment_runtime::lang::fault::Position;

/// The line in front of what is printed.
const SEPARATOR: &str = "----\n";

#[test]
fn constructors_print_as_their_files_say() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("filetests/printed");
    let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut files: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
    files.sort();
    assert!(files.len() >= 20, "the programs are not where they were");
    let failures: Vec<String> = files.iter().filter_map(|path| check(path)).collect();
    assert!(failures.is_empty(), "{}\n(UPDATE_EXPECT=1 accepts this)", failures.join("\n"));
}

fn check(path: &Path) -> Option<String> {
    let text = fs::read_to_string(path).unwrap();
    let input = text.split_once(SEPARATOR).map_or(&text[..], |(input, _)| input);
    let (program, positions) = built(input);
    let mut found =
        input.to_owned() + SEPARATOR + &rust_text(&program, &positions, input.contains("// whole\n"));
    if !input.contains("// rust\n") {
        found = found + SEPARATOR + &llvm_text(&program, &positions);
    }
    if found == text {
        return None;
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(path, found).unwrap();
        return None;
    }
    Some(format!("{}:\n--- expected\n{text}--- found\n{found}", path.display()))
}

/// The loop IR of a program. One in the language is optimised; one of IR text is as it is, and `@0` in it stands for 3:14.
fn built(input: &str) -> (LoopProgram, Positions) {
    let (program, positions) = if input.contains("weldment ir") {
        let program = ir::parse(input).unwrap_or_else(|error| panic!("{error}\n{input}"));
        ir::verify(&program).unwrap_or_else(|errors| panic!("{errors:?}\n{input}"));
        let mut positions = Positions::new();
        positions.push(Position { line: 3, column: 14 });
        (program, positions)
    } else {
        let lowered = front::from_text(input).unwrap_or_else(|errors| panic!("{errors:?}\n{input}"));
        let mut program = lowered.program;
        passes::optimize(&mut program, &passes::Options::default()).expect("sound passes");
        (program, lowered.positions)
    };
    (loops::build(&program, &loops::Options::default()), positions)
}

/// The functions inside of the one that runs, or, where there are none or it is `whole`, that one. Paths are shortened for the reader.
fn rust_text(program: &LoopProgram, positions: &Positions, whole: bool) -> String {
    let paths = rust::Paths::new("weldment".parse().expect("a path"));
    let tokens = rust::function(program, positions, &paths).expect("the test can be emitted").to_string();
    let shortened =
        tokens.replace("weldment :: __private :: rt :: ", "").replace("weldment :: __private :: ", "");
    let parse =
        || -> syn::File { syn::parse_str(&shortened).unwrap_or_else(|error| panic!("{error}\n{shortened}")) };
    let functions = parse().items.into_iter().flat_map(|item| match item {
        syn::Item::Fn(run) => run.block.stmts,
        _ => panic!("{shortened}"),
    });
    let inner = functions.filter_map(|stmt| match stmt {
        syn::Stmt::Item(item @ syn::Item::Fn(_)) => Some(item),
        _ => None,
    });
    let inner: Vec<syn::Item> = inner.collect();
    let shown = if whole || inner.is_empty() { parse() } else { syn::File { items: inner, ..parse() } };
    prettyplease::unparse(&shown)
}

/// The functions of loops, or, where there are none, all that are the program's own.
fn llvm_text(program: &LoopProgram, positions: &Positions) -> String {
    let target = Target { prefetches: true, halves_vectors: true };
    let text =
        llvm::emit(program, positions, &Default::default(), &target).expect("the test can be emitted").text;
    let functions =
        text.split_inclusive("\n}\n").filter_map(|part| part.find("define ").map(|at| &part[at..]));
    let (loops, others): (Vec<&str>, Vec<&str>) = functions.partition(|function| {
        let name = function.split_once('@').map_or("", |(_, name)| name);
        ["loop", "reduce", "compare"].iter().any(|role| name.starts_with(role))
    });
    let is_own = |function: &&str| function.starts_with("define i32 @weldment_main");
    let shown: Vec<&str> = if loops.is_empty() { others.into_iter().filter(is_own).collect() } else { loops };
    shown.join("\n")
}
