//! Room for very many rows of a few bytes each: slabs that are cut from regions.
//!
//! Buckets grow by a slab at a time, so that none of them has to move, and regions are as large as the system's large pages
//! want them. All slabs of some regions take as many bytes, so that one that held rows of one type can hold those of another.
//! Slabs have no type parameter: the type of their rows is kept by what holds them, so that code that moves slabs is monomorphised once.
//!
//! This file may use `unsafe` because a region is memory that several slabs write to. What makes it sound: the ranges of a
//! region's slabs are disjoint, a slab alone reads and writes its range, the first `len` rows of it are of the type for which
//! it was last [emptied](Slab::emptied), which its callers promise, and its memory is there for as long as a slab holds the region.
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

use super::row::{RowType, Unit};

/// So many units are a word.
const UNITS: usize = size_of::<u64>() / size_of::<Unit>();

/// Some rows, and room for some more.
#[repr(C)]
pub(crate) struct Slab {
    start: NonNull<Unit>,
    len: usize,
    capacity: usize,
    /// There is one if there is any room.
    region: Option<Arc<Region>>,
}

/// Slabs that nobody uses.
#[derive(Debug, Default)]
pub(crate) struct FreeList(Vec<Slab>);

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

// SAFETY: a slab is the only one that reads and writes its range, of rows that are `Send` and `Sync`, see [`RowType`]; a region is
// memory alone, without values of its own.
unsafe impl Send for Slab {}
// SAFETY: through a shared slab its rows can be read, and no more.
unsafe impl Sync for Slab {}
// SAFETY: as for slabs: a region reads and writes nothing.
unsafe impl Send for Region {}
// SAFETY: as above.
unsafe impl Sync for Region {}

impl Slab {
    /// Where the pointer to the rows, their number, and how many there is room for stand, in bytes.
    pub(crate) const OFFSETS: [usize; 3] =
        [offset_of!(Slab, start), offset_of!(Slab, len), offset_of!(Slab, capacity)];

    /// No room.
    pub(crate) const NONE: Slab = Slab { start: NonNull::dangling(), len: 0, capacity: 0, region: None };

    /// Adds `row`, for which there must be room: a slab that is full stays as it is.
    ///
    /// # Safety
    /// The slab was emptied for rows of this type.
    #[inline(always)]
    pub(crate) unsafe fn push<T: Copy>(&mut self, row: T) {
        debug_assert!(!self.is_full(), "a row that there is no room for");
        if !self.is_full() {
            // SAFETY: the place is in the range of this slab.
            unsafe { self.start.cast::<T>().add(self.len).write(row) };
            self.len += 1;
        }
    }

    /// Moves the first of `rows` here, as many as there is room for; how many units of them.
    ///
    /// # Safety
    /// They are rows of the type that the slab was emptied for.
    pub(crate) unsafe fn append(&mut self, of: RowType, rows: &[Unit]) -> usize {
        let number = (rows.len() / of.units()).min(self.room());
        let units = number * of.units();
        // SAFETY: the places are in the range of this slab, which no other slice shows.
        unsafe {
            let place = self.start.add(self.len * of.units());
            place.as_ptr().copy_from_nonoverlapping(rows.as_ptr(), units);
        }
        self.len += number;
        units
    }

    /// The rows.
    ///
    /// # Safety
    /// The slab was emptied for rows of this type.
    #[inline]
    pub(crate) unsafe fn rows<T: Copy>(&self) -> &[T] {
        // SAFETY: so many rows of the range are initialised, as the caller promises.
        unsafe { NonNull::slice_from_raw_parts(self.start.cast(), self.len).as_ref() }
    }

    /// The rows, in units.
    ///
    /// # Safety
    /// The slab was emptied for rows of this type.
    #[inline]
    pub(crate) unsafe fn units(&self, of: RowType) -> &[Unit] {
        // SAFETY: so many units of the range are rows, as the caller promises.
        unsafe { NonNull::slice_from_raw_parts(self.start, self.len * of.units()).as_ref() }
    }

    /// How many rows there are.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no room for another.
    #[inline(always)]
    pub(crate) fn is_full(&self) -> bool {
        self.len == self.capacity
    }

    /// How many more rows there is room for.
    pub(crate) fn room(&self) -> usize {
        self.capacity - self.len
    }

    /// Whether there is no room at all.
    pub(crate) fn is_none(&self) -> bool {
        self.capacity == 0
    }

    /// The place `ahead` rows after the next, to be asked for; it need not be in the slab.
    #[inline(always)]
    pub(crate) fn place<T>(&self, ahead: usize) -> *const T {
        self.start.cast::<T>().as_ptr().wrapping_add(self.len + ahead)
    }

    /// The same room, without rows, for those of this type.
    pub(crate) fn emptied(self, of: RowType) -> Slab {
        let capacity = self.region.as_ref().map_or(0, |region| UNITS * region.words / of.units());
        Slab { len: 0, capacity, ..self }
    }
}

impl FreeList {
    /// Takes a slab, whose rows are forgotten.
    pub(crate) fn put(&mut self, slab: Slab) {
        if !slab.is_none() {
            self.0.push(slab);
        }
    }

    /// A slab, if there is one.
    pub(crate) fn take(&mut self) -> Option<Slab> {
        self.0.pop()
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.0.len()
    }
}

impl Regions {
    /// None yet; slabs take so many bytes, and have no room for a row that takes more.
    pub(crate) fn of(bytes: usize) -> Regions {
        Regions { words: bytes.div_ceil(size_of::<u64>()).max(1), ..Regions::default() }
    }

    /// Whether it is known how large slabs are.
    pub(crate) fn is_cut(&self) -> bool {
        self.words > 0
    }

    /// How many bytes a slab takes.
    pub(crate) fn bytes(&self) -> usize {
        self.words * size_of::<u64>()
    }

    /// A slab that was left, or else a new one.
    pub(crate) fn slab(&mut self, cx: &Context) -> Result<Slab, Fault> {
        self.free_list.take().map_or_else(|| self.cut(cx), Ok)
    }

    /// Puts slabs to `free_list` until there are so many.
    pub(crate) fn fill(&mut self, cx: &Context, free_list: &mut FreeList, slabs: usize) -> Result<(), Fault> {
        while free_list.len() < slabs {
            free_list.put(self.slab(cx)?);
        }
        Ok(())
    }

    /// A new slab, for rows of no type yet.
    fn cut(&mut self, cx: &Context) -> Result<Slab, Fault> {
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
        Ok(Slab { start: start.cast(), len: 0, capacity: UNITS * self.words, region })
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

impl fmt::Debug for Slab {
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
    fn slabs_hold_what_was_pushed_and_appended() {
        let (cx, of) = (Context::ambient(), RowType::of::<[u32; 3]>());
        let mut regions = Regions::of(40);
        let mut slabs: Vec<Slab> = (0..100).map(|_| regions.slab(cx).unwrap().emptied(of)).collect();
        for (slab, number) in slabs.iter_mut().zip(0..) {
            // SAFETY: they are emptied for such rows.
            unsafe { slab.push([0u32, number, 7]) };
            assert!(!slab.is_full());
        }
        let first = slabs.remove(0);
        for slab in &mut slabs {
            // SAFETY: these are rows of the first slab.
            let units = unsafe { [first.units(of), first.units(of), first.units(of)].concat() };
            // SAFETY: as above.
            assert_eq!(unsafe { slab.append(of, &units) }, 6, "40 bytes");
            assert!(slab.is_full());
        }
        drop((regions, first));
        for (number, slab) in (1..).zip(&slabs) {
            // SAFETY: as above.
            let rows: &[[u32; 3]] = unsafe { slab.rows() };
            assert_eq!((rows, slab.len()), (&[[0, number, 7], [0, 0, 7], [0, 0, 7]][..], 3));
        }
    }

    #[test]
    fn slabs_that_were_released_are_used_again() {
        let (cx, words) = (Context::ambient(), RowType::of::<[u32; 2]>());
        let mut regions = Regions::of(24);
        let mut slab = regions.slab(cx).unwrap().emptied(words);
        // SAFETY: it is emptied for such rows.
        unsafe { slab.push([1u32, 2]) };
        let place = slab.place::<[u32; 2]>(0);
        let mut free_list = FreeList::default();
        free_list.put(Slab::NONE);
        free_list.put(slab);
        assert_eq!(free_list.len(), 1);
        regions.release(free_list);
        let units = regions.slab(cx).unwrap().emptied(RowType::of::<u32>());
        assert!(units.len() == 0 && units.place::<u32>(2) == place.cast() && units.capacity == 6);
        assert_eq!(units.emptied(words).capacity, 3);
    }

    #[test]
    fn what_is_freed_no_longer_counts() {
        let limit = 64 << 20;
        let cx = Context::new(&Options::new().memory_limit(limit));
        let mut regions = Regions::of(64000);
        let slabs: Vec<Slab> = (0..100).map(|_| regions.slab(&cx).unwrap()).collect();
        assert!(cx.charge(limit as usize - (6 << 20)).is_err());
        drop(slabs);
        regions.free(&cx);
        assert!(cx.charge(limit as usize).is_ok());
    }

    #[test]
    fn room_that_cannot_be_had_is_a_fault() {
        let cx = Context::new(&Options::new().memory_limit(1000));
        assert!(Regions::of(1600).slab(&cx).is_err());
        assert!(Regions::of(80).slab(&cx).is_ok(), "a whole region is more than there is");
        assert!(Slab::NONE.is_full());
    }
}
