//! Vectors of few keys of eight bits, such as words, in four words.

use super::mixing::{BYTES, FACTOR, SEED, fold, with_len};

/// A vector of at most 32 keys of eight bits as words, which no other such vector of this length has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Short {
    /// Where there are eight keys or more, four times eight of them that overlap; else all of them, and zeros.
    pub words: [u64; 4],
    /// The number of keys.
    pub len: u64,
}

impl Short {
    /// The most keys of one.
    pub const MOST: usize = 32;

    /// As [`Key::hash`](super::hash::Key::hash) of the keys.
    #[inline(always)]
    pub fn hash(&self) -> u64 {
        self.hash_after(SEED)
    }

    /// As [`Key::hash_after`](super::hash::Key::hash_after) of the keys.
    #[inline(always)]
    pub fn hash_after(&self, state: u64) -> u64 {
        let [first, second, third, last] = self.words;
        let sum = second.wrapping_mul(BYTES[0]).wrapping_add(third.wrapping_mul(BYTES[1]));
        fold(with_len(state, self.len) ^ first.wrapping_add(sum), last ^ FACTOR)
    }
}
