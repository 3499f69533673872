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

fn check(case: &Case) -> Vec<String> {
    let program = Program::parse(case.text).expect("the macro accepts it");
    let args = (case.args)(Size::Small);
    let mut check = Check { case, calls: opaque::calls(), failures: Vec::new() };
    let plain =
        CompileOptions { executor: Executor::Interpreter, optimize: false, ..CompileOptions::default() };
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
    opaque::load();
    let failures: Vec<String> = cases::all().flat_map(check).collect();
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
}
