//! What is said of programs that are wrong: each file in a folder here holds one, a line `----`, and the errors as they are
//! rendered. Where a mistake is shown by several programs, a line `====` stands before each further one.
//!
//! `UPDATE_EXPECT=1 cargo test -p weldment-core --test errors` writes the errors anew; read the difference as a user would. What rustc
//! has a part in, `tests/ui` shows.

use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use weldment_core::diagnostic::Diagnostic;
use weldment_core::guard::on_large_stack;
use weldment_core::{claims, explain, front, syntax};

/// The line between a program and its errors.
const SEPARATOR: &str = "----\n";

/// The line between the errors of a program and the next program.
const NEXT: &str = "====\n";

#[test]
fn errors() {
    let files = files();
    assert!(files.len() > 200, "the programs are not where they were");
    let failures: Vec<String> = files.iter().filter_map(|path| check(path)).collect();
    assert!(failures.is_empty(), "{}\n(UPDATE_EXPECT=1 accepts this)", failures.join("\n"));
}

/// The programs, folder by folder.
fn files() -> Vec<PathBuf> {
    let inside = |folder: &Path| {
        let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.unwrap().path()).collect();
        paths.sort();
        paths
    };
    let folders = inside(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/errors"));
    folders.iter().filter(|path| path.is_dir()).flat_map(|folder| inside(folder)).collect()
}

fn check(path: &Path) -> Option<String> {
    let text = fs::read_to_string(path).unwrap();
    let programs =
        text.split(NEXT).map(|case| case.split_once(SEPARATOR).map_or(case, |(program, _)| program));
    let found: Vec<String> = programs
        .map(|program| format!("{program}{SEPARATOR}{}", on_large_stack(|| rendered(program))))
        .collect();
    let found = found.join(NEXT);
    if found == text {
        return None;
    }
    if std::env::var_os("UPDATE_EXPECT").is_some() {
        fs::write(path, found).unwrap();
        return None;
    }
    Some(format!("{}:\n--- expected\n{text}--- found\n{found}", path.display()))
}

fn rendered(program: &str) -> String {
    let errors = mistakes(program);
    assert!(!errors.is_empty(), "nothing is wrong with\n{program}");
    errors.iter().map(|error| render(error, program)).collect::<Vec<_>>().join("\n")
}

/// The mistakes of a program, in what it claims of its optimisation as well.
fn mistakes(program: &str) -> Vec<Diagnostic> {
    let checked = || {
        let syntax = syntax::parse_text(program)?;
        let mut lowered = front::from_ast(&syntax)?;
        let optimised = explain::optimise(&mut lowered.program, &lowered.positions);
        let report = optimised.unwrap_or_else(|broken| panic!("{broken}\n{program}")).report;
        claims::check(&syntax.attributes, &lowered, &report)
    };
    checked().err().unwrap_or_default()
}

/// The error with its place, the line of the program, and what is wrong in it underlined.
fn render(error: &Diagnostic, program: &str) -> String {
    let (position, end) = (error.position(), error.span.end());
    let message = error.to_string();
    let mut lines = message.lines();
    let mut text = format!("error: {}\n --> {position}\n", lines.next().unwrap_or_default());
    let line = program.lines().nth(position.line as usize - 1).unwrap_or_default();
    let start = position.column as usize - 1;
    let end = if end.line == position.line as usize { end.column } else { line.chars().count() };
    let marks = "^".repeat(end.saturating_sub(start).max(1));
    let _ = writeln!(text, "  | {line}\n  | {}{marks}", " ".repeat(start));
    lines.for_each(|note| _ = writeln!(text, "  = {note}"));
    text
}
