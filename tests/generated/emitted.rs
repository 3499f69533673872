//! Programs expanded by the macro and compiled by rustc, many in one crate.

use proptest::collection::vec;
use proptest::prelude::any;
use proptest::strategy::{Strategy, ValueTree};
use proptest::test_runner::{Config, RngAlgorithm, TestRng, TestRunner};
use weldment::{Executor, Form, Options, Program};

use crate::batch;
use crate::outcome::outcome;
use crate::program::{Generated, generate};
use crate::{CUT, LIMITS};

/// How many programs there are at least: compiling one takes a tenth of a second.
const CASES: usize = 150;

/// How many programs make one crate.
const BATCH: usize = 400;

/// How many smaller programs are tried for one that fails; each is a crate of its own.
const SHRINKING: usize = 60;

/// What `generated` should print.
fn expected(generated: &Generated) -> String {
    let program = Program::parse(&generated.text()).expect("a generated program is well-typed");
    let run = program.compile(&CUT.options(Executor::Interpreter)).expect("the interpreter runs it");
    outcome(Options::new(), |options| run.run_with(options, &generated.args))
}

/// Whether a vector of vectors is stored and read row by row only.
fn keeps_rows(generated: &Generated) -> bool {
    let program = Program::parse(&generated.text()).expect("a generated program is well-typed");
    let loops = program.emit(Form::Loops).unwrap_or_else(|error| panic!("{}\n{error}", generated.text()));
    loops.contains("collect rows")
}

/// What is wrong with the first of `programs` that prints something else, and its number.
fn first_failure(programs: &[Generated]) -> Option<(usize, String)> {
    let printed = match batch::run(programs) {
        Ok(printed) => printed,
        Err(error) if programs.len() == 1 => return Some((0, error)),
        // It is one of them.
        Err(_) => {
            let (first, second) = programs.split_at(programs.len() / 2);
            let later = || first_failure(second).map(|(at, why)| (at + first.len(), why));
            return first_failure(first).or_else(later);
        }
    };
    for (number, generated) in programs.iter().enumerate() {
        let expected = expected(generated);
        let mut ways = printed.iter().filter(|printed| printed.program == number).peekable();
        if ways.peek().is_none() {
            return Some((number, "it printed nothing".to_owned()));
        }
        if let Some(other) = ways.find(|printed| printed.outcome != expected) {
            return Some((number, format!("on {}: {}\ninstead of {expected}", other.way, other.outcome)));
        }
    }
    None
}

#[test]
fn generated_programs_give_the_same_bits_as_emitted_rust() {
    let cases =
        std::env::var("WELDMENT_CASES").map_or(CASES, |cases| cases.parse().expect("a number of cases"));
    let rng = TestRng::deterministic_rng(RngAlgorithm::ChaCha);
    let mut runner = TestRunner::new_with_rng(Config::default(), rng);
    let tapes = vec(any::<u16>(), 0..400);
    let mut trees: Vec<_> =
        (0..cases).map(|_| tapes.new_tree(&mut runner).expect("nothing is filtered")).collect();
    let mut keep_rows = 0;
    for batch in trees.chunks_mut(BATCH) {
        let programs: Vec<_> = batch.iter().map(|tree| generate(&tree.current(), LIMITS)).collect();
        keep_rows += programs.iter().filter(|generated| keeps_rows(generated)).count();
        let Some((number, mut why)) = first_failure(&programs) else { continue };
        let (tree, mut smallest) = (&mut batch[number], programs[number].clone());
        for _ in 0..SHRINKING {
            let generated = generate(&tree.current(), LIMITS);
            let more = match first_failure(std::slice::from_ref(&generated)) {
                Some((_, reason)) => {
                    (smallest, why) = (generated, reason);
                    tree.simplify()
                }
                None => tree.complicate(),
            };
            if !more {
                break;
            }
        }
        panic!("{}\non {:?}\n{why}", smallest.text(), smallest.args);
    }
    assert!(keep_rows > 0 || cases < CASES, "no program keeps rows one after the other");
}
