//! Any text is a program, or has an error with a place in it; a program's IR prints and parses.
#![no_main]

use libfuzzer_sys::{Corpus, fuzz_target};
use weldment::{CompileError, ErrorKind, Program};
use weldment_core::ir;

fuzz_target!(|text: &str| -> Corpus {
    match Program::parse(text) {
        Ok(program) => check(&program),
        Err(error) => check_error(text, &error),
    }
    Corpus::Keep
});

fn check(program: &Program) {
    let printed = program.ir();
    let again = ir::parse(&printed).unwrap_or_else(|error| panic!("{error}\n{printed}"));
    assert_eq!(again.to_string(), printed);
}

/// An error says what is wrong, and where in the text; it is never a mistake of the compiler.
fn check_error(text: &str, error: &CompileError) {
    assert_ne!(error.kind(), ErrorKind::Internal, "{error}");
    assert!(!error.message.trim().is_empty());
    let (line, column) = (error.position.line as usize, error.position.column as usize);
    let found = text.split('\n').nth(line.wrapping_sub(1));
    let length = found.unwrap_or_else(|| panic!("no such line: {error}")).chars().count();
    assert!((1..=length + 1).contains(&column), "no such column: {error}");
}
