//! Tasks that are as long as they become: each thread begins with an equal share of the chunks, and works them off in a row
//! into one state. Who has none left takes the later half of the largest share. So there are hardly more states than threads,
//! and no thread is idle while there are chunks.
//!
//! A thread whose state is not to go on takes short rows of chunks from then on, the first that nobody has begun: what they come
//! to is merged soon, and leaves its memory to the next.
//!
//! The shares are those of work stealing as R. D. Blumofe and C. E. Leiserson describe it (Scheduling multithreaded
//! computations by work stealing, 1999), of ranges instead of tasks.

use std::ops::Range;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering};

use super::cut::TASKS_PER_THREAD;
use super::driver::Driver;
use super::merging::{Merging, Outcome};
use super::task::{Begin, RunningTask};
use super::token_cell::Token;
use crate::exec::threads;
use crate::lang::fault::Fault;

/// The chunks that nobody has begun, by thread: the numbers of the first and of the one behind the last, in the upper and the
/// lower half of a word.
pub(super) struct Shares(Vec<AtomicU64>);

/// The most chunks that are shared, which must be less than 2^32: the totals of half of them may wait.
pub(super) const MOST: usize = 1 << 20;

impl Shares {
    /// Equal shares of so many chunks, [`MOST`] at most.
    pub(super) fn of(chunks: usize, threads: usize) -> Shares {
        let start = |thread: usize| (chunks as u128 * thread as u128 / threads as u128) as u64;
        Shares((0..threads).map(|thread| AtomicU64::new(start(thread) << 32 | start(thread + 1))).collect())
    }

    /// The next chunk of that thread's share, if it is one that `fits`.
    fn next(&self, thread: usize, fits: impl Fn(usize) -> bool) -> Option<usize> {
        let begin = |share| {
            let chunks = chunks(share);
            (!chunks.is_empty() && fits(chunks.start)).then_some(share + (1 << 32))
        };
        let share = self.0[thread].fetch_update(Ordering::Relaxed, Ordering::Relaxed, begin).ok()?;
        Some(chunks(share).start)
    }

    /// The first chunks that nobody has begun, `most` of them or fewer.
    fn first(&self, most: usize) -> Option<Range<usize>> {
        loop {
            let shares = self.0.iter().map(|share| share.load(Ordering::Relaxed)).enumerate();
            let (owner, share) =
                shares.filter(|&(_, share)| !chunks(share).is_empty()).min_by_key(|&(_, share)| share)?;
            let Range { start, end } = chunks(share);
            let middle = end.min(start + most);
            let left = (middle as u64) << 32 | end as u64;
            if self.0[owner].compare_exchange(share, left, Ordering::Relaxed, Ordering::Relaxed).is_ok() {
                return Some(start..middle);
            }
        }
    }

    /// Gives that thread, whose share is empty, the later half of the largest one. Whether there was any.
    fn steal(&self, thread: usize) -> bool {
        loop {
            let shares = self.0.iter().map(|share| share.load(Ordering::Relaxed));
            let largest = shares.enumerate().max_by_key(|&(_, share)| chunks(share).len());
            let Some((victim, share)) = largest.filter(|&(_, share)| !chunks(share).is_empty()) else {
                return false;
            };
            let Range { start, end } = chunks(share);
            let middle = (start + (end - start) / 2) as u64;
            let (left, taken) = ((start as u64) << 32 | middle, middle << 32 | end as u64);
            let is_taken =
                self.0[victim].compare_exchange(share, left, Ordering::Relaxed, Ordering::Relaxed).is_ok();
            if is_taken {
                // Nobody takes of an empty share.
                self.0[thread].store(taken, Ordering::Relaxed);
                return true;
            }
        }
    }
}

/// The chunks of a share.
fn chunks(share: u64) -> Range<usize> {
    (share >> 32) as usize..(share as u32) as usize
}

impl Driver<'_> {
    /// Runs all chunks, in tasks that are as long as they become; where a task does not go on, in short ones.
    pub(super) fn shared(&self, begin: Begin<'_, '_>, token: Token) -> Result<(), Fault> {
        let threads = self.cut.threads;
        let chunks = self.cut.n.div_ceil(self.cut.chunk);
        let shares = Shares::of(chunks, threads);
        let short = chunks.div_ceil(threads * TASKS_PER_THREAD);
        let next_thread = AtomicUsize::new(0);
        // The iterations from this one on need not be run any more.
        let stop = AtomicUsize::new(self.cut.n);
        let merging = Merging::new(token);
        let absorb_row = |first: usize, next: &mut dyn FnMut(&dyn RunningTask, usize) -> Option<usize>| {
            if let Some(outcome) = self.row(first, begin, next, &stop) {
                self.absorb(&merging, outcome, &stop);
            }
        };
        let work = || {
            let thread = next_thread.fetch_add(1, Ordering::Relaxed);
            if thread >= threads {
                return;
            }
            let mut is_to_end = false;
            while !is_to_end {
                let Some(first) = shares.next(thread, |_| true) else {
                    if shares.steal(thread) {
                        continue;
                    }
                    return;
                };
                absorb_row(first, &mut |task, done| {
                    is_to_end = !task.goes_on();
                    // Who takes short rows may have taken some from the beginning of this share.
                    let follows = |chunk| chunk == first + done;
                    if is_to_end && done >= short { None } else { shares.next(thread, follows) }
                });
            }
            while let Some(mut row) = shares.first(short) {
                let first = row.start;
                row.next();
                absorb_row(first, &mut |_, _| row.next());
            }
        };
        threads::on_threads(self.cx, threads, &work);
        merging.end(self.cut.n)
    }

    /// Runs the chunk `first` and those that `next` gives, told the task and how many were run, which follow it, as one task, unless
    /// an earlier one ends in a fault meanwhile.
    fn row<'l>(
        &self,
        first: usize,
        begin: Begin<'_, 'l>,
        next: &mut dyn FnMut(&dyn RunningTask, usize) -> Option<usize>,
        stop: &AtomicUsize,
    ) -> Option<Outcome<'l>> {
        let start = first * self.cut.chunk;
        if start >= stop.load(Ordering::Relaxed) {
            return None;
        }
        let mut task = begin(start..start, MOST);
        let (mut end, mut done) = (start, 0);
        let mut at = Some(first);
        while let Some(chunk) = at {
            if chunk * self.cut.chunk >= stop.load(Ordering::Relaxed) {
                return None;
            }
            let range = self.cut.chunk_at(chunk);
            end = range.end;
            if let Err(fault) = self.chunk(range, &mut |chunk| task.run(chunk)) {
                stop.fetch_min(end, Ordering::Relaxed);
                return Some(Outcome { range: start..end, task, fault: Some(fault) });
            }
            done += 1;
            at = next(&*task, done);
        }
        Some(Outcome { range: start..end, task, fault: None })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The chunks that one thread is given until there are none.
    fn all_of(shares: &Shares, thread: usize) -> Vec<usize> {
        let mut all = Vec::new();
        loop {
            all.extend(std::iter::from_fn(|| shares.next(thread, |_| true)));
            if !shares.steal(thread) {
                return all;
            }
        }
    }

    #[test]
    fn a_thread_begins_with_its_own_share_and_ends_with_those_of_others() {
        for (chunks, threads) in [(0, 1), (1, 1), (1, 3), (10, 1), (10, 3), (100, 7)] {
            let shares = Shares::of(chunks, threads);
            let mut all = all_of(&shares, threads / 2);
            assert_eq!(all.first().copied(), (chunks > 0).then_some(chunks * (threads / 2) / threads));
            all.sort_unstable();
            assert_eq!(all, (0..chunks).collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_first_chunks_are_those_that_nobody_has_begun() {
        let shares = Shares::of(10, 2);
        assert_eq!(shares.next(0, |chunk| chunk == 1), None, "it is chunk 0");
        assert_eq!((shares.next(0, |_| true), shares.next(1, |_| true)), (Some(0), Some(5)));
        let firsts: Vec<_> = std::iter::from_fn(|| shares.first(3)).collect();
        assert_eq!(firsts, [1..4, 4..5, 6..9, 9..10]);
        assert!(shares.next(0, |_| true).is_none() && !shares.steal(1));
    }

    #[test]
    fn threads_are_given_each_chunk_once() {
        let rounds = if cfg!(miri) { 2 } else { 200 };
        for _ in 0..rounds {
            let shares = Shares::of(1000, 3);
            let mut all = std::thread::scope(|scope| {
                let threads: Vec<_> = (0..3)
                    .map(|thread| {
                        scope.spawn({
                            let shares = &shares;
                            move || all_of(shares, thread)
                        })
                    })
                    .collect();
                threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect::<Vec<_>>()
            });
            all.sort_unstable();
            assert_eq!(all, (0..1000).collect::<Vec<_>>());
        }
    }
}
