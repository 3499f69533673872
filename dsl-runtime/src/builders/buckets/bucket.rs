//! One bucket: the keys whose hashes begin alike, what is held of their values, and merges that wait.

use crate::builders::collect::{self, room};
use crate::context::Context;
use crate::cpu;
use crate::fault::Fault;
use crate::key::Key;

use super::far::BUCKET_BITS;
use super::held::Held;

/// How many merges are looked up together.
const TOGETHER: usize = 64;

/// A merge that waits.
#[derive(Clone, Debug)]
pub(super) struct Row<K, V> {
    pub(super) key: K,
    pub(super) value: V,
    /// Where it stands among all, after where its part begins to count.
    pub(super) at: u32,
}

/// Merges of one segment that wait, in order.
#[derive(Clone, Debug)]
pub(super) struct Part<K, V> {
    pub(super) rows: Vec<Row<K, V>>,
    /// What their places are counted from.
    pub(super) base: usize,
    pub(super) segment: u32,
}

/// The keys whose hashes begin alike.
///
/// Keys lie in order of first insertion, since merges keep their order on the way.
#[derive(Clone, Debug)]
pub(super) struct Bucket<K, V, H> {
    /// Merges that wait, after those that are in `entries`.
    parts: Vec<Part<K, V>>,
    waiting: usize,
    pub(super) entries: Vec<Entry<K, H>>,
    /// 1 more than the number of an entry, or 0; a power of two of them, at most 3/8 of them taken.
    index: Vec<u32>,
    /// What shifts a hash, without the bucket's bits, to a place in the index.
    shift: u32,
}

/// A key, and what is held of its values.
#[derive(Clone, Debug)]
pub(super) struct Entry<K, H> {
    pub(super) key: K,
    pub(super) held: H,
    /// Where the key was first merged.
    pub(super) first: usize,
}

impl<K, V, H> Default for Bucket<K, V, H> {
    fn default() -> Bucket<K, V, H> {
        Bucket { parts: Vec::new(), waiting: 0, entries: Vec::new(), index: Vec::new(), shift: 63 }
    }
}

impl<K, V, H> Bucket<K, V, H> {
    /// The number of merges that wait.
    pub(super) fn waiting(&self) -> usize {
        self.waiting
    }

    /// Lets `part` wait, after all that is there.
    pub(super) fn keep(&mut self, part: Part<K, V>) {
        self.waiting += part.rows.len();
        self.parts.push(part);
    }

    /// What waits.
    pub(super) fn take_parts(&mut self) -> Vec<Part<K, V>> {
        self.waiting = 0;
        std::mem::take(&mut self.parts)
    }

    /// The bytes that entries and index take.
    pub(super) fn room(&self) -> usize {
        room(&self.entries) + room(&self.index)
    }
}

impl<K: Key + Clone, V: Clone, H: Held<V>> Bucket<K, V, H> {
    /// Combines what waits; `free` gets the room for it.
    pub(super) fn work_off(
        &mut self,
        cx: &Context,
        combine: impl Fn(&mut V, V) + Copy,
        mut free: impl FnMut(Vec<Row<K, V>>),
    ) -> Result<(), Fault> {
        for mut part in self.take_parts() {
            part.rows.chunks(TOGETHER).try_for_each(|rows| self.add_all(cx, rows, &part, combine))?;
            part.rows.clear();
            free(part.rows);
        }
        Ok(())
    }

    /// Merges some rows of `part`. What they need is fetched for all of them before the first is merged, without a branch that
    /// waits for it, so that their misses of the cache overlap.
    #[inline(always)]
    fn add_all(
        &mut self,
        cx: &Context,
        rows: &[Row<K, V>],
        part: &Part<K, V>,
        combine: impl Fn(&mut V, V) + Copy,
    ) -> Result<(), Fault> {
        let mut found = [0u32; TOGETHER];
        if let Some(mask) = self.index.len().checked_sub(1) {
            for (row, found) in rows.iter().zip(&mut found) {
                *found = self.index[((row.key.hash() << BUCKET_BITS) >> self.shift) as usize & mask];
            }
            for (row, found) in rows.iter().zip(&mut found) {
                let entry = self.entries.get((*found as usize).wrapping_sub(1));
                *found = if entry.is_some_and(|entry| entry.key.same(&row.key)) { *found } else { 0 };
            }
        }
        // What comes next is asked for while this is done with.
        rows.iter().for_each(|row| cpu::ask(std::ptr::from_ref(row).wrapping_add(TOGETHER)));
        for (row, found) in rows.iter().zip(found) {
            match self.entries.get_mut((found as usize).wrapping_sub(1)) {
                Some(entry) => entry.held.merge(row.value.clone(), part.segment, combine),
                None => self.add(cx, row, part, combine)?,
            }
        }
        Ok(())
    }

    #[inline(always)]
    fn add(
        &mut self,
        cx: &Context,
        row: &Row<K, V>,
        part: &Part<K, V>,
        combine: impl Fn(&mut V, V),
    ) -> Result<(), Fault> {
        let mask = self.index.len().wrapping_sub(1);
        let mut place = ((row.key.hash() << BUCKET_BITS) >> self.shift) as usize & mask;
        while let Some(&number) = self.index.get(place)
            && number != 0
        {
            let entry = &mut self.entries[number as usize - 1];
            if entry.key.same(&row.key) {
                entry.held.merge(row.value.clone(), part.segment, combine);
                return Ok(());
            }
            place = (place + 1) & mask;
        }
        let held = H::new(row.value.clone(), part.segment);
        self.insert(cx, place, Entry { key: row.key.clone(), held, first: part.base + row.at as usize })
    }

    #[inline(never)]
    fn insert(&mut self, cx: &Context, place: usize, entry: Entry<K, H>) -> Result<(), Fault> {
        let len = self.entries.len();
        if len == self.entries.capacity() {
            collect::reserve(cx, &mut self.entries, len.max(16))?;
        }
        self.entries.push(entry);
        if 8 * (len + 1) > 3 * self.index.len() {
            return self.grow(cx);
        }
        self.index[place] = len as u32 + 1;
        Ok(())
    }

    /// Makes the index twice as large, and enters all keys.
    fn grow(&mut self, cx: &Context) -> Result<(), Fault> {
        let size = (2 * self.index.len()).max(64);
        cx.charge(4 * (size - self.index.len()))?;
        self.index = vec![0; size];
        self.shift = 64 - size.trailing_zeros();
        for (number, entry) in self.entries.iter().enumerate() {
            let mut place = ((entry.key.hash() << BUCKET_BITS) >> self.shift) as usize;
            while self.index[place & (size - 1)] != 0 {
                place += 1;
            }
            self.index[place & (size - 1)] = number as u32 + 1;
        }
        Ok(())
    }

    /// Makes of the entries merges that wait, of the first segment, before those that do; for a bucket that others will be
    /// joined to. So many are counted from one number.
    pub(super) fn entries_wait(
        &mut self,
        cx: &Context,
        span: usize,
        combine: impl Fn(&mut V, V) + Copy,
    ) -> Result<(), Fault> {
        cx.discharge(self.room());
        self.index = Vec::new();
        let (entries, after) = (std::mem::take(&mut self.entries), self.take_parts());
        for entries in entries.chunk_by(|a, b| a.first / span == b.first / span) {
            let base = entries[0].first / span * span;
            let mut rows = Vec::new();
            collect::reserve(cx, &mut rows, entries.len())?;
            rows.extend(entries.iter().map(|entry| Row {
                key: entry.key.clone(),
                value: entry.held.clone().total(combine),
                at: (entry.first - base) as u32,
            }));
            self.keep(Part { rows, base, segment: 0 });
        }
        after.into_iter().for_each(|part| self.keep(part));
        Ok(())
    }
}
