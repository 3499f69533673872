//! Keys of a word that lie close together, as numbers given one after the other do: where most of a range is taken, an array
//! tells the slot of each key in it; where some of it is, a bit for each tells whether it is worth while to search for it.
//! Both are looked up in the order of the keys, so that neighbours share lines of the cache, which hashes scatter.
//!
//! Compiled code looks up in both by itself.

use std::collections::TryReserveError;

use super::index;
use crate::mem::huge_pages;

/// A range that some words lie in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Span {
    /// The least of them.
    pub least: u64,
    /// How far the largest is from it, plus 1.
    pub len: usize,
}

/// Slot + 1 for every word of a range, 0 where there is no key; empty if it is not used.
#[derive(Clone, Debug, Default)]
pub struct DenseRange {
    least: u64,
    slots: Vec<u32>,
}

/// A bit for every word of a range, set where there is a key; empty if it is not used.
#[derive(Clone, Debug, Default)]
pub struct Bitmap {
    least: u64,
    bits: Vec<u64>,
}

/// The least number of keys for which a sieve is made: of fewer, the other entries are in the cache.
const SIEVED: usize = if cfg!(test) { 100 } else { 1 << 12 };

impl Span {
    /// The range of `words`, if there are any, and if its length is a number.
    pub fn of(words: impl Iterator<Item = u64> + Clone) -> Option<Span> {
        let (least, largest) = (words.clone().min()?, words.max()?);
        let len = usize::try_from(largest - least).ok()?.checked_add(1)?;
        Some(Span { least, len })
    }

    /// Whether a [`DenseRange`] of it takes no more memory than hashed entries for so many keys.
    pub fn is_dense(self, keys: usize) -> bool {
        self.len <= 2 * index::entries_for(keys)
    }

    /// Whether a [`Bitmap`] of it takes no more memory than so many keys, and is worth while.
    pub fn has_bitmap(self, keys: usize) -> bool {
        8 * self.bit_words() <= bitmap_for(keys)
    }

    /// The words of a [`Bitmap`].
    pub fn bit_words(self) -> usize {
        self.len.div_ceil(64)
    }
}

/// The most bytes that a sieve for so many keys may take.
pub(crate) fn bitmap_for(keys: usize) -> usize {
    if keys < SIEVED { 0 } else { 8 * keys }
}

/// So many zeros; an error if there is no memory for them.
pub(crate) fn zeros<T: Clone + Default>(number: usize) -> Result<Vec<T>, TryReserveError> {
    let mut zeros = Vec::<T>::new();
    zeros.try_reserve_exact(number)?;
    huge_pages::advise_large(zeros.as_ptr().cast(), size_of::<T>() * zeros.capacity());
    zeros.resize(number, T::default());
    Ok(zeros)
}

impl DenseRange {
    /// Room for the words of `span`, none of which is entered; an error if there is no memory for it.
    pub fn new(span: Span) -> Result<DenseRange, TryReserveError> {
        Ok(DenseRange { least: span.least, slots: zeros(span.len)? })
    }

    /// Whether there is any room.
    pub fn is_used(&self) -> bool {
        !self.slots.is_empty()
    }

    /// The slot of the key that is `word`.
    #[inline(always)]
    pub fn find(&self, word: u64) -> Option<usize> {
        let slot = self.slots.get(usize::try_from(word.wrapping_sub(self.least)).ok()?)?;
        (*slot as usize).checked_sub(1)
    }

    /// Enters a key as the next slot, if its word is in the range.
    ///
    /// # Panics
    /// If it is slot 2^32 − 1 or more.
    #[inline(always)]
    pub fn enter(&mut self, word: u64, slot: usize) {
        let place = usize::try_from(word.wrapping_sub(self.least)).unwrap_or(usize::MAX);
        if let Some(place) = self.slots.get_mut(place) {
            *place = u32::try_from(slot + 1).expect("a table of fewer than 2^32 keys");
        }
    }

    /// For every word of the range, slot + 1 or 0.
    pub fn slots(&self) -> &[u32] {
        &self.slots
    }
}

impl Bitmap {
    /// The bits of `words`, which lie in `span`; an error if there is no memory for them.
    pub fn of(span: Span, words: impl Iterator<Item = u64>) -> Result<Bitmap, TryReserveError> {
        let mut bits = zeros(span.bit_words())?;
        for word in words {
            let bit = word - span.least;
            bits[bit as usize / 64] |= 1 << (bit % 64);
        }
        Ok(Bitmap { least: span.least, bits })
    }

    /// Whether there are any bits.
    pub fn is_used(&self) -> bool {
        !self.bits.is_empty()
    }

    /// Whether there may be a key of this word.
    #[inline(always)]
    pub fn passes(&self, word: u64) -> bool {
        let bit = word.wrapping_sub(self.least);
        let place = usize::try_from(bit / 64).unwrap_or(usize::MAX);
        self.bits.get(place).is_some_and(|bits| bits >> (bit % 64) & 1 == 1)
    }

    /// The bits, the lowest of each word first.
    pub fn bits(&self) -> &[u64] {
        &self.bits
    }
}
