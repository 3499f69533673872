//! Builders: what the sinks of a loop fill, task by task, and how the tasks become one result.

pub mod array;
pub mod column;
pub mod combine;
pub mod dict;
pub mod partition;
pub mod reduce;
pub mod scatter;
pub mod table;
pub mod vector;

/// Up to so many bytes, an open table is faster with more slots than it needs: a search that meets another key is a branch that was
/// predicted wrongly, and no more lines of the cache are in use than there are keys.
pub(crate) const SPREAD: usize = 4 << 20;

/// Twice as many `slots` of so many bytes, if that is not too much.
pub(crate) fn spread(slots: usize, bytes: usize) -> usize {
    if 2 * slots * bytes <= SPREAD { 2 * slots } else { slots }
}
