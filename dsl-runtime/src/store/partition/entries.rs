//! The keys of a bucket while it is not drained, in slabs.
//!
//! This file may use `unsafe` because it shows rows of slabs. What makes it sound: all slabs of [`Entries`] are emptied for entries of
//! its type, which are moved whole, and an entry begins with a number.
#![expect(unsafe_code, reason = "slabs are shown as what they hold")]

use std::marker::PhantomData;
use std::ptr::NonNull;
use std::slice;

use crate::exec::cpu;
use crate::lang::fault::Fault;

use super::row::{RowType, Unit};
use super::slab::{FreeList, Slab};

/// A key, what is held of its values, and where it was first merged. There are many of them, so that they have no gaps.
#[derive(Clone, Copy, Debug)]
#[repr(C, packed(4))]
pub(crate) struct Entry<K: Copy, H: Copy> {
    pub(crate) first: usize,
    pub(crate) key: K,
    pub(crate) held: H,
}

/// Entries of one type, one after the other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EntrySlice<'e> {
    units: &'e [Unit],
    of: RowType,
}

impl<'e> EntrySlice<'e> {
    /// The entries that these units are.
    ///
    /// # Safety
    /// They are [entries](Entry) of this type.
    pub(crate) unsafe fn new(units: &'e [Unit], of: RowType) -> EntrySlice<'e> {
        EntrySlice { units, of }
    }

    pub(crate) fn len(self) -> usize {
        self.units.len() / self.of.units()
    }

    pub(crate) fn is_empty(self) -> bool {
        self.units.is_empty()
    }

    /// Where the key of the entry was first merged.
    ///
    /// # Panics
    /// If there is no such entry.
    #[inline]
    pub(crate) fn first(self, entry: usize) -> usize {
        let units = &self.units[entry * self.of.units()..][..size_of::<usize>() / size_of::<Unit>()];
        // SAFETY: an entry begins with this number.
        unsafe { units.as_ptr().cast::<usize>().read_unaligned() }
    }

    /// The first `number` entries, and the others.
    pub(crate) fn split_at(self, number: usize) -> (EntrySlice<'e>, EntrySlice<'e>) {
        let (these, rest) = self.units.split_at(number * self.of.units());
        (EntrySlice { units: these, of: self.of }, EntrySlice { units: rest, of: self.of })
    }

    /// The entry of this number.
    #[inline]
    fn entry(self, entry: usize) -> EntryRef<'e> {
        let units = &self.units[entry * self.of.units()..][..self.of.units()];
        EntryRef { start: NonNull::from(units).cast(), entries: PhantomData }
    }

    /// The units of all of them.
    ///
    /// # Panics
    /// If they are of another type.
    pub(crate) fn all_units(self, of: RowType) -> &'e [Unit] {
        self.of.expect(of);
        self.units
    }

    /// All of them.
    ///
    /// # Panics
    /// If they are of another type.
    pub(crate) fn typed<K, H>(self) -> &'e [Entry<K, H>]
    where
        K: Copy + Send + Sync + 'static,
        H: Copy + Send + Sync + 'static,
    {
        self.of.expect(RowType::of::<Entry<K, H>>());
        // SAFETY: so many entries of this type there are.
        unsafe { slice::from_raw_parts(self.units.as_ptr().cast(), self.len()) }
    }

    /// How many of them were first merged before `end`: the first ones.
    pub(crate) fn before(self, end: usize) -> usize {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = low.midpoint(high);
            if self.first(middle) < end {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }
}

/// One entry.
#[derive(Clone, Copy, Debug)]
pub(crate) struct EntryRef<'e> {
    start: NonNull<Unit>,
    entries: PhantomData<EntrySlice<'e>>,
}

impl<'e> EntryRef<'e> {
    /// The entry.
    ///
    /// # Safety
    /// It is of these types.
    #[inline(always)]
    pub(crate) unsafe fn typed<K: Copy, H: Copy>(self) -> &'e Entry<K, H> {
        // SAFETY: as the caller promises.
        unsafe { self.start.cast().as_ref() }
    }
}

/// Entries in order of first insertion.
#[derive(Debug)]
pub(crate) struct Entries {
    of: RowType,
    slabs: Vec<Slab>,
    len: usize,
}

/// Those that were not taken yet.
pub(crate) struct Rest<'e> {
    of: RowType,
    here: EntrySlice<'e>,
    then: slice::Iter<'e, Slab>,
}

impl Entries {
    /// No entries of this type.
    pub(crate) fn new(of: RowType) -> Entries {
        Entries { of, slabs: Vec::new(), len: 0 }
    }

    /// These entries, in slabs that `slab` gives.
    pub(crate) fn copied(
        entries: EntrySlice<'_>,
        mut slab: impl FnMut() -> Result<Slab, Fault>,
    ) -> Result<Entries, Fault> {
        let EntrySlice { mut units, of } = entries;
        let mut all = Entries { of, slabs: Vec::new(), len: entries.len() };
        while !units.is_empty() {
            let mut slab = slab()?.emptied(of);
            // SAFETY: these are entries of this type.
            let moved = unsafe { slab.append(of, units) };
            assert!(moved > 0, "a slab has room for an entry");
            units = &units[moved..];
            all.slabs.push(slab);
        }
        Ok(all)
    }

    /// The type of the entries.
    pub(crate) fn of(&self) -> RowType {
        self.of
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// All of them, slab by slab.
    pub(crate) fn slices(&self) -> impl Iterator<Item = EntrySlice<'_>> {
        self.slabs.iter().map(|slab| shown(slab, self.of))
    }

    /// Gives the slabs to others.
    pub(crate) fn release(&mut self, free_list: &mut FreeList) {
        self.len = 0;
        self.slabs.drain(..).for_each(|slab| free_list.put(slab));
    }

    /// How many were first merged before `end`.
    pub(crate) fn before(&self, end: usize) -> usize {
        self.len - self.from(end).len()
    }

    /// Those that were first merged at `start` or after it.
    pub(crate) fn from(&self, start: usize) -> Rest<'_> {
        let is_before = |slab: &Slab| {
            let entries = shown(slab, self.of);
            entries.first(entries.len() - 1) < start
        };
        let mut then = self.slabs[self.slabs.partition_point(is_before)..].iter();
        let here = then.next().map_or(EntrySlice { units: &[], of: self.of }, |slab| shown(slab, self.of));
        Rest { of: self.of, here: here.split_at(here.before(start)).1, then }
    }
}

/// The entries of a slab, which has some.
fn shown(slab: &Slab, of: RowType) -> EntrySlice<'_> {
    // SAFETY: slabs of entries are emptied for those of their type.
    EntrySlice { units: unsafe { slab.units(of) }, of }
}

impl<'e> Rest<'e> {
    fn len(&self) -> usize {
        self.here.len() + self.then.as_slice().iter().map(Slab::len).sum::<usize>()
    }

    /// Gives those that were first merged before `end` to `each`, with where that was; they are no rest any more.
    #[inline(always)]
    pub(crate) fn take_before(&mut self, end: usize, mut each: impl FnMut(usize, EntryRef<'e>)) {
        loop {
            let (here, size) = (self.here, self.of.units());
            let mut number = 0;
            while number < here.len() {
                let first = here.first(number);
                if first >= end {
                    break;
                }
                each(first, here.entry(number));
                number += 1;
            }
            self.here = here.split_at(number).1;
            if !self.here.is_empty() {
                // As many may come next time, and by then they would not be in the cache.
                let rest = self.here.units;
                cpu::prefetch_all(&rest[..(number * size).min(rest.len())]);
                return;
            }
            match self.then.next() {
                Some(slab) => self.here = shown(slab, self.of),
                None => return,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::context::Context;
    use crate::store::partition::slab::Regions;

    #[test]
    fn entries_are_taken_in_order() {
        let entries: Vec<Entry<u8, u32>> =
            (0..100).map(|key| Entry { first: 3 * key, key: key as u8, held: 7 }).collect();
        let of = RowType::of::<Entry<u8, u32>>();
        // SAFETY: this is the memory of these entries.
        let units = unsafe { slice::from_raw_parts(entries.as_ptr().cast(), 100 * of.units()) };
        for size in [1, 7, 100, 1000] {
            let mut regions = Regions::of(size * size_of::<Entry<u8, u32>>());
            // SAFETY: as above.
            let entries = unsafe { EntrySlice::new(units, of) };
            let entries = Entries::copied(entries, || regions.slab(Context::ambient())).unwrap();
            assert_eq!((entries.len(), entries.before(0), entries.before(1000)), (100, 0, 100));
            for end in 0..300 {
                assert_eq!(entries.before(end), end.div_ceil(3));
            }
            let mut keys = Vec::new();
            let mut rest = entries.from(25);
            for end in [26, 31, 31, 290, 1000] {
                rest.take_before(end, |first, entry| {
                    // SAFETY: as above.
                    let entry = unsafe { entry.typed::<u8, u32>() };
                    assert_eq!(first, { entry.first });
                    keys.push(entry.key);
                });
                assert_eq!(keys.len(), end.min(300).div_ceil(3) - 9);
            }
            assert!(keys.into_iter().eq(9..100));
        }
    }
}
