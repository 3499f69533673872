//! Generated programs give the same bits on every executor, on several threads and in small chunks: the interpreter
//! says what is right.
//!
//! They are always the same programs; `WELDMENT_CASES=1000 cargo test --features llvm --test generated` goes on from
//! there. What fails is shrunk.

#[cfg(feature = "llvm")]
#[path = "../../dsl-core/tests/generated/cases.rs"]
mod cases;
// Shared with other tests, which use more of it.
#[expect(dead_code)]
#[path = "../it/executors.rs"]
mod executors;
#[path = "../../dsl-core/tests/generated/program/mod.rs"]
mod program;

mod batch;
#[cfg(feature = "llvm")]
mod compiled;
mod emitted;
mod foreign;
#[cfg(feature = "llvm")]
mod known;
mod literal;
mod outcome;
#[path = "../user_crate/mod.rs"]
mod user_crate;

use executors::Cut;
use foreign::foreign;
use program::{Folds, Limits};

/// Every executor folds in the same order, so sums need not be exact.
const LIMITS: Limits = Limits { folds: Folds::Free, foreign: true, spelling: None };

/// Small chunks and segments, so that short inputs have several.
const CUT: Cut = Cut::of(3, 5);

/// Programs are run one after the other: each takes several threads itself.
const ONE_THREAD: Option<usize> = Some(1);
