//! What users bring: kinds of work that nothing was tuned for, each beside the loop that a good Rust programmer writes with rayon in an hour.

mod events;
mod images;
mod learning;
mod numbers;
mod tables;

use crate::bench::Bench;
use crate::contest::{Answer, Column};

/// How long we may take, in times of the loop by hand.
const TARGET: Option<f64> = Some(1.25);

pub(crate) fn run(bench: &mut Bench<'_>) {
    learning::run(bench);
    events::run(bench);
    tables::run(bench);
    images::run(bench);
    numbers::run(bench);
}

fn integers(numbers: Vec<i64>) -> Answer {
    vec![Column::Integers(numbers)]
}

fn floats(numbers: Vec<f64>) -> Answer {
    vec![Column::Floats(numbers)]
}
