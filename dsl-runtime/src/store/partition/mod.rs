//! Reductions by keys of scalars: few keys in one open table, many in buckets by hash.
//!
//! As long as there are few keys, each merge looks its key up at once, in slots that hold key and value side by side
//! (`small`). A table that outgrows the caches would make of every merge a miss: from then on merges are deferred, and
//! drained together when there are many, bucket by bucket, each of which fits a cache (`radix`). What is
//! merged under one key stays in order, so no result depends on it.

mod bucket;
mod columns;
mod drain;
mod entries;
mod finish;
mod partial;
mod radix;
mod raw;
mod row;
mod shared;
mod slab;
mod table_type;
mod types;
mod write_combining;

use std::marker::PhantomData;
use std::ptr;

use crate::exec::context::Context;
use crate::key::hash::Key;
use crate::lang::fault::Fault;
use crate::store::combine::Combine;
use crate::store::dict::Dict;

#[doc(hidden)]
pub use super::table::small::{NoSlots, OpenSlots};
use columns::Columns;
pub use partial::{Exact, Partial, Segmented};
use raw::RawTable;
pub use shared::{SharedPartitions, partition_threshold};
#[doc(hidden)]
pub use types::PREFETCHED_WRITES;
use types::Types;
pub use write_combining::{BUFFER_LAYOUT, BufferLayout};

use super::table::small::SmallTable;

/// A reduction by key, of keys and values that are scalars or structs of them.
///
/// `H` says whether the values of different segments may be combined as they come ([`Exact`]) or not ([`Segmented`]).
/// What is merged before the first [`merge`](PartitionedTable::merge), and what each of those merges, is a segment.
///
/// Every function takes how two values of a key become one, which must always be the same: merges may be deferred, and combined by a
/// later call.
#[derive(Debug)]
pub struct PartitionedTable<K: Copy, V: Copy, H: Copy = Exact<V>> {
    /// Of these types.
    raw: RawTable,
    types: PhantomData<(K, V, H)>,
}

impl<K, V, H> PartitionedTable<K, V, H>
where
    K: Key + Copy + Send + Sync + 'static,
    V: Copy + Send + Sync + 'static,
    H: Partial<V>,
{
    /// Nothing yet.
    pub fn new() -> PartitionedTable<K, V, H> {
        PartitionedTable::beside(&SharedPartitions::default())
    }

    /// Nothing yet, in a loop whose segments, tables of the same types, share `shared`.
    pub fn beside(shared: &SharedPartitions) -> PartitionedTable<K, V, H> {
        let small = SmallTable::<K, V>::default().into_raw();
        PartitionedTable { raw: RawTable::new(small, shared), types: PhantomData }
    }

    /// Merges `value` under `key`; the fault MemoryLimit if there is no room for it.
    #[inline(always)]
    pub fn add(&mut self, cx: &Context, key: K, value: V, combine: impl Combine<V>) -> Result<(), Fault> {
        self.by(combine).add(cx, &mut self.raw, key, value)
    }

    /// What the table does by its types.
    #[inline(always)]
    fn by<C>(&self, combine: C) -> Types<K, V, H, C> {
        Types::new(combine)
    }

    /// Told that about so many `merges` come, all of which need not; the fault MemoryLimit if there is no room for what makes
    /// them faster.
    #[inline(never)]
    pub fn expect(&mut self, cx: &Context, merges: usize) -> Result<(), Fault> {
        match self.raw.partitions {
            Some(_) => Ok(()),
            None => self.by(()).small(&mut self.raw).expect(cx, merges),
        }
    }

    /// Merges the pairs that `pair` makes of `rows`, in order; the fault MemoryLimit if there is no room for one.
    ///
    /// While no key is new, all that a merge needs is in registers, or in its slot.
    #[inline(always)]
    pub fn each<R>(
        &mut self,
        cx: &Context,
        rows: impl IntoIterator<Item = R>,
        pair: impl Fn(R) -> (K, V),
        combine: impl Combine<V>,
    ) -> Result<(), Fault> {
        self.by(combine).each(cx, &mut self.raw, rows.into_iter().map(pair))
    }

    /// Where compiled code merges by itself, see [`OpenSlots`] and [`BufferLayout`]; `none` are shown where there are no slots. It may do
    /// so until anything else is asked of this.
    #[doc(hidden)]
    pub fn open(&mut self, cx: &Context, none: &mut NoSlots<K, V>) -> OpenSlots {
        if let Some(partitions) = &mut self.raw.partitions {
            return none.open(ptr::from_mut(partitions.buffers()).cast());
        }
        // The first key may be one of many, and so may the one that makes them so many.
        match self.raw.small.is_empty() {
            true => None,
            false => self.raw.small.open(partition_threshold(cx).saturating_sub(1)),
        }
        .unwrap_or_else(|| none.open(ptr::null_mut()))
    }

    /// Merges the values of the segment that comes next.
    #[inline(never)]
    pub fn merge(
        &mut self,
        cx: &Context,
        next: PartitionedTable<K, V, H>,
        combine: impl Combine<V>,
    ) -> Result<(), Fault> {
        let types = self.by(combine);
        self.raw.merge(cx, next.raw, &types)
    }

    /// As [`merge`](PartitionedTable::merge), and later segments [beside](PartitionedTable::beside) the same [`SharedPartitions`] may begin with the keys of this one
    /// and with `neutral` values, where that takes less than to insert the keys again. To combine with a neutral value, on either side,
    /// is to leave the other one as it is, bit for bit.
    #[inline(never)]
    pub fn merge_segment(
        &mut self,
        cx: &Context,
        next: PartitionedTable<K, V, H>,
        neutral: V,
        combine: impl Combine<V>,
    ) -> Result<(), Fault> {
        let types = self.by(combine);
        self.raw.merge_segment(cx, next.raw, &types, &|small| types.begin_again(small, neutral))
    }

    /// The dictionary of the keys, in order of first insertion.
    #[inline(never)]
    pub fn into_dict(self, cx: &Context, combine: impl Combine<V>) -> Result<Dict<K, V>, Fault> {
        let (keys, values) = self.into_columns(cx, combine)?;
        Dict::from_columns_counted(cx, keys, values)
    }

    /// The keys and their values, in order of first insertion.
    #[doc(hidden)]
    pub fn into_columns(self, cx: &Context, combine: impl Combine<V>) -> Result<(Vec<K>, Vec<V>), Fault> {
        let types = self.by(combine);
        self.raw.into_columns(cx, &types).map(Columns::into_vecs)
    }
}

impl<K, V, H> Default for PartitionedTable<K, V, H>
where
    K: Key + Copy + Send + Sync + 'static,
    V: Copy + Send + Sync + 'static,
    H: Partial<V>,
{
    fn default() -> PartitionedTable<K, V, H> {
        PartitionedTable::new()
    }
}

#[cfg(test)]
mod tests;
