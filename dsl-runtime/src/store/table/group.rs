//! Groups by key: each the vector of the values merged under it, in order.

use std::borrow::Borrow;

use crate::exec::allocate::Memory;
use crate::exec::context::Context;
use crate::key::hash::Key;
use crate::key::parts::Parts;
use crate::lang::fault::Fault;
use crate::mem::vec::room;
use crate::store::dict::Dict;
use crate::store::table::hashed::Table;
use crate::store::vector::growable;

/// The values merged by one task of a loop, with the slot of each one's key.
///
/// The vectors of the groups are made at the end only, each at its final length.
#[derive(Clone, Debug)]
pub struct Groups<K, T> {
    /// The number of values of each key.
    table: Table<K, usize>,
    slots: Vec<u32>,
    values: Vec<T>,
}

/// The groups of the tasks of a loop, in order.
#[derive(Clone, Debug)]
pub struct Tasks<K, T> {
    /// The number of values of each key, in all tasks.
    table: Table<K, usize>,
    tasks: Vec<Task<T>>,
}

/// The values of one task.
#[derive(Clone, Debug)]
struct Task<T> {
    /// Per slot of the task, the slot in the table of all.
    slot_of: Vec<u32>,
    /// Per value, the slot of the task.
    slots: Vec<u32>,
    values: Vec<T>,
}

impl<K: Key, T> Groups<K, T> {
    /// No groups.
    pub fn new() -> Groups<K, T> {
        Groups { table: Table::new(0), slots: Vec::new(), values: Vec::new() }
    }

    /// Merges `value` under `key`; the fault MemoryLimit if there is no room for it.
    #[inline(always)]
    pub fn push<Q>(&mut self, cx: &Context, key: &Q, value: T) -> Result<(), Fault>
    where
        K: Borrow<Q>,
        Q: Key + ToOwned<Owned = K> + ?Sized,
    {
        let slot = self.table.slot(cx, key)?;
        self.push_at(cx, slot, value)
    }

    /// [`Groups::push`] under a key by its parts, which are copied where it is inserted.
    #[inline(always)]
    pub fn push_by_parts<P: Parts<Whole = K>>(
        &mut self,
        cx: &Context,
        key: &P,
        value: T,
    ) -> Result<(), Fault> {
        let slot = self.table.slot_by_parts(cx, key)?;
        self.push_at(cx, slot, value)
    }

    #[inline(always)]
    fn push_at(&mut self, cx: &Context, slot: usize, value: T) -> Result<(), Fault> {
        self.table.values_mut()[slot] += 1;
        growable::push(cx, &mut self.slots, slot as u32)?;
        growable::push(cx, &mut self.values, value)
    }

    /// The groups of this task alone.
    pub fn into_dict(self, memory: &impl Memory) -> Result<Dict<K, Vec<T>>, Fault> {
        let mut tasks = Tasks::new();
        tasks.merge(memory.context(), self)?;
        tasks.into_dict(memory)
    }
}

impl<K: Key, T> Tasks<K, T> {
    /// No tasks.
    pub fn new() -> Tasks<K, T> {
        Tasks { table: Table::new(0), tasks: Vec::new() }
    }

    /// Adds the task that comes next.
    pub fn merge(&mut self, cx: &Context, next: Groups<K, T>) -> Result<(), Fault> {
        let Groups { table, slots, values } = next;
        let mut slot_of = growable::with_capacity(cx, table.len())?;
        if self.table.is_empty() {
            slot_of.extend(0..table.len() as u32);
        }
        self.table.merge_at(cx, table, |slot, count, more| {
            *count += more;
            slot_of.push(slot as u32);
            Ok(())
        })?;
        growable::push(cx, &mut self.tasks, Task { slot_of, slots, values })
    }

    /// The groups, in what `memory` has; the fault MemoryLimit if there is no room for them.
    pub fn into_dict(self, memory: &impl Memory) -> Result<Dict<K, Vec<T>>, Fault> {
        let cx = memory.context();
        let mut groups = self.table.into_dict_of(cx, |&count| memory.vector(count))?;
        cx.discharge(room(&self.tasks));
        for task in self.tasks {
            let freed = room(&task.slot_of) + room(&task.slots) + room(&task.values);
            for (slot, value) in task.slots.into_iter().zip(task.values) {
                groups.values[task.slot_of[slot as usize] as usize].push(value);
            }
            cx.discharge(freed);
        }
        Ok(groups)
    }
}

impl<K: Key, T> Default for Groups<K, T> {
    fn default() -> Groups<K, T> {
        Groups::new()
    }
}

impl<K: Key, T> Default for Tasks<K, T> {
    fn default() -> Tasks<K, T> {
        Tasks::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tasks_of_any_length_give_the_groups_of_the_whole() {
        // Miri would take ten minutes for all of them.
        let many = if cfg!(miri) { 60 } else { 1000 };
        let values: Vec<i64> = (0..many).map(|i| i * 7919 % 1013).collect();
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
            let mut tasks = Tasks::new();
            for task in values.chunks(len) {
                let mut groups = Groups::new();
                let cx = Context::ambient();
                task.iter().for_each(|value| groups.push(cx, &(value % 10), *value).unwrap());
                tasks.merge(cx, groups).unwrap();
            }
            assert_eq!(tasks.into_dict(Context::ambient()).unwrap().into_iter().collect::<Vec<_>>(), whole);
        }
    }

    #[test]
    fn nothing_merged_gives_no_groups() {
        let cx = Context::ambient();
        assert!(Tasks::<i64, i64>::new().into_dict(cx).unwrap().is_empty());
        let mut tasks = Tasks::new();
        tasks.merge(cx, Groups::<i64, i64>::new()).unwrap();
        assert!(tasks.into_dict(cx).unwrap().is_empty());
    }
}
