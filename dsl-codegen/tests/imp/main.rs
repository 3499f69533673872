//! Low-level code of generated programs and of those that the tests of the facade spell twice: it prints and parses to the same
//! text, the verifier accepts it, and it comes to what the interpreter of the core says, bit for bit, however loops are cut.
//!
//! `WELDMENT_CASES=5000 cargo test -p weldment-codegen --test imp` goes on from the programs that are always generated.

#[path = "../../../dsl-core/tests/generated/cases.rs"]
mod cases;
// Shared with other tests, which use more of it.
#[expect(dead_code)]
#[path = "../../../dsl-core/tests/generated/program/mod.rs"]
mod program;

mod interp;
mod judge;
mod passes;
mod rows;
mod spelled;

use weldment_core::front;

use judge::Judge;
use program::{Folds, Limits};

const LIMITS: Limits = Limits { folds: Folds::Free, foreign: true, spelling: None };

#[test]
fn generated_programs_come_to_the_same() {
    cases::for_each_program(60, None, LIMITS, |generated| {
        let lowered = front::from_text(&generated.text()).map_err(|errors| format!("{errors:?}"))?;
        Judge::of(lowered)?.check(&generated.args)
    });
}
