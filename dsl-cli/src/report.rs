//! How a run of this command fails, and how that is told: as text with the source line, or as JSON.

use std::io::Write as _;

use crate::engine::{CompileError, Dbg, ErrorCode, Fault, Position, Warning};

/// Why there is no result.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Bad usage, a file that cannot be read, arguments that do not fit.
    Input(String),
    /// The program does not compile.
    Compile(Source, CompileError),
    /// The program ended in a fault.
    Fault(Source, Fault),
}

/// A program's text.
#[derive(Clone, Debug)]
pub(crate) struct Source {
    /// The name of the file.
    pub(crate) name: String,
    /// What is in it.
    pub(crate) text: String,
}

impl Failure {
    /// The exit code.
    pub(crate) fn code(&self) -> u8 {
        match self {
            Failure::Input(_) => 1,
            Failure::Compile(..) => 2,
            Failure::Fault(..) => 3,
        }
    }

    /// For people, with a line end.
    pub(crate) fn text(&self) -> String {
        match self {
            Failure::Input(message) => format!("error: {message}\n"),
            Failure::Compile(source, error) => error.render(&source.name, &source.text),
            Failure::Fault(source, fault) => fault.render(&source.name, &source.text),
        }
    }

    /// For tools, as one line with a line end: `{"error":…,"errors":[…]}`, where `error` is the first of `errors`, or
    /// `{"fault":…}`.
    pub(crate) fn json(&self) -> String {
        let errors = match self {
            Failure::Input(message) => vec![object("input", "", message, Position::default())],
            Failure::Compile(_, error) => {
                std::iter::once(error).chain(&error.others).map(compile_error).collect()
            }
            Failure::Fault(_, fault) => {
                let fault = object(fault.kind.name(), "", &message(fault), fault.position);
                return format!("{{\"fault\":{fault}}}\n");
            }
        };
        format!("{{\"error\":{},\"errors\":[{}]}}\n", errors[0], errors.join(","))
    }
}

fn compile_error(error: &CompileError) -> String {
    let code = format!(",\"code\":\"{}\"", error.code);
    object(error.code.kind().name(), &code, &error.message, error.position)
}

/// Tells `warnings` on standard error.
pub(crate) fn warn(source: &Source, warnings: &[Warning]) {
    for warning in warnings {
        tell(&warning.render(&source.name, &source.text));
    }
}

/// Tells on standard error that the compiled program is not kept, and why.
pub(crate) fn warn_not_kept(reason: &str) {
    // Lines behind the first are advice, as of every message.
    tell(&format!("warning: the compiled program is not kept: {}\n", reason.replace('\n', "\n = ")));
}

/// Shows on standard error what a `dbg` in the program of this name is of, as Rust's `dbg!` does.
pub(crate) fn show(name: &str, dbg: &Dbg<'_>) {
    tell(&format!("[{name}:{}] {}", dbg.position, dbg.text));
}

fn tell(text: &str) {
    // Nobody is left to be told if this fails. A line is written whole, whichever thread writes it.
    let _ = std::io::stderr().write_all(format!("{text}\n").as_bytes());
}

/// What `code` means, as text.
pub(crate) fn explained(code: ErrorCode) -> String {
    let mut text = format!("{code}: {}\n\n{}\n", code.title(), code.explanation());
    if let Some(example) = code.example() {
        text += &format!("\nwrong:  {}\nright:  {}\n", example.wrong, example.right);
    }
    text
}

/// The fault without its place, which is told apart.
fn message(fault: &Fault) -> String {
    fault.clone().at(Position::default()).to_string()
}

/// `{"kind":…,"message":…,"line":…,"column":…}`, with `more` behind the kind; the place is left out where it is not known.
fn object(kind: &str, more: &str, message: &str, position: Position) -> String {
    let message = serde_json::Value::from(message);
    let place = match position.line {
        0 => String::new(),
        line => format!(r#","line":{line},"column":{}"#, position.column),
    };
    format!("{{\"kind\":\"{kind}\"{more},\"message\":{message}{place}}}")
}

#[cfg(test)]
mod tests {
    use weldment::FaultKind;

    use super::*;

    fn source(text: &str) -> Source {
        Source { name: "prog.weld".to_owned(), text: text.to_owned() }
    }

    fn compile_error(message: &str, line: u32, column: u32) -> CompileError {
        CompileError {
            code: ErrorCode::Mismatch,
            message: message.to_owned(),
            position: Position { line, column },
            others: Vec::new(),
        }
    }

    #[test]
    fn a_compile_error_shows_its_line_and_advice() {
        let error = compile_error("found i64 and i32\nhelp: write `2L`", 2, 3);
        let failure = Failure::Compile(source("|x: i64|\nx * 2"), error);
        assert_eq!(
            failure.text(),
            "error[W0301]: found i64 and i32\n --> prog.weld:2:3\n  |\n2 | x * 2\n  |   ^\n  = help: write `2L`\n"
        );
        assert_eq!(failure.code(), 2);
        let told = "{\"kind\":\"type\",\"code\":\"W0301\",\"message\":\"found i64 and i32\\nhelp: write `2L`\",\"line\":2,\"column\":3}";
        assert_eq!(failure.json(), format!("{{\"error\":{told},\"errors\":[{told}]}}\n"));
    }

    #[test]
    fn every_compile_error_is_shown() {
        let error =
            CompileError { others: vec![compile_error("second", 1, 1)], ..compile_error("first", 1, 1) };
        let text = Failure::Compile(source("x"), error).text();
        assert!(
            text.contains("error[W0301]: first\n") && text.contains("\nerror[W0301]: second\n"),
            "{text}"
        );
    }

    #[test]
    fn a_fault_tells_kind_message_and_place() {
        let position = Position { line: 1, column: 5 };
        let fault = Fault::new(FaultKind::DivisionByZero, "1 / 0", position);
        let failure = Failure::Fault(source("|| 1 / 0"), fault);
        assert_eq!(failure.code(), 3);
        assert_eq!(
            failure.json(),
            "{\"fault\":{\"kind\":\"DivisionByZero\",\"message\":\"division by zero: 1 / 0\",\"line\":1,\"column\":5}}\n"
        );
        assert!(failure.text().starts_with("fault: division by zero: 1 / 0\n --> prog.weld:1:5\n"));
    }

    #[test]
    fn a_fault_without_a_place_has_no_snippet() {
        let fault = Fault::new(FaultKind::MemoryLimit, "", Position::default());
        let failure = Failure::Fault(source("x"), fault);
        assert_eq!(failure.text(), "fault: memory limit\n");
        assert_eq!(failure.json(), "{\"fault\":{\"kind\":\"MemoryLimit\",\"message\":\"memory limit\"}}\n");
    }

    #[test]
    fn input_errors_escape_what_they_quote() {
        let failure = Failure::Input("found \"x\"".to_owned());
        let told = "{\"kind\":\"input\",\"message\":\"found \\\"x\\\"\"}";
        assert_eq!(failure.json(), format!("{{\"error\":{told},\"errors\":[{told}]}}\n"));
        assert_eq!(failure.code(), 1);
    }
}
