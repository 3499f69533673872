//! The table by which the merges of one bucket after the other are combined, and which stays in the cache meanwhile.
//!
//! This file may use `unsafe` because it shows rows as what they are. What makes it sound: a [`Lookup`] holds entries of its type alone,
//! the first `len` of which were written whole.
#![expect(unsafe_code, reason = "rows are shown as what they are")]

use std::mem::MaybeUninit;
use std::slice;

use crate::exec::context::Context;
use crate::key::hash::Key;
use crate::lang::fault::Fault;
use crate::mem::vec::{reserve_anew, room};

use super::entries::{Entries, Entry, EntrySlice};
use super::row::{RowType, Unit};
use super::shared::Idle;
use super::write_combining::BUCKET_BITS;

/// How many merges are looked up as a batch.
pub(crate) const BATCH: usize = 64;

/// The entries of a bucket that is being drained, and where they are.
#[derive(Debug)]
pub(crate) struct Lookup {
    of: RowType,
    /// Room for entries.
    entries: Vec<Unit>,
    /// How many there are.
    len: usize,
    /// 1 more than the number of an entry, or 0; a power of two of them, at most 3/16 of them taken.
    index: Vec<u32>,
    /// What shifts a hash, without the bucket's bits, to a place in the index.
    shift: u32,
    /// As long as there are no more entries, there is room for [`BATCH`].
    most: usize,
}

/// A [`Lookup`] as who knows its types has it.
pub(crate) struct TypedLookup<'l, K: Copy, H: Copy> {
    /// Of those of which the index has the number, each is written.
    entries: &'l mut [MaybeUninit<Entry<K, H>>],
    len: &'l mut usize,
    index: &'l mut [u32],
    shift: u32,
}

/// What enters the keys of all entries into the index, which is empty.
pub(crate) type IndexKeys<'i> = &'i dyn Fn(&mut Lookup);

/// How many places so many entries need.
fn places_for(entries: usize) -> usize {
    (16 * entries / 3 + 1).next_power_of_two()
}

impl Idle for Lookup {
    fn room(&self) -> usize {
        room(&self.entries) + room(&self.index)
    }
}

impl Lookup {
    /// No entries of this type.
    pub(crate) fn new(of: RowType) -> Lookup {
        Lookup { of, entries: Vec::new(), len: 0, index: Vec::new(), shift: 63, most: 0 }
    }

    /// Holds these entries, and no others; there will be some of so many merges. Buckets are alike: where the last one had
    /// many keys, so may this one.
    pub(crate) fn begin(
        &mut self,
        cx: &Context,
        entries: &Entries,
        merges: usize,
        index: IndexKeys<'_>,
    ) -> Result<(), Fault> {
        let fewest = entries.len() + BATCH;
        (self.of, self.len) = (entries.of(), 0);
        self.reserve(cx, fewest)?;
        for slice in entries.slices() {
            let units = slice.all_units(self.of);
            self.entries[self.len * self.of.units()..][..units.len()].copy_from_slice(units);
            self.len += slice.len();
        }
        let places = self.index.len().clamp(places_for(fewest), places_for(fewest + merges));
        self.index_all(cx, places, index)
    }

    /// Makes room for [`BATCH`] entries.
    #[inline(always)]
    pub(crate) fn make_room(&mut self, cx: &Context, index: IndexKeys<'_>) -> Result<(), Fault> {
        if self.len <= self.most { Ok(()) } else { self.grow(cx, index) }
    }

    #[cold]
    #[inline(never)]
    fn grow(&mut self, cx: &Context, index: IndexKeys<'_>) -> Result<(), Fault> {
        let fewest = self.len + BATCH;
        if self.entries.len() < fewest * self.of.units() {
            self.reserve(cx, fewest.max(2 * self.len))?;
        }
        let places = self.index.len();
        match places < places_for(fewest) {
            true => self.index_all(cx, 2 * places, index),
            false => {
                self.limit();
                Ok(())
            }
        }
    }

    /// Makes room for so many entries in all.
    fn reserve(&mut self, cx: &Context, entries: usize) -> Result<(), Fault> {
        let units = entries * self.of.units();
        if self.entries.len() < units {
            let more = units - self.entries.len();
            reserve_anew(cx, &mut self.entries, more)?;
            // SAFETY: there is room for so many, and units need not be initialised.
            unsafe { self.entries.set_len(self.entries.capacity()) };
        }
        Ok(())
    }

    fn limit(&mut self) {
        let entries = (self.entries.len() / self.of.units()).min(3 * self.index.len() / 16);
        self.most = entries.saturating_sub(BATCH);
    }

    /// Enters all keys into an index of so many places.
    fn index_all(&mut self, cx: &Context, places: usize, index: IndexKeys<'_>) -> Result<(), Fault> {
        self.index.clear();
        if self.index.capacity() < places {
            reserve_anew(cx, &mut self.index, places)?;
        }
        self.index.resize(places, 0);
        self.shift = 64 - places.trailing_zeros();
        index(self);
        self.limit();
        Ok(())
    }

    /// All entries.
    pub(crate) fn entries(&self) -> EntrySlice<'_> {
        // SAFETY: so many entries were written.
        unsafe { EntrySlice::new(&self.entries[..self.len * self.of.units()], self.of) }
    }

    /// # Panics
    /// If the entries are of other types.
    pub(crate) fn typed<K, H>(&mut self) -> TypedLookup<'_, K, H>
    where
        K: Copy + Send + Sync + 'static,
        H: Copy + Send + Sync + 'static,
    {
        self.of.expect(RowType::of::<Entry<K, H>>());
        let room = self.entries.len() / self.of.units();
        // SAFETY: the units are room for so many entries, which need not be initialised.
        let entries = unsafe { slice::from_raw_parts_mut(self.entries.as_mut_ptr().cast(), room) };
        TypedLookup { entries, len: &mut self.len, index: &mut self.index, shift: self.shift }
    }
}

impl<K: Copy, H: Copy> TypedLookup<'_, K, H> {
    /// What the index has where a search for this hash begins: 1 more than the number of an entry, or 0.
    #[inline(always)]
    pub(crate) fn look(&self, hash: u64) -> u32 {
        self.index[self.place(hash)]
    }

    /// The place where a search for this hash begins.
    #[inline(always)]
    pub(crate) fn place(&self, hash: u64) -> usize {
        // The mask says nothing new, but that the place is inside.
        ((hash << BUCKET_BITS) >> self.shift) as usize & (self.index.len() - 1)
    }

    /// The entry that the index has by this number.
    #[inline(always)]
    pub(crate) fn entry(&mut self, number: u32) -> Option<&mut Entry<K, H>> {
        let entry = self.entries.get_mut((number as usize).wrapping_sub(1))?;
        // SAFETY: the index has numbers of entries that were written.
        Some(unsafe { entry.assume_init_mut() })
    }

    /// The entry that was added as that of this number, if there are so many.
    pub(crate) fn entry_of(&mut self, number: u32) -> Option<&mut Entry<K, H>> {
        if number as usize <= *self.len { self.entry(number) } else { None }
    }

    /// The entry that the index has at `place`.
    #[inline(always)]
    pub(crate) fn entry_at(&mut self, place: usize) -> Option<&mut Entry<K, H>> {
        self.entry(self.index[place])
    }

    /// Whether the entry that the index has by this number is that of `key`.
    #[inline(always)]
    pub(crate) fn has(&mut self, number: u32, key: &K) -> bool
    where
        K: Key,
    {
        match self.entry(number) {
            Some(&mut Entry { key: other, .. }) => other.same(key),
            None => false,
        }
    }

    /// The place behind `place`.
    #[inline(always)]
    pub(crate) fn next(&self, place: usize) -> usize {
        (place + 1) & (self.index.len() - 1)
    }

    /// Enters the entry of this number at a place that has none.
    pub(crate) fn enter(&mut self, place: usize, number: u32) {
        self.index[place] = number;
    }

    /// Adds an entry, for which there is room, to a place of the index that has none.
    #[inline(always)]
    pub(crate) fn add(&mut self, place: usize, entry: Entry<K, H>) {
        self.entries[*self.len].write(entry);
        *self.len += 1;
        self.index[place] = *self.len as u32;
    }
}
