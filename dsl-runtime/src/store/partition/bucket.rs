//! One bucket: the keys whose hashes begin alike, what is held of their values, and merges that wait.

use std::marker::PhantomData;

use crate::exec::context::Context;
use crate::key::hash::Key;
use crate::lang::fault::Fault;

use super::drain::Lookup;
use super::entries::{Entries, Kept};
use super::partial::Partial;
use super::slab::{FreeList, Regions, Slab};
use super::write_combining::{Part, Row};

/// The keys whose hashes begin alike.
///
/// Keys lie in order of first insertion, since merges keep their order on the way.
#[derive(Debug)]
pub(crate) struct Bucket<K: Copy, V: Copy, H: Copy> {
    /// Merges that wait, after those that are in `entries`.
    parts: Vec<Part<K, V>>,
    deferred: usize,
    pub(crate) entries: Entries<K, H>,
}

/// How many merges of a bucket there is room for at a time.
const SLAB: usize = 256;

/// Room for what buckets hold.
pub(crate) struct Room<K: Copy, V: Copy, H> {
    pub(crate) regions: Regions,
    /// Those that nobody is at.
    lookups: Vec<Lookup<K, H>>,
    of: PhantomData<fn() -> V>,
}

impl<K: Copy, V: Copy, H: Copy> Bucket<K, V, H> {
    /// Nothing yet.
    pub(crate) fn new() -> Bucket<K, V, H> {
        Bucket { parts: Vec::new(), deferred: 0, entries: Entries::default() }
    }

    /// The number of merges that wait.
    pub(crate) fn deferred(&self) -> usize {
        self.deferred
    }

    /// Lets `part` wait, after all that is there.
    pub(crate) fn keep(&mut self, part: Part<K, V>) {
        self.deferred += part.rows.len();
        self.parts.push(part);
    }

    /// What waits.
    pub(crate) fn take_parts(&mut self) -> Vec<Part<K, V>> {
        self.deferred = 0;
        std::mem::take(&mut self.parts)
    }
}

impl<K: Key + Copy, V: Copy, H: Partial<V>> Bucket<K, V, H> {
    /// Combines what waits, by a look-up that holds nothing. Slabs come from `free_list`, or else from `slab`, and `free_list` gets
    /// those that were needed for what waited.
    pub(crate) fn drain(
        &mut self,
        cx: &Context,
        lookup: &mut Lookup<K, H>,
        combine: impl Fn(&mut V, V) + Copy,
        free_list: &mut FreeList,
        slab: impl Fn() -> Result<Slab<Kept<K, H>>, Fault>,
    ) -> Result<(), Fault> {
        if self.deferred == 0 {
            return Ok(());
        }
        lookup.begin(cx, &self.entries, self.deferred)?;
        self.entries.release(free_list);
        for part in self.take_parts() {
            lookup.merge(cx, &part, combine)?;
            free_list.put(part.rows);
        }
        self.entries =
            Entries::of(&lookup.entries, &lookup.firsts, || free_list.take().map_or_else(&slab, Ok))?;
        Ok(())
    }

    /// Makes of the entries merges that wait, of the first segment, before those that do; for a bucket that others will be
    /// joined to. So many are counted from one number.
    pub(crate) fn defer_entries(
        &mut self,
        cx: &Context,
        span: usize,
        combine: impl Fn(&mut V, V) + Copy,
        regions: &mut Regions,
    ) -> Result<(), Fault> {
        let after = self.take_parts();
        let mut part: Part<K, V> = Part { rows: Slab::NONE, base: 0, segment: 0 };
        let mut kept = Vec::new();
        for entry in self.entries.iter() {
            let base = entry.first / span * span;
            if part.rows.is_full() || part.base != base {
                kept.push(std::mem::replace(&mut part, Part { rows: regions.slab(cx)?, base, segment: 0 }));
            }
            let value = { entry.held }.total(combine);
            part.rows.fill(&mut [Row { key: entry.key, value, at: (entry.first - base) as u32 }].into_iter());
        }
        let mut free_list = FreeList::default();
        self.entries.release(&mut free_list);
        regions.release(free_list);
        let parts = kept.into_iter().chain([part]).filter(|part| !part.rows.is_none());
        parts.chain(after).for_each(|part| self.keep(part));
        Ok(())
    }
}

impl<K: Copy, V: Copy, H: Copy> Room<K, V, H> {
    /// A look-up that nobody is at.
    pub(crate) fn lookup(&mut self) -> Lookup<K, H> {
        self.lookups.pop().unwrap_or_default()
    }

    /// Takes a look-up back.
    pub(crate) fn done(&mut self, lookup: Lookup<K, H>) {
        self.lookups.push(lookup);
    }

    /// Frees what nobody uses.
    pub(crate) fn free(&mut self, cx: &Context) {
        self.regions.free(cx);
        cx.discharge(self.lookups.drain(..).map(|lookup| lookup.room()).sum());
    }
}

impl<K: Copy, V: Copy, H> Default for Room<K, V, H> {
    fn default() -> Room<K, V, H> {
        Room { regions: Regions::of::<Row<K, V>>(SLAB), lookups: Vec::new(), of: PhantomData }
    }
}
