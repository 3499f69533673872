//! Tables of many keys: merges become rows of words, which the runtime's buckets take.
//!
//! A table whose keys are scalars that become one word or two, and whose values are scalars, may *wait*. Once it has many
//! keys, merges are no more looked up one by one. Compiled code writes each as a row to a block of the table, words of the key
//! first and the value behind them, and hands the block over when it is full. Buckets, the merging of segments and the
//! order in the end are those of emitted Rust; they call a compiled function to combine two values.

use std::any::Any;
use std::mem::ManuallyDrop;
use std::slice;

use weldment_runtime::builders::buckets::{Buckets, BySegment, Exactly, Held, Many, many};
use weldment_runtime::builders::latest::Latest;
use weldment_runtime::context::Context;
use weldment_runtime::copy::Heap;
use weldment_runtime::fault::Fault;
use weldment_runtime::key::{Key, WIDE};

use super::keys::{self, Packed};
use super::table::{Sizes, Table};
use crate::llvm::memory::Run;

/// `into op= from`, for two values in the layout of their type. What it gives means nothing.
pub(crate) type Combine = unsafe extern "C" fn(into: *mut u64, from: *const u64) -> i32;

/// How a table can wait.
pub(crate) struct Plan {
    pub(crate) combine: Combine,
    /// What becomes of the values of one key.
    pub(crate) holds: Holds,
    /// What the tables of a loop share.
    pub(crate) many: Many,
    /// The leaves of a key.
    pub(crate) leaves: Vec<Packed>,
    /// The words of a key.
    pub(crate) key_words: usize,
    /// Whether the words of a key are its memory.
    pub(crate) is_plain: bool,
}

/// What becomes of the values of one key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Holds {
    /// They are combined, segment by segment.
    BySegment,
    /// They are combined, and nobody can tell in which order.
    Exactly,
    /// The last one stays.
    Last,
}

/// From so many keys on, a table that keeps the last value of each waits: appending is faster than looking up.
const APPENDED: usize = 256;

/// The most words that a key and a value may have in a row.
pub(crate) const MOST_WORDS: [usize; 2] = [2, 4];

/// Rows in a block.
const ROWS: usize = 256;

/// Rows of a table that waits.
pub(super) struct Waiting {
    block: Vec<u64>,
    buckets: Box<dyn Rows>,
}

/// [`Buckets`] of any numbers of words.
trait Rows: Send {
    /// Merges what `rows` say.
    fn add(&mut self, cx: &Context, rows: &[u64]) -> Result<(), Fault>;

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

struct OfWords<K: Copy, const V: usize, H> {
    buckets: Buckets<K, [u64; V], H>,
    combine: Combine,
}

/// As a closure that the buckets take.
fn combining<const V: usize>(combine: Combine) -> impl Fn(&mut [u64; V], [u64; V]) + Copy + Sync {
    // SAFETY: both are values in the layout that the function was compiled for.
    move |into, from| unsafe {
        combine(into.as_mut_ptr(), from.as_ptr());
    }
}

impl<K: RowKey, const V: usize, H: Held<[u64; V]>> Rows for OfWords<K, V, H> {
    fn add(&mut self, cx: &Context, rows: &[u64]) -> Result<(), Fault> {
        let combine = combining(self.combine);
        pairs(rows).try_for_each(|(key, value)| self.buckets.add(cx, key, value, combine))
    }

    fn merge(&mut self, cx: &Context, next: Box<dyn Rows>) -> Result<(), Fault> {
        let next = next.into_any().downcast::<Self>().expect("tables of one nest have one type");
        self.buckets.merge(cx, next.buckets, combining(self.combine))
    }

    fn into_columns(self: Box<Self>, cx: &Context) -> Result<(Vec<u64>, Vec<u64>), Fault> {
        let (keys, values) = self.buckets.into_dict(cx, combining(self.combine))?.into_columns();
        Ok((K::flattened(keys), values.into_flattened()))
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}

struct LatestOfWords<K, const V: usize>(Latest<K, [u64; V]>);

/// The key and the value in each row of `rows`.
fn pairs<K: RowKey, const V: usize>(rows: &[u64]) -> impl Iterator<Item = (K, [u64; V])> {
    rows.chunks_exact(K::WORDS + V).map(|row| {
        let (key, value) = row.split_at(K::WORDS);
        (K::of(key), value.try_into().expect("a row ends with the words of a value"))
    })
}

impl<K: RowKey, const V: usize> Rows for LatestOfWords<K, V> {
    fn add(&mut self, cx: &Context, rows: &[u64]) -> Result<(), Fault> {
        pairs(rows).try_for_each(|(key, value)| self.0.add(cx, key, value))
    }

    fn merge(&mut self, cx: &Context, next: Box<dyn Rows>) -> Result<(), Fault> {
        let next = next.into_any().downcast::<Self>().expect("tables of one nest have one type");
        self.0.merge(cx, next.0)
    }

    fn into_columns(self: Box<Self>, cx: &Context) -> Result<(Vec<u64>, Vec<u64>), Fault> {
        let (keys, values) = self.0.into_columns(cx)?;
        Ok((K::flattened(keys), values.into_flattened()))
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}

fn rows<K: RowKey, const V: usize>(plan: &Plan) -> Box<dyn Rows> {
    let (many, combine) = (&plan.many, plan.combine);
    match plan.holds {
        Holds::Exactly => Box::new(OfWords::<K, V, Exactly<_>> { buckets: Buckets::beside(many), combine }),
        Holds::BySegment => {
            Box::new(OfWords::<K, V, BySegment<_>> { buckets: Buckets::beside(many), combine })
        }
        Holds::Last => Box::new(LatestOfWords::<K, V>(Latest::new())),
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
    /// Whether the upper half of the only word of a key is always 0.
    fn is_narrow(&self) -> bool {
        self.leaves.last().is_none_or(|leaf| leaf.end() <= u64::BITS / 2)
    }
}

impl Waiting {
    /// # Panics
    /// If there are more words than [`MOST_WORDS`]: then a table has no plan.
    fn new(plan: &Plan, value_words: usize) -> Waiting {
        let buckets = match plan.key_words {
            1 if plan.is_narrow() => rows_of::<u32>(plan, value_words),
            1 => rows_of::<Words<1>>(plan, value_words),
            2 => rows_of::<Words<2>>(plan, value_words),
            words => unreachable!("keys of {words} words"),
        };
        Waiting { block: vec![0; ROWS * (plan.key_words + value_words)], buckets }
    }
}

impl Table {
    /// Whether the table's keys have become many, so that it is to wait.
    pub(super) fn is_to_wait(&self, run: &Run<'_>) -> bool {
        let is_many = |plan: &Plan| match self.len {
            0 => plan.many.met(),
            len if plan.holds == Holds::Last => len as usize >= many(run.context).min(APPENDED),
            len => len as usize >= many(run.context),
        };
        self.waiting.is_none() && self.plan.as_ref().is_some_and(is_many)
    }

    /// Lets what is merged from now on wait, and what was merged before it.
    pub(super) fn wait(&mut self, run: &Run<'_>) -> Result<(), Fault> {
        let plan = self.plan.as_ref().expect("it waits by a plan");
        plan.many.meet();
        let value = self.sizes().value;
        self.waiting = Some(Waiting::new(plan, value.div_ceil(8)));
        self.begin_block();
        for entry in 0..self.len {
            let words = self.words_of(entry);
            let from = self.value(entry);
            // SAFETY: entries are below `len`, and a row has room for words and value.
            unsafe {
                let row = self.row(run, &words)?;
                row.copy_from_nonoverlapping(from, value);
            }
        }
        self.clear(run);
        Ok(())
    }

    /// A new row of the key with these `words`: where its value goes.
    pub(super) fn row(&mut self, run: &Run<'_>, words: &[u64]) -> Result<*mut u8, Fault> {
        if self.next == self.end {
            self.flush(run)?;
        }
        let size = words.len() + self.sizes().value.div_ceil(8);
        // SAFETY: the block has room for another row, since its size is a multiple of that of a row.
        unsafe {
            self.next.copy_from_nonoverlapping(words.as_ptr(), words.len());
            let value = self.next.add(words.len());
            self.next = self.next.add(size);
            Ok(value.cast())
        }
    }

    /// Hands the rows of the block over to the buckets, so that there is room for others.
    pub(super) fn flush(&mut self, run: &Run<'_>) -> Result<(), Fault> {
        let Some(waiting) = &mut self.waiting else { return Ok(()) };
        // SAFETY: what compiled code has written is the block up to `next`, which was initialised before.
        let rows = unsafe {
            let start = waiting.block.as_mut_ptr();
            slice::from_raw_parts(start, self.next.offset_from_unsigned(start))
        };
        waiting.buckets.add(run.context, rows)?;
        self.begin_block();
        Ok(())
    }

    fn begin_block(&mut self) {
        let Some(waiting) = &mut self.waiting else { return };
        let block = waiting.block.as_mut_ptr_range();
        (self.next, self.end) = (block.start, block.end);
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
            table.flush(run)?;
        }
        if let (Some(to), Some(from)) = (&mut self.waiting, from.waiting.take()) {
            to.buckets.merge(run.context, from.buckets)?;
        }
        Ok(true)
    }

    /// The words of the key of an entry.
    ///
    /// # Panics
    /// If the table has no plan.
    pub(super) fn words_of(&self, entry: u64) -> Vec<u64> {
        let plan = self.plan.as_ref().expect("only tables with a plan need to know");
        // SAFETY: a key of the plan's leaves is there.
        unsafe { keys::read(&plan.leaves, self.key(entry)) }
    }

    /// Makes of a table that waits one of entries, with an index if it is going to be searched.
    pub(super) fn settle(&mut self, run: &Run<'_>, is_searched: bool) -> Result<(), Fault> {
        self.flush(run)?;
        let (Some(waiting), Some(plan)) = (self.waiting.take(), &self.plan) else { return Ok(()) };
        let (words, values) = waiting.buckets.into_columns(run.context)?;
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
        (self.len, self.next, self.end) = (len as u64, std::ptr::null_mut(), std::ptr::null_mut());
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
