//! From key to slot: what tables and dictionaries find their keys with.
//!
//! Keys and values lie in vectors, in order of first insertion; the place of a key there is its *slot*. An
//! index holds slots only, and is given the keys to compare with. Keys of at most 16 bits index an array, and so do words that
//! lie close together; all others are hashed into an open table with linear probing, that of short vectors with their elements.

use std::borrow::Borrow;
use std::collections::TryReserveError;

use super::dense::{Bitmap, DenseRange, Span, bitmap_for, zeros};
use super::short_keys::{Place, ShortKeys};
use crate::exec::context::Context;
use crate::exec::cpu;
use crate::key::hash::Key;
use crate::lang::fault::Fault;
use crate::store::spread;

/// The slots of the keys of one table or dictionary.
///
/// Which one is used, the type of the keys says, or how close they are.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    direct: Direct,
    /// Whether all keys are close, or some of the others are known not to be there.
    is_dense: bool,
    dense: DenseRange,
    bitmap: Bitmap,
    /// Of those that are short vectors.
    short_keys: ShortKeys,
    /// Of all others.
    hashed: Hashed,
    /// The bytes that `dense` and `bitmap` count as.
    counted: usize,
}

/// Slot + 1 for every key there can be, 0 where it is not there; empty before the first key.
///
/// The last slot of 65536 is stored as 0 too. Whether it is meant shows in the number of keys.
#[derive(Clone, Debug, Default)]
struct Direct(Vec<u16>);

/// Hash table of tag and slot + 1, 0 where there is nothing; empty, or of a power of two of entries.
#[derive(Clone, Debug, Default)]
struct Hashed {
    entries: Vec<u64>,
    /// How many keys there are.
    len: usize,
    /// What shifts a hash to a place in `entries`.
    shift: u32,
}

/// The largest number of bits for which [`Direct`] is used: 128 KiB.
pub(crate) const DIRECT_BITS: u32 = 16;

/// The number of keys of that many bits: with so many, none is missing.
const DIRECT_KEYS: usize = 1 << DIRECT_BITS;

/// The most keys of more bits than that: slots are told by 32 bits.
const MOST_KEYS: usize = u32::MAX as usize;

/// The number of entries of the first table; it is grown when 3/8 full, as linear probing wants.
const FIRST_ENTRIES: usize = 64;

impl Index {
    /// The index of `keys`, which are all different.
    ///
    /// # Panics
    /// If there is no memory for it.
    pub(crate) fn of<K: Key>(keys: &[K]) -> Index {
        let mut index = Index::for_keys(keys).expect("memory for the index of a dictionary");
        match index.dense.is_used() {
            true => (0..).zip(keys).for_each(|(slot, key)| index.dense.enter(key.bits(), slot)),
            false => (0..keys.len()).for_each(|slot| index.insert(&keys[..=slot], slot)),
        }
        index.finish(keys);
        index
    }

    /// An index of none of `keys` yet, but with room for all; an error if there is no memory for it.
    pub(crate) fn for_keys<K: Key>(keys: &[K]) -> Result<Index, TryReserveError> {
        let mut index = Index::default();
        if K::BITS <= DIRECT_BITS || keys.is_empty() {
            return Ok(index);
        }
        let (short_keys, others) = split(keys);
        let entries = entries_for(others);
        index.short_keys = ShortKeys::with_room(short_keys)?;
        if is_word::<K>() {
            let dense = Span::of(keys.iter().map(Key::bits)).filter(|span| span.is_dense(keys.len()));
            index.dense = dense.and_then(|span| DenseRange::new(span).ok()).unwrap_or_default();
            index.is_dense = index.dense.is_used();
            index.counted = bitmap_for(keys.len());
        }
        match index.is_dense {
            true => index.counted += 8 * entries,
            false => index.hashed.make(entries)?,
        }
        Ok(index)
    }

    /// Told when all of `keys` are in the index, which was made for as many or more.
    pub(crate) fn finish<K: Key>(&mut self, keys: &[K]) {
        if is_word::<K>() && !self.is_dense {
            let words = keys.iter().map(Key::bits);
            let in_bitmap = Span::of(words.clone()).filter(|span| span.has_bitmap(keys.len()));
            self.bitmap = in_bitmap.and_then(|span| Bitmap::of(span, words).ok()).unwrap_or_default();
            self.is_dense = self.bitmap.is_used();
        }
    }

    /// The bytes that [`Index::of`] these keys takes at most.
    pub(crate) fn room_for<K: Key>(keys: &[K]) -> usize {
        if keys.is_empty() {
            return 0;
        }
        if K::BITS <= DIRECT_BITS {
            return 2 << K::BITS;
        }
        let (short_keys, others) = split(keys);
        let close = if is_word::<K>() { bitmap_for(others) } else { 0 };
        size_of::<Place>() * ShortKeys::places_for(short_keys) + 8 * entries_for(others) + close
    }

    /// The slot of `key` among `keys`, if it is there.
    #[inline(always)]
    pub(crate) fn find<K: Borrow<Q>, Q: Key + ?Sized>(&self, keys: &[K], key: &Q) -> Option<usize> {
        if Q::BITS <= DIRECT_BITS {
            return self.direct.find(key.bits() as usize, keys.len());
        }
        if is_word::<Q>() && self.is_dense {
            return self.find_close(keys, key);
        }
        self.find_hashed(keys, key, key.hash())
    }

    /// The slot of `key`, which has this hash and is of more bits than a word, if it is there.
    #[inline(always)]
    pub(crate) fn find_hashed<K: Borrow<Q>, Q: Key + ?Sized>(
        &self,
        keys: &[K],
        key: &Q,
        hash: u64,
    ) -> Option<usize> {
        match key.short() {
            Some(short) => self.short_keys.find_hashed(&short, hash),
            None => self.hashed.find(hash, |slot| keys[slot].borrow().same(key)),
        }
    }

    /// The hash of `key`, which is of more bits than a word; asks the memory for the place where the search for it begins.
    #[inline(always)]
    pub(crate) fn prefetch<Q: Key + ?Sized>(&self, key: &Q) -> u64 {
        let hash = key.hash();
        match key.short() {
            Some(_) => self.short_keys.prefetch(hash),
            None => self.hashed.prefetch(hash),
        }
        hash
    }

    #[inline(always)]
    fn find_close<K: Borrow<Q>, Q: Key + ?Sized>(&self, keys: &[K], key: &Q) -> Option<usize> {
        if self.dense.is_used() {
            return self.dense.find(key.bits());
        }
        match self.bitmap.passes(key.bits()) {
            true => self.find_in_bitmap(keys, key),
            false => None,
        }
    }

    /// Not in line, so that the other search of an open table is as small as it can be, and without a panic, so that the
    /// compiler sees that nothing is written.
    #[inline(never)]
    fn find_in_bitmap<K: Borrow<Q>, Q: Key + ?Sized>(&self, keys: &[K], key: &Q) -> Option<usize> {
        self.hashed.find(key.hash(), |slot| keys.get(slot).is_some_and(|other| other.borrow().same(key)))
    }

    /// Makes room for `key` after `keys`, and counts it.
    pub(crate) fn reserve_one<K: Key>(&mut self, cx: &Context, keys: &[K], key: &K) -> Result<(), Fault> {
        if K::BITS <= DIRECT_BITS {
            return self.make_direct::<K>(cx);
        }
        if keys.len() >= MOST_KEYS {
            return Err(Fault::memory(self.room()));
        }
        // Of keys that are close, none is hashed yet.
        let hashed = if self.is_dense { keys.len() } else { self.hashed.len };
        let more = match key.short() {
            Some(_) => self.short_keys.more(),
            None => self.hashed.more(hashed),
        };
        if more == 0 {
            return Ok(());
        }
        cx.charge(more)?;
        let made = match key.short() {
            Some(_) => self.short_keys.make_room(),
            None => self.make_room(keys),
        };
        made.map_err(|_| {
            cx.discharge(more);
            Fault::memory(more)
        })
    }

    /// Makes the array of keys of so few bits before the first of them comes.
    #[inline]
    pub(crate) fn make_direct<K: Key>(&mut self, cx: &Context) -> Result<(), Fault> {
        if self.direct.0.is_empty() {
            let bytes = 2 << K::BITS;
            cx.charge(bytes)?;
            self.direct.0 = zeros(1 << K::BITS).map_err(|_| Fault::memory(bytes))?;
        }
        Ok(())
    }

    /// Slot + 1 for every key of so few bits, 0 where it is not there; empty if the first is still to come.
    #[inline]
    pub(crate) fn direct_slots(&self) -> &[u16] {
        &self.direct.0
    }

    /// The bytes that this takes.
    pub(crate) fn room(&self) -> usize {
        2 * self.direct.0.len() + self.short_keys.room() + 8 * self.hashed.entries.len() + self.counted
    }

    /// The slot of `key` among `keys`, if it is there; or else it is entered as the next one. There must be room for it.
    #[inline(always)]
    pub(crate) fn find_or_enter<K: Key>(&mut self, keys: &[K], key: &K) -> Option<usize> {
        if K::BITS <= DIRECT_BITS {
            let found = self.find(keys, key);
            if found.is_none() {
                self.enter_direct(key, keys.len());
            }
            return found;
        }
        if is_word::<K>() && self.is_dense {
            let found = self.dense.find(key.bits());
            if found.is_none() {
                self.dense.enter(key.bits(), keys.len());
            }
            return found;
        }
        if let Some(short) = key.short() {
            return self.short_keys.find_or_insert(&short, keys.len());
        }
        let hash = key.hash();
        match self.hashed.search(hash, |slot| keys[slot].same(key)) {
            Ok(slot) => Some(slot),
            Err(place) => {
                self.hashed.put(place, hash, keys.len());
                None
            }
        }
    }

    fn enter_direct<K: Key>(&mut self, key: &K, slot: usize) {
        if self.direct.0.is_empty() {
            self.direct.0 = vec![0; 1 << K::BITS];
        }
        self.direct.0[key.bits() as usize] = (slot + 1) as u16;
    }

    /// Enters the key `keys[slot]`, which must not be there yet; all slots before it must be.
    #[inline]
    pub(crate) fn insert<K: Key>(&mut self, keys: &[K], slot: usize) {
        if K::BITS <= DIRECT_BITS {
            self.enter_direct(&keys[slot], slot);
        } else {
            if let Some(short) = keys[slot].short() {
                return self.short_keys.insert(&short, slot);
            }
            self.make_room(&keys[..slot]).expect("memory for the index of a dictionary");
            self.hashed.insert(keys[slot].hash(), slot);
        }
    }
}

impl Index {
    /// Makes room for one key more after `keys`, which is hashed; an error if there is no memory for it.
    fn make_room<K: Key>(&mut self, keys: &[K]) -> Result<(), TryReserveError> {
        // Any other key may come now.
        if self.is_dense {
            (self.is_dense, self.dense, self.bitmap) = (false, DenseRange::default(), Bitmap::default());
        }
        if self.hashed.is_full(self.hashed.len) {
            let others = (0..keys.len()).filter(|slot| keys[*slot].short().is_none());
            self.hashed.make(self.hashed.grown(others.clone().count()))?;
            others.for_each(|slot| self.hashed.insert(keys[slot].hash(), slot));
        }
        Ok(())
    }
}

/// How many of `keys` are short vectors, and how many are not.
fn split<K: Key>(keys: &[K]) -> (usize, usize) {
    let short_keys = keys.iter().filter(|key| key.short().is_some()).count();
    (short_keys, keys.len() - short_keys)
}

/// Whether a word makes out a key of this type, which has more than [`DIRECT_BITS`].
fn is_word<K: Key + ?Sized>() -> bool {
    K::BITS > DIRECT_BITS && K::BITS <= u64::BITS
}

/// The number of entries for so many keys: at most 3/8 of them are taken, and no more than half of that as long as they are small.
pub(crate) fn entries_for(keys: usize) -> usize {
    match keys {
        0 => 0,
        _ => spread((keys * 8).div_ceil(3).next_power_of_two(), size_of::<u64>()).max(FIRST_ENTRIES),
    }
}

impl Direct {
    #[inline(always)]
    fn find(&self, bits: usize, keys: usize) -> Option<usize> {
        match self.0.get(bits) {
            Some(&slot) if slot != 0 => Some(slot as usize - 1),
            _ if keys == DIRECT_KEYS => Some(DIRECT_KEYS - 1),
            _ => None,
        }
    }
}

impl Hashed {
    #[inline(always)]
    fn find(&self, hash: u64, same: impl Fn(usize) -> bool) -> Option<usize> {
        if self.entries.is_empty() {
            return None;
        }
        self.search(hash, same).ok()
    }

    /// Asks the memory for the place where the search for a key of this hash begins.
    #[inline(always)]
    fn prefetch(&self, hash: u64) {
        let place = (hash >> self.shift) as usize & self.entries.len().wrapping_sub(1);
        cpu::prefetch_line(self.entries.as_ptr().wrapping_add(place));
    }

    /// The slot of the key of that hash, or the place for it, in a table that is not empty.
    #[inline(always)]
    fn search(&self, hash: u64, same: impl Fn(usize) -> bool) -> Result<usize, usize> {
        let mut place = (hash >> self.shift) as usize;
        loop {
            let Some(&entry) = self.entries.get(place & (self.entries.len() - 1)) else { return Err(place) };
            if entry == 0 {
                return Err(place);
            }
            if entry >> 32 == hash as u32 as u64 {
                let slot = entry as u32 as usize - 1;
                if same(slot) {
                    return Ok(slot);
                }
            }
            place += 1;
        }
    }

    /// Enters a slot at its place.
    #[inline(always)]
    fn put(&mut self, place: usize, hash: u64, slot: usize) {
        let id = u32::try_from(slot + 1).expect("a table of fewer than 2^32 keys");
        let mask = self.entries.len() - 1;
        self.entries[place & mask] = (hash as u32 as u64) << 32 | id as u64;
        self.len += 1;
    }

    /// The bytes that one more key takes after `keys` of them.
    fn more(&self, keys: usize) -> usize {
        // The old entries are freed.
        if self.is_full(keys) { 8 * (self.grown(keys) - self.entries.len()) } else { 0 }
    }

    /// Whether one more key after `keys` of them is too many.
    fn is_full(&self, keys: usize) -> bool {
        (keys + 1) * 8 > self.entries.len() * 3
    }

    /// How many entries there are then.
    fn grown(&self, keys: usize) -> usize {
        (self.entries.len() * 2).max(entries_for(keys + 1))
    }

    /// So many entries, of which none is taken; an error if there is no memory for them.
    fn make(&mut self, entries: usize) -> Result<(), TryReserveError> {
        (self.entries, self.len) = (zeros(entries)?, 0);
        self.shift = 64_u32.saturating_sub(entries.trailing_zeros()).min(63);
        Ok(())
    }

    fn insert(&mut self, hash: u64, slot: usize) {
        let mask = self.entries.len() - 1;
        let mut place = (hash >> self.shift) as usize;
        while self.entries[place & mask] != 0 {
            place += 1;
        }
        self.put(place, hash, slot);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_all<K: Key>(keys: &[K], missing: &[K]) {
        let mut index = Index::default();
        for slot in 0..keys.len() {
            assert_eq!(index.find(&keys[..slot], &keys[slot]), None);
            index.insert(&keys[..=slot], slot);
        }
        for (slot, key) in keys.iter().enumerate() {
            assert_eq!(index.find(keys, key), Some(slot));
        }
        for key in missing {
            assert_eq!(index.find(keys, key), None);
        }
    }

    #[test]
    fn every_key_of_sixteen_bits_finds_its_slot() {
        // Miri would take an hour for all of them.
        let step = if cfg!(miri) { 257 } else { 1 };
        let keys: Vec<u16> = (0..=u16::MAX).step_by(step).map(|key| key.wrapping_mul(40503)).collect();
        check_all(&keys, &[]);
        let (most, last) = keys.split_at(keys.len() - 1);
        check_all(most, last);
        check_all(&(0..=255u8).rev().collect::<Vec<_>>(), &[]);
        check_all(&[(true, false), (false, false)], &[(false, true)]);
        check_all(&[()], &[]);
    }

    #[test]
    fn hashed_keys_find_their_slots() {
        let many = if cfg!(miri) { 300 } else { 5000 };
        check_all(&(0..many).map(|key: i64| key << 44).collect::<Vec<_>>(), &[1, -1, i64::MIN]);
        check_all(
            &(0..many / 10).map(|len| vec![7u8; len as usize]).collect::<Vec<_>>(),
            &[vec![7; many as usize / 10], vec![8]],
        );
        check_all(&[(0.5, 1u8), (1.5, 1)], &[(0.5, 2), (f64::NAN, 1)]);
    }

    #[test]
    fn short_and_long_vectors_find_their_slots() {
        let many = if cfg!(miri) { 100 } else { 2000 };
        let word = |i: usize| -> Vec<i8> {
            (0..i % 41).map(|at| ((i * 31) >> at.min(20)) as i8).chain([i as i8]).collect()
        };
        let mut words: Vec<Vec<i8>> = (0..many).map(word).chain([Vec::new()]).collect();
        words.sort_unstable();
        words.dedup();
        let (short_keys, others) = split(&words);
        assert!(short_keys > 50 && others > 10);
        let (missing, keys) = words.split_at(20);
        check_all(keys, missing);
        let index = Index::of(keys);
        assert!(index.room() <= Index::room_for(keys));
        let lens = (index.short_keys.len(), index.hashed.len);
        assert_eq!(lens, split(keys));
        assert!(keys.iter().enumerate().all(|(slot, key)| index.find(keys, &key[..]) == Some(slot)));
        assert!(missing.iter().all(|key| index.find(keys, &key[..]).is_none()));
    }

    #[test]
    fn keys_that_are_close_find_their_slots() {
        let check = |keys: &[i64], missing: &[i64], is_dense: bool, has_bitmap: bool| {
            let mut index = Index::of(keys);
            assert_eq!((index.dense.is_used(), index.bitmap.is_used()), (is_dense, has_bitmap));
            assert!(index.room() <= Index::room_for(keys));
            for (slot, key) in keys.iter().enumerate() {
                assert_eq!(index.find(keys, key), Some(slot));
            }
            missing.iter().for_each(|key| assert_eq!(index.find(keys, key), None));
            // One more is found, wherever it lies.
            let more: Vec<i64> = keys.iter().copied().chain([i64::MIN + 3]).collect();
            index.insert(&more, keys.len());
            for (slot, key) in more.iter().enumerate() {
                assert_eq!(index.find(&more, key), Some(slot));
            }
            missing.iter().for_each(|key| assert_eq!(index.find(&more, key), None));
        };
        let dense: Vec<i64> = (0..300).map(|i| 1000 + i * 7 % 300 * 3).collect();
        check(&dense, &[999, 1001, 1898, 1900, -1, i64::MAX], true, false);
        let sparse: Vec<i64> = (0..300).map(|i| (1 << 40) + i * 7 % 300 * 40).collect();
        check(&sparse, &[0, (1 << 40) - 1, (1 << 40) + 1, 1 << 41], false, true);
        check(&[i64::MAX, 0, 7], &[1, -1], false, false);
        check(&[-7], &[7, -8], true, false);
    }

    #[test]
    fn an_empty_index_finds_nothing() {
        assert_eq!(Index::default().find(&[] as &[u8], &0), None);
        assert_eq!(Index::default().find(&[] as &[i64], &0), None);
    }
}
