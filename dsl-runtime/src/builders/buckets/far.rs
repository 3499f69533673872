//! Many keys: merges wait until there are many, then they go to buckets by the top bits of their hash.
//!
//! A bucket's keys and values lie in order of first insertion, since merges keep their order on the way; where a key
//! was first merged is kept with it. In the end the buckets are joined by that.

use crate::builders::collect::{self, room};
use crate::context::Context;
use crate::fault::Fault;
use crate::key::Key;

use super::near::Near;

/// As many buckets as a core can write to at a time.
const BUCKET_BITS: u32 = if cfg!(miri) { 2 } else { 9 };
const BUCKETS: usize = 1 << BUCKET_BITS;

/// How many merges wait for a bucket before they are worked off: at least, and at most. Between, it is a multiple of the
/// bucket's keys: then most of what is fetched of a bucket is used more than once.
const WAITING: (usize, usize) = if cfg!(miri) { (16, 64) } else { (1 << 11, 1 << 14) };
const WAITING_PER_KEY: usize = 4;

/// How many merges are looked up together.
const TOGETHER: usize = 64;

/// Merges are joined to dictionaries so many at a time: their places fit a cache.
const JOINED: usize = if cfg!(miri) { 1 << 6 } else { 1 << 15 };

/// Keys and values in buckets, and merges that are on the way.
#[derive(Clone, Debug)]
pub(super) struct Far<K, V> {
    buckets: Vec<Bucket<K, V>>,
    /// The number of merges so far.
    merges: usize,
}

/// A merge on its way to its bucket.
#[derive(Clone, Debug)]
struct Row<K, V> {
    key: K,
    value: V,
    /// Where it stands among all.
    at: usize,
}

/// The keys whose hashes begin alike.
#[derive(Clone, Debug)]
struct Bucket<K, V> {
    /// The merges that wait; when there is no room for more, they are worked off.
    waiting: Vec<Row<K, V>>,
    entries: Vec<Entry<K, V>>,
    /// 1 more than the number of an entry, or 0; a power of two of them, at most 3/8 of them taken.
    index: Vec<u32>,
    /// What shifts a hash, without the bucket's bits, to a place in the index.
    shift: u32,
}

/// A key and its value.
#[derive(Clone, Debug)]
struct Entry<K, V> {
    key: K,
    value: V,
    /// Where the key was first merged.
    first: usize,
}

fn bucket_of<K: Key>(key: &K) -> usize {
    (key.hash() >> (64 - BUCKET_BITS)) as usize
}

impl<K: Key + Clone, V: Clone> Far<K, V> {
    /// The keys and values of `near`.
    pub(super) fn new(cx: &Context, near: &Near<K, V>) -> Result<Far<K, V>, Fault> {
        let empty = Bucket { waiting: Vec::new(), entries: Vec::new(), index: Vec::new(), shift: 63 };
        let mut far = Far { buckets: vec![empty; BUCKETS], merges: near.len() };
        for (first, slot) in near.in_order().into_iter().enumerate() {
            let bucket = &mut far.buckets[bucket_of(&slot.key)];
            bucket.add(cx, slot.key.clone(), slot.value.clone(), first, |_, _| ())?;
        }
        Ok(far)
    }

    /// Merges `value` under `key`, at some time.
    #[inline(always)]
    pub(super) fn add(
        &mut self,
        cx: &Context,
        key: K,
        value: V,
        combine: impl Fn(&mut V, V) + Copy,
    ) -> Result<(), Fault> {
        let bucket = &mut self.buckets[bucket_of(&key)];
        if bucket.waiting.len() == bucket.waiting.capacity() {
            bucket.make_room(cx, combine)?;
        }
        bucket.waiting.push(Row { key, value, at: self.merges });
        self.merges += 1;
        Ok(())
    }

    /// Combines all that waits, and gives the room for it back.
    fn finish(&mut self, cx: &Context, combine: impl Fn(&mut V, V) + Copy) -> Result<(), Fault> {
        for bucket in &mut self.buckets {
            cx.poll()?;
            bucket.work_off(cx, combine)?;
            cx.discharge(room(&bucket.waiting));
            bucket.waiting = Vec::new();
        }
        Ok(())
    }

    /// Merges what comes next.
    pub(super) fn merge(
        &mut self,
        cx: &Context,
        mut next: Far<K, V>,
        combine: impl Fn(&mut V, V) + Copy,
    ) -> Result<(), Fault> {
        for bucket in &mut self.buckets {
            bucket.work_off(cx, combine)?;
        }
        next.finish(cx, combine)?;
        for (bucket, more) in self.buckets.iter_mut().zip(next.buckets) {
            cx.poll()?;
            let freed = more.room();
            for entry in more.entries {
                bucket.add(cx, entry.key, entry.value, self.merges + entry.first, combine)?;
            }
            cx.discharge(freed);
        }
        self.merges += next.merges;
        Ok(())
    }

    /// The keys and their values, in order of first insertion.
    pub(super) fn into_columns(
        mut self,
        cx: &Context,
        combine: impl Fn(&mut V, V) + Copy,
    ) -> Result<(Vec<K>, Vec<V>), Fault> {
        self.finish(cx, combine)?;
        let len = self.buckets.iter().map(|bucket| bucket.entries.len()).sum();
        let (mut keys, mut values) = (Vec::new(), Vec::new());
        collect::reserve(cx, &mut keys, len)?;
        collect::reserve(cx, &mut values, len)?;
        // The keys that were first merged from `start` on, and the one of each such place.
        let (mut found, mut places) = (Vec::new(), vec![0u32; JOINED]);
        let mut cursors = vec![0; BUCKETS];
        let mut start = 0;
        while keys.len() < len {
            cx.poll()?;
            for (bucket, cursor) in self.buckets.iter().zip(&mut cursors) {
                let rest = bucket.entries[*cursor..].iter();
                for entry in rest.take_while(|entry| entry.first < start + JOINED) {
                    found.push(entry);
                    places[entry.first - start] = found.len() as u32;
                    *cursor += 1;
                }
            }
            if !found.is_empty() {
                for place in places.iter_mut().filter(|place| **place != 0) {
                    let entry = found[std::mem::take(place) as usize - 1];
                    keys.push(entry.key.clone());
                    values.push(entry.value.clone());
                }
                found.clear();
            }
            start += JOINED;
        }
        cx.discharge(self.buckets.iter().map(Bucket::room).sum());
        Ok((keys, values))
    }
}

impl<K, V> Bucket<K, V> {
    /// The bytes that this takes.
    fn room(&self) -> usize {
        room(&self.waiting) + room(&self.entries) + room(&self.index)
    }
}

impl<K: Key + Clone, V: Clone> Bucket<K, V> {
    /// Works off what waits, and makes room for more.
    #[cold]
    #[inline(never)]
    fn make_room(&mut self, cx: &Context, combine: impl Fn(&mut V, V) + Copy) -> Result<(), Fault> {
        self.work_off(cx, combine)?;
        let wanted = (WAITING_PER_KEY * self.entries.len()).clamp(WAITING.0, WAITING.1);
        if 2 * self.waiting.capacity() <= wanted {
            // Nothing is in there, so nothing is moved.
            cx.discharge(room(&self.waiting));
            self.waiting = Vec::new();
            collect::reserve(cx, &mut self.waiting, wanted)?;
        }
        Ok(())
    }

    /// Combines what waits.
    fn work_off(&mut self, cx: &Context, combine: impl Fn(&mut V, V) + Copy) -> Result<(), Fault> {
        let mut waiting = std::mem::take(&mut self.waiting);
        let combined = waiting.chunks(TOGETHER).try_for_each(|rows| self.add_all(cx, rows, combine));
        waiting.clear();
        self.waiting = waiting;
        combined
    }

    /// Merges `value` under `key`, which is the merge at `first` of all.
    #[inline(always)]
    fn add(
        &mut self,
        cx: &Context,
        key: K,
        value: V,
        first: usize,
        combine: impl Fn(&mut V, V),
    ) -> Result<(), Fault> {
        let mask = self.index.len().wrapping_sub(1);
        let mut place = ((key.hash() << BUCKET_BITS) >> self.shift) as usize & mask;
        while let Some(&number) = self.index.get(place)
            && number != 0
        {
            let entry = &mut self.entries[number as usize - 1];
            if entry.key.same(&key) {
                combine(&mut entry.value, value);
                return Ok(());
            }
            place = (place + 1) & mask;
        }
        self.insert(cx, place, Entry { key, value, first })
    }

    /// Merges some rows. What they need is fetched for all of them before the first is merged, without a branch that waits for
    /// it, so that their misses of the cache overlap.
    #[inline(always)]
    fn add_all(
        &mut self,
        cx: &Context,
        rows: &[Row<K, V>],
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
        for (row, found) in rows.iter().zip(found) {
            match self.entries.get_mut((found as usize).wrapping_sub(1)) {
                Some(entry) => combine(&mut entry.value, row.value.clone()),
                None => self.add(cx, row.key.clone(), row.value.clone(), row.at, combine)?,
            }
        }
        Ok(())
    }

    #[inline(never)]
    fn insert(&mut self, cx: &Context, place: usize, entry: Entry<K, V>) -> Result<(), Fault> {
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
}
