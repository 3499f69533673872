//! Foreign functions of a shared library, called by programs at run time, and by kernels where they are declared.
#![cfg(feature = "program")]
#![allow(unsafe_code)]

mod library;

use std::sync::Once;

use weldment::{CompileOptions, Executor, Options, Program, Value};

/// The library, in Rust: its functions are C functions of pointers.
const SOURCE: &str = r#"
#[unsafe(no_mangle)]
pub extern "C" fn weldment_test_hypotenuse(a: &f64, b: &f64, c: &mut f64) { *c = (a * a + b * b).sqrt(); }
#[unsafe(no_mangle)]
pub extern "C" fn weldment_test_answer(result: &mut i64) { *result = -42; }
#[unsafe(no_mangle)]
pub extern "C" fn weldment_test_mixed(
    a: &bool, b: &i8, c: &u16, d: &i32, e: &u64, f: &f32, g: &f64, h: &u8, result: &mut f32,
) {
    *result = *a as u8 as f32 + *b as f32 + *c as f32 + *d as f32 + *e as f32 + *f + *g as f32 + *h as f32;
}
#[unsafe(no_mangle)]
pub extern "C" fn weldment_test_is_even(x: &u32, result: &mut bool) { *result = x % 2 == 0; }
"#;

/// Builds the library and loads it, once.
fn load() {
    static LOADED: Once = Once::new();
    // SAFETY: the library runs nothing when it is loaded, and the programs here call its functions by their types.
    LOADED.call_once(|| unsafe { library::load("foreign_library", SOURCE) });
}

/// What `text` gives on every executor, which must be the same.
fn run(text: &str, args: &[Value]) -> Value {
    let executors = [
        Executor::Interpreter,
        #[cfg(feature = "llvm")]
        Executor::Llvm,
    ];
    let mut results = executors.into_iter().flat_map(|executor| {
        let options = CompileOptions { executor, ..CompileOptions::default() };
        let program =
            Program::parse(text).unwrap().compile(&options).unwrap_or_else(|error| panic!("{error}"));
        [1, 2].map(|threads| program.run_with(&Options::new().threads(threads), args).unwrap())
    });
    let first = results.next().unwrap();
    results.for_each(|other| assert!(other.same_bits(&first), "{other} instead of {first}"));
    first
}

#[test]
fn programs_call_functions_of_a_library() {
    load();
    let v = Value::vec([3.0, 0.0, -5.0].map(Value::F64).to_vec());
    let text = "|v: &[f64]| v.map(|x| cudf[weldment_test_hypotenuse, f64](x, 4.0))";
    assert_eq!(run(text, &[v]).to_string(), "[5.0, 4.0, 6.4031242374328485]");
    assert_eq!(run("|| cudf[weldment_test_answer, i64]()", &[]).to_string(), "-42");
    let text = "|n: u32| (cudf[weldment_test_is_even, bool](n), cudf[weldment_test_is_even, bool](n + 1u32))";
    assert_eq!(run(text, &[Value::U32(6)]).to_string(), "(true, false)");
}

#[test]
fn every_scalar_passes() {
    load();
    let text = "|x: i64| cudf[weldment_test_mixed, f32](x > 0L, i8(x), u16(x), -1000, u64(x) * 3u64, 0.5f, 2.25, u8(x))";
    assert_eq!(run(text, &[Value::I64(100)]).to_string(), "-396.25");
}

#[test]
fn what_cannot_be_called_is_an_error() {
    load();
    let compile = |text: &str| {
        let options = CompileOptions { executor: Executor::Interpreter, ..CompileOptions::default() };
        Program::parse(text).unwrap().compile(&options).unwrap_err().to_string()
    };
    let unknown = compile("|x: f64| cudf[weldment_test_unknown, f64](x)");
    assert!(unknown.contains("foreign function not found: `weldment_test_unknown`"), "{unknown}");
    assert!(unknown.contains("weldment::load_library"), "{unknown}");
    let vectors = compile("|v: &[f64]| cudf[weldment_test_answer, i64](v)");
    assert!(vectors.contains("on vectors, structs or dictionaries"), "{vectors}");
    let many = compile("|x: f64| cudf[weldment_test_answer, i64](x, x, x, x, x, x, x, x, x)");
    assert!(many.contains("of more than eight arguments"), "{many}");
}
