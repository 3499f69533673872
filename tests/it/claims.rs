//! What programs claim of their optimisation, at run time; what is said of it is in `dsl-core/tests/errors/claims` and `tests/ui/claims`.

use weldment::{CompileOptions, ErrorCode, ErrorKind, Executor, Program, ToProgram, Warning, weld};

/// Two loops, and the vector between them in memory: its first element is read with each.
const ABOVE: &str = "|v: &[f64]| { let w = v.filter(|x| x > 0.0); w.map(|x| x - w[0]) }";

/// The codes and places of what is wrong with `attributes` before [`ABOVE`].
fn errors(attributes: &str) -> Vec<(ErrorCode, u32)> {
    match Program::parse(&format!("{attributes}\n{ABOVE}")) {
        Ok(_) => Vec::new(),
        Err(error) => {
            let all = std::iter::once(&error).chain(&error.others);
            all.map(|error| (error.code, error.position.line)).collect()
        }
    }
}

#[test]
fn a_claim_is_an_equality() {
    assert_eq!(errors("#[expect(loops = 2, materialized = 1)]"), []);
    assert_eq!(errors("#[expect(loops = 2)] #[expect(materialized = 1)]"), []);
    assert_eq!(errors("#[expect(materialized = 0)]"), [(ErrorCode::Materialized, 2)]);
    assert_eq!(errors("#[expect(loops = 1)]"), [(ErrorCode::LoopsLeft, 2)]);
    assert_eq!(errors("#[expect(loops = 0)]"), [(ErrorCode::LoopsLeft, 2), (ErrorCode::LoopsLeft, 2)]);
    assert_eq!(errors("#[expect(loops = 3)]"), [(ErrorCode::FewerLeft, 1)]);
    assert_eq!(errors("#[expect(materialized = 2)]"), [(ErrorCode::FewerLeft, 1)]);
    let both = [(ErrorCode::FewerLeft, 1), (ErrorCode::Materialized, 2)];
    assert_eq!(errors("#[expect(loops = 3, materialized = 0)]"), both);
}

#[test]
fn windows_are_claimed_as_loops_are() {
    let claimed = |claim: &str| {
        let text = "|p: array[f64, 2]| { let r = p.map(|x| exp(x)); r.stencil(|c| c[-1, 0] + c[1, 0]) }";
        Program::parse(&format!("#[expect({claim})]\n{text}")).map(drop).map_err(|error| error.code)
    };
    assert_eq!(claimed("loops = 2, materialized = 0, windows = 1"), Ok(()));
    assert_eq!(claimed("windows = 0"), Err(ErrorCode::WindowsLeft));
    assert_eq!(claimed("windows = 2"), Err(ErrorCode::FewerLeft));
    assert_eq!(claimed("materialized = 1"), Err(ErrorCode::FewerLeft));
}

#[test]
fn a_scan_is_one_loop_either_way() {
    let counts = |text: &str| {
        let report = Program::parse(text).unwrap().explain().unwrap().report;
        (report.loops.after, report.materialized.after)
    };
    // A tridiagonal system in each column: down, and up again.
    let solved = "zip(a, b, c, d).scan(0, (0.0, 0.0), |(cp, dp), (a, b, c, d)| \
                      { let pivot = b - a * cp; (c / pivot, (d - a * dp) / pivot) }) \
                  .scan_back(0, 0.0, |x, (cp, dp)| dp - cp * x)";
    for axes in [2, 3] {
        let params = ["a", "b", "c", "d"].map(|name| format!("{name}: array[f64, {axes}]")).join(", ");
        assert_eq!(counts(&format!("|{params}| {solved}")), (2, 2), "{axes} axes");
    }
    let back = |then: &str| {
        counts(&format!("|a: array[f64, 2]| {{ let s = a.scan_back(0, 1.0, |c, x| c * 0.5 + x); {then} }}"))
    };
    assert_eq!(back("s"), (1, 0));
    assert_eq!(back("(s, a.scan(0, 0.0, |c, x| c + x))"), (2, 0));
    // Elements that do not lie as the points do are found one by one, row after row.
    assert_eq!(counts("|a: array[f64, 3]| a.transpose().scan_back(0, 0.0, |c, x| c * 0.5 + x)"), (2, 1));
    // Whoever needs its rows in another order, or something else of them, copies them.
    assert_eq!(back("s.transpose()"), (2, 1));
    assert_eq!(back("s.map(|x| x * 2.0)"), (2, 1));
    assert_eq!(back("(s, s[0])").0, 3);
}

#[test]
fn one_mistake_is_one_error() {
    assert_eq!(errors("#[expect(loops = 1, materialized = 0)]"), [(ErrorCode::Materialized, 2)]);
}

#[test]
fn an_error_names_the_claim_what_was_found_and_why() {
    let error = Program::parse(&format!("#[expect(materialized = 0)] {ABOVE}")).unwrap_err();
    assert_eq!(error.kind(), ErrorKind::Claim);
    for part in [
        "a vec[f64] is written to memory, where `#[expect(materialized = 0)]` allows none",
        "`w[0]` reads `v.filter(|x| x > 0.0)` otherwise than element by element",
        "write `#[expect(materialized = 1)]`",
    ] {
        assert!(error.message.contains(part), "{}", error.message);
    }
}

#[test]
fn a_claim_says_nothing_of_a_program_that_is_not_optimised() {
    let program =
        Program::parse("#[expect(loops = 1)] |v: &[f64]| v.map(|x| x * x).sum()").expect("a program");
    let plain =
        CompileOptions { optimize: false, executor: Executor::Interpreter, ..CompileOptions::default() };
    assert_eq!(program.compile(&plain).expect("an executable").call::<(&[f64],), f64>((&[2.0],)), Ok(4.0));
}

#[test]
fn a_kernel_takes_its_claims_along() {
    let kernel = weld!(
        #[expect(loops = 2, materialized = 1)]
        |v: &[f64]| {
            let w = v.filter(|x| x > 0.0);
            w.map(|x| x - w[0])
        }
    );
    assert_eq!(kernel(&[-1.0, 2.0, 5.0]), [0.0, 3.0]);
    assert!(kernel.source().starts_with("# [expect") || kernel.source().starts_with("#[expect"));
    assert!(kernel.program().warnings().is_empty());
}

#[test]
fn a_warning_is_given_where_it_is_asked_for() {
    let warned = |text: &str| {
        let program = Program::parse(text).expect("a program");
        program.warnings().iter().map(|warning| warning.position.column).collect::<Vec<_>>()
    };
    assert_eq!(warned(ABOVE), []);
    assert_eq!(warned(&format!("#[warn(materialized)] {ABOVE}")), [47]);
    assert_eq!(warned("#[warn(materialized)] |v: &[f64]| v.map(|x| x * x).sum()"), []);
    let two =
        "#[warn(materialized)] |v: &[f64]| v.map(|x| x * x).sort_by_key(|x| x)[0] + v.filter(|x| x > 0.0)[0]";
    assert_eq!(warned(two), [37, 78]);
}

#[test]
fn a_block_of_one_is_told_where_weld_would_read_a_struct() {
    let warned = |text: &str| {
        let program = Program::parse(text).expect("a program");
        let place = |warning: &Warning| (warning.code.to_string(), warning.position.to_string());
        program.warnings().iter().map(place).collect::<Vec<_>>()
    };
    let told = |place: &str| vec![("W0129".to_owned(), place.to_owned())];
    assert_eq!(warned("|v: vec[i64]| map(v, |x| {x})"), told("1:26"));
    assert_eq!(warned("|v: vec[i64]| {sum(v)}"), told("1:15"));
    assert_eq!(warned("|v: vec[i64]| map(v, |x| {x,})"), []);
    assert_eq!(warned("|v: vec[i64]| map(v, |x| {let y = x; y})"), []);
    assert_eq!(warned("|v: &[i64]| v.map(|x| {x})"), []);
    assert_eq!(warned("|v: vec[i64]| {v.sum()}"), [], "braces and methods are Rust's");
}

#[test]
fn a_loop_that_is_checked_once_is_one_loop() {
    let text = "#[expect(loops = 2, materialized = 0)] |m: &[f64], x: &[f64]| {
        let n = len(x);
        (0..n).map(|row| (0..n).map(|column| m[row * n + column] * x[column]).sum())
    }";
    let report = Program::parse(text).expect("its claim holds").explain().expect("it is optimised").report;
    assert_eq!(report.loops.after, 2);
    assert!(report.decided.iter().any(|decided| decided.pass == "check-once"));
    // It runs in two ways.
    assert_eq!(report.running.len(), 3);
}
