//! Room for very many values of a few bytes each: chunks that are cut from slabs.
//!
//! Buckets grow by a chunk at a time, so that none of them has to move, and slabs are as large as the system's large pages
//! want them.
//!
//! This file may use `unsafe` because a slab is memory that several chunks write to. What makes it sound: the ranges of a
//! slab's chunks are disjoint, a chunk alone reads and writes its range, the first `len` values of it are initialised, and
//! its memory is there for as long as a chunk holds the slab.
#![expect(unsafe_code, reason = "chunks are parts of memory that is not initialised")]

use std::fmt;
use std::mem::{ManuallyDrop, offset_of};
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::builders::collect;
use crate::context::Context;
use crate::fault::Fault;

/// Some values, and room for some more.
#[repr(C)]
pub(super) struct Chunk<T> {
    start: NonNull<T>,
    len: usize,
    capacity: usize,
    /// There is one if there is any room.
    slab: Option<Arc<Slab<T>>>,
}

/// Where chunks are cut from.
pub(super) struct Slabs<T> {
    last: Option<Arc<Slab<T>>>,
    /// How much of it was cut off.
    cut: usize,
    /// Chunks that nobody uses.
    free: Vec<Chunk<T>>,
    /// The bytes of slabs that were freed, and still count for the run.
    freed: Arc<AtomicUsize>,
}

/// The memory of a vector, freed with the last of its chunks.
struct Slab<T> {
    start: NonNull<T>,
    capacity: usize,
    /// Where its bytes are added when it is freed.
    freed: Arc<AtomicUsize>,
}

/// The bytes of the first slab; each is twice as large as the one before, up to the largest.
const FIRST: usize = 1 << 18;
const LARGEST: usize = 1 << 25;

// SAFETY: a chunk is the only one that reads and writes its range; a slab is memory alone, without values of its own.
unsafe impl<T: Send> Send for Chunk<T> {}
// SAFETY: through a shared chunk its values can be read, and no more.
unsafe impl<T: Sync> Sync for Chunk<T> {}
// SAFETY: as for chunks: a slab reads and writes nothing.
unsafe impl<T: Send> Send for Slab<T> {}
// SAFETY: as above.
unsafe impl<T: Send> Sync for Slab<T> {}

impl<T: Copy> Chunk<T> {
    /// Where the pointer to the values, their number, and how many there is room for stand, in bytes.
    pub(super) const OFFSETS: [usize; 3] =
        [offset_of!(Chunk<T>, start), offset_of!(Chunk<T>, len), offset_of!(Chunk<T>, capacity)];

    /// No room.
    pub(super) const NONE: Chunk<T> = Chunk { start: NonNull::dangling(), len: 0, capacity: 0, slab: None };

    /// Adds `value`, or gives it back if there is no room.
    #[inline(always)]
    pub(super) fn push(&mut self, value: T) -> Result<(), T> {
        if self.is_full() {
            return Err(value);
        }
        // SAFETY: the place is in the range of this chunk.
        unsafe { self.start.add(self.len).write(value) };
        self.len += 1;
        Ok(())
    }

    /// Adds `values`, for which there is room.
    pub(super) fn extend(&mut self, values: &[T]) {
        assert!(values.len() <= self.capacity - self.len, "more values than a chunk has room for");
        // SAFETY: the places are in the range of this chunk, which nobody else has a reference to.
        unsafe {
            self.start.add(self.len).copy_from_nonoverlapping(NonNull::from(values).cast(), values.len())
        };
        self.len += values.len();
    }

    /// The values.
    #[inline]
    pub(super) fn values(&self) -> &[T] {
        // SAFETY: so many values of the range are initialised.
        unsafe { NonNull::slice_from_raw_parts(self.start, self.len).as_ref() }
    }

    /// How many values there are.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no room for another.
    #[inline(always)]
    pub(super) fn is_full(&self) -> bool {
        self.len == self.capacity
    }

    /// Whether there is no room at all.
    pub(super) fn is_none(&self) -> bool {
        self.capacity == 0
    }

    /// Forgets the values.
    pub(super) fn clear(&mut self) {
        self.len = 0;
    }

    /// The place `ahead` values after the next, to be asked for; it need not be in the chunk.
    #[inline(always)]
    pub(super) fn place(&self, ahead: usize) -> *const T {
        self.start.as_ptr().wrapping_add(self.len + ahead)
    }
}

impl<T: Copy> Slabs<T> {
    /// A chunk with room for so many values at least: one that was left, or else a new one. Smaller ones that are met on the
    /// way are given up, so that they do not stand before those that fit.
    pub(super) fn chunk(&mut self, cx: &Context, capacity: usize) -> Result<Chunk<T>, Fault> {
        while let Some(chunk) = self.free.pop() {
            if chunk.capacity >= capacity {
                return Ok(chunk);
            }
        }
        self.cut(cx, capacity)
    }

    /// A new chunk with room for exactly so many values.
    pub(super) fn cut(&mut self, cx: &Context, capacity: usize) -> Result<Chunk<T>, Fault> {
        if capacity == 0 {
            return Ok(Chunk::NONE);
        }
        let fits = |slab: &&Arc<Slab<T>>| slab.capacity - self.cut >= capacity;
        if self.last.as_ref().filter(fits).is_none() {
            self.settle(cx);
            let size = size_of::<T>().max(1);
            let before = self.last.as_ref().map_or(0, |slab| slab.capacity.saturating_mul(2 * size));
            let many = before.clamp(FIRST, LARGEST) / size;
            // Where memory is short, there may still be room for this chunk.
            let memory = collect::with_capacity(cx, capacity.max(many));
            let mut memory = ManuallyDrop::new(memory.or_else(|_| collect::with_capacity(cx, capacity))?);
            // SAFETY: the pointer of a vector is never null.
            let start = unsafe { NonNull::new_unchecked(memory.as_mut_ptr()) };
            let slab = Slab { start, capacity: memory.capacity(), freed: self.freed.clone() };
            (self.last, self.cut) = (Some(Arc::new(slab)), 0);
        }
        let slab = self.last.clone();
        // SAFETY: there is room for so many after what was cut off.
        let start = slab.as_ref().map_or(NonNull::dangling(), |slab| unsafe { slab.start.add(self.cut) });
        self.cut += capacity;
        Ok(Chunk { start, len: 0, capacity, slab })
    }

    /// Takes chunks that nobody uses, for others.
    pub(super) fn leave(&mut self, chunks: impl IntoIterator<Item = Chunk<T>>) {
        self.free.extend(chunks.into_iter().map(|mut chunk| {
            chunk.clear();
            chunk
        }));
    }

    /// Frees what nobody uses.
    pub(super) fn free(&mut self, cx: &Context) {
        self.free = Vec::new();
        self.last = None;
        self.settle(cx);
    }

    /// Lets what was freed no longer count.
    fn settle(&self, cx: &Context) {
        cx.discharge(self.freed.swap(0, Ordering::Relaxed));
    }
}

impl<T> Default for Slabs<T> {
    fn default() -> Slabs<T> {
        Slabs { last: None, cut: 0, free: Vec::new(), freed: Arc::default() }
    }
}

impl<T> Drop for Slab<T> {
    fn drop(&mut self) {
        // SAFETY: this is the allocation of a vector of that capacity, and no chunk of it is left.
        let memory = unsafe { Vec::from_raw_parts(self.start.as_ptr(), 0, self.capacity) };
        self.freed.fetch_add(collect::room(&memory), Ordering::Relaxed);
    }
}

impl<T> fmt::Debug for Chunk<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shared = self.slab.as_ref().map_or(0, Arc::strong_count);
        write!(f, "Chunk {{ len: {}, capacity: {}, owners of its slab: {shared} }}", self.len, self.capacity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::Options;

    #[test]
    fn chunks_hold_what_was_pushed() {
        let cx = Context::ambient();
        let mut slabs = Slabs::default();
        let mut chunks: Vec<Chunk<u64>> = (0..100).map(|size| slabs.cut(cx, size).unwrap()).collect();
        for round in 0.. {
            let push = |(chunk, number): (&mut Chunk<u64>, u64)| chunk.push(100 * round + number).is_ok();
            if chunks.iter_mut().zip(0..).map(push).filter(|pushed| *pushed).count() == 0 {
                break;
            }
        }
        drop(slabs);
        for (number, chunk) in chunks.iter().enumerate() {
            let expected: Vec<u64> = (0..number as u64).map(|round| 100 * round + number as u64).collect();
            assert_eq!((chunk.values(), chunk.len()), (&expected[..], number));
        }
    }

    #[test]
    fn chunks_that_were_left_are_used_again() {
        let cx = Context::ambient();
        let mut slabs = Slabs::default();
        let mut chunk = slabs.chunk(cx, 3).unwrap();
        chunk.extend(&[1, 2]);
        let place = chunk.values().as_ptr();
        slabs.leave([chunk]);
        let again = slabs.chunk(cx, 2).unwrap();
        assert!(again.values().is_empty() && again.place(0) == place);
        // One that is too small does not hide another.
        let small = slabs.chunk(cx, 1).unwrap();
        slabs.leave([again, small]);
        assert_eq!(slabs.chunk(cx, 3).unwrap().place(0), place);
    }

    #[test]
    fn what_is_freed_no_longer_counts() {
        let limit = 64 << 20;
        let cx = Context::new(&Options::new().memory_limit(limit));
        let mut slabs = Slabs::<[u64; 8]>::default();
        let chunks: Vec<_> = (0..100).map(|_| slabs.cut(&cx, 1000).unwrap()).collect();
        assert!(cx.charge(limit as usize - (6 << 20)).is_err());
        drop(chunks);
        slabs.free(&cx);
        assert!(cx.charge(limit as usize).is_ok());
    }

    #[test]
    fn room_that_cannot_be_had_is_a_fault() {
        let cx = Context::new(&Options::new().memory_limit(1000));
        assert!(Slabs::<u64>::default().cut(&cx, 200).is_err());
        assert!(Slabs::<u64>::default().cut(&cx, 10).is_ok(), "a whole slab is more than there is");
        assert!(Slabs::<u64>::default().cut(&cx, 0).unwrap().push(1).is_err());
    }
}
