//! Keys that are hashed some rows at a time before they are merged by.

use std::borrow::Borrow;

use super::hashed::Table;
use crate::exec::context::Context;
use crate::exec::cpu::{self, PREFETCHED_ROWS};
use crate::key::hash::Key;
use crate::lang::fault::Fault;

/// The hashes of the keys of [`PREFETCHED_ROWS`] rows, vectors that a loop merges by one after the other.
///
/// A row that hashes its key, waits for the place of that in the index, compares, and only then goes on is as slow as the cache that
/// the index is in. So the places of some rows are asked for together, and the elements of as many rows behind them.
#[derive(Clone, Debug, Default)]
pub struct HashPrefetch([u64; PREFETCHED_ROWS]);

impl HashPrefetch {
    /// Of no row yet.
    #[inline(always)]
    pub fn new() -> HashPrefetch {
        HashPrefetch::default()
    }

    /// Told before each row, the one `at` which the loop stands: at each [`PREFETCHED_ROWS`]th, hashes the next ones.
    #[inline(always)]
    pub fn prefetch<K: Key + Borrow<[T]>, V, T>(&mut self, table: &Table<K, V>, rows: &[Vec<T>], at: usize)
    where
        [T]: Key,
    {
        if !at.is_multiple_of(PREFETCHED_ROWS) {
            return;
        }
        let rows = rows.get(at..).unwrap_or_default();
        let Some((next, behind)) = rows.split_first_chunk::<PREFETCHED_ROWS>() else {
            return self.hash_last(table, rows);
        };
        if let Some(behind) = behind.first_chunk::<PREFETCHED_ROWS>() {
            behind.iter().for_each(|row| cpu::prefetch_line(row.as_ptr()));
        }
        for (hash, row) in self.0.iter_mut().zip(next) {
            *hash = table.index.prefetch(&row[..]);
        }
    }

    /// Not in line, so that the compiler does not make one loop of this and the usual one, whose number of rows it knows.
    #[cold]
    #[inline(never)]
    fn hash_last<K, V, T>(&mut self, table: &Table<K, V>, rows: &[Vec<T>])
    where
        [T]: Key,
    {
        for (hash, row) in self.0.iter_mut().zip(rows) {
            *hash = table.index.prefetch(&row[..]);
        }
    }
}

impl<K: Key, V: Clone> Table<K, V> {
    /// The accumulators of `key`, which is inserted if it is not there; `ahead` has been asked for it as the row `at`.
    ///
    /// # Errors
    /// The fault MemoryLimit if there is no room for it.
    #[inline(always)]
    pub fn entry_prefetched<Q>(
        &mut self,
        cx: &Context,
        key: &Q,
        ahead: &HashPrefetch,
        at: usize,
    ) -> Result<&mut V, Fault>
    where
        K: Borrow<Q>,
        Q: Key + ToOwned<Owned = K> + ?Sized,
    {
        let hash = ahead.0[at % PREFETCHED_ROWS];
        let slot = match self.index.find_hashed(&self.keys, key, hash, |other| other.borrow().same(key)) {
            Some(slot) => slot,
            None => self.insert_copy(cx, key)?,
        };
        Ok(&mut self.values[slot])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_row_finds_its_key_whatever_its_length_and_however_many_are_left() {
        let cx = Context::ambient();
        let number = if cfg!(miri) { 30 } else { 5000 };
        for rows in (number..number + PREFETCHED_ROWS).chain(0..3) {
            let words: Vec<Vec<u8>> = (0..rows).map(|row| vec![row as u8; row * row % 71]).collect();
            let (mut plain, mut asked) = (Table::<Vec<u8>, Vec<usize>>::new(vec![]), Table::new(vec![]));
            let mut ahead = HashPrefetch::new();
            for (at, word) in words.iter().enumerate() {
                plain.entry(cx, &word[..]).unwrap().push(at);
                ahead.prefetch(&asked, &words, at);
                asked.entry_prefetched(cx, &word[..], &ahead, at).unwrap().push(at);
            }
            assert_eq!(plain.into_dict().to_vec(), asked.into_dict().to_vec());
        }
    }
}
