//! The totals of chunks, until they are added.
//!
//! How many totals a task has is up to the length of the loop. They grow by need, count for the memory that the run may hold,
//! and are no longer counted once they were added.

use crate::exec::context::Context;
use crate::lang::fault::Fault;
use crate::mem::vec::{reserve_anew, room};

/// The totals of the chunks of a task, in order.
pub(super) struct Totals<P>(Vec<P>);

/// Room for this many totals is made at first, as far as so many come.
const FIRST: usize = 64;

impl<P> Totals<P> {
    /// None yet.
    pub(super) fn new() -> Totals<P> {
        Totals(Vec::new())
    }

    /// Appends those of the next chunk, of a task that has `most` of them in the end, or fewer.
    ///
    /// # Errors
    /// MemoryLimit, if there is no room for them.
    #[inline(never)]
    pub(super) fn push(&mut self, cx: &Context, total: P, most: usize) -> Result<(), Fault> {
        let len = self.0.len();
        if len == self.0.capacity() {
            reserve_anew(cx, &mut self.0, len.max(FIRST).min(most.saturating_sub(len)).max(1))?;
        }
        self.0.push(total);
        Ok(())
    }

    /// Gives all to `add`, until that fails.
    #[inline(never)]
    pub(super) fn add(self, cx: &Context, add: &mut dyn FnMut(P) -> Result<(), Fault>) -> Result<(), Fault> {
        let room = room(&self.0);
        for total in self.0 {
            add(total)?;
        }
        cx.discharge(room);
        Ok(())
    }
}

type Push<P> = fn(&mut Totals<P>, &Context, P, usize) -> Result<(), Fault>;
type Add<P> = fn(Totals<P>, &Context, &mut dyn FnMut(P) -> Result<(), Fault>) -> Result<(), Fault>;
type Instances<P> = (Push<P>, Add<P>);

// The totals of most loops are compiled here and not with each kernel: of what is not in line, rustc takes the instance of a dependency.

#[used]
static NONE: Instances<()> = (Totals::push, Totals::add);

#[used]
static INTEGERS: Instances<i64> = (Totals::push, Totals::add);

#[used]
static FLOATS: Instances<f64> = (Totals::push, Totals::add);
