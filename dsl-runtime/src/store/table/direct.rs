//! Merging into a table by keys of few bits, from a loop.

#![expect(unsafe_code, reason = "what the table says of its keys is not checked again for each row")]

use std::ptr::NonNull;

use super::hashed::Table;
use crate::exec::context::Context;
use crate::key::hash::Key;
use crate::lang::fault::Fault;
use crate::store::table::index::DIRECT_BITS;

/// A table while a loop merges into it by keys of at most 16 bits: where its index and its values are stands in local variables, as
/// nothing but a new key can change that.
///
/// Behind the reference to the table both would have to be loaded anew for each row, since the row before has written, and two more
/// comparisons made with their lengths.
#[derive(Debug)]
pub struct Cursor<'t, K, V> {
    table: &'t mut Table<K, V>,
    /// The first of `1 << K::BITS` entries of the index, each the slot of that key + 1, or 0.
    slots: NonNull<u16>,
    /// The first of the values, more of which there are than any entry of the index says.
    values: NonNull<V>,
}

impl<K: Key, V: Clone> Table<K, V> {
    /// What a loop merges by, if all keys are of at most 16 bits.
    ///
    /// # Errors
    /// The fault MemoryLimit if there is no room for the index of them.
    #[inline(always)]
    pub fn cursor(&mut self, cx: &Context) -> Result<Cursor<'_, K, V>, Fault> {
        const { assert!(K::BITS <= DIRECT_BITS, "keys of more bits are hashed") };
        self.index.make_direct::<K>(cx)?;
        let (slots, values) = places(self);
        Ok(Cursor { table: self, slots, values })
    }
}

impl<K: Key, V: Clone> Cursor<'_, K, V> {
    /// The accumulators of `key`, which is inserted if it is not there.
    ///
    /// # Errors
    /// The fault MemoryLimit if there is no room for it.
    #[inline(always)]
    pub fn entry(&mut self, cx: &Context, key: &K) -> Result<&mut V, Fault>
    where
        K: Clone,
    {
        let bits = key.bits() as usize & ((1 << K::BITS) - 1);
        // SAFETY: there are as many entries as there are such words.
        let mut next = unsafe { *self.slots.as_ptr().add(bits) } as usize;
        if next == 0 {
            let slot;
            (slot, (self.slots, self.values)) = insert(self.table, cx, key.clone())?;
            next = slot + 1;
        }
        // SAFETY: an entry of the index that is not 0 is the slot of a key + 1, and there is a value in each slot. The table is
        // borrowed for as long as the cursor is, and the cursor for as long as the value.
        Ok(unsafe { &mut *self.values.as_ptr().add(next - 1) })
    }
}

/// Where the index and the values of a table are.
type Places<V> = (NonNull<u16>, NonNull<V>);

/// The slot of a key that the index does not tell of, and where everything is with it. It is not given the cursor, whose fields would
/// have to stand in memory then.
#[cold]
#[inline(never)]
fn insert<K: Key, V: Clone>(
    table: &mut Table<K, V>,
    cx: &Context,
    key: K,
) -> Result<(usize, Places<V>), Fault> {
    let slot = table.slot_owned(cx, key)?;
    Ok((slot, places(table)))
}

/// Where the index and the values of `table` are, until a key is inserted.
#[inline(always)]
fn places<K: Key, V>(table: &mut Table<K, V>) -> Places<V> {
    let slots = table.index.direct_slots();
    assert_eq!(slots.len(), 1 << K::BITS, "an entry for every key");
    (NonNull::from(slots).cast(), NonNull::from(&mut table.values[..]).cast())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::options::Options;

    /// Counts and sums by each of `keys`, in the order of their first rows.
    fn check<K: Key + Clone + PartialEq + std::fmt::Debug>(keys: &[K], rows: impl Iterator<Item = usize>) {
        let cx = Context::ambient();
        let mut table = Table::new((0, String::new()));
        let mut expected: Vec<(K, (i32, String))> = Vec::new();
        let mut cursor = table.cursor(cx).unwrap();
        let mut places = vec![None; keys.len()];
        for row in rows {
            let (count, first) = cursor.entry(cx, &keys[row % keys.len()]).unwrap();
            *count += 1;
            if first.is_empty() {
                *first = format!("row {row}");
            }
            let place = *places[row % keys.len()].get_or_insert(expected.len());
            match expected.get_mut(place) {
                Some((_, (count, _))) => *count += 1,
                None => expected.push((keys[row % keys.len()].clone(), (1, format!("row {row}")))),
            }
        }
        // What another cursor finds is what this one left.
        for (key, value) in &mut expected {
            table.cursor(cx).unwrap().entry(cx, key).unwrap().0 += 7;
            value.0 += 7;
        }
        assert_eq!(table.into_dict().to_vec(), expected);
    }

    #[test]
    fn rows_reach_the_values_of_their_keys_while_these_move() {
        check(&[3u8, 250, 0, 7], [0, 1, 1, 2, 0, 3, 2, 2].into_iter());
        check(&[(true, 1u8), (false, 1), (true, 0)], [0, 2, 1, 0, 2].into_iter());
        check(&[()], 0..3);
        check(&(0..=255u8).rev().collect::<Vec<_>>(), 0..600);
        check(&[i16::MIN, -1, 0, i16::MAX], [3, 2, 1, 0, 3].into_iter());
    }

    #[test]
    fn all_keys_that_there_can_be_have_values() {
        // Miri would take an hour for all of them.
        let step = if cfg!(miri) { 1023 } else { 1 };
        let keys: Vec<u16> = (0..=u16::MAX).step_by(step).map(|key| key.wrapping_mul(40503)).collect();
        check(&keys, 0..2 * keys.len() + 5);
    }

    #[test]
    fn there_is_a_fault_where_there_is_no_room_for_the_index() {
        let cx = Context::new(&Options::new().memory_limit(1 << 10));
        let mut table: Table<(u8, u8), f64> = Table::new(0.0);
        assert!(table.cursor(&cx).is_err());
        assert!(Table::<u8, f64>::new(0.0).cursor(&cx).is_ok());
    }
}
