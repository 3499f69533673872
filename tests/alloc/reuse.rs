//! Memory is used again: results are written to what the caller has, and vectors that a program stores to what others have
//! left.

use std::sync::atomic::Ordering;

use weldment::{Buffers, Dict, Element, Fault, FaultKind, Options, weld};

use crate::Rows;
use crate::allocator::{LARGE, LARGE_BLOCKS};

/// The blocks of 32 KiB and more that `work` asks for. The list of the tasks that wait for one that a thread was interrupted in is
/// smaller: of a million rows there are less than 256, of some 70 bytes.
fn large_blocks(work: impl FnOnce()) -> usize {
    LARGE.store(1 << 15, Ordering::Relaxed);
    let before = LARGE_BLOCKS.load(Ordering::Relaxed);
    work();
    let blocks = LARGE_BLOCKS.load(Ordering::Relaxed) - before;
    LARGE.store(usize::MAX, Ordering::Relaxed);
    blocks
}

/// A program by an executor, on the arguments of a test.
struct Run<'a, R> {
    name: &'a str,
    /// Whether what it asks for does not depend on which thread comes first: in LLVM's programs the chunks of a vector of
    /// unknown length are blocks of their own.
    is_steady: bool,
    call: &'a dyn Fn(&Options) -> Result<R, Fault>,
    call_into: &'a dyn Fn(&Options, &mut R) -> Result<(), Fault>,
}

/// What is to be seen of a program, by emitted Rust and by LLVM.
#[derive(Clone, Copy)]
struct Seen {
    rust: usize,
    #[cfg_attr(not(feature = "llvm"), expect(dead_code, reason = "there is no LLVM"))]
    llvm: usize,
    /// Whether emitted Rust asks for as many blocks each time, on whatever number of threads.
    is_steady: bool,
}

impl Seen {
    const fn of(rust: usize, llvm: usize) -> Seen {
        Seen { rust, llvm, is_steady: true }
    }

    /// Of a table, which begins as large as those of the segments that came to their end before, and of a filter, of which threads that
    /// come before their turn write to other memory.
    const fn varying(self) -> Seen {
        Seen { is_steady: false, ..self }
    }
}

/// Gives `$check` the kernel as emitted Rust and, where it is there, as LLVM compiles it, each as a [`Run`] with what is to be
/// [`Seen`].
macro_rules! on_each_executor {
    ($check:expr, $name:literal, $seen:expr, ($($arg:expr),*): ($($arg_ty:ty),*) -> $result:ty, $kernel:expr) => {{
        let kernel = $kernel;
        let run = Run::<$result> {
            name: concat!($name, ", emitted Rust"),
            is_steady: $seen.is_steady,
            call: &|options| kernel.with(options).call($($arg),*),
            call_into: &|options, out| kernel.with(options).call_into(out, $($arg),*),
        };
        $check(run, $seen.rust);
        #[cfg(feature = "llvm")]
        {
            use weldment::{CompileOptions, Executor, ToProgram};
            let options = CompileOptions { executor: Executor::Llvm, ..CompileOptions::default() };
            let compiled = kernel.program().compile(&options).expect("LLVM compiles it");
            let run = Run::<$result> {
                name: concat!($name, ", LLVM"),
                is_steady: false,
                call: &|options| compiled.call_with::<($($arg_ty,)*), $result>(options, ($($arg,)*)),
                call_into: &|options, out| {
                    compiled.call_into_with::<($($arg_ty,)*), $result>(options, out, ($($arg,)*))
                },
            };
            $check(run, $seen.llvm);
        }
    }};
}

/// A second call asks for at least `saved` large blocks less than a call whose result is new memory, and gives the same.
fn saves<R: Element + PartialEq>(run: Run<'_, R>, saved: usize) {
    for threads in [1, 2, 7] {
        let options = Options::new().threads(threads);
        // Threads start once.
        let expected = (run.call)(&options).expect("no fault");
        let of_fresh = large_blocks(|| drop((run.call)(&options)));
        let mut out = R::zero();
        for time in ["first", "second", "third"] {
            let blocks = large_blocks(|| (run.call_into)(&options, &mut out).expect("no fault"));
            assert!(out == expected, "{}, {threads} threads, {time} call", run.name);
            if time != "first" && (run.is_steady || threads == 1) {
                let wanted = of_fresh - saved;
                assert!(blocks <= wanted, "{}, {threads} threads: {blocks}, {of_fresh} if new", run.name);
            }
        }
        // A run that may hold half of the result is none the worse for it, and leaves what may be filled again.
        let limited = options.clone().memory_limit(1 << 14);
        let fault = (run.call_into)(&limited, &mut out).expect_err(run.name);
        assert_eq!(fault.kind, FaultKind::MemoryLimit);
        assert!(out == R::zero(), "{}", run.name);
        (run.call_into)(&options, &mut out).expect("no fault");
        assert!(out == expected, "{}, {threads} threads, after a fault", run.name);
    }
}

/// See [`saves`].
pub(crate) fn results_are_written_to_what_the_caller_has(rows: &Rows) {
    let (price, day) = (&rows.price[..], &rows.day[..]);
    on_each_executor!(saves, "a map", Seen::of(1, 1), (price): (&[f64]) -> Vec<f64>,
        weld!(|x: &[f64]| x.map(|x| x * 2.0)));
    on_each_executor!(saves, "a filter", Seen::of(1, 1).varying(), (price): (&[f64]) -> Vec<f64>,
        weld!(|x: &[f64]| x.filter(|x| x > 100.0)));
    on_each_executor!(saves, "columns", Seen::of(3, 3).varying(),
        (price, day): (&[f64], &[i32]) -> (Vec<f64>, (f64, Vec<i32>), Vec<f64>),
        weld!(|x: &[f64], d: &[i32]| (x.map(|x| x * 2.0), (x.sum(), d.map(|d| d + 1)), x.filter(|x| x > 500.0))));
    on_each_executor!(saves, "a vector of structs", Seen::of(1, 1),
        (price, day): (&[f64], &[i32]) -> Vec<(f64, f64)>,
        weld!(|x: &[f64], d: &[i32]| zip(x, d).map(|(x, d)| (x, x * f64(d)))));
    on_each_executor!(saves, "a dictionary", Seen::of(2, 2).varying(), (price): (&[f64]) -> Dict<i64, f64>,
        weld!(|x: &[f64]| result(for(x, dictmerger[i64,f64,+], |b, i, x| merge(b, {i % 5000, x})))));
    on_each_executor!(saves, "groups", Seen::of(4, 4), (&rows.flag, price): (&[u8], &[f64]) -> Dict<u8, Vec<f64>>,
        weld!(|f: &[u8], x: &[f64]| result(for(zip(f, x), groupmerger[u8,f64], |b, i, (f, x)| merge(b, {f, x})))));
}

/// With buffers, a second call asks for no more large blocks than its result has, of which there are `results`.
fn leaves<R: Element + PartialEq>(run: Run<'_, R>, results: usize) {
    for threads in [1, 2, 7] {
        let expected = (run.call)(&Options::new().threads(threads)).expect("no fault");
        let buffers = Buffers::new(1 << 30);
        let options = Options::new().threads(threads).buffers(&buffers);
        let call = || assert!((run.call)(&options).expect("no fault") == expected, "{}", run.name);
        call();
        assert!(buffers.held() >= 8_000_000, "{}: {} bytes are left", run.name, buffers.held());
        let blocks = large_blocks(|| drop((run.call)(&options)));
        assert!(blocks <= results, "{}, {threads} threads: {blocks}", run.name);
        call();
        buffers.clear();
        assert_eq!(buffers.held(), 0);
        let small = Buffers::new(1 << 20);
        (run.call)(&Options::new().threads(threads).buffers(&small)).expect("no fault");
        assert_eq!(small.held(), 0, "{}: nothing that is too large is kept", run.name);
    }
}

/// A plain call asks for `blocks` large blocks.
fn asks_for<R: Element>(run: Run<'_, R>, blocks: usize) {
    let options = Options::new().threads(1);
    drop((run.call)(&options));
    assert_eq!(large_blocks(|| drop((run.call)(&options))), blocks, "{}", run.name);
}

/// See [`leaves`].
pub(crate) fn memory_is_left_to_what_comes(rows: &Rows) {
    let price = &rows.price[..];
    // The mean is known when the first loop is done, and the squares are costly: both vectors are stored.
    on_each_executor!(leaves, "a stored vector", Seen::of(1, 1), (price): (&[f64]) -> Vec<f64>,
        weld!(|x: &[f64]| { let e = x.map(|x| exp(x / 1000.0)); let s = e.sum(); e.map(|e| e / s) }));
    // Three are stored, of which two are there at a time.
    on_each_executor!(asks_for, "stored one after the other", Seen::of(2, 2), (price): (&[f64]) -> f64,
    weld!(|x: &[f64]| {
        let e = x.map(|x| exp(x / 1000.0));
        let s = e.sum();
        let f = e.map(|e| exp(e / s));
        let t = f.sum();
        f.map(|f| f / t).max()
    }));
}
