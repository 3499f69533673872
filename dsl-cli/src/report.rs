//! How a run of this command fails, and how that is told: as text with the source line, or as JSON.

use std::fmt::Write as _;
use std::io::Write as _;

use crate::engine::{CompileError, ErrorCode, Fault, Position, Warning};

/// Why there is no result.
#[derive(Debug)]
pub(crate) enum Failure {
    /// Bad usage, a file that cannot be read, arguments that do not fit.
    Input(String),
    /// The program does not compile; there is at least one error.
    Compile(Source, Vec<CompileError>),
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
            Failure::Compile(source, errors) => {
                let texts: Vec<String> = errors
                    .iter()
                    .map(|error| {
                        let label = format!("error[{}]", error.code);
                        snippet(&label, &error.message, source, error.position)
                    })
                    .collect();
                texts.join("\n")
            }
            Failure::Fault(source, fault) => snippet("fault", &message(fault), source, fault.position),
        }
    }

    /// For tools, as one line with a line end: `{"error":…,"errors":[…]}`, where `error` is the first of `errors`, or
    /// `{"fault":…}`.
    pub(crate) fn json(&self) -> String {
        let errors = match self {
            Failure::Input(message) => vec![object("input", "", message, Position::default())],
            Failure::Compile(_, errors) => errors.iter().map(compile_error).collect(),
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
        let label = format!("warning[{}]", warning.code);
        tell(&snippet(&label, &warning.message, source, warning.position));
    }
}

/// Tells on standard error that the compiled program is not kept, and why.
pub(crate) fn warn_not_kept(source: &Source, reason: &str) {
    let message = format!("the compiled program is not kept: {reason}");
    tell(&snippet("warning", &message, source, Position::default()));
}

fn tell(text: &str) {
    // Nobody is left to be told if this fails.
    let _ = writeln!(std::io::stderr(), "{text}");
}

/// What `code` means, as text.
pub(crate) fn explained(code: ErrorCode) -> String {
    let mut text = format!("{code}: {}\n\n{}\n", code.title(), code.explanation());
    if let Some(example) = code.example() {
        write_to(&mut text, format_args!("\nwrong:  {}\nright:  {}\n", example.wrong, example.right));
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

/// The first line of `message` after its label, the source line with a caret, and the other lines as notes.
fn snippet(label: &str, message: &str, source: &Source, position: Position) -> String {
    let mut lines = message.lines();
    let mut out = format!("{label}: {}\n", lines.next().unwrap_or_default());
    let number = position.line.to_string();
    let margin = " ".repeat(number.len());
    if position.line > 0 {
        write_to(&mut out, format_args!("{margin}--> {}:{position}\n", source.name));
        let line = source.text.lines().nth(position.line as usize - 1).unwrap_or_default();
        let (line, before) = window(line, (position.column as usize).saturating_sub(1));
        // Tabs stay tabs, so that the caret stands below its character however wide they are.
        let padding: String = line
            .chars()
            .chain(std::iter::repeat(' '))
            .take(before)
            .map(|c| if c == '\t' { '\t' } else { ' ' })
            .collect();
        write_to(&mut out, format_args!("{margin} |\n{number} | {line}\n{margin} | {padding}^\n"));
    }
    for note in lines {
        write_to(&mut out, format_args!("{margin} = {note}\n"));
    }
    out
}

/// How many characters of a source line are shown at most, and how many of them before the one that is meant.
const SHOWN: usize = 140;
const SHOWN_BEFORE: usize = 70;

/// What to show of a line that may be very long, and how many characters of that stand before the one that `before`
/// others of the line stand before.
fn window(line: &str, before: usize) -> (String, usize) {
    let length = line.chars().count();
    if length <= SHOWN {
        return (line.to_owned(), before);
    }
    let start = before.saturating_sub(SHOWN_BEFORE).min(length - SHOWN);
    let mut shown: String = line.chars().skip(start).take(SHOWN).collect();
    let cut = if start > 0 { "…" } else { "" };
    shown.insert_str(0, cut);
    if start + SHOWN < length {
        shown.push('…');
    }
    (shown, before - start + cut.chars().count())
}

fn write_to(out: &mut String, text: std::fmt::Arguments<'_>) {
    out.write_fmt(text).expect("writing to a string does not fail");
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
        }
    }

    #[test]
    fn a_compile_error_shows_its_line_and_advice() {
        let error = compile_error("found i64 and i32\nhelp: write `2L`", 2, 3);
        let failure = Failure::Compile(source("|x: i64|\nx * 2"), vec![error]);
        assert_eq!(
            failure.text(),
            "error[W0301]: found i64 and i32\n --> prog.weld:2:3\n  |\n2 | x * 2\n  |   ^\n  = help: write `2L`\n"
        );
        assert_eq!(failure.code(), 2);
        let told = "{\"kind\":\"type\",\"code\":\"W0301\",\"message\":\"found i64 and i32\\nhelp: write `2L`\",\"line\":2,\"column\":3}";
        assert_eq!(failure.json(), format!("{{\"error\":{told},\"errors\":[{told}]}}\n"));
    }

    #[test]
    fn the_caret_counts_characters_and_keeps_tabs() {
        let failure = Failure::Compile(source("\té x"), vec![compile_error("m", 1, 4)]);
        assert!(failure.text().ends_with("1 | \té x\n  | \t  ^\n"), "{}", failure.text());
        // Behind the end of the text, where something is missing.
        let failure = Failure::Compile(source("ab"), vec![compile_error("m", 1, 3)]);
        assert!(failure.text().ends_with("1 | ab\n  |   ^\n"), "{}", failure.text());
    }

    #[test]
    fn a_long_line_is_cut_around_the_caret() {
        let line = format!("{}é!{}", "a".repeat(1000), "b".repeat(1000));
        let text = Failure::Compile(source(&line), vec![compile_error("m", 1, 1002)]).text();
        let shown: Vec<&str> = text.lines().skip(3).collect();
        let excerpt: Vec<char> = shown[0].chars().collect();
        assert_eq!(excerpt.len(), "1 | ".len() + SHOWN + 2, "{text}");
        assert_eq!(excerpt[shown[1].chars().count() - 1], '!', "{text}");
        assert!(shown[0].starts_with("1 | …a") && shown[0].ends_with("b…"), "{text}");
        // Near the end of the line, and behind it.
        let text = Failure::Compile(source(&line), vec![compile_error("m", 1, 2003)]).text();
        let shown: Vec<&str> = text.lines().skip(3).collect();
        assert!(
            shown[0].ends_with('b') && shown[1].chars().count() == shown[0].chars().count() + 1,
            "{text}"
        );
    }

    #[test]
    fn every_compile_error_is_shown() {
        let errors = vec![compile_error("first", 1, 1), compile_error("second", 1, 1)];
        let text = Failure::Compile(source("x"), errors).text();
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
