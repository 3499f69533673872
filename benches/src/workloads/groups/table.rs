//! Grouping by hand: a table of linear probing for each thread where there are few groups, and partitions by hash where there
//! are many. It is told how many groups to expect, as an author who knows the data would tell it.

use rayon::prelude::*;

use crate::workloads::pieces::pieces;

/// The number of groups from which on a table for each is slower than partitions.
const MANY: usize = 300_000;

/// The sums of `values` by key; there may be up to `distinct` keys.
pub(super) fn sums(keys: &[i64], values: &[i64], distinct: usize) -> Vec<(i64, i64)> {
    if distinct < MANY { by_threads(keys, values, distinct) } else { by_partitions(keys, values, distinct) }
}

fn hash(key: i64) -> u64 {
    let product = u128::from(key as u64 ^ 0x9E37_79B9_7F4A_7C15) * 0xD6E8_FEB8_6659_FD93;
    (product as u64) ^ (product >> 64) as u64
}

/// Slots with a key, a sum and whether they are taken, at most three eighths of them taken.
struct Table {
    slots: Vec<(i64, i64, bool)>,
    mask: usize,
}

impl Table {
    fn new(groups: usize) -> Table {
        let slots = (groups * 8 / 3).next_power_of_two().max(16);
        Table { slots: vec![(0, 0, false); slots], mask: slots - 1 }
    }

    /// Adds to the sum of `key`, whose hash may be told by bits that the table's keys do not share.
    #[inline]
    fn add(&mut self, key: i64, hash: u64, value: i64) {
        let mut at = hash as usize & self.mask;
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

    fn groups(&self) -> impl Iterator<Item = (i64, i64)> {
        self.slots.iter().filter(|slot| slot.2).map(|slot| (slot.0, slot.1))
    }
}

fn by_threads(keys: &[i64], values: &[i64], distinct: usize) -> Vec<(i64, i64)> {
    let piece = keys.len().div_ceil(rayon::current_num_threads()).max(1);
    let mut tables: Vec<Table> = pieces(keys.len(), piece)
        .map(|rows| {
            let mut table = Table::new(distinct);
            for (&key, &value) in keys[rows.clone()].iter().zip(&values[rows]) {
                table.add(key, hash(key), value);
            }
            table
        })
        .collect();
    let mut all = tables.pop().unwrap_or_else(|| Table::new(0));
    for table in &tables {
        table.groups().for_each(|(key, sum)| all.add(key, hash(key), sum));
    }
    all.groups().collect()
}

/// Two to the tenth partitions fit the buffers of the lines that are written.
const BITS: u32 = 10;

fn by_partitions(keys: &[i64], values: &[i64], distinct: usize) -> Vec<(i64, i64)> {
    let piece = keys.len().div_ceil(rayon::current_num_threads()).max(1);
    let partition = |key: i64| (hash(key) >> (64 - BITS)) as usize;
    let parts: Vec<Vec<Vec<(i64, i64)>>> = pieces(keys.len(), piece)
        .map(|rows| {
            let expected = (rows.len() >> BITS) + (rows.len() >> (BITS + 3)) + 16;
            let mut parts: Vec<Vec<(i64, i64)>> =
                (0..1 << BITS).map(|_| Vec::with_capacity(expected)).collect();
            for (&key, &value) in keys[rows.clone()].iter().zip(&values[rows]) {
                parts[partition(key)].push((key, value));
            }
            parts
        })
        .collect();
    let groups: Vec<Vec<(i64, i64)>> = (0..1usize << BITS)
        .into_par_iter()
        .map(|number| {
            let mut table = Table::new((distinct >> BITS) + (distinct >> (BITS + 2)) + 16);
            for part in &parts {
                part[number].iter().for_each(|&(key, value)| table.add(key, hash(key), value));
            }
            table.groups().collect()
        })
        .collect();
    groups.concat()
}
