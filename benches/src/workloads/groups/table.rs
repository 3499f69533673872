//! Grouping by hand: a table of linear probing for each thread where there are few groups, and partitions by hash where there
//! are many. It is told how many groups to expect, as an author who knows the data would tell it.

use std::ops::{AddAssign, Range};

use rayon::prelude::*;

use crate::workloads::pieces::pieces;
use crate::workloads::slots::slots_for;

/// The number of groups from which on a table for each is slower than partitions.
const MANY: usize = 300_000;

/// A key by hand.
pub(super) trait Key: Copy + Eq + Default + Send + Sync {
    fn hash(self) -> u64;
}

impl Key for i64 {
    #[inline(always)]
    fn hash(self) -> u64 {
        mix(self as u64)
    }
}

impl Key for i32 {
    #[inline(always)]
    fn hash(self) -> u64 {
        mix(self as u64)
    }
}

impl Key for (i64, i64) {
    #[inline(always)]
    fn hash(self) -> u64 {
        mix(mix(self.0 as u64) ^ self.1 as u64)
    }
}

impl Key for &[u8] {
    /// The first and the last eight bytes, and the length: enough for short words.
    #[inline(always)]
    fn hash(self) -> u64 {
        let word = |bytes: &[u8]| bytes.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte));
        let (first, last) = match (self.first_chunk::<8>(), self.last_chunk::<8>()) {
            (Some(first), Some(last)) => (u64::from_le_bytes(*first), u64::from_le_bytes(*last)),
            _ => (word(self), 0),
        };
        mix(mix(first ^ self.len() as u64) ^ last)
    }
}

#[inline(always)]
fn mix(word: u64) -> u64 {
    let product = u128::from(word ^ 0x9E37_79B9_7F4A_7C15) * 0xD6E8_FEB8_6659_FD93;
    (product as u64) ^ (product >> 64) as u64
}

/// The sums of the values of `n` rows by key, `rows` being those of a range; there may be up to `distinct` keys.
pub(super) fn sums<K: Key, V: AddAssign + Copy + Default + Send + Sync, I: Iterator<Item = (K, V)>>(
    n: usize,
    rows: impl Fn(Range<usize>) -> I + Sync,
    distinct: usize,
) -> Vec<(K, V)> {
    if distinct < MANY { by_threads(n, rows, distinct) } else { by_partitions(n, rows, distinct) }
}

/// Slots with a key, a sum and whether they are taken.
struct Table<K, V> {
    slots: Vec<(K, V, bool)>,
    mask: usize,
}

impl<K: Key, V: AddAssign + Copy + Default> Table<K, V> {
    fn new(groups: usize) -> Table<K, V> {
        let slots = slots_for::<(K, V, bool)>(groups);
        Table { slots: vec![(K::default(), V::default(), false); slots], mask: slots - 1 }
    }

    /// Adds to the sum of `key`, whose hash may be told by bits that the table's keys do not share.
    #[inline]
    fn add(&mut self, key: K, value: V) {
        let mut at = key.hash() as usize & self.mask;
        loop {
            let slot = &mut self.slots[at];
            if slot.2 && slot.0 == key {
                slot.1 += value;
                return;
            }
            if !slot.2 {
                *slot = (key, value, true);
                return;
            }
            at = (at + 1) & self.mask;
        }
    }

    fn groups(&self) -> impl Iterator<Item = (K, V)> {
        self.slots.iter().filter(|slot| slot.2).map(|slot| (slot.0, slot.1))
    }
}

fn by_threads<K: Key, V: AddAssign + Copy + Default + Send, I: Iterator<Item = (K, V)>>(
    n: usize,
    rows: impl Fn(Range<usize>) -> I + Sync,
    distinct: usize,
) -> Vec<(K, V)> {
    let piece = n.div_ceil(rayon::current_num_threads()).max(1);
    let mut tables: Vec<Table<K, V>> = pieces(n, piece)
        .map(|range| {
            let mut table = Table::new(distinct);
            rows(range).for_each(|(key, value)| table.add(key, value));
            table
        })
        .collect();
    let mut all = tables.pop().unwrap_or_else(|| Table::new(0));
    for table in &tables {
        table.groups().for_each(|(key, sum)| all.add(key, sum));
    }
    all.groups().collect()
}

/// Two to the tenth partitions fit the buffers of the lines that are written.
const BITS: u32 = 10;

fn by_partitions<K: Key, V: AddAssign + Copy + Default + Send + Sync, I: Iterator<Item = (K, V)>>(
    n: usize,
    rows: impl Fn(Range<usize>) -> I + Sync,
    distinct: usize,
) -> Vec<(K, V)> {
    let piece = n.div_ceil(rayon::current_num_threads()).max(1);
    let parts: Vec<Vec<Vec<(K, V)>>> = pieces(n, piece)
        .map(|range| {
            let expected = (range.len() >> BITS) + (range.len() >> (BITS + 3)) + 16;
            let mut parts: Vec<Vec<(K, V)>> = (0..1 << BITS).map(|_| Vec::with_capacity(expected)).collect();
            rows(range)
                .for_each(|(key, value)| parts[(key.hash() >> (64 - BITS)) as usize].push((key, value)));
            parts
        })
        .collect();
    let groups: Vec<Vec<(K, V)>> = (0..1usize << BITS)
        .into_par_iter()
        .map(|number| {
            let mut table = Table::new((distinct >> BITS) + (distinct >> (BITS + 2)) + 16);
            for part in &parts {
                part[number].iter().for_each(|&(key, value)| table.add(key, value));
            }
            table.groups().collect()
        })
        .collect();
    groups.concat()
}
