//! Groups by key: each the vector of the values merged under it, in order.

use std::borrow::Borrow;

use crate::builders::table::Table;
use crate::dict::Dict;
use crate::key::Key;

/// The values merged by one unit of a loop, with the slot of each one's key.
///
/// The vectors of the groups are made at the end only, each at its final length.
///
/// ```
/// use weldment_runtime::builders::group::{Groups, Units};
/// let (mut first, mut second) = (Groups::new(), Groups::new());
/// first.push(&2i64, "a");
/// first.push(&1, "b");
/// second.push(&1, "c");
/// let mut units = Units::new();
/// units.merge(first);
/// units.merge(second);
/// let dict = units.into_dict();
/// assert_eq!((dict.keys(), dict.values()), (&[2, 1][..], &[vec!["a"], vec!["b", "c"]][..]));
/// ```
#[derive(Clone, Debug)]
pub struct Groups<K, T> {
    /// The number of values of each key.
    table: Table<K, usize>,
    slots: Vec<u32>,
    values: Vec<T>,
}

/// The groups of the units of a loop, in order.
#[derive(Clone, Debug)]
pub struct Units<K, T> {
    /// The number of values of each key, in all units.
    table: Table<K, usize>,
    units: Vec<Unit<T>>,
}

/// The values of one unit.
#[derive(Clone, Debug)]
struct Unit<T> {
    /// Per slot of the unit, the slot in the table of all.
    slot_of: Vec<u32>,
    /// Per value, the slot of the unit.
    slots: Vec<u32>,
    values: Vec<T>,
}

impl<K: Key, T> Groups<K, T> {
    /// No groups.
    pub fn new() -> Groups<K, T> {
        Groups { table: Table::new(0), slots: Vec::new(), values: Vec::new() }
    }

    /// Merges `value` under `key`.
    #[inline(always)]
    pub fn push<Q>(&mut self, key: &Q, value: T)
    where
        K: Borrow<Q>,
        Q: Key + ToOwned<Owned = K> + ?Sized,
    {
        let slot = self.table.slot(key);
        self.table.values_mut()[slot] += 1;
        self.slots.push(slot as u32);
        self.values.push(value);
    }

    /// The groups of this unit alone.
    pub fn into_dict(self) -> Dict<K, Vec<T>> {
        let mut units = Units::new();
        units.merge(self);
        units.into_dict()
    }
}

impl<K: Key, T> Units<K, T> {
    /// No units.
    pub fn new() -> Units<K, T> {
        Units { table: Table::new(0), units: Vec::new() }
    }

    /// Adds the unit that comes next.
    pub fn merge(&mut self, next: Groups<K, T>) {
        let Groups { table, slots, values } = next;
        if self.units.is_empty() {
            let slot_of = (0..table.len() as u32).collect();
            self.table = table;
            self.units.push(Unit { slot_of, slots, values });
            return;
        }
        let add = |(key, count): (K, usize)| {
            let slot = self.table.slot_owned(key);
            self.table.values_mut()[slot] += count;
            slot as u32
        };
        let slot_of = table.into_dict().into_iter().map(add).collect();
        self.units.push(Unit { slot_of, slots, values });
    }

    /// The groups.
    pub fn into_dict(self) -> Dict<K, Vec<T>> {
        let mut groups = self.table.into_dict().map_values(Vec::with_capacity);
        for unit in self.units {
            for (slot, value) in unit.slots.into_iter().zip(unit.values) {
                groups.values[unit.slot_of[slot as usize] as usize].push(value);
            }
        }
        groups
    }
}

impl<K: Key, T> Default for Groups<K, T> {
    fn default() -> Groups<K, T> {
        Groups::new()
    }
}

impl<K: Key, T> Default for Units<K, T> {
    fn default() -> Units<K, T> {
        Units::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_of_any_length_give_the_groups_of_the_whole() {
        let values: Vec<i64> = (0..1000).map(|i| i * 7919 % 1013).collect();
        let whole: Vec<(i64, Vec<i64>)> = {
            let mut groups: Vec<(i64, Vec<i64>)> = Vec::new();
            for &value in &values {
                match groups.iter_mut().find(|group| group.0 == value % 10) {
                    Some(group) => group.1.push(value),
                    None => groups.push((value % 10, vec![value])),
                }
            }
            groups
        };
        for len in [1, 3, 999, 1000] {
            let mut units = Units::new();
            for unit in values.chunks(len) {
                let mut groups = Groups::new();
                unit.iter().for_each(|value| groups.push(&(value % 10), *value));
                units.merge(groups);
            }
            assert_eq!(units.into_dict().into_iter().collect::<Vec<_>>(), whole);
        }
    }

    #[test]
    fn nothing_merged_gives_no_groups() {
        assert!(Units::<i64, i64>::new().into_dict().is_empty());
        let mut units = Units::new();
        units.merge(Groups::<i64, i64>::new());
        assert!(units.into_dict().is_empty());
    }
}
