//! The four parts of a loop, and how they run: on one thread, or in tasks on several.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::cut::Cut;
use super::merging::{Merging, Outcome, Totals};
use crate::exec::context::Context;
use crate::exec::progress::Reports;
use crate::exec::threads;
use crate::lang::fault::Fault;

/// The four parts of one loop.
pub(super) struct Parts<'c, I, U, D, M> {
    pub(super) cx: &'c Context,
    pub(super) cut: Cut,
    pub(super) progress: Reports,
    pub(super) init: I,
    pub(super) update: U,
    pub(super) add: D,
    pub(super) merge: M,
}

impl<I, U, D, M> Parts<'_, I, U, D, M> {
    pub(super) fn sequential<S, P, A>(self, mut total: A) -> Result<A, Fault>
    where
        I: Fn(Range<usize>) -> S,
        U: Fn(&mut S, Range<usize>) -> Result<P, Fault>,
        D: Fn(&mut A, P) -> Result<(), Fault>,
        M: Fn(&mut A, S) -> Result<(), Fault>,
    {
        for task in 0..self.cut.tasks() {
            let task = self.cut.task(task);
            let mut state = (self.init)(task.clone());
            for chunk in self.cut.chunks(task) {
                let totals = self.chunk(&mut state, chunk)?;
                (self.add)(&mut total, totals)?;
            }
            (self.merge)(&mut total, state)?;
        }
        Ok(total)
    }

    pub(super) fn parallel<S: Send, P: Send, A: Send>(self, total: A) -> Result<A, Fault>
    where
        I: Fn(Range<usize>) -> S + Sync,
        U: Fn(&mut S, Range<usize>) -> Result<P, Fault> + Sync,
        D: Fn(&mut A, P) -> Result<(), Fault> + Sync,
        M: Fn(&mut A, S) -> Result<(), Fault> + Sync,
    {
        let tasks = self.cut.tasks();
        let next_task = AtomicUsize::new(0);
        // The iterations from this one on need not be run any more.
        let stop = AtomicUsize::new(self.cut.n);
        let merging = Merging::new(total);
        let mut wave = 0..0;
        while wave.end < tasks && self.cut.task(wave.end).start < stop.load(Ordering::Relaxed) {
            wave = wave.end..tasks.min(wave.end.saturating_add(self.cut.wave));
            next_task.store(wave.start, Ordering::Relaxed);
            let work = || {
                loop {
                    let task = next_task.fetch_add(1, Ordering::Relaxed);
                    if task >= wave.end {
                        return;
                    }
                    let task = self.cut.task(task);
                    if task.start >= stop.load(Ordering::Relaxed) {
                        return;
                    }
                    if let Some(outcome) = self.task(task, &stop) {
                        self.absorb(&merging, outcome, &stop);
                    }
                }
            };
            threads::on_threads(self.cx, self.cut.threads.min(wave.len()), &work);
        }
        merging.end(self.cut.n)
    }

    /// Runs a task, unless an earlier one ends in a fault meanwhile.
    fn task<S, P>(&self, range: Range<usize>, stop: &AtomicUsize) -> Option<Outcome<S, P>>
    where
        I: Fn(Range<usize>) -> S,
        U: Fn(&mut S, Range<usize>) -> Result<P, Fault>,
    {
        let chunks = self.cut.chunks(range.clone());
        let (mut totals, most) = (Totals::new(), chunks.len());
        let mut state = (self.init)(range.clone());
        for chunk in chunks {
            if range.start >= stop.load(Ordering::Relaxed) {
                return None;
            }
            let total = self.chunk(&mut state, chunk);
            match total.and_then(|total| totals.push(self.cx, total, most)) {
                Ok(()) => {}
                Err(fault) => {
                    stop.fetch_min(range.end, Ordering::Relaxed);
                    return Some(Outcome { range, totals, end: Err(fault) });
                }
            }
        }
        Some(Outcome { range, totals, end: Ok(state) })
    }

    #[inline]
    pub(super) fn chunk<S, P>(&self, state: &mut S, chunk: Range<usize>) -> Result<P, Fault>
    where
        U: Fn(&mut S, Range<usize>) -> Result<P, Fault>,
    {
        self.cx.poll()?;
        let iterations = chunk.len() as u64;
        let totals = (self.update)(state, chunk)?;
        if self.cx.wants_progress() {
            self.progress.add(iterations, |done| self.cx.report(done, self.cut.n as u64));
        }
        Ok(totals)
    }

    /// Puts the outcome of a task where its turn will come; whichever thread finds the next one ready, and
    /// nobody else at it, works the ready ones into the total. No thread ever waits for another.
    pub(super) fn absorb<S, P, A>(
        &self,
        merging: &Merging<S, P, A>,
        outcome: Outcome<S, P>,
        stop: &AtomicUsize,
    ) where
        D: Fn(&mut A, P) -> Result<(), Fault>,
        M: Fn(&mut A, S) -> Result<(), Fault>,
    {
        let mut shared = merging.lock();
        shared.wait(outcome);
        let Some(mut total) = shared.total.take() else { return };
        while let Some(outcome) = shared.take_next() {
            drop(shared);
            let fault = self.add_and_merge(&mut total, outcome).err();
            shared = merging.lock();
            if fault.is_some() {
                // In order, this is the first fault; what waits behind it is never looked at.
                shared.fault = fault;
                stop.store(0, Ordering::Relaxed);
                break;
            }
        }
        shared.total = Some(total);
    }

    fn add_and_merge<S, P, A>(&self, total: &mut A, outcome: Outcome<S, P>) -> Result<(), Fault>
    where
        D: Fn(&mut A, P) -> Result<(), Fault>,
        M: Fn(&mut A, S) -> Result<(), Fault>,
    {
        outcome.totals.add(self.cx, |totals| (self.add)(total, totals))?;
        (self.merge)(total, outcome.end?)
    }
}
