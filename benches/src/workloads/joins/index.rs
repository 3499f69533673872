//! Where each key stands, by hand: a table of linear probing.

use crate::workloads::slots::slots_for;

/// The rows of keys, each of which is there once.
pub(crate) struct Index {
    /// A key and its row, or no row.
    slots: Vec<(i64, u32)>,
    shift: u32,
}

const NONE: u32 = u32::MAX;

impl Index {
    /// The keys of the rows 0, 1, ….
    pub(crate) fn of(keys: impl ExactSizeIterator<Item = i64>) -> Index {
        let slots = slots_for::<(i64, u32)>(keys.len());
        let mut index = Index { slots: vec![(0, NONE); slots], shift: u64::BITS - slots.trailing_zeros() };
        for (row, key) in keys.enumerate() {
            let mut at = index.first(key);
            while index.slots[at].1 != NONE {
                at = (at + 1) % index.slots.len();
            }
            index.slots[at] = (key, row as u32);
        }
        index
    }

    /// The row of `key`.
    #[inline]
    pub(crate) fn row(&self, key: i64) -> Option<usize> {
        let mask = self.slots.len() - 1;
        let mut at = self.first(key);
        loop {
            match self.slots[at & mask] {
                (_, NONE) => return None,
                (other, row) if other == key => return Some(row as usize),
                _ => at += 1,
            }
        }
    }

    #[inline]
    fn first(&self, key: i64) -> usize {
        let product = u128::from(key as u64 ^ 0x9E37_79B9_7F4A_7C15) * 0xD6E8_FEB8_6659_FD93;
        (((product as u64) ^ (product >> 64) as u64) >> self.shift) as usize
    }
}
