//! The foreign functions that `weldment run` lets a program call: none, those of libraries, those of the process.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use serde_json::Value;

const EXECUTORS: &[&str] = if cfg!(feature = "llvm") { &["interp", "llvm"] } else { &["interp"] };

fn folder() -> &'static Path {
    Path::new(env!("CARGO_TARGET_TMPDIR"))
}

/// A file that holds `text`, with a name of the test's own.
fn file(name: &str, text: &str) -> PathBuf {
    let path = folder().join(name);
    std::fs::write(&path, text).expect("the file is written");
    path
}

/// Runs the program `text` on `args` with these options.
fn run(name: &str, text: &str, options: &[&str]) -> Output {
    let program = file(&format!("{name}.weld"), text);
    let mut command = Command::new(env!("CARGO_BIN_EXE_weldment"));
    command.current_dir(folder()).arg("run").arg(program).args(options).output().expect("the binary runs")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).expect("UTF-8")
}

/// The run is refused with this code at this place, in words and as JSON, with each of these parts in its message.
fn check_refused(name: &str, program: &str, options: &[&str], code: &str, column: u64, parts: &[&str]) {
    for on in EXECUTORS {
        let options = [options, &["--on", on]].concat();
        let output = run(name, program, &options);
        let message = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{message}");
        assert!(output.stdout.is_empty() && message.starts_with(&format!("error[{code}]")), "{message}");
        let output = run(name, program, &[&options[..], &["--json"]].concat());
        let json: Value = serde_json::from_slice(&output.stdout).expect("JSON");
        let error = &json["error"];
        assert_eq!((error["kind"].as_str(), error["code"].as_str()), (Some("foreign"), Some(code)), "{json}");
        assert_eq!((error["line"].as_u64(), error["column"].as_u64()), (Some(1), Some(column)));
        for part in parts {
            assert!(message.contains(part), "{message}");
            assert!(error["message"].as_str().is_some_and(|message| message.contains(part)), "{json}");
        }
    }
}

#[test]
fn nothing_is_called_unless_that_is_allowed() {
    for name in ["system", "abort", "free", "nowhere_to_be_found"] {
        let program = format!("|| 1.0 + cudf[{name},f64]()");
        let parts = [&format!("`{name}`"), "--library FILE", "--foreign"];
        check_refused(&format!("refused_{name}"), &program, &[], "W0701", 15, &parts);
    }
}

/// A library of one function that C has not.
fn library() -> String {
    let source = file(
        "cli_library.rs",
        r#"#[unsafe(no_mangle)] pub extern "C" fn weldment_test_seven(seven: &mut i64) { *seven = 7; }"#,
    );
    let library = folder().join("libcli_library.so");
    let mut rustc = Command::new("rustc");
    rustc.args(["--edition", "2024", "--crate-type", "cdylib", "-o"]).args([&library, &source]);
    assert!(rustc.status().expect("rustc runs").success());
    library.to_str().expect("a path in UTF-8").to_owned()
}

#[test]
fn a_library_allows_its_own_functions_and_the_process_all_others() {
    let library = library();
    let seven = "|| cudf[weldment_test_seven, i64]()";
    for on in EXECUTORS {
        let output = run("seven", seven, &["--library", &library, "--on", on]);
        assert_eq!(text(&output.stdout), "7\n", "{}", text(&output.stderr));
        // `time` writes the seconds since 1970 where its pointer leads.
        let output = run("time", "|| cudf[time, i64]() > 1600000000L", &["--foreign", "--on", on]);
        assert_eq!(text(&output.stdout), "true\n", "{}", text(&output.stderr));
        let output = run(
            "both",
            "|| cudf[weldment_test_seven, i64]() < cudf[time, i64]()",
            &["--foreign", "--library", &library, "--on", on],
        );
        assert_eq!(text(&output.stdout), "true\n", "{}", text(&output.stderr));
    }
    check_refused("own", seven, &["--foreign"], "W0702", 9, &["`weldment_test_seven`", "--library FILE"]);
    for name in ["system", "abort", "free", "time"] {
        let (file, program) = (format!("own_{name}"), format!("|| cudf[{name}, i64]()"));
        check_refused(&file, &program, &["--library", &library], "W0702", 9, &[&format!("`{name}`")]);
    }
}

#[test]
fn a_library_that_cannot_be_loaded_is_bad_input() {
    let output = run("one", "|| 1", &["--library", "libno_such_thing.so", "--on", "interp"]);
    assert_eq!(output.status.code(), Some(1));
    let message = text(&output.stderr);
    assert!(message.contains("cannot load libno_such_thing.so: "), "{message}");
}

#[test]
fn a_path_is_an_error() {
    let parts = ["`std::process::abort`", "cudf[abort, …]"];
    check_refused("path", "|| cudf[std::process::abort, i64]()", &["--foreign"], "W0704", 23, &parts);
}
