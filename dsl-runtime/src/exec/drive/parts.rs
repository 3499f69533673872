//! The parts of a loop, with their types: what the driver has run on one thread, or in tasks on several.

use std::ops::Range;

use super::driver::Driver;
use super::task::RunningTask;
use super::token_cell::{Token, TokenCell};
use super::totals::Totals;
use crate::lang::fault::Fault;

/// The parts of one loop.
pub(super) struct Parts<'c, I, U, D, G, M> {
    pub(super) driver: Driver<'c>,
    pub(super) init: I,
    pub(super) update: U,
    pub(super) add: D,
    pub(super) goes_on: G,
    pub(super) merge: M,
}

/// A task: its state, and the totals of the chunks that were run.
struct TypedTask<'l, 'c, S, P, A, I, U, D, G, M> {
    parts: &'l Parts<'c, I, U, D, G, M>,
    total: &'l TokenCell<A>,
    most: usize,
    totals: Totals<P>,
    state: S,
}

impl<S, P, A, I, U, D, G, M> RunningTask for TypedTask<'_, '_, S, P, A, I, U, D, G, M>
where
    S: Send,
    P: Send,
    A: Send,
    I: Sync,
    U: Fn(&mut S, Range<usize>) -> Result<P, Fault> + Sync,
    D: Fn(&mut A, P) -> Result<(), Fault> + Sync,
    G: Fn(&S) -> bool + Sync,
    M: Fn(&mut A, S) -> Result<(), Fault> + Sync,
{
    fn run(&mut self, chunk: Range<usize>) -> Result<(), Fault> {
        let totals = (self.parts.update)(&mut self.state, chunk)?;
        self.totals.push(self.parts.driver.cx, totals, self.most)
    }

    fn goes_on(&self) -> bool {
        (self.parts.goes_on)(&self.state)
    }

    fn merge(self: Box<Self>, is_whole: bool, token: &mut Token) -> Result<(), Fault> {
        let TypedTask { parts, total, totals, state, .. } = *self;
        let total = total.get(token);
        totals.add(parts.driver.cx, &mut |totals| (parts.add)(total, totals))?;
        if is_whole { (parts.merge)(total, state) } else { Ok(()) }
    }
}

impl<'c, I, U, D, G, M> Parts<'c, I, U, D, G, M> {
    /// Runs the loop on this thread.
    pub(super) fn sequential<S, P, A>(&self, mut total: A) -> Result<A, Fault>
    where
        I: Fn(Range<usize>) -> S,
        U: Fn(&mut S, Range<usize>) -> Result<P, Fault>,
        D: Fn(&mut A, P) -> Result<(), Fault>,
        M: Fn(&mut A, S) -> Result<(), Fault>,
    {
        for task in 0..self.driver.cut.tasks() {
            let task = self.driver.cut.task(task);
            let mut state = (self.init)(task.clone());
            self.driver.each_chunk(task, &mut |chunk| {
                let totals = (self.update)(&mut state, chunk)?;
                (self.add)(&mut total, totals)
            })?;
            (self.merge)(&mut total, state)?;
        }
        Ok(total)
    }

    /// Runs the loop on several threads; where `shares`, tasks share what is left of them with threads that have nothing to do.
    pub(super) fn parallel<S: Send, P: Send, A: Send>(&self, total: A, shares: bool) -> Result<A, Fault>
    where
        I: Fn(Range<usize>) -> S + Sync,
        U: Fn(&mut S, Range<usize>) -> Result<P, Fault> + Sync,
        D: Fn(&mut A, P) -> Result<(), Fault> + Sync,
        G: Fn(&S) -> bool + Sync,
        M: Fn(&mut A, S) -> Result<(), Fault> + Sync,
    {
        let (total, token) = TokenCell::new(total);
        let begin = |task, most| -> Box<dyn RunningTask + '_> {
            let state = (self.init)(task);
            Box::new(TypedTask { parts: self, total: &total, most, totals: Totals::new(), state })
        };
        match shares {
            true => self.driver.shared(&begin, token)?,
            false => self.driver.parallel(&begin, token)?,
        }
        Ok(total.into_inner())
    }
}
