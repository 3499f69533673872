//! Inputs stream through: what a program holds at a time does not depend on how long they are.

use weldment::{Fault, Options, weld};

use crate::peak::peak;

/// A program on a vector.
type Run<'a> = &'a dyn Fn(&[i8], &Options) -> Result<i64, Fault>;

/// What each of several threads may hold besides: the totals of its chunks that wait for those before them, and the small
/// blocks of compiled code. A byte for each element would be 15 MB more.
const WAITING: usize = 1 << 16;

fn streams(name: &str, run: Run<'_>, [short, long]: [&[i8]; 2]) {
    for threads in [1, 2, 7] {
        let options = Options::new().threads(threads);
        let sum = |v: &[i8]| _ = run(v, &options).expect("no fault");
        // Threads start once.
        sum(long);
        let [of_short, of_long] = [short, long].map(|v| peak(|| sum(v)));
        if threads == 1 {
            assert_eq!(of_short, of_long, "{name}");
        }
        let most = of_short + threads * WAITING;
        assert!(of_long <= most, "{name}, {threads} threads: {of_short}, and {of_long} of a longer vector");
    }
}

/// The same program by emitted Rust and by LLVM.
macro_rules! on_each_executor {
    ($name:literal, $inputs:expr, $kernel:expr) => {{
        let kernel = $kernel;
        let run = |v: &[i8], options: &Options| kernel.with(options).call(v);
        streams(concat!($name, ", emitted Rust"), &run, $inputs);
        #[cfg(feature = "llvm")]
        {
            use weldment::{CompileOptions, Executor, ToProgram};
            let options = CompileOptions { executor: Executor::Llvm, ..CompileOptions::default() };
            let compiled = kernel.program().compile(&options).expect("LLVM compiles it");
            let run = |v: &[i8], options: &Options| compiled.call_with::<(&[i8],), i64>(options, (v,));
            streams(concat!($name, ", LLVM"), &run, $inputs);
        }
    }};
}

/// A million bytes take as much as sixteen.
pub(crate) fn long_inputs_take_no_more_than_short_ones() {
    let [short, long] = [1_000_000, 16_000_000].map(|n| (0..n).map(|i| (i % 251) as i8).collect::<Vec<_>>());
    let inputs = [&short[..], &long[..]];
    on_each_executor!("a sum", inputs, weld!(|v: &[i8]| v.map(|x| i64(x)).sum()));
    on_each_executor!(
        "a sum of what is kept",
        inputs,
        weld!(|v: &[i8]| v.filter(|x| x > 10i8).map(|x| i64(x) * 3).sum())
    );
    on_each_executor!(
        "the length of what is flattened",
        inputs,
        weld!(|v: &[i8]| len(v.filter(|x| x > 10i8).flat_map(|x| [x, x + 1i8])))
    );
}
