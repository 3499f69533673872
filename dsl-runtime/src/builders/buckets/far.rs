//! Many keys: merges go to buckets by the top bits of their hash, and wait there until there are many.
//!
//! Merges keep their order on the way, and where a key was first merged is kept with it. When a segment is joined to those
//! before it, its merges wait beside theirs: what to combine first is told by the segment's number, see [`Held`].
//! In the end all buckets are worked off, on as many threads as there are, and joined in the order of their keys.

use crate::context::Context;
use crate::cpu;
use crate::fault::Fault;
use crate::key::Key;
use crate::pool;

use super::bucket::{Bucket, Part, Room, Row};
use super::chunk::{Chunk, Spare};
use super::held::Held;
use super::near::Near;
use super::tails::Tails;
use super::{Many, many};

/// As many buckets as a core can write to at a time.
pub(super) const BUCKET_BITS: u32 = if cfg!(miri) { 2 } else { 9 };
pub(super) const BUCKETS: usize = 1 << BUCKET_BITS;

/// How many merges are counted from one number: some more than these, before there is no room for a merge of some bucket.
const SPAN: usize = if cfg!(test) { 1 << 10 } else { 1 << 31 };

/// How many chunks are taken at a time.
const TAKEN: usize = 16;

/// How many rows ahead of the one that is written the memory is asked for room.
pub const WRITTEN_AHEAD: usize = 8;

/// How many merges may wait in a bucket while one segment runs: this part of what makes keys many, or this multiple of the
/// bucket's keys. Then most of what is fetched of a bucket is used more than once.
const WAITING: (usize, usize) = (16, 8);

/// How many merges may wait in all when segments are joined: this multiple of what makes keys many, or of the keys.
const JOINING: (usize, usize) = (64, 4);

/// Keys and what is held of their values, in buckets.
#[derive(Debug)]
pub(super) struct Far<K: Copy, V: Copy, H: Copy> {
    tails: Box<Tails<K, V>>,
    buckets: Vec<Bucket<K, V, H>>,
    /// Chunks for the merges that come.
    spare: Spare,
    /// Where room comes from.
    many: Many,
    /// The number of merges before those that `tails` counts.
    base: usize,
    /// The number of the segment whose merges come.
    segment: u32,
}

#[inline(always)]
fn bucket_of<K: Key>(key: &K) -> usize {
    (key.hash() >> (64 - BUCKET_BITS)) as usize
}

impl<K, V, H> Far<K, V, H>
where
    K: Key + Copy + Send + Sync + 'static,
    V: Copy + Send + Sync + 'static,
    H: Held<V>,
{
    /// Nothing yet.
    pub(super) fn new(many: &Many) -> Far<K, V, H> {
        let buckets = std::iter::repeat_with(Bucket::new).take(BUCKETS).collect();
        Far { tails: Tails::new(), buckets, spare: Spare::default(), many: many.clone(), base: 0, segment: 0 }
    }

    /// The keys and values of `near`.
    pub(super) fn of(cx: &Context, near: &Near<K, V>, many: &Many) -> Result<Far<K, V, H>, Fault> {
        let mut far = Far::new(many);
        for slot in near.in_order() {
            far.add(cx, slot.key, slot.value, |_, _| unreachable!("keys are different"))?;
        }
        Ok(far)
    }

    /// Merges `value` under `key`, at some time.
    #[inline(always)]
    pub(super) fn add(
        &mut self,
        cx: &Context,
        key: K,
        value: V,
        combine: impl Fn(&mut V, V) + Copy,
    ) -> Result<(), Fault> {
        let number = bucket_of(&key);
        if self.tails.tail(number).is_full() {
            *self.tails.tail(number) = self.make_room(cx, number, combine)?;
        }
        self.tails.push(number, key, value);
        cpu::ask(self.tails.tail(number).place(WRITTEN_AHEAD));
        Ok(())
    }

    /// Where merges go.
    pub(super) fn tails(&mut self) -> &mut Tails<K, V> {
        &mut self.tails
    }

    /// The number of merges so far.
    fn merges(&self) -> usize {
        self.base + self.tails.merges() as usize
    }

    /// Puts the full tail of a bucket to what waits there, which is worked off if it is much; the next tail.
    #[cold]
    #[inline(never)]
    fn make_room(
        &mut self,
        cx: &Context,
        number: usize,
        combine: impl Fn(&mut V, V) + Copy,
    ) -> Result<Chunk<Row<K, V>>, Fault> {
        self.put_aside(number);
        if self.tails.merges() > SPAN as u64 {
            self.count_anew();
        }
        let bucket = &mut self.buckets[number];
        if bucket.waiting() >= (many(cx) / WAITING.0).max(WAITING.1 * bucket.entries.len()) {
            work_off(bucket, cx, &self.many, combine, &mut self.spare)?;
        }
        if let Some(chunk) = self.spare.take() {
            return Ok(chunk);
        }
        self.many.with(|room: &mut Room<K, V, H>| {
            room.slabs.fill(cx, &mut self.spare, TAKEN)?;
            room.slabs.chunk(cx)
        })
    }

    /// Puts the tail of a bucket to what waits there.
    fn put_aside(&mut self, number: usize) {
        let rows = std::mem::replace(self.tails.tail(number), Chunk::NONE);
        if !rows.is_none() {
            self.buckets[number].keep(Part { rows, base: self.base, segment: self.segment });
        }
    }

    /// Begins the next segment: what is merged from now on is combined with what was merged before it at last.
    pub(super) fn begin_segment(&mut self) {
        self.count_anew();
        self.segment += 1;
    }

    /// Counts from the next merge on.
    fn count_anew(&mut self) {
        (0..BUCKETS).for_each(|number| self.put_aside(number));
        self.base = self.merges();
        self.tails.count_anew();
    }

    /// Merges what comes next, which is one segment, whose number is this one's.
    pub(super) fn merge(
        &mut self,
        cx: &Context,
        mut next: Far<K, V, H>,
        combine: impl Fn(&mut V, V) + Copy + Sync,
    ) -> Result<(), Fault> {
        let (base, segment) = (self.merges(), self.segment);
        let spare = std::mem::take(&mut next.spare);
        self.many.with(|room: &mut Room<K, V, H>| {
            room.slabs.leave(spare);
            for (number, bucket) in self.buckets.iter_mut().enumerate() {
                next.put_aside(number);
                let from = &mut next.buckets[number];
                from.entries_wait(cx, SPAN, combine, &mut room.slabs)?;
                for part in from.take_parts() {
                    bucket.keep(Part { base: base + part.base, segment, ..part });
                }
            }
            Ok(())
        })?;
        self.base += next.merges();
        let waiting: usize = self.buckets.iter().map(Bucket::waiting).sum();
        let keys: usize = self.buckets.iter().map(|bucket| bucket.entries.len()).sum();
        if waiting >= (many(cx) * JOINING.0).max(JOINING.1 * keys) {
            self.work_off(cx, combine)?;
        }
        Ok(())
    }

    /// Combines all that waits.
    fn work_off(&mut self, cx: &Context, combine: impl Fn(&mut V, V) + Copy + Sync) -> Result<(), Fault> {
        (0..BUCKETS).for_each(|number| self.put_aside(number));
        let many = &self.many;
        pool::each(cx, self.buckets.iter_mut().collect(), &|bucket: &mut Bucket<K, V, H>| {
            cx.poll()?;
            let mut spare = Spare::default();
            let worked_off = work_off(bucket, cx, many, combine, &mut spare);
            many.with(|room: &mut Room<K, V, H>| room.slabs.leave(spare));
            worked_off
        })
    }

    /// The keys and their values, in order of first insertion.
    pub(super) fn into_columns(
        mut self,
        cx: &Context,
        combine: impl Fn(&mut V, V) + Copy + Sync,
    ) -> Result<(Vec<K>, Vec<V>), Fault> {
        self.work_off(cx, combine)?;
        let (many, merges) = (self.many.clone(), self.merges());
        drop(self.tails);
        drop(self.spare);
        many.with(|room: &mut Room<K, V, H>| room.free(cx));
        let columns = super::join::join(cx, self.buckets, merges, combine);
        many.with(|room: &mut Room<K, V, H>| room.free(cx));
        columns
    }
}

/// Combines what waits in a bucket.
fn work_off<K, V, H>(
    bucket: &mut Bucket<K, V, H>,
    cx: &Context,
    many: &Many,
    combine: impl Fn(&mut V, V) + Copy,
    spare: &mut Spare,
) -> Result<(), Fault>
where
    K: Key + Copy + Send + Sync + 'static,
    V: Copy + Send + Sync + 'static,
    H: Held<V>,
{
    let mut lookup = many.with(Room::<K, V, H>::lookup);
    let chunk = || many.with(|room: &mut Room<K, V, H>| room.slabs.chunk(cx));
    let worked_off = bucket.work_off(cx, &mut lookup, combine, spare, chunk);
    many.with(|room: &mut Room<K, V, H>| room.done(lookup));
    worked_off
}
