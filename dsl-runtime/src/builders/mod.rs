//! Builders: what the sinks of a loop fill, unit by unit, and how the units become one result.

pub mod buckets;
#[doc(hidden)]
pub mod close;
pub mod collect;
pub mod group;
pub mod latest;
pub mod places;
pub mod rows;
pub mod scatter;
pub mod several;
pub mod table;

pub(crate) mod index;
