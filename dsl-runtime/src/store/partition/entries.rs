//! The keys of a bucket while it is not worked off, in slabs.

use std::slice;

use crate::exec::cpu;
use crate::lang::fault::Fault;

use super::slab::{FreeList, Slab};

/// A key, and what is held of its values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Entry<K, H> {
    pub(crate) key: K,
    pub(crate) held: H,
}

/// An entry, and where its key was first merged. There are many of them, so that they have no gaps.
#[derive(Clone, Copy, Debug)]
#[repr(C, packed(4))]
pub(crate) struct Kept<K: Copy, H: Copy> {
    pub(crate) key: K,
    pub(crate) held: H,
    pub(crate) first: usize,
}

/// Entries in order of first insertion.
#[derive(Debug)]
pub(crate) struct Entries<K: Copy, H: Copy> {
    slabs: Vec<Slab<Kept<K, H>>>,
    len: usize,
}

/// Those that were not taken yet.
pub(crate) struct Rest<'e, K: Copy, H: Copy> {
    here: &'e [Kept<K, H>],
    then: slice::Iter<'e, Slab<Kept<K, H>>>,
}

impl<K: Copy, H: Copy> Default for Entries<K, H> {
    fn default() -> Entries<K, H> {
        Entries { slabs: Vec::new(), len: 0 }
    }
}

impl<K: Copy, H: Copy> Entries<K, H> {
    /// These entries, whose keys were first merged there, in slabs that `slab` gives.
    pub(crate) fn of(
        entries: &[Entry<K, H>],
        firsts: &[usize],
        mut slab: impl FnMut() -> Result<Slab<Kept<K, H>>, Fault>,
    ) -> Result<Entries<K, H>, Fault> {
        let mut all = Entries { slabs: Vec::new(), len: entries.len() };
        let mut last = Slab::NONE;
        for (&Entry { key, held }, &first) in entries.iter().zip(firsts) {
            if last.is_full() {
                all.keep(std::mem::replace(&mut last, slab()?));
            }
            last.push(Kept { key, held, first });
        }
        all.keep(last);
        Ok(all)
    }

    fn keep(&mut self, slab: Slab<Kept<K, H>>) {
        if !slab.is_none() {
            self.slabs.push(slab);
        }
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// All of them, slab by slab.
    pub(crate) fn slabs(&self) -> &[Slab<Kept<K, H>>] {
        &self.slabs
    }

    /// Gives the slabs to others.
    pub(crate) fn release(&mut self, free_list: &mut FreeList) {
        self.len = 0;
        while let Some(slab) = self.slabs.pop() {
            free_list.put(slab);
        }
    }

    /// How many were first merged before `end`.
    pub(crate) fn before(&self, end: usize) -> usize {
        self.len - self.from(end).len()
    }

    /// Those that were first merged at `start` or after it.
    pub(crate) fn from(&self, start: usize) -> Rest<'_, K, H> {
        let is_before = |kept: &Kept<K, H>| kept.first < start;
        let slab = self.slabs.partition_point(|slab| slab.values().last().is_some_and(is_before));
        let mut then = self.slabs[slab..].iter();
        let here = then.next().map_or(&[][..], Slab::values);
        Rest { here: &here[here.partition_point(is_before)..], then }
    }
}

impl<'e, K: Copy, H: Copy> Rest<'e, K, H> {
    fn len(&self) -> usize {
        self.here.len() + self.then.as_slice().iter().map(Slab::len).sum::<usize>()
    }

    /// Gives those that were first merged before `end` to `each`; they are no rest any more.
    #[inline(always)]
    pub(crate) fn take_before(&mut self, end: usize, mut each: impl FnMut(&'e Kept<K, H>)) {
        loop {
            let number = self.here.iter().take_while(|kept| kept.first < end).count();
            let (these, rest) = self.here.split_at(number);
            these.iter().for_each(&mut each);
            self.here = rest;
            if !rest.is_empty() {
                // As many may come next time, and by then they would not be in the cache.
                cpu::prefetch_all(&rest[..number.min(rest.len())]);
                return;
            }
            match self.then.next() {
                Some(slab) => self.here = slab.values(),
                None => return,
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::context::Context;
    use crate::store::partition::slab::Regions;

    #[test]
    fn entries_are_taken_in_order() {
        let firsts: Vec<usize> = (0..100).map(|i| 3 * i).collect();
        let entries: Vec<_> = (0..100u8).map(|key| Entry { key, held: u32::from(key) }).collect();
        for size in [1, 7, 100, 1000] {
            let mut regions = Regions::of(size * size_of::<Kept<u8, u32>>());
            let entries = Entries::of(&entries, &firsts, || regions.slab(Context::ambient())).unwrap();
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
