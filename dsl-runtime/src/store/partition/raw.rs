//! A table whose types are erased.
//!
//! This file may use `unsafe` because a table is dropped by a function of its own, which is compiled here and not with each kernel. What
//! makes it sound: nothing else drops its parts.
#![expect(unsafe_code, reason = "parts of a table are dropped by hand")]

use std::mem::ManuallyDrop;
use std::ops::{Deref, DerefMut};

use crate::exec::context::Context;
use crate::lang::fault::Fault;
use crate::store::table::small::RawSmallTable;

use super::columns::Columns;
use super::radix::RadixPartitions;
use super::shared::{Idle, SharedPartitions, partition_threshold};
use super::table_type::TableType;

/// What a table of few keys leaves to its types.
pub(crate) trait SmallTableType: TableType {
    /// Adds the keys and values of `small` to `table`, in order.
    fn add_all(&self, cx: &Context, table: &mut RawTable, small: &RawSmallTable) -> Result<(), Fault>;

    /// Writes the keys and values of `small`, in order.
    fn write(&self, small: &RawSmallTable, columns: &Columns);
}

/// A [`PartitionedTable`](super::PartitionedTable) without its types: all calls for one table pass the same [`SmallTableType`].
#[derive(Debug)]
pub(crate) struct RawTable(ManuallyDrop<Parts>);

/// The parts of a table.
#[derive(Debug)]
pub(crate) struct Parts {
    pub(super) small: RawSmallTable,
    /// Where everything is, once there are many keys.
    pub(super) partitions: Option<Box<RadixPartitions>>,
    pub(super) shared: SharedPartitions,
}

impl Idle for RawSmallTable {
    fn room(&self) -> usize {
        RawSmallTable::room(self)
    }
}

impl Deref for RawTable {
    type Target = Parts;

    #[inline(always)]
    fn deref(&self) -> &Parts {
        &self.0
    }
}

impl DerefMut for RawTable {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut Parts {
        &mut self.0
    }
}

impl Drop for RawTable {
    fn drop(&mut self) {
        // SAFETY: the parts are dropped here alone.
        unsafe { ManuallyDrop::drop(&mut self.0) };
    }
}

impl RawTable {
    /// No keys: `small`, which has none, or one that another segment has left.
    pub(super) fn new(small: RawSmallTable, shared: &SharedPartitions) -> RawTable {
        let small = match shared.take::<RawSmallTable>() {
            Some(kept) if kept.is_like(&small) => *kept,
            _ => small,
        };
        RawTable(ManuallyDrop::new(Parts { small, partitions: None, shared: shared.clone() }))
    }

    /// Whether the first key that comes is likely to be one of many.
    pub(super) fn begins_with_many(&self) -> bool {
        self.small.is_empty() && self.shared.met()
    }

    /// Moves everything into buckets if there are many keys.
    pub(super) fn separate_many(&mut self, cx: &Context, types: &dyn SmallTableType) -> Result<(), Fault> {
        match self.small.len() >= partition_threshold(cx) {
            true => self.separate(cx, types).map(|_| ()),
            false => Ok(()),
        }
    }

    /// Moves everything into buckets, unless it is there.
    pub(super) fn separate(
        &mut self,
        cx: &Context,
        types: &dyn SmallTableType,
    ) -> Result<&mut RadixPartitions, Fault> {
        if self.partitions.is_none() {
            self.partitions = Some(Box::new(RadixPartitions::new(&self.shared, types)));
            let small = self.small.take();
            types.add_all(cx, self, &small)?;
            cx.discharge(small.room());
            self.shared.meet();
        }
        Ok(self.partitions.as_mut().expect("they were just made"))
    }

    /// Merges the next segment. Gives its table, if it had one of few keys that is not this one now.
    pub(super) fn absorb(
        &mut self,
        cx: &Context,
        mut next: RawTable,
        types: &dyn SmallTableType,
    ) -> Result<Option<RawSmallTable>, Fault> {
        next.shared.had(next.small.slots());
        if self.small.is_empty() && self.partitions.is_none() {
            *self = next;
            return Ok(None);
        }
        if next.partitions.is_some() {
            self.separate(cx, types)?;
        }
        if let Some(partitions) = &mut self.partitions {
            partitions.begin_segment();
            if let Some(next) = next.partitions.take() {
                return partitions.merge(cx, *next, types).map(|()| None);
            }
        }
        types.add_all(cx, self, &next.small)?;
        Ok(Some(next.small.take()))
    }

    /// Merges the next segment.
    pub(super) fn merge(
        &mut self,
        cx: &Context,
        next: RawTable,
        types: &dyn SmallTableType,
    ) -> Result<(), Fault> {
        if let Some(small) = self.absorb(cx, next, types)? {
            cx.discharge(small.room());
        }
        Ok(())
    }

    /// As [`RawTable::merge`], and a later segment may begin with the keys of this one, whose values `begin_again` makes such as leave
    /// others as they are.
    pub(super) fn merge_segment(
        &mut self,
        cx: &Context,
        next: RawTable,
        types: &dyn SmallTableType,
        begin_again: &dyn Fn(&mut RawSmallTable),
    ) -> Result<(), Fault> {
        let shared = next.shared.clone();
        let Some(mut small) = self.absorb(cx, next, types)? else { return Ok(()) };
        // Its keys are here now, before any that a later segment inserts.
        if self.partitions.is_none() && small.is_worth_keeping() {
            begin_again(&mut small);
            shared.put(Box::new(small));
        } else {
            cx.discharge(small.room());
        }
        Ok(())
    }

    /// All keys and values, in order of first insertion.
    pub(super) fn into_columns(mut self, cx: &Context, types: &dyn SmallTableType) -> Result<Columns, Fault> {
        self.shared.free(cx);
        if let Some(partitions) = self.partitions.take() {
            return partitions.into_columns(cx, types);
        }
        let columns = Columns::new(cx, types.columns(), self.small.len())?;
        types.write(&self.small, &columns);
        cx.discharge(self.small.room());
        Ok(columns)
    }
}
