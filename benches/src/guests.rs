//! Contestants from outside.

use crate::contest::Contestant;
use crate::workloads::groups::Keyed;
use crate::workloads::histogram::Bins;
use crate::workloads::matrix::Matrix;
use crate::workloads::options::Options;
use crate::workloads::sums::Numbers;
use crate::workloads::tpch::Lineitem;

/// Engines of others, which take part in the contests they can: by default in none.
pub trait Guests {
    /// The sum of squares of a column.
    fn sum_of_squares<'d>(&self, _: &'d Numbers) -> Vec<Contestant<'d>> {
        Vec::new()
    }

    /// What `filter`, `map` and `sum` make of a column.
    fn chain<'d>(&self, _: &'d Numbers) -> Vec<Contestant<'d>> {
        Vec::new()
    }

    /// The elements below a bound.
    fn filter<'d>(&self, _: &'d Numbers, _: f64) -> Vec<Contestant<'d>> {
        Vec::new()
    }

    /// How many elements there are in each of so many bins.
    fn histogram<'d>(&self, _: &'d Bins) -> Vec<Contestant<'d>> {
        Vec::new()
    }

    /// A matrix times a vector.
    fn matrix<'d>(&self, _: &'d Matrix) -> Vec<Contestant<'d>> {
        Vec::new()
    }

    /// The prices of options after Black and Scholes.
    fn black_scholes<'d>(&self, _: &'d Options) -> Vec<Contestant<'d>> {
        Vec::new()
    }

    /// Sums of values by key.
    fn group_by<'d>(&self, _: &'d Keyed) -> Vec<Contestant<'d>> {
        Vec::new()
    }

    /// TPC-H Q6.
    fn q6<'d>(&self, _: Lineitem<'d>) -> Vec<Contestant<'d>> {
        Vec::new()
    }

    /// TPC-H Q1.
    fn q1<'d>(&self, _: Lineitem<'d>) -> Vec<Contestant<'d>> {
        Vec::new()
    }
}

/// Nobody from outside.
pub struct Nobody;

impl Guests for Nobody {}
