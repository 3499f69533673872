//! Reductions by keys of scalars: few keys in one open table, many in buckets by hash.
//!
//! As long as there are few keys, each merge looks its key up at once, in slots that hold key and value side by side
//! (`small`). A table that outgrows the caches would make of every merge a miss: from then on merges are kept, and
//! worked off together when there are many, bucket by bucket, each of which fits a cache (`radix`). What is
//! merged under one key stays in order, so no result depends on it.

mod bucket;
mod common;
mod drain;
mod entries;
mod finish;
mod partial;
mod radix;
mod shared;
mod slab;
mod write_combining;

use std::ptr;

use crate::exec::context::{Context, STRIP};
use crate::key::hash::Key;
use crate::lang::fault::Fault;
use crate::store::combine::Combine;
use crate::store::dict::Dict;
use crate::store::vector::growable;

#[doc(hidden)]
pub use super::table::small::{NoSlots, OpenSlots};
pub use partial::{Exact, Partial, Segmented};
#[doc(hidden)]
pub use radix::PREFETCHED_WRITES;
use shared::Idle;
pub use shared::{SharedPartitions, partition_threshold};
pub use write_combining::{BUFFER_LAYOUT, BufferLayout};

use super::table::small::SmallTable;
use radix::RadixPartitions;

/// A reduction by key, of keys and values that are scalars or structs of them.
///
/// `H` says whether the values of different segments may be combined as they come ([`Exact`]) or not ([`Segmented`]).
/// What is merged before the first [`merge`](PartitionedTable::merge), and what each of those merges, is a segment.
///
/// Every function is told how two values of a key become one, and it must always be the same way: values that were merged
/// may wait for the next call to be combined.
#[derive(Debug)]
pub struct PartitionedTable<K: Copy, V: Copy, H: Copy = Exact<V>> {
    small: SmallTable<K, V>,
    /// Where everything is, once there are many keys.
    radix: Option<Box<RadixPartitions<K, V, H>>>,
    shared: SharedPartitions,
}

impl<K: Send + 'static, V: Send + 'static> Idle for SmallTable<K, V> {
    fn room(&self) -> usize {
        SmallTable::room(self)
    }
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

    /// Nothing yet, in a loop whose segments share `shared`.
    pub fn beside(shared: &SharedPartitions) -> PartitionedTable<K, V, H> {
        let kept: Option<Box<SmallTable<K, V>>> = shared.take();
        PartitionedTable {
            small: kept.map(|kept| *kept).unwrap_or_default(),
            radix: None,
            shared: shared.clone(),
        }
    }

    /// Merges `value` under `key`; the fault MemoryLimit if there is no room for it.
    #[inline(always)]
    pub fn add(&mut self, cx: &Context, key: K, value: V, combine: impl Combine<V>) -> Result<(), Fault> {
        match &mut self.radix {
            None => match self.small.find(&key) {
                Ok(found) => {
                    combine.combine(found, value);
                    Ok(())
                }
                Err(place) => self.insert(cx, place, key, value, combine),
            },
            Some(radix) => radix.add(cx, key, value, combine),
        }
    }

    /// Told that about so many `merges` come, all of which need not; the fault MemoryLimit if there is no room for what makes
    /// them faster.
    #[inline(never)]
    pub fn expect(&mut self, cx: &Context, merges: usize) -> Result<(), Fault> {
        match self.radix {
            Some(_) => Ok(()),
            None => self.small.expect(cx, merges),
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
        let mut rows = rows.into_iter().map(pair);
        while self.radix.is_none() {
            let Some((place, key, value)) = self.small.merge_known(&mut rows, combine) else { return Ok(()) };
            self.insert(cx, place, key, value, combine)?;
        }
        let Some(radix) = &mut self.radix else { return Ok(()) };
        rows.try_for_each(|(key, value)| radix.add(cx, key, value, combine))
    }

    /// Where compiled code merges by itself, see [`OpenSlots`] and [`BufferLayout`]; `none` are shown where there are no slots. It may do
    /// so until anything else is asked of this.
    #[doc(hidden)]
    pub fn open(&mut self, cx: &Context, none: &mut NoSlots<K, V>) -> OpenSlots {
        if let Some(radix) = &mut self.radix {
            return none.open(ptr::from_mut(radix.buffers()).cast());
        }
        // The first key may be one of many, and so may the one that makes them so many.
        match self.small.is_empty() {
            true => None,
            false => self.small.open(partition_threshold(cx).saturating_sub(1)),
        }
        .unwrap_or_else(|| none.open(ptr::null_mut()))
    }

    #[cold]
    #[inline(never)]
    fn insert(
        &mut self,
        cx: &Context,
        place: usize,
        key: K,
        value: V,
        combine: impl Combine<V>,
    ) -> Result<(), Fault> {
        if self.small.is_empty() && self.shared.met() {
            return self.separate(cx, combine)?.add(cx, key, value, combine);
        }
        self.small.insert(cx, place, key, value, self.shared.slots())?;
        if self.small.len() >= partition_threshold(cx) {
            self.separate(cx, combine)?;
        }
        Ok(())
    }

    /// Moves everything into buckets, unless it is there.
    fn separate(
        &mut self,
        cx: &Context,
        combine: impl Combine<V>,
    ) -> Result<&mut RadixPartitions<K, V, H>, Fault> {
        if self.radix.is_none() {
            let radix = RadixPartitions::of(cx, &self.small, &self.shared, combine)?;
            let small = std::mem::take(&mut self.small);
            cx.discharge(small.room());
            self.radix = Some(Box::new(radix));
            self.shared.meet();
        }
        Ok(self.radix.as_mut().expect("it was just made"))
    }

    /// Merges the values of the segment that comes next.
    #[inline(never)]
    pub fn merge(
        &mut self,
        cx: &Context,
        next: PartitionedTable<K, V, H>,
        combine: impl Combine<V>,
    ) -> Result<(), Fault> {
        if let Some(small) = self.absorb(cx, next, combine)? {
            cx.discharge(small.room());
        }
        Ok(())
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
        let shared = next.shared.clone();
        let Some(mut small) = self.absorb(cx, next, combine)? else { return Ok(()) };
        // Its keys are here now, before any that a later segment inserts.
        if self.radix.is_none() && small.is_worth_keeping() {
            small.begin_again(neutral);
            shared.put(Box::new(small));
        } else {
            cx.discharge(small.room());
        }
        Ok(())
    }

    /// Merges the next segment. Gives its table, if it had one of few keys that is not this one now.
    fn absorb(
        &mut self,
        cx: &Context,
        mut next: PartitionedTable<K, V, H>,
        combine: impl Combine<V>,
    ) -> Result<Option<SmallTable<K, V>>, Fault> {
        next.shared.had(next.small.slots());
        if self.small.is_empty() && self.radix.is_none() {
            *self = next;
            return Ok(None);
        }
        if next.radix.is_some() {
            self.separate(cx, combine)?;
        }
        if let Some(radix) = &mut self.radix {
            radix.begin_segment();
            if let Some(next) = next.radix.take() {
                return radix.merge(cx, *next, combine).map(|()| None);
            }
        }
        for (i, slot) in next.small.in_order().enumerate() {
            if i % STRIP == STRIP - 1 {
                cx.poll()?;
            }
            self.add(cx, slot.key, slot.value, combine)?;
        }
        Ok(Some(next.small))
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
        self.shared.free(cx);
        let (mut keys, mut values) = (Vec::new(), Vec::new());
        match self.radix {
            None => {
                growable::reserve(cx, &mut keys, self.small.len())?;
                growable::reserve(cx, &mut values, self.small.len())?;
                for slot in self.small.in_order() {
                    keys.push(slot.key);
                    values.push(slot.value);
                }
                cx.discharge(self.small.room());
            }
            Some(radix) => (keys, values) = radix.into_columns(cx, combine)?,
        }
        Ok((keys, values))
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
