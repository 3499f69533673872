//! The index of a table: open addressing with linear probing in a power of two of slots.
//!
//! Compiled code looks up keys of words by itself, in slots and with [`mix`] as they are here.

use weldment_runtime::key::hash::MIX;
use weldment_runtime::lang::fault::Fault;
use weldment_runtime::mem::huge_pages;

use super::table::out_of_memory;
use crate::llvm::memory::Run;

/// A place in the index.
#[derive(Clone, Copy, Default)]
#[repr(C)]
pub(crate) struct Slot {
    /// The word of a key of one word; the hash of any other.
    pub(crate) tag: u64,
    /// 0, or 1 more than the entry's number.
    pub(crate) entry: u64,
}

/// The index of an empty table.
pub(super) static NOTHING: Slot = Slot { tag: 0, entry: 0 };

/// What a search came to.
pub(super) enum Probe {
    /// The entry's number.
    Found(u64),
    /// The slot where it would stand.
    Free(usize),
}

/// Searches for a key that has this tag and whose search begins at the place that `hash` tells; `is_key` says of an entry
/// whether it is the key's.
#[inline(always)]
pub(super) fn probe(slots: &[Slot], tag: u64, hash: u64, is_key: impl Fn(u64) -> bool) -> Probe {
    let mask = slots.len().wrapping_sub(1);
    let mut place = hash as usize & mask;
    // Without slots, no place is one.
    while let Some(slot) = slots.get(place) {
        if slot.entry == 0 {
            break;
        }
        if slot.tag == tag && is_key(slot.entry - 1) {
            return Probe::Found(slot.entry - 1);
        }
        place = (place + 1) & mask;
    }
    Probe::Free(place)
}

/// Puts `new`, which is not among `slots`, to its place.
pub(super) fn enter(slots: &mut [Slot], new: Slot, hash: u64) {
    let mask = slots.len() - 1;
    let mut place = hash as usize & mask;
    while slots[place].entry != 0 {
        place = (place + 1) & mask;
    }
    slots[place] = new;
}

/// So many slots, counted.
pub(super) fn empty(run: &Run<'_>, number: usize) -> Result<Vec<Slot>, Fault> {
    run.charge((number * size_of::<Slot>()) as u64)?;
    let mut slots: Vec<Slot> = Vec::new();
    slots.try_reserve_exact(number).map_err(|_| out_of_memory())?;
    huge_pages::advise_large(slots.as_ptr().cast(), number * size_of::<Slot>());
    slots.resize(number, Slot::default());
    Ok(slots)
}

/// The number of slots for so many entries.
pub(super) fn number_for(entries: u64) -> usize {
    (entries as usize * 8).div_ceil(3).next_power_of_two().max(32)
}

/// So many entries so many slots are for: less than 3 of 8 are taken, since longer searches cost mispredicted branches.
pub(super) fn limit(slots: usize) -> u64 {
    (slots as u64 * 3).saturating_sub(1) / 8
}

/// The hash of a key of words.
#[inline(always)]
pub(super) fn hash(words: &[u64]) -> u64 {
    words.iter().fold(SEED, |state, &word| mix(state, word))
}

/// The state that a hash begins with: the runtime's, too.
pub(crate) const SEED: u64 = MIX[0];

/// What [`mix`] multiplies with.
pub(crate) const FACTOR: u64 = MIX[1];

/// The state after a word, which spreads over all bits: regular keys, such as multiples of a large power of two, lie as well
/// as others.
#[inline(always)]
pub(super) const fn mix(state: u64, word: u64) -> u64 {
    let product = (state ^ word) as u128 * FACTOR as u128;
    (product as u64) ^ ((product >> 64) as u64)
}
