//! The workloads, one file for those of one input.

mod again;
mod filters;
mod groups;
mod histogram;
mod joins;
mod matrix;
mod narrow;
mod options;
mod outputs;
mod sorts;
mod sparse;
mod sums;
mod tpch;

pub(crate) mod pieces;
mod slots;
pub(crate) mod small;

use crate::run::Bench;

/// All of them, in the order of the table.
pub(crate) const ALL: &[fn(&mut Bench<'_>)] = &[
    sums::run,
    outputs::run,
    again::run,
    filters::run,
    narrow::run,
    histogram::run,
    matrix::run,
    sparse::run,
    options::run,
    groups::run,
    joins::run,
    sorts::run,
    tpch::run,
    small::run,
];
