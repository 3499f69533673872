//! Where a line says that it comes from, and who is given it.

use std::sync::{Arc, Mutex};

use weldment::{CompileOptions, Executable, Executor, Options, Program, ToProgram, Value};

/// `program` by each executor at run time.
fn at_run_time(program: &Program) -> Vec<(Executor, Executable)> {
    let executors = [
        Executor::Interpreter,
        #[cfg(feature = "llvm")]
        Executor::Llvm,
    ];
    let compiled = executors.map(|executor| {
        let options = CompileOptions { executor: executor.clone(), ..CompileOptions::default() };
        (executor, program.compile(&options).expect("every executor runs it"))
    });
    compiled.into()
}

/// The lines that a run shows, in its order.
fn lines(run: impl Fn(&Options)) -> Vec<String> {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let to = lines.clone();
    run(&Options::new().on_dbg(move |dbg| to.lock().unwrap().push(dbg.to_string())));
    std::mem::take(&mut *lines.lock().unwrap())
}

#[test]
fn a_line_tells_its_place() {
    let (kernel, line) = (weldment::weld!(|x: i64| dbg(x + 1) * x.dbg()), line!());
    let file = file!();
    let expected = [format!("[{file}:{line}:52] x + 1 = 4"), format!("[{file}:{line}:67] x = 3")];
    assert_eq!(lines(|options| assert_eq!(kernel.with(options).call(3), Ok(12))), expected);
    let program = Program::parse("|x: i64|\n    dbg!(x+1)").unwrap();
    for (executor, run) in at_run_time(&program) {
        let shown = lines(|options| assert!(run.run_with(options, &[Value::I64(3)]).is_ok()));
        assert_eq!(shown, ["[2:5] x + 1 = 4"], "{executor:?}");
    }
}

#[weldment::welded]
fn halved(x: i64) -> i64 {
    dbg(x / 2) + 1
}

/// As a fault of it does: the text at that place is not what is shown.
#[test]
fn a_welded_function_shows_values_at_the_place_of_its_call() {
    let (kernel, line) = (weldment::weld!(|x: i64| halved(x) * 2), line!());
    let shown = lines(|options| assert_eq!(kernel.with(options).call(7), Ok(8)));
    assert_eq!(shown, [format!("[{}:{line}:52] 3", file!())]);
    let program: Program = kernel.program();
    for (executor, run) in at_run_time(&program) {
        let shown = lines(|options| assert!(run.run_with(options, &[Value::I64(7)]).is_ok()));
        assert!(shown.len() == 1 && shown[0].ends_with("] 3"), "{executor:?}: {shown:?}");
    }
}

#[test]
fn a_panic_of_who_is_shown_a_value_ends_the_run() {
    let options = Options::new().threads(1).on_dbg(|dbg| assert_ne!(dbg.text, "x = 2", "seen"));
    let panics = |way: &str, run: &dyn Fn()| {
        let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).expect_err("a panic");
        assert!(panic.downcast_ref::<String>().is_some_and(|text| text.contains("seen")), "{way}");
    };
    let kernel = weldment::weld!(|v: &[i64]| v.map(|x| dbg(x)).sum());
    panics("emitted Rust", &|| drop(kernel.with(&options).call(&[1, 2, 3])));
    assert_eq!(kernel.with(&options).call(&[1, 3]), Ok(4), "it is as good as before");
    let program = Program::parse("|v: &[i64]| v.map(|x| dbg(x)).sum::<i64>()").unwrap();
    for (executor, run) in at_run_time(&program) {
        let args = [Value::vec([1, 2, 3].map(Value::I64).to_vec())];
        panics(&format!("{executor:?}"), &|| drop(run.run_with(&options, &args)));
    }
}

#[test]
fn the_report_says_why_a_loop_has_no_lanes() {
    let kernel = weldment::weld!(|v: &[f64]| v.map(|x| dbg(x) * 2.0));
    let report = kernel.explain();
    assert!(
        report.contains("`dbg(x)` shows one iteration of `v.map(|x| dbg(x) * 2.0)` after the other"),
        "{report}"
    );
}
