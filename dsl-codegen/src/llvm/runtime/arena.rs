//! The bytes of a table's keys, one key after the other: what keys are compared with lies together, wherever the values that
//! they were copied from are.

use weldment_runtime::lang::fault::Fault;
use weldment_runtime::mem::budget::Charge;
use weldment_runtime::mem::vec::reserve_anew;

use super::words::words_of;

/// Copies that never move.
#[derive(Default)]
pub(super) struct Arena {
    /// Each is at least twice as large as the one before; the last one has room.
    slabs: Vec<Vec<u64>>,
}

/// The words of the first slab.
const FIRST: usize = 64;

impl Arena {
    /// A copy of `bytes`, aligned for every scalar.
    pub(super) fn copy(&mut self, run: &impl Charge, bytes: &[u8]) -> Result<*mut u8, Fault> {
        let words = bytes.len().div_ceil(size_of::<u64>());
        if self.slabs.last().is_none_or(|slab| slab.capacity() - slab.len() < words) {
            self.grow(run, words)?;
        }
        let slab = self.slabs.last_mut().expect("there is one with room");
        let start = slab.len();
        slab.extend(words_of(bytes));
        Ok(slab.as_mut_ptr().wrapping_add(start).cast())
    }

    #[cold]
    fn grow(&mut self, run: &impl Charge, words: usize) -> Result<(), Fault> {
        let doubled = self.slabs.last().map_or(FIRST, |last| 2 * last.capacity());
        let mut slab = Vec::new();
        reserve_anew(run, &mut slab, doubled.max(words))?;
        self.slabs.push(slab);
        Ok(())
    }

    /// Gives up all copies, and keeps the largest slab for others.
    pub(super) fn empty(&mut self, run: &impl Charge) {
        let last = self.slabs.pop();
        self.clear(run);
        self.slabs.extend(last.map(|mut slab| {
            slab.clear();
            slab
        }));
    }

    /// Gives up all copies, and their memory.
    pub(super) fn clear(&mut self, run: &impl Charge) {
        let words: usize = self.slabs.drain(..).map(|slab| slab.capacity()).sum();
        run.discharge(words * size_of::<u64>());
    }
}

#[cfg(test)]
mod tests {
    use weldment_runtime::exec::context::Context;

    use super::*;

    #[test]
    fn copies_stay_where_they_are() {
        let run = Context::ambient();
        let mut arena = Arena::default();
        for _ in 0..2 {
            let mut expected = Vec::new();
            for len in 0..300u32 {
                let text: Vec<u8> = (0..len).map(|i| (i * 7 + len) as u8).collect();
                let at = arena.copy(run, &text).unwrap();
                expected.push((at as usize, text));
            }
            // Where each copy is, by what the slabs are in the end.
            let start = |slab: &Vec<u64>| slab.as_ptr() as usize;
            for (at, text) in expected {
                let slab = arena
                    .slabs
                    .iter()
                    .find(|slab| (start(slab)..=start(slab) + 8 * slab.len()).contains(&at));
                let bytes = slab.unwrap().iter().flat_map(|word| word.to_ne_bytes());
                let from = at - start(slab.unwrap());
                assert!(from % 8 == 0 && bytes.skip(from).take(text.len()).eq(text));
            }
            arena.empty(run);
            assert_eq!(arena.slabs.len(), 1);
        }
    }
}
