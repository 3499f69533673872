//! What tasks come to, until it is merged: totals of chunks, and states that wait for those of earlier tasks.
//!
//! How many totals a task has is up to the length of the loop. They grow by need, count for the memory that the run may hold,
//! and are no longer counted once they were added.

use std::ops::Range;
use std::sync::{Mutex, MutexGuard, PoisonError};

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

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }

    /// Appends those of the next chunk, of a task that has `most` of them in the end, or fewer.
    ///
    /// # Errors
    /// MemoryLimit, if there is no room for them.
    pub(super) fn push(&mut self, cx: &Context, total: P, most: usize) -> Result<(), Fault> {
        let len = self.0.len();
        if len == self.0.capacity() {
            reserve_anew(cx, &mut self.0, len.max(FIRST).min(most.saturating_sub(len)).max(1))?;
        }
        self.0.push(total);
        Ok(())
    }

    /// Gives all to `add`, until that fails.
    pub(super) fn add(mut self, cx: &Context, add: impl FnMut(P) -> Result<(), Fault>) -> Result<(), Fault> {
        self.0.drain(..).try_for_each(add)?;
        cx.discharge(room(&self.0));
        Ok(())
    }
}

/// What a task came to: the totals of its chunks, and its state or the fault that ended it.
pub(super) struct Outcome<S, P> {
    /// The iterations of the task.
    pub(super) range: Range<usize>,
    pub(super) totals: Totals<P>,
    pub(super) end: Result<S, Fault>,
}

/// The outcomes that wait for an earlier one, and the total of those before them.
pub(super) struct Merging<S, P, A>(Mutex<Merged<S, P, A>>);

pub(super) struct Merged<S, P, A> {
    /// None while a thread is at work on it.
    pub(super) total: Option<A>,
    /// The first iteration that is not in the total.
    next: usize,
    /// In no order. A map by their first iterations is compiled anew for each loop: it was a third of the code of a small kernel.
    waiting: Vec<Outcome<S, P>>,
    pub(super) fault: Option<Fault>,
}

impl<S, P, A> Merging<S, P, A> {
    pub(super) fn new(total: A) -> Merging<S, P, A> {
        let merged = Merged { total: Some(total), next: 0, waiting: Vec::new(), fault: None };
        Merging(Mutex::new(merged))
    }

    pub(super) fn lock(&self) -> MutexGuard<'_, Merged<S, P, A>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The total of all `n` iterations, or the first fault.
    pub(super) fn end(self, n: usize) -> Result<A, Fault> {
        let merged = self.0.into_inner().unwrap_or_else(PoisonError::into_inner);
        match (merged.fault, merged.total) {
            (Some(fault), _) => Err(fault),
            (None, Some(total)) => {
                assert_eq!(merged.next, n, "every task is merged");
                Ok(total)
            }
            (None, None) => unreachable!("a thread that takes the total gives it back or panics"),
        }
    }
}

impl<S, P, A> Merged<S, P, A> {
    /// Keeps an outcome until its turn comes.
    pub(super) fn wait(&mut self, outcome: Outcome<S, P>) {
        self.waiting.push(outcome);
    }

    /// The outcome whose turn it is, if it is there.
    pub(super) fn take_next(&mut self) -> Option<Outcome<S, P>> {
        if self.fault.is_some() {
            return None;
        }
        let place = self.waiting.iter().position(|outcome| outcome.range.start == self.next)?;
        let outcome = self.waiting.swap_remove(place);
        self.next = outcome.range.end;
        Some(outcome)
    }
}
