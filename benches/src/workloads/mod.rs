//! The workloads, one file for those of one input.

mod again;
mod arrays;
mod brought;
mod filters;
mod gathers;
mod groups;
mod histogram;
mod joins;
mod matrix;
mod medians;
mod monte_carlo;
mod narrow;
mod nullable;
mod options;
mod outputs;
mod scans;
mod searches;
mod sorts;
mod sparse;
mod sums;
mod tpch;
mod vocabulary;
mod windows;

pub(crate) mod pieces;
mod slots;
mod small;

use crate::args::Args;
use crate::bench::Bench;
use crate::table::Row;

/// All of them, in the order of the table.
const ALL: &[fn(&mut Bench<'_>)] = &[
    sums::run,
    outputs::run,
    again::run,
    filters::run,
    gathers::run,
    narrow::run,
    nullable::run,
    searches::run,
    histogram::run,
    matrix::run,
    arrays::run,
    sparse::run,
    options::run,
    scans::run,
    vocabulary::run,
    monte_carlo::run,
    windows::run,
    medians::run,
    groups::run,
    joins::run,
    sorts::run,
    tpch::run,
    small::run,
    brought::run,
];

/// The names of those that the command line chooses.
pub(crate) fn names(args: &Args) -> Vec<String> {
    bench(args, None).into_names()
}

/// The rows of the workload called `name`, run in this process.
///
/// # Errors
/// The contestants that do not agree.
pub(crate) fn run(args: &Args, name: &str) -> Result<Vec<Row>, String> {
    bench(args, Some(name)).into_rows()
}

/// What all of them have been handed, of which one may be running.
fn bench<'a>(args: &'a Args, running: Option<&'a str>) -> Bench<'a> {
    let mut bench = Bench::new(args, running);
    ALL.iter().for_each(|workload| workload(&mut bench));
    bench
}
