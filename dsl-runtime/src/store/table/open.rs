//! Open addressing with linear probing, whatever stands in a place: the index of all tables and dictionaries whose keys are hashed.

use std::ops::ControlFlow;

use super::probe::probe;
use crate::exec::cpu;
use crate::lang::fault::Fault;
use crate::mem::budget::Charge;
use crate::mem::vec::{filled, room};
use crate::store::spread;

/// What stands in a place.
pub trait Entry: Copy + 'static {
    /// Whether small ones are made anew as soon as 3/16 of them are taken.
    const IS_SPARSE: bool = false;

    /// What stands where there is no key.
    const FREE: &'static Self;

    /// Whether there is no key.
    fn is_free(&self) -> bool;
}

/// Places, a power of two of them or none; at most 3/8 of them are taken. As long as they are small, they are made anew with four times
/// as many as that needs, since a longer search is a branch that was predicted wrongly: look-ups of ten thousand keys took an eighth less
/// than with twice as many.
#[derive(Clone, Debug)]
pub struct OpenIndex<E> {
    places: Vec<E>,
    len: usize,
}

/// Where compiled code searches.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct Places<E> {
    /// The first place.
    pub start: *const E,
    /// What makes a hash the number of the place where a search begins: 1 less than how many there are.
    pub mask: u64,
}

/// The least number of places.
const FEWEST: usize = 64;

/// The number of places, of so many bytes, for so many keys.
fn places_for(keys: usize, bytes: usize) -> usize {
    match keys {
        0 => 0,
        _ => spread(spread((keys * 8).div_ceil(3).next_power_of_two(), bytes), bytes).max(FEWEST),
    }
}

impl<E: Entry> OpenIndex<E> {
    /// The number of places for so many keys.
    pub(crate) fn places_for(keys: usize) -> usize {
        places_for(keys, size_of::<E>())
    }

    /// The bytes that so many keys take at most.
    pub(crate) fn room_for(keys: usize) -> usize {
        size_of::<E>() * OpenIndex::<E>::places_for(keys)
    }

    /// The bytes that this takes.
    pub fn room(&self) -> usize {
        room(&self.places)
    }

    /// How many keys there are.
    #[cfg(test)]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Where the places are, until some are added. Where there are none, it is one that is free.
    pub fn places(&self) -> Places<E> {
        match self.places.len().checked_sub(1) {
            Some(mask) => Places { start: self.places.as_ptr(), mask: mask as u64 },
            None => Places { start: E::FREE, mask: 0 },
        }
    }

    /// Makes room for so many keys more, and counts it; entries have the hashes that `hash_of` gives.
    ///
    /// # Errors
    /// MemoryLimit.
    #[inline]
    pub fn reserve(
        &mut self,
        cx: &impl Charge,
        more: usize,
        hash_of: impl Fn(&E) -> u64,
    ) -> Result<(), Fault> {
        let (keys, places) = (self.len + more, self.places.len());
        let is_sparse = E::IS_SPARSE && spread(places, size_of::<E>()) > places;
        let wanted = if is_sparse { 16 } else { 8 };
        if keys * wanted <= places * 3 {
            return Ok(());
        }
        self.grow(cx, (2 * places).max(OpenIndex::<E>::places_for(keys)), hash_of)
    }

    #[cold]
    fn grow(&mut self, cx: &impl Charge, places: usize, hash_of: impl Fn(&E) -> u64) -> Result<(), Fault> {
        let old = std::mem::replace(&mut self.places, filled(cx, places, *E::FREE)?);
        self.len = 0;
        for entry in old.iter().filter(|entry| !entry.is_free()) {
            self.insert(hash_of(entry), *entry);
        }
        cx.discharge(room(&old));
        Ok(())
    }

    /// The entry that is the `same` as what has this hash, or the place for it. No entry that is free may be.
    #[inline(always)]
    pub fn search(&self, hash: u64, same: impl Fn(&E) -> bool) -> Result<&E, usize> {
        probe(self.places.len().wrapping_sub(1), hash, |at| match self.places.get(at) {
            Some(entry) if same(entry) => ControlFlow::Break(Ok(entry)),
            Some(entry) if !entry.is_free() => ControlFlow::Continue(()),
            // Without places, there is none at any number.
            _ => ControlFlow::Break(Err(at)),
        })
    }

    /// Enters what is not there at its place, for which room was made.
    #[inline(always)]
    pub fn put(&mut self, place: usize, entry: E) {
        self.places[place] = entry;
        self.len += 1;
    }

    /// Enters what has this hash and is not there; room was made for it.
    #[inline(always)]
    pub fn insert(&mut self, hash: u64, entry: E) {
        if let Err(place) = self.search(hash, |_| false) {
            self.put(place, entry);
        }
    }

    /// Prefetches the place where the search for this hash begins.
    #[inline(always)]
    pub fn prefetch(&self, hash: u64) {
        let place = self.places.as_ptr().wrapping_add(hash as usize & self.places.len().wrapping_sub(1));
        cpu::prefetch_line(place);
        if !size_of::<E>().is_power_of_two() {
            // It may lie in two lines.
            cpu::prefetch_line(place.wrapping_add(1).cast::<u64>().wrapping_sub(1));
        }
    }

    /// What stands in the place where the search for this hash begins, if there are places.
    #[inline(always)]
    pub(crate) fn first(&self, hash: u64) -> Option<&E> {
        self.places.get(hash as usize & self.places.len().wrapping_sub(1))
    }

    /// Gives up all keys, and keeps the places.
    pub fn clear(&mut self) {
        self.places.fill(*E::FREE);
        self.len = 0;
    }
}

impl<E> Default for OpenIndex<E> {
    fn default() -> OpenIndex<E> {
        OpenIndex { places: Vec::new(), len: 0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::context::Context;
    use crate::exec::options::Options;

    impl Entry for u64 {
        const FREE: &'static u64 = {
            // Of a constant there may be several.
            static NONE: u64 = 0;
            &NONE
        };

        fn is_free(&self) -> bool {
            *self == 0
        }
    }

    #[test]
    fn what_has_one_hash_stands_side_by_side() {
        let cx = Context::new(&Options::new().memory_limit(1 << 20));
        let mut index = OpenIndex::default();
        assert_eq!(index.search(7, |_| true), Err(usize::MAX & 7));
        for entry in 1..=200 {
            let held = index.room();
            index.reserve(&cx, 1, |entry| entry % 3).unwrap();
            assert!(index.room() == held || index.room() >= 2 * held);
            index.insert(entry % 3, entry);
            assert!(8 * index.len() <= 3 * index.places.len());
        }
        for entry in 1..=200 {
            assert_eq!(index.search(entry % 3, |other| *other == entry), Ok(&entry));
        }
        assert!(index.search(1, |other| *other == 201).is_err());
        let room = index.room();
        index.clear();
        assert_eq!((index.len(), index.room(), index.search(1, |other| *other == 1)), (0, room, Err(1)));
        assert_eq!(cx.charge((1 << 20) - room), Ok(()));
    }

    #[test]
    fn compiled_code_sees_a_free_place_where_there_are_none() {
        let index = OpenIndex::<u64>::default();
        let Places { start, mask } = index.places();
        assert_eq!((start, mask), (<u64 as Entry>::FREE as *const u64, 0));
    }

    #[test]
    fn there_is_a_fault_where_there_may_be_no_more_places() {
        let cx = Context::new(&Options::new().memory_limit(100));
        assert!(OpenIndex::<u64>::default().reserve(&cx, 1, |_| 0).is_err());
        assert_eq!(cx.charge(100), Ok(()));
    }
}
