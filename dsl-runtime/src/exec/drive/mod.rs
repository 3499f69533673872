//! The driver of every parallel loop: init · update · merge · finish over fixed chunks.
//!
//! A loop of `n` iterations is cut into *chunks* of P iterations; the [`Plan`] and `n` alone say where, so
//! that the order in which floats are added never depends on threads. Consecutive chunks form a *task*, which
//! one thread works off in order:
//!
//! * `init(task)` makes the task's state: what is appended or inserted to, such as a part of the result or a
//!   table of keys;
//! * `update(&mut state, chunk)` runs the chunk and gives its totals: what is folded per chunk, such as sums;
//! * `add(&mut total, totals)` is called with the totals of each chunk, in order;
//! * `merge(&mut total, state)` is called with the state of each task, in order, after its totals.
//!
//! What `finish` does is up to the caller, who gets `total` back.
//!
//! For keyed sinks a task is a *segment*, which is part of the meaning too: `max(2^18, n / 64)` iterations,
//! rounded up to whole chunks. For others the driver chooses, and takes one task for everything on one thread,
//! so that a state is neither split nor merged without need. In [`open`] loops, whose states need not know how long their tasks
//! will be, a thread goes on with its state for as long as it can. However long the loop, only so many tasks are under way that
//! little waits to be merged (`exec/drive/cut.rs`).
//!
//! The fault that a sequential run would meet first wins: tasks before it are finished, later ones are
//! skipped. Nothing is woken for a single chunk, or on one thread; then nothing is allocated either.

mod cut;
mod merging;
mod work_sharing;

use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

use self::cut::{Cut, cut};
use self::merging::{Merging, Outcome, Totals};
use crate::exec::context::Context;
use crate::exec::progress::Reports;
use crate::exec::threads;
use crate::lang::fault::Fault;

/// How a loop is cut.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Plan {
    /// The iterations of a chunk, at least 1.
    pub chunk: u64,
    /// What one state stands for.
    pub task: Task,
}

/// What the state of a task stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// Any run of chunks: states of smaller tasks, merged in order, give the same result bit for bit.
    Any,
    /// Nothing, since the loop has totals only: any run of chunks again, none of which is costly to begin.
    Totals,
    /// As `Any`, in runs so short that what a state collects is still in the caches when its turn comes to be merged, but for
    /// loops on one thread.
    Short,
    /// A segment, of the rule's length or of this many iterations, rounded up to whole chunks: for what is folded
    /// per key with an operator that rounds.
    Segment(Option<u64>),
}

/// Runs the loop of `n` iterations and gives `total`, into which all totals and states have gone.
///
/// The sum of the squares below `n`, and those that are odd:
///
/// ```
/// use weldment_runtime::exec::context::Context;
/// use weldment_runtime::exec::drive::{self, Plan, Task};
///
/// let (sum, odd) = drive::run(
///     Context::ambient(),
///     10,
///     Plan { chunk: 4, task: Task::Any },
///     (0, Vec::new()),
///     |_task| Vec::new(),
///     |odd: &mut Vec<usize>, chunk| {
///         let mut sum = 0;
///         for i in chunk {
///             sum += i * i;
///             if i * i % 2 == 1 {
///                 odd.push(i * i);
///             }
///         }
///         Ok(sum)
///     },
///     |total, sum| Ok(total.0 += sum),
///     |total, odd| Ok(total.1.extend(odd)),
/// )?;
/// assert_eq!((sum, odd), (285, vec![1, 9, 25, 49, 81]));
/// # Ok::<(), weldment_runtime::lang::fault::Fault>(())
/// ```
#[allow(clippy::too_many_arguments)]
pub fn run<S: Send, P: Send, A: Send>(
    cx: &Context,
    n: i64,
    plan: Plan,
    total: A,
    init: impl Fn(Range<usize>) -> S + Sync,
    update: impl Fn(&mut S, Range<usize>) -> Result<P, Fault> + Sync,
    add: impl Fn(&mut A, P) -> Result<(), Fault> + Sync,
    merge: impl Fn(&mut A, S) -> Result<(), Fault> + Sync,
) -> Result<A, Fault> {
    let cut = cut(cx, n, plan);
    let parts = Parts { cx, cut, progress: Reports::default(), init, update, add, merge };
    if cut.threads == 1 { parts.sequential(total) } else { parts.parallel(total) }
}

/// [`run`] for a loop with totals only, and no state.
pub fn totals<P: Send, A: Send>(
    cx: &Context,
    n: i64,
    plan: Plan,
    total: A,
    update: impl Fn(Range<usize>) -> Result<P, Fault> + Sync,
    add: impl Fn(&mut A, P) -> Result<(), Fault> + Sync,
) -> Result<A, Fault> {
    let task = if plan.task == Task::Any { Task::Totals } else { plan.task };
    run(cx, n, Plan { task, ..plan }, total, |_| (), |(), chunk| update(chunk), add, |_, ()| Ok(()))
}

/// [`run`] for a loop with states only, and no totals.
pub fn states<S: Send, A: Send>(
    cx: &Context,
    n: i64,
    plan: Plan,
    total: A,
    init: impl Fn(Range<usize>) -> S + Sync,
    update: impl Fn(&mut S, Range<usize>) -> Result<(), Fault> + Sync,
    merge: impl Fn(&mut A, S) -> Result<(), Fault> + Sync,
) -> Result<A, Fault> {
    run(cx, n, plan, total, init, update, |_, ()| Ok(()), merge)
}

/// [`run`] in chunks of `chunk` iterations and tasks that are as long as they become: for states that are cheaper to go on with
/// than to merge, such as tables of few keys. Each thread begins with an equal share of the chunks, and works them off in a row
/// into one state; who has none left takes half of what another has. From when on `goes_on` says no of its state, a thread takes
/// short rows of chunks instead, the first that are left, so that their states are merged soon.
///
/// As with [`Task::Any`], states of other tasks, merged in order, must give the same result bit for bit.
#[allow(clippy::too_many_arguments)]
pub fn open<S: Send, P: Send, A: Send>(
    cx: &Context,
    n: i64,
    chunk: u64,
    total: A,
    init: impl Fn() -> S + Sync,
    update: impl Fn(&mut S, Range<usize>) -> Result<P, Fault> + Sync,
    add: impl Fn(&mut A, P) -> Result<(), Fault> + Sync,
    goes_on: impl Fn(&S) -> bool + Sync,
    merge: impl Fn(&mut A, S) -> Result<(), Fault> + Sync,
) -> Result<A, Fault> {
    let cut = cut(cx, n, Plan { chunk, task: Task::Any });
    let parts = Parts { cx, cut, progress: Reports::default(), init: |_| init(), update, add, merge };
    match cut.threads {
        1 => parts.sequential(total),
        _ if cut.n / cut.chunk < work_sharing::MOST => parts.shared(total, goes_on),
        _ => parts.parallel(total),
    }
}

/// The four parts of one loop.
struct Parts<'c, I, U, D, M> {
    cx: &'c Context,
    cut: Cut,
    progress: Reports,
    init: I,
    update: U,
    add: D,
    merge: M,
}

impl<I, U, D, M> Parts<'_, I, U, D, M> {
    fn sequential<S, P, A>(self, mut total: A) -> Result<A, Fault>
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

    fn parallel<S: Send, P: Send, A: Send>(self, total: A) -> Result<A, Fault>
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
    fn chunk<S, P>(&self, state: &mut S, chunk: Range<usize>) -> Result<P, Fault>
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
    fn absorb<S, P, A>(&self, merging: &Merging<S, P, A>, outcome: Outcome<S, P>, stop: &AtomicUsize)
    where
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

#[cfg(test)]
mod tests;
