//! Tables of many keys: merges become rows of words, which the runtime's buckets take.
//!
//! A table whose keys are scalars that become one word or two, and whose values are scalars, may *wait*. Once it has many
//! keys, merges are no more looked up one by one. Compiled code appends each as a row to the tail of its bucket, see
//! [`BUFFER_LAYOUT`]; what there is no room for it leaves to this file. Buckets, the merging of segments and the order in the end are
//! those of emitted Rust; they call a compiled function to combine two values.

use std::any::Any;
use std::mem::{ManuallyDrop, offset_of};
use std::ptr::{self, NonNull};
use std::slice;

use weldment_runtime::exec::context::Context;
use weldment_runtime::key::hash::{Key, WIDE};
use weldment_runtime::lang::fault::Fault;
use weldment_runtime::mem::heap::Heap;
use weldment_runtime::store::partition::{
    BUFFER_LAYOUT, Exact, Partial, PartitionedTable, Segmented, SharedPartitions, partition_threshold,
};
use weldment_runtime::store::table::last_wins::LastWins;

use super::keys::{self, Packed};
use super::small::Parts;
use super::table::{Sizes, Table};
use crate::llvm::memory::Run;

/// `into op= from`, for two values in the layout of their type. What it gives means nothing.
pub(crate) type Combine = unsafe extern "C" fn(into: *mut u64, from: *const u64) -> i32;

/// How a table can wait.
pub(crate) struct Plan {
    pub(crate) combine: Combine,
    /// What becomes of the values of one key.
    pub(crate) holds: Holds,
    /// Whether combining them is to add each word: as integers if it is exact, else as floats.
    pub(crate) is_sum: bool,
    /// What the tables of a loop share.
    pub(crate) shared_partitions: SharedPartitions,
    /// The leaves of a key.
    pub(crate) leaves: Vec<Packed>,
    /// The words of a key.
    pub(crate) key_words: usize,
    /// Whether the words of a key are its memory.
    pub(crate) is_plain: bool,
}

impl Plan {
    /// What slots for values of so many bytes hold.
    pub(super) fn parts(&self, value: usize) -> Parts {
        Parts {
            key: self.key_words,
            is_narrow: keys::is_narrow(&self.leaves),
            value: value.div_ceil(size_of::<u64>()),
        }
    }
}

/// What becomes of the values of one key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holds {
    /// They are combined, segment by segment.
    Segmented,
    /// They are combined, and nobody can tell in which order.
    Exact,
    /// The last one stays.
    Last,
}

/// From so many keys on, a table that keeps the last value of each waits: appending is faster than looking up.
const APPENDED: usize = 256;

/// Rows of a table that waits: [`PartitionedTable`] of any numbers of words.
pub(super) trait Rows: Send {
    /// Merges a value under a key.
    fn add(&mut self, cx: &Context, key: &[u64], value: &[u64]) -> Result<(), Fault>;

    /// Where compiled code appends rows, or null.
    fn tails(&mut self) -> *mut u8;

    /// Merges the next segment, of the same type.
    fn merge(&mut self, cx: &Context, next: Box<dyn Rows>) -> Result<(), Fault>;

    /// The words of the keys and of the values, in order of first insertion.
    fn into_columns(self: Box<Self>, cx: &Context) -> Result<(Vec<u64>, Vec<u64>), Fault>;

    fn into_any(self: Box<Self>) -> Box<dyn Any>;
}

/// A key of words.
#[derive(Clone, Copy)]
#[repr(transparent)]
struct Words<const N: usize>([u64; N]);

impl<const N: usize> Heap for Words<N> {
    const HOLDS: bool = false;

    fn heap(&self) -> usize {
        0
    }
}

impl<const N: usize> Key for Words<N> {
    const BITS: u32 = if N == 1 { u64::BITS } else { WIDE };

    #[inline(always)]
    fn bits(&self) -> u64 {
        if N == 1 { self.0[0] } else { 0 }
    }

    #[inline(always)]
    fn hash_after(&self, state: u64) -> u64 {
        self.0.iter().fold(state, |state, word| word.hash_after(state))
    }

    #[inline(always)]
    fn same(&self, other: &Words<N>) -> bool {
        self.0 == other.0
    }
}

/// A key as the buckets have it.
trait RowKey: Key + Copy + Send + Sync + 'static {
    /// How many words compiled code has for it.
    const WORDS: usize;

    /// The key of these words.
    fn of(words: &[u64]) -> Self;

    /// The words of all keys.
    fn flattened(keys: Vec<Self>) -> Vec<u64>;
}

impl<const N: usize> RowKey for Words<N> {
    const WORDS: usize = N;

    #[inline(always)]
    fn of(words: &[u64]) -> Words<N> {
        Words(words.try_into().expect("a row begins with the words of a key"))
    }

    fn flattened(keys: Vec<Words<N>>) -> Vec<u64> {
        let mut keys = ManuallyDrop::new(keys);
        let (start, len, capacity) = (keys.as_mut_ptr(), keys.len(), keys.capacity());
        // SAFETY: this is the memory of a vector, which nobody else drops, and a key is laid out as its words.
        unsafe { Vec::from_raw_parts(start.cast::<[u64; N]>(), len, capacity) }.into_flattened()
    }
}

/// A word of which the upper half is always 0: what waits for long takes less memory.
impl RowKey for u32 {
    const WORDS: usize = 1;

    #[inline(always)]
    fn of(words: &[u64]) -> u32 {
        words[0] as u32
    }

    fn flattened(keys: Vec<u32>) -> Vec<u64> {
        keys.into_iter().map(u64::from).collect()
    }
}

/// How two values become one.
trait Combining: Copy + Send + Sync + 'static {
    fn combine<const V: usize>(self, into: &mut [u64; V], from: [u64; V]);
}

impl Combining for Combine {
    #[inline(always)]
    fn combine<const V: usize>(self, into: &mut [u64; V], from: [u64; V]) {
        // SAFETY: both are values in the layout that the function was compiled for.
        unsafe { self(into.as_mut_ptr(), from.as_ptr()) };
    }
}

/// Sums of words, without a call for each.
#[derive(Clone, Copy)]
struct IntegerSums;

impl Combining for IntegerSums {
    #[inline(always)]
    fn combine<const V: usize>(self, into: &mut [u64; V], from: [u64; V]) {
        into.iter_mut().zip(from).for_each(|(into, from)| *into = into.wrapping_add(from));
    }
}

/// Sums of the floats of 64 bits that words are, without a call for each.
#[derive(Clone, Copy)]
struct FloatSums;

impl Combining for FloatSums {
    #[inline(always)]
    fn combine<const V: usize>(self, into: &mut [u64; V], from: [u64; V]) {
        let sum = |a: u64, b: u64| (f64::from_bits(a) + f64::from_bits(b)).to_bits();
        into.iter_mut().zip(from).for_each(|(into, from)| *into = sum(*into, from));
    }
}

struct OfWords<K: Copy, const V: usize, H: Copy, C> {
    buckets: PartitionedTable<K, [u64; V], H>,
    combining: C,
}

/// As a closure that the buckets take.
fn combining<const V: usize, C: Combining>(combining: C) -> impl Fn(&mut [u64; V], [u64; V]) + Copy + Sync {
    move |into, from| combining.combine(into, from)
}

impl<K: RowKey, const V: usize, H: Partial<[u64; V]>, C: Combining> Rows for OfWords<K, V, H, C> {
    fn add(&mut self, cx: &Context, key: &[u64], value: &[u64]) -> Result<(), Fault> {
        self.buckets.add(cx, K::of(key), value_of(value), combining(self.combining))
    }

    fn tails(&mut self) -> *mut u8 {
        self.buckets.buffers().map_or(ptr::null_mut(), NonNull::as_ptr)
    }

    fn merge(&mut self, cx: &Context, next: Box<dyn Rows>) -> Result<(), Fault> {
        let next = next.into_any().downcast::<Self>().expect("tables of one nest have one type");
        self.buckets.merge(cx, next.buckets, combining(self.combining))
    }

    fn into_columns(self: Box<Self>, cx: &Context) -> Result<(Vec<u64>, Vec<u64>), Fault> {
        let (keys, values) = self.buckets.into_dict(cx, combining(self.combining))?.into_columns();
        Ok((K::flattened(keys), values.into_flattened()))
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}

fn value_of<const V: usize>(words: &[u64]) -> [u64; V] {
    words.try_into().expect("a value of as many words")
}

/// Rows that compiled code appends: the only tail that there is, without places.
#[repr(C)]
struct Block {
    merges: u64,
    start: *mut u64,
    len: usize,
    capacity: usize,
    rows: Vec<u64>,
}

/// Rows in a block.
const ROWS: usize = 256;

// SAFETY: the pointer is to the block's own rows.
unsafe impl Send for Block {}

const _: () = {
    let tail = BUFFER_LAYOUT.first;
    assert!(offset_of!(Block, merges) == BUFFER_LAYOUT.merges);
    assert!(offset_of!(Block, start) == tail + BUFFER_LAYOUT.rows);
    assert!(offset_of!(Block, len) == tail + BUFFER_LAYOUT.len);
    assert!(offset_of!(Block, capacity) == tail + BUFFER_LAYOUT.capacity);
};

impl Block {
    fn new(row_words: usize) -> Block {
        let mut rows = vec![0; ROWS * row_words];
        Block { merges: 0, start: rows.as_mut_ptr(), len: 0, capacity: ROWS, rows }
    }

    /// What was appended. It is forgotten.
    fn take(&mut self) -> &[u64] {
        let words = std::mem::take(&mut self.len) * (self.rows.len() / ROWS);
        // SAFETY: so many words of the block are initialised, all of them from the beginning.
        unsafe { slice::from_raw_parts(self.start, words) }
    }
}

struct LastWinsOfWords<K, const V: usize> {
    latest: LastWins<K, [u64; V]>,
    block: Box<Block>,
}

impl<K: RowKey, const V: usize> LastWinsOfWords<K, V> {
    fn new() -> LastWinsOfWords<K, V> {
        LastWinsOfWords { latest: LastWins::new(), block: Box::new(Block::new(K::WORDS + V)) }
    }

    fn flush(&mut self, cx: &Context) -> Result<(), Fault> {
        self.block.take().chunks_exact(K::WORDS + V).try_for_each(|row| {
            let (key, value) = row.split_at(K::WORDS);
            self.latest.add(cx, K::of(key), value_of(value))
        })
    }
}

impl<K: RowKey, const V: usize> Rows for LastWinsOfWords<K, V> {
    fn add(&mut self, cx: &Context, key: &[u64], value: &[u64]) -> Result<(), Fault> {
        self.flush(cx)?;
        self.latest.add(cx, K::of(key), value_of(value))
    }

    fn tails(&mut self) -> *mut u8 {
        (&raw mut *self.block).cast()
    }

    fn merge(&mut self, cx: &Context, next: Box<dyn Rows>) -> Result<(), Fault> {
        let mut next = next.into_any().downcast::<Self>().expect("tables of one nest have one type");
        self.flush(cx)?;
        next.flush(cx)?;
        self.latest.merge(cx, next.latest)
    }

    fn into_columns(mut self: Box<Self>, cx: &Context) -> Result<(Vec<u64>, Vec<u64>), Fault> {
        self.flush(cx)?;
        let (keys, values) = self.latest.into_columns(cx)?;
        Ok((K::flattened(keys), values.into_flattened()))
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}

fn rows<K: RowKey, const V: usize>(plan: &Plan) -> Box<dyn Rows> {
    fn buckets<K: RowKey, const V: usize, H: Partial<[u64; V]>, C: Combining>(
        plan: &Plan,
        combining: C,
    ) -> Box<dyn Rows> {
        Box::new(OfWords::<K, V, H, C> {
            buckets: PartitionedTable::beside(&plan.shared_partitions),
            combining,
        })
    }
    match (plan.holds, plan.is_sum) {
        (Holds::Exact, true) => buckets::<K, V, Exact<_>, _>(plan, IntegerSums),
        (Holds::Exact, false) => buckets::<K, V, Exact<_>, _>(plan, plan.combine),
        (Holds::Segmented, true) => buckets::<K, V, Segmented<_>, _>(plan, FloatSums),
        (Holds::Segmented, false) => buckets::<K, V, Segmented<_>, _>(plan, plan.combine),
        (Holds::Last, _) => Box::new(LastWinsOfWords::<K, V>::new()),
    }
}

fn rows_of<K: RowKey>(plan: &Plan, value_words: usize) -> Box<dyn Rows> {
    match value_words {
        1 => rows::<K, 1>(plan),
        2 => rows::<K, 2>(plan),
        3 => rows::<K, 3>(plan),
        4 => rows::<K, 4>(plan),
        words => unreachable!("values of {words} words"),
    }
}

impl Plan {
    /// Rows, of none yet, with values of so many words.
    ///
    /// # Panics
    /// If there are more words than [`MOST_WORDS`](super::small::MOST_WORDS): then a table has no plan.
    fn rows(&self, value_words: usize) -> Box<dyn Rows> {
        match self.key_words {
            1 if keys::is_narrow(&self.leaves) => rows_of::<u32>(self, value_words),
            1 => rows_of::<Words<1>>(self, value_words),
            2 => rows_of::<Words<2>>(self, value_words),
            words => unreachable!("keys of {words} words"),
        }
    }
}

impl Table {
    /// How many entries, of more than one, are not many yet.
    pub(super) fn tolerated(&self, run: &Run<'_>) -> u64 {
        let many = partition_threshold(run.context);
        let many = match self.plan.as_ref().map(|plan| plan.holds) {
            Some(Holds::Last) => many.min(APPENDED),
            _ => many,
        };
        (many as u64).saturating_sub(1)
    }

    /// Lets what is merged from now on wait, and what was merged before it, if keys have become many; for a table whose last
    /// merge made an entry.
    pub(crate) fn has_grown(&mut self, run: &Run<'_>) -> Result<(), Fault> {
        let has_met = self.plan.as_ref().is_some_and(|plan| plan.shared_partitions.met());
        let is_many = self.len > self.tolerated(run) || self.len == 1 && has_met;
        match self.waiting.is_none() && is_many {
            true => self.wait(run),
            false => Ok(()),
        }
    }

    fn wait(&mut self, run: &Run<'_>) -> Result<(), Fault> {
        self.lay_out_values(run)?;
        let plan = self.plan.as_ref().expect("it waits by a plan");
        plan.shared_partitions.meet();
        let size = self.sizes().value;
        let mut value = vec![0u64; size.div_ceil(8)];
        let (mut key, mut rows) = (vec![0; plan.key_words], plan.rows(value.len()));
        for entry in 0..self.len {
            self.words_of(entry, plan, &mut key);
            // SAFETY: entries are below `len`, and there is room for a value.
            unsafe { value.as_mut_ptr().cast::<u8>().copy_from_nonoverlapping(self.value(entry), size) };
            rows.add(run.context, &key, &value)?;
        }
        self.clear(run);
        self.tails = rows.tails();
        self.waiting = Some(rows);
        Ok(())
    }

    /// Merges a value, for whose row there is no room, under the key with these `words`.
    ///
    /// # Panics
    /// If the table does not wait.
    pub(crate) fn add(&mut self, run: &Run<'_>, words: &[u64], value: &[u64]) -> Result<(), Fault> {
        let rows = self.waiting.as_mut().expect("compiled code has seen that the table waits");
        rows.add(run.context, words, value)?;
        self.tails = rows.tails();
        Ok(())
    }

    /// Merges `from`, which is of the next segment, if one of the two waits; says whether one did.
    pub(super) fn merge_waiting(&mut self, run: &Run<'_>, from: &mut Table) -> Result<bool, Fault> {
        if self.waiting.is_none() && from.waiting.is_none() {
            return Ok(false);
        }
        for table in [&mut *self, &mut *from] {
            if table.waiting.is_none() {
                table.wait(run)?;
            }
        }
        if let (Some(to), Some(from)) = (&mut self.waiting, from.waiting.take()) {
            to.merge(run.context, from)?;
            self.tails = to.tails();
        }
        Ok(true)
    }

    /// Puts the words of the key of an entry to `words`.
    pub(super) fn words_of(&self, entry: u64, plan: &Plan, words: &mut [u64]) {
        assert!(entry < self.len, "an entry of the table");
        // SAFETY: a key of the plan's leaves is there.
        unsafe { keys::read(&plan.leaves, self.key(entry), words) };
    }

    /// Makes of a table with a plan one of entries, with an index if it is going to be searched.
    pub(super) fn finalize(&mut self, run: &Run<'_>, is_searched: bool) -> Result<(), Fault> {
        let Some(waiting) = self.waiting.take() else {
            self.lay_out_values(run)?;
            self.release_small(run);
            if let (true, Some(plan)) = (is_searched, &self.plan) {
                let mut words = vec![0; self.len as usize * plan.key_words];
                for (entry, key) in (0..).zip(words.chunks_exact_mut(plan.key_words)) {
                    self.words_of(entry, plan, key);
                }
                self.index_all(run, &words, plan.key_words)?;
            }
            return Ok(());
        };
        let Some(plan) = &self.plan else { return Ok(()) };
        let (words, values) = waiting.into_columns(run.context)?;
        let (key_words, Sizes { key, value }) = (plan.key_words, self.sizes());
        let len = words.len() / key_words;
        let value_words = value.div_ceil(8);
        let values = match value % 8 {
            0 => values,
            _ => packed(run, len, value, |at, entry| {
                let from: *const u64 = &values[entry * value_words];
                // SAFETY: a value has that size, and so has its place.
                unsafe { at.copy_from_nonoverlapping(from.cast(), value) }
            })?,
        };
        let unpacked = match plan.is_plain {
            true => None,
            false => Some(packed(run, len, key, |at, entry| {
                let words = &words[entry * key_words..][..key_words];
                // SAFETY: the place has the size of a key.
                plan.leaves.iter().for_each(|leaf| unsafe { leaf.unpack(words, at) });
            })?),
        };
        (self.len, self.tails) = (len as u64, ptr::null_mut());
        if is_searched {
            self.index_all(run, &words, key_words)?;
        }
        self.keys = run.adopt(unpacked.unwrap_or(words));
        self.values = run.adopt(values);
        Ok(())
    }
}

/// `len` elements of `size` bytes, each of which `fill` writes.
fn packed(run: &Run<'_>, len: usize, size: usize, fill: impl Fn(*mut u8, usize)) -> Result<Vec<u64>, Fault> {
    let words = (len * size).div_ceil(8);
    run.charge(8 * words as u64)?;
    let mut block = vec![0u64; words];
    let start = block.as_mut_ptr().cast::<u8>();
    (0..len).for_each(|entry| fill(start.wrapping_add(entry * size), entry));
    Ok(block)
}
