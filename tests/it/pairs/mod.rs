//! Programs in both spellings of the language. For each: the two are one program, down to the IR; its result was
//! written by hand; and every executor gives that result, on any number of threads and however loops are cut.
//!
//! A file of pairs is its own input: what stands in `weld!(…)` is compiled by the macro as emitted Rust, and cut out
//! of the file's text, with everything before it blank, for the executors at run time. So a fault has the same
//! place everywhere: that of its token in the file.

mod check;

mod aggregates;
mod builders;
mod choices;
mod control;
mod dictionaries;
mod edges;
mod faults;
mod folds;
mod groups;
mod scalars;
mod sorts;
mod states;
mod stores;
mod vectors;

use std::io::Write;

use weldment::{Argument, Fault, FaultKind, Options, Value};

/// A program in both spellings.
struct Pair {
    name: &'static str,
    /// The text of the file in which the program stands.
    file: &'static str,
    /// The program in Weld's spelling.
    weld: &'static str,
    args: fn() -> Vec<Value>,
    expected: fn() -> Outcome,
    /// The program in Rust's spelling, run as emitted Rust.
    emitted: Emitted,
}

/// A kernel of emitted Rust, with its arguments.
type Emitted = fn(&Options) -> Result<Value, Fault>;

/// What a program should come to.
#[derive(Debug)]
pub(crate) enum Outcome {
    Value(Value),
    /// A fault of this kind, at this token, which stands once in the program or is the first of its like.
    Fault(FaultKind, &'static str),
}

impl<T: Argument> From<T> for Outcome {
    fn from(value: T) -> Outcome {
        Outcome::Value(value.to_value())
    }
}

/// `name(arguments) = result; weld!(Rust's spelling), "Weld's spelling";` for each program of a file.
macro_rules! pairs {
    ($($name:ident($($arg:expr),*) = $expected:expr; weld!($($rust:tt)*), $weld:expr;)*) => {
        pub(super) const PAIRS: &[$crate::pairs::Pair] = &[$($crate::pairs::Pair {
            name: stringify!($name),
            file: include_str!(concat!(env!("CARGO_MANIFEST_DIR"), "/", file!())),
            weld: $weld,
            args: || vec![$(weldment::Argument::to_value(&$arg)),*],
            expected: || $crate::pairs::Outcome::from($expected),
            emitted: |options| {
                let kernel = weldment::weld!($($rust)*);
                kernel.with(options).call($($arg),*).map(|value| weldment::Element::to_value(&value))
            },
        }),*];
    };
}
use pairs;

#[test]
fn both_spellings_give_the_expected_result_on_every_executor() {
    let files = [
        aggregates::PAIRS,
        builders::PAIRS,
        choices::PAIRS,
        control::PAIRS,
        dictionaries::PAIRS,
        edges::PAIRS,
        faults::PAIRS,
        folds::PAIRS,
        groups::PAIRS,
        scalars::PAIRS,
        sorts::PAIRS,
        states::PAIRS,
        stores::PAIRS,
        vectors::PAIRS,
    ];
    let mut tally = check::Tally::default();
    let mut failures = Vec::new();
    for pair in files.into_iter().flatten() {
        failures.extend(check::check(pair, &mut tally));
    }
    assert!(failures.is_empty(), "{}", failures.join("\n\n"));
    assert!(tally.interp >= 32, "only {} programs", tally.interp);
    // Past the capture of the test harness: `./test` shows these lines.
    let _ = write!(std::io::stdout(), "\n{tally}");
}
