//! What may not be called: everything that nobody has allowed.
#![allow(unsafe_code)]

use weldment::{ErrorCode, ErrorKind, Foreign, ForeignFunctions, ToProgram, weld};

use crate::{compile, library, refused};

#[test]
fn nothing_of_the_process_is_called_unless_that_is_allowed() {
    for name in ["system", "abort", "free", "exit", "memcpy", "weldment_alloc", "weldment_main"] {
        let error = refused(&format!("|x: i64| cudf[{name}, i64](x)"), &Foreign::default());
        assert_eq!((error.code, error.kind()), (ErrorCode::ForeignRefused, ErrorKind::Foreign));
        assert_eq!((error.position.line, error.position.column), (1, 15), "{error}");
        assert!(error.others.is_empty());
        for expected in [&format!("`{name}`"), "`CompileOptions::foreign`", "`--library FILE`", "`--foreign`"]
        {
            assert!(error.message.contains(expected), "{error}");
        }
    }
}

#[test]
fn a_table_holds_nothing_but_what_was_put_there() {
    let nothing = ForeignFunctions::new().into();
    let other = ForeignFunctions::new().function("systems", (|x| x) as fn(i64) -> i64).into();
    let folder = library::build("foreign_empty", "");
    // SAFETY: the library holds nothing.
    let library = unsafe { ForeignFunctions::new().library(folder) }.unwrap().into();
    for name in ["system", "abort", "free", "weldment_alloc", "weldment_main"] {
        for foreign in [&nothing, &other, &library] {
            let error = refused(&format!("|x: i64| cudf[{name}, i64](x)"), foreign);
            assert_eq!((error.code, error.position.column), (ErrorCode::ForeignUnknown, 15));
            assert!(error.message.starts_with(&format!("foreign function not found: `{name}`")), "{error}");
        }
    }
    let typo = refused("|x: i64| cudf[systms, i64](x)", &other);
    assert!(typo.message.ends_with("help: did you mean `systems`?"), "{typo}");
}

#[test]
fn what_would_never_run_is_refused_as_well() {
    for text in [
        "|x: i64| { let unused = cudf[abort, i64](x); x }",
        "|v: &[i64]| v.filter(|x| false).map(|x| cudf[abort, i64](x))",
        "|v: &[i64]| sort(v, |a, b| i32(cudf[abort, i64](a)))",
        "macro call(x) = cudf[abort, i64](x); |x: i64| if true { x } else { call(x) }",
    ] {
        let error = refused(text, &Foreign::default());
        assert_eq!(error.code, ErrorCode::ForeignRefused, "{text}");
        assert!(text[error.position.column as usize - 1..].starts_with("abort"), "{error}");
    }
}

#[test]
fn every_call_is_told_once_in_the_order_of_their_places() {
    let text = "macro g(x) = cudf[free, i64](x); |x: i64| g(x) + g(x) + cudf[abort, i64](x)";
    let error = refused(text, &Foreign::default());
    assert!(error.message.contains("`free`"), "{error}");
    let others: Vec<_> = error.others.iter().map(|other| other.message.contains("`abort`")).collect();
    assert_eq!(others, [true]);
}

#[test]
fn a_path_is_no_function_at_run_time() {
    let table = ForeignFunctions::new().function("norm", f64::abs as fn(f64) -> f64).into();
    for foreign in [Foreign::default(), table] {
        let error = refused("|x: f64| cudf[math::norm, f64](x)", &foreign);
        assert_eq!((error.code, error.position.column), (ErrorCode::ForeignPath, 21));
        assert!(error.message.contains("help: write `cudf[norm, …]`"), "{error}");
    }
}

#[test]
fn a_kernel_compiled_once_more_needs_its_functions_too() {
    fn half(x: &f64, half: &mut f64) {
        *half = x / 2.0;
    }
    let kernel = weld!(|x: f64| cudf[half, f64](x));
    assert_eq!(kernel(3.0), 1.5);
    let text = kernel.source();
    assert_eq!(refused(text, &Foreign::default()).code, ErrorCode::ForeignRefused);
    assert!(kernel.program().compile(&weldment::CompileOptions::default()).is_err());
}

#[test]
fn the_examples_of_the_errors_show_them() {
    let codes = [
        ErrorCode::ForeignRefused,
        ErrorCode::ForeignUnknown,
        ErrorCode::ForeignSignature,
        ErrorCode::ForeignPath,
    ];
    let table: Foreign = ForeignFunctions::new().function("bessel", (|x| x / 2.0) as fn(f64) -> f64).into();
    for code in codes {
        let foreign = if code == ErrorCode::ForeignRefused { &Foreign::Refused } else { &table };
        let example = code.example().unwrap();
        assert_eq!(refused(example.wrong, foreign).code, code);
        for executor in crate::EXECUTORS {
            assert!(compile(example.right, executor, foreign).is_ok(), "{}", example.right);
        }
    }
}
