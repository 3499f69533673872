//! What the driver knows of the tasks of a loop.

use std::ops::Range;

use super::token_cell::Token;
use crate::lang::fault::Fault;

/// A task of a loop that is under way.
pub(super) trait RunningTask: Send {
    /// Runs the next chunk, and keeps its totals.
    fn run(&mut self, chunk: Range<usize>) -> Result<(), Fault>;

    /// Whether further chunks are to go into its state.
    fn goes_on(&self) -> bool;

    /// Merges the totals that it kept, and, where it `is_whole`, its state; tasks are merged one after the other, in order.
    fn merge(self: Box<Self>, is_whole: bool, token: &mut Token) -> Result<(), Fault>;
}

/// Begins the task of these iterations, of which so many chunks will be run at most.
pub(super) type Begin<'b, 'l> = &'b (dyn Fn(Range<usize>, usize) -> Box<dyn RunningTask + 'l> + Sync);
