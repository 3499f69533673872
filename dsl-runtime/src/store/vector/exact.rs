//! Results that are written once, in place, by several threads: memory that is not initialised, and the parts
//! of it that the tasks of a loop fill.

#![expect(unsafe_code, reason = "results are written once, into memory that is not initialised")]

use std::marker::PhantomData;
use std::mem::{ManuallyDrop, needs_drop};
use std::ops::Range;
use std::ptr::NonNull;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::ordered::OrderedOutput;
use super::ranges::Shares;
use crate::exec::allocate::Memory;
use crate::exec::context::Context;
use crate::lang::fault::Fault;

/// A vector of known length that is being filled.
#[derive(Debug)]
pub struct Exact<T>(OutputSlots<T>);

/// A vector whose length is at most so many that is being filled.
///
/// Every part has room for as many values as it can need, which go to the first places that are left when it is merged. Memory that
/// nothing is written to costs nothing, since the system provides it when it is touched.
#[derive(Debug)]
pub struct AtMost<T>(OutputSlots<T>);

/// A part of an [`Exact`] or an [`AtMost`], filled from its start on.
#[derive(Debug)]
pub struct Part<'p, T> {
    places: &'p OutputSlots<T>,
    /// The places of the part, or the iterations of its task.
    pub(super) range: Range<usize>,
    /// Room for as many elements, to which nothing but the part writes.
    pub(super) start: NonNull<T>,
    /// How many of them, from the first on, are initialised.
    pub(super) len: usize,
}

/// Memory for so many elements.
///
/// The ranges of all parts that were ever given are disjoint and inside. The initialised places are those that
/// `Shares` or `ordered` says, and of an `Exact` the first `len` of each part that is alive; nothing but that part touches its range.
#[derive(Debug)]
struct OutputSlots<T> {
    /// An allocation of a `Vec<T>` of that capacity.
    pub(super) start: NonNull<T>,
    capacity: usize,
    pub(super) len: usize,
    /// Of an `AtMost`, what was merged. Parts of an `Exact` that were filled stay where they are.
    ordered: Option<OrderedOutput>,
    /// Whether the vector in the end keeps places that hold nothing.
    keeps_room: bool,
    state: Mutex<Shares>,
    element: PhantomData<T>,
}

// SAFETY: places own their elements, which several threads write, each to ranges of its own, and which are dropped
// or given out by whoever owns the places. No reference to an element is handed out while places are shared, so
// `T: Sync` is not needed.
unsafe impl<T: Send> Send for OutputSlots<T> {}
// SAFETY: as above.
unsafe impl<T: Send> Sync for OutputSlots<T> {}
// SAFETY: a part has its range to itself; for its reference, `OutputSlots<T>` is `Sync`.
unsafe impl<T: Send> Send for Part<'_, T> {}

impl<T> Exact<T> {
    /// The vector of `len` elements, none of them there yet; the fault MemoryLimit if it cannot be had.
    #[inline(never)]
    pub fn new(memory: &impl Memory, len: i64) -> Result<Exact<T>, Fault> {
        Ok(Exact(OutputSlots::new(memory, len)?))
    }

    /// The part of the elements in `range`.
    ///
    /// # Panics
    /// If some of them are outside, or belong to another part.
    #[inline(never)]
    pub fn part(&self, range: Range<usize>) -> Part<'_, T> {
        self.0.part(range)
    }

    /// The vector.
    ///
    /// # Panics
    /// If parts of it were not filled.
    #[inline(never)]
    pub fn finish(mut self) -> Vec<T> {
        let len = self.0.len;
        assert_eq!(self.0.own_state().filled.len(), len, "parts of a vector were not filled");
        // SAFETY: filled ranges are disjoint, for the ranges given are, and together they are as long as the whole.
        // No part is alive, for parts borrow the places.
        unsafe { self.0.into_vec(len) }
    }
}

impl<T> AtMost<T> {
    /// The vector of at most `len` elements, none of them there yet; the fault MemoryLimit if so many cannot be
    /// had.
    #[inline(never)]
    pub fn new(memory: &impl Memory, len: i64) -> Result<AtMost<T>, Fault> {
        let mut places = OutputSlots::<T>::new(memory, len)?;
        // SAFETY: the block is that of the places, has room for `len` elements, and is left to its parts.
        places.ordered = Some(unsafe {
            OrderedOutput::new(places.start.as_ptr().cast(), size_of::<T>(), align_of::<T>())
        });
        Ok(AtMost(places))
    }

    /// The part for the elements of the task of the loop that has the iterations in `range`.
    ///
    /// # Panics
    /// If some of it is outside, or belongs to another part.
    #[inline(never)]
    pub fn part(&self, cx: &Context, range: Range<usize>) -> Part<'_, T> {
        let mut part = self.0.part(range);
        // SAFETY: the range is inside, and no other part has any of it.
        let room = unsafe { self.ordered().room(cx, part.range.clone()) };
        // SAFETY: what is given is in the allocation of the places, or in one beside them.
        part.start = unsafe { NonNull::new_unchecked(room.cast()) };
        part
    }

    /// Appends the part that comes next, full or not.
    ///
    /// # Panics
    /// If it is not the next one, or a part of another vector.
    #[inline(never)]
    pub fn merge(&self, part: Part<'_, T>) {
        assert!(std::ptr::eq(part.places, &self.0), "a part of another vector");
        // Before the part gives up its elements, which nobody would drop.
        assert_eq!(part.range.start, self.ordered().next(), "parts of a vector are merged in order");
        let part = ManuallyDrop::new(part);
        // SAFETY: the first `len` places of the room are initialised, and are moved, for the part is not dropped.
        unsafe { self.ordered().place(part.range.clone(), part.start.as_ptr().cast(), part.len) };
    }

    /// The vector of what was merged; the places that hold nothing are given back to the run, unless the memory is
    /// such as [keeps its room](Memory::keeps_room).
    #[inline(never)]
    pub fn finish(self, cx: &Context) -> Vec<T> {
        let (len, keeps_room) = (self.ordered().finish(cx), self.0.keeps_room);
        // SAFETY: the places of what was merged are initialised, and no part is alive, for parts borrow the places.
        let mut vector = unsafe { self.0.into_vec(len) };
        if keeps_room {
            return vector;
        }
        let places = vector.capacity();
        vector.shrink_to_fit();
        cx.discharge((places - vector.capacity()).saturating_mul(size_of::<T>()));
        vector
    }

    fn ordered(&self) -> &OrderedOutput {
        self.0.ordered.as_ref().expect("a vector of at most so many elements has one")
    }
}

impl<T> OutputSlots<T> {
    fn new(from: &impl Memory, len: i64) -> Result<OutputSlots<T>, Fault> {
        let len = usize::try_from(len).unwrap_or(0);
        let mut memory = ManuallyDrop::new(from.vector::<T>(len)?);
        // SAFETY: the pointer of a vector is never null.
        let start = unsafe { NonNull::new_unchecked(memory.as_mut_ptr()) };
        let capacity = memory.capacity();
        let keeps_room = from.keeps_room();
        Ok(OutputSlots {
            start,
            capacity,
            len,
            ordered: None,
            keeps_room,
            state: Mutex::default(),
            element: PhantomData,
        })
    }

    fn part(&self, range: Range<usize>) -> Part<'_, T> {
        assert!(range.start <= range.end && range.end <= self.len, "a part outside its vector");
        assert!(self.state().given.insert(range.clone()), "parts of a vector overlap");
        // SAFETY: `range` is inside the allocation.
        let start = unsafe { self.start.add(range.start) };
        Part { places: self, range, start, len: 0 }
    }

    fn state(&self) -> MutexGuard<'_, Shares> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The same where no part is alive: a lock costs as much as a few elements.
    fn own_state(&mut self) -> &mut Shares {
        self.state.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    /// The vector of the first `len` places.
    ///
    /// # Safety
    /// They must be initialised, and no part alive.
    unsafe fn into_vec(mut self, len: usize) -> Vec<T> {
        // What the drop of `self` would drop; it is left with nothing but the allocation.
        *self.own_state() = Shares::default();
        self.ordered = None;
        let places = ManuallyDrop::new(self);
        // SAFETY: this is the allocation of a vector of that capacity, and has no other owner, since the places are
        // not dropped; the elements are initialised, by the caller.
        unsafe { Vec::from_raw_parts(places.start.as_ptr(), len, places.capacity) }
    }
}

impl<T> Drop for OutputSlots<T> {
    fn drop(&mut self) {
        if needs_drop::<T>() {
            let state = std::mem::take(self.own_state());
            let merged = self.ordered.as_ref().map_or(0, OrderedOutput::end);
            for range in state.filled.iter().chain(std::iter::once(0..merged)) {
                // SAFETY: these places are initialised, and no part is alive, for parts borrow the places.
                unsafe { drop_elements(self.start.add(range.start), range.len()) };
            }
        }
        // SAFETY: this is the allocation of a vector of that capacity; its elements are dropped already.
        drop(unsafe { Vec::from_raw_parts(self.start.as_ptr(), 0, self.capacity) });
    }
}

impl<T> Part<'_, T> {
    /// Moves `values` to the next places.
    ///
    /// # Panics
    /// If they do not fit.
    pub fn append(&mut self, mut values: Vec<T>) {
        if self.range.len() - self.len < values.len() {
            full();
        }
        let moved = values.len();
        // SAFETY: from here on the vector does not own its elements, so that they are moved.
        unsafe { values.set_len(0) };
        // SAFETY: the places are in the range of this part, and the vector's memory is elsewhere.
        unsafe { std::ptr::copy_nonoverlapping(values.as_ptr(), self.start.add(self.len).as_ptr(), moved) };
        self.len += moved;
    }

    /// Ends a part of an [`Exact`].
    ///
    /// # Panics
    /// If it is not full: then the whole never will be.
    #[inline(never)]
    pub fn done(self) {
        assert_eq!(self.len, self.range.len(), "a part of a vector was not filled");
    }
}

impl<T> Drop for Part<'_, T> {
    #[inline(never)]
    fn drop(&mut self) {
        if self.places.ordered.is_none() && self.len == self.range.len() {
            self.places.state().filled.insert(self.range.clone());
        } else if needs_drop::<T>() {
            // SAFETY: the first `len` places of the range are initialised, and nobody else drops them.
            unsafe { drop_elements(self.start, self.len) };
        }
    }
}

#[cold]
#[inline(never)]
pub(super) fn full() -> ! {
    panic!("more values than a part of a vector has places")
}

/// Drops `len` elements from `start` on.
///
/// # Safety
/// They must be initialised, in one allocation, and owned by the caller.
unsafe fn drop_elements<T>(start: NonNull<T>, len: usize) {
    // SAFETY: by the caller.
    unsafe { NonNull::slice_from_raw_parts(start, len).drop_in_place() };
}

#[cfg(test)]
mod tests;
