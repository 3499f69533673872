//! The keys of a bucket while it is not worked off, in chunks.

use std::slice;

use crate::cpu;
use crate::fault::Fault;

use super::chunk::{Chunk, Spare};

/// A key, and what is held of its values.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry<K, H> {
    pub(super) key: K,
    pub(super) held: H,
}

/// An entry, and where its key was first merged. There are many of them, so that they have no gaps.
#[derive(Clone, Copy, Debug)]
#[repr(C, packed(4))]
pub(super) struct Kept<K: Copy, H: Copy> {
    pub(super) key: K,
    pub(super) held: H,
    pub(super) first: usize,
}

/// Entries in order of first insertion.
#[derive(Debug)]
pub(super) struct Entries<K: Copy, H: Copy> {
    chunks: Vec<Chunk<Kept<K, H>>>,
    len: usize,
}

/// Those that were not taken yet.
pub(super) struct Rest<'e, K: Copy, H: Copy> {
    here: &'e [Kept<K, H>],
    then: slice::Iter<'e, Chunk<Kept<K, H>>>,
}

impl<K: Copy, H: Copy> Default for Entries<K, H> {
    fn default() -> Entries<K, H> {
        Entries { chunks: Vec::new(), len: 0 }
    }
}

impl<K: Copy, H: Copy> Entries<K, H> {
    /// These entries, whose keys were first merged there, in chunks that `chunk` gives.
    pub(super) fn of(
        entries: &[Entry<K, H>],
        firsts: &[usize],
        mut chunk: impl FnMut() -> Result<Chunk<Kept<K, H>>, Fault>,
    ) -> Result<Entries<K, H>, Fault> {
        let mut all = Entries { chunks: Vec::new(), len: entries.len() };
        let kept = |(entry, &first): (&Entry<K, H>, _)| Kept { key: entry.key, held: entry.held, first };
        let mut rest = entries.iter().zip(firsts).map(kept);
        while rest.len() > 0 {
            let mut next = chunk()?;
            next.fill(&mut rest);
            all.chunks.push(next);
        }
        Ok(all)
    }

    /// How many there are.
    pub(super) fn len(&self) -> usize {
        self.len
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &Kept<K, H>> {
        self.chunks.iter().flat_map(Chunk::values)
    }

    /// Gives the chunks to others.
    pub(super) fn leave(&mut self, spare: &mut Spare) {
        std::mem::take(self).chunks.into_iter().for_each(|chunk| spare.put(chunk));
    }

    /// How many were first merged before `end`.
    pub(super) fn before(&self, end: usize) -> usize {
        self.len - self.from(end).len()
    }

    /// Those that were first merged at `start` or after it.
    pub(super) fn from(&self, start: usize) -> Rest<'_, K, H> {
        let is_before = |kept: &Kept<K, H>| kept.first < start;
        let chunk = self.chunks.partition_point(|chunk| chunk.values().last().is_some_and(is_before));
        let mut then = self.chunks[chunk..].iter();
        let here = then.next().map_or(&[][..], Chunk::values);
        Rest { here: &here[here.partition_point(is_before)..], then }
    }
}

impl<'e, K: Copy, H: Copy> Rest<'e, K, H> {
    fn len(&self) -> usize {
        self.here.len() + self.then.as_slice().iter().map(Chunk::len).sum::<usize>()
    }

    /// Gives those that were first merged before `end` to `each`; they are no rest any more.
    #[inline(always)]
    pub(super) fn take_before(&mut self, end: usize, mut each: impl FnMut(&'e Kept<K, H>)) {
        loop {
            let number = self.here.iter().take_while(|kept| kept.first < end).count();
            let (these, rest) = self.here.split_at(number);
            these.iter().for_each(&mut each);
            self.here = rest;
            if !rest.is_empty() {
                // As many may come next time, and by then they would not be in the cache.
                cpu::ask_all(&rest[..number.min(rest.len())]);
                return;
            }
            match self.then.next() {
                Some(chunk) => self.here = chunk.values(),
                None => return,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::builders::buckets::chunk::Slabs;
    use crate::context::Context;

    #[test]
    fn entries_are_taken_in_order() {
        let firsts: Vec<usize> = (0..100).map(|i| 3 * i).collect();
        let entries: Vec<_> = (0..100u8).map(|key| Entry { key, held: u32::from(key) }).collect();
        for size in [1, 7, 100, 1000] {
            let mut slabs = Slabs::of::<Kept<u8, u32>>(size);
            let entries = Entries::of(&entries, &firsts, || slabs.chunk(Context::ambient())).unwrap();
            assert_eq!((entries.len(), entries.before(0), entries.before(1000)), (100, 0, 100));
            for end in 0..300 {
                assert_eq!(entries.before(end), end.div_ceil(3));
            }
            let mut keys = Vec::new();
            let mut rest = entries.from(25);
            for end in [26, 31, 31, 290, 1000] {
                rest.take_before(end, |kept| keys.push(kept.key));
                assert_eq!(keys.len(), end.min(300).div_ceil(3) - 9);
            }
            assert!(keys.into_iter().eq(9..100));
        }
    }
}
