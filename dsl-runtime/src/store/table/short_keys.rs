//! Short vectors as keys, such as words, with all that tells them apart in the index itself: whether a key is the one that is looked
//! for shows where its slot is found. Otherwise a look-up would wait for the index, for where the key is, and for its elements.
//!
//! Compiled code looks words up by itself.

use super::open::{Entry, OpenIndex};
use crate::key::hash::Short;

/// The words of a key, and a mark: 1 more than its length, and below that its slot. Zeros where there is none.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Place {
    /// Those that [`Short`] tells of.
    pub words: [u64; 4],
    /// 1 more than the length, above [`LEN_SHIFT`], and the slot.
    pub mark: u64,
}

/// What shifts the length of a key to its place in a mark; the slot is below.
pub const LEN_SHIFT: u32 = 32;

impl Entry for Place {
    const IS_SPARSE: bool = true;
    const FREE: &'static Place = &Place { words: [0; 4], mark: 0 };

    #[inline(always)]
    fn is_free(&self) -> bool {
        self.mark == 0
    }
}

impl Place {
    /// The place of `key`.
    ///
    /// # Panics
    /// If it is slot 2^32 or more.
    #[inline(always)]
    pub fn new(key: &Short, slot: usize) -> Place {
        let slot = u32::try_from(slot).expect("a table of fewer than 2^32 keys");
        Place { words: key.words, mark: (key.len + 1) << LEN_SHIFT | u64::from(slot) }
    }

    /// The slot.
    #[inline(always)]
    pub fn slot(&self) -> usize {
        self.mark as u32 as usize
    }

    /// The hash of its key.
    pub fn hash(&self) -> u64 {
        Short { words: self.words, len: (self.mark >> LEN_SHIFT) - 1 }.hash()
    }

    /// Whether it is that of `key`.
    #[inline(always)]
    pub(crate) fn is_of(&self, key: &Short) -> bool {
        let differs = self.mark >> LEN_SHIFT ^ (key.len + 1);
        self.words.iter().zip(key.words).fold(differs, |differs, (word, other)| differs | (word ^ other)) == 0
    }
}

impl OpenIndex<Place> {
    /// The slot of `key`, if it is there, which has this hash.
    #[inline(always)]
    pub fn find(&self, key: &Short, hash: u64) -> Option<usize> {
        self.search(hash, |place| place.is_of(key)).ok().map(Place::slot)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::context::Context;
    use crate::key::hash::Key;

    fn short(key: &[u8]) -> Short {
        key.short().expect("it has few bytes")
    }

    #[test]
    fn keys_that_differ_in_a_byte_or_in_length_are_others() {
        let mut short_keys = OpenIndex::default();
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
            let (key, hash) = (short(key), key.hash());
            assert_eq!(short_keys.find(&key, hash), None);
            short_keys.reserve(Context::ambient(), 1, Place::hash).unwrap();
            short_keys.insert(hash, Place::new(&key, slot));
        }
        assert_eq!(short_keys.len(), keys.len());
        for (slot, key) in keys.iter().enumerate() {
            assert_eq!(short_keys.find(&short(key), key.hash()), Some(slot));
            let other: Vec<u8> = key.iter().map(|byte| byte ^ 2).collect();
            assert!(other.is_empty() || short_keys.find(&short(&other), other.hash()).is_none());
        }
    }
}
