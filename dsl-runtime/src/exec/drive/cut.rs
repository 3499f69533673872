//! Where the chunks and tasks of a loop lie, and how much of it is under way at a time.
//!
//! What a task comes to waits for the tasks before it, one of which may take very long. So that a loop of any length needs
//! little memory, tasks have [`TASK_CHUNKS`] chunks at most, or [`TOTALS_CHUNKS`] where they are cheap to begin, and tasks
//! run in *waves*: those of a wave have all come to their end, and nothing waits any more, before the next one begins. Loops
//! of ordinary length are one wave.

use std::ops::Range;

use super::plan::{Plan, Task};
use crate::exec::context::Context;

/// A loop that is split runs at least this many chunks, except where tests force it: below, waking another
/// thread costs more than it saves.
const PARALLEL_CHUNKS: usize = 8;

/// The iterations of a short task.
pub(super) const SHORT: usize = 1 << 16;

/// Tasks per thread, where the driver chooses: enough to even out chunks of unequal cost.
pub(super) const TASKS_PER_THREAD: usize = 8;

/// The most chunks of a task with a state, where the driver chooses.
pub(super) const TASK_CHUNKS: usize = 1 << 12;

/// The most chunks of a task without one. There is nothing to begin or to merge, so that many tasks cost no more than few.
pub(super) const TOTALS_CHUNKS: usize = 1 << 6;

/// The most chunks of a wave, unless these are too few tasks for all threads: that many totals may wait.
const WAVE_CHUNKS: usize = 1 << 12;

/// The least tasks of a wave whose number is given by the loop: all segments of the rule, which are 65 at most, are one wave,
/// and short tasks, of whose states few are kept, are many.
const GIVEN_TASKS: usize = 1 << 8;

/// A loop, cut: iterations in all, per chunk and per task.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cut {
    pub(super) n: usize,
    pub(super) chunk: usize,
    pub(super) task: usize,
    pub(super) threads: usize,
    /// The tasks of a wave.
    pub(super) wave: usize,
}

/// Where the chunks and tasks lie, and how many threads share them.
pub(super) fn cut(cx: &Context, n: i64, plan: Plan) -> Cut {
    let testing = &cx.options.chosen().testing;
    let n = usize::try_from(n).unwrap_or(0);
    // No longer than planned: what a chunk sums up in may hold no more.
    let chunk = testing.chunk.map_or(plan.chunk, |chunk| chunk.min(plan.chunk)).clamp(1, 1 << 62) as usize;
    let chunks = n.div_ceil(chunk);
    let segment = match plan.task {
        Task::Any | Task::Totals | Task::Short => None,
        Task::Segment(iterations) => {
            let iterations =
                testing.segment.or(iterations).map_or((1 << 18).max(n / 64), |given| given as usize);
            Some(iterations.max(1).div_ceil(chunk).saturating_mul(chunk))
        }
    };
    let splittable = match testing.force_parallel {
        true => 2,
        false => PARALLEL_CHUNKS,
    };
    let threads = if chunks < splittable || segment.is_some_and(|segment| segment >= n) {
        1
    } else {
        cx.threads().clamp(1, chunks)
    };
    let least = threads.saturating_mul(TASKS_PER_THREAD);
    let task = match segment {
        Some(segment) => segment,
        None if threads == 1 => chunks.saturating_mul(chunk).max(chunk),
        None if testing.force_parallel => chunk,
        None => {
            let most = match plan.task {
                Task::Short => (SHORT / chunk).max(1),
                Task::Totals => (WAVE_CHUNKS / least).clamp(TASKS_PER_THREAD, TOTALS_CHUNKS),
                Task::Any | Task::Segment(_) => TASK_CHUNKS,
            };
            chunks.div_ceil(least).min(most) * chunk
        }
    };
    let wave = match plan.task {
        Task::Any | Task::Totals => least.max(WAVE_CHUNKS / (task / chunk).max(1)),
        Task::Short | Task::Segment(_) => least.max(GIVEN_TASKS),
    };
    Cut { n, chunk, task, threads, wave }
}

impl Cut {
    /// The number of tasks.
    pub(super) fn tasks(self) -> usize {
        self.n.div_ceil(self.task)
    }

    /// The iterations of a task.
    pub(super) fn task(self, task: usize) -> Range<usize> {
        let start = task * self.task;
        start..self.n.min(start.saturating_add(self.task))
    }

    /// The iterations of a chunk.
    pub(super) fn chunk_at(self, number: usize) -> Range<usize> {
        let start = number * self.chunk;
        start..self.n.min(start + self.chunk)
    }

    /// The chunks of a task.
    pub(super) fn chunks(self, task: Range<usize>) -> impl ExactSizeIterator<Item = Range<usize>> {
        (0..task.len().div_ceil(self.chunk)).map(move |i| {
            let start = task.start + i * self.chunk;
            start..task.end.min(start + self.chunk)
        })
    }
}
