//! Where the values of tasks go that may be fewer than their iterations: one task's behind those of the tasks before it, in one
//! block of memory, while several threads run tasks at once.
//!
//! A task whose predecessors have all been placed writes where its values belong. Any other cannot know where that is, and
//! writes *aside*, to memory small enough to stay in the caches. When its turn comes it is told its place, and the next thread
//! that begins a task carries its values there: no thread waits for another, none moves everything alone, and what is written
//! to the block is written once. Where a task is too long for that, it writes to the block at its own iterations, and is
//! moved down when its turn comes.
//!
//! The scheme is that of stream compaction in one pass (D. Merrill and M. Garland, *Single-pass Parallel Prefix Scan with
//! Decoupled Look-back*, NVIDIA, 2016), with a queue in place of looking back.

#![expect(unsafe_code, reason = "values of any type are moved, in memory that is not initialised")]

use std::mem::MaybeUninit;
use std::ops::Range;
use std::ptr;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::exec::allocate::Memory;
use crate::exec::context::Context;

/// A task writes aside where its values take no more than so many bytes: a short task of elements of eight words.
const ASIDE: usize = 4 << 20;

/// How many tasks for each thread write aside or wait there at most, so that little memory is needed even where one takes very long.
const ASIDES: usize = 4;

/// The block, and what became of the tasks so far. Shared by both executors, so that it knows of elements only how long they are.
///
/// In the block, what was placed lies below the place that comes next. Whoever writes to the block at their own iterations does so
/// behind all that were placed, and whoever writes to the next place is the next to be placed.
#[derive(Debug)]
#[doc(hidden)]
pub struct OrderedOutput {
    start: *mut u8,
    /// The bytes of an element.
    size: usize,
    /// Whether what is aside is aligned as elements must be, as all are that are not very odd.
    goes_to_staging: bool,
    state: Mutex<State>,
}

// SAFETY: the block is written by those who were given room in it, each to its own, as they promise.
unsafe impl Send for OrderedOutput {}
// SAFETY: as above.
unsafe impl Sync for OrderedOutput {}

#[derive(Debug, Default)]
struct State {
    /// The elements that have a place, and the first iteration of the task that is to be placed next.
    placed: usize,
    next: usize,
    /// What tasks write to, what waits to be carried to its place, and what is free again.
    lent: Vec<Staging>,
    waiting: Vec<Move>,
    free: Vec<Staging>,
}

/// Memory beside the block.
#[derive(Debug)]
struct Staging(Vec<Line>);

/// As elements are aligned to this at most, and nothing is in two lines of the cache without need.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Line(#[expect(dead_code, reason = "read and written as bytes")] [MaybeUninit<u8>; 64]);

/// Values that have been told their place.
#[derive(Debug)]
struct Move {
    from: Staging,
    to: *mut u8,
    bytes: usize,
}

// SAFETY: it is carried out once, by whoever takes it out of the state, and the place is for these values alone.
unsafe impl Send for Move {}

impl OrderedOutput {
    /// Places elements of `size` bytes, aligned to `align`, in the block at `start`.
    ///
    /// # Safety
    /// Until [`OrderedOutput::finish`] the block is there and nobody else uses it. It has room for as many elements as there are iterations.
    pub unsafe fn new(start: *mut u8, size: usize, align: usize) -> OrderedOutput {
        OrderedOutput { start, size, goes_to_staging: align <= align_of::<Line>(), state: Mutex::default() }
    }

    /// Where the task of the iterations in `task` writes its values: there is room for one of each.
    ///
    /// # Safety
    /// No other task has any of these iterations, and all are in the block.
    pub unsafe fn room(&self, cx: &Context, task: Range<usize>) -> *mut u8 {
        self.copy_down();
        let mut state = self.state();
        if state.next == task.start {
            return self.at(state.placed);
        }
        let staging = self.goes_to_staging.then(|| state.lend(cx, task.len().saturating_mul(self.size)));
        staging.flatten().unwrap_or_else(|| self.at(task.start))
    }

    /// Places the next task, which has written `len` values to its `room`.
    ///
    /// # Panics
    /// If it is not the next one.
    ///
    /// # Safety
    /// That is so, and it does not use its room any more.
    pub unsafe fn place(&self, task: Range<usize>, room: *mut u8, len: usize) {
        let mut state = self.state();
        assert_eq!(task.start, state.next, "tasks are placed in order");
        let (to, bytes) = (self.at(state.placed), len * self.size);
        match state.take_lent(room) {
            Some(from) if bytes > 0 => state.waiting.push(Move { from, to, bytes }),
            Some(unused) => state.free.push(unused),
            // SAFETY: the values are in the block, at their place already or at the iterations of the task. Their place is behind all
            // that was placed, and ends before the iterations of this task do; nobody behind them has come so far.
            None => unsafe { ptr::copy(room, to, bytes) },
        }
        state.placed += len;
        state.next = task.end;
    }

    /// The first iteration of the task that is to be placed next.
    pub fn next(&self) -> usize {
        self.state().next
    }

    /// Carries what waits to its place; gives how many elements were placed, which are all there from now on.
    pub fn finish(&self, cx: &Context) -> usize {
        let len = self.end();
        let mut state = self.state();
        let State { lent, free, .. } = &mut *state;
        lent.drain(..).chain(free.drain(..)).for_each(|staging| cx.recycle(staging.0));
        len
    }

    /// The same, where nobody counts the memory any more.
    pub(super) fn end(&self) -> usize {
        self.copy_down();
        self.state().placed
    }

    /// Carries what waits to its place, as far as nobody else does.
    fn copy_down(&self) {
        loop {
            let Some(waiting) = self.state().waiting.pop() else { return };
            // SAFETY: the values are there, and have their place in the block to themselves.
            unsafe { ptr::copy_nonoverlapping(waiting.from.start(), waiting.to, waiting.bytes) };
            self.state().free.push(waiting.from);
        }
    }

    fn at(&self, element: usize) -> *mut u8 {
        self.start.wrapping_add(element * self.size)
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    /// Room for so many bytes beside the block, unless these are too many, or none can be had.
    fn lend(&mut self, cx: &Context, bytes: usize) -> Option<*mut u8> {
        if bytes == 0 || bytes > ASIDE {
            return None;
        }
        let lines = bytes.div_ceil(size_of::<Line>());
        let staging = match self.free.pop_if(|free| free.0.capacity() >= lines) {
            Some(free) => free,
            None if self.lent.len() + self.waiting.len() + self.free.len() < ASIDES * cx.threads() => {
                Staging(cx.temporaries().vector(lines).ok()?)
            }
            None => return None,
        };
        let start = staging.start();
        self.lent.push(staging);
        Some(start)
    }

    /// What was lent at `room`, if that is beside the block.
    fn take_lent(&mut self, room: *mut u8) -> Option<Staging> {
        let lent = self.lent.iter().position(|lent| lent.start() == room)?;
        Some(self.lent.swap_remove(lent))
    }
}

impl Staging {
    fn start(&self) -> *mut u8 {
        self.0.as_ptr().cast_mut().cast()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::options::Options;

    /// Runs tasks of these lengths, up to `together` of them at once, of which every number that `keep` holds for stays.
    fn placed(cx: &Context, tasks: &[usize], together: usize, keep: impl Fn(usize) -> bool) -> Vec<u64> {
        let n: usize = tasks.iter().sum();
        let mut block = vec![u64::MAX; n];
        // SAFETY: the block has room for all, and is not used before the end.
        let ordered = unsafe { OrderedOutput::new(block.as_mut_ptr().cast(), 8, 8) };
        let mut start = 0;
        for tasks in tasks.chunks(together) {
            let begun: Vec<_> = tasks
                .iter()
                .map(|len| {
                    let task = start..start + len;
                    start = task.end;
                    // SAFETY: no two have the same iterations.
                    (task.clone(), unsafe { ordered.room(cx, task) })
                })
                .collect();
            // The last writes first, and they are placed in order.
            let written = begun.into_iter().rev().map(|(task, room)| {
                let kept: Vec<u64> = task.clone().filter(|&i| keep(i)).map(|i| i as u64).collect();
                // SAFETY: there is room for so many.
                unsafe { ptr::copy_nonoverlapping(kept.as_ptr(), room.cast(), kept.len()) };
                (task, room, kept.len())
            });
            let written: Vec<_> = written.collect();
            for (task, room, len) in written.into_iter().rev() {
                // SAFETY: they come in order, and have written.
                unsafe { ordered.place(task, room, len) };
            }
        }
        let len = ordered.finish(cx);
        block.truncate(len);
        block
    }

    #[test]
    fn values_stand_in_the_order_of_their_tasks() {
        let long = ASIDE / 8 + 1;
        // Under Miri, a task that is too long to go aside takes too long.
        let all = [&[10; 30][..], &[1, 0, 0, 7, 100, 0], &[long, 10, long, 3, long], &[1000; 200]];
        for tasks in &all[..if cfg!(miri) { 2 } else { all.len() }] {
            let n: usize = tasks.iter().sum();
            for together in [1, 2, 5, 200] {
                for keep in [|_| true, |_| false, |i| i % 3 == 0, |i| i > 20] {
                    let kept: Vec<u64> = (0..n).filter(|&i| keep(i)).map(|i| i as u64).collect();
                    assert_eq!(placed(Context::ambient(), tasks, together, keep), kept, "{together} at once");
                }
            }
        }
    }

    #[test]
    fn what_is_aside_counts_until_the_end_and_needs_not_be() {
        let bytes = 10 * 100 * 8_usize.next_multiple_of(64);
        for limit in [0, 1000, bytes as u64] {
            let cx = Context::new(&Options::new().memory_limit(limit));
            assert_eq!(placed(&cx, &[100; 10], 10, |_| true), (0..1000).collect::<Vec<_>>());
            assert!(cx.charge(limit as usize).is_ok(), "all was given back");
        }
    }

    #[test]
    fn little_waits_aside() {
        let mut block = vec![0u8; 1000];
        // SAFETY: as above.
        let ordered = unsafe { OrderedOutput::new(block.as_mut_ptr(), 1, 1) };
        // SAFETY: no two have the same iterations.
        let rooms = (0..1000).map(|i| unsafe { ordered.room(Context::ambient(), i..i + 1) });
        let in_block = rooms.filter(|room| block.as_ptr_range().contains(&room.cast_const())).count();
        let staging = ASIDES * Context::ambient().threads();
        assert_eq!(in_block, 1000 - staging, "the first, and those behind the ones that wait");
    }

    #[test]
    #[should_panic(expected = "tasks are placed in order")]
    fn tasks_are_placed_in_order() {
        let mut block = [0u8; 4];
        // SAFETY: there is room for four elements; the second task comes too early, which is refused.
        unsafe {
            let ordered = OrderedOutput::new(block.as_mut_ptr(), 1, 1);
            let room = ordered.room(Context::ambient(), 2..4);
            ordered.place(2..4, room, 2);
        }
    }
}
