//! From key to slot: what tables and dictionaries find their keys with.
//!
//! Keys and values lie in vectors, in order of first insertion; the place of a key there is its *slot*. An
//! index holds slots only, and is given the keys to compare with. Keys of at most 16 bits index an array, and so do words that
//! lie close together; all others are hashed into an open table, that of short vectors with their elements.

use std::borrow::Borrow;

use super::dense::{CloseKeys, bitmap_for};
use super::open::OpenIndex;
use super::short_keys::Place;
use super::tagged::{MOST_KEYS, Tagged};
use crate::exec::context::Context;
use crate::key::hash::Key;
use crate::lang::fault::Fault;
use crate::mem::vec::filled;

/// The slots of the keys of one table or dictionary.
///
/// Which one is used, the type of the keys says, or how close they are.
#[derive(Clone, Debug, Default)]
pub(crate) struct Index {
    direct: Direct,
    /// Of words; where it tells the slots, none of them is hashed.
    close: CloseKeys,
    /// Of those that are short vectors.
    short_keys: OpenIndex<Place>,
    /// Of all others.
    hashed: OpenIndex<Tagged>,
    /// The bytes that `close` counts as.
    counted: usize,
}

/// Slot + 1 for every key there can be, 0 where it is not there; empty before the first key.
///
/// The last slot of 65536 is stored as 0 too. Whether it is meant shows in the number of keys.
#[derive(Clone, Debug, Default)]
struct Direct(Vec<u16>);

/// The largest number of bits for which [`Direct`] is used: 128 KiB.
pub(crate) const DIRECT_BITS: u32 = 16;

/// The number of keys of that many bits: with so many, none is missing.
const DIRECT_KEYS: usize = 1 << DIRECT_BITS;

impl Index {
    /// The index of `keys`, which are all different.
    ///
    /// # Panics
    /// If there is no memory for it.
    pub(crate) fn of<K: Key>(keys: &[K]) -> Index {
        let mut index = Index::for_keys(keys).expect("memory for the index of a dictionary");
        (0..keys.len()).for_each(|slot| index.insert(keys, slot));
        index.finish(keys);
        index
    }

    /// An index of none of `keys` yet, but with room for all; an error if there is no memory for it. It is not counted.
    pub(crate) fn for_keys<K: Key>(keys: &[K]) -> Result<Index, Fault> {
        let (mut index, cx) = (Index::default(), Context::ambient());
        if K::BITS <= DIRECT_BITS {
            return Ok(index);
        }
        let (short_keys, others) = split(keys);
        index.short_keys.reserve(cx, short_keys, Place::hash)?;
        if is_word::<K>() {
            index.close = CloseKeys::dense(cx, keys.iter().map(Key::bits))?;
            index.counted = bitmap_for(keys.len());
        }
        match index.close.is_known() {
            true => index.counted += OpenIndex::<Tagged>::room_for(others),
            false => index.hashed.reserve(cx, others, |entry| keys[entry.slot()].hash())?,
        }
        Ok(index)
    }

    /// Told when all of `keys` are in the index, which was made for as many or more.
    pub(crate) fn finish<K: Key>(&mut self, keys: &[K]) {
        if is_word::<K>() && !self.close.is_known() {
            let bitmap = CloseKeys::bitmap(Context::ambient(), keys.iter().map(Key::bits));
            self.close = bitmap.unwrap_or_default();
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
        OpenIndex::<Place>::room_for(short_keys) + OpenIndex::<Tagged>::room_for(others) + close
    }

    /// The slot of `key` among `keys`, if it is there.
    #[inline(always)]
    pub(crate) fn find<K: Borrow<Q>, Q: Key + ?Sized>(&self, keys: &[K], key: &Q) -> Option<usize> {
        self.find_by(keys, key, |other| other.borrow().same(key))
    }

    /// The same of what has the bits and the hash of the key that `is` says true of.
    #[inline(always)]
    pub(crate) fn find_by<K, Q: Key + ?Sized>(
        &self,
        keys: &[K],
        key: &Q,
        is: impl Fn(&K) -> bool,
    ) -> Option<usize> {
        if Q::BITS <= DIRECT_BITS {
            return self.direct.find(key.bits() as usize, keys.len());
        }
        if is_word::<Q>() {
            match &self.close {
                CloseKeys::Unknown => {}
                CloseKeys::Dense(dense) => return dense.find(key.bits()),
                CloseKeys::Bitmap(bitmap) => {
                    return if bitmap.passes(key.bits()) { self.find_in_bitmap(keys, key, is) } else { None };
                }
            }
        }
        self.find_hashed(keys, key, key.hash(), is)
    }

    /// The slot of `key`, which has this hash and is hashed, if it is there: `is` says which one it is.
    #[inline(always)]
    pub(crate) fn find_hashed<K, Q: Key + ?Sized>(
        &self,
        keys: &[K],
        key: &Q,
        hash: u64,
        is: impl Fn(&K) -> bool,
    ) -> Option<usize> {
        match key.short() {
            Some(short) => self.short_keys.find(&short, hash),
            None => self.hashed.search(hash, |entry| entry.is_of(hash, keys, &is)).ok().map(Tagged::slot),
        }
    }

    /// Prefetches where the search for `key` begins.
    #[inline(always)]
    pub(crate) fn prefetch_place<Q: Key + ?Sized>(&self, key: &Q) {
        match &self.close {
            CloseKeys::Dense(dense) if is_word::<Q>() => dense.prefetch(key.bits()),
            _ if Q::BITS <= DIRECT_BITS => {}
            _ => _ = self.prefetch(key),
        }
    }

    /// The same, of a key whose hash costs next to nothing; of others nothing is prefetched.
    #[inline(always)]
    pub(crate) fn prefetch_word<K: Key>(&self, key: &K) {
        if is_word::<K>() {
            self.prefetch_place(key);
        }
    }

    /// The slot that stands where the search for `key` begins, most often that of `key` if it is there.
    #[inline(always)]
    pub(crate) fn first_slot<Q: Key + ?Sized>(&self, key: &Q) -> Option<usize> {
        match &self.close {
            CloseKeys::Dense(dense) if is_word::<Q>() => dense.find(key.bits()),
            _ if Q::BITS <= DIRECT_BITS => None,
            _ => match key.short() {
                Some(_) => self.short_keys.first(key.hash()).map(Place::slot),
                None => self.hashed.first(key.hash()).map(Tagged::slot),
            },
        }
    }

    /// The hash of `key`, which is of more bits than a word; prefetches the place where the search for it begins.
    #[inline(always)]
    pub(crate) fn prefetch<Q: Key + ?Sized>(&self, key: &Q) -> u64 {
        let hash = key.hash();
        match key.short() {
            Some(_) => self.short_keys.prefetch(hash),
            None => self.hashed.prefetch(hash),
        }
        hash
    }

    /// Not in line, so that the other search of an open table is as small as it can be.
    #[inline(never)]
    fn find_in_bitmap<K, Q: Key + ?Sized>(
        &self,
        keys: &[K],
        key: &Q,
        is: impl Fn(&K) -> bool,
    ) -> Option<usize> {
        self.find_hashed(keys, key, key.hash(), is)
    }

    /// Makes room for `key` after `keys`, and counts it.
    pub(crate) fn reserve_one<K: Key>(&mut self, cx: &Context, keys: &[K], key: &K) -> Result<(), Fault> {
        if K::BITS <= DIRECT_BITS {
            return self.make_direct::<K>(cx);
        }
        if keys.len() >= MOST_KEYS {
            return Err(Fault::memory(self.room()));
        }
        if key.short().is_some() {
            return self.short_keys.reserve(cx, 1, Place::hash);
        }
        let is_dense = matches!(self.close, CloseKeys::Dense(_));
        let more = if is_dense { keys.len() + 1 } else { 1 };
        self.hashed.reserve(cx, more, |entry| keys[entry.slot()].hash())?;
        // Any other key may come now.
        self.close = CloseKeys::Unknown;
        if is_dense {
            (0..keys.len()).for_each(|slot| self.insert(keys, slot));
        }
        Ok(())
    }

    /// Makes the array of keys of so few bits before the first of them comes.
    #[inline]
    pub(crate) fn make_direct<K: Key>(&mut self, cx: &Context) -> Result<(), Fault> {
        if self.direct.0.is_empty() {
            self.direct.0 = filled(cx, 1 << K::BITS, 0)?;
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
        2 * self.direct.0.len() + self.short_keys.room() + self.hashed.room() + self.counted
    }

    /// The slot of `key` among `keys`, if it is there; or else it is entered as the next one. There must be room for it.
    #[inline(always)]
    pub(crate) fn find_or_enter<K: Key>(&mut self, keys: &[K], key: &K) -> Option<usize> {
        if K::BITS <= DIRECT_BITS || matches!(self.close, CloseKeys::Dense(_)) {
            let found = self.find(keys, key);
            if found.is_none() {
                self.enter(key, keys.len());
            }
            return found;
        }
        let (hash, slot) = (key.hash(), keys.len());
        let Some(short) = key.short() else {
            let is = |entry: &Tagged| entry.is_of(hash, keys, |other| other.same(key));
            let found = self.hashed.search(hash, is).map(Tagged::slot);
            return found.map_err(|place| self.hashed.put(place, Tagged::new(hash, slot))).ok();
        };
        let found = self.short_keys.search(hash, |place| place.is_of(&short)).map(Place::slot);
        found.map_err(|place| self.short_keys.put(place, Place::new(&short, slot))).ok()
    }

    #[inline]
    fn enter<K: Key>(&mut self, key: &K, slot: usize) {
        if K::BITS <= DIRECT_BITS {
            return self.direct.enter::<K>(key.bits() as usize, slot);
        }
        if let CloseKeys::Dense(dense) = &mut self.close {
            return dense.enter(key.bits(), slot);
        }
        match key.short() {
            Some(short) => self.short_keys.insert(short.hash(), Place::new(&short, slot)),
            None => {
                let hash = key.hash();
                self.hashed.insert(hash, Tagged::new(hash, slot));
            }
        }
    }

    /// Enters the key `keys[slot]`, which must not be there yet; there must be room for it, and all slots before it must be.
    #[inline]
    pub(crate) fn insert<K: Key>(&mut self, keys: &[K], slot: usize) {
        self.enter(&keys[slot], slot);
    }
}

/// How many of `keys` are short vectors, and how many are not.
fn split<K: Key>(keys: &[K]) -> (usize, usize) {
    let mut short_keys = 0;
    for key in keys {
        short_keys += usize::from(key.short().is_some());
    }
    (short_keys, keys.len() - short_keys)
}

/// Whether a word makes out a key of this type, which has more than [`DIRECT_BITS`].
fn is_word<K: Key + ?Sized>() -> bool {
    K::BITS > DIRECT_BITS && K::BITS <= u64::BITS
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

    fn enter<K: Key>(&mut self, bits: usize, slot: usize) {
        if self.0.is_empty() {
            self.0 = vec![0; 1 << K::BITS];
        }
        self.0[bits] = (slot + 1) as u16;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_all<K: Key>(keys: &[K], missing: &[K]) {
        let mut index = Index::default();
        for slot in 0..keys.len() {
            assert_eq!(index.find(&keys[..slot], &keys[slot]), None);
            index.reserve_one(Context::ambient(), &keys[..slot], &keys[slot]).unwrap();
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
        let lens = (index.short_keys.len(), index.hashed.len());
        assert_eq!(lens, split(keys));
        assert!(keys.iter().enumerate().all(|(slot, key)| index.find(keys, &key[..]) == Some(slot)));
        assert!(missing.iter().all(|key| index.find(keys, &key[..]).is_none()));
    }

    #[test]
    fn keys_that_are_close_find_their_slots() {
        let check = |keys: &[i64], missing: &[i64], is_dense: bool, has_bitmap: bool| {
            let mut index = Index::of(keys);
            let known = match index.close {
                CloseKeys::Unknown => (false, false),
                CloseKeys::Dense(_) => (true, false),
                CloseKeys::Bitmap(_) => (false, true),
            };
            assert_eq!(known, (is_dense, has_bitmap));
            assert!(index.room() <= Index::room_for(keys));
            for (slot, key) in keys.iter().enumerate() {
                assert_eq!(index.find(keys, key), Some(slot));
            }
            missing.iter().for_each(|key| assert_eq!(index.find(keys, key), None));
            // One more is found, wherever it lies.
            let more: Vec<i64> = keys.iter().copied().chain([i64::MIN + 3]).collect();
            index.reserve_one(Context::ambient(), keys, &more[keys.len()]).unwrap();
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
