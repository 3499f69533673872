//! Many programs, always the same ones, and the smallest that fails.

use std::cell::Cell;
use std::num::NonZero;
use std::thread;

use proptest::collection::vec;
use proptest::prelude::any;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

use crate::program::{Generated, Limits, generate};

/// The longest tape.
const TAPE: usize = 400;

/// Runs `check` on as many generated programs as the environment variable `WELDMENT_CASES` says, else on `cases`: on so many
/// threads, or one for each processor. What fails is shrunk.
///
/// # Panics
/// A program fails.
pub(crate) fn for_each_program(
    cases: u32,
    threads: Option<usize>,
    limits: Limits,
    check: impl Fn(&Generated) -> Result<(), String> + Sync,
) {
    for_each_tape(cases, threads, limits, |tape, limits| check(&generate(tape, limits)));
}

/// As [`for_each_program`], where `check` generates what it needs.
///
/// # Panics
/// A program fails.
pub(crate) fn for_each_tape(
    cases: u32,
    threads: Option<usize>,
    limits: Limits,
    check: impl Fn(&[u16], Limits) -> Result<(), String> + Sync,
) {
    let cases =
        std::env::var("WELDMENT_CASES").map_or(cases, |cases| cases.parse().expect("a number of cases"));
    let workers = threads.unwrap_or_else(|| thread::available_parallelism().map_or(1, NonZero::get));
    let outcomes: Vec<_> = thread::scope(|scope| {
        let check = &check;
        let work =
            |worker| scope.spawn(move || every_nth(cases, worker, workers, |tape| check(tape, limits)));
        let workers: Vec<_> = (0..workers).map(work).collect();
        workers.into_iter().map(|worker| worker.join().expect("proptest catches what panics")).collect()
    });
    for outcome in outcomes {
        match outcome {
            Ok(()) => {}
            Err(TestError::Fail(why, tape)) => {
                let generated = generate(&tape, limits);
                panic!("{}\non {:?}\n{why}", generated.text(), generated.args);
            }
            Err(TestError::Abort(why)) => panic!("{why}"),
        }
    }
}

/// What one of several workers has to check: every so many of the tapes, which all of them make.
fn every_nth(
    cases: u32,
    worker: usize,
    workers: usize,
    check: impl Fn(&[u16]) -> Result<(), String>,
) -> Result<(), TestError<Vec<u16>>> {
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 1500, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let made = Cell::new(0);
    // From then on the tapes are what is left of the one that failed.
    let failed = Cell::new(false);
    runner.run(&vec(any::<u16>(), 0..TAPE), |tape| {
        let turn = made.replace(made.get() + 1);
        if failed.get() || turn % workers == worker {
            let before = failed.replace(true);
            check(&tape).map_err(TestCaseError::fail)?;
            failed.set(before);
        }
        Ok(())
    })
}
