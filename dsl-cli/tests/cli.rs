//! The built binary: exit codes, and what goes to which stream.

use std::io::Write;
use std::path::PathBuf;
use std::process::{Command, Output, Stdio};

use serde_json::Value;

/// Runs `weldment` with `input` on standard input. What it remembers for its user is not that of who tests it.
fn weldment(args: &[&str], input: &str) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_weldment"))
        .args(args)
        .env("XDG_STATE_HOME", concat!(env!("CARGO_TARGET_TMPDIR"), "/state"))
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
fn dbg_shows_lines_on_standard_error() {
    let program = file("shows.weld", "|| [1, 2]\n  .map(|x| dbg(x + 1)).sum()");
    let output = weldment(&["run", &program], "");
    let shown = String::from_utf8(output.stderr.clone()).expect("UTF-8");
    assert_eq!(stdout(&output), "5\n");
    assert_eq!(shown, format!("[{program}:2:12] x + 1 = 2\n[{program}:2:12] x + 1 = 3\n"));
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

/// The program runs on the arguments and prints `expected`, which is one line.
fn check_run(program: &str, args: &str, expected: &str) {
    let args = file(&format!("{:?}.json", std::thread::current().id()), args);
    let output = weldment(&["run", "-", "--args", &args], program);
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!((stdout(&output).as_str(), output.status.code()), (expected, Some(0)), "{error}");
}

#[test]
fn results_are_one_line_of_json() {
    check_run("|v: vec[i64]| map(v, |x| x * x)", "[[3, -4]]", "[9,16]\n");
    check_run(
        "|x: f32, y: u64| {x, y - u64(1), true, 1.0 / 0.0}",
        "[0.1, 0]",
        "[0.1,\"18446744073709551615\",true,\"inf\"]\n",
    );
    let grouped = "|v: vec[i64]| result(for(v, groupmerger[i64,i64], |b, i, x| merge(b, {x % 2L, x})))";
    check_run(grouped, "[[1, 2, 3]]", "[[1,[1,3]],[0,[2]]]\n");
}

#[test]
fn a_program_without_parameters_needs_no_arguments() {
    assert_eq!(stdout(&weldment(&["run", "-"], "|| 1 + 2")), "3\n");
}

#[test]
fn arguments_may_come_from_standard_input() {
    let program = file("from_stdin.weld", "|x: i64| x + 1L");
    assert_eq!(stdout(&weldment(&["run", &program, "--args", "-"], "[41]")), "42\n");
}

#[test]
fn arguments_that_do_not_fit_exit_with_1() {
    let program = file("misfit.weld", "|x: i64, v: vec[i32]| x");
    let args = file("misfit.json", "[1, [2, \"x\"]]");
    let expected = "misfit.json: argument 2, element 1: expected i32, found \"x\"";
    check_text(&weldment(&["run", &program, "--args", &args], ""), 1, expected);
    check_json(&weldment(&["run", &program, "--args", &args, "--json"], ""), 1, "error", "input");
    check_text(&weldment(&["run", &program], ""), 1, "the program takes 2 arguments, found 0");
}

#[test]
fn a_program_that_is_refused_exits_with_2() {
    for (kind, code, program, column) in [
        ("parse", "W0108", "|a: i64| a < a < a", 16),
        ("name", "W0201", "|x: i64| y", 10),
        ("type", "W0301", "|x: i64| x + 1.0", 10),
        ("linearity", "W0402", "|x: i64| let b = appender[i64]; 1", 14),
    ] {
        let error = check_json(&weldment(&["run", "-", "--json"], program), 2, "error", kind);
        assert!(error["message"].is_string());
        assert_eq!(error["code"].as_str(), Some(code), "{error}");
        assert_eq!((error["line"].as_u64(), error["column"].as_u64()), (Some(1), Some(column)), "{error}");
    }
}

#[test]
fn a_refusal_shows_the_source() {
    let program = file("refused.weld", "|x: i64|\n\ty");
    for command in [&["run", &program] as &[&str], &["explain", &program], &["emit", &program, "--to", "ir"]]
    {
        let output = weldment(command, "");
        check_text(&output, 2, "error[W0201]: ");
        check_text(&output, 2, "refused.weld:2:2\n  |\n2 | \ty\n  | \t^\n");
    }
    check_text(&weldment(&["run", "-"], "|x: i64| y"), 2, " --> <stdin>:1:10\n");
}

#[test]
fn every_independent_mistake_is_shown() {
    let program = file("several.weld", "|x: i64|\n  x + a + a * b");
    let output = weldment(&["run", &program], "");
    check_text(&output, 2, "error[W0201]: `a` is not known here\n --> ");
    check_text(&output, 2, "several.weld:2:7\n");
    check_text(&output, 2, "\n\nerror[W0201]: `b` is not known here\n --> ");
    assert_eq!(String::from_utf8_lossy(&output.stderr).matches("error[").count(), 2);
    let output = weldment(&["run", &program, "--json"], "");
    let first = check_json(&output, 2, "error", "name");
    let all: serde_json::Value = serde_json::from_str(&stdout(&output)).unwrap();
    let all = all["errors"].as_array().unwrap();
    let column = |error: &serde_json::Value| (error["code"] == "W0201").then(|| error["column"].as_u64())?;
    assert_eq!(all.iter().map(column).collect::<Vec<_>>(), [Some(7), Some(15)]);
    assert_eq!(all[0], first);
}

#[test]
fn a_code_is_explained() {
    let output = weldment(&["error", "w0201"], "");
    assert_eq!(output.status.code(), Some(0));
    let text = stdout(&output);
    assert!(text.starts_with("W0201: a name that is not known here\n"), "{text}");
    assert!(text.contains("\nright:  |v: &[f64], k: f64| v.map(|x| x * k).sum()\n"), "{text}");
    check_text(&weldment(&["error", "E0308"], ""), 1, "the codes are W0101 to W0901");
}

#[test]
fn an_index_beyond_every_vector_is_not_said_to_be_negative() {
    let program = file("beyond.weld", "|v: &[f64], i: u64| v[i]");
    let args = file("beyond.json", "[[1.0], \"18446744073709551615\"]");
    let output = weldment(&["run", &program, "--args", &args], "");
    check_text(&output, 3, "fault: index out of bounds: index 9223372036854775807 of a vector of 1\n");
}

#[test]
fn a_fault_exits_with_3() {
    let program = file("faulty.weld", "|x: i64| 12L / x");
    let args = file("faulty.json", "[0]");
    let output = weldment(&["run", &program, "--args", &args], "");
    check_text(&output, 3, "fault: division by zero: 12 / 0\n --> ");
    check_text(&output, 3, "1 | |x: i64| 12L / x\n  |              ^\n");
    let output = weldment(&["run", &program, "--args", &args, "--json"], "");
    let fault = check_json(&output, 3, "fault", "DivisionByZero");
    assert_eq!(fault["message"], "division by zero: 12 / 0");
    assert_eq!((fault["line"].as_u64(), fault["column"].as_u64()), (Some(1), Some(14)));
}

#[test]
fn emit_and_explain_print_the_program() {
    let program = file("emitted.weld", "|v: vec[i64]| map(v, |x| x + 1L)");
    let emit = |form: &str| stdout(&weldment(&["emit", &program, "--to", form], ""));
    assert!(emit("ir").starts_with("weldment ir "));
    assert!(emit("loops").contains("over v"));
    assert!(emit("imp").contains("split "));
    assert!(emit("rust").starts_with("fn run(\n    cx: &::weldment::"));
    assert!(stdout(&weldment(&["explain", &program], "")).contains("loop "));
    let json = stdout(&weldment(&["explain", &program, "--format", "json"], ""));
    let json: Value = serde_json::from_str(&json).expect("JSON");
    let stages = json["stages"].as_array().expect("an array");
    let names: Vec<_> = stages.iter().map(|stage| stage["name"].as_str().expect("a name")).collect();
    assert_eq!(names, ["ir", "optimised", "loops", "imp", "rust"]);
    assert_eq!(stages[2]["text"].as_str().map(str::trim_end), Some(emit("loops").trim_end()));
}

#[test]
#[cfg(feature = "llvm")]
fn emit_prints_what_llvm_makes_of_it() {
    let program = file("compiled.weld", "|v: vec[i64]| map(v, |x| x + 1L)");
    let emit = |form: &str| stdout(&weldment(&["emit", &program, "--to", form], ""));
    assert!(emit("llvm").contains("i32 @weldment_main("));
    assert!(emit("asm").contains("weldment_main:"));
}

#[test]
#[cfg(feature = "llvm")]
fn a_folder_keeps_compiled_programs_for_the_next_run() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("kept");
    let _ = std::fs::remove_dir_all(&folder);
    let args = file("kept.json", "[[1, 2, 3]]");
    let program = file("kept.weld", "|v: vec[i64]| sum(map(v, |x| x * x))");
    let run = || weldment(&["run", &program, "--args", &args, "--cache", folder.to_str().unwrap()], "");
    let kept = || {
        let files = std::fs::read_dir(&folder).expect("the folder is made").map(|file| file.unwrap().path());
        files.map(|file| (std::fs::metadata(&file).unwrap().modified().unwrap(), file)).collect::<Vec<_>>()
    };
    assert_eq!(stdout(&run()), "14\n");
    let before = kept();
    assert_eq!(before.len(), 1);
    assert_eq!(stdout(&run()), "14\n");
    assert_eq!(kept(), before, "what is there is used");
    let key = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("state/weldment/cache.key");
    assert_eq!(std::fs::metadata(key).expect("the key is made").len(), 32);
}

#[test]
#[cfg(feature = "llvm")]
fn a_folder_that_others_may_use_is_warned_of() {
    use std::os::unix::fs::PermissionsExt;
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("for-all");
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::set_permissions(&folder, PermissionsExt::from_mode(0o755)).unwrap();
    let program = file("for-all.weld", "|| 6L * 7L");
    let output = weldment(&["run", &program, "--cache", folder.to_str().unwrap()], "");
    assert_eq!(stdout(&output), "42\n");
    let warned = String::from_utf8(output.stderr).expect("UTF-8");
    let path = folder.display();
    let expected = format!("warning: the compiled program is not kept: the folder `{path}`: has mode 755, ");
    assert!(
        warned.starts_with(&expected) && warned.contains(&format!(" = help: chmod 700 {path}")),
        "{warned}"
    );
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0);
}

#[test]
fn the_interpreter_keeps_nothing() {
    check_text(&weldment(&["run", "-", "--on", "interp", "--cache", "kept"], "|| 1"), 1, "`--cache`");
}

#[test]
fn a_fold_that_is_taken_as_associative_is_told() {
    let program = file("fold.weld", "|v: vec[f64]|\n  fold(v, 0.0, |a, x| a * 0.5 + x)");
    let output = weldment(&["explain", &program, "--format", "json"], "");
    let json: Value = serde_json::from_str(&stdout(&output)).expect("JSON");
    let assumed = &json["report"]["assumed"][0];
    assert_eq!((assumed["line"].as_u64(), assumed["column"].as_u64()), (Some(2), Some(3)));
    assert!(
        assumed["what"].as_str().is_some_and(|what| what.starts_with("taken as associative: ")),
        "{json}"
    );
    let text = stdout(&weldment(&["explain", &program], ""));
    assert!(text.contains("\nfold at 2:3 taken as associative: "), "{text}");
}

/// Two loops that become one.
const SQUARES: &str = "|v: vec[f64]| sum(map(v, |x| x * x))";

/// The number of loops that are left, and what is said of where the optimiser stopped.
fn stopped(options: &[&str]) -> (u64, Option<String>) {
    let program = file(&format!("stopped{}.weld", options.join("")), SQUARES);
    let args = [&["explain", &program, "--format", "json"], options].concat();
    let json: Value = serde_json::from_str(&stdout(&weldment(&args, ""))).expect("JSON");
    let stopped = &json["report"]["stopped"];
    let told = stopped["pass"].as_str().map(|pass| format!("{} {pass}", stopped["rewrites"]));
    (json["report"]["loops"]["after"].as_u64().expect("a number"), told)
}

#[test]
fn the_optimiser_stops_where_it_is_told() {
    assert_eq!(stopped(&[]), (1, None));
    assert_eq!(stopped(&["--fuel", "0"]), (2, Some("0 ".to_owned())));
    let (loops, told) = stopped(&["--stop-after", "fuse-vertical"]);
    assert_eq!(loops, 1);
    assert!(told.is_some_and(|told| told.ends_with(" fuse-vertical")));
    // A pass that has nothing to do stops nothing.
    assert_eq!(stopped(&["--stop-after", "unroll"]), (1, None));
    // More fuel than there is work.
    assert_eq!(stopped(&["--fuel", "1000"]), (1, None));
}

#[test]
fn fuel_finds_the_rewrite_that_fuses() {
    let fuses = |fuel: u64| stopped(&["--fuel", &fuel.to_string()]).0 == 1;
    let (mut without, mut with) = (0, 1000);
    while without + 1 < with {
        let middle = (without + with) / 2;
        if fuses(middle) { with = middle } else { without = middle }
    }
    let last = stopped(&["--fuel", &with.to_string()]).1;
    assert_eq!(last, Some(format!("{with} fuse-vertical")));
    let text = stdout(&weldment(&["explain", "-", "--fuel", &with.to_string()], SQUARES));
    let rewrites =
        if with == 1 { "1 rewrite, by".to_owned() } else { format!("{with} rewrites, the last by") };
    assert!(text.contains(&format!("== report\nstopped after {rewrites} fuse-vertical\n")), "{text}");
}

#[test]
fn a_pass_that_there_is_not_is_answered_with_those_there_are() {
    let output = weldment(&["explain", "-", "--stop-after", "fuse"], SQUARES);
    check_text(&output, 1, "'fuse' for '--stop-after <PASS>': the passes are simplify, ");
    check_text(&output, 1, ", fuse-horizontal, ");
}

#[test]
fn a_page_is_one_file_that_names_the_program() {
    let program = file("a <page>.weld", SQUARES);
    let page = stdout(&weldment(&["explain", &program, "--format", "html"], ""));
    assert!(page.starts_with("<!DOCTYPE html>") && page.trim_end().ends_with("</html>"));
    assert!(page.contains("<h1>a &lt;page&gt;</h1>"));
    assert_eq!(page.matches("<svg").count(), 2);
    assert_eq!(page.contains("id=\"panel-asm\""), cfg!(feature = "llvm"));
    assert_eq!(page.contains("class=\"hot\""), cfg!(feature = "llvm"));
}

#[test]
fn an_explanation_can_go_to_a_file() {
    let program = file("to_file.weld", SQUARES);
    let target = file("to_file.html", "");
    let output = weldment(&["explain", &program, "--format", "html", "--output", &target], "");
    assert_eq!((output.status.code(), stdout(&output)), (Some(0), String::new()));
    let written = std::fs::read_to_string(&target).expect("the file is there");
    assert_eq!(written, stdout(&weldment(&["explain", &program, "--format", "html"], "")));
    let nowhere = concat!(env!("CARGO_TARGET_TMPDIR"), "/absent/page.html");
    let output = weldment(&["explain", &program, "--output", nowhere], "");
    check_text(&output, 1, "error: cannot write ");
}

/// The executors of this build.
const EXECUTORS: &[&str] = if cfg!(feature = "llvm") { &["interp", "llvm"] } else { &["interp"] };

#[test]
fn a_memory_limit_ends_a_run() {
    let args = file("limited.json", "[100]");
    let text = "|n: i64| result(for(rangeiter(0L, n, 1L), appender[i64], |b, i, x| for(rangeiter(0L, x, 1L), b, |c, j, y| merge(c, y))))";
    let program = file("limited.weld", text);
    for on in EXECUTORS {
        let run = |limit: &str| {
            weldment(&["run", &program, "--args", &args, "--on", on, "--memory-limit", limit], "")
        };
        assert_eq!(run("1000000").status.code(), Some(0), "{on}");
        check_text(&run("10000"), 3, "fault: memory limit: ");
    }
}

#[test]
fn threads_change_no_result() {
    let program = file("threads.weld", "|n: i64| sum(map(0L..n, |i| 1.0 / f64(i + 1L)))");
    let args = file("threads.json", "[300000]");
    let run = |on: &str, threads: &str| {
        let output = weldment(&["run", &program, "--args", &args, "--on", on, "--threads", threads], "");
        assert_eq!(output.status.code(), Some(0), "{on}, {threads} threads");
        stdout(&output)
    };
    let expected = run("interp", "1");
    for on in EXECUTORS {
        for threads in ["1", "2", "7"] {
            assert_eq!(run(on, threads), expected, "{on}, {threads} threads");
        }
    }
}

const ABOVE: &str = "|v: &[f64]| { let w = v.filter(|x| x > 0.0); w.map(|x| x - w[0]) }";

#[test]
fn a_claim_that_does_not_hold_is_an_error() {
    let program = file("claim.weld", &format!("#[expect(materialized = 0)]\n{ABOVE}"));
    let error =
        "error[W0601]: a vec[f64] is written to memory, where `#[expect(materialized = 0)]` allows none";
    for command in ["run", "explain"] {
        check_text(&weldment(&[command, &program], ""), 2, error);
    }
    check_json(&weldment(&["run", &program, "--json"], ""), 2, "error", "claim");
}

#[test]
fn a_warning_goes_to_standard_error() {
    let program = file("warn.weld", &format!("#[warn(materialized)]\n{ABOVE}"));
    let output = weldment(&["run", &program, "--args", "-"], "[[1.0, 3.0]]");
    assert_eq!((output.status.code(), stdout(&output).as_str()), (Some(0), "[0.0,2.0]\n"));
    let told = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(told.starts_with("warning[W0601]: a vec[f64] is written to memory\n"), "{told}");
    assert!(told.contains("= note: not fused (push): `w[0]` reads `v.filter(|x| x > 0.0)`"), "{told}");
    let explained = weldment(&["explain", &program, "--format", "json"], "");
    let json: Value = serde_json::from_str(&stdout(&explained)).expect("JSON");
    assert_eq!(json["report"]["refused"][0]["producer"]["column"], 25);
    assert!(json["report"]["decided"].is_array());
}

#[test]
fn constants_are_given_in_json() {
    let program =
        file("means.weld", "|v: &[f64], n: i64, name: &str| v.map(|x| x * n as f64 + len(name) as f64)");
    let run =
        |args: &[&str], input: &str| weldment(&[&["run", &program, "--args", "-"], args].concat(), input);
    let given = ["--constant", "n=3", "--constant", "name=\"é=\""];
    assert_eq!(stdout(&run(&given, "[[1.0, 2.0]]")), "[6.0,9.0]\n");
    assert_eq!(stdout(&run(&["--constant", "n=3"], "[[1.0], \"ab\"]")), "[5.0]\n");

    check_text(&run(&["--constant", "m=3"], "[]"), 2, "the program has no parameter `m`");
    check_text(&run(&["--constant", "n=3", "--constant", "n=4"], "[]"), 2, "`n` is given twice");
    check_text(&run(&["--constant", "n=2.5"], "[]"), 1, "--constant n: ");
    check_text(&run(&["--constant", "n"], "[]"), 1, "a constant is a name and a value in JSON: `n=3`");
    check_json(&run(&["--constant", "m=3", "--json"], "[]"), 2, "error", "name");

    let explained = weldment(&["explain", &program, "--format", "json", "--constant", "n=3"], "");
    let explained: Value = serde_json::from_str(&stdout(&explained)).expect("JSON");
    let constant = serde_json::json!({"name": "n", "value": "3", "line": 1, "column": 13});
    assert_eq!(explained["report"]["constants"], serde_json::json!([constant]));
    let emitted = stdout(&weldment(&["emit", &program, "--to", "ir", "--constant", "n=3"], ""));
    assert!(emitted.contains("program(v0: vec[f64], v1: str)") && emitted.contains("const 3"), "{emitted}");
}

#[test]
fn parameters_that_are_to_be_constants_are_given_as_others() {
    let program = file("wanted.weld", "|v: &[f64], const n: i64| v.map(|x| x * n as f64)");
    let output = weldment(&["run", &program, "--args", "-"], "[[1.0, 2.0], 3]");
    assert_eq!(stdout(&output), "[3.0,6.0]\n");
    let explained = stdout(&weldment(&["explain", &program], ""));
    assert!(
        explained.contains("constant at 1:19: `n`, in a variant for each of its first values\n"),
        "{explained}"
    );
}
