//! The last value of each key: what `to_dict` is made of.
//!
//! Keys of what becomes a dictionary are mostly different, and nothing is to be combined, so that merges need not look
//! anything up: keys and values are appended. Where a key came again shows in the end, when all keys are entered into the
//! index that the dictionary needs anyway. So that many merges of few keys do not take memory without bound, that is done
//! on the way, too: each time there are several times as many merges as there were keys. As long as there are very few keys, they are
//! looked up in a table of few all the same, which takes less than to append.

use std::ptr;

use crate::exec::context::{Context, STRIP};
use crate::exec::cpu::PREFETCHED_ROWS;
use crate::key::hash::Key;
use crate::lang::fault::Fault;
use crate::mem::vec::room;
use crate::store::dict::Dict;
use crate::store::partition::partition_threshold;
use crate::store::table::index::Index;
use crate::store::table::small::{NoSlots, OpenSlots, SmallTable};
use crate::store::vector::growable;

/// Keys and the last value of each, of scalars or structs of them.
#[derive(Clone, Debug)]
pub struct LastWins<K, V> {
    /// All, until there are more keys than in it; `None` from then on.
    small: Option<SmallTable<K, V>>,
    /// The first of them are different.
    keys: Vec<K>,
    /// As many.
    values: Vec<V>,
    /// How many merges there is room for, before something has to be done.
    room: usize,
    /// How many merges are too many: then they are sorted out. 0 before the first.
    limit: usize,
}

/// From so many keys on, appending is faster than looking up.
const APPENDED: usize = 256;

/// As many merges are never too many.
const FEW: usize = 1 << 12;

impl<K: Key + Copy + 'static, V: Copy + 'static> LastWins<K, V> {
    /// Nothing yet.
    pub fn new() -> LastWins<K, V> {
        LastWins {
            small: Some(SmallTable::default()),
            keys: Vec::new(),
            values: Vec::new(),
            room: 0,
            limit: 0,
        }
    }

    /// Merges `value` under `key`; the fault MemoryLimit if there is no room for it.
    #[inline(always)]
    pub fn add(&mut self, cx: &Context, key: K, value: V) -> Result<(), Fault> {
        if self.keys.len() == self.room {
            return self.add_slow(cx, key, value);
        }
        self.keys.push(key);
        self.values.push(value);
        Ok(())
    }

    /// As [`LastWins::add`], where there is no room.
    #[inline(never)]
    fn add_slow(&mut self, cx: &Context, key: K, value: V) -> Result<(), Fault> {
        if let Some(small) = &mut self.small {
            let has_room = small.raw().len() < most_small(cx);
            match small.find(&key) {
                Ok(found) => {
                    *found = value;
                    return Ok(());
                }
                Err(place) if has_room => return small.insert(cx, place, key, value, 0),
                Err(_) => self.leave_small(cx)?,
            }
        }
        self.make_room(cx, 1)?;
        self.keys.push(key);
        self.values.push(value);
        Ok(())
    }

    /// Told that so many merges come; the fault MemoryLimit if there is no room for what makes them faster.
    #[doc(hidden)]
    pub fn expect(&mut self, cx: &Context, merges: usize) -> Result<(), Fault> {
        self.small.as_mut().map_or(Ok(()), |small| small.expect(cx, merges))
    }

    /// Appends from now on, behind what is in the table of few keys.
    fn leave_small(&mut self, cx: &Context) -> Result<(), Fault> {
        if let Some(small) = self.small.take() {
            growable::reserve(cx, &mut self.keys, small.raw().len())?;
            growable::reserve(cx, &mut self.values, small.raw().len())?;
            for slot in small.in_order() {
                self.keys.push(slot.key);
                self.values.push(slot.value);
            }
            self.room = self.keys.len();
            cx.discharge(small.raw().room());
        }
        Ok(())
    }

    /// Where compiled code finds and inserts keys by itself, or the `buffers` that it appends to, once there are enough keys; it may do
    /// so until anything else is asked of this.
    #[doc(hidden)]
    pub fn open(&mut self, cx: &Context, none: &mut NoSlots<K, V>, buffers: *mut u8) -> OpenSlots {
        match &mut self.small {
            Some(small) => small.open(most_small(cx)).unwrap_or_else(|| none.open(ptr::null_mut())),
            None => none.open(buffers),
        }
    }

    /// Makes room for `more` merges that are appended.
    #[cold]
    #[inline(never)]
    fn make_room(&mut self, cx: &Context, more: usize) -> Result<(), Fault> {
        let few = partition_threshold(cx).min(FEW);
        if self.keys.len() >= self.limit.max(few) {
            let merges = self.keys.len();
            let entered = self.sort_out(cx)?;
            cx.discharge(entered.room());
            // Where most keys are different, another look at them is not worth while for long.
            let times = if 2 * self.keys.len() >= merges { 8 } else { 4 };
            self.limit = (times * self.keys.len()).max(few);
        }
        let more = more.max(self.keys.len()).max(4);
        growable::reserve(cx, &mut self.keys, more)?;
        growable::reserve(cx, &mut self.values, more)?;
        let most = self.limit.max(few).max(self.keys.len() + 1);
        self.room = self.keys.capacity().min(self.values.capacity()).min(most);
        Ok(())
    }

    /// Leaves of each key the last value, at the place of the first; gives the index of the keys.
    fn sort_out(&mut self, cx: &Context) -> Result<Index, Fault> {
        let merges = self.keys.len();
        let room = Index::room_for(&self.keys);
        cx.charge(room)?;
        let mut index = Index::for_keys(&self.keys)?;
        let mut len = 0;
        for merge in 0..merges {
            if merge % STRIP == STRIP - 1 {
                cx.poll()?;
            }
            if let Some(key) = self.keys.get(merge + PREFETCHED_ROWS) {
                index.prefetch_word(key);
            }
            let (before, rest) = self.keys.split_at_mut(merge);
            match index.find_or_enter(&before[..len], &rest[0]) {
                Some(slot) => self.values.swap(slot, merge),
                None => {
                    if len != merge {
                        self.keys.swap(len, merge);
                        self.values.swap(len, merge);
                    }
                    len += 1;
                }
            }
        }
        self.keys.truncate(len);
        self.values.truncate(len);
        Ok(index)
    }

    /// Merges what comes next.
    pub fn merge(&mut self, cx: &Context, next: LastWins<K, V>) -> Result<(), Fault> {
        if self.keys.is_empty() && self.small.as_ref().is_none_or(|small| small.raw().is_empty()) {
            *self = next;
            return Ok(());
        }
        if let Some(small) = &next.small {
            small.in_order().try_for_each(|slot| self.add(cx, slot.key, slot.value))?;
            cx.discharge(small.raw().room());
            return Ok(());
        }
        self.leave_small(cx)?;
        self.make_room(cx, next.keys.len())?;
        cx.discharge(room(&next.keys) + room(&next.values));
        self.keys.extend(next.keys);
        self.values.extend(next.values);
        self.room = self.room.max(self.keys.len());
        Ok(())
    }

    /// The dictionary of the keys, in order of first insertion.
    pub fn into_dict(mut self, cx: &Context) -> Result<Dict<K, V>, Fault> {
        self.leave_small(cx)?;
        let mut index = self.sort_out(cx)?;
        index.finish(&self.keys);
        let LastWins { keys, values, .. } = self;
        // The index has room for all merges.
        if index.room() > 4 * Index::room_for(&keys) {
            cx.discharge(index.room());
            return Dict::from_columns_counted(cx, keys, values);
        }
        Ok(Dict::from_parts(keys, values, index))
    }

    /// The keys and their values, in order of first insertion.
    pub fn into_columns(mut self, cx: &Context) -> Result<(Vec<K>, Vec<V>), Fault> {
        self.leave_small(cx)?;
        cx.discharge(self.sort_out(cx)?.room());
        Ok((self.keys, self.values))
    }
}

/// How many keys may be in the table of few.
fn most_small(cx: &Context) -> usize {
    partition_threshold(cx).min(APPENDED).saturating_sub(1)
}

impl<K: Key + Copy + 'static, V: Copy + 'static> Default for LastWins<K, V> {
    fn default() -> LastWins<K, V> {
        LastWins::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::options::{Options, Testing};

    /// What dictionaries do that are looked up for every merge is the oracle.
    fn check(merges: usize, distinct: i64, segment: usize) {
        for few in [None, Some(3), Some(100)] {
            let testing = Testing { partition_threshold: few, ..Testing::default() };
            let cx = Context::new(&Options::new().memory_limit(1 << 40).testing(testing));
            let (mut total, mut part) = (LastWins::new(), LastWins::new());
            let mut expected = Dict::new();
            for i in 0..merges {
                let key = (i as i64).wrapping_mul(0x9E37_79B9_7F4A_7C15u64 as i64) % distinct;
                if i % segment == segment - 1 {
                    total.merge(&cx, std::mem::take(&mut part)).unwrap();
                }
                part.add(&cx, (key, key > 0), i).unwrap();
                expected.insert((key, key > 0), i);
            }
            total.merge(&cx, part).unwrap();
            let dict = total.clone().into_dict(&cx).unwrap();
            assert_eq!((dict.keys(), dict.values()), (expected.keys(), expected.values()));
            assert!(dict.iter().all(|(key, value)| expected.get(key) == Some(value)));
            assert_eq!(dict.get(&(distinct, true)), None);
            assert_eq!(total.into_columns(&cx).unwrap(), dict.into_columns());
        }
    }

    #[test]
    fn the_last_value_stands_in_the_place_of_the_first() {
        check(1, 1, 10);
        check(1000, 7, 10_000);
        check(1000, 7, 10);
        check(2000, 100_000, 300);
        check(if cfg!(miri) { 100 } else { 50_000 }, 1000, 20_000);
    }

    #[test]
    fn keys_of_few_bits_are_sorted_out() {
        let cx = Context::ambient();
        let mut latest = LastWins::new();
        (0..10_000u64).try_for_each(|i| latest.add(cx, i as u8, i)).unwrap();
        let dict = latest.into_dict(cx).unwrap();
        assert_eq!((dict.len(), dict[&3], dict[&16]), (256, 9987, 9744));
    }

    #[test]
    fn few_keys_do_not_take_memory_without_bound() {
        let cx = Context::new(&Options::new().memory_limit(1 << 20));
        let mut latest = LastWins::new();
        let merges = if cfg!(miri) { FEW + 100 } else { 100 * FEW };
        (0..merges as i64).try_for_each(|i| latest.add(&cx, i % 10, i)).unwrap();
        assert_eq!(latest.into_dict(&cx).unwrap().len(), 10);
        let mut keys = LastWins::new();
        let fault = (0..1 << 20).find_map(|i| keys.add(&cx, i, i).err());
        assert_eq!(fault.unwrap().kind, crate::lang::fault::FaultKind::MemoryLimit);
    }
}
