//! Reductions by key: tables of accumulators in order of first insertion.

use std::borrow::Borrow;

pub use super::hash_prefetch::HashPrefetch;
use super::index::Index;
use crate::exec::context::{Context, STRIP};
use crate::key::hash::Key;
use crate::key::parts::Parts;
use crate::lang::fault::Fault;
use crate::mem::vec::{reserve_anew, room};
use crate::store::dict::{self, Dict};

/// A table from key to accumulators: what a bucket sink fills, and what all bucket sinks of a loop that share
/// their key fill together.
///
/// `V` is the accumulator, or the tuple of accumulators, of one key; they lie side by side.
#[derive(Clone, Debug)]
pub struct Table<K, V> {
    pub(super) keys: Vec<K>,
    /// As many as keys, and in the same order.
    pub(super) values: Vec<V>,
    pub(super) index: Index,
    neutral: V,
}

impl<K: Key, V: Clone> Table<K, V> {
    /// The empty table, whose accumulators start as `neutral`.
    pub fn new(neutral: V) -> Table<K, V> {
        Table { keys: Vec::new(), values: Vec::new(), index: Index::default(), neutral }
    }

    /// The number of keys.
    #[inline]
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there is no key.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The slot of `key`, which is inserted if it is not there; the fault MemoryLimit if there is no room for it.
    #[inline(always)]
    pub fn slot<Q>(&mut self, cx: &Context, key: &Q) -> Result<usize, Fault>
    where
        K: Borrow<Q>,
        Q: Key + ToOwned<Owned = K> + ?Sized,
    {
        match self.index.find(&self.keys, key) {
            Some(slot) => Ok(slot),
            // A copy, so that the loop need not have each key in memory.
            None if Q::BITS <= u64::BITS => self.insert(cx, key.to_owned()),
            None => self.insert_copy(cx, key),
        }
    }

    /// Only what has been counted is copied.
    #[cold]
    #[inline(never)]
    pub(super) fn insert_copy<Q>(&mut self, cx: &Context, key: &Q) -> Result<usize, Fault>
    where
        K: Borrow<Q>,
        Q: Key + ToOwned<Owned = K> + ?Sized,
    {
        cx.charge(key.heap())?;
        self.insert(cx, key.to_owned())
    }

    /// Adds a key that is not there yet, and gives its slot.
    #[cold]
    #[inline(never)]
    fn insert(&mut self, cx: &Context, key: K) -> Result<usize, Fault> {
        dict::reserve_one(cx, &mut self.keys, &mut self.values, &mut self.index, &key)?;
        let slot = self.keys.len();
        self.keys.push(key);
        self.values.push(self.neutral.clone());
        self.index.insert(&self.keys, slot);
        Ok(slot)
    }

    /// The slot of `key`, which is inserted if it is not there; the fault MemoryLimit if there is no room for it.
    #[inline]
    pub fn slot_owned(&mut self, cx: &Context, key: K) -> Result<usize, Fault> {
        match self.index.find(&self.keys, &key) {
            Some(slot) => Ok(slot),
            None => self.insert(cx, key),
        }
    }

    /// The accumulators of `key`, which is inserted if it is not there; the fault MemoryLimit if there is no room for
    /// it.
    #[inline(always)]
    pub fn entry<Q>(&mut self, cx: &Context, key: &Q) -> Result<&mut V, Fault>
    where
        K: Borrow<Q>,
        Q: Key + ToOwned<Owned = K> + ?Sized,
    {
        let slot = self.slot(cx, key)?;
        Ok(&mut self.values[slot])
    }

    /// [`Table::slot`] of a key by its parts.
    #[inline(always)]
    pub(super) fn slot_by_parts<P: Parts<Whole = K>>(
        &mut self,
        cx: &Context,
        key: &P,
    ) -> Result<usize, Fault> {
        match self.index.find_by(&self.keys, key, |other| key.is(other)) {
            Some(slot) => Ok(slot),
            None => self.insert_parts(cx, key),
        }
    }

    /// Only what has been counted is copied.
    #[cold]
    #[inline(never)]
    fn insert_parts<P: Parts<Whole = K>>(&mut self, cx: &Context, key: &P) -> Result<usize, Fault> {
        cx.charge(key.heap())?;
        self.insert(cx, key.to_key())
    }

    /// [`Table::entry`] of a key by its parts, which are copied where it is inserted.
    #[inline(always)]
    pub fn entry_by_parts<P: Parts<Whole = K>>(&mut self, cx: &Context, key: &P) -> Result<&mut V, Fault> {
        let slot = self.slot_by_parts(cx, key)?;
        Ok(&mut self.values[slot])
    }

    /// The accumulators, by slot.
    #[inline(always)]
    pub fn values_mut(&mut self) -> &mut [V] {
        &mut self.values
    }

    /// Merges the table of the segment that comes next: `combine` is called with the accumulators of each of its
    /// keys, in its order, and those that the key has here or, at first, the neutral ones, which must leave what
    /// they are combined with as it is. The first segment is taken whole.
    pub fn merge(
        &mut self,
        cx: &Context,
        next: Table<K, V>,
        mut combine: impl FnMut(&mut V, V) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        self.merge_at(cx, next, |_, value, more| combine(value, more))
    }

    /// The same; `combine` is told the slot as well.
    pub(super) fn merge_at(
        &mut self,
        cx: &Context,
        next: Table<K, V>,
        mut combine: impl FnMut(usize, &mut V, V) -> Result<(), Fault>,
    ) -> Result<(), Fault> {
        if self.is_empty() {
            *self = next;
            return Ok(());
        }
        let freed = next.room();
        for (i, (key, value)) in next.keys.into_iter().zip(next.values).enumerate() {
            if i % STRIP == STRIP - 1 {
                cx.poll()?;
            }
            let slot = self.slot_owned(cx, key)?;
            combine(slot, &mut self.values[slot], value)?;
        }
        cx.discharge(freed);
        Ok(())
    }

    /// The bytes that the table takes, without what keys and values hold elsewhere.
    pub(crate) fn room(&self) -> usize {
        room(&self.keys) + room(&self.values) + self.index.room()
    }

    /// The table as a dictionary.
    pub fn into_dict(self) -> Dict<K, V> {
        Dict::from_parts(self.keys, self.values, self.index)
    }

    /// The dictionary of the same keys, with what `make` makes of their values.
    ///
    /// # Errors
    /// What `make` gives; MemoryLimit.
    pub(crate) fn into_dict_of<W>(
        self,
        cx: &Context,
        make: impl Fn(&V) -> Result<W, Fault>,
    ) -> Result<Dict<K, W>, Fault> {
        let mut values = Vec::new();
        reserve_anew(cx, &mut values, self.values.len())?;
        for value in &self.values {
            values.push(make(value)?);
        }
        cx.discharge(room(&self.values));
        Ok(Dict::from_parts(self.keys, values, self.index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn segments_merge_in_order_and_keep_the_order_of_first_insertion() {
        let segment = |keys: &[u8]| {
            let mut table = Table::new((0, Vec::new()));
            for &key in keys {
                let (count, seen) = table.entry(Context::ambient(), &key).unwrap();
                *count += 1;
                seen.push(keys.len());
            }
            table
        };
        let combine = |(count, seen): &mut (i32, Vec<usize>), more: (i32, Vec<usize>)| {
            *count += more.0;
            seen.extend(more.1);
            Ok(())
        };
        let mut total = Table::new((0, Vec::new()));
        for keys in [&[5, 1][..], &[2, 5, 5], &[], &[1, 9, 9, 9]] {
            total.merge(Context::ambient(), segment(keys), combine).unwrap();
        }
        let dict = total.into_dict();
        assert_eq!(dict.keys(), [5, 1, 2, 9]);
        assert_eq!(dict[&5], (3, vec![2, 3, 3]));
        assert_eq!(dict[&1], (2, vec![2, 4]));
    }

    #[test]
    fn the_first_partial_of_a_key_keeps_its_bits() {
        let mut segment = Table::new(-0.0f64);
        *segment.entry(Context::ambient(), &1i64).unwrap() += -0.0;
        let mut total = Table::new(-0.0);
        total
            .merge(Context::ambient(), segment, |sum, more| {
                *sum += more;
                Ok(())
            })
            .unwrap();
        assert!(total.into_dict()[&1].is_sign_negative());
    }

    #[test]
    fn a_fault_ends_a_merge() {
        let mut segment = Table::new(0);
        segment.entry(Context::ambient(), &1i64).unwrap();
        let fault = Fault::memory(8);
        assert_eq!(segment.clone().merge(Context::ambient(), segment, |_, _| Err(fault.clone())), Err(fault));
    }

    #[test]
    fn vectors_are_looked_up_as_slices() {
        let mut table: Table<Vec<u8>, i64> = Table::new(0);
        for word in ["a", "bc", "a"] {
            *table.entry(Context::ambient(), word.as_bytes()).unwrap() += 1;
        }
        assert_eq!((table.len(), table.slot(Context::ambient(), &b"bc"[..])), (2, Ok(1)));
        assert_eq!(table.into_dict()[&b"a"[..]], 2);
    }

    #[test]
    fn keys_are_found_by_their_parts() {
        let cx = Context::ambient();
        let mut table: Table<(String, i64), i64> = Table::new(0);
        for (name, number) in [("elm", 1), ("oak", 1), ("elm", 2), ("elm", 1)] {
            *table.entry_by_parts(cx, &(name, &number)).unwrap() += 1;
        }
        *table.entry(cx, &("oak".to_owned(), 1)).unwrap() += 1;
        let dict = table.into_dict();
        assert_eq!(dict.values(), [2, 2, 1]);
        assert_eq!((dict.get_by_parts(&("elm", &2)), dict.get_by_parts(&("ash", &2))), (Some(&1), None));
        assert!(dict.contains_parts(&("oak", &1)) && !dict.contains_parts(&("oak", &2)));
    }
}
