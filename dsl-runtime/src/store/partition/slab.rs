//! Room for very many values of a few bytes each: slabs that are cut from regions.
//!
//! Buckets grow by a slab at a time, so that none of them has to move, and regions are as large as the system's large pages
//! want them. All slabs of some regions take as many bytes, so that one that held values of one type can hold those of another.
//!
//! This file may use `unsafe` because a region is memory that several slabs write to. What makes it sound: the ranges of a
//! region's slabs are disjoint, a slab alone reads and writes its range, the first `len` values of it are initialised, and
//! its memory is there for as long as a slab holds the region.
#![expect(unsafe_code, reason = "slabs are parts of memory that is not initialised")]

use std::fmt;
use std::mem::{ManuallyDrop, offset_of};
use std::ptr::NonNull;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::exec::context::Context;
use crate::lang::fault::Fault;
use crate::mem::vec::room;
use crate::store::vector::growable;

/// Some values, and room for some more.
#[repr(C)]
pub(crate) struct Slab<T> {
    start: NonNull<T>,
    len: usize,
    capacity: usize,
    /// There is one if there is any room.
    region: Option<Arc<Region>>,
}

/// Slabs that nobody uses.
#[derive(Debug, Default)]
pub(crate) struct FreeList(Vec<Slab<u64>>);

/// Where slabs are cut from.
#[derive(Debug, Default)]
pub(crate) struct Regions {
    /// The words of a slab; 0 before that is known.
    words: usize,
    last: Option<Arc<Region>>,
    /// How many words of it were cut off.
    cut: usize,
    free_list: FreeList,
    /// The bytes of regions that were freed, and still count for the run.
    freed: Arc<AtomicUsize>,
}

/// The memory of a vector, freed with the last of its slabs.
#[derive(Debug)]
struct Region {
    start: NonNull<u64>,
    capacity: usize,
    /// The words of each of its slabs.
    words: usize,
    /// Where its bytes are added when it is freed.
    freed: Arc<AtomicUsize>,
}

/// The bytes of the first region; each is twice as large as the one before, up to the largest.
const FIRST: usize = 1 << 18;
const LARGEST: usize = 1 << 25;

// SAFETY: a slab is the only one that reads and writes its range; a region is memory alone, without values of its own.
unsafe impl<T: Send> Send for Slab<T> {}
// SAFETY: through a shared slab its values can be read, and no more.
unsafe impl<T: Sync> Sync for Slab<T> {}
// SAFETY: as for slabs: a region reads and writes nothing.
unsafe impl Send for Region {}
// SAFETY: as above.
unsafe impl Sync for Region {}

impl<T: Copy> Slab<T> {
    /// Where the pointer to the values, their number, and how many there is room for stand, in bytes.
    pub(crate) const OFFSETS: [usize; 3] =
        [offset_of!(Slab<T>, start), offset_of!(Slab<T>, len), offset_of!(Slab<T>, capacity)];

    /// No room.
    pub(crate) const NONE: Slab<T> = Slab { start: NonNull::dangling(), len: 0, capacity: 0, region: None };

    /// Adds `value`, for which there must be room: one that is full stays as it is.
    #[inline(always)]
    pub(crate) fn push(&mut self, value: T) {
        debug_assert!(!self.is_full(), "a value that there is no room for");
        if !self.is_full() {
            // SAFETY: the place is in the range of this slab.
            unsafe { self.start.add(self.len).write(value) };
            self.len += 1;
        }
    }

    /// The values.
    #[inline]
    pub(crate) fn values(&self) -> &[T] {
        // SAFETY: so many values of the range are initialised.
        unsafe { NonNull::slice_from_raw_parts(self.start, self.len).as_ref() }
    }

    /// How many values there are.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no room for another.
    #[inline(always)]
    pub(crate) fn is_full(&self) -> bool {
        self.len == self.capacity
    }

    /// Whether there is no room at all.
    pub(crate) fn is_none(&self) -> bool {
        self.capacity == 0
    }

    /// The place `ahead` values after the next, to be asked for; it need not be in the slab.
    #[inline(always)]
    pub(crate) fn place(&self, ahead: usize) -> *const T {
        self.start.as_ptr().wrapping_add(self.len + ahead)
    }

    /// The same room, without values, for others.
    pub(crate) fn emptied<U: Copy>(self) -> Slab<U> {
        const { assert!(align_of::<U>() <= align_of::<u64>(), "words are aligned for these values") };
        let Some(region) = self.region else { return Slab::NONE };
        let capacity = size_of::<u64>() * region.words / size_of::<U>().max(1);
        Slab { start: self.start.cast(), len: 0, capacity, region: Some(region) }
    }
}

impl FreeList {
    /// Takes a slab, whose values are forgotten.
    pub(crate) fn put<T: Copy>(&mut self, slab: Slab<T>) {
        if !slab.is_none() {
            self.0.push(slab.emptied());
        }
    }

    /// A slab, if there is one.
    pub(crate) fn take<T: Copy>(&mut self) -> Option<Slab<T>> {
        self.0.pop().map(Slab::emptied)
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}

impl Regions {
    /// None yet; slabs take so many bytes, and have no room for a value that takes more.
    pub(crate) fn of(bytes: usize) -> Regions {
        Regions { words: bytes.div_ceil(size_of::<u64>()).max(1), ..Regions::default() }
    }

    /// Whether it is known how large slabs are.
    pub(crate) fn is_cut(&self) -> bool {
        self.words > 0
    }

    /// A slab that was left, or else a new one.
    pub(crate) fn slab<T: Copy>(&mut self, cx: &Context) -> Result<Slab<T>, Fault> {
        match self.free_list.take() {
            Some(slab) => Ok(slab),
            None => self.cut(cx).map(Slab::emptied),
        }
    }

    /// Puts slabs to `free_list` until there are so many.
    pub(crate) fn fill(&mut self, cx: &Context, free_list: &mut FreeList, slabs: usize) -> Result<(), Fault> {
        (free_list.len()..slabs).try_for_each(|_| {
            free_list.put(self.slab::<u64>(cx)?);
            Ok(())
        })
    }

    /// A new slab.
    fn cut(&mut self, cx: &Context) -> Result<Slab<u64>, Fault> {
        let fits = |region: &&Arc<Region>| region.capacity - self.cut >= self.words;
        if self.last.as_ref().filter(fits).is_none() {
            self.settle(cx);
            let size = size_of::<u64>();
            let before = self.last.as_ref().map_or(0, |region| region.capacity.saturating_mul(2 * size));
            let many = before.clamp(FIRST, LARGEST) / size;
            // Where memory is short, there may still be room for this slab.
            let memory = growable::with_capacity(cx, self.words.max(many));
            let mut memory = ManuallyDrop::new(memory.or_else(|_| growable::with_capacity(cx, self.words))?);
            // SAFETY: the pointer of a vector is never null.
            let start = unsafe { NonNull::new_unchecked(memory.as_mut_ptr()) };
            let (capacity, words) = (memory.capacity(), self.words);
            (self.last, self.cut) =
                (Some(Arc::new(Region { start, capacity, words, freed: self.freed.clone() })), 0);
        }
        let region = self.last.clone();
        // SAFETY: there is room for so many after what was cut off.
        let start =
            region.as_ref().map_or(NonNull::dangling(), |region| unsafe { region.start.add(self.cut) });
        self.cut += self.words;
        Ok(Slab { start, len: 0, capacity: self.words, region })
    }

    /// Takes slabs that nobody uses, for others.
    pub(crate) fn release(&mut self, mut free_list: FreeList) {
        self.free_list.0.append(&mut free_list.0);
    }

    /// Frees what nobody uses.
    pub(crate) fn free(&mut self, cx: &Context) {
        self.free_list = FreeList::default();
        self.last = None;
        self.settle(cx);
    }

    /// Lets what was freed no longer count.
    fn settle(&self, cx: &Context) {
        cx.discharge(self.freed.swap(0, Ordering::Relaxed));
    }
}

impl Drop for Region {
    fn drop(&mut self) {
        // SAFETY: this is the allocation of a vector of that capacity, and no slab of it is left.
        let memory = unsafe { Vec::from_raw_parts(self.start.as_ptr(), 0, self.capacity) };
        self.freed.fetch_add(room(&memory), Ordering::Relaxed);
    }
}

impl<T> fmt::Debug for Slab<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shared = self.region.as_ref().map_or(0, Arc::strong_count);
        write!(f, "Slab {{ len: {}, capacity: {}, owners of its region: {shared} }}", self.len, self.capacity)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::options::Options;

    #[test]
    fn slabs_hold_what_was_pushed() {
        let cx = Context::ambient();
        let mut regions = Regions::of(40);
        let mut slabs: Vec<Slab<[u32; 3]>> = (0..100).map(|_| regions.slab(cx).unwrap()).collect();
        for round in 0..3 {
            for (slab, number) in slabs.iter_mut().zip(0..) {
                assert!(!slab.is_full());
                slab.push([round, number, round + number]);
            }
        }
        assert!(slabs.iter().all(Slab::is_full), "40 bytes");
        drop(regions);
        for (number, slab) in (0..).zip(&slabs) {
            let expected: Vec<[u32; 3]> = (0..3).map(|round| [round, number, round + number]).collect();
            assert_eq!((slab.values(), slab.len()), (&expected[..], 3));
        }
    }

    #[test]
    fn slabs_that_were_released_are_used_again() {
        let cx = Context::ambient();
        let mut regions = Regions::of(24);
        let mut slab: Slab<u64> = regions.slab(cx).unwrap();
        slab.push(1);
        let place = slab.values().as_ptr();
        let mut free_list = FreeList::default();
        free_list.put(Slab::<u8>::NONE);
        free_list.put(slab);
        assert_eq!(free_list.len(), 1);
        regions.release(free_list);
        let bytes: Slab<u8> = regions.slab(cx).unwrap();
        assert!(bytes.values().is_empty() && bytes.place(0) == place.cast() && bytes.capacity == 24);
        assert_eq!(bytes.emptied::<u64>().capacity, 3);
    }

    #[test]
    fn what_is_freed_no_longer_counts() {
        let limit = 64 << 20;
        let cx = Context::new(&Options::new().memory_limit(limit));
        let mut regions = Regions::of(64000);
        let slabs: Vec<Slab<u8>> = (0..100).map(|_| regions.slab(&cx).unwrap()).collect();
        assert!(cx.charge(limit as usize - (6 << 20)).is_err());
        drop(slabs);
        regions.free(&cx);
        assert!(cx.charge(limit as usize).is_ok());
    }

    #[test]
    fn room_that_cannot_be_had_is_a_fault() {
        let cx = Context::new(&Options::new().memory_limit(1000));
        assert!(Regions::of(1600).slab::<u8>(&cx).is_err());
        assert!(Regions::of(80).slab::<u8>(&cx).is_ok(), "a whole region is more than there is");
        assert!(Slab::<u8>::NONE.is_full());
    }
}
