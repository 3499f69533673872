//! The index of keys of few bytes, which compiled code searches by itself: see [`weldment_runtime::store::table::short_keys`].

use weldment_runtime::key::hash::Short;
use weldment_runtime::lang::fault::Fault;
use weldment_runtime::store::table::short_keys::{Place, ShortKeys};

use crate::llvm::memory::Run;

/// The entries of keys of few bytes. Compiled code reads the fields before `owned`.
#[repr(C)]
pub(crate) struct ShortKeyIndex {
    /// Where the places begin, ...
    pub(crate) places: *const Place,
    /// ... and what a hash becomes the number of one with: 1 less than how many they are.
    pub(crate) mask: u64,
    owned: ShortKeys,
}

/// The places where there are no keys.
static NOTHING: Place = [0; 5];

impl Default for ShortKeyIndex {
    fn default() -> ShortKeyIndex {
        ShortKeyIndex { places: &NOTHING, mask: 0, owned: ShortKeys::default() }
    }
}

impl ShortKeyIndex {
    /// How many there are.
    pub(super) fn len(&self) -> u64 {
        self.owned.len() as u64
    }

    /// The number of the entry of `key`.
    pub(super) fn find(&self, key: &Short) -> Option<u64> {
        self.owned.find(key).map(|entry| entry as u64)
    }

    /// Counts what one more takes.
    pub(super) fn charge(&self, run: &Run<'_>) -> Result<(), Fault> {
        run.charge(self.owned.more() as u64)
    }

    /// Adds `key`, which is not there and has been counted.
    pub(super) fn insert(&mut self, key: &Short, entry: u64) {
        self.owned.insert(key, entry as usize);
        let places = self.owned.places();
        (self.places, self.mask) = (places.as_ptr(), places.len() as u64 - 1);
    }

    /// Gives up all keys, and keeps the room for others.
    pub(super) fn empty(&mut self) {
        self.owned.empty();
    }

    /// The bytes that this takes.
    pub(super) fn room(&self) -> usize {
        self.owned.room()
    }
}
