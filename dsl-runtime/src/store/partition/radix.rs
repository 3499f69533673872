//! Many keys: merges go to buckets by the top bits of their hash, and wait there until there are many.
//!
//! Merges keep their order on the way, and where a key was first merged is kept with it. When a segment is joined to those
//! before it, its merges wait beside theirs: what to combine first is told by the segment's number, see [`Partial`].
//! In the end all buckets are worked off, on as many threads as there are, and joined in the order of their keys.

use crate::exec::context::Context;
use crate::exec::cpu;
use crate::exec::threads;
use crate::key::hash::Key;
use crate::lang::fault::Fault;

use super::bucket::{Bucket, SLAB};
use super::partial::Partial;
use super::shared::{SharedPartitions, partition_threshold};
use super::slab::{FreeList, Slab};
use super::write_combining::{BUCKET_BITS, BUCKETS, Part, Row, WriteBuffers};
use crate::store::combine::Combine;
use crate::store::table::small::SmallTable;

/// How many merges are counted from one number: some more than these, before there is no room for a merge of some bucket.
const SPAN: usize = if cfg!(test) { 1 << 10 } else { 1 << 31 };

/// How many rows ahead of the one that is written the memory is asked for room.
pub const PREFETCHED_WRITES: usize = 8;

/// How many merges may wait in a bucket while one segment runs: this part of what makes keys many, or this multiple of the
/// bucket's keys. Then most of what is fetched of a bucket is used more than once.
const DEFERRED: (usize, usize) = (16, 8);

/// How many merges may wait in all when segments are joined: this multiple of what makes keys many, or of the keys.
const JOINING: (usize, usize) = (64, 4);

/// Keys and what is held of their values, in buckets.
#[derive(Debug)]
pub(crate) struct RadixPartitions<K: Copy, V: Copy, H: Copy> {
    buffers: Box<WriteBuffers<K, V>>,
    buckets: Vec<Bucket<K, V, H>>,
    /// Slabs for the merges that come.
    free_list: FreeList,
    /// Where room comes from.
    shared: SharedPartitions,
    /// The number of merges before those that `buffers` counts.
    base: usize,
    /// The number of the segment whose merges come.
    segment: u32,
}

#[inline(always)]
fn bucket_of<K: Key>(key: &K) -> usize {
    (key.hash() >> (64 - BUCKET_BITS)) as usize
}

impl<K, V, H> RadixPartitions<K, V, H>
where
    K: Key + Copy + Send + Sync + 'static,
    V: Copy + Send + Sync + 'static,
    H: Partial<V>,
{
    /// Nothing yet.
    pub(crate) fn new(shared: &SharedPartitions) -> RadixPartitions<K, V, H> {
        let mut buckets = Vec::with_capacity(BUCKETS);
        for _ in 0..BUCKETS {
            buckets.push(Bucket::new());
        }
        shared.cut_slabs(SLAB * size_of::<Row<K, V>>());
        RadixPartitions {
            buffers: WriteBuffers::new(),
            buckets,
            free_list: FreeList::default(),
            shared: shared.clone(),
            base: 0,
            segment: 0,
        }
    }

    /// The keys and values of `small`.
    pub(crate) fn of(
        cx: &Context,
        small: &SmallTable<K, V>,
        shared: &SharedPartitions,
        combine: impl Combine<V>,
    ) -> Result<RadixPartitions<K, V, H>, Fault> {
        let mut radix = RadixPartitions::new(shared);
        for slot in small.in_order() {
            radix.add(cx, slot.key, slot.value, combine)?;
        }
        Ok(radix)
    }

    /// Merges `value` under `key`, at some time.
    #[inline(always)]
    pub(crate) fn add(
        &mut self,
        cx: &Context,
        key: K,
        value: V,
        combine: impl Combine<V>,
    ) -> Result<(), Fault> {
        let number = bucket_of(&key);
        if self.buffers.buffer(number).is_full() {
            *self.buffers.buffer(number) = self.make_room(cx, number, combine)?;
        }
        self.buffers.push(number, key, value);
        cpu::prefetch_line(self.buffers.buffer(number).place(PREFETCHED_WRITES));
        Ok(())
    }

    /// Where merges go.
    pub(crate) fn buffers(&mut self) -> &mut WriteBuffers<K, V> {
        &mut self.buffers
    }

    /// The number of merges so far.
    fn merges(&self) -> usize {
        self.base + self.buffers.merges() as usize
    }

    /// Puts the full tail of a bucket to what waits there, which is worked off if it is much; the next tail.
    #[cold]
    #[inline(never)]
    pub(super) fn make_room(
        &mut self,
        cx: &Context,
        number: usize,
        combine: impl Combine<V>,
    ) -> Result<Slab<Row<K, V>>, Fault> {
        self.put_aside(number);
        if self.buffers.merges() > SPAN as u64 {
            self.count_anew();
        }
        let bucket = &mut self.buckets[number];
        if bucket.deferred() >= (partition_threshold(cx) / DEFERRED.0).max(DEFERRED.1 * bucket.entries.len())
        {
            bucket.drain(cx, &self.shared, combine, &mut self.free_list)?;
        }
        match self.free_list.take() {
            Some(slab) => Ok(slab),
            None => self.shared.slabs(cx, &mut self.free_list).map(Slab::emptied),
        }
    }

    /// Puts the tail of a bucket to what waits there.
    fn put_aside(&mut self, number: usize) {
        let rows = std::mem::replace(self.buffers.buffer(number), Slab::NONE);
        if !rows.is_none() {
            self.buckets[number].keep(Part { rows, base: self.base, segment: self.segment });
        }
    }

    /// Begins the next segment: what is merged from now on is combined with what was merged before it at last.
    pub(crate) fn begin_segment(&mut self) {
        self.count_anew();
        self.segment += 1;
    }

    /// Counts from the next merge on.
    fn count_anew(&mut self) {
        for number in 0..BUCKETS {
            self.put_aside(number);
        }
        self.base = self.merges();
        self.buffers.count_anew();
    }

    /// Merges what comes next, which is one segment, whose number is this one's.
    pub(crate) fn merge(
        &mut self,
        cx: &Context,
        mut next: RadixPartitions<K, V, H>,
        combine: impl Combine<V>,
    ) -> Result<(), Fault> {
        let (base, segment) = (self.merges(), self.segment);
        self.shared.release(std::mem::take(&mut next.free_list));
        let (mut deferred, mut keys) = (0, 0);
        for (number, bucket) in self.buckets.iter_mut().enumerate() {
            next.put_aside(number);
            let from = &mut next.buckets[number];
            from.defer_entries(cx, &self.shared, combine, SPAN)?;
            for part in from.take_parts() {
                bucket.keep(Part { base: base + part.base, segment, ..part });
            }
            deferred += bucket.deferred();
            keys += bucket.entries.len();
        }
        self.base += next.merges();
        if deferred >= (partition_threshold(cx) * JOINING.0).max(JOINING.1 * keys) {
            self.drain(cx, combine)?;
        }
        Ok(())
    }

    /// Combines all that waits.
    fn drain(&mut self, cx: &Context, combine: impl Combine<V>) -> Result<(), Fault> {
        for number in 0..BUCKETS {
            self.put_aside(number);
        }
        let shared = &self.shared;
        threads::each(cx, self.buckets.iter_mut().collect(), &|bucket: &mut Bucket<K, V, H>| {
            cx.poll()?;
            let mut free_list = FreeList::default();
            let drained = bucket.drain(cx, shared, combine, &mut free_list);
            shared.release(free_list);
            drained
        })
    }

    /// The keys and their values, in order of first insertion.
    pub(crate) fn into_columns(
        mut self,
        cx: &Context,
        combine: impl Combine<V>,
    ) -> Result<(Vec<K>, Vec<V>), Fault> {
        self.drain(cx, combine)?;
        let (shared, merges) = (self.shared.clone(), self.merges());
        drop(self.buffers);
        drop(self.free_list);
        shared.free(cx);
        let columns = super::finish::join(cx, self.buckets, merges, combine);
        shared.free(cx);
        columns
    }
}
