//! Keys of a word that lie close together, as numbers given one after the other do: where most of a range is taken, an array
//! tells the slot of each key in it; where some of it is, a bit for each tells whether it is worth while to search for it.
//! Both are looked up in the order of the keys, so that neighbours share lines of the cache, which hashes scatter.
//!
//! Compiled code looks up in both by itself, where [`CloseKeys::range`] shows.

use std::ptr;

use super::open::OpenIndex;
use super::tagged::Tagged;
use crate::exec::cpu;
use crate::lang::fault::Fault;
use crate::mem::budget::Charge;
use crate::mem::vec::filled;

/// What is known of keys by the range that they lie in.
#[derive(Clone, Debug, Default)]
pub enum CloseKeys {
    /// Nothing.
    #[default]
    Unknown,
    /// The slot of each.
    Dense(DenseRange),
    /// Which words are none of them.
    Bitmap(Bitmap),
}

/// Slot + 1 for every word of a range, 0 where there is no key.
#[derive(Clone, Debug)]
pub struct DenseRange {
    least: u64,
    slots: Vec<u32>,
}

/// A bit for every word of a range, set where there is a key, the lowest of each word of bits first.
#[derive(Clone, Debug)]
pub struct Bitmap {
    least: u64,
    bits: Vec<u64>,
}

/// Where compiled code finds what is known.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct Range {
    /// [`UNKNOWN`], [`DENSE`] or [`BITMAP`].
    pub kind: u64,
    /// The least word of the range.
    pub least: u64,
    /// The number of its words.
    pub len: u64,
    /// The slots, of four bytes each, or the bits.
    pub words: *const u64,
}

/// The kind of a range of which nothing is known.
pub const UNKNOWN: u64 = 0;

/// That of a [`DenseRange`].
pub const DENSE: u64 = 1;

/// That of a [`Bitmap`].
pub const BITMAP: u64 = 2;

/// The least number of keys for which a bitmap is made: of fewer, the other entries are in the cache.
const LEAST_KEYS: usize = if cfg!(test) { 100 } else { 1 << 12 };

/// The least of `words`, if there are any, and the length of the range that they lie in, if it is a number.
fn span(words: impl Iterator<Item = u64> + Clone) -> Option<(u64, usize)> {
    let (least, largest) = (words.clone().min()?, words.max()?);
    Some((least, usize::try_from(largest - least).ok()?.checked_add(1)?))
}

/// The most bytes that a bitmap for so many keys may take: as many as these.
pub(crate) fn bitmap_for(keys: usize) -> usize {
    if keys < LEAST_KEYS { 0 } else { 8 * keys }
}

impl CloseKeys {
    /// Room for the slots of `words`, none of which is entered, if that takes no more memory than hashed entries.
    ///
    /// # Errors
    /// MemoryLimit.
    pub fn dense(
        cx: &impl Charge,
        words: impl ExactSizeIterator<Item = u64> + Clone,
    ) -> Result<CloseKeys, Fault> {
        let most = 2 * OpenIndex::<Tagged>::places_for(words.len());
        let Some((least, len)) = span(words).filter(|(_, len)| *len <= most) else {
            return Ok(CloseKeys::Unknown);
        };
        Ok(CloseKeys::Dense(DenseRange { least, slots: filled(cx, len, 0)? }))
    }

    /// The bits of `words`, if they take no more memory than these, and are worth while.
    ///
    /// # Errors
    /// MemoryLimit.
    pub fn bitmap(
        cx: &impl Charge,
        words: impl ExactSizeIterator<Item = u64> + Clone,
    ) -> Result<CloseKeys, Fault> {
        let most = bitmap_for(words.len());
        let span = if most > 0 { span(words.clone()) } else { None };
        let Some((least, len)) = span.filter(|(_, len)| 8 * len.div_ceil(64) <= most) else {
            return Ok(CloseKeys::Unknown);
        };
        let mut bits = filled(cx, len.div_ceil(64), 0)?;
        for word in words {
            let bit = word - least;
            bits[bit as usize / 64] |= 1 << (bit % 64);
        }
        Ok(CloseKeys::Bitmap(Bitmap { least, bits }))
    }

    /// Whether anything is known.
    pub fn is_known(&self) -> bool {
        !matches!(self, CloseKeys::Unknown)
    }

    /// Where compiled code finds it.
    pub fn range(&self) -> Range {
        match self {
            CloseKeys::Unknown => Range { kind: UNKNOWN, least: 0, len: 0, words: ptr::null() },
            CloseKeys::Dense(DenseRange { least, slots }) => {
                Range { kind: DENSE, least: *least, len: slots.len() as u64, words: slots.as_ptr().cast() }
            }
            CloseKeys::Bitmap(Bitmap { least, bits }) => {
                Range { kind: BITMAP, least: *least, len: 64 * bits.len() as u64, words: bits.as_ptr() }
            }
        }
    }

    /// The bytes that this takes.
    pub fn room(&self) -> usize {
        match self {
            CloseKeys::Unknown => 0,
            CloseKeys::Dense(dense) => size_of_val(&dense.slots[..]),
            CloseKeys::Bitmap(bitmap) => size_of_val(&bitmap.bits[..]),
        }
    }
}

impl DenseRange {
    /// The slot of the key that is `word`.
    #[inline(always)]
    pub(crate) fn find(&self, word: u64) -> Option<usize> {
        let slot = self.slots.get(usize::try_from(word.wrapping_sub(self.least)).ok()?)?;
        (*slot as usize).checked_sub(1)
    }

    /// Prefetches the place of `word`, if it is in the range.
    #[inline(always)]
    pub(crate) fn prefetch(&self, word: u64) {
        cpu::prefetch_line(self.slots.as_ptr().wrapping_add(word.wrapping_sub(self.least) as usize));
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
}

impl Bitmap {
    /// Whether there may be a key of this word.
    #[inline(always)]
    pub(crate) fn passes(&self, word: u64) -> bool {
        let bit = word.wrapping_sub(self.least);
        let place = usize::try_from(bit / 64).unwrap_or(usize::MAX);
        self.bits.get(place).is_some_and(|bits| bits >> (bit % 64) & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::context::Context;

    fn check(keys: &[u64], kind: u64, range: (u64, u64), room: usize) {
        let (cx, words) = (Context::ambient(), keys.iter().copied());
        let mut close = CloseKeys::dense(cx, words.clone()).unwrap();
        match &mut close {
            CloseKeys::Dense(dense) => {
                (0..).zip(keys).for_each(|(slot, word)| dense.enter(*word, slot));
                assert!(keys.iter().enumerate().all(|(slot, word)| dense.find(*word) == Some(slot)));
                assert!([1, range.0 + range.1].iter().all(|word| dense.find(*word).is_none()));
            }
            _ => close = CloseKeys::bitmap(cx, words).unwrap(),
        }
        if let CloseKeys::Bitmap(bitmap) = &close {
            let is_there = |word| keys.contains(&word);
            assert!((0..2000).all(|word| bitmap.passes(word) == is_there(word)) && !bitmap.passes(u64::MAX));
        }
        let Range { kind: of, least, len, .. } = close.range();
        assert_eq!((of, (least, len), close.room()), (kind, range, room));
    }

    #[test]
    fn ranges_have_slots_or_bits_by_how_much_of_them_is_taken() {
        check(&[7, 3, 5], DENSE, (3, 5), 20);
        let keys: Vec<u64> = (0..300).map(|i| 10 + i * 60).collect();
        check(&keys, BITMAP, (10, 17_984), 281 * 8);
        for others in [&[][..], &[0, u64::MAX], &[0, 1 << 40]] {
            check(others, UNKNOWN, (0, 0), 0);
        }
    }
}
