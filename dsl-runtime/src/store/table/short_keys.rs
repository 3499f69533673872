//! Short vectors as keys, such as words, with all that tells them apart in the index itself: whether a key is the one that is looked
//! for shows where its slot is found. Otherwise a look-up would wait for the index, for where the key is, and for its elements.
//!
//! Compiled code looks words up by itself.

use std::collections::TryReserveError;

use super::dense::zeros;
use crate::exec::cpu;
use crate::key::hash::Short;
use crate::store::spread;

/// Hash table with linear probing; empty, or of a power of two of places.
#[derive(Clone, Debug, Default)]
pub struct ShortKeys {
    places: Vec<Place>,
    /// How many keys there are.
    len: usize,
}

/// The words of a key, and a mark: 1 more than its length, and below that its slot. Zeros where there is none.
pub type Place = [u64; 5];

/// Where in a [`Place`] the mark is.
pub const MARK: usize = 4;

/// What shifts the length of a key to its place in a mark; the slot is below.
pub const LEN_SHIFT: u32 = 32;

fn mark(key: &Short, slot: u32) -> u64 {
    (key.len + 1) << LEN_SHIFT | u64::from(slot)
}

impl ShortKeys {
    /// Room for so many keys; an error if there is no memory for it.
    pub fn with_room(keys: usize) -> Result<ShortKeys, TryReserveError> {
        Ok(ShortKeys { places: zeros(ShortKeys::places_for(keys))?, len: 0 })
    }

    /// The number of places for so many keys: at most 3/8 of them are taken, and no more than half of that as long as they are
    /// small.
    pub fn places_for(keys: usize) -> usize {
        match keys {
            0 => 0,
            _ => spread((keys * 8).div_ceil(3).next_power_of_two(), size_of::<Place>()).max(FEWEST),
        }
    }

    /// How many keys there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The places.
    pub fn places(&self) -> &[Place] {
        &self.places
    }

    /// The bytes that this takes.
    pub fn room(&self) -> usize {
        size_of_val(&self.places[..])
    }

    /// The bytes that one more key takes.
    pub fn more(&self) -> usize {
        // The old places are freed.
        if self.is_full() { size_of::<Place>() * (self.grown() - self.places.len()) } else { 0 }
    }

    /// Whether one more key is too many: as [`ShortKeys::places_for`] says.
    fn is_full(&self) -> bool {
        let places = self.places.len();
        let wanted = if spread(places, size_of::<Place>()) > places { 16 } else { 8 };
        (self.len + 1) * wanted > places * 3
    }

    fn grown(&self) -> usize {
        (self.places.len() * 2).max(ShortKeys::places_for(self.len + 1))
    }

    /// The slot of `key`, if it is there.
    #[inline(always)]
    pub fn find(&self, key: &Short) -> Option<usize> {
        self.find_hashed(key, key.hash())
    }

    /// The slot of `key`, if it is there, which has this hash.
    #[inline(always)]
    pub(crate) fn find_hashed(&self, key: &Short, hash: u64) -> Option<usize> {
        self.search(key, hash).ok()
    }

    /// Asks the memory for the place where the search for a key of this hash begins.
    #[inline(always)]
    pub(crate) fn prefetch(&self, hash: u64) {
        let mask = self.places.len().wrapping_sub(1);
        let place = self.places.as_ptr().wrapping_add(hash as usize & mask).cast::<u64>();
        cpu::prefetch_line(place);
        // It may lie in two lines.
        cpu::prefetch_line(place.wrapping_add(MARK));
    }

    /// The slot of `key`, which has this hash, or the place for it.
    #[inline(always)]
    fn search(&self, key: &Short, hash: u64) -> Result<usize, usize> {
        let mask = self.places.len().wrapping_sub(1);
        let mut at = hash as usize & mask;
        // Without places, there is none at any number.
        while let Some(&[words @ .., mark]) = self.places.get(at) {
            let differs = mark >> LEN_SHIFT ^ (key.len + 1);
            if words.iter().zip(key.words).fold(differs, |differs, (word, other)| differs | (word ^ other))
                == 0
            {
                return Ok(mark as u32 as usize);
            }
            if mark == 0 {
                break;
            }
            at = (at + 1) & mask;
        }
        Err(at)
    }

    /// The slot of `key`, if it is there; or else that is `slot` from now on.
    pub fn find_or_insert(&mut self, key: &Short, slot: usize) -> Option<usize> {
        let found = self.find(key);
        if found.is_none() {
            self.insert(key, slot);
        }
        found
    }

    /// Makes room for one key more; an error if there is none.
    pub fn make_room(&mut self) -> Result<(), TryReserveError> {
        if self.is_full() {
            let more = zeros(self.grown())?;
            let old = std::mem::replace(&mut self.places, more);
            for place in old.into_iter().filter(|place| place[MARK] != 0) {
                let [words @ .., mark] = place;
                let at = self.free(&Short { words, len: (mark >> LEN_SHIFT) - 1 });
                self.places[at] = place;
            }
        }
        Ok(())
    }

    /// Adds `key`, which is not there yet.
    ///
    /// # Panics
    /// If there is no memory for it, and no room was made.
    pub fn insert(&mut self, key: &Short, slot: usize) {
        self.make_room().expect("memory for the index of a dictionary");
        let slot = u32::try_from(slot).expect("a table of fewer than 2^32 keys");
        let [a, b, c, d] = key.words;
        let at = self.free(key);
        self.places[at] = [a, b, c, d, mark(key, slot)];
        self.len += 1;
    }

    /// The place for `key`, which is not there.
    fn free(&self, key: &Short) -> usize {
        self.search(key, key.hash()).expect_err("it is not there")
    }

    /// Gives up all keys, and keeps the room for others.
    pub fn empty(&mut self) {
        self.places.fill([0; 5]);
        self.len = 0;
    }
}

/// The least number of places.
const FEWEST: usize = 32;

#[cfg(test)]
mod tests {
    use super::*;
    use crate::key::hash::Key;

    fn short(key: &[u8]) -> Short {
        key.short().expect("it has few bytes")
    }

    #[test]
    fn keys_that_differ_in_a_byte_or_in_length_are_others() {
        let mut short_keys = ShortKeys::default();
        let mut keys: Vec<Vec<u8>> = Vec::new();
        for len in 0..=Short::MOST {
            keys.push(vec![0; len]);
            for at in 0..len {
                let mut key = vec![0; len];
                key[at] = 1;
                keys.push(key);
            }
        }
        for (slot, key) in keys.iter().enumerate() {
            assert_eq!(short_keys.find_or_insert(&short(key), slot), None);
        }
        assert_eq!(short_keys.len(), keys.len());
        for (slot, key) in keys.iter().enumerate() {
            assert_eq!(short_keys.find_or_insert(&short(key), 0), Some(slot));
            let other: Vec<u8> = key.iter().map(|byte| byte ^ 2).collect();
            assert!(other.is_empty() || short_keys.find(&short(&other)).is_none());
        }
    }

    #[test]
    fn growing_is_foretold_and_never_fills_it() {
        let mut short_keys = ShortKeys::default();
        for slot in 0..if cfg!(miri) { 100 } else { 10_000 } {
            let (room, more) = (short_keys.room(), short_keys.more());
            short_keys.insert(&short(format!("{slot}").as_bytes()), slot);
            assert_eq!(short_keys.room(), room + more);
            assert!(8 * short_keys.len() <= 3 * short_keys.places().len());
        }
        short_keys.empty();
        assert!(short_keys.is_empty() && short_keys.find(&short(b"7")).is_none() && short_keys.more() == 0);
    }
}
