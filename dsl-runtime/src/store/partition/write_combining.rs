//! Where merges go: to the tail of the bucket of their key. Compiled code appends to tails, too.

use super::slab::Slab;

/// As many buckets as a core can write to at a time.
pub(crate) const BUCKET_BITS: u32 = if cfg!(miri) { 2 } else { 9 };
pub(crate) const BUCKETS: usize = 1 << BUCKET_BITS;

/// A merge that waits. There are many of them, so that they have no gaps.
#[derive(Clone, Copy, Debug)]
#[repr(C, packed(4))]
pub(crate) struct Row<K: Copy, V: Copy> {
    pub(crate) key: K,
    pub(crate) value: V,
    /// Where it stands among all, after where its part begins to count.
    pub(crate) at: u32,
}

/// Merges of one segment that wait, in order: what was a bucket's tail.
#[derive(Debug)]
pub(crate) struct Part<K: Copy, V: Copy> {
    pub(crate) rows: Slab<Row<K, V>>,
    /// What their places are counted from.
    pub(crate) base: usize,
    pub(crate) segment: u32,
}

/// The merges of each bucket that came last: those of one segment.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct WriteBuffers<K: Copy, V: Copy> {
    /// How many merges came since places are counted from a new number.
    at: u64,
    slabs: [Slab<Row<K, V>>; BUCKETS],
}

/// Where compiled code finds what it needs to append a merge by itself, in bytes, from what [`PartitionedTable::tails`] points to.
///
/// A merge is a row of the tail of its bucket, whose number is the first bits of the key's hash: the key, the value, and the
/// low half of the number of merges so far, one after the other and aligned to four bytes. Where the tail is not full, the row
/// goes behind those that are there, and the length and the number of merges become 1 more; else it is up to
/// [`PartitionedTable::add`].
///
/// [`PartitionedTable::tails`]: super::PartitionedTable::tails
/// [`PartitionedTable::add`]: super::PartitionedTable::add
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
pub struct BufferLayout {
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

/// See [`BufferLayout`].
#[doc(hidden)]
pub const BUFFER_LAYOUT: BufferLayout = BufferLayout {
    merges: std::mem::offset_of!(WriteBuffers<u64, u64>, at),
    first: std::mem::offset_of!(WriteBuffers<u64, u64>, slabs),
    step: size_of::<Slab<u64>>(),
    rows: Slab::<u64>::OFFSETS[0],
    len: Slab::<u64>::OFFSETS[1],
    capacity: Slab::<u64>::OFFSETS[2],
    bits: BUCKET_BITS,
};

impl<K: Copy, V: Copy> WriteBuffers<K, V> {
    /// No room in any.
    pub(crate) fn new() -> Box<WriteBuffers<K, V>> {
        Box::new(WriteBuffers { at: 0, slabs: [const { Slab::NONE }; BUCKETS] })
    }

    /// How many merges came since [`WriteBuffers::count_anew`].
    #[inline(always)]
    pub(crate) fn merges(&self) -> u64 {
        self.at
    }

    /// Counts merges from 0.
    pub(crate) fn count_anew(&mut self) {
        self.at = 0;
    }

    /// Adds a merge to the tail of this number, which has room for it.
    #[inline(always)]
    pub(crate) fn push(&mut self, number: usize, key: K, value: V) {
        self.slabs[number].push(Row { key, value, at: self.at as u32 });
        self.at += 1;
    }

    /// The tail of this number.
    #[inline(always)]
    pub(crate) fn buffer(&mut self, number: usize) -> &mut Slab<Row<K, V>> {
        &mut self.slabs[number]
    }
}
