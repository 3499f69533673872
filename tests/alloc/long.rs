//! Loops that no memory could hold and no lifetime end: a run of one ends in a fault, and holds little until then.
//!
//! All of it is one test, since bytes are counted for the whole process.

mod allocator;
mod peak;

use std::thread;
use std::time::Duration;

use weldment::{Cancel, Dict, Fault, FaultKind, Options, weld};

use peak::peak;

/// A program, to be run with options.
type Run<'a> = &'a (dyn Fn(&Options) -> Result<(), Fault> + Sync);

/// What a run may hold.
const LIMIT: u64 = 1 << 20;

/// What it may hold at most that the limit does not count, such as threads and what the interpreter keeps values in.
const MOST: usize = 32 << 20;

/// How often loops are polled is no matter of time; this is only to let a run get anywhere.
const SOON: Duration = Duration::from_millis(50);

/// Runs the program until it is cancelled, if it does not fault before.
fn ends(name: &str, run: Run<'_>, threads: &[usize], wanted: Option<FaultKind>) {
    for &threads in threads {
        let cancel = Cancel::new();
        let options = Options::new().threads(threads).memory_limit(LIMIT).cancel(&cancel);
        let mut fault = None;
        let held = peak(|| {
            thread::scope(|scope| {
                scope.spawn(|| {
                    thread::sleep(SOON);
                    cancel.cancel();
                });
                fault = run(&options).err();
            });
        });
        let fault = fault.unwrap_or_else(|| panic!("{name}, {threads} threads: no fault"));
        match wanted {
            Some(kind) => assert_eq!(fault.kind, kind, "{name}, {threads} threads: {fault}"),
            None => assert!(
                matches!(fault.kind, FaultKind::MemoryLimit | FaultKind::Cancelled),
                "{name}, {threads} threads: {fault}"
            ),
        }
        assert!(held < MOST, "{name}, {threads} threads: {held} bytes");
    }
}

/// The program by every executor: it ends in a fault of `$kind`, or if that is none in MemoryLimit or Cancelled.
macro_rules! on_each_executor {
    ($name:literal, $kind:expr, ($($arg:expr),*): ($($ty:ty),*) -> $result:ty, $kernel:expr) => {{
        let kernel = $kernel;
        let call = |options: &Options| {
            let result: Result<$result, Fault> = kernel.with(options).call($($arg),*);
            result.map(drop)
        };
        ends(concat!($name, ", emitted Rust"), &call, &[1, 2, 64], $kind);
        #[cfg(feature = "program")]
        {
            use weldment::{CompileOptions, Executor, ToProgram};
            let options = |executor| CompileOptions { executor, ..CompileOptions::default() };
            let compiled = kernel.program().compile(&options(Executor::Interpreter)).expect("it runs every program");
            let call = |options: &Options| {
                compiled.call_with::<($($ty,)*), $result>(options, ($($arg,)*)).map(drop)
            };
            ends(concat!($name, ", interpreter"), &call, &[1], $kind);
            #[cfg(feature = "llvm")]
            {
                let compiled = kernel.program().compile(&options(Executor::Llvm)).expect("LLVM compiles it");
                let call = |options: &Options| {
                    compiled.call_with::<($($ty,)*), $result>(options, ($($arg,)*)).map(drop)
                };
                ends(concat!($name, ", LLVM"), &call, &[1, 2, 64], $kind);
            }
        }
    }};
}

#[test]
fn what_is_too_long_ends_in_a_fault() {
    long_loops_end_in_faults();
    what_is_made_of_vectors_is_limited();
}

/// Of 2^63 - 1 iterations each.
fn long_loops_end_in_faults() {
    let n = i64::MAX;
    let cancelled = Some(FaultKind::Cancelled);
    let limit = Some(FaultKind::MemoryLimit);
    on_each_executor!("a sum", cancelled, (n): (i64) -> i64, weld!(|n: i64| (0..n).map(|i| i % 3).sum()));
    on_each_executor!("a sum of floats", cancelled, (n): (i64) -> f64,
        weld!(|n: i64| (0..n).map(|i| 1.0 / f64(i + 1)).sum()));
    on_each_executor!("many sums", cancelled, (n): (i64) -> (i64, i64, f64, f64, i64, i64, f64, f64, i64, f64),
    weld!(|n: i64| {
        let v = (0..n).map(|i| i % 7);
        let w = v.map(|i| f64(i));
        (v.sum(), v.max(), w.sum(), w.max(), v.count(), v.min(), w.min(), w.map(|x| x * x).sum(), v.map(|i| i * i).max(),
            w.map(|x| x + 1.0).max())
    }));
    on_each_executor!("a fold", None, (n): (i64) -> i64,
        weld!(|n: i64| (0..n).reduce(|a, b| if a > b % 1000L { a } else { b % 1000L })));
    on_each_executor!("a sum of what is kept", cancelled, (n): (i64) -> i64,
        weld!(|n: i64| (0..n).filter(|i| i % 3 == 0).map(|i| i % 5).sum()));
    on_each_executor!("a map", limit, (n): (i64) -> Vec<i64>, weld!(|n: i64| (0..n).map(|i| i % 3)));
    // Of so many bytes that their number is no longer one of 64 bits.
    on_each_executor!("a map of as many as overflow", limit, (1i64 << 61): (i64) -> Vec<i64>,
        weld!(|n: i64| (0..n).map(|i| i % 3)));
    on_each_executor!("a flat map of as many as overflow", None, (1i64 << 61): (i64) -> Vec<i64>,
        weld!(|n: i64| (0..n).flat_map(|i| [i, i, i, i, i, i, i, i])));
    on_each_executor!("a filter of as many as overflow", None, ((1i64 << 61) + 1): (i64) -> Vec<i64>,
        weld!(|n: i64| (0..n).filter(|i| i % 3 == 0)));
    on_each_executor!("a filter", None, (n): (i64) -> Vec<i64>, weld!(|n: i64| (0..n).filter(|i| i % 3 == 0)));
    on_each_executor!("a filter that keeps nothing", None, (n): (i64) -> Vec<i64>,
        weld!(|n: i64| (0..n).filter(|i| i % 3 == 5)));
    on_each_executor!("a flat map", None, (n): (i64) -> Vec<i64>,
        weld!(|n: i64| (0..n).flat_map(|i| (0..i % 3).map(|j| i + j))));
    on_each_executor!("rows", limit, (n): (i64) -> Vec<Vec<i64>>,
        weld!(|n: i64| (0..n).map(|i| (0..i % 3).map(|j| i + j))));
    on_each_executor!("a row", None, (n): (i64) -> Vec<Vec<i64>>,
        weld!(|n: i64| (0..3L).map(|i| (0..n).map(|j| i + j))));
    on_each_executor!("an appender", None, (n): (i64) -> Vec<i64>,
        weld!(|n: i64| result(for((0..n), appender[i64](n), |b, i, x| if(x % 2L == 0L, merge(b, x), b)))));
    on_each_executor!("a hint", None, (n): (i64) -> Vec<i64>,
        weld!(|n: i64| result(for((0..n), appender[i64](9223372036854775807L), |b, i, x| if(x % 2L == 5L, merge(b, x), b)))));
    on_each_executor!("few keys", None, (n): (i64) -> Dict<i64, i64>,
        weld!(|n: i64| result(for((0..n), dictmerger[i64,i64,+], |b, i, x| merge(b, {x % 3L, x})))));
    on_each_executor!("few keys of floats", None, (n): (i64) -> Dict<i64, f64>,
        weld!(|n: i64| result(for((0..n), dictmerger[i64,f64,+], |b, i, x| merge(b, {x % 3L, 0.1})))));
    on_each_executor!("many keys", None, (n): (i64) -> Dict<i64, i64>,
        weld!(|n: i64| result(for((0..n), dictmerger[i64,i64,+], |b, i, x| merge(b, {x * 31L, x})))));
    on_each_executor!("many keys of floats", None, (n): (i64) -> Dict<i64, f64>,
        weld!(|n: i64| result(for((0..n), dictmerger[i64,f64,+], |b, i, x| merge(b, {x * 31L, 0.1})))));
    on_each_executor!("many words", None, (n): (i64) -> Dict<Vec<i64>, i64>,
        weld!(|n: i64| result(for((0..n), dictmerger[vec[i64],i64,+], |b, i, x| merge(b, {[x, x], x})))));
    on_each_executor!("many last values", None, (n): (i64) -> Dict<i64, i64>,
        weld!(|n: i64| (0..n).map(|i| (i * 7, i)).to_dict()));
    on_each_executor!("a sum and its keys", None, (n): (i64) -> (f64, Dict<i64, f64>),
        weld!(|n: i64| { let x = (0..n).map(|i| f64(i) * 0.1); (x.sum(), x.reduce_by(|x| i64(x) % 3L, |x| x, +)) }));
    on_each_executor!("groups", None, (n): (i64) -> Dict<i64, Vec<i64>>,
        weld!(|n: i64| result(for((0..n), groupmerger[i64,i64], |b, i, x| merge(b, {x % 3L, x})))));
    on_each_executor!("many groups", None, (n): (i64) -> Dict<i64, Vec<i64>>,
        weld!(|n: i64| result(for((0..n), groupmerger[i64,i64], |b, i, x| merge(b, {x, x})))));
    on_each_executor!("a vecmerger", None, (n): (i64) -> Vec<i64>,
        weld!(|n: i64| result(for((0..n), vecmerger[i64,+]([0L, 0L, 0L]), |b, i, x| merge(b, {x % 3L, x})))));
    on_each_executor!("a vecmerger of floats", None, (n): (i64) -> Vec<f64>,
        weld!(|n: i64| result(for((0..n), vecmerger[f64,+]([0.0, 0.0, 0.0]), |b, i, x| merge(b, {x % 3L, 0.1})))));
    on_each_executor!("a huge vecmerger", limit, (n): (i64) -> Vec<i64>,
        weld!(|n: i64| result(for((0..n), vecmerger[i64,+]((0..n).map(|i| i % 3)), |b, i, x| merge(b, {x, x})))));
    on_each_executor!("a sort by a key", limit, (n): (i64) -> Vec<i64>,
        weld!(|n: i64| (0..n).map(|i| i % 3).sort_by_key(|x| -x)));
    on_each_executor!("a sort by a function", limit, (n): (i64) -> Vec<i64>,
        weld!(|n: i64| sort((0..n).map(|i| i % 3), |a, b| compare(a * b, b))));
    on_each_executor!("loops within loops", cancelled, (n): (i64) -> i64,
        weld!(|n: i64| (0..n).map(|i| (0..n).map(|j| i ^ j).max()).sum()));
}

/// Vectors that fit the limit, of which what is made does not.
fn what_is_made_of_vectors_is_limited() {
    let v: Vec<i64> = (0..100_000).map(|i| i * 7919 % 100_003).collect();
    let v = &v[..];
    assert!(size_of_val(v) as u64 * 2 > LIMIT);
    let limit = Some(FaultKind::MemoryLimit);
    on_each_executor!("text of vectors", limit, (v): (&[i64]) -> Vec<u8>,
        weld!(|v: &[i64]| serialize((v, v))));
    on_each_executor!("a vecmerger within a loop", None, (v): (&[i64]) -> Vec<i64>,
        weld!(|v: &[i64]| v.map(|x| result(for(v, vecmerger[i64,+](v), |b, i, y| merge(b, {i, x}))).sum())));
}
