//! The math functions beside references of twice the precision.
//!
//! `WELDMENT_CASES` is the number of samples of each interval: a release build has time for a million.

mod accuracy;
mod double;
mod limits;
mod reference;
mod trace;
