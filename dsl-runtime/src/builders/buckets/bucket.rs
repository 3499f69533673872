//! One bucket: the keys whose hashes begin alike, what is held of their values, and merges that wait.

use std::marker::PhantomData;

use crate::context::Context;
use crate::fault::Fault;
use crate::key::Key;

use super::chunk::{Chunk, Slabs, Spare};
use super::entries::{Entries, Kept};
use super::held::Held;
use super::lookup::Lookup;

/// A merge that waits. There are many of them, so that they have no gaps.
#[derive(Clone, Copy, Debug)]
#[repr(C, packed(4))]
pub(super) struct Row<K: Copy, V: Copy> {
    pub(super) key: K,
    pub(super) value: V,
    /// Where it stands among all, after where its part begins to count.
    pub(super) at: u32,
}

/// Merges of one segment that wait, in order.
#[derive(Debug)]
pub(super) struct Part<K: Copy, V: Copy> {
    pub(super) rows: Chunk<Row<K, V>>,
    /// What their places are counted from.
    pub(super) base: usize,
    pub(super) segment: u32,
}

/// The keys whose hashes begin alike.
///
/// Keys lie in order of first insertion, since merges keep their order on the way.
#[derive(Debug)]
pub(super) struct Bucket<K: Copy, V: Copy, H: Copy> {
    /// Merges that wait, after those that are in `entries`.
    parts: Vec<Part<K, V>>,
    waiting: usize,
    pub(super) entries: Entries<K, H>,
}

/// How many merges of a bucket there is room for at a time.
const CHUNK: usize = 256;

/// Room for what buckets hold.
pub(super) struct Room<K: Copy, V: Copy, H> {
    pub(super) slabs: Slabs,
    /// Those that nobody is at.
    lookups: Vec<Lookup<K, H>>,
    of: PhantomData<fn() -> V>,
}

impl<K: Copy, V: Copy, H: Copy> Bucket<K, V, H> {
    /// Nothing yet.
    pub(super) fn new() -> Bucket<K, V, H> {
        Bucket { parts: Vec::new(), waiting: 0, entries: Entries::default() }
    }

    /// The number of merges that wait.
    pub(super) fn waiting(&self) -> usize {
        self.waiting
    }

    /// Lets `part` wait, after all that is there.
    pub(super) fn keep(&mut self, part: Part<K, V>) {
        self.waiting += part.rows.len();
        self.parts.push(part);
    }

    /// What waits.
    pub(super) fn take_parts(&mut self) -> Vec<Part<K, V>> {
        self.waiting = 0;
        std::mem::take(&mut self.parts)
    }
}

impl<K: Key + Copy, V: Copy, H: Held<V>> Bucket<K, V, H> {
    /// Combines what waits, by a look-up that holds nothing. Chunks come from `spare`, or else from `chunk`, and `spare` gets
    /// those that were needed for what waited.
    pub(super) fn work_off(
        &mut self,
        cx: &Context,
        lookup: &mut Lookup<K, H>,
        combine: impl Fn(&mut V, V) + Copy,
        spare: &mut Spare,
        chunk: impl Fn() -> Result<Chunk<Kept<K, H>>, Fault>,
    ) -> Result<(), Fault> {
        if self.waiting == 0 {
            return Ok(());
        }
        lookup.begin(cx, &self.entries, self.waiting)?;
        self.entries.leave(spare);
        for part in self.take_parts() {
            lookup.merge(cx, &part, combine)?;
            spare.put(part.rows);
        }
        self.entries = Entries::of(&lookup.entries, &lookup.firsts, || spare.take().map_or_else(&chunk, Ok))?;
        Ok(())
    }

    /// Makes of the entries merges that wait, of the first segment, before those that do; for a bucket that others will be
    /// joined to. So many are counted from one number.
    pub(super) fn entries_wait(
        &mut self,
        cx: &Context,
        span: usize,
        combine: impl Fn(&mut V, V) + Copy,
        slabs: &mut Slabs,
    ) -> Result<(), Fault> {
        let after = self.take_parts();
        let mut part: Part<K, V> = Part { rows: Chunk::NONE, base: 0, segment: 0 };
        let mut kept = Vec::new();
        for entry in self.entries.iter() {
            let base = entry.first / span * span;
            if part.rows.is_full() || part.base != base {
                kept.push(std::mem::replace(&mut part, Part { rows: slabs.chunk(cx)?, base, segment: 0 }));
            }
            let value = { entry.held }.total(combine);
            part.rows.fill(&mut [Row { key: entry.key, value, at: (entry.first - base) as u32 }].into_iter());
        }
        let mut spare = Spare::default();
        self.entries.leave(&mut spare);
        slabs.leave(spare);
        let parts = kept.into_iter().chain([part]).filter(|part| !part.rows.is_none());
        parts.chain(after).for_each(|part| self.keep(part));
        Ok(())
    }
}

impl<K: Copy, V: Copy, H: Copy> Room<K, V, H> {
    /// A look-up that nobody is at.
    pub(super) fn lookup(&mut self) -> Lookup<K, H> {
        self.lookups.pop().unwrap_or_default()
    }

    /// Takes a look-up back.
    pub(super) fn done(&mut self, lookup: Lookup<K, H>) {
        self.lookups.push(lookup);
    }

    /// Frees what nobody uses.
    pub(super) fn free(&mut self, cx: &Context) {
        self.slabs.free(cx);
        cx.discharge(self.lookups.drain(..).map(|lookup| lookup.room()).sum());
    }
}

impl<K: Copy, V: Copy, H> Default for Room<K, V, H> {
    fn default() -> Room<K, V, H> {
        Room { slabs: Slabs::of::<Row<K, V>>(CHUNK), lookups: Vec::new(), of: PhantomData }
    }
}
