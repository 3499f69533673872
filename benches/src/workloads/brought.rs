//! What users bring: kinds of work that nothing was tuned for, each beside the loop that a good Rust programmer writes with rayon in an hour.

mod answers;
mod events;
mod images;
mod learning;
mod numbers;
mod tables;
mod texts;

use crate::bench::Bench;

pub(crate) fn run(bench: &mut Bench<'_>) {
    learning::run(bench);
    events::run(bench);
    tables::run(bench);
    images::run(bench);
    numbers::run(bench);
    texts::run(bench);
}
