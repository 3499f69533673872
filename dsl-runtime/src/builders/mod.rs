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
pub mod shorts;
pub mod table;

mod compact;
pub(crate) mod index;

/// Up to so many bytes, an open table is faster with more slots than it needs: a search that meets another key is a branch that was
/// predicted wrongly, and no more lines of the cache are in use than there are keys.
#[doc(hidden)]
pub const SPREAD: usize = 4 << 20;

/// Twice as many `slots` of so many bytes, if that is not too much.
#[doc(hidden)]
pub fn spread(slots: usize, bytes: usize) -> usize {
    if 2 * slots * bytes <= SPREAD { 2 * slots } else { slots }
}
