//! Every executor on one program: the interpreter says what is right, the others must give the same bits, or the same
//! fault.

use proptest::prelude::*;
use weldment::__private::rt::exec::cpu::Isa;
use weldment::__private::rt::exec::options::Testing;
#[cfg(feature = "llvm")]
use weldment::Level;
use weldment::{CompileOptions, Executor, Fault, Options, Program, Value};

/// How loops are cut: the iterations of a chunk and of a segment; `None` is what the loop's cost says.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Cut {
    pub(crate) chunk: Option<u64>,
    pub(crate) segment: Option<u64>,
}

impl Cut {
    /// As the loop's cost says.
    pub(crate) const COST: Cut = Cut { chunk: None, segment: None };

    /// Chunks of `chunk` iterations, and segments of `segment` rounded up to whole chunks.
    pub(crate) const fn of(chunk: u64, segment: u64) -> Cut {
        Cut { chunk: Some(chunk), segment: Some(segment) }
    }

    /// How to compile for it, with the foreign functions of the tests.
    pub(crate) fn options(self, executor: Executor) -> CompileOptions {
        let Cut { chunk, segment } = self;
        CompileOptions { executor, chunk, segment, foreign: crate::foreign(), ..CompileOptions::default() }
    }

    /// Loops cut like this on `threads` threads; on more than one, short loops are split too.
    pub(crate) fn on(self, threads: usize, isa: Option<Isa>) -> Options {
        let Cut { chunk, segment } = self;
        // Many keys are few on one way in two.
        let (force_parallel, partition_threshold) = (threads > 1, [None, Some(3)][threads % 2]);
        Options::new().threads(threads).testing(Testing {
            chunk,
            segment,
            force_parallel,
            isa,
            partition_threshold,
        })
    }
}

/// Numbers of threads: the caller's own, and more than one, of which one is more than there are chunks.
pub(crate) const THREADS: [usize; 3] = [1, 2, 7];

/// What the program means.
pub(crate) fn interpreted(program: &Program, cut: Cut, args: &[Value]) -> Result<Value, Fault> {
    let program = program.compile(&cut.options(Executor::Interpreter)).expect("the interpreter runs it");
    program.run(args)
}

/// Every way to run a kernel of emitted Rust: threads and instruction sets.
pub(crate) fn emitted_ways(cut: Cut) -> Vec<Options> {
    let sets = [Isa::Baseline, Isa::Avx2, Isa::Avx512];
    THREADS.into_iter().flat_map(|threads| sets.map(|isa| cut.on(threads, Some(isa)))).collect()
}

/// Runs `program`, compiled by LLVM, in every way and hands `check` what it gives: as it is cut by default, not optimised by LLVM, too.
#[cfg(feature = "llvm")]
pub(crate) fn compiled(
    program: &Program,
    cut: Cut,
    args: &[Value],
    mut check: impl FnMut(&Options, Result<Value, Fault>),
) {
    let levels = if cut == Cut::COST { &[Level::Full, Level::None][..] } else { &[Level::Full] };
    for &level in levels {
        let options = CompileOptions { level, ..cut.options(Executor::Llvm) };
        let compiled = program.compile(&options).expect("LLVM compiles it");
        for threads in THREADS {
            let way = cut.on(threads, None);
            check(&way, compiled.run_with(&way, args));
        }
    }
}

/// Runs `program` as it is written, compiled by LLVM, in every way, and hands `check` what it gives and what the interpreter gives.
#[cfg(feature = "llvm")]
pub(crate) fn as_written(
    program: &Program,
    cut: Cut,
    args: &[Value],
    mut check: impl FnMut(&Options, Result<Value, Fault>, &Result<Value, Fault>),
) {
    let compile = |executor| {
        let options = CompileOptions { optimize: false, ..cut.options(executor) };
        program.compile(&options).expect("every executor runs it")
    };
    let expected = compile(Executor::Interpreter).run(args);
    let compiled = compile(Executor::Llvm);
    for threads in THREADS {
        let way = cut.on(threads, None);
        check(&way, compiled.run_with(&way, args), &expected);
    }
}

/// Whether two runs ended alike: with the same bits, or with the same fault.
pub(crate) fn same(got: &Result<Value, Fault>, expected: &Result<Value, Fault>) -> bool {
    match (got, expected) {
        (Ok(got), Ok(expected)) => got.same_bits(expected),
        (Err(got), Err(expected)) => got == expected,
        _ => false,
    }
}

/// Runs a program that was generated with each of `calls`, on every executor, in chunks of so many iterations and of as many as they have by
/// themselves, on several threads: it never faults, and gives what it gives as it is written.
pub(crate) fn as_plain(text: &str, calls: &[Vec<Value>], chunk: u64) -> Result<(), TestCaseError> {
    let program = Program::parse(text).map_err(|error| TestCaseError::fail(format!("{text}: {error}")))?;
    let compile = |executor, optimize, chunk| {
        let options = CompileOptions { executor, optimize, chunk, ..CompileOptions::default() };
        program.compile(&options).expect("every executor runs it")
    };
    let plain = compile(Executor::Interpreter, false, None);
    let ways = [
        (Executor::Interpreter, Some(chunk)),
        #[cfg(feature = "llvm")]
        (Executor::Llvm, None),
        #[cfg(feature = "llvm")]
        (Executor::Llvm, Some(chunk)),
    ];
    let compiled = ways.map(|(executor, chunk)| compile(executor, true, chunk));
    for args in calls {
        let expected = plain.run_with(&Options::new(), args);
        prop_assert!(expected.is_ok(), "{text}, {args:?}: {expected:?}");
        for executable in &compiled {
            for threads in THREADS {
                let got = executable.run_with(&Options::new().threads(threads), args);
                prop_assert!(same(&got, &expected), "{text}, {args:?}: {got:?}, {expected:?}");
            }
        }
    }
    Ok(())
}
