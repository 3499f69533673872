//! Keys of a word that lie close together, as numbers given one after the other do: where most of a range is taken, an array
//! tells the slot of each key in it; where some of it is, a bit for each tells whether it is worth while to search for it.
//! Both are looked up in the order of the keys, so that neighbours share lines of the cache, which hashes scatter.

use crate::key::Key;

/// Slot + 1 for every word of a range, 0 where there is no key; empty if it is not used.
#[derive(Clone, Debug, Default)]
pub(super) struct Dense {
    least: u64,
    slots: Vec<u32>,
}

/// A bit for every word of a range, set where there is a key; empty if it is not used.
#[derive(Clone, Debug, Default)]
pub(super) struct Sieve {
    least: u64,
    words: Vec<u64>,
}

/// The least of the words of `keys`, and how far the largest is from it, plus 1, if that is at most `most`.
fn range<K: Key>(keys: &[K], most: usize) -> Option<(u64, usize)> {
    let least = keys.iter().map(Key::bits).min()?;
    let largest = keys.iter().map(Key::bits).max()?;
    let range = usize::try_from(largest - least).ok()?.checked_add(1)?;
    (range <= most).then_some((least, range))
}

impl Dense {
    /// Room for the words of all `keys`, if so many slots are enough. None of them is entered.
    pub(super) fn for_keys<K: Key>(keys: &[K], slots: usize) -> Dense {
        match range(keys, slots) {
            Some((least, range)) => Dense { least, slots: vec![0; range] },
            None => Dense::default(),
        }
    }

    pub(super) fn is_used(&self) -> bool {
        !self.slots.is_empty()
    }

    #[inline(always)]
    pub(super) fn find(&self, word: u64) -> Option<usize> {
        let slot = self.slots.get(usize::try_from(word.wrapping_sub(self.least)).ok()?)?;
        (*slot as usize).checked_sub(1)
    }

    /// Enters a key as the next slot; whether its word is in the range.
    #[inline(always)]
    pub(super) fn enter(&mut self, word: u64, slot: usize) -> bool {
        let place = usize::try_from(word.wrapping_sub(self.least)).unwrap_or(usize::MAX);
        match self.slots.get_mut(place) {
            Some(place) => {
                *place = u32::try_from(slot + 1).expect("a table of fewer than 2^32 keys");
                true
            }
            None => false,
        }
    }
}

impl Sieve {
    /// The bits of `keys`, if so many words hold them.
    pub(super) fn of<K: Key>(keys: &[K], words: usize) -> Sieve {
        let Some((least, range)) = range(keys, 64 * words) else { return Sieve::default() };
        let mut words = vec![0; range.div_ceil(64)];
        for key in keys {
            let bit = key.bits() - least;
            words[bit as usize / 64] |= 1 << (bit % 64);
        }
        Sieve { least, words }
    }

    pub(super) fn is_used(&self) -> bool {
        !self.words.is_empty()
    }

    /// Whether there may be a key of this word.
    #[inline(always)]
    pub(super) fn passes(&self, word: u64) -> bool {
        let bit = word.wrapping_sub(self.least);
        let place = usize::try_from(bit / 64).unwrap_or(usize::MAX);
        self.words.get(place).is_some_and(|word| word >> (bit % 64) & 1 == 1)
    }
}
