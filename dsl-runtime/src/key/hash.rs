//! Keys of dictionaries: equality, hashes, and the bits of short keys.
//!
//! As keys, 0.0 and −0.0 are one, and so are all NaNs. Any type that holds no dictionary is a key.

use super::mixing::mix;
pub use super::mixing::{BYTES, FACTOR, SEED};
pub use super::short::Short;
use crate::mem::heap::Heap;

/// A type whose values are keys.
pub trait Key: Heap {
    /// The number of low bits of [`Key::bits`] that make out a key; [`WIDE`] for one that a word does not hold.
    const BITS: u32;

    /// A word that is the same for equal keys only, if there are few enough bits; else 0.
    fn bits(&self) -> u64;

    /// The hash of a key after what `state` stands for.
    fn hash_after(&self, state: u64) -> u64;

    /// Whether the two are one key.
    fn same(&self, other: &Self) -> bool;

    /// What tells it from all keys of its type, if it is a vector of few elements of eight bits, such as a word.
    #[inline(always)]
    fn short(&self) -> Option<Short> {
        None
    }

    /// The hash of a key, the same on every machine and in every run.
    #[inline(always)]
    fn hash(&self) -> u64 {
        if Self::BITS <= 64 { mix(SEED, self.bits()) } else { self.hash_after(SEED) }
    }
}

/// The number of bits of keys that do not fit a word.
pub const WIDE: u32 = u32::MAX;

/// The bits of a struct: those of its fields, if they fit a word together.
#[doc(hidden)]
pub const fn sum(fields: &[u32]) -> u32 {
    let (mut i, mut bits) = (0, 0u32);
    while i < fields.len() {
        bits = bits.saturating_add(fields[i]);
        i += 1;
    }
    if bits <= 64 { bits } else { WIDE }
}
