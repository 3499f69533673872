//! Where merges go: to the tail of the bucket of their key. Compiled code appends to tails, too.

use super::bucket::Row;
use super::chunk::Chunk;
use super::far::{BUCKET_BITS, BUCKETS};

/// The merges of each bucket that came last: those of one segment.
#[derive(Debug)]
#[repr(C)]
pub(super) struct Tails<K: Copy, V: Copy> {
    /// How many merges came since places are counted from a new number.
    at: u64,
    chunks: [Chunk<Row<K, V>>; BUCKETS],
}

/// Where compiled code finds what it needs to append a merge by itself, in bytes, from what [`Buckets::tails`] points to.
///
/// A merge is a row of the tail of its bucket, whose number is the first bits of the key's hash: the key, the value, and the
/// low half of the number of merges so far, one after the other and aligned to four bytes. Where the tail is not full, the row
/// goes behind those that are there, and the length and the number of merges become 1 more; else it is up to
/// [`Buckets::add`].
///
/// [`Buckets::tails`]: super::Buckets::tails
/// [`Buckets::add`]: super::Buckets::add
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct Places {
    /// Of the number of merges, a `u64`.
    pub merges: usize,
    /// Of the first tail.
    pub first: usize,
    /// From one tail to the next, a power of two.
    pub step: usize,
    /// In a tail: of the pointer to its rows, ...
    pub rows: usize,
    /// ... of their number, ...
    pub len: usize,
    /// ... and of how many there is room for.
    pub capacity: usize,
    /// How many bits of a hash tell the bucket.
    pub bits: u32,
}

/// See [`Places`].
#[doc(hidden)]
pub const PLACES: Places = Places {
    merges: std::mem::offset_of!(Tails<u64, u64>, at),
    first: std::mem::offset_of!(Tails<u64, u64>, chunks),
    step: size_of::<Chunk<u64>>(),
    rows: Chunk::<u64>::OFFSETS[0],
    len: Chunk::<u64>::OFFSETS[1],
    capacity: Chunk::<u64>::OFFSETS[2],
    bits: BUCKET_BITS,
};

impl<K: Copy, V: Copy> Tails<K, V> {
    /// No room in any.
    pub(super) fn new() -> Box<Tails<K, V>> {
        Box::new(Tails { at: 0, chunks: [const { Chunk::NONE }; BUCKETS] })
    }

    /// How many merges came since [`Tails::count_anew`].
    #[inline(always)]
    pub(super) fn merges(&self) -> u64 {
        self.at
    }

    /// Counts merges from 0.
    pub(super) fn count_anew(&mut self) {
        self.at = 0;
    }

    /// Adds a merge to the tail of this number, which has room for it.
    #[inline(always)]
    pub(super) fn push(&mut self, number: usize, key: K, value: V) {
        let pushed = self.chunks[number].push(Row { key, value, at: self.at as u32 });
        debug_assert!(pushed.is_ok(), "a merge that there is no room for");
        self.at += 1;
    }

    /// The tail of this number.
    #[inline(always)]
    pub(super) fn tail(&mut self, number: usize) -> &mut Chunk<Row<K, V>> {
        &mut self.chunks[number]
    }
}
