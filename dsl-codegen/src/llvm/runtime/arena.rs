//! The bytes of a table's keys, one key after the other: what keys are compared with lies together, wherever the values that
//! they were copied from are.

use weldment_runtime::fault::Fault;

use super::table::out_of_memory;
use crate::llvm::memory::Run;

/// Copies that never move.
#[derive(Default)]
pub(super) struct Arena {
    /// Each is at least twice as large as the one before; the last one has room.
    chunks: Vec<Vec<u64>>,
}

/// The words of the first chunk.
const FIRST: usize = 64;

impl Arena {
    /// A copy of `bytes`, aligned for every scalar.
    pub(super) fn copy(&mut self, run: &Run<'_>, bytes: &[u8]) -> Result<*mut u8, Fault> {
        let words = bytes.len().div_ceil(size_of::<u64>());
        if self.chunks.last().is_none_or(|chunk| chunk.capacity() - chunk.len() < words) {
            self.grow(run, words)?;
        }
        let chunk = self.chunks.last_mut().expect("there is one with room");
        let start = chunk.len();
        chunk.extend(bytes.chunks(size_of::<u64>()).map(|part| {
            let mut word = [0; size_of::<u64>()];
            word[..part.len()].copy_from_slice(part);
            u64::from_ne_bytes(word)
        }));
        Ok(chunk.as_mut_ptr().wrapping_add(start).cast())
    }

    #[cold]
    fn grow(&mut self, run: &Run<'_>, words: usize) -> Result<(), Fault> {
        let doubled = self.chunks.last().map_or(FIRST, |last| 2 * last.capacity());
        let mut chunk = Vec::new();
        run.charge((doubled.max(words) * size_of::<u64>()) as u64)?;
        chunk.try_reserve_exact(doubled.max(words)).map_err(|_| out_of_memory())?;
        self.chunks.push(chunk);
        Ok(())
    }

    /// Gives up all copies, and keeps the largest chunk for others.
    pub(super) fn empty(&mut self, run: &Run<'_>) {
        let last = self.chunks.pop();
        self.clear(run);
        self.chunks.extend(last.map(|mut chunk| {
            chunk.clear();
            chunk
        }));
    }

    /// Gives up all copies, and their memory.
    pub(super) fn clear(&mut self, run: &Run<'_>) {
        let words: usize = self.chunks.drain(..).map(|chunk| chunk.capacity()).sum();
        run.discharge((words * size_of::<u64>()) as u64);
    }
}

#[cfg(test)]
mod tests {
    use weldment_runtime::context::Context;

    use super::*;

    #[test]
    fn copies_stay_where_they_are() {
        let run = Run::new(Context::ambient(), &[]);
        let mut arena = Arena::default();
        for _ in 0..2 {
            let mut expected = Vec::new();
            for len in 0..300u32 {
                let text: Vec<u8> = (0..len).map(|i| (i * 7 + len) as u8).collect();
                let at = arena.copy(&run, &text).unwrap();
                expected.push((at as usize, text));
            }
            // Where each copy is, by what the chunks are in the end.
            let start = |chunk: &Vec<u64>| chunk.as_ptr() as usize;
            for (at, text) in expected {
                let chunk = arena
                    .chunks
                    .iter()
                    .find(|chunk| (start(chunk)..=start(chunk) + 8 * chunk.len()).contains(&at));
                let bytes = chunk.unwrap().iter().flat_map(|word| word.to_ne_bytes());
                let from = at - start(chunk.unwrap());
                assert!(from % 8 == 0 && bytes.skip(from).take(text.len()).eq(text));
            }
            arena.empty(&run);
            assert_eq!(arena.chunks.len(), 1);
        }
    }
}
