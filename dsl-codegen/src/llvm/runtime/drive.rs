//! Split loops: the four parts of a compiled nest, run by the runtime's driver.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use weldment_runtime::exec::drive::{Plan, Task, open, run};
use weldment_runtime::lang::fault::Fault;
use weldment_runtime::store::partition::SharedPartitions;
use weldment_runtime::store::vector::growable::with_capacity;

use super::abi::status;
use crate::imp;
use crate::llvm::memory::Frame;

/// A compiled nest: a constant of the emitted module. Every part gives a status.
///
/// The *state* is what a task of chunks keeps (tables, buffers), the *totals* what one chunk comes to (sums), the
/// *total* what everything becomes. `captures` are the values from outside.
#[repr(C)]
pub(crate) struct Nest {
    /// Makes the state of the task that begins at `lo` and ends before `hi`.
    init: unsafe extern "C" fn(&mut Frame<'_>, captures: *const u8, state: *mut u8, lo: i64, hi: i64) -> i32,
    /// Runs a chunk.
    update: unsafe extern "C" fn(
        &mut Frame<'_>,
        captures: *const u8,
        state: *mut u8,
        totals: *mut u8,
        lo: i64,
        hi: i64,
    ) -> i32,
    /// Adds the totals of the next chunk.
    add: unsafe extern "C" fn(&mut Frame<'_>, captures: *const u8, total: *mut u8, totals: *mut u8) -> i32,
    /// Merges the state of the next task.
    merge: unsafe extern "C" fn(&mut Frame<'_>, captures: *const u8, total: *mut u8, state: *mut u8) -> i32,
    state_size: i64,
    totals_size: i64,
    /// Iterations per chunk.
    chunk: i64,
    /// What a task is: [`imp::Task::number`].
    tasks: i64,
    /// Iterations per segment, or 0 for the rule's.
    segment: i64,
}

/// The state of a task, and the frame in which it allocates.
struct State<'r> {
    frame: Frame<'r>,
    words: Words,
    /// Of `init`, which cannot say so itself.
    fault: Option<Fault>,
}

/// Zeros that a part writes to.
#[derive(Default)]
struct Words(Vec<u64>);

impl Words {
    fn new(frame: &Frame<'_>, number: usize) -> Result<Words, Fault> {
        let mut words = with_capacity(frame.run.context, number)?;
        words.resize(number, 0);
        Ok(Words(words))
    }

    /// Ends that they count.
    fn leave(self, frame: &Frame<'_>) {
        frame.run.context.discharge(self.0.capacity() * size_of::<u64>());
    }

    fn as_mut_ptr(&mut self) -> *mut u8 {
        self.0.as_mut_ptr().cast()
    }
}

/// What a chunk comes to. Mostly some words: a chunk of bytes takes less than a microsecond, of which memory for these would be a
/// part that shows.
struct Totals {
    few: [u64; Totals::FEW],
    /// All of them, if they are more.
    more: Option<Box<Words>>,
}

impl Totals {
    const FEW: usize = 8;

    /// Zeros.
    fn new(frame: &Frame<'_>, number: usize) -> Result<Totals, Fault> {
        let more = if number > Totals::FEW { Some(Box::new(Words::new(frame, number)?)) } else { None };
        Ok(Totals { few: [0; Totals::FEW], more })
    }

    fn as_mut_ptr(&mut self) -> *mut u8 {
        match &mut self.more {
            Some(more) => more.as_mut_ptr(),
            None => self.few.as_mut_ptr().cast(),
        }
    }
}

/// An address that compiled code hands from part to part.
#[derive(Clone, Copy)]
struct Address(*mut u8);

// SAFETY: `captures` are only read while the nest runs, and the total is used by one thread at a time.
unsafe impl Send for Address {}
// SAFETY: as above.
unsafe impl Sync for Address {}

impl Address {
    fn get(self) -> *mut u8 {
        self.0
    }
}

/// Runs the nest over `n` iterations into `total`.
///
/// # Safety
/// The nest's parts belong together, and `captures` and `total` are what they expect.
pub(super) unsafe extern "C" fn drive(
    frame: &mut Frame<'_>,
    nest: &Nest,
    n: i64,
    captures: *mut u8,
    total: *mut u8,
) -> i32 {
    // A panic can only come from a callback of the user's; it goes on when the compiled code has returned.
    let outcome = catch_unwind(AssertUnwindSafe(|| {
        // SAFETY: as the caller promises.
        unsafe { driven(frame, nest, n, Address(captures), Address(total)) }
    }));
    match outcome {
        Ok(result) => status(frame, result),
        Err(payload) => {
            frame.run.panicked(payload);
            1
        }
    }
}

const SHORT: i64 = imp::Task::Short.number();
const OPEN: i64 = imp::Task::Open.number();
const SEGMENTS: i64 = imp::Task::Segments(None).number();

/// # Safety
/// As for [`drive`].
unsafe fn driven(
    frame: &Frame<'_>,
    nest: &Nest,
    n: i64,
    captures: Address,
    total: Address,
) -> Result<(), Fault> {
    let plan = Plan {
        chunk: nest.chunk as u64,
        task: match nest.tasks {
            SEGMENTS => Task::Segment(u64::try_from(nest.segment).ok().filter(|&s| s > 0)),
            SHORT => Task::Short,
            _ if nest.state_size == 0 => Task::Totals,
            _ => Task::Any,
        },
    };
    let words = |size: i64| (size as usize).div_ceil(size_of::<u64>());
    let (state_words, totals_words) = (words(nest.state_size), words(nest.totals_size));
    let of_loop = frame.run.next_loop();
    let init = |range: Range<usize>| {
        let mut state = State { frame: frame.run.frame_of(of_loop), words: Words::default(), fault: None };
        let begun = Words::new(&state.frame, state_words).and_then(|words| {
            state.words = words;
            let (lo, hi) = (range.start as i64, range.end as i64);
            // SAFETY: the state has the size that the part expects.
            let status =
                unsafe { (nest.init)(&mut state.frame, captures.get(), state.words.as_mut_ptr(), lo, hi) };
            outcome(&mut state.frame, status)
        });
        state.fault = begun.err();
        state
    };
    let update = |state: &mut State<'_>, range: Range<usize>, totals: *mut u8| {
        if let Some(fault) = &state.fault {
            return Err(fault.clone());
        }
        let (lo, hi) = (range.start as i64, range.end as i64);
        // SAFETY: state and totals have the sizes that the part expects.
        let status = unsafe {
            (nest.update)(&mut state.frame, captures.get(), state.words.as_mut_ptr(), totals, lo, hi)
        };
        outcome(&mut state.frame, status)
    };
    let add = |(frame, total): &mut (Frame<'_>, Address), mut totals: Totals| {
        // SAFETY: both have the sizes that the part expects.
        let status = unsafe { (nest.add)(frame, captures.get(), total.get(), totals.as_mut_ptr()) };
        totals.more.into_iter().for_each(|more| more.leave(frame));
        outcome(frame, status)
    };
    let merge = |(frame, total): &mut (Frame<'_>, Address), mut state: State<'_>| {
        // SAFETY: both have the sizes that the part expects; what the state allocated outlives it in the run.
        let status = unsafe { (nest.merge)(frame, captures.get(), total.get(), state.words.as_mut_ptr()) };
        state.words.leave(frame);
        outcome(frame, status)
    };
    let (context, all) = (frame.run.context, (frame.run.frame_of(of_loop), total));
    let goes_on =
        |state: &State<'_>| !state.frame.shared_partitions.as_ref().is_some_and(SharedPartitions::met);
    // Of chunks that come to nothing, nothing is kept until the task is merged.
    let end = if totals_words == 0 {
        let update = |state: &mut State<'_>, range| update(state, range, Words::default().as_mut_ptr());
        match nest.tasks {
            OPEN => open(context, n, plan.chunk, all, || init(0..0), update, |_, ()| Ok(()), goes_on, merge),
            _ => run(context, n, plan, all, init, update, |_, ()| Ok(()), merge),
        }
    } else {
        let update = |state: &mut State<'_>, range| {
            let mut totals = Totals::new(&state.frame, totals_words)?;
            update(state, range, totals.as_mut_ptr()).map(|()| totals)
        };
        match nest.tasks {
            OPEN => open(context, n, plan.chunk, all, || init(0..0), update, add, goes_on, merge),
            _ => run(context, n, plan, all, init, update, add, merge),
        }
    };
    frame.run.tables.end_loop(frame.run, of_loop);
    let (mut frame, _) = end?;
    // SAFETY: what was appended to is part of the total.
    unsafe { frame.join() }
}

/// The fault that a part left, if its status says so.
fn outcome(frame: &mut Frame<'_>, status: i32) -> Result<(), Fault> {
    match status {
        0 => Ok(()),
        _ => Err(frame.take_fault()),
    }
}
