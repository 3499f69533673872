//! Generated programs, which are always well typed, mean the same plain and optimised, interpreted and compiled.
//!
//! The input is the tape of the generator that the property tests use, as little-endian pairs of bytes.
#![no_main]

mod executors;
// Shared with tests, which use more of it.
#[expect(dead_code)]
#[path = "../../dsl-core/tests/generated/program/mod.rs"]
mod program;

use libfuzzer_sys::fuzz_target;
use weldment_core::front;

use executors::Sums;
use program::{Folds, Limits, generate};

fuzz_target!(|input: &[u8]| {
    let tape: Vec<u16> = input.chunks_exact(2).map(|pair| u16::from_le_bytes([pair[0], pair[1]])).collect();
    // A last byte without another says whether sums may round.
    let exact = input.len() % 2 == 0;
    let limits =
        Limits { folds: if exact { Folds::Exact } else { Folds::Free }, foreign: false, spelling: None };
    let generated = generate(&tape, limits);
    let source = generated.text();
    let lowered = front::from_text(&source).unwrap_or_else(|errors| {
        panic!("{} at {}\n{source}", errors[0], errors[0].position());
    });
    proc_macro2::extra::invalidate_current_thread_spans();
    executors::check(&source, &lowered, &generated.args, if exact { Sums::Exact } else { Sums::Rounded });
});
