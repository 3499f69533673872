//! How the tasks of a loop run on several threads, and in which order they are merged, whatever their states and totals are.
//!
//! All of this is compiled once: what knows the types of a loop is its [`RunningTask`](super::task::RunningTask)s (`exec/drive/parts.rs`), of which
//! emitted code has as many kinds as loops.

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use super::cut::Cut;
use super::merging::{Merging, Outcome};
use super::task::Begin;
use super::token_cell::Token;
use crate::exec::context::Context;
use crate::exec::progress::Reports;
use crate::exec::threads;
use crate::lang::fault::Fault;

/// A loop, cut, and how far it has come.
pub(super) struct Driver<'c> {
    pub(super) cx: &'c Context,
    pub(super) cut: Cut,
    progress: Reports,
}

impl<'c> Driver<'c> {
    pub(super) fn new(cx: &'c Context, cut: Cut) -> Driver<'c> {
        Driver { cx, cut, progress: Reports::default() }
    }

    /// Has `run` run the chunks of a task, in order.
    pub(super) fn each_chunk(
        &self,
        task: Range<usize>,
        run: &mut dyn FnMut(Range<usize>) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        self.cut.chunks(task).try_for_each(|chunk| self.chunk(chunk, run))
    }

    /// Runs all tasks, each on one thread, and merges them into what `token` opens.
    pub(super) fn parallel<'l>(&self, begin: Begin<'_, 'l>, token: Token) -> Result<(), Fault> {
        let tasks = self.cut.tasks();
        let next_task = AtomicUsize::new(0);
        // The iterations from this one on need not be run any more.
        let stop = AtomicUsize::new(self.cut.n);
        let merging = Merging::new(token);
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
                    if let Some(outcome) = self.task(task, begin, &stop) {
                        self.absorb(&merging, outcome, &stop);
                    }
                }
            };
            threads::on_threads(self.cx, self.cut.threads.min(wave.len()), &work);
        }
        merging.end(self.cut.n)
    }

    /// Runs a task, unless an earlier one ends in a fault meanwhile.
    fn task<'l>(&self, range: Range<usize>, begin: Begin<'_, 'l>, stop: &AtomicUsize) -> Option<Outcome<'l>> {
        let chunks = self.cut.chunks(range.clone());
        let mut task = begin(range.clone(), chunks.len());
        for chunk in chunks {
            if range.start >= stop.load(Ordering::Relaxed) {
                return None;
            }
            if let Err(fault) = self.chunk(chunk, &mut |chunk| task.run(chunk)) {
                stop.fetch_min(range.end, Ordering::Relaxed);
                return Some(Outcome { range, task, fault: Some(fault) });
            }
        }
        Some(Outcome { range, task, fault: None })
    }

    /// Has `run` run a chunk.
    pub(super) fn chunk(
        &self,
        chunk: Range<usize>,
        run: &mut dyn FnMut(Range<usize>) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        self.cx.poll()?;
        let iterations = chunk.len() as u64;
        run(chunk)?;
        if self.cx.wants_progress() {
            self.progress.add(iterations, |done| self.cx.report(done, self.cut.n as u64));
        }
        Ok(())
    }

    /// Keeps the outcome of a task until it is the next; whichever thread finds the next one ready, and
    /// nobody else at it, merges the ready ones. No thread ever waits for another.
    pub(super) fn absorb<'l>(&self, merging: &Merging<'l>, outcome: Outcome<'l>, stop: &AtomicUsize) {
        let mut merged = merging.lock();
        let Some(mut token) = merged.defer(outcome) else {
            return;
        };
        while let Some(outcome) = merged.take_next() {
            drop(merged);
            let fault = outcome.merge(&mut token).err();
            merged = merging.lock();
            if fault.is_some() {
                // In order, this is the first fault.
                merged.fault = fault;
                stop.store(0, Ordering::Relaxed);
            }
        }
        merged.give_back(token);
    }
}
