//! Code that was compiled with one function is never used with another of its name: not in the process, nor from files.
#![allow(unsafe_code)]

use weldment::{CompileOptions, Foreign, ForeignFunctions, Program, Type};

use crate::EXECUTORS;

extern "C" fn twice(x: &i64, result: &mut i64) {
    *result = x * 2;
}

extern "C" fn thrice(x: &i64, result: &mut i64) {
    *result = x * 3;
}

/// Four functions by the same name and of the same types, and what each makes of 7.
fn tables() -> [(Foreign, i64); 4] {
    let of_rust = |function: fn(i64) -> i64| ForeignFunctions::new().function("times", function).into();
    let of_c = |function: extern "C" fn(&i64, &mut i64)| -> Foreign {
        let functions = ForeignFunctions::new();
        // SAFETY: the function has these types.
        unsafe { functions.symbol("times", &[Type::I64], Type::I64, function as *const ()) }.into()
    };
    [(of_c(twice), 14), (of_c(thrice), 21), (of_rust(|x| x * 4), 28), (of_rust(|x| x * 5), 35)]
}

fn check(options: &CompileOptions) {
    // Two programs whose text is not the same, and whose code would be.
    let texts = ["|x: i64| cudf[times, i64](x)", "|y: i64| cudf[times, i64](y)"];
    for _ in 0..2 {
        for (foreign, expected) in tables() {
            for text in texts {
                let options = CompileOptions { foreign: foreign.clone(), ..options.clone() };
                let program = Program::parse(text).unwrap().compile(&options).unwrap();
                assert_eq!(program.call::<(i64,), i64>((7,)).unwrap(), expected, "{options:?}");
            }
        }
        let refused = Program::parse(texts[0]).unwrap().compile(options);
        assert!(refused.is_err(), "what was allowed once is not allowed for good");
    }
}

#[test]
fn two_tables_share_no_code() {
    for executor in EXECUTORS {
        check(&CompileOptions { executor: executor.clone(), ..CompileOptions::default() });
    }
}

#[test]
#[cfg(feature = "llvm")]
fn two_tables_share_no_code_in_a_folder() {
    let folder =
        std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("apart-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    // The level is another, so that nothing is linked yet.
    let level = weldment::Level::Quick;
    let cache_dir = Some(folder.clone());
    check(&CompileOptions {
        executor: weldment::Executor::Llvm,
        level,
        cache_dir,
        ..CompileOptions::default()
    });
    // An object knows a C function by its name and type, and no address: one is linked with either.
    assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 2);
    std::fs::remove_dir_all(&folder).unwrap();
}

#[test]
fn equal_tables_are_equal() {
    let once: fn(i64) -> i64 = |x| x;
    let table = |name: &str| Foreign::from(ForeignFunctions::new().function(name, once));
    assert_eq!(table("f"), table("f"));
    assert_ne!(table("f"), table("g"));
    assert_ne!(table("f"), Foreign::Refused);
    assert_ne!(Foreign::from(ForeignFunctions::new()), Foreign::Refused);
    for (one, (a, _)) in tables().iter().enumerate() {
        for (other, (b, _)) in tables().iter().enumerate() {
            assert_eq!(a == b, one == other);
        }
    }
}
