//! Where a line says that it comes from, and who is given it.

use std::sync::{Arc, Mutex};

use weldment::{CompileOptions, Executor, Options, Program, Value};

#[test]
fn a_line_tells_its_place() {
    let (kernel, line) = (weldment::weld!(|x: i64| dbg(x + 1) * x.dbg()), line!());
    let lines = |run: &dyn Fn(&Options)| {
        let lines = Arc::new(Mutex::new(Vec::new()));
        let to = lines.clone();
        run(&Options::new().on_dbg(move |dbg| to.lock().unwrap().push(dbg.to_string())));
        std::mem::take(&mut *lines.lock().unwrap())
    };
    let file = file!();
    let expected = [format!("[{file}:{line}:52] x + 1 = 4"), format!("[{file}:{line}:67] x = 3")];
    assert_eq!(lines(&|options| assert_eq!(kernel.with(options).call(3), Ok(12))), expected);
    let program = Program::parse("|x: i64|\n    dbg!(x+1)").unwrap();
    for executor in [
        Executor::Interpreter,
        #[cfg(feature = "llvm")]
        Executor::Llvm,
    ] {
        let options = CompileOptions { executor: executor.clone(), ..CompileOptions::default() };
        let run = program.compile(&options).unwrap();
        let shown = lines(&|options| assert!(run.run_with(options, &[Value::I64(3)]).is_ok()));
        assert_eq!(shown, ["[2:5] x + 1 = 4"], "{executor:?}");
    }
}

#[test]
fn a_panic_of_who_is_shown_a_value_ends_the_run() {
    let program = Program::parse("|v: &[i64]| v.map(|x| dbg(x)).sum::<i64>()").unwrap();
    for executor in [
        Executor::Interpreter,
        #[cfg(feature = "llvm")]
        Executor::Llvm,
    ] {
        let options = CompileOptions { executor: executor.clone(), ..CompileOptions::default() };
        let run = program.compile(&options).unwrap();
        let options = Options::new().threads(1).on_dbg(|dbg| assert_ne!(dbg.text, "x = 2", "seen"));
        let args = [Value::vec([1, 2, 3].map(Value::I64).to_vec())];
        let call = || run.run_with(&options, &args);
        let panic = std::panic::catch_unwind(std::panic::AssertUnwindSafe(call)).expect_err("a panic");
        assert!(panic.downcast_ref::<String>().is_some_and(|text| text.contains("seen")), "{executor:?}");
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
