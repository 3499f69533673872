//! Options of a run mean the same for emitted Rust and, where it is there, for LLVM.

use std::sync::{Arc, Mutex};

use weldment::{Cancel, Dict, Fault, FaultKind, Options, weld};

/// A program on given arguments, to be run with options.
type Run<'a> = &'a (dyn Fn(&Options) -> Result<(), Fault> + Sync);

/// The kernel as emitted Rust and as LLVM compiles it, each as a [`Run`] given to `$check`.
macro_rules! on_each_executor {
    ($check:expr, ($($arg:expr),*): ($($ty:ty),*) -> $result:ty, $kernel:expr) => {{
        let kernel = $kernel;
        $check(&|options: &Options| {
            let result: Result<$result, Fault> = kernel.with(options).call($($arg),*);
            result.map(drop)
        });
        #[cfg(feature = "llvm")]
        {
            use weldment::{CompileOptions, Executor, ToProgram};
            let options = CompileOptions { executor: Executor::Llvm, ..CompileOptions::default() };
            let compiled = kernel.program().compile(&options).expect("LLVM compiles it");
            $check(&|options: &Options| {
                compiled.call_with::<($($ty,)*), $result>(options, ($($arg,)*)).map(drop)
            });
        }
    }};
}

/// What checks that a run needs `least` bytes and stops where it may not have them.
fn needs(least: u64) -> impl Fn(Run<'_>) {
    move |run| {
        for threads in [1, 2, 7] {
            let options = Options::new().threads(threads);
            assert_eq!(run(&options), Ok(()));
            assert_eq!(run(&options.clone().memory_limit(1 << 32)), Ok(()));
            for limit in [0, least / 2, least - 1] {
                let fault = run(&options.clone().memory_limit(limit)).expect_err("it needs more");
                assert_eq!(fault.kind, FaultKind::MemoryLimit, "{threads} threads within {limit}");
                assert!(fault.to_string().starts_with("memory limit: "), "{fault}");
            }
        }
    }
}

const N: i64 = 200_000;

fn numbers() -> Vec<i64> {
    (0..N).collect()
}

#[test]
fn collected_vectors_are_limited() {
    let v = &numbers()[..];
    let bytes = 8 * N as u64;
    on_each_executor!(needs(bytes), (v): (&[i64]) -> Vec<i64>, weld!(|v: &[i64]| v.map(|x| x + 1)));
    on_each_executor!(needs(bytes), (v): (&[i64]) -> Vec<i64>, weld!(|v: &[i64]| v.filter(|x| x >= 0)));
    on_each_executor!(needs(2 * bytes), (v): (&[i64]) -> Vec<i64>,
        weld!(|v: &[i64]| v.flat_map(|x| [x, x])));
    on_each_executor!(needs(bytes), (v): (&[i64]) -> Vec<i64>, weld!(|v: &[i64]| sort(v, |a, b| compare(b, a))));
    on_each_executor!(needs(bytes), (): () -> i64, weld!(|| slice((0..200000).map(|x| x * x), 1, 5).sum()));
}

#[test]
fn vectors_made_within_a_loop_are_limited() {
    let v = &[3i64, 200_000, 2][..];
    let bytes = 8 * N as u64;
    on_each_executor!(needs(bytes), (v): (&[i64]) -> Vec<Vec<i64>>,
        weld!(|v: &[i64]| v.map(|n| (0..n).map(|i| i * n))));
    on_each_executor!(needs(bytes), (v): (&[i64]) -> Vec<i64>,
        weld!(|v: &[i64]| v.map(|n| { let w = (0..n).map(|i| i * n).sort_by_key(|x| -x); w[1] + w.sum() })));
}

#[test]
fn dictionaries_and_groups_are_limited() {
    let v = &numbers()[..];
    let bytes = 8 * N as u64;
    on_each_executor!(needs(2 * bytes), (v): (&[i64]) -> Dict<i64, i64>,
        weld!(|v: &[i64]| result(for(v, dictmerger[i64,i64,+], |b, i, x| merge(b, {x, i})))));
    on_each_executor!(needs(bytes), (v): (&[i64]) -> Dict<i64, Vec<i64>>,
        weld!(|v: &[i64]| result(for(v, groupmerger[i64,i64], |b, i, x| merge(b, {x % 10, i})))));
}

#[test]
fn copies_and_bytes_are_limited() {
    let v = &numbers()[..];
    let bytes = 8 * N as u64;
    on_each_executor!(needs(bytes), (v): (&[i64]) -> Vec<i64>, weld!(|v: &[i64]| v));
    on_each_executor!(needs(2 * bytes), (v): (&[i64]) -> (Vec<i64>, Vec<i64>), weld!(|v: &[i64]| (v, v)));
    on_each_executor!(needs(bytes), (v): (&[i64]) -> Vec<Vec<i64>>, weld!(|v: &[i64]| [v]));
    on_each_executor!(needs(bytes), (v): (&[i64]) -> Vec<u8>, weld!(|v: &[i64]| serialize(v)));
    let dict: Dict<i64, i64> = v.iter().map(|&x| (x, x)).collect();
    on_each_executor!(needs(2 * bytes), (&dict): (&Dict<i64, i64>) -> Vec<(i64, i64)>,
        weld!(|d: dict[i64,i64]| tovec(d)));
    let rows = &vec![vec![1i64; 1000]; 100][..];
    on_each_executor!(needs(800_000), (rows): (&[Vec<i64>]) -> Vec<Vec<i64>>,
        weld!(|v: &[Vec<i64>]| v.filter(|row| len(row) > 1)));
    let keys: Vec<Vec<i64>> = (0..100).map(|i| vec![i; 1000]).collect();
    on_each_executor!(needs(800_000), (&keys[..]): (&[Vec<i64>]) -> Dict<Vec<i64>, i64>,
        weld!(|v: &[Vec<i64>]| result(for(v, dictmerger[vec[i64],i64,+], |b, i, row| merge(b, {row, 1L})))));
}

#[test]
fn what_cannot_be_had_is_a_fault_and_no_abort() {
    let absurd = |run: Run<'_>| {
        let fault = run(&Options::new()).expect_err("nobody has so much");
        assert_eq!(fault.kind, FaultKind::MemoryLimit);
    };
    let n = 1i64 << 60;
    on_each_executor!(absurd, (n): (i64) -> Vec<i64>, weld!(|n: i64| (0..n).map(|i| i * n)));
    let v = &[n][..];
    on_each_executor!(absurd, (v): (&[i64]) -> Vec<Vec<i64>>,
        weld!(|v: &[i64]| v.map(|n| (0..n).map(|i| i * n))));
}

#[test]
fn each_call_of_one_kernel_has_the_limit_to_itself() {
    let v = numbers();
    let doubled = weld!(|v: &[i64]| v.map(|x| x * 2));
    let options = Options::new().memory_limit(8 * N as u64 + 1000);
    let limited = doubled.with(&options);
    for _ in 0..3 {
        assert_eq!(limited.call(&v).map(|result| result.len()), Ok(v.len()));
    }
}

#[test]
fn cancelled_runs_stop() {
    let v = &numbers()[..];
    let stops = |run: Run<'_>| {
        for threads in [1, 2, 7] {
            let cancel = Cancel::new();
            let options = Options::new().threads(threads).cancel(&cancel);
            assert_eq!(run(&options), Ok(()));
            // Cancelled while it runs, as a progress callback shows that it does.
            let token = cancel.clone();
            let fault = run(&options.progress(move |_| token.cancel())).expect_err("it was cancelled");
            assert_eq!(fault.kind, FaultKind::Cancelled);
        }
    };
    on_each_executor!(stops, (v): (&[i64]) -> i64, weld!(|v: &[i64]| v.map(|x| x * x).sum()));
    on_each_executor!(stops, (v): (&[i64]) -> Vec<i64>, weld!(|v: &[i64]| v.filter(|x| x % 3 == 0)));
}

/// None of these would end in a lifetime.
#[test]
fn runs_stop_within_a_piece_too() {
    let v = &numbers()[..];
    let stops = |run: Run<'_>| {
        for threads in [1, 2] {
            let cancel = Cancel::new();
            let token = cancel.clone();
            let canceller = std::thread::spawn(move || {
                std::thread::sleep(std::time::Duration::from_millis(20));
                token.cancel();
            });
            let fault = run(&Options::new().threads(threads).cancel(&cancel)).expect_err("it was cancelled");
            assert_eq!(fault.kind, FaultKind::Cancelled);
            canceller.join().unwrap();
        }
    };
    on_each_executor!(stops, (v): (&[i64]) -> i64, {
        weld!(|v: &[i64]| v.map(|x| v.map(|y| v.map(|z| v.map(|u| x ^ y ^ z ^ u).max()).sum()).max()).sum())
    });
    on_each_executor!(stops, (v): (&[i64]) -> Vec<i64>, {
        weld!(|v: &[i64]| v.flat_map(|x| v.map(|y| v.map(|z| if z > y { v.map(|u| u / 3).count() } else { x }).max())))
    });
    on_each_executor!(stops, (1i64): (i64) -> i64, weld!(|n: i64| iterate(n, |x| (x | 1, x != 0))));
}

#[test]
fn kernels_run_in_jobs_of_a_rayon_pool() {
    use rayon::prelude::*;
    let v = &numbers()[..];
    let expected: i64 = v.iter().map(|x| x * x).sum();
    on_each_executor!(
        |run: Run<'_>| {
            for threads in [0, 1, 2, 7] {
                let options = Options::new().threads(threads);
                let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
                pool.install(|| (0..20).into_par_iter().for_each(|_| assert_eq!(run(&options), Ok(()))));
                (0..20).into_par_iter().for_each(|_| assert_eq!(run(&options), Ok(())));
            }
        },
        (v, expected): (&[i64], i64) -> bool,
        weld!(|v: &[i64], expected: i64| assert(v.map(|x| x * x).sum() == expected))
    );
}

#[test]
fn progress_rises_to_the_end() {
    let v = &numbers()[..];
    let rises = |run: Run<'_>| {
        for threads in [1, 2, 7] {
            let seen = Arc::new(Mutex::new(vec![0]));
            let notes = seen.clone();
            let options = Options::new().threads(threads).progress(move |progress| {
                assert_eq!(progress.total, N as u64);
                notes.lock().expect("nobody panics").push(progress.done);
            });
            assert_eq!(run(&options), Ok(()));
            let seen = seen.lock().expect("nobody panics");
            assert!(seen.is_sorted_by(|a, b| a < b), "{threads} threads: {seen:?}");
            assert_eq!(seen.last(), Some(&(N as u64)), "{threads} threads");
        }
    };
    on_each_executor!(rises, (v): (&[i64]) -> i64, weld!(|v: &[i64]| v.map(|x| x * x).sum()));
    on_each_executor!(rises, (v): (&[i64]) -> Vec<i64>, weld!(|v: &[i64]| v.map(|x| x + 1)));
}

#[test]
fn a_panic_of_the_progress_callback_reaches_the_caller() {
    let v = &numbers()[..];
    let panics = |run: Run<'_>| {
        for threads in [1, 2] {
            let options = Options::new().threads(threads).progress(|_| panic!("the caller's own"));
            let run = std::panic::AssertUnwindSafe(|| run(&options));
            let panic = std::panic::catch_unwind(run).expect_err("a panic");
            assert_eq!(panic.downcast_ref::<&str>(), Some(&"the caller's own"));
        }
    };
    on_each_executor!(panics, (v): (&[i64]) -> Vec<i64>, weld!(|v: &[i64]| v.map(|x| x + 1)));
}
