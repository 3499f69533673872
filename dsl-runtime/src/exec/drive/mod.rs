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
mod driver;
mod merging;
mod parts;
mod plan;
mod task;
mod token_cell;
mod totals;
mod work_sharing;

use std::ops::Range;

use self::cut::cut;
use self::driver::Driver;
use self::parts::Parts;
pub use self::plan::{Plan, Task};
use crate::exec::context::Context;
use crate::lang::fault::Fault;

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
    let driver = Driver::new(cx, cut(cx, n, plan));
    let threads = driver.cut.threads;
    let parts = Parts { driver, init, update, add, goes_on: |_: &S| true, merge };
    if threads == 1 { parts.sequential(total) } else { parts.parallel(total, false) }
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
    let driver = Driver::new(cx, cut(cx, n, Plan { chunk, task: Task::Any }));
    let cut = driver.cut;
    let parts = Parts { driver, init: |_| init(), update, add, goes_on, merge };
    match cut.threads {
        1 => parts.sequential(total),
        _ => parts.parallel(total, cut.n / cut.chunk < work_sharing::MOST),
    }
}

#[cfg(test)]
mod tests;
