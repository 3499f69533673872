//! Where merges go: to the tail of the bucket of their key. Compiled code appends to tails, too.
//!
//! This file may use `unsafe` because it shows rows of slabs. What makes it sound: the slabs of buffers and of a part are emptied for
//! rows of the type that is beside them.
#![expect(unsafe_code, reason = "slabs are shown as what they hold")]

use crate::exec::cpu;

use super::row::RowType;
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
pub(crate) struct Part {
    rows: Slab,
    of: RowType,
    /// What their places are counted from.
    pub(crate) base: usize,
    pub(crate) segment: u32,
}

/// The merges of each bucket that came last: those of one segment.
#[derive(Debug)]
#[repr(C)]
pub(crate) struct WriteBuffers {
    /// How many merges came since places are counted from a new number.
    at: u64,
    slabs: [Slab; BUCKETS],
    /// Of the rows in all slabs.
    of: RowType,
}

/// Where compiled code finds what it needs to append a merge by itself, in bytes, from the `buffers` that
/// [`PartitionedTable::open`] gives.
///
/// A merge is a row of the tail of its bucket, whose number is the first bits of the key's hash: the key, the value, and the
/// low half of the number of merges so far, one after the other and aligned to four bytes. Where the tail is not full, the row
/// goes behind those that are there, and the length and the number of merges become 1 more; else it is up to
/// [`PartitionedTable::add`].
///
/// [`PartitionedTable::open`]: super::PartitionedTable::open
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
    merges: std::mem::offset_of!(WriteBuffers, at),
    first: std::mem::offset_of!(WriteBuffers, slabs),
    step: size_of::<Slab>(),
    rows: Slab::OFFSETS[0],
    len: Slab::OFFSETS[1],
    capacity: Slab::OFFSETS[2],
    bits: BUCKET_BITS,
};

impl Part {
    /// How many merges there are.
    pub(crate) fn len(&self) -> usize {
        self.rows.len()
    }

    /// The merges.
    ///
    /// # Panics
    /// If they are of another type.
    pub(crate) fn rows<K, V>(&self) -> &[Row<K, V>]
    where
        K: Copy + Send + Sync + 'static,
        V: Copy + Send + Sync + 'static,
    {
        self.of.expect(RowType::of::<Row<K, V>>());
        // SAFETY: the slab was emptied for rows of this type.
        unsafe { self.rows.rows() }
    }

    /// The same merges as those of another segment, behind so many others.
    pub(crate) fn moved(self, by: usize, segment: u32) -> Part {
        Part { base: self.base + by, segment, ..self }
    }

    /// Their slab, for others.
    pub(crate) fn into_slab(self) -> Slab {
        self.rows
    }

    /// No merges yet of a segment, which are counted from `base`, in `slab`.
    pub(crate) fn new(of: RowType, slab: Slab, base: usize, segment: u32) -> Part {
        Part { rows: slab.emptied(of), of, base, segment }
    }

    /// How many more there is room for.
    pub(crate) fn room(&self) -> usize {
        self.rows.room()
    }

    /// Adds a merge, for which there is room.
    ///
    /// # Panics
    /// If the merges are of another type.
    pub(crate) fn push<K, V>(&mut self, row: Row<K, V>)
    where
        K: Copy + Send + Sync + 'static,
        V: Copy + Send + Sync + 'static,
    {
        self.of.expect(RowType::of::<Row<K, V>>());
        // SAFETY: the slab was emptied for rows of this type.
        unsafe { self.rows.push(row) };
    }
}

impl WriteBuffers {
    /// No room in any, for rows of this type.
    pub(crate) fn new(of: RowType) -> Box<WriteBuffers> {
        Box::new(WriteBuffers { at: 0, slabs: [const { Slab::NONE }; BUCKETS], of })
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

    /// Whether there is no room in the tail of this number.
    #[inline(always)]
    pub(crate) fn is_full(&self, number: usize) -> bool {
        self.slabs[number].is_full()
    }

    /// Adds a merge to the tail of this number, which has room for it, and fetches where one comes that is `ahead` rows behind it.
    ///
    /// # Safety
    /// These are the types of the rows.
    #[inline(always)]
    pub(crate) unsafe fn push<K, V>(&mut self, number: usize, key: K, value: V, ahead: usize)
    where
        K: Copy + Send + Sync + 'static,
        V: Copy + Send + Sync + 'static,
    {
        let slab = &mut self.slabs[number];
        // SAFETY: the slab was emptied for rows of this type, as the caller promises.
        unsafe { slab.push(Row { key, value, at: self.at as u32 }) };
        self.at += 1;
        cpu::prefetch_line(slab.place::<Row<K, V>>(ahead));
    }

    /// Makes `slab`, whose rows are forgotten, the tail of this number.
    pub(crate) fn begin(&mut self, number: usize, slab: Slab) {
        self.slabs[number] = slab.emptied(self.of);
    }

    /// Takes the tail of this number, if there is one: merges of a segment that are counted from `base`.
    pub(crate) fn take(&mut self, number: usize, base: usize, segment: u32) -> Option<Part> {
        let rows = std::mem::replace(&mut self.slabs[number], Slab::NONE);
        (!rows.is_none()).then_some(Part { rows, of: self.of, base, segment })
    }
}
