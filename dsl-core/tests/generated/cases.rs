//! Many programs, always the same ones, and the smallest that fails.

use proptest::collection::vec;
use proptest::prelude::any;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestError, TestRng, TestRunner};

use crate::program::{Generated, Limits, generate};

/// The longest tape.
const TAPE: usize = 400;

/// Runs `check` on as many generated programs as the environment variable `WELDMENT_CASES` says, else on `cases`. What
/// fails is shrunk.
///
/// # Panics
/// A program fails.
pub(crate) fn for_each_program(cases: u32, limits: Limits, check: impl Fn(&Generated) -> Result<(), String>) {
    for_each_tape(cases, limits, |tape, limits| check(&generate(tape, limits)));
}

/// As [`for_each_program`], where `check` generates what it needs.
///
/// # Panics
/// A program fails.
pub(crate) fn for_each_tape(
    cases: u32,
    limits: Limits,
    check: impl Fn(&[u16], Limits) -> Result<(), String>,
) {
    let cases =
        std::env::var("WELDMENT_CASES").map_or(cases, |cases| cases.parse().expect("a number of cases"));
    let config = Config { cases, failure_persistence: None, max_shrink_iters: 1500, ..Config::default() };
    let mut runner = TestRunner::new_with_rng(config, TestRng::deterministic_rng(RngAlgorithm::ChaCha));
    let outcome =
        runner.run(&vec(any::<u16>(), 0..TAPE), |tape| check(&tape, limits).map_err(TestCaseError::fail));
    match outcome {
        Ok(()) => {}
        Err(TestError::Fail(why, tape)) => {
            let generated = generate(&tape, limits);
            panic!("{}\non {:?}\n{why}", generated.text(), generated.args);
        }
        Err(TestError::Abort(why)) => panic!("{why}"),
    }
}
