//! Keys of any type in an open index, as their slots: a key itself is looked at where half of its hash is that of the one that is
//! looked for, which is hardly ever another key.
//!
//! Compiled code searches by itself.

use super::open::Entry;

/// The upper half of a hash, and below it slot + 1.
#[derive(Clone, Copy, Debug)]
#[repr(transparent)]
pub struct Tagged(u64);

/// What shifts the half of a hash to its place in an entry; slot + 1 is below.
pub const TAG_SHIFT: u32 = 32;

/// The most keys that slots can tell apart.
pub const MOST_KEYS: usize = u32::MAX as usize;

impl Entry for Tagged {
    const FREE: &'static Tagged = &Tagged(0);

    #[inline(always)]
    fn is_free(&self) -> bool {
        self.0 == 0
    }
}

impl Tagged {
    /// The entry of a key that has this hash.
    ///
    /// # Panics
    /// If it is slot 2^32 − 1 or more.
    #[inline(always)]
    pub fn new(hash: u64, slot: usize) -> Tagged {
        let id = u32::try_from(slot + 1).expect("a table of fewer than 2^32 keys");
        Tagged(hash >> TAG_SHIFT << TAG_SHIFT | u64::from(id))
    }

    /// The slot, or one that no key has.
    #[inline(always)]
    pub fn slot(&self) -> usize {
        (self.0 as u32 as usize).wrapping_sub(1)
    }

    /// Whether it is of a hash whose upper half is that of this one.
    #[inline(always)]
    pub fn has_tag(&self, hash: u64) -> bool {
        (self.0 ^ hash) >> TAG_SHIFT == 0
    }

    /// Whether the entry is that of one of `keys` that has this hash and `is` the one looked for. Without a panic, so that the compiler sees
    /// that a search writes nothing.
    #[inline(always)]
    pub(super) fn is_of<K>(&self, hash: u64, keys: &[K], is: impl Fn(&K) -> bool) -> bool {
        self.has_tag(hash) && keys.get(self.slot()).is_some_and(is)
    }
}
