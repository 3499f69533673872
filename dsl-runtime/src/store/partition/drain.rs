//! The table by which the merges of one bucket after the other are combined, and which stays in the cache meanwhile.

use crate::exec::context::Context;
use crate::exec::cpu;
use crate::key::hash::Key;
use crate::lang::fault::Fault;
use crate::mem::vec::{self, room};
use crate::store::combine::Combine;

use super::entries::{Entries, Entry, Kept};
use super::partial::Partial;
use super::shared::Idle;
use super::write_combining::{BUCKET_BITS, Part, Row};

/// How many merges are looked up together.
const TOGETHER: usize = 64;

/// The least number of places.
const FEWEST: usize = 64;

/// The entries of a bucket that is being worked off, and where they are.
#[derive(Debug)]
pub(crate) struct Lookup<K, H> {
    pub(crate) entries: Vec<Entry<K, H>>,
    /// Where each of their keys was first merged.
    pub(crate) firsts: Vec<usize>,
    /// 1 more than the number of an entry, or 0; a power of two of them, at most 3/16 of them taken.
    index: Vec<u32>,
    /// What shifts a hash, without the bucket's bits, to a place in the index.
    shift: u32,
}

impl<K, H> Default for Lookup<K, H> {
    fn default() -> Lookup<K, H> {
        Lookup { entries: Vec::new(), firsts: Vec::new(), index: Vec::new(), shift: 63 }
    }
}

/// How many places so many entries need.
fn places_for(entries: usize) -> usize {
    (16 * entries / 3 + 1).next_power_of_two().max(FEWEST)
}

impl<K: Send + 'static, H: Send + 'static> Idle for Lookup<K, H> {
    fn room(&self) -> usize {
        room(&self.entries) + room(&self.firsts) + room(&self.index)
    }
}

impl<K: Key + Copy, H: Copy> Lookup<K, H> {
    /// Holds these entries, and no others; there will be some of so many merges. Buckets are alike: where the last one had
    /// many keys, so may this one.
    pub(crate) fn begin(
        &mut self,
        cx: &Context,
        entries: &Entries<K, H>,
        merges: usize,
    ) -> Result<(), Fault> {
        let (least, most) = (places_for(entries.len()), places_for(entries.len() + merges));
        self.entries.clear();
        self.firsts.clear();
        self.reserve(cx, entries.len())?;
        for slab in entries.slabs() {
            for &Kept { key, held, first } in slab.values() {
                self.entries.push(Entry { key, held });
                self.firsts.push(first);
            }
        }
        self.index(cx, self.index.len().clamp(least, most))
    }

    /// Makes room for so many entries more.
    fn reserve(&mut self, cx: &Context, more: usize) -> Result<(), Fault> {
        vec::reserve_anew(cx, &mut self.entries, more)?;
        vec::reserve_anew(cx, &mut self.firsts, more)
    }

    /// Enters all keys into an index of so many places.
    fn index(&mut self, cx: &Context, places: usize) -> Result<(), Fault> {
        self.index.clear();
        if self.index.capacity() < places {
            vec::reserve_anew(cx, &mut self.index, places)?;
        }
        self.index.resize(places, 0);
        self.shift = 64 - places.trailing_zeros();
        for (number, entry) in self.entries.iter().enumerate() {
            let mut place = ((entry.key.hash() << BUCKET_BITS) >> self.shift) as usize;
            while self.index[place & (places - 1)] != 0 {
                place += 1;
            }
            self.index[place & (places - 1)] = number as u32 + 1;
        }
        Ok(())
    }

    /// Merges the rows of `part`.
    pub(crate) fn merge<V: Copy>(
        &mut self,
        cx: &Context,
        part: &Part<K, V>,
        combine: impl Combine<V>,
    ) -> Result<(), Fault>
    where
        H: Partial<V>,
    {
        part.rows.values().chunks(TOGETHER).try_for_each(|rows| self.merge_some(cx, rows, part, combine))
    }

    /// Merges some rows of `part`. What they need is fetched for all of them before the first is merged, without a branch that
    /// waits for it, so that their misses of the cache overlap.
    #[inline(always)]
    fn merge_some<V: Copy>(
        &mut self,
        cx: &Context,
        rows: &[Row<K, V>],
        part: &Part<K, V>,
        combine: impl Combine<V>,
    ) -> Result<(), Fault>
    where
        H: Partial<V>,
    {
        let mut found = [0u32; TOGETHER];
        let mask = self.index.len() - 1;
        for (row, found) in rows.iter().zip(&mut found) {
            let key = row.key;
            *found = self.index[((key.hash() << BUCKET_BITS) >> self.shift) as usize & mask];
        }
        for (row, found) in rows.iter().zip(&mut found) {
            let key = row.key;
            let entry = self.entries.get((*found as usize).wrapping_sub(1));
            *found = if entry.is_some_and(|entry| entry.key.same(&key)) { *found } else { 0 };
        }
        // What comes next is asked for while this is done with.
        rows.iter().for_each(|row| cpu::prefetch_line(std::ptr::from_ref(row).wrapping_add(TOGETHER)));
        for (row, found) in rows.iter().zip(found) {
            match self.entries.get_mut((found as usize).wrapping_sub(1)) {
                Some(entry) => entry.held.merge(row.value, part.segment, combine),
                None => self.add(cx, *row, part, combine)?,
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn add<V: Copy>(
        &mut self,
        cx: &Context,
        row: Row<K, V>,
        part: &Part<K, V>,
        combine: impl Combine<V>,
    ) -> Result<(), Fault>
    where
        H: Partial<V>,
    {
        let Row { key, value, at } = row;
        let mask = self.index.len() - 1;
        let mut place = ((key.hash() << BUCKET_BITS) >> self.shift) as usize & mask;
        loop {
            let number = self.index[place];
            if number == 0 {
                let held = H::new(value, part.segment);
                return self.insert(cx, place, Entry { key, held }, part.base + at as usize);
            }
            let entry = &mut self.entries[number as usize - 1];
            if entry.key.same(&key) {
                entry.held.merge(value, part.segment, combine);
                return Ok(());
            }
            place = (place + 1) & mask;
        }
    }

    #[inline(never)]
    fn insert(&mut self, cx: &Context, place: usize, entry: Entry<K, H>, first: usize) -> Result<(), Fault> {
        let len = self.entries.len();
        if len == self.entries.capacity() || len == self.firsts.capacity() {
            self.reserve(cx, len.max(16))?;
        }
        self.entries.push(entry);
        self.firsts.push(first);
        if 16 * (len + 1) > 3 * self.index.len() {
            return self.index(cx, 2 * self.index.len());
        }
        self.index[place] = len as u32 + 1;
        Ok(())
    }
}
