//! The built binary: exit codes, and what goes to which stream.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// Runs `weldment` with `input` on standard input.
fn weldment(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_weldment"))
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    // A run that ends before it reads closes the pipe, which is no failure of the test.
    let _ = child.stdin.take().expect("piped").write_all(input.as_bytes());
    child.wait_with_output().expect("the binary ends")
}

/// A file that holds `text`, with a name of the test's own.
fn file(name: &str, text: &str) -> String {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, text).expect("the file is written");
    path.to_str().expect("a path in UTF-8").to_owned()
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

/// The run ends with `code`; its standard output is one line of JSON whose `outer` holds this `kind`.
fn check_json(output: &Output, code: i32, outer: &str, kind: &str) -> Value {
    let text = stdout(output);
    assert_eq!(output.status.code(), Some(code), "{text}");
    assert_eq!(text.lines().count(), 1, "{text}");
    let json: Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(json[outer]["kind"], kind, "{text}");
    json[outer].clone()
}

/// The run ends with `code`, nothing on standard output and `expected` within standard error.
fn check_text(output: &Output, code: i32, expected: &str) {
    let text = String::from_utf8(output.stderr.clone()).expect("UTF-8");
    assert_eq!(output.status.code(), Some(code), "{text}");
    assert!(output.stdout.is_empty());
    assert!(text.contains(expected), "{text}");
}

#[test]
fn bad_usage_exits_with_1() {
    check_text(&weldment(&["run"], ""), 1, "error: the following required arguments");
    check_text(&weldment(&["run", "-", "--threads", "0"], ""), 1, "0 is not in 1..=4096");
    check_json(&weldment(&["run", "-", "--on", "abacus", "--json"], ""), 1, "error", "input");
}

#[test]
fn help_goes_to_standard_output() {
    let output = weldment(&["run", "--help"], "");
    assert_eq!(output.status.code(), Some(0));
    assert!(stdout(&output).contains("--memory-limit <BYTES>"));
}

#[test]
fn a_file_that_cannot_be_read_exits_with_1() {
    let absent = concat!(env!("CARGO_TARGET_TMPDIR"), "/absent.weld");
    check_text(&weldment(&["run", absent], ""), 1, "error: cannot read ");
    let error = check_json(&weldment(&["run", absent, "--json"], ""), 1, "error", "input");
    assert!(error.get("line").is_none());
    check_text(&weldment(&["explain", absent], ""), 1, "error: cannot read ");
    check_text(&weldment(&["emit", absent, "--to", "ir"], ""), 1, "error: cannot read ");
}

#[test]
fn program_and_arguments_are_not_both_standard_input() {
    check_text(&weldment(&["run", "-", "--args", "-"], "[]"), 1, "cannot both be standard input");
}

#[test]
#[cfg(not(feature = "llvm"))]
fn llvm_that_is_not_there_is_named() {
    check_text(&weldment(&["run", "-", "--on", "llvm"], "|| 1"), 1, "--features llvm");
    check_text(&weldment(&["emit", "-", "--to", "asm"], "|| 1"), 1, "--features llvm");
}

// Every program is refused as long as this build has no front end; the shape of the refusal is the same.
#[test]
fn a_program_that_is_refused_exits_with_2() {
    let program = file("refused.weld", "|x: i64| y");
    let error = check_json(&weldment(&["run", &program, "--json"], ""), 2, "error", "unsupported");
    assert!(error["message"].is_string() && error["line"].is_u64() && error["column"].is_u64());
    check_text(&weldment(&["run", &program], ""), 2, "1 | |x: i64| y\n");
    check_text(&weldment(&["run", "-"], "|x: i64| y"), 2, "--> <stdin>:1:1");
    check_text(&weldment(&["explain", &program], ""), 2, "refused.weld:1:1");
}
