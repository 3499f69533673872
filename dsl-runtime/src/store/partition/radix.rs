//! Many keys: merges go to buckets by the top bits of their hash, and wait there until there are many.
//!
//! Merges keep their order on the way, and where a key was first merged is kept with it. When a segment is joined to those
//! before it, its merges wait beside theirs: what to combine first follows from the segment's number, see [`Partial`].
//! In the end all buckets are drained, on as many threads as there are, and joined in the order of their keys.

use crate::exec::context::Context;
use crate::exec::threads;
use crate::lang::fault::Fault;

use super::bucket::{Bucket, SLAB};
use super::columns::Columns;
use super::row::Unit;
use super::shared::{SharedPartitions, partition_threshold};
use super::slab::FreeList;
use super::table_type::TableType;
use super::write_combining::{BUCKETS, WriteBuffers};

/// How many merges are counted from one number: some more than these, before there is no room for a merge of some bucket.
const SPAN: usize = if cfg!(test) { 1 << 10 } else { 1 << 31 };

/// How many merges may wait in a bucket while one segment runs: this part of what makes keys many, or this multiple of the
/// bucket's keys. Then most of what is fetched of a bucket is used more than once.
const DEFERRED: (usize, usize) = (16, 8);

/// How many merges may wait in all when segments are joined: this multiple of what makes keys many, or of the keys.
const JOINING: (usize, usize) = (64, 4);

/// Keys and what is held of their values, in buckets.
#[derive(Debug)]
pub(crate) struct RadixPartitions {
    buffers: Box<WriteBuffers>,
    buckets: Vec<Bucket>,
    /// Slabs for the merges that come.
    free_list: FreeList,
    /// Where room comes from.
    shared: SharedPartitions,
    /// The number of merges before those that `buffers` counts.
    base: usize,
    /// The number of the segment whose merges come.
    segment: u32,
}

impl RadixPartitions {
    /// Nothing yet.
    pub(crate) fn new(shared: &SharedPartitions, types: &dyn TableType) -> RadixPartitions {
        let buckets = (0..BUCKETS).map(|_| Bucket::new(types.entry())).collect();
        shared.cut_slabs(SLAB * types.row().units() * size_of::<Unit>());
        RadixPartitions {
            buffers: WriteBuffers::new(types.row()),
            buckets,
            free_list: FreeList::default(),
            shared: shared.clone(),
            base: 0,
            segment: 0,
        }
    }

    /// Where merges go, each to the tail of its bucket.
    #[inline(always)]
    pub(crate) fn buffers(&mut self) -> &mut WriteBuffers {
        &mut self.buffers
    }

    /// The number of merges so far.
    fn merges(&self) -> usize {
        self.base + self.buffers.merges() as usize
    }

    /// Puts the full tail of a bucket to what is deferred there, which is drained if it is much, and begins another.
    #[cold]
    #[inline(never)]
    pub(crate) fn make_room(
        &mut self,
        cx: &Context,
        number: usize,
        types: &dyn TableType,
    ) -> Result<(), Fault> {
        self.put_aside(number);
        if self.buffers.merges() > SPAN as u64 {
            self.count_anew();
        }
        let bucket = &mut self.buckets[number];
        if bucket.deferred() >= (partition_threshold(cx) / DEFERRED.0).max(DEFERRED.1 * bucket.entries.len())
        {
            bucket.drain(cx, &self.shared, types, &mut self.free_list)?;
        }
        let slab = match self.free_list.take() {
            Some(slab) => slab,
            None => self.shared.slabs(cx, &mut self.free_list)?,
        };
        self.buffers.begin(number, slab);
        Ok(())
    }

    /// Puts the tail of a bucket to what waits there.
    fn put_aside(&mut self, number: usize) {
        if let Some(part) = self.buffers.take(number, self.base, self.segment) {
            self.buckets[number].keep(part);
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
        mut next: RadixPartitions,
        types: &dyn TableType,
    ) -> Result<(), Fault> {
        let (base, segment) = (self.merges(), self.segment);
        self.shared.release(std::mem::take(&mut next.free_list));
        let (mut deferred, mut keys) = (0, 0);
        for (number, bucket) in self.buckets.iter_mut().enumerate() {
            next.put_aside(number);
            let from = &mut next.buckets[number];
            from.defer_entries(cx, &self.shared, types, SPAN)?;
            for part in from.take_parts() {
                bucket.keep(part.moved(base, segment));
            }
            deferred += bucket.deferred();
            keys += bucket.entries.len();
        }
        self.base += next.merges();
        if deferred >= (partition_threshold(cx) * JOINING.0).max(JOINING.1 * keys) {
            self.drain(cx, types)?;
        }
        Ok(())
    }

    /// Combines all that waits.
    fn drain(&mut self, cx: &Context, types: &dyn TableType) -> Result<(), Fault> {
        for number in 0..BUCKETS {
            self.put_aside(number);
        }
        let shared = &self.shared;
        threads::each(cx, self.buckets.iter_mut().collect(), &|bucket: &mut Bucket| {
            cx.poll()?;
            let mut free_list = FreeList::default();
            let drained = bucket.drain(cx, shared, types, &mut free_list);
            shared.release(free_list);
            drained
        })
    }

    /// All keys and values, in order of first insertion.
    pub(crate) fn into_columns(mut self, cx: &Context, types: &dyn TableType) -> Result<Columns, Fault> {
        self.drain(cx, types)?;
        let merges = self.merges();
        let RadixPartitions { buffers, buckets, free_list, shared, .. } = self;
        drop((buffers, free_list));
        shared.free(cx);
        let keys = buckets.iter().map(|bucket| bucket.entries.len()).sum();
        let columns = Columns::new(cx, types.columns(), keys)?;
        super::finish::join(cx, &buckets, merges, types, &columns)?;
        drop(buckets);
        shared.free(cx);
        Ok(columns)
    }
}
