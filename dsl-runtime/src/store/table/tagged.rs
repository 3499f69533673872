//! Keys of any type in an open index, as their slots: a key itself is looked at where half of its hash is that of the one that is
//! looked for, which is hardly ever another key.

use super::open::Entry;

/// The upper half of a hash, and below it slot + 1.
#[derive(Clone, Copy, Debug)]
pub(super) struct Tagged(u64);

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
    pub(super) fn new(hash: u64, slot: usize) -> Tagged {
        let id = u32::try_from(slot + 1).expect("a table of fewer than 2^32 keys");
        Tagged(hash >> 32 << 32 | u64::from(id))
    }

    /// The slot, or one that no key has.
    #[inline(always)]
    pub(super) fn slot(&self) -> usize {
        (self.0 as u32 as usize).wrapping_sub(1)
    }

    /// Whether the entry is that of one of `keys` that has this hash and `is` the one looked for. Without a panic, so that the compiler sees
    /// that a search writes nothing.
    #[inline(always)]
    pub(super) fn is_of<K>(&self, hash: u64, keys: &[K], is: impl Fn(&K) -> bool) -> bool {
        (self.0 ^ hash) >> 32 == 0 && keys.get(self.slot()).is_some_and(is)
    }
}
