//! A panic of a function of Rust reaches the caller, and leaves the program as it was.

use std::panic::{AssertUnwindSafe, catch_unwind};

use weldment::__private::rt::exec::options::Testing;
use weldment::{CompileOptions, Foreign, ForeignFunctions, Options, Program};

use crate::EXECUTORS;

fn table() -> Foreign {
    let odd: fn(i64) -> i64 = |x| if x == 7 { panic!("seven is not allowed") } else { x + 1 };
    ForeignFunctions::new().function("odd", odd).into()
}

#[test]
fn a_panic_goes_on_in_the_caller() {
    let texts = [
        "|v: &[i64]| cudf[odd, i64](v[0])",
        "|v: &[i64]| v.map(|x| cudf[odd, i64](x)).sum()",
        "|v: &[i64]| v.map(|x| cudf[odd, i64](x)).sort_by_key(|x| cudf[odd, i64](x))[0]",
        "|v: &[i64]| sort(v, |a, b| i32(cudf[odd, i64](a) - b))[0]",
        "|v: &[i64]| v.map(|x| v.map(|y| cudf[odd, i64](x + y)).sum()).max()",
        "|v: &[i64]| iterate(v[0], |x| {cudf[odd, i64](x), x < 40L})",
    ];
    let fine = vec![1000; 1000];
    let mut bad = fine.clone();
    (bad[0], bad[1], bad[999]) = (7, 0, 7);
    for text in texts {
        let few = text.contains("v.map(|y|");
        let [fine, bad] = [&fine, &bad].map(|v| if few { &v[..50] } else { &v[..] });
        for executor in EXECUTORS {
            let (chunk, segment) = (Some(50), Some(100));
            let options = CompileOptions {
                executor: executor.clone(),
                chunk,
                segment,
                foreign: table(),
                ..CompileOptions::default()
            };
            let program = Program::parse(text).unwrap().compile(&options).unwrap();
            for threads in [1, 2, 7] {
                let force_parallel = threads > 1;
                let testing = Testing { chunk, segment, force_parallel, ..Testing::default() };
                let options = Options::new().threads(threads).testing(testing);
                let run = |v| program.call_with::<(&[i64],), i64>(&options, (v,));
                let before = run(fine).unwrap();
                let payload = catch_unwind(AssertUnwindSafe(|| run(bad))).expect_err(text);
                assert_eq!(payload.downcast_ref::<&str>(), Some(&"seven is not allowed"), "{text}");
                assert_eq!(run(fine).unwrap(), before, "{text}");
            }
        }
    }
}
