//! What the cases come to, plain and optimised, on every executor, on any number of threads and however loops are cut;
//! and how often they call the opaque function.

use std::fmt::Debug;

use weldment::{CompileOptions, Executor, Fault, Options, Program, Value};

use crate::executors::{self, Cut};
use crate::measure::alone;
use crate::table::{Case, Size, Way};
use crate::{cases, opaque};

const CUTS: [Cut; 2] = [Cut::COST, Cut::of(3, 5)];

/// Checks outcomes, and the calls between them.
struct Check<'a> {
    case: &'a Case,
    calls: i64,
    failures: Vec<String>,
}

impl Check<'_> {
    fn outcome(&mut self, way: &dyn Debug, got: &Result<Value, Fault>, most_calls: i64) {
        let calls = opaque::calls() - std::mem::replace(&mut self.calls, opaque::calls());
        let expected = (self.case.expected)();
        let least_calls = self.case.calls as i64;
        if !expected.is(got) || !(least_calls..=most_calls).contains(&calls) {
            let Case { number, what, .. } = self.case;
            self.failures.push(format!(
                "{number} {what}, {way:?}: {got:?} with {calls} calls\ninstead of {expected:?} with {least_calls}"
            ));
        }
    }
}

fn unoptimised() -> CompileOptions {
    let foreign = opaque::foreign();
    CompileOptions { executor: Executor::Interpreter, optimize: false, foreign, ..CompileOptions::default() }
}

fn check(case: &Case) -> Vec<String> {
    let program = Program::parse(case.text).expect("the macro accepts it");
    let args = (case.args)(Size::Small);
    let mut check = Check { case, calls: opaque::calls(), failures: Vec::new() };
    let plain = unoptimised();
    let plain = program.compile(&plain).expect("the interpreter runs it");
    let (got, _) = (case.run)(Size::Small, Way::Compiled(&plain, &Options::new()));
    check.outcome(&"plain", &got, i64::MAX);

    let calls = case.calls as i64;
    for cut in CUTS {
        check.outcome(&cut, &executors::interpreted(&program, cut, &args), calls);
        for options in executors::emitted_ways(cut) {
            let (got, _) = (case.run)(Size::Small, Way::Emitted(&options));
            check.outcome(&options, &got, calls);
        }
        #[cfg(feature = "llvm")]
        executors::compiled(&program, cut, &args, |options, got| {
            check.outcome(&("LLVM", options), &got, calls);
        });
    }
    check.failures
}

#[test]
fn every_executor_gives_the_expected_results() {
    let _alone = alone();
    let failures: Vec<String> = cases::all().flat_map(check).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}

/// As many elements as a table of keys is worth, and a number that no block, chunk or lane divides.
const MANY: Size = Size::Scaled(1009);

/// Whether two runs ended alike: with the same bits, or the same kind of fault.
fn alike(one: &Result<Value, Fault>, other: &Result<Value, Fault>) -> bool {
    match (one, other) {
        (Ok(one), Ok(other)) => one.same_bits(other),
        (Err(one), Err(other)) => one.kind == other.kind,
        _ => false,
    }
}

/// The same but for how a sum of floats was rounded, which fusion may change.
fn alike_but_rounded(one: &Result<Value, Fault>, other: &Result<Value, Fault>) -> bool {
    match (one, other) {
        (Ok(Value::F64(one)), Ok(Value::F64(other))) => (one - other).abs() <= 1e-12 * one.abs(),
        _ => alike(one, other),
    }
}

fn check_many(case: &Case) -> Vec<String> {
    let Case { number, what, .. } = case;
    let program = Program::parse(case.text).expect("the macro accepts it");
    let args = (case.args)(MANY);
    let plain = unoptimised();
    let plain = program.compile(&plain).expect("the interpreter runs it");
    let (plain, _) = (case.run)(MANY, Way::Compiled(&plain, &Options::new()));
    let optimised = executors::interpreted(&program, Cut::COST, &args);
    let mut failures = Vec::new();
    if !alike_but_rounded(&plain, &optimised) {
        failures.push(format!("{number} {what}, optimised: {optimised:?}\ninstead of {plain:?}"));
    }
    let mut compare = |way: &dyn Debug, got: &Result<Value, Fault>| {
        if !alike(&optimised, got) {
            failures.push(format!("{number} {what}, {way:?}: {got:?}\ninstead of {optimised:?}"));
        }
    };
    for options in executors::emitted_ways(Cut::COST) {
        compare(&options, &(case.run)(MANY, Way::Emitted(&options)).0);
    }
    #[cfg(feature = "llvm")]
    executors::compiled(&program, Cut::COST, &args, |options, got| compare(&("LLVM", options), &got));
    failures
}

#[test]
fn many_elements_come_to_the_same_plain_and_optimised_on_every_executor() {
    let _alone = alone();
    let failures: Vec<String> = cases::all().flat_map(check_many).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}
