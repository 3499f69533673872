//! What a table does by its own types: what is monomorphised for each of them.
//!
//! This file may use `unsafe` because it reads entries and writes columns of its types. What makes it sound: the partitions of a table
//! have entries of its types alone, and a stretch of the columns is written once, by who has its entries.
#![expect(unsafe_code, reason = "entries and columns are shown as what they are")]

use std::marker::PhantomData;

use crate::exec::context::{Context, STRIP};
use crate::exec::cpu;
use crate::key::hash::Key;
use crate::lang::fault::Fault;
use crate::store::combine::Combine;
use crate::store::table::small::{RawSmallTable, SmallTable};

use super::columns::{ColumnTypes, Columns};
use super::drain::{BATCH, Lookup, TypedLookup};
use super::entries::{Entry, EntryRef, EntrySlice};
use super::partial::Partial;
use super::radix::RadixPartitions;
use super::raw::{RawTable, SmallTableType};
use super::row::RowType;
use super::table_type::TableType;
use super::write_combining::{BUCKET_BITS, Part, Row};

/// How many rows ahead of the one that is written the memory is asked for room.
pub const PREFETCHED_WRITES: usize = 8;

/// A table of keys `K` and values `V`, of which `H` is held.
pub(crate) struct Types<K, V, H, C> {
    combine: C,
    types: PhantomData<(K, V, H)>,
}

impl<K, V, H, C> Types<K, V, H, C> {
    /// Where `combine` makes one value of two.
    pub(super) fn new(combine: C) -> Types<K, V, H, C> {
        Types { combine, types: PhantomData }
    }
}

impl<K: Key + Copy + 'static, V: Copy + 'static, H, C> Types<K, V, H, C> {
    /// The table of few keys.
    #[inline(always)]
    pub(super) fn small<'t>(&self, table: &'t mut RawTable) -> &'t mut SmallTable<K, V> {
        // SAFETY: all tables that this is given are of these types.
        unsafe { SmallTable::of_mut(&mut table.small) }
    }

    /// See [`SmallTable::begin_again`].
    pub(super) fn begin_again(&self, small: &mut RawSmallTable, neutral: V) {
        // SAFETY: all tables that this is given are of these types.
        unsafe { SmallTable::<K, V>::of_mut(small) }.begin_again(neutral);
    }
}

impl<K, V, H, C> TableType for Types<K, V, H, C>
where
    K: Key + Copy + Send + Sync + 'static,
    V: Copy + Send + Sync + 'static,
    H: Partial<V>,
    C: Combine<V>,
{
    fn row(&self) -> RowType {
        RowType::of::<Row<K, V>>()
    }

    fn entry(&self) -> RowType {
        RowType::of::<Entry<K, H>>()
    }

    fn columns(&self) -> ColumnTypes {
        ColumnTypes::of::<K, V>()
    }

    fn merge(&self, cx: &Context, lookup: &mut Lookup, part: &Part) -> Result<(), Fault> {
        for rows in part.rows::<K, V>().chunks(BATCH) {
            lookup.make_room(cx, &|lookup| self.index(lookup))?;
            self.merge_some(lookup.typed(), rows, part);
        }
        Ok(())
    }

    fn index(&self, lookup: &mut Lookup) {
        let mut lookup = lookup.typed::<K, H>();
        let mut number = 1;
        while let Some(&mut Entry { key, .. }) = lookup.entry_of(number) {
            let mut place = lookup.place(key.hash());
            while lookup.entry_at(place).is_some() {
                place = lookup.next(place);
            }
            lookup.enter(place, number);
            number += 1;
        }
    }

    fn defer(&self, entries: EntrySlice<'_>, part: &mut Part) {
        for &Entry { first, key, held } in entries.typed::<K, H>() {
            part.push(Row { key, value: held.total(self.combine), at: (first - part.base) as u32 });
        }
    }

    fn total(&self, entries: &[EntryRef<'_>], place: usize, columns: &Columns) {
        for (i, entry) in entries.iter().enumerate() {
            // SAFETY: it is an entry of this type.
            let &Entry { key, held, .. } = unsafe { entry.typed::<K, H>() };
            // SAFETY: it is the entry's own place.
            unsafe { columns.write(place + i, key, held.total(self.combine)) };
        }
    }
}

impl<K, V, H, C> SmallTableType for Types<K, V, H, C>
where
    K: Key + Copy + Send + Sync + 'static,
    V: Copy + Send + Sync + 'static,
    H: Partial<V>,
    C: Combine<V>,
{
    fn add_all(&self, cx: &Context, table: &mut RawTable, small: &RawSmallTable) -> Result<(), Fault> {
        // SAFETY: all tables that this is given are of these types.
        let small = unsafe { SmallTable::<K, V>::of(small) };
        let mut number = 0;
        while let Some(slot) = small.nth(number) {
            self.add(cx, table, slot.key, slot.value)?;
            number += 1;
            if number % STRIP == 0 {
                cx.poll()?;
            }
        }
        Ok(())
    }

    fn write(&self, small: &RawSmallTable, columns: &Columns) {
        // SAFETY: all tables that this is given are of these types.
        let small = unsafe { SmallTable::<K, V>::of(small) };
        let mut number = 0;
        while let Some(slot) = small.nth(number) {
            // SAFETY: it is the key's own place.
            unsafe { columns.write(number, slot.key, slot.value) };
            number += 1;
        }
        columns.wrote(number);
    }
}

impl<K, V, H, C> Types<K, V, H, C>
where
    K: Key + Copy + Send + Sync + 'static,
    V: Copy + Send + Sync + 'static,
    H: Partial<V>,
    C: Combine<V>,
{
    /// Merges `value` under `key`.
    #[inline(always)]
    pub(super) fn add(&self, cx: &Context, table: &mut RawTable, key: K, value: V) -> Result<(), Fault> {
        match &mut table.partitions {
            None => match self.small(table).find(&key) {
                Ok(found) => {
                    self.combine.combine(found, value);
                    Ok(())
                }
                Err(place) => self.insert(cx, table, place, key, value),
            },
            Some(partitions) => self.append(cx, partitions, key, value),
        }
    }

    /// Merges the pairs of `rows`.
    #[inline(always)]
    pub(super) fn each(
        &self,
        cx: &Context,
        table: &mut RawTable,
        mut rows: impl Iterator<Item = (K, V)>,
    ) -> Result<(), Fault> {
        while table.partitions.is_none() {
            let known = self.small(table).merge_known(&mut rows, self.combine);
            let Some((place, key, value)) = known else { return Ok(()) };
            self.insert(cx, table, place, key, value)?;
        }
        let Some(partitions) = &mut table.partitions else { return Ok(()) };
        for (key, value) in rows {
            self.append(cx, partitions, key, value)?;
        }
        Ok(())
    }

    /// Merges `value` under `key`, at some time.
    #[inline(always)]
    fn append(&self, cx: &Context, partitions: &mut RadixPartitions, key: K, value: V) -> Result<(), Fault> {
        let number = (key.hash() >> (64 - BUCKET_BITS)) as usize;
        if partitions.buffers().is_full(number) {
            partitions.make_room(cx, number, self)?;
        }
        // SAFETY: all partitions that this is given are of these types.
        unsafe { partitions.buffers().push(number, key, value, PREFETCHED_WRITES) };
        Ok(())
    }

    /// Merges `value` under `key`, which is not in the table; it would be at `place`.
    #[cold]
    #[inline(never)]
    fn insert(
        &self,
        cx: &Context,
        table: &mut RawTable,
        place: usize,
        key: K,
        value: V,
    ) -> Result<(), Fault> {
        if table.begins_with_many() {
            return self.append(cx, table.separate(cx, self)?, key, value);
        }
        let expected = table.shared.slots();
        self.small(table).insert(cx, place, key, value, expected)?;
        table.separate_many(cx, self)
    }

    /// Merges some rows of `part`. What they need is fetched for all of them before the first is merged, without a branch that
    /// waits for it, so that their misses of the cache overlap.
    #[inline(always)]
    fn merge_some(&self, mut lookup: TypedLookup<'_, K, H>, rows: &[Row<K, V>], part: &Part) {
        let mut found = [0u32; BATCH];
        // By counting: it is compiled for each table, and iterators of pairs are several times as much code.
        let mut i = 0;
        while i < rows.len() {
            let key = rows[i].key;
            found[i] = lookup.look(key.hash());
            i += 1;
        }
        i = 0;
        while i < rows.len() {
            let key = rows[i].key;
            found[i] = if lookup.has(found[i], &key) { found[i] } else { 0 };
            // What comes next is asked for while this is done with.
            cpu::prefetch_line(std::ptr::from_ref(&rows[i]).wrapping_add(BATCH));
            i += 1;
        }
        i = 0;
        while i < rows.len() {
            match lookup.entry(found[i]) {
                Some(entry) => self.merge_one(entry, &rows[i], part),
                None => self.merge_searched(&mut lookup, &rows[i], part),
            }
            i += 1;
        }
    }

    #[inline(always)]
    fn merge_one(&self, entry: &mut Entry<K, H>, row: &Row<K, V>, part: &Part) {
        let mut held = entry.held;
        held.merge(row.value, part.segment, self.combine);
        entry.held = held;
    }

    #[inline(always)]
    fn merge_searched(&self, lookup: &mut TypedLookup<'_, K, H>, row: &Row<K, V>, part: &Part) {
        let &Row { key, value, at } = row;
        let mut place = lookup.place(key.hash());
        while let Some(entry) = lookup.entry_at(place) {
            let other = entry.key;
            if other.same(&key) {
                return self.merge_one(entry, row, part);
            }
            place = lookup.next(place);
        }
        let first = part.base + at as usize;
        lookup.add(place, Entry { first, key, held: H::new(value, part.segment) });
    }
}
