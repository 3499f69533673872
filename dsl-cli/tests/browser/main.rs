//! The pages of `weldment explain --format html` in a browser: Chromium without a window, which must be installed.
//!
//! A script of the test's own is added to a copy of the page. It does what a reader would, and leaves what it saw in the
//! document, which Chromium prints.

use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use serde_json::{Value, json};

/// TPC-H query 1, in the language's first spelling.
const Q1: &str = "\
|flag: &[u8], status: &[u8], quantity: &[f64], price: &[f64], discount: &[f64], tax: &[f64], ship: &[i32]| {
    result(for(zip(flag, status, quantity, price, discount, tax, ship),
        dictmerger[{u8,u8},{f64,f64,f64,f64,f64,i64},+],
        |b, i, (f, s, q, p, d, t, day)|
            if(day <= 10471, merge(b, {(f, s), (q, p, p*(1.0-d), p*(1.0-d)*(1.0+t), d, 1L)}), b)))
}
";

/// Three loops that become one.
const CHAIN: &str = "|v: &[f64], k: f64|\n  v.filter(|x| x > 0.5 && x < k)\n   .map(|x| x * x)\n   .sum()\n";

/// What the script of the test does and sees.
const SCRIPT: &str = include_str!("reader.js");

/// The page of `program`, as the command prints it.
fn page(program: &str) -> String {
    let mut child = Command::new(env!("CARGO_BIN_EXE_weldment"))
        .args(["explain", "-", "--format", "html"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("the binary starts");
    child.stdin.take().expect("piped").write_all(program.as_bytes()).expect("the program is read");
    let output = child.wait_with_output().expect("the binary ends");
    assert!(output.status.success());
    String::from_utf8(output.stdout).expect("UTF-8")
}

/// How the page is looked at.
#[derive(Clone, Copy)]
struct View {
    name: &'static str,
    width: u32,
    is_dark: bool,
}

const WIDE: View = View { name: "wide", width: 1600, is_dark: false };

/// What the reader saw on the page of `program`. Nothing may be complained of in the console.
fn read(name: &str, program: &str, view: View) -> Value {
    let page = page(program);
    let (body, end) = page.rsplit_once("</body>").expect("a page has a body");
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("browser-{name}-{}", view.name));
    std::fs::create_dir_all(&folder).expect("the folder is made");
    let file = folder.join("page.html");
    std::fs::write(&file, format!("{body}<script>{SCRIPT}</script></body>{end}"))
        .expect("the page is written");
    let output = chromium(&folder, &file, view);
    let complaints = String::from_utf8_lossy(&output.stderr);
    let complaints: Vec<&str> = complaints.lines().filter(|line| line.contains("CONSOLE")).collect();
    assert_eq!(complaints, Vec::<&str>::new());
    let document = String::from_utf8(output.stdout).expect("UTF-8");
    let saw = document.split("<pre id=\"saw\">").nth(1).and_then(|rest| rest.split("</pre>").next());
    let saw = saw.unwrap_or_else(|| panic!("the reader has seen nothing: {document}"));
    let saw = saw.replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    serde_json::from_str(&saw).expect("JSON")
}

fn chromium(folder: &Path, file: &Path, view: View) -> Output {
    let mut chromium = Command::new("chromium");
    chromium.args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage", "--dump-dom"]);
    chromium.args(["--enable-logging=stderr", "--virtual-time-budget=5000", "--no-first-run"]);
    chromium.arg(format!("--window-size={},1200", view.width));
    // 0 is dark, 1 is light.
    chromium.arg(format!("--blink-settings=preferredColorScheme={}", u8::from(!view.is_dark)));
    chromium.arg(format!("--user-data-dir={}", folder.join("profile").display()));
    chromium.arg(format!("file://{}", file.display()));
    chromium
        .output()
        .unwrap_or_else(|error| panic!("chromium: {error}; on Debian `apt-get install chromium`"))
}

fn tabs() -> Vec<&'static str> {
    let llvm: &[&str] = if cfg!(feature = "llvm") { &["llvm ir", "assembly"] } else { &[] };
    [&["passes", "ir", "optimised", "loops", "imp", "rust"], llvm].concat()
}

fn check(name: &str, program: &str, view: View) -> Value {
    let saw = read(name, program, view);
    let context = format!("{name}, {}: {saw}", view.name);
    let clicked: Vec<&str> =
        saw["tabs"].as_array().expect("tabs").iter().map(|tab| tab["name"].as_str().unwrap()).collect();
    assert_eq!(clicked, tabs(), "{context}");
    for tab in saw["tabs"].as_array().expect("tabs") {
        assert_eq!((&tab["shown"], &tab["lines"]), (&json!(1), &json!(true)), "{context}");
    }
    assert_eq!(saw["overflow"], json!(false), "{context}");
    assert_eq!(saw["spilled"], json!([]), "{context}");
    assert_eq!(saw["is_dark"], json!(view.is_dark), "{context}");
    assert!(saw["contrast"].as_f64().expect("a number") >= 4.5, "{context}");
    saw
}

#[test]
fn three_loops_are_drawn_and_then_one() {
    let saw = check("chain", CHAIN, WIDE);
    assert_eq!(saw["before"], json!({"input": 2, "loop": 3, "stored": 2, "result": 1}));
    assert_eq!(saw["after"], json!({"input": 2, "loop": 1, "stored": 0, "result": 1}));
}

#[test]
fn tokens_loops_and_lines_light_up_together() {
    let saw = check("lights", CHAIN, WIDE);
    assert_eq!(saw["tokens"], json!(["filter", "map", "sum"]));
    // From each token to the one loop that it became, and to the lines of the program.
    assert_eq!(saw["lit_by_token"], json!({"loops": [1, 1, 1], "lines": true, "drawn": true, "left": 0}));
    // And from the loop to all three.
    assert_eq!(saw["lit_by_loop"], json!(["filter", "map", "sum"]));
    assert_eq!(saw["pinned"], json!([true, false]));
    assert_eq!(saw["followed"], json!(["#loop-0", "#t4-5", "#t4-5"]));
}

#[test]
fn keys_move_between_tabs_and_links_open_them() {
    let saw = check("keys", CHAIN, WIDE);
    assert_eq!(saw["after_right"], json!("ir"));
    assert_eq!(saw["after_left"], json!("passes"));
    assert_eq!(saw["opened"], json!("optimised"));
    assert!(saw["steps"].as_u64().expect("a number") > 3);
    assert_eq!(saw["step_shown"], json!(1));
}

#[test]
fn the_page_of_q1_fits_every_screen() {
    for view in [
        WIDE,
        View { name: "narrow", width: 700, is_dark: false },
        View { name: "dark", is_dark: true, ..WIDE },
    ] {
        let saw = check("q1", Q1, view);
        assert_eq!(saw["before"], json!({"input": 7, "loop": 1, "stored": 0, "result": 1}));
        assert_eq!(saw["before"], saw["after"]);
        assert_eq!(saw["tokens"], json!(["for"]));
    }
}

#[test]
fn hostile_text_stays_text() {
    let hostile = "|v: &[f64]| /* </script><script>window.hurt = true</script><img src=x onerror='hurt=true'> */ v.sum()";
    let saw = check("hostile", hostile, WIDE);
    assert_eq!(saw["hurt"], json!(false));
    assert_eq!(saw["source"], json!(hostile));
}

#[test]
fn a_program_without_loops_has_a_page() {
    let saw = check("empty", "|| 1", WIDE);
    assert_eq!(saw["before"], json!({"input": 0, "loop": 0, "stored": 0, "result": 1}));
    assert_eq!(saw["tokens"], json!([]));
}
