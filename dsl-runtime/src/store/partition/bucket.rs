//! One bucket: the keys whose hashes begin alike, what is held of their values, and merges that wait.

use crate::exec::context::Context;
use crate::lang::fault::Fault;

use super::drain::Lookup;
use super::entries::Entries;
use super::row::RowType;
use super::shared::SharedPartitions;
use super::slab::FreeList;
use super::table_type::TableType;
use super::write_combining::Part;

/// The keys whose hashes begin alike.
///
/// Keys lie in order of first insertion, since merges keep their order on the way.
#[derive(Debug)]
pub(crate) struct Bucket {
    /// Merges that wait, after those that are in `entries`.
    parts: Vec<Part>,
    deferred: usize,
    pub(crate) entries: Entries,
}

/// How many merges of a bucket there is room for at a time.
pub(crate) const SLAB: usize = 256;

impl Bucket {
    /// Nothing yet, with entries of this type.
    pub(crate) fn new(entries: RowType) -> Bucket {
        Bucket { parts: Vec::new(), deferred: 0, entries: Entries::new(entries) }
    }

    /// The number of merges that wait.
    pub(crate) fn deferred(&self) -> usize {
        self.deferred
    }

    /// Lets `part` wait, after all that is there.
    pub(crate) fn keep(&mut self, part: Part) {
        self.deferred += part.len();
        self.parts.push(part);
    }

    /// What waits.
    pub(crate) fn take_parts(&mut self) -> Vec<Part> {
        self.deferred = 0;
        std::mem::take(&mut self.parts)
    }

    /// Drains the bucket: combines the deferred merges. Slabs come from `free_list`, or else from those that are `shared`, and `free_list` gets those that
    /// were needed for what waited.
    pub(crate) fn drain(
        &mut self,
        cx: &Context,
        shared: &SharedPartitions,
        types: &dyn TableType,
        free_list: &mut FreeList,
    ) -> Result<(), Fault> {
        if self.deferred == 0 {
            return Ok(());
        }
        let mut lookup = shared.take().unwrap_or_else(|| Box::new(Lookup::new(types.entry())));
        lookup.begin(cx, &self.entries, self.deferred, &|lookup| types.index(lookup))?;
        self.entries.release(free_list);
        for part in self.take_parts() {
            types.merge(cx, &mut lookup, &part)?;
            free_list.put(part.into_slab());
        }
        self.entries =
            Entries::copied(lookup.entries(), || free_list.take().map_or_else(|| shared.slab(cx), Ok))?;
        shared.put(lookup);
        Ok(())
    }

    /// Makes of the entries merges that wait, of the first segment, before those that do; for a bucket that others will be
    /// joined to. So many are counted from one number.
    pub(crate) fn defer_entries(
        &mut self,
        cx: &Context,
        shared: &SharedPartitions,
        types: &dyn TableType,
        span: usize,
    ) -> Result<(), Fault> {
        let after = self.take_parts();
        let mut entries = std::mem::replace(&mut self.entries, Entries::new(types.entry()));
        let mut last: Option<Part> = None;
        for mut slice in entries.slices() {
            while !slice.is_empty() {
                let base = slice.first(0) / span * span;
                if let Some(full) = last.take_if(|last| last.room() == 0 || last.base != base) {
                    self.keep(full);
                }
                let part = match &mut last {
                    Some(part) => part,
                    None => last.insert(Part::new(types.row(), shared.slab(cx)?, base, 0)),
                };
                let (these, rest) = slice.split_at(slice.before(base + span).min(part.room()));
                types.defer(these, part);
                slice = rest;
            }
        }
        let mut free_list = FreeList::default();
        entries.release(&mut free_list);
        shared.release(free_list);
        last.into_iter().chain(after).for_each(|part| self.keep(part));
        Ok(())
    }
}
