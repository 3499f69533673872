//! The workloads, one file for those of one input.

pub mod filters;
pub mod groups;
pub mod histogram;
pub mod matrix;
pub mod options;
pub mod sums;
pub mod tpch;

mod pieces;

use crate::run::Bench;

/// All of them, in the order of the table.
pub(crate) const ALL: &[fn(&mut Bench<'_>)] =
    &[sums::run, filters::run, histogram::run, matrix::run, options::run, groups::run, tpch::run];
