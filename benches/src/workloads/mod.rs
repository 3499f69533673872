//! The workloads, one file for those of one input.

mod filters;
mod groups;
mod histogram;
mod matrix;
mod options;
mod sums;
mod tpch;

mod pieces;
pub(crate) mod small;

use crate::run::Bench;

/// All of them, in the order of the table.
pub(crate) const ALL: &[fn(&mut Bench<'_>)] =
    &[sums::run, filters::run, histogram::run, matrix::run, options::run, groups::run, tpch::run, small::run];
