//! One bucket: the keys whose hashes begin alike, what is held of their values, and merges that wait.

use crate::exec::context::Context;
use crate::key::hash::Key;
use crate::lang::fault::Fault;
use crate::store::combine::Combine;

use super::drain::Lookup;
use super::entries::{Entries, Kept};
use super::partial::Partial;
use super::shared::SharedPartitions;
use super::slab::{FreeList, Slab};
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
pub(crate) const SLAB: usize = 256;

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
        if !part.rows.is_none() {
            self.deferred += part.rows.len();
            self.parts.push(part);
        }
    }

    /// What waits.
    pub(crate) fn take_parts(&mut self) -> Vec<Part<K, V>> {
        self.deferred = 0;
        std::mem::take(&mut self.parts)
    }
}

impl<K: Key + Copy + Send + 'static, V: Copy, H: Partial<V>> Bucket<K, V, H> {
    /// Drains the bucket: combines the deferred merges. Slabs come from `free_list`, or else from those that are `shared`, and `free_list` gets those that
    /// were needed for what waited.
    pub(crate) fn drain(
        &mut self,
        cx: &Context,
        shared: &SharedPartitions,
        combine: impl Combine<V>,
        free_list: &mut FreeList,
    ) -> Result<(), Fault> {
        if self.deferred == 0 {
            return Ok(());
        }
        let mut lookup: Box<Lookup<K, H>> = shared.take().unwrap_or_default();
        lookup.begin(cx, &self.entries, self.deferred)?;
        self.entries.release(free_list);
        for part in self.take_parts() {
            lookup.merge(cx, &part, combine)?;
            free_list.put(part.rows);
        }
        self.entries = Entries::of(&lookup.entries, &lookup.firsts, || match free_list.take() {
            Some(slab) => Ok(slab),
            None => shared.slab(cx).map(Slab::emptied),
        })?;
        shared.put(lookup);
        Ok(())
    }

    /// Makes of the entries merges that wait, of the first segment, before those that do; for a bucket that others will be
    /// joined to. So many are counted from one number.
    pub(crate) fn defer_entries(
        &mut self,
        cx: &Context,
        shared: &SharedPartitions,
        combine: impl Combine<V>,
        span: usize,
    ) -> Result<(), Fault> {
        let after = self.take_parts();
        let mut entries = std::mem::take(&mut self.entries);
        let mut part: Part<K, V> = Part { rows: Slab::NONE, base: 0, segment: 0 };
        for slab in entries.slabs() {
            for &Kept { key, held, first } in slab.values() {
                let base = first / span * span;
                if part.rows.is_full() || part.base != base {
                    let rows = shared.slab(cx)?.emptied();
                    self.keep(std::mem::replace(&mut part, Part { rows, base, segment: 0 }));
                }
                part.rows.push(Row { key, value: held.total(combine), at: (first - base) as u32 });
            }
        }
        let mut free_list = FreeList::default();
        entries.release(&mut free_list);
        shared.release(free_list);
        self.keep(part);
        for part in after {
            self.keep(part);
        }
        Ok(())
    }
}
