//! Split loops: the four parts of a compiled nest, run by the runtime's driver.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};

use weldment_runtime::builders::buckets::Many;
use weldment_runtime::drive::{Plan, Unit, open, run};
use weldment_runtime::fault::Fault;

use super::calls::status;
use crate::llvm::memory::Frame;
use crate::loops::facts::Units;

/// A compiled nest: a constant of the emitted module. Every part gives a status.
///
/// The *state* is what a unit of pieces keeps (tables, buffers), the *totals* what one piece comes to (sums), the
/// *total* what everything becomes. `captures` are the values from outside.
#[repr(C)]
pub(crate) struct Nest {
    /// Makes the state of the unit that begins at `lo` and ends before `hi`.
    init: unsafe extern "C" fn(&mut Frame<'_>, captures: *const u8, state: *mut u8, lo: i64, hi: i64) -> i32,
    /// Runs a piece.
    update: unsafe extern "C" fn(
        &mut Frame<'_>,
        captures: *const u8,
        state: *mut u8,
        totals: *mut u8,
        lo: i64,
        hi: i64,
    ) -> i32,
    /// Adds the totals of the next piece.
    add: unsafe extern "C" fn(&mut Frame<'_>, captures: *const u8, total: *mut u8, totals: *mut u8) -> i32,
    /// Merges the state of the next unit.
    merge: unsafe extern "C" fn(&mut Frame<'_>, captures: *const u8, total: *mut u8, state: *mut u8) -> i32,
    state_size: i64,
    totals_size: i64,
    /// Iterations per piece.
    piece: i64,
    /// What a unit is: one of [`Units`].
    units: i64,
    /// Iterations per segment, or 0 for the rule's.
    segment: i64,
}

/// The state of a unit, and the frame in which it allocates.
struct State<'r> {
    frame: Frame<'r>,
    bytes: Vec<u64>,
    /// Of `init`, which cannot say so itself.
    fault: Option<Fault>,
}

/// What a piece comes to. Mostly some words: a piece of bytes takes less than a microsecond, of which memory for these would be a
/// part that shows.
struct Totals {
    few: [u64; Totals::FEW],
    /// All of them, if they are more.
    more: Vec<u64>,
}

impl Totals {
    const FEW: usize = 8;

    /// Zeros.
    fn new(words: usize) -> Totals {
        Totals { few: [0; Totals::FEW], more: if words > Totals::FEW { vec![0; words] } else { Vec::new() } }
    }

    fn as_mut_ptr(&mut self) -> *mut u8 {
        if self.more.is_empty() { self.few.as_mut_ptr().cast() } else { self.more.as_mut_ptr().cast() }
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

const SHORT: i64 = Units::Short as i64;
const OPEN: i64 = Units::Open as i64;
const SEGMENTS: i64 = Units::Segments as i64;

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
        piece: nest.piece as u64,
        unit: match nest.units {
            SEGMENTS => Unit::Segment(u64::try_from(nest.segment).ok().filter(|&s| s > 0)),
            SHORT => Unit::Short,
            _ => Unit::Any,
        },
    };
    let words = |size: i64| (size as usize).div_ceil(size_of::<u64>());
    let (state_words, totals_words) = (words(nest.state_size), words(nest.totals_size));
    let of_loop = frame.run.next_loop();
    let init = |range: Range<usize>| {
        let mut state =
            State { frame: frame.run.frame_of(of_loop), bytes: vec![0; state_words], fault: None };
        // SAFETY: the state has the size that the part expects.
        let status = unsafe {
            let bytes = state.bytes.as_mut_ptr().cast();
            (nest.init)(&mut state.frame, captures.get(), bytes, range.start as i64, range.end as i64)
        };
        state.fault = outcome(&mut state.frame, status).err();
        state
    };
    let update = |state: &mut State<'_>, range: Range<usize>| {
        if let Some(fault) = &state.fault {
            return Err(fault.clone());
        }
        let mut totals = Totals::new(totals_words);
        let bytes = state.bytes.as_mut_ptr().cast();
        let (lo, hi) = (range.start as i64, range.end as i64);
        // SAFETY: state and totals have the sizes that the part expects.
        let status =
            unsafe { (nest.update)(&mut state.frame, captures.get(), bytes, totals.as_mut_ptr(), lo, hi) };
        outcome(&mut state.frame, status).map(|()| totals)
    };
    let add = |(frame, total): &mut (Frame<'_>, Address), mut totals: Totals| {
        // SAFETY: both have the sizes that the part expects.
        let status = unsafe { (nest.add)(frame, captures.get(), total.get(), totals.as_mut_ptr()) };
        outcome(frame, status)
    };
    let merge = |(frame, total): &mut (Frame<'_>, Address), mut state: State<'_>| {
        // SAFETY: both have the sizes that the part expects; what the state allocated outlives it in the run.
        let status =
            unsafe { (nest.merge)(frame, captures.get(), total.get(), state.bytes.as_mut_ptr().cast()) };
        outcome(frame, status)
    };
    let (context, all) = (frame.run.context, (frame.run.frame_of(of_loop), total));
    let end = match nest.units {
        OPEN => {
            let goes_on = |state: &State<'_>| !state.frame.many.as_ref().is_some_and(Many::met);
            open(context, n, plan.piece, all, || init(0..0), update, add, goes_on, merge)
        }
        _ => run(context, n, plan, all, init, update, add, merge),
    };
    frame.run.free_tables();
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
