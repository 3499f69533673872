//! Options of a run mean the same for emitted Rust and, at run time, for the interpreter and LLVM.

use std::sync::{Arc, Mutex};

use weldment::{Cancel, Dict, Element, Fault, FaultKind, Options, Value, weld};

/// A program on given arguments, to be run with options by one of the executors.
#[derive(Clone, Copy)]
struct Run<'a> {
    executor: &'static str,
    /// The numbers of threads to try.
    threads: &'static [usize],
    call: &'a (dyn Fn(&Options) -> Result<Value, Fault> + Sync),
}

impl Run<'_> {
    fn with(self, options: &Options) -> Result<Value, Fault> {
        (self.call)(options)
    }

    fn is_slow(self) -> bool {
        self.executor == "interpreter"
    }

    /// The fault that ends the run, which is of `kind`.
    fn fault(self, options: &Options, kind: FaultKind) -> Fault {
        let fault = self.with(options).map(drop).expect_err("a fault");
        assert_eq!(fault.kind, kind, "{}: {fault}", self.executor);
        fault
    }
}

/// Threads of an executor that splits loops over them.
const SPLIT: &[usize] = &[1, 2, 7];

/// What runs programs at run time. To the interpreter a number of threads means nothing, so one is enough.
#[cfg(feature = "program")]
const AT_RUN_TIME: &[(&str, weldment::Executor, &[usize])] = &[
    ("interpreter", weldment::Executor::Interpreter, &[3]),
    #[cfg(feature = "llvm")]
    ("LLVM", weldment::Executor::Llvm, SPLIT),
];

/// Gives `$check` the program as a [`Run`] by each executor.
macro_rules! on_each_executor {
    ($check:expr, ($($arg:expr),*): ($($ty:ty),*) -> $result:ty, $kernel:expr) => {{
        let kernel = $kernel;
        let call = |options: &Options| -> Result<Value, Fault> {
            let result: Result<$result, Fault> = kernel.with(options).call($($arg),*);
            result.map(|result| result.to_value())
        };
        $check(Run { executor: "emitted Rust", threads: SPLIT, call: &call });
        #[cfg(feature = "program")]
        for &(name, ref executor, threads) in AT_RUN_TIME {
            use weldment::{CompileOptions, ToProgram};
            let options = CompileOptions { executor: executor.clone(), ..CompileOptions::default() };
            let compiled = kernel.program().compile(&options).expect("every executor runs it");
            let call = |options: &Options| -> Result<Value, Fault> {
                let result = compiled.call_with::<($($ty,)*), $result>(options, ($($arg,)*));
                result.map(|result| result.to_value())
            };
            $check(Run { executor: name, threads, call: &call });
        }
    }};
}

/// What checks that a run needs `least` bytes, stops where it may not have them, and is none the worse for it; and that
/// many times as much is enough.
fn needs(least: u64) -> impl Fn(Run<'_>) {
    move |run| {
        for &threads in run.threads {
            let options = Options::new().threads(threads);
            let enough = options.clone().memory_limit(ROOM * least);
            let expected = run.with(&enough).unwrap_or_else(|fault| panic!("{}: {fault}", run.executor));
            for limit in [0, least / 2, least - 1] {
                let fault = run.fault(&options.clone().memory_limit(limit), FaultKind::MemoryLimit);
                assert!(fault.to_string().starts_with("memory limit: "), "{fault}");
            }
            let again = run.with(&options).expect("nothing limits it");
            assert!(again.same_bits(&expected), "{}, {threads} threads", run.executor);
        }
    }
}

/// How many times the bytes of a result are enough for builders to make it, on any number of threads.
const ROOM: u64 = 32;

const N: i64 = 140_000;

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
fn rows_that_are_stored_are_limited() {
    let v = &[300i64; 500][..];
    let bytes = 8 * 300 * 500;
    on_each_executor!(needs(bytes), (v): (&[i64]) -> i64,
        weld!(|v: &[i64]| { let rows = v.map(|n| (0..n).map(|i| sqrt(f64(i)))); let most = rows.map(|r| r.sum()).max();
            rows.filter(|r| r.max() < most).len() }));
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
fn updated_vectors_are_limited() {
    let v = &numbers()[..];
    on_each_executor!(needs(8 * N as u64), (v): (&[i64]) -> Vec<i64>,
        weld!(|v: &[i64]| result(for(v, vecmerger[i64,+](v), |b, i, x| merge(b, {x % 10, 1L})))));
}

#[test]
fn intermediates_are_limited() {
    let v = &numbers()[..];
    let bytes = 8 * N as u64;
    on_each_executor!(needs(bytes), (v): (&[i64]) -> i64,
        weld!(|v: &[i64]| { let w = v.filter(|x| x >= 0); v.map(|x| w[x]).sum() }));
    on_each_executor!(needs(2 * bytes), (v): (&[i64]) -> i64,
        weld!(|v: &[i64]| len(result(for(v, dictmerger[i64,i64,+], |b, i, x| merge(b, {x, i}))))));
    on_each_executor!(needs(bytes), (v): (&[i64]) -> i64,
        weld!(|v: &[i64]| iterate({v, 0L}, |s| let w = sort(s.$0, |a, b| compare(b, a)); {{w, s.$1 + 1L}, s.$1 < 2L}).$1));
    let bytes_of_v: Vec<u8> = weld!(|v: &[i64]| serialize(v))(v);
    let encoded = &bytes_of_v[..];
    on_each_executor!(needs(bytes), (encoded): (&[u8]) -> i64,
        weld!(|encoded: &[u8]| deserialize[vec[i64]](encoded).sum()));
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
        run.fault(&Options::new(), FaultKind::MemoryLimit);
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

/// The interpreter has no memory of its own to give back.
#[test]
fn any_number_of_steps_takes_the_memory_of_two() {
    // A short state lies in a block that others may have the memory around.
    for v in [&numbers()[..1000], &numbers()] {
        let limit = match v.len() {
            1000 => 10 * 8 * 1000,
            len => 5 * 8 * len as u64,
        };
        let fits = |run: Run<'_>| {
            if run.executor == "interpreter" {
                return;
            }
            for &threads in run.threads {
                let options = Options::new().threads(threads).memory_limit(limit);
                run.with(&options)
                    .unwrap_or_else(|fault| panic!("{}, {threads} threads: {fault}", run.executor));
            }
        };
        on_each_executor!(fits, (v): (&[i64]) -> i64,
            weld!(|v: &[i64]| iterate((v, 0), |(u, i)| ((u.map(|x| x * 3 + i), i + 1), i < 50)).0.sum()));
    }
}

#[test]
fn cancelled_runs_stop() {
    let v = &numbers()[..];
    let stops = |run: Run<'_>| {
        for &threads in run.threads {
            let of = |cancel: &Cancel| Options::new().threads(threads).cancel(cancel);
            let expected = run.with(&of(&Cancel::new())).expect("nobody cancels it");
            // Cancelled while it runs, as a progress callback shows that it does. If that thread has to wait just then, the
            // others may come to the end before: hardly so often.
            let stopped = (0..50).find_map(|_| {
                let cancel = Cancel::new();
                let token = cancel.clone();
                let fault = run.with(&of(&cancel).progress(move |_| token.cancel())).err()?;
                run.fault(&of(&cancel), FaultKind::Cancelled);
                Some(fault)
            });
            let fault = stopped.expect("a run that is cancelled stops");
            assert_eq!(fault.kind, FaultKind::Cancelled, "{}: {fault}", run.executor);
            let again = run.with(&Options::new().threads(threads)).expect("nobody cancels it");
            assert!(again.same_bits(&expected), "{}, {threads} threads", run.executor);
        }
    };
    on_each_executor!(stops, (v): (&[i64]) -> i64, weld!(|v: &[i64]| v.map(|x| x * x).sum()));
    on_each_executor!(stops, (v): (&[i64]) -> Vec<i64>, weld!(|v: &[i64]| v.filter(|x| x % 3 == 0)));
    on_each_executor!(stops, (v): (&[i64]) -> Vec<Vec<i64>>, weld!(|v: &[i64]| v.flat_map(|x| [[x], [x, x]])));
}

#[test]
fn a_cancelled_run_does_not_begin() {
    let stops = |run: Run<'_>| {
        let cancel = Cancel::new();
        cancel.cancel();
        run.fault(&Options::new().cancel(&cancel), FaultKind::Cancelled);
    };
    on_each_executor!(stops, (7i64): (i64) -> i64, weld!(|x: i64| x + 1));
    on_each_executor!(stops, (&[] as &[i64]): (&[i64]) -> i64, weld!(|v: &[i64]| v.sum()));
}

/// None of these would end in a lifetime.
#[test]
fn runs_stop_within_a_chunk_too() {
    let v = &numbers()[..];
    let stops = |run: Run<'_>| {
        for &threads in &run.threads[..run.threads.len().min(2)] {
            let cancel = Cancel::new();
            let token = cancel.clone();
            let canceller = std::thread::spawn(move || {
                std::thread::sleep(std::time::Duration::from_millis(20));
                token.cancel();
            });
            run.fault(&Options::new().threads(threads).cancel(&cancel), FaultKind::Cancelled);
            canceller.join().unwrap();
        }
    };
    on_each_executor!(stops, (v): (&[i64]) -> i64, {
        weld!(|v: &[i64]| v.map(|x| v.map(|y| v.map(|z| v.map(|u| x ^ y ^ z ^ u).max()).sum()).max()).sum())
    });
    // Rows whose first elements are added up in order.
    on_each_executor!(stops, (v): (&[i64]) -> f64, {
        weld!(|v: &[i64]| v.map(|x| v.map(|y| v.map(|z| f64(v[(x ^ y ^ z) & 1023L])).sum()).max()).sum())
    });
    on_each_executor!(stops, (v): (&[i64]) -> Vec<i64>, {
        weld!(|v: &[i64]| v.flat_map(|x| v.map(|y| v.map(|z| if z > y { v.map(|u| u / 3).count() } else { x }).max())))
    });
    on_each_executor!(stops, (1i64): (i64) -> i64, weld!(|n: i64| iterate(n, |x| (x | 1, x != 0))));
    on_each_executor!(stops, (v): (&[i64]) -> Vec<i64>, {
        weld!(|v: &[i64]| sort(v, |a, b| if v.map(|x| x ^ a ^ b).sum() > 0 { compare(b, a) } else { compare(a, b) }))
    });
    on_each_executor!(stops, (v): (&[i64]) -> Dict<i64, Vec<i64>>, {
        weld!(|v: &[i64]| result(for(v, groupmerger[i64,i64], |b, i, x|
            for(v, b, |b, j, y| for(v, b, |b, k, z| if(x + y + z < 0L, merge(b, {x, z}), b))))))
    });
    on_each_executor!(stops, (v): (&[i64]) -> Vec<i64>, {
        weld!(|v: &[i64]| result(for(v, vecmerger[i64,+](v), |b, i, x|
            for(v, b, |b, j, y| for(v, b, |b, k, z| merge(b, {z, x ^ y}))))))
    });
}

#[test]
fn kernels_run_in_jobs_of_a_rayon_pool() {
    use rayon::prelude::*;
    let v = &numbers()[..];
    let expected: i64 = v.iter().map(|x| x * x).sum();
    on_each_executor!(
        |run: Run<'_>| {
            let calls = if run.is_slow() { 2 } else { 20 };
            for &threads in [0].iter().chain(run.threads) {
                let options = Options::new().threads(threads);
                let once = || {
                    assert!(run.with(&options).is_ok_and(|holds| holds.same_bits(&Value::Bool(true))));
                };
                let pool = rayon::ThreadPoolBuilder::new().num_threads(2).build().unwrap();
                pool.install(|| (0..calls).into_par_iter().for_each(|_| once()));
                (0..calls).into_par_iter().for_each(|_| once());
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
        for &threads in run.threads {
            let seen = Arc::new(Mutex::new(vec![0]));
            let notes = seen.clone();
            let options = Options::new().threads(threads).progress(move |progress| {
                assert_eq!(progress.total, N as u64);
                notes.lock().expect("nobody panics").push(progress.done);
            });
            assert!(run.with(&options).is_ok());
            let seen = seen.lock().expect("nobody panics");
            assert!(seen.is_sorted_by(|a, b| a < b), "{}, {threads} threads: {seen:?}", run.executor);
            assert!(seen.len() > 2, "{}, {threads} threads: {seen:?}", run.executor);
            assert_eq!(seen.last(), Some(&(N as u64)), "{}, {threads} threads", run.executor);
        }
    };
    on_each_executor!(rises, (v): (&[i64]) -> i64, weld!(|v: &[i64]| v.map(|x| x * x).sum()));
    on_each_executor!(rises, (v): (&[i64]) -> Vec<i64>, weld!(|v: &[i64]| v.map(|x| x + 1)));
    on_each_executor!(rises, (v): (&[i64]) -> Vec<i64>, weld!(|v: &[i64]| v.flat_map(|x| (0..x % 3).map(|i| i + x))));
    on_each_executor!(rises, (v): (&[i64]) -> Dict<i64, Vec<i64>>,
        weld!(|v: &[i64]| result(for(v, groupmerger[i64,i64], |b, i, x| merge(b, {x % 10, i})))));
    on_each_executor!(rises, (v): (&[i64]) -> Vec<i64>,
        weld!(|v: &[i64]| result(for(v, vecmerger[i64,+](v), |b, i, x| merge(b, {x, 1L})))));
}

#[test]
fn a_panic_of_the_progress_callback_reaches_the_caller() {
    let v = &numbers()[..];
    let panics = |run: Run<'_>| {
        for &threads in run.threads {
            let options = Options::new().threads(threads).progress(|_| panic!("the caller's own"));
            let run = std::panic::AssertUnwindSafe(|| run.with(&options));
            let panic = std::panic::catch_unwind(run).expect_err("a panic");
            assert_eq!(panic.downcast_ref::<&str>(), Some(&"the caller's own"));
        }
    };
    on_each_executor!(panics, (v): (&[i64]) -> Vec<i64>, weld!(|v: &[i64]| v.map(|x| x + 1)));
}
