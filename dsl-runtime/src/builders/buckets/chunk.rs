//! Room for very many values of a few bytes each: chunks that are cut from slabs.
//!
//! Buckets grow by a chunk at a time, so that none of them has to move, and slabs are as large as the system's large pages
//! want them. All chunks of some slabs take as many bytes, so that one that held values of one type can hold those of another.
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
    slab: Option<Arc<Slab>>,
}

/// Chunks that nobody uses.
#[derive(Debug, Default)]
pub(super) struct Spare(Vec<Chunk<u64>>);

/// Where chunks are cut from.
#[derive(Debug)]
pub(super) struct Slabs {
    /// The words of a chunk.
    words: usize,
    last: Option<Arc<Slab>>,
    /// How many words of it were cut off.
    cut: usize,
    spare: Spare,
    /// The bytes of slabs that were freed, and still count for the run.
    freed: Arc<AtomicUsize>,
}

/// The memory of a vector, freed with the last of its chunks.
#[derive(Debug)]
struct Slab {
    start: NonNull<u64>,
    capacity: usize,
    /// The words of each of its chunks.
    words: usize,
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
unsafe impl Send for Slab {}
// SAFETY: as above.
unsafe impl Sync for Slab {}

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

    /// Adds the first of `values`, as many as there is room for.
    #[inline(always)]
    pub(super) fn fill(&mut self, values: &mut impl Iterator<Item = T>) {
        while !self.is_full()
            && let Some(value) = values.next()
        {
            // SAFETY: the place is in the range of this chunk.
            unsafe { self.start.add(self.len).write(value) };
            self.len += 1;
        }
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

    /// The place `ahead` values after the next, to be asked for; it need not be in the chunk.
    #[inline(always)]
    pub(super) fn place(&self, ahead: usize) -> *const T {
        self.start.as_ptr().wrapping_add(self.len + ahead)
    }

    /// The same room, without values, for others.
    fn emptied<U: Copy>(self) -> Chunk<U> {
        const { assert!(align_of::<U>() <= align_of::<u64>(), "words are aligned for these values") };
        let Some(slab) = self.slab else { return Chunk::NONE };
        let capacity = size_of::<u64>() * slab.words / size_of::<U>().max(1);
        Chunk { start: self.start.cast(), len: 0, capacity, slab: Some(slab) }
    }
}

impl Spare {
    /// Takes a chunk, whose values are forgotten.
    pub(super) fn put<T: Copy>(&mut self, chunk: Chunk<T>) {
        if !chunk.is_none() {
            self.0.push(chunk.emptied());
        }
    }

    /// A chunk, if there is one.
    pub(super) fn take<T: Copy>(&mut self) -> Option<Chunk<T>> {
        self.0.pop().map(Chunk::emptied)
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}

impl Slabs {
    /// None yet; chunks have room for so many values of this type, and for none of one that is larger than all of them.
    pub(super) fn of<T>(values: usize) -> Slabs {
        let words = (values * size_of::<T>()).div_ceil(size_of::<u64>()).max(1);
        Slabs { words, last: None, cut: 0, spare: Spare::default(), freed: Arc::default() }
    }

    /// A chunk that was left, or else a new one.
    pub(super) fn chunk<T: Copy>(&mut self, cx: &Context) -> Result<Chunk<T>, Fault> {
        match self.spare.take() {
            Some(chunk) => Ok(chunk),
            None => self.cut(cx).map(Chunk::emptied),
        }
    }

    /// Puts chunks to `spare` until there are so many.
    pub(super) fn fill(&mut self, cx: &Context, spare: &mut Spare, chunks: usize) -> Result<(), Fault> {
        (spare.len()..chunks).try_for_each(|_| {
            spare.put(self.chunk::<u64>(cx)?);
            Ok(())
        })
    }

    /// A new chunk.
    fn cut(&mut self, cx: &Context) -> Result<Chunk<u64>, Fault> {
        let fits = |slab: &&Arc<Slab>| slab.capacity - self.cut >= self.words;
        if self.last.as_ref().filter(fits).is_none() {
            self.settle(cx);
            let size = size_of::<u64>();
            let before = self.last.as_ref().map_or(0, |slab| slab.capacity.saturating_mul(2 * size));
            let many = before.clamp(FIRST, LARGEST) / size;
            // Where memory is short, there may still be room for this chunk.
            let memory = collect::with_capacity(cx, self.words.max(many));
            let mut memory = ManuallyDrop::new(memory.or_else(|_| collect::with_capacity(cx, self.words))?);
            // SAFETY: the pointer of a vector is never null.
            let start = unsafe { NonNull::new_unchecked(memory.as_mut_ptr()) };
            let (capacity, words) = (memory.capacity(), self.words);
            (self.last, self.cut) =
                (Some(Arc::new(Slab { start, capacity, words, freed: self.freed.clone() })), 0);
        }
        let slab = self.last.clone();
        // SAFETY: there is room for so many after what was cut off.
        let start = slab.as_ref().map_or(NonNull::dangling(), |slab| unsafe { slab.start.add(self.cut) });
        self.cut += self.words;
        Ok(Chunk { start, len: 0, capacity: self.words, slab })
    }

    /// Takes chunks that nobody uses, for others.
    pub(super) fn leave(&mut self, mut spare: Spare) {
        self.spare.0.append(&mut spare.0);
    }

    /// Frees what nobody uses.
    pub(super) fn free(&mut self, cx: &Context) {
        self.spare = Spare::default();
        self.last = None;
        self.settle(cx);
    }

    /// Lets what was freed no longer count.
    fn settle(&self, cx: &Context) {
        cx.discharge(self.freed.swap(0, Ordering::Relaxed));
    }
}

impl Drop for Slab {
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
        let mut slabs = Slabs::of::<u64>(5);
        let mut chunks: Vec<Chunk<[u32; 3]>> = (0..100).map(|_| slabs.chunk(cx).unwrap()).collect();
        for round in 0.. {
            let value = |number| [round, number, round + number];
            let push = |(chunk, number): (&mut Chunk<_>, u32)| chunk.push(value(number)).is_ok();
            if chunks.iter_mut().zip(0..).map(push).filter(|pushed| *pushed).count() == 0 {
                assert_eq!(round, 3, "40 bytes");
                break;
            }
        }
        drop(slabs);
        for (number, chunk) in (0..).zip(&chunks) {
            let expected: Vec<[u32; 3]> = (0..3).map(|round| [round, number, round + number]).collect();
            assert_eq!((chunk.values(), chunk.len()), (&expected[..], 3));
        }
    }

    #[test]
    fn a_chunk_is_filled_by_some_of_many() {
        let mut chunk: Chunk<u16> = Slabs::of::<u32>(2).chunk(Context::ambient()).unwrap();
        let mut values = 1..8;
        chunk.fill(&mut values.by_ref().take(1));
        chunk.fill(&mut values);
        assert_eq!((chunk.values(), values), (&[1, 2, 3, 4][..], 5..8));
        chunk.fill(&mut (9..10));
        assert_eq!(chunk.values(), [1, 2, 3, 4]);
    }

    #[test]
    fn chunks_that_were_left_are_used_again() {
        let cx = Context::ambient();
        let mut slabs = Slabs::of::<u64>(3);
        let mut chunk: Chunk<u64> = slabs.chunk(cx).unwrap();
        chunk.fill(&mut [1, 2].into_iter());
        let place = chunk.values().as_ptr();
        let mut spare = Spare::default();
        spare.put(Chunk::<u8>::NONE);
        spare.put(chunk);
        assert_eq!(spare.len(), 1);
        slabs.leave(spare);
        let bytes: Chunk<u8> = slabs.chunk(cx).unwrap();
        assert!(bytes.values().is_empty() && bytes.place(0) == place.cast() && bytes.capacity == 24);
        assert_eq!(bytes.emptied::<u64>().capacity, 3);
    }

    #[test]
    fn what_is_freed_no_longer_counts() {
        let limit = 64 << 20;
        let cx = Context::new(&Options::new().memory_limit(limit));
        let mut slabs = Slabs::of::<[u64; 8]>(1000);
        let chunks: Vec<Chunk<u8>> = (0..100).map(|_| slabs.chunk(&cx).unwrap()).collect();
        assert!(cx.charge(limit as usize - (6 << 20)).is_err());
        drop(chunks);
        slabs.free(&cx);
        assert!(cx.charge(limit as usize).is_ok());
    }

    #[test]
    fn room_that_cannot_be_had_is_a_fault() {
        let cx = Context::new(&Options::new().memory_limit(1000));
        assert!(Slabs::of::<u64>(200).chunk::<u8>(&cx).is_err());
        assert!(Slabs::of::<u64>(10).chunk::<u8>(&cx).is_ok(), "a whole slab is more than there is");
        let mut none = Chunk::NONE;
        assert!(none.push(1).is_err());
    }
}
