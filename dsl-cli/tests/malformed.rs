//! What the command is given and should not be: each ends with an exit code and a message, never with a panic.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

/// Runs `weldment` without input.
fn weldment(args: &[&OsStr], environment: &[(&str, &str)]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_weldment"));
    command
        .args(args)
        .envs(environment.iter().copied())
        .stdin(Stdio::null())
        .output()
        .expect("the binary runs")
}

/// The run ends with `code`, says why on standard error, and nothing else.
fn check(args: &[&OsStr], code: i32, expected: &str) {
    let output = weldment(args, &[]);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(code), "{args:?}: {text}");
    assert!(output.stdout.is_empty(), "{args:?}");
    assert!(text.starts_with("error"), "{args:?}: {text}");
    assert!(text.contains(expected) && !text.contains("panicked"), "{args:?}: {text}");
}

fn check_words(words: &str, code: i32, expected: &str) {
    let args: Vec<&OsStr> = words.split(' ').filter(|word| !word.is_empty()).map(OsStr::new).collect();
    check(&args, code, expected);
}

/// A file that holds `bytes`.
fn file(name: &str, bytes: &[u8]) -> OsString {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, bytes).expect("the file is written");
    path.into_os_string()
}

#[test]
fn bad_words() {
    for words in [
        "frobnicate",
        "run",
        "emit -",
        "emit - --to",
        "emit - --to brass",
        "explain - --format xml",
        "run - -q",
    ] {
        check_words(words, 1, "");
    }
    for threads in ["0", "-1", "x", "1.5", "4097", "99999999999999999999", ""] {
        check_words(&format!("run - --threads={threads}"), 1, "--threads");
    }
    for bytes in ["-1", "1k", "99999999999999999999"] {
        check_words(&format!("run - --memory-limit={bytes}"), 1, "--memory-limit");
    }
}

/// Words that are no UTF-8, as command lines may hold.
#[cfg(unix)]
#[test]
fn words_that_are_no_text() {
    use std::os::unix::ffi::OsStrExt;
    let word = OsStr::from_bytes(b"\xff\xfe");
    check(&[word], 1, "");
    check(&["run".as_ref(), word], 1, "");
    check(&["run".as_ref(), "-".as_ref(), "--on".as_ref(), word], 1, "");
}

#[test]
fn files_that_are_no_programs() {
    let folder = env!("CARGO_TARGET_TMPDIR");
    let binary = file("binary.weld", b"|x: i64| \xff");
    for command in [&["run"][..], &["explain"], &["emit", "--to", "ir"]] {
        let with = |file: &OsStr, code, expected| {
            let args: Vec<&OsStr> = command.iter().map(OsStr::new).chain([file]).collect();
            check(&args, code, expected);
        };
        with("".as_ref(), 1, "cannot read");
        with(folder.as_ref(), 1, "cannot read");
        with(format!("{folder}/no/such/file").as_ref(), 1, "cannot read");
        with(&binary, 1, "cannot read");
        with("-".as_ref(), 2, "a program is a closure");
    }
}

#[test]
fn arguments_that_are_no_json() {
    let program = file("takes.weld", b"|x: i64, v: vec[{i64,f64}], d: dict[i64,bool]| x");
    #[rustfmt::skip]
    let texts: &[&[u8]] = &[
        b"", b" ", b"[", b"]", b"[1", b"[1,]", b"nul", b"{}", b"[1, 2, 3", b"\xff", b"[\"\\ud800\", [], []]", b"[1] [2]", b"[1, [], []] x",
        b"[]", b"[1, []]", b"[1, [], [], []]", b"[null, [], []]", b"[\"x\", [], []]", b"[1.5, [], []]", b"[1e999, [], []]",
        b"[9223372036854775808, [], []]", b"[1, 2, []]", b"[1, [1], []]", b"[1, [[1]], []]", b"[1, [[1, 2.0, 3]], []]",
        b"[1, [[1, {}]], []]", b"[1, [], {}]", b"[1, [], [1]]", b"[1, [], [[1]]]", b"[1, [], [[1, 2]]]", b"[1, [], [[1, true, 2]]]",
        b"[1, [], [[1, true], [1, false]]]",
    ];
    for text in texts {
        let args = file("args.json", text);
        check(&["run".as_ref(), &program, "--args".as_ref(), &args], 1, "");
    }
    let deep =
        file("deep.json", format!("[1, {}{}, []]", "[".repeat(100_000), "]".repeat(100_000)).as_bytes());
    check(&["run".as_ref(), &program, "--args".as_ref(), &deep], 1, "");
    check(&["run".as_ref(), &program, "--args".as_ref(), "no/such/file".as_ref()], 1, "cannot read");
    check(&["run".as_ref(), &program], 1, "the program takes 3 arguments, found 0");
}

/// Variables of the environment that others read are no reason to fail.
#[test]
fn odd_environments() {
    let program = file("sums.weld", b"|| sum([1L, 2L, 3L])");
    for (name, value) in [
        ("RAYON_NUM_THREADS", "many"),
        ("RAYON_NUM_THREADS", "-1"),
        ("RUST_BACKTRACE", "maybe"),
        ("LANG", "\u{1}"),
    ] {
        let output = weldment(&["run".as_ref(), &program], &[(name, value)]);
        assert_eq!(
            (output.status.code(), &output.stdout[..]),
            (Some(0), &b"6\n"[..]),
            "{name}={value}: {output:?}"
        );
    }
}
