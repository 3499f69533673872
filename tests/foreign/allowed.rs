//! What is allowed: functions of Rust, addresses, libraries, the process.
#![allow(unsafe_code)]

use weldment::{Foreign, ForeignFunctions, Type, Value};

use crate::{library, refused, run};

fn f64s(values: &[f64]) -> Value {
    Value::vec(values.iter().copied().map(Value::F64).collect())
}

#[test]
fn functions_of_rust_of_any_scalars() {
    let mixed: fn(bool, i8, u16, i32, u64, f32, f64, u8) -> f32 = |a, b, c, d, e, f, g, h| {
        a as u8 as f32 + b as f32 + c as f32 + d as f32 + e as f32 + f + g as f32 + h as f32
    };
    let shift: fn(i16, u32, i64) -> u64 = |a, b, c| (a as i64 - i64::from(b) + c) as u64;
    let foreign = ForeignFunctions::new()
        .function("mixed", mixed)
        .function("shift", shift)
        .function("answer", (|| -42) as fn() -> i64)
        .function("even", (|n| n % 2 == 0) as fn(u32) -> bool)
        .function("größe", f64::abs as fn(f64) -> f64)
        .into();
    let text = "|x: i64| cudf[mixed, f32](x > 0L, i8(x), u16(x), -1000, u64(x) * 3u64, 0.5f, 2.25, u8(x))";
    assert_eq!(run(text, &foreign, &[Value::I64(100)]).to_string(), "-396.25");
    let text = "|x: i64| cudf[shift, u64](i16(x), 7u32, x)";
    assert_eq!(run(text, &foreign, &[Value::I64(-3)]).to_string(), u64::MAX.wrapping_sub(12).to_string());
    assert_eq!(run("|| cudf[answer, i64]()", &foreign, &[]).to_string(), "-42");
    let text = "|n: u32| (cudf[even, bool](n), cudf[even, bool](n + 1u32))";
    assert_eq!(run(text, &foreign, &[Value::U32(6)]).to_string(), "(true, false)");
    assert_eq!(run("|x: f64| cudf[größe, f64](x)", &foreign, &[Value::F64(-2.0)]).to_string(), "2.0");
}

#[test]
fn functions_in_loops_sorts_and_branches() {
    let less: fn(i64, i64) -> i32 = |a, b| b.cmp(&a) as i32;
    let foreign = ForeignFunctions::new()
        .function("less", less)
        .function("half", (|x| x / 2.0) as fn(f64) -> f64)
        .into();
    let v = Value::vec([3, 9, -4, 9, 0].map(Value::I64).to_vec());
    let text = "|v: &[i64]| sort(v, |a, b| cudf[less, i32](a, b))";
    assert_eq!(run(text, &foreign, std::slice::from_ref(&v)).to_string(), "[9, 9, 3, 0, -4]");
    let text = "|v: &[i64]| v.filter(|x| cudf[less, i32](x, 1L) < 0).map(|x| cudf[half, f64](f64(x))).sum()";
    assert_eq!(run(text, &foreign, &[v]).to_string(), "10.5");
    let many: Vec<f64> = (0..100_000).map(f64::from).collect();
    let text = "|v: &[f64]| v.map(|x| if x > 10.0 { cudf[half, f64](x) } else { x }).sum()";
    assert_eq!(run(text, &foreign, &[f64s(&many)]).to_string(), "2499975027.5");
}

#[test]
fn an_address_with_its_types() {
    extern "C" fn hypotenuse(a: &f64, b: &f64, c: &mut f64) {
        *c = a.hypot(*b);
    }
    // Names that compiled code has for functions of its own mean the user's.
    for name in ["hypotenuse", "weldment_alloc", "weldment_main", "malloc", "memcpy"] {
        let (functions, address) = (ForeignFunctions::new(), hypotenuse as *const ());
        // SAFETY: the function has these types.
        let foreign = unsafe { functions.symbol(name, &[Type::F64; 2], Type::F64, address) }.into();
        let text = format!("|v: &[f64]| v.map(|x| cudf[{name}, f64](x, 4.0))");
        assert_eq!(run(&text, &foreign, &[f64s(&[3.0, 0.0])]).to_string(), "[5.0, 4.0]");
    }
}

#[test]
#[cfg(feature = "llvm")]
fn compiled_code_calls_functions_of_structs() {
    #[repr(C)]
    struct Weighted {
        value: f64,
        weight: i32,
    }
    extern "C" fn grow(x: &Weighted, by: &i32, result: &mut Weighted) {
        *result = Weighted { value: x.value * 2.0, weight: x.weight + by };
    }
    let (functions, pair) = (ForeignFunctions::new(), Type::structure([Type::F64, Type::I32]));
    let params = [pair.clone(), Type::I32];
    // SAFETY: the function has these types, and structs lie as those of C.
    let foreign = unsafe { functions.symbol("grow", &params, pair, grow as *const ()) }.into();
    let text = "|x: {f64,i32}| cudf[grow, {f64,i32}](x, 3)";
    let program = crate::compile(text, &weldment::Executor::Llvm, &foreign).unwrap();
    assert_eq!(program.call::<((f64, i32),), (f64, i32)>(((1.25, 4),)).unwrap(), (2.5, 7));
}

#[test]
fn what_a_library_defines_and_nothing_that_it_uses() {
    let source = r#"
        #[unsafe(no_mangle)]
        pub extern "C" fn weldment_test_hypotenuse(a: &f64, b: &f64, c: &mut f64) { *c = (a * a + b * b).sqrt(); }
        #[unsafe(no_mangle)]
        pub extern "C" fn weldment_test_free(x: &i64, c: &mut i64) { drop(vec![*x; 9]); *c = std::env::args().count() as i64; }
    "#;
    let path = library::build("foreign_library", source);
    // SAFETY: it runs nothing when it is loaded, and programs call its functions by their types.
    let load = || -> Foreign { unsafe { ForeignFunctions::new().library(&path) }.unwrap().into() };
    let foreign = load();
    assert_eq!(foreign, load(), "loaded twice it is the same");
    let text = "|v: &[f64]| v.map(|x| cudf[weldment_test_hypotenuse, f64](x, 4.0))";
    assert_eq!(run(text, &foreign, &[f64s(&[3.0, 0.0, -5.0])]).to_string(), "[5.0, 4.0, 6.4031242374328485]");
    for name in ["system", "malloc", "free", "write", "memcpy", "weldment_test_missing"] {
        let error = refused(&format!("|x: i64| cudf[{name}, i64](x)"), &foreign);
        assert!(error.message.starts_with(&format!("foreign function not found: `{name}`")), "{error}");
    }
    // Nobody else sees them.
    let other = library::build("foreign_other", "");
    // SAFETY: there is nothing in it, and nothing is called.
    let others = unsafe {
        [ForeignFunctions::new().library(other).unwrap(), ForeignFunctions::new().process()]
            .map(Foreign::from)
    };
    for other in others {
        assert!(refused(text, &other).message.contains("`weldment_test_hypotenuse`"));
    }
}

#[test]
fn the_process_holds_what_its_libraries_export() {
    // SAFETY: one program calls `time` of C, which writes an i64 where its pointer leads; the others are not run.
    let foreign: Foreign = unsafe { ForeignFunctions::new().process() }.into();
    for executor in crate::EXECUTORS {
        let time = crate::compile("|| cudf[time, i64]()", executor, &foreign).unwrap();
        assert!(time.call::<(), i64>(()).unwrap() > 1_600_000_000);
        assert!(crate::compile("|x: i64| cudf[system, i64](x)", executor, &foreign).is_ok());
        assert!(crate::compile("|x: i64| cudf[weldment_test_missing, i64](x)", executor, &foreign).is_err());
    }
}

#[test]
fn a_name_comes_before_what_libraries_and_the_process_have() {
    let functions = ForeignFunctions::new().function("abort", (|x| x + 1) as fn(i64) -> i64);
    // SAFETY: the program calls what is registered by name.
    let foreign = unsafe { functions.process() }.into();
    assert_eq!(run("|x: i64| cudf[abort, i64](x)", &foreign, &[Value::I64(1)]).to_string(), "2");
}
