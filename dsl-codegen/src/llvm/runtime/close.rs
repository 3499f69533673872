//! What is known of keys of one word that lie close together, as numbers given one after the other do: where most of a range
//! is taken, an array tells the entry of each key in it; where some of it is, a bit for each tells whether to search for it.

use std::ptr;

use weldment_runtime::fault::Fault;

use super::slots;
use super::table::out_of_memory;
use crate::llvm::memory::Run;

/// Nothing is known.
pub(crate) const NOTHING: u64 = 0;

/// `words` are an array of `u32`: 0, or 1 more than the number of the entry.
pub(crate) const DENSE: u64 = 1;

/// `words` are bits.
pub(crate) const SIEVE: u64 = 2;

/// What is known; compiled code reads it.
#[repr(C)]
pub(crate) struct Close {
    pub(crate) kind: u64,
    /// The least key.
    pub(crate) least: u64,
    /// 1 more than how far the largest key is from the least.
    pub(crate) range: u64,
    pub(crate) words: *const u64,
    /// What `words` points to.
    owned: Vec<u64>,
}

/// Of fewer keys, the index is in the cache anyway.
const SIEVED: usize = 1 << 12;

impl Default for Close {
    fn default() -> Close {
        Close { kind: NOTHING, least: 0, range: 0, words: ptr::null(), owned: Vec::new() }
    }
}

impl Close {
    /// What is known of these keys, in the order of their entries.
    pub(super) fn of(run: &Run<'_>, keys: &[u64]) -> Result<Close, Fault> {
        let (Some(&least), Some(&most)) = (keys.iter().min(), keys.iter().max()) else {
            return Ok(Close::default());
        };
        let Some(range) = (most - least).checked_add(1) else { return Ok(Close::default()) };
        // As many bytes as an index in slots of 8, or as the keys themselves.
        let is_dense = range <= 2 * slots::number_for(keys.len() as u64) as u64;
        let is_sieve = keys.len() >= SIEVED && range <= 64 * keys.len() as u64;
        let (kind, number) = match (is_dense, is_sieve) {
            (true, _) => (DENSE, range.div_ceil(2)),
            (_, true) => (SIEVE, range.div_ceil(64)),
            _ => return Ok(Close::default()),
        };
        run.charge(8 * number)?;
        let mut owned = Vec::new();
        owned.try_reserve_exact(number as usize).map_err(|_| out_of_memory())?;
        owned.resize(number as usize, 0u64);
        for (entry, key) in (1..).zip(keys) {
            let at = key - least;
            match kind {
                // The low half of a word comes first.
                DENSE => owned[at as usize / 2] |= entry << (32 * (at % 2)),
                _ => owned[at as usize / 64] |= 1 << (at % 64),
            }
        }
        Ok(Close { kind, least, range, words: owned.as_ptr(), owned })
    }

    /// The bytes that this takes.
    pub(super) fn room(&self) -> usize {
        8 * self.owned.len()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weldment_runtime::context::Context;

    fn of(keys: &[u64]) -> Close {
        Close::of(&Run::new(Context::ambient(), &[]), keys).unwrap()
    }

    #[test]
    fn most_of_a_range_has_an_array() {
        let close = of(&[7, 3, 5]);
        assert_eq!((close.kind, close.least, close.range), (DENSE, 3, 5));
        assert_eq!(close.owned, [2, 3, 1]);
    }

    #[test]
    fn some_of_a_range_has_bits() {
        let keys: Vec<u64> = (0..SIEVED as u64).map(|i| 10 + i * 60).collect();
        let close = of(&keys);
        assert_eq!((close.kind, close.least, close.range), (SIEVE, 10, 60 * (SIEVED as u64 - 1) + 1));
        let is_set = |at: u64| close.owned[at as usize / 64] >> (at % 64) & 1 == 1;
        assert!((0..close.range).all(|at| is_set(at) == (at % 60 == 0)));
    }

    #[test]
    fn others_have_nothing() {
        assert_eq!(of(&[]).kind, NOTHING);
        assert_eq!(of(&[0, u64::MAX]).kind, NOTHING);
        assert_eq!(of(&[0, 1 << 40]).kind, NOTHING);
    }
}
