//! Calls that do not fit the types with which a function is registered: errors at the part that does not.
#![allow(unsafe_code)]

use weldment::{CompileOptions, ErrorCode, Executor, Foreign, ForeignFunctions, Program, Type};

use crate::{compile, refused};

fn table() -> Foreign {
    extern "C" fn norm(_pair: *const [f64; 2], _result: &mut f64) {}
    let functions = ForeignFunctions::new().function("blend", (|_, _, _| 0.0) as fn(bool, i64, f32) -> f32);
    let pair = Type::structure([Type::F64, Type::F64]);
    // SAFETY: nothing calls it.
    unsafe { functions.symbol("norm", &[pair], Type::F64, norm as *const ()) }.into()
}

#[track_caller]
fn check(text: &str, at: &str, message: &str) {
    let error = refused(text, &table());
    assert_eq!(error.code, ErrorCode::ForeignSignature, "{error}");
    assert!(text[error.position.column as usize - 1..].starts_with(at), "{error}");
    assert_eq!(error.message.lines().next(), Some(message));
    assert!(error.message.contains("help: it is registered as `"), "{error}");
}

#[test]
fn an_argument_of_another_type_is_shown() {
    let message = "argument 2 of `blend` is of type i64, not f64";
    check("|x: f64| cudf[blend, f32](true, x, 1.0f)", "x, 1.0f", message);
    let message = "argument 3 of `blend` is of type f32, not f64";
    check("|x: i64| cudf[blend, f32](true, x, 1.5)", "1.5", message);
    // Types that are the same to a processor are not the same.
    let message = "argument 2 of `blend` is of type i64, not u64";
    check("|x: u64| cudf[blend, f32](true, x, 1.0f)", "x, 1.0f", message);
    let message = "argument 1 of `norm` is of type {f64,f64}, not {f64,f32}";
    check("|x: f64| cudf[norm, f64]({x, 1.0f})", "{x", message);
    let message = "argument 1 of `norm` is of type {f64,f64}, not vec[f64]";
    check("|x: vec[f64]| cudf[norm, f64](x)", "x)", message);
}

#[test]
fn the_type_of_the_result_is_shown() {
    let message = "`blend` gives a value of type f32, not f64";
    check("|x: i64| cudf[blend, f64](true, x, 1.0f)", "f64](true", message);
}

#[test]
fn the_name_is_shown_where_arguments_are_too_few_or_too_many() {
    check("|x: i64| cudf[blend, f32](true, x)", "blend", "`blend` takes 3 arguments, and 2 are given");
    let message = "`norm` takes 1 argument, and 2 are given";
    check("|x: f64| cudf[norm, f64](x, x)", "norm", message);
}

#[test]
fn a_struct_is_its_fields() {
    let text = "struct Point { x: f64, y: f64 } |x: f64| cudf[norm, f64](Point { x: x, y: 1.0 })";
    let program = Program::parse(text).unwrap();
    let options = |executor| CompileOptions { executor, foreign: table(), ..CompileOptions::default() };
    let interpreted = program.compile(&options(Executor::Interpreter)).unwrap_err();
    assert_eq!(interpreted.code, ErrorCode::Executor, "the types are right: {interpreted}");
    #[cfg(feature = "llvm")]
    program.compile(&options(Executor::Llvm)).unwrap();
}

#[test]
fn what_the_interpreter_cannot_call_is_an_error() {
    // SAFETY: nothing runs.
    let process = unsafe { ForeignFunctions::new().process() }.into();
    let error = |text| compile(text, &Executor::Interpreter, &process).unwrap_err().to_string();
    let vectors = error("|v: &[f64]| cudf[abort, i64](v)");
    assert!(vectors.contains("on vectors, structs or dictionaries"), "{vectors}");
    let many = error("|x: f64| cudf[abort, i64](x, x, x, x, x, x, x, x, x)");
    assert!(many.contains("of more than eight arguments"), "{many}");
}
