//! Runs of the command.

use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// How a run ended.
pub(crate) struct Run {
    /// The exit code.
    pub(crate) code: i32,
    /// What it printed to standard output.
    pub(crate) output: String,
    /// What it printed to standard error.
    pub(crate) errors: String,
}

/// Runs `weldment` in a folder, with `input` on standard input.
pub(crate) fn weldment(folder: &Path, args: &[&str], input: &str) -> Run {
    let mut child = Command::new(env!("CARGO_BIN_EXE_weldment"))
        .current_dir(folder)
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    // A run that ends before it reads closes the pipe, which is no failure of the test.
    let _ = child.stdin.take().expect("piped").write_all(input.as_bytes());
    let output = child.wait_with_output().expect("the binary ends");
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
    Run {
        code: output.status.code().expect("no signal"),
        output: text(output.stdout),
        errors: text(output.stderr),
    }
}
