//! Copies that the threads of a run share: what the runtime does beside the program, neither reported nor cancelled.
//!
//! This file may use `unsafe` because threads are given the same pointers. What makes it sound: nothing is read or written here, and
//! each number is given to one thread; `copy` vouches for what it does with the pointers.
#![allow(unsafe_code)]

use std::ops::Range;

use super::context::Context;
use super::drive::{self, Plan, Task};

/// Where a copy reads, and where it writes.
struct Ends<A, B>(*const A, *mut B);

// SAFETY: to have a pointer is to have no access.
unsafe impl<A, B> Sync for Ends<A, B> {}

impl<A, B> Ends<A, B> {
    fn both(&self) -> (*const A, *mut B) {
        (self.0, self.1)
    }
}

/// Calls `copy` with all numbers below `count`, `chunk` of them at a time and each once, and with both pointers, on the threads of the
/// run of `cx`. Where all are one chunk, the driver is not asked: there may be many small copies.
pub(crate) fn parallel_copy<A, B>(
    cx: &Context,
    count: usize,
    chunk: usize,
    from: *const A,
    to: *mut B,
    copy: impl Fn(Range<usize>, *const A, *mut B) + Sync,
) {
    if count <= chunk {
        return copy(0..count, from, to);
    }
    let ends = Ends(from, to);
    let copied = |numbers| {
        let (from, to) = ends.both();
        copy(numbers, from, to);
        Ok(())
    };
    let plan = Plan { chunk: chunk as u64, task: Task::Any };
    let run = drive::totals(&cx.unseen(), count as i64, plan, (), copied, |(), ()| Ok(()));
    run.expect("nothing ends a copy");
}
