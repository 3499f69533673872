//! Fused programs allocate nothing that grows with their input but their results, and a run that is out of memory frees
//! everything.
//!
//! All of it is one test: bytes are counted for the whole process, and tests run side by side.

mod allocator;
mod peak;
mod reuse;
mod stream;

use std::sync::atomic::Ordering;

use weldment::{Dict, Fault, FaultKind, Options, Weld, weld};

use allocator::{ALLOCATED, HELD};

const FEW: usize = 10_000;
const MANY: usize = 1_000_000;

/// How much more than on few rows may be allocated on many, besides results: a KiB for each of up to 64 segments, with
/// its table of a few keys and the totals of its chunks that wait for those before them. The smallest intermediate, a
/// byte for each row, is 15 times as much.
const ALLOWANCE: usize = 64 * 1024;

/// A table of a few columns.
struct Rows {
    flag: Vec<u8>,
    day: Vec<i32>,
    price: Vec<f64>,
    discount: Vec<f64>,
    orders: Vec<Order>,
}

/// A row of its own, which LLVM reads in place, too: its fields lie as in C.
#[derive(Clone, Copy, Weld)]
struct Order {
    price: f64,
    discount: f64,
    day: i32,
    flag: u8,
}

impl Rows {
    fn new(n: usize) -> Rows {
        Rows {
            flag: (0..n).map(|i| (i % 4) as u8).collect(),
            day: (0..n).map(|i| (i * 7 % 2500) as i32).collect(),
            price: (0..n).map(|i| (i % 1000) as f64).collect(),
            discount: (0..n).map(|i| (i % 11) as f64 / 100.0).collect(),
            orders: (0..n).map(Order::new).collect(),
        }
    }
}

impl Order {
    fn new(i: usize) -> Order {
        let (day, flag) = ((i * 7 % 2500) as i32, (i % 4) as u8);
        Order { price: (i % 1000) as f64, discount: (i % 11) as f64 / 100.0, day, flag }
    }
}

/// A program: on rows and with options, the bytes of its result.
type Run<'a> = &'a dyn Fn(&Rows, &Options) -> Result<usize, Fault>;

/// The bytes that `run` asks for besides those of its result.
fn besides_result(run: Run<'_>, rows: &Rows, options: &Options) -> usize {
    let before = ALLOCATED.load(Ordering::Relaxed);
    let result = run(rows, options).expect("no fault");
    (ALLOCATED.load(Ordering::Relaxed) - before).saturating_sub(result)
}

/// How many bytes more `run` asks for on many rows than on few.
fn growth(run: Run<'_>, [few, many]: &[Rows; 2], threads: usize) -> usize {
    let options = Options::new().threads(threads);
    // Threads start and caches fill once.
    besides_result(run, many, &options);
    let few = besides_result(run, few, &options);
    besides_result(run, many, &options).saturating_sub(few)
}

/// The kernel as emitted Rust and, where it is there, as LLVM compiles it, each as a [`Run`] given to `$check`.
macro_rules! on_each_executor {
    ($check:expr, $name:literal, |$rows:ident| ($($arg:expr),*): ($($arg_ty:ty),*) -> $result:ty, $size:expr, $kernel:expr) => {{
        let kernel = $kernel;
        let size: fn(&$result) -> usize = $size;
        $check(concat!($name, ", emitted Rust"), &|$rows: &Rows, options: &Options| {
            kernel.with(options).call($($arg),*).map(|result| size(&result))
        });
        #[cfg(feature = "llvm")]
        {
            use weldment::{CompileOptions, Executor, ToProgram};
            let options = CompileOptions { executor: Executor::Llvm, ..CompileOptions::default() };
            let compiled = kernel.program().compile(&options).expect("LLVM compiles it");
            $check(concat!($name, ", LLVM"), &|$rows: &Rows, options: &Options| {
                compiled
                    .call_with::<($($arg_ty,)*), $result>(options, ($($arg,)*))
                    .map(|result| size(&result))
            });
        }
    }};
}

type Sums = (f64, f64, i64);

#[test]
fn only_results_grow_with_the_input_what_was_used_is_used_again_and_faults_free_everything() {
    let rows = [FEW, MANY].map(Rows::new);
    only_results_grow(&rows);
    stream::long_inputs_take_no_more_than_short_ones();
    reuse::results_are_written_to_what_the_caller_has(&rows[1]);
    reuse::memory_is_left_to_what_comes(&rows[1]);
    faults_free_everything(&rows[1]);
}

/// Runs that may have half of what they need.
fn faults_free_everything(rows: &Rows) {
    let freed = |name: &str, run: Run<'_>| {
        for threads in [1, 2] {
            let options = Options::new().threads(threads);
            // Threads start and caches fill once.
            run(rows, &options).expect("no limit");
            let before = HELD.load(Ordering::Relaxed);
            let fault = run(rows, &options.memory_limit(MANY as u64 * 4)).expect_err(name);
            assert_eq!(fault.kind, FaultKind::MemoryLimit, "{name}");
            let held = HELD.load(Ordering::Relaxed).saturating_sub(before);
            assert!(held < ALLOWANCE, "{name}, {threads} threads: {held} bytes are left");
        }
    };
    on_each_executor!(freed, "a map", |rows| (&rows.price): (&[f64]) -> Vec<f64>, |_| 0,
        weld!(|x: &[f64]| x.map(|x| x * 2.0)));
    on_each_executor!(freed, "a flat map", |rows| (&rows.price): (&[f64]) -> Vec<f64>, |_| 0,
        weld!(|x: &[f64]| x.flat_map(|x| [x, x * 2.0])));
    on_each_executor!(freed, "rows", |rows| (&rows.price): (&[f64]) -> Vec<Vec<f64>>, |_| 0,
        weld!(|x: &[f64]| x.map(|x| [x, x * 2.0].map(|y| y + x))));
    on_each_executor!(freed, "a dictionary", |rows| (&rows.price): (&[f64]) -> Dict<i64, f64>, |_| 0,
        weld!(|x: &[f64]| result(for(x, dictmerger[i64,f64,+], |b, i, x| merge(b, {i, x})))));
    on_each_executor!(freed, "groups", |rows| (&rows.price): (&[f64]) -> Dict<i64, Vec<f64>>, |_| 0,
        weld!(|x: &[f64]| result(for(x, groupmerger[i64,f64], |b, i, x| merge(b, {i % 1000, x})))));
}

fn only_results_grow(rows: &[Rows; 2]) {
    let mut failures = Vec::new();
    let mut fused = |name: &str, run: Run<'_>| {
        for threads in [1, 2] {
            let growth = growth(run, rows, threads);
            if growth > ALLOWANCE {
                failures.push(format!("{name}, {threads} threads: {growth} bytes more"));
            }
        }
    };
    on_each_executor!(fused, "a sum of what is kept", |rows| (&rows.price): (&[f64]) -> f64, |_| 0,
        weld!(|x: &[f64]| x.map(|x| x * 2.0).filter(|x| x > 10.0).sum()));
    on_each_executor!(fused, "Q6", |rows| (&rows.price, &rows.discount, &rows.day): (&[f64], &[f64], &[i32]) -> f64, |_| 0,
    weld!(|price: &[f64], discount: &[f64], day: &[i32]| {
        zip(price, discount, day)
            .filter(|(_, d, day)| day >= 365 && day < 730 && d >= 0.05 && d <= 0.07)
            .map(|(p, d, _)| p * d)
            .sum()
    }));
    on_each_executor!(fused, "Q1", |rows| (&rows.flag, &rows.price, &rows.discount, &rows.day):
    (&[u8], &[f64], &[f64], &[i32]) -> Dict<u8, Sums>, |_| 0,
    weld!(|flag: &[u8], price: &[f64], discount: &[f64], day: &[i32]| {
        result(for(zip(flag, price, discount, day), dictmerger[u8,{f64,f64,i64},+], |b, i, (f, p, d, day)|
            if(day <= 2000, merge(b, {f, {p, p * (1.0 - d), 1L}}), b)))
    }));
    on_each_executor!(fused, "several results", |rows| (&rows.price): (&[f64]) -> (f64, f64, f64, i64), |_| 0,
    weld!(|x: &[f64]| {
        let kept = x.filter(|x| x < 900.0);
        (x.sum(), kept.min(), kept.max(), kept.count())
    }));
    on_each_executor!(fused, "a vector and its sum", |rows| (&rows.price): (&[f64]) -> (Vec<f64>, f64),
        |result| size_of_val(&result.0[..]),
        weld!(|x: &[f64]| { let y = x.map(|x| x * 0.5); (y, y.sum()) }));
    on_each_executor!(fused, "a sum over structs", |rows| (&rows.orders): (&[Order]) -> f64, |_| 0,
        weld!(|o: &[Order]| o.filter(|o| o.day < 730 && o.flag == 1u8).map(|o| o.price * o.discount).sum()));
    on_each_executor!(fused, "groups of structs", |rows| (&rows.orders): (&[Order]) -> Dict<u8, f64>, |_| 0,
        weld!(|o: &[Order]| o.reduce_by(|o| o.flag, |o| o.price, +)));
    on_each_executor!(fused, "structs of structs", |rows| (&rows.orders): (&[Order]) -> Vec<Order>,
        |result| size_of_val(&result[..]),
        weld!(|o: &[Order]| o.map(|o| Order { price: o.price * 0.5, ..o })));
    assert!(failures.is_empty(), "{}", failures.join("\n"));

    // A slice needs the vector that it is a part of: this is how a program shows that does not fuse.
    let sliced = |name: &str, run: Run<'_>| {
        let growth = growth(run, rows, 1);
        assert!(growth >= (MANY - FEW) * size_of::<f64>(), "{name}: {growth} bytes more");
    };
    on_each_executor!(sliced, "the sum of a slice", |rows| (&rows.price): (&[f64]) -> f64, |_| 0,
        weld!(|x: &[f64]| slice(x.map(|x| x * 2.0), 1, 100).sum()));
}
