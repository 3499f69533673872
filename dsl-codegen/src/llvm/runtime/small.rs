//! Few keys of one word or two: an open table with linear probing, whose slots hold the key, the number of its entry and its
//! value, so that a merge touches one place of the memory.
//!
//! Slots that are free hold a key as well, one that is in the table. A search for that key meets the slot that it has before
//! any that is free, as all searches do, and other keys are not the same: so a slot with the key that is looked for is
//! taken, without a look at its number. Compiled code searches by itself; what is not there it leaves to this file.

use weldment_runtime::lang::fault::Fault;
use weldment_runtime::mem::huge_pages;
use weldment_runtime::store::partition::{WORTH_KEEPING, slots_wanted};

use super::slots::{self, SEED};
use super::table::out_of_memory;
use crate::llvm::memory::Run;

/// A slot, in words: the key, then 0 or 1 more than the number of its entry, then the value. A key of half a word has its
/// entry's number in the other half.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Parts {
    /// How many words a key has.
    pub(crate) key: usize,
    /// Whether the upper half of its only word is always 0.
    pub(crate) is_narrow: bool,
    /// How many words a value takes.
    pub(crate) value: usize,
}

/// The most words that a key and a value may have.
pub(crate) const MOST_WORDS: [usize; 2] = [2, 4];

impl Parts {
    /// Where the value stands.
    pub(crate) const fn place(self) -> usize {
        if self.is_narrow { 1 } else { self.key + 1 }
    }

    /// All.
    pub(crate) const fn size(self) -> usize {
        self.place() + self.value
    }

    fn has_key(self, slot: &[u64], key: &[u64]) -> bool {
        match self.is_narrow {
            true => slot[0] as u32 == key[0] as u32,
            false => slot[..self.key] == *key,
        }
    }

    /// The words of the key in a slot, and some more.
    fn words(self, slot: &[u64]) -> [u64; MOST_WORDS[0]] {
        match self.is_narrow {
            true => [slot[0] & u64::from(u32::MAX), 0],
            false => [slot[0], slot[1]],
        }
    }

    fn entry(self, slot: &[u64]) -> u64 {
        if self.is_narrow { slot[0] >> 32 } else { slot[self.key] }
    }

    #[inline]
    fn put(self, slot: &mut [u64], key: &[u64], entry: u64) {
        match (self.is_narrow, key) {
            (true, _) => slot[0] = key[0] | entry << 32,
            (false, [word]) => (slot[0], slot[1]) = (*word, entry),
            (false, _) => {
                slot[..key.len()].copy_from_slice(key);
                slot[key.len()] = entry;
            }
        }
    }
}

/// Slots, a power of two of them or none; at most 3/8 of them are taken, and not many more than 3/32 where that pays.
#[derive(Debug)]
pub(super) struct SmallTable {
    parts: Parts,
    slots: Vec<u64>,
    /// Whether there is any key.
    is_used: bool,
    /// How many merges were announced.
    merges: usize,
    /// How many of them were when the values were last taken.
    taken: usize,
    /// Where the entries were then; a slot that has another entry's number now is that one's.
    places: Vec<u32>,
}

impl SmallTable {
    /// No slots.
    pub(super) fn new(parts: Parts) -> SmallTable {
        SmallTable { parts, slots: Vec::new(), is_used: false, merges: 0, taken: 0, places: Vec::new() }
    }

    /// Where the slots begin, what a hash becomes the number of one with, and up to how many entries they are for.
    pub(super) fn searched(&mut self) -> (*mut u64, u64, u64) {
        match self.is_used {
            true => (self.slots.as_mut_ptr(), self.number() as u64 - 1, self.limit()),
            false => in_none(self.parts),
        }
    }

    fn number(&self) -> usize {
        self.slots.len() / self.parts.size()
    }

    /// The slot of a key, by its first word.
    pub(super) fn search(&self, key: &[u64]) -> Option<usize> {
        if !self.is_used {
            return None;
        }
        let (size, mask) = (self.parts.size(), self.number() - 1);
        let mut place = slots::hash(key) as usize & mask;
        loop {
            let slot = &self.slots[place * size..][..size];
            if self.parts.has_key(slot, key) {
                return Some(place * size);
            }
            if self.parts.entry(slot) == 0 {
                return None;
            }
            place = (place + 1) & mask;
        }
    }

    /// So many entries there may be before there are to be more slots.
    pub(super) fn limit(&self) -> u64 {
        slots::limit(self.number())
    }

    /// Told that so many merges come; whether `entries` keys are in other slots for that, as [`slots_wanted`] says.
    pub(super) fn expect(&mut self, run: &Run<'_>, merges: usize, entries: u64) -> Result<bool, Fault> {
        self.merges = self.merges.saturating_add(merges);
        let bytes = size_of::<u64>() * self.parts.size();
        let wanted = slots_wanted(entries as usize, self.number(), bytes, self.merges);
        if !self.is_used || wanted == self.number() {
            return Ok(false);
        }
        let mut taken = self.slots.chunks_exact(self.parts.size());
        let Some(any) = taken.find(|slot| self.parts.entry(slot) != 0) else { return Ok(false) };
        let key = self.parts.words(any);
        self.grow(run, &key[..self.parts.key], wanted)?;
        Ok(true)
    }

    /// The slot of a key that was not found, which becomes the entry after so many.
    pub(super) fn enter(&mut self, run: &Run<'_>, key: &[u64], entries: u64) -> Result<usize, Fault> {
        if entries >= self.limit() {
            self.grow(run, key, (2 * self.number()).max(slots::number_for(0)))?;
        } else if !self.is_used {
            self.fill(key);
        }
        let at = self.search_free(key).ok_or_else(out_of_memory)?;
        self.parts.put(&mut self.slots[at..], key, entries + 1);
        Ok(at)
    }

    /// The first free slot for a key.
    fn search_free(&self, key: &[u64]) -> Option<usize> {
        let (size, mask) = (self.parts.size(), self.number().checked_sub(1)?);
        let first = slots::hash(key) as usize;
        let is_free = |place: &usize| self.parts.entry(&self.slots[place * size..]) == 0;
        (0..=mask).map(|step| first.wrapping_add(step) & mask).find(is_free).map(|place| place * size)
    }

    /// Where the value begins in the slot at `at`.
    pub(super) fn value(&mut self, at: usize) -> *mut u64 {
        self.slots[at + self.parts.place()..].as_mut_ptr()
    }

    /// Whether there are many slots for so many entries.
    fn is_sparse(&self, entries: u64) -> bool {
        self.number() as u64 >= 8 * entries
    }

    /// Whether another segment should begin with these entries.
    pub(super) fn is_worth_keeping(&self, entries: u64) -> bool {
        self.is_used && WORTH_KEEPING as u64 * entries <= (self.merges - self.taken) as u64
    }

    /// Gives the number of each entry and the words of its value to `put`; they are `neutral` after it, if that is given. `key`
    /// writes the words of an entry's key.
    pub(super) fn take_values(
        &mut self,
        entries: u64,
        neutral: Option<&[u64]>,
        key: impl Fn(u64, &mut [u64]),
        mut put: impl FnMut(u64, &[u64]),
    ) {
        self.taken = self.merges;
        let (size, value) = (self.parts.size(), self.parts.place());
        let mut take = |entry: u64, slot: &mut [u64]| {
            put(entry, &slot[value..]);
            if let Some(neutral) = neutral {
                slot[value..].copy_from_slice(neutral);
            }
        };
        if !self.is_used {
            return;
        }
        if !self.is_sparse(entries) {
            for slot in self.slots.chunks_exact_mut(size) {
                if let Some(entry) = self.parts.entry(slot).checked_sub(1) {
                    take(entry, slot);
                }
            }
            return;
        }
        // To search for each key takes less than to look at each slot.
        let mut words = [0; MOST_WORDS[0]];
        let words = &mut words[..self.parts.key];
        for entry in 0..entries {
            let known = self.places.get(entry as usize).map(|&at| at as usize);
            let is_there = |&at: &usize| {
                self.slots.get(at..at + size).is_some_and(|slot| self.parts.entry(slot) == entry + 1)
            };
            let at = known.filter(is_there).unwrap_or_else(|| {
                key(entry, words);
                self.search(words).expect("each key of an entry has a slot")
            });
            if neutral.is_some() {
                match self.places.get_mut(entry as usize) {
                    Some(place) => *place = at as u32,
                    None => self.places.push(at as u32),
                }
            }
            take(entry, &mut self.slots[at..at + size]);
        }
    }

    /// Gives up all keys, and keeps the slots for others.
    pub(super) fn empty(&mut self) {
        self.is_used = false;
        self.places.clear();
    }

    /// The bytes that this takes.
    pub(super) fn room(&self) -> usize {
        self.slots.capacity() * size_of::<u64>()
    }

    /// Frees all slots, that hold `key`, which comes into the table.
    fn fill(&mut self, key: &[u64]) {
        let mut filled = self.parts.size();
        self.parts.put(&mut self.slots[..filled], key, 0);
        // What is copied is as good for others, and so is what it was copied to.
        while filled < self.slots.len() {
            let more = filled.min(self.slots.len() - filled);
            self.slots.copy_within(..more, filled);
            filled += more;
        }
        self.is_used = true;
    }

    /// Makes `number` slots, more than there are; those that are free hold `key`, which is in the table or comes into it.
    #[cold]
    fn grow(&mut self, run: &Run<'_>, key: &[u64], number: usize) -> Result<(), Fault> {
        let words = number * self.parts.size();
        run.charge((words * size_of::<u64>()) as u64)?;
        let mut slots: Vec<u64> = Vec::new();
        slots.try_reserve_exact(words).map_err(|_| out_of_memory())?;
        huge_pages::advise_large(slots.as_ptr().cast(), words * size_of::<u64>());
        slots.resize(words, 0);
        let room = self.room();
        let (old, was_used) = (std::mem::replace(&mut self.slots, slots), self.is_used);
        self.fill(key);
        let taken = old.chunks_exact(self.parts.size()).filter(|slot| self.parts.entry(slot) != 0);
        for slot in taken.filter(|_| was_used) {
            let key = self.parts.words(slot);
            let at = self.search_free(&key[..self.parts.key]).ok_or_else(out_of_memory)?;
            self.slots[at..][..slot.len()].copy_from_slice(slot);
        }
        run.discharge(room as u64);
        Ok(())
    }
}

/// As [`SmallTable::searched`], of slots in which no key is found and for none of which there is room.
pub(super) fn in_none(parts: Parts) -> (*mut u64, u64, u64) {
    (nothing(parts).as_ptr().cast_mut(), 1, 0)
}

/// The words of the slots of a table without keys: two slots that are free, each with a key that belongs to the other.
type Nothing = [u64; 2 * (MOST_WORDS[0] + 1 + MOST_WORDS[1])];

/// By kind of key, and by the words of a value.
static NOTHING: [[Nothing; MOST_WORDS[1]]; 3] = {
    let mut all = [[[0; _]; _]; _];
    let mut value = 0;
    while value < MOST_WORDS[1] {
        all[0][value] = two_slots(Parts { key: 1, is_narrow: true, value: value + 1 });
        all[1][value] = two_slots(Parts { key: 1, is_narrow: false, value: value + 1 });
        all[2][value] = two_slots(Parts { key: 2, is_narrow: false, value: value + 1 });
        value += 1;
    }
    all
};

/// The slots of a table without keys.
fn nothing(parts: Parts) -> &'static Nothing {
    &NOTHING[if parts.is_narrow { 0 } else { parts.key }][parts.value - 1]
}

const fn two_slots(parts: Parts) -> Nothing {
    let mut words = [0; _];
    words[0] = belonging_to(1, parts);
    words[parts.size()] = belonging_to(0, parts);
    words
}

/// The least first word of a key, whose others are 0, that belongs to this one of two slots.
const fn belonging_to(slot: u64, parts: Parts) -> u64 {
    let mut word = 0;
    loop {
        let mut hash = slots::mix(SEED, word);
        let mut rest = 1;
        while rest < parts.key {
            hash = slots::mix(hash, 0);
            rest += 1;
        }
        if hash & 1 == slot {
            return word;
        }
        word += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use weldment_runtime::exec::context::Context;

    fn kinds() -> impl Iterator<Item = Parts> {
        let kinds = [(1, true), (1, false), (2, false)];
        kinds.into_iter().flat_map(|(key, is_narrow)| {
            (1..=MOST_WORDS[1]).map(move |value| Parts { key, is_narrow, value })
        })
    }

    #[test]
    fn no_key_is_in_a_table_without_keys() {
        for parts in kinds() {
            for place in 0..2 {
                let held = &nothing(parts)[place * parts.size()..][..parts.size()];
                assert_eq!(parts.entry(held), 0);
                assert_ne!(slots::hash(&held[..parts.key]) & 1, place as u64);
            }
        }
    }

    /// The first words of the values of so many entries, in their order.
    fn values(
        small: &mut SmallTable,
        entries: u64,
        neutral: Option<u64>,
        key: impl Fn(u64) -> Vec<u64>,
    ) -> Vec<u64> {
        let neutral = neutral.map(|word| vec![word; small.parts.value]);
        let mut values = Vec::new();
        let put = |entry, words: &[u64]| values.push((entry, words[0]));
        small.take_values(
            entries,
            neutral.as_deref(),
            |entry, words| words.copy_from_slice(&key(entry)),
            put,
        );
        values.sort_unstable();
        assert!(values.iter().map(|value| value.0).eq(0..entries));
        values.into_iter().map(|value| value.1).collect()
    }

    #[test]
    fn entries_are_spread_where_there_are_many_merges() {
        let run = Run::new(Context::ambient(), &[]);
        for parts in kinds() {
            let mut small = SmallTable::new(parts);
            assert!(!small.expect(&run, 1000, 0).unwrap());
            let key = |i: u64| vec![i * 1000; parts.key];
            for i in 0..20 {
                let at = small.enter(&run, &key(i), i).unwrap();
                small.slots[at + parts.place()] = i * i;
            }
            for (merges, spread, slots) in [(0, true, 256), (1 << 20, false, 256)] {
                assert_eq!((small.expect(&run, merges, 20).unwrap(), small.number()), (spread, slots));
                assert!(values(&mut small, 20, None, key).into_iter().eq((0..20).map(|i| i * i)));
                assert!((0..20).all(|i| {
                    small.search(&key(i)).is_some_and(|at| small.slots[at + parts.place()] == i * i)
                }));
                assert_eq!(small.search(&key(20)), None);
            }
            small.empty();
            assert!(!small.expect(&run, 1 << 20, 0).unwrap());
        }
    }

    #[test]
    fn entries_are_found_with_their_values() {
        let run = Run::new(Context::ambient(), &[]);
        for parts in kinds() {
            let mut small = SmallTable::new(parts);
            for round in 0..2u64 {
                let key = |i: u64| if parts.key == 1 { vec![i * 1000 + round] } else { vec![i % 7, i] };
                for i in 0..500 {
                    assert_eq!(small.search(&key(i)), None);
                    let at = small.enter(&run, &key(i), i).unwrap();
                    assert_eq!(small.search(&key(i)), Some(at));
                    small.slots[at + parts.place()] = i * i;
                }
                assert!(values(&mut small, 500, None, key).into_iter().eq((0..500).map(|i| i * i)));
                assert_eq!(small.search(&key(500)), None);
                small.empty();
            }
        }
    }

    #[test]
    fn keys_that_are_kept_have_neutral_values() {
        let run = Run::new(Context::ambient(), &[]);
        for parts in kinds() {
            let mut small = SmallTable::new(parts);
            let key = |i: u64| vec![i * 1000; parts.key];
            let mut entries = 0;
            // Slots become more in between, and few of them are taken at last.
            for (segment, more, merges) in [(0, 20, 0), (1, 0, 400), (2, 30, 1 << 16), (3, 0, 0)] {
                small.expect(&run, merges, entries).unwrap();
                assert_eq!(small.is_worth_keeping(entries), entries > 0 && merges as u64 >= 16 * entries);
                for i in entries..entries + more {
                    let at = small.enter(&run, &key(i), i).unwrap();
                    small.slots[at + parts.place()] = i;
                }
                let expected = (0..entries + more).map(|i| if i < entries { 7 } else { i });
                assert!(
                    values(&mut small, entries + more, Some(7), key).into_iter().eq(expected),
                    "{segment}"
                );
                entries += more;
            }
        }
    }
}
