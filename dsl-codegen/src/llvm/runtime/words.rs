//! Tables of few words: what is merged by keys of scalars that become one word or two, into values of scalars.
//!
//! They are the tables of emitted Rust, over keys and values of words. Compiled code finds keys in their slots and inserts them by
//! itself, and once there are many keys it appends rows to the buffers of their partitions, see [`OpenSlots`]; what there is no room for
//! it leaves to [`merging`](super::merging). Values are combined by a compiled function.

use std::any::Any;
use std::mem::{ManuallyDrop, offset_of};
use std::slice;

use weldment_runtime::exec::context::Context;
use weldment_runtime::key::hash::{Key, WIDE};
use weldment_runtime::lang::fault::Fault;
use weldment_runtime::mem::heap::Heap;
use weldment_runtime::store::combine::Combine;
use weldment_runtime::store::partition::{
    BUFFER_LAYOUT, Exact, NoSlots, OpenSlots, Partial, PartitionedTable, Segmented, SharedPartitions,
};
use weldment_runtime::store::table::last_wins::LastWins;

use super::keys::{self, Packed};

/// `into op= from`, for two values in the layout of their type. What it gives means nothing.
pub(crate) type CombineFn = unsafe extern "C" fn(into: *mut u64, from: *const u64) -> i32;

/// What a table of words is told of its keys and values.
pub(crate) struct Plan {
    pub(crate) combine: CombineFn,
    /// What becomes of the values of one key.
    pub(crate) holds: Holds,
    /// If combining them is to add each word: the bits are set of words that are floats.
    pub(crate) sum: Option<u8>,
    /// What leaves values as they are, in words; of those of which the last one stays, anything.
    pub(crate) neutral: Vec<u64>,
    /// What the tables of a loop share.
    pub(crate) shared_partitions: SharedPartitions,
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
    Segmented,
    /// They are combined, and nobody can tell in which order.
    Exact,
    /// The last one stays.
    Last,
}

/// A table of any numbers of words.
pub(super) trait Rows: Send {
    /// Merges a value under a key.
    fn add(&mut self, cx: &Context, key: &[u64], value: &[u64]) -> Result<(), Fault>;

    /// Told that so many merges come.
    fn expect(&mut self, cx: &Context, merges: usize) -> Result<(), Fault>;

    /// Where compiled code merges by itself, until anything else is asked of this.
    fn open(&mut self, cx: &Context) -> OpenSlots;

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

/// A word of which the upper half is always 0: it takes less memory.
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

/// Values become one by a compiled function.
#[derive(Clone, Copy)]
struct Compiled(CombineFn);

impl<const V: usize> Combine<[u64; V]> for Compiled {
    #[inline(always)]
    fn combine(self, into: &mut [u64; V], from: [u64; V]) {
        // SAFETY: both are values in the layout that the function was compiled for.
        unsafe { self.0(into.as_mut_ptr(), from.as_ptr()) };
    }
}

/// Sums of words that are integers, without a call for each.
#[derive(Clone, Copy)]
struct IntegerSums;

impl<const V: usize> Combine<[u64; V]> for IntegerSums {
    #[inline(always)]
    fn combine(self, into: &mut [u64; V], from: [u64; V]) {
        into.iter_mut().zip(from).for_each(|(into, from)| *into = into.wrapping_add(from));
    }
}

/// Sums of words of which some are floats, those of the bits that are set, without a call for each.
#[derive(Clone, Copy)]
struct Sums {
    floats: u8,
}

impl<const V: usize> Combine<[u64; V]> for Sums {
    #[inline(always)]
    fn combine(self, into: &mut [u64; V], from: [u64; V]) {
        for (word, (into, from)) in into.iter_mut().zip(from).enumerate() {
            *into = match self.floats >> word & 1 {
                0 => into.wrapping_add(from),
                _ => (f64::from_bits(*into) + f64::from_bits(from)).to_bits(),
            };
        }
    }
}

struct OfWords<K: Copy, const V: usize, H: Copy, C> {
    table: PartitionedTable<K, [u64; V], H>,
    none: NoSlots<K, [u64; V]>,
    /// If segments are combined in order.
    neutral: Option<[u64; V]>,
    combine: C,
}

impl<K: RowKey, const V: usize, H: Partial<[u64; V]>, C: Combine<[u64; V]> + 'static> Rows
    for OfWords<K, V, H, C>
{
    fn add(&mut self, cx: &Context, key: &[u64], value: &[u64]) -> Result<(), Fault> {
        self.table.add(cx, K::of(key), value_of(value), self.combine)
    }

    fn expect(&mut self, cx: &Context, merges: usize) -> Result<(), Fault> {
        self.table.expect(cx, merges)
    }

    fn open(&mut self, cx: &Context) -> OpenSlots {
        self.table.open(cx, &mut self.none)
    }

    fn merge(&mut self, cx: &Context, next: Box<dyn Rows>) -> Result<(), Fault> {
        let next = next.into_any().downcast::<Self>().expect("tables of one nest have one type");
        match self.neutral {
            Some(neutral) => self.table.merge_segment(cx, next.table, neutral, self.combine),
            None => self.table.merge(cx, next.table, self.combine),
        }
    }

    fn into_columns(self: Box<Self>, cx: &Context) -> Result<(Vec<u64>, Vec<u64>), Fault> {
        let (keys, values) = self.table.into_columns(cx, self.combine)?;
        Ok((K::flattened(keys), values.into_flattened()))
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}

/// Slots in which no key is found.
fn no_slots<K: RowKey, const V: usize>() -> NoSlots<K, [u64; V]> {
    NoSlots::new(|word| K::of(&[word, 0][..K::WORDS]), [0; V])
}

/// The words that begin with these bytes, and end with zeros.
pub(super) fn words_of(bytes: &[u8]) -> impl Iterator<Item = u64> {
    let word = |bytes: &[u8]| {
        let mut word = [0; size_of::<u64>()];
        word[..bytes.len()].copy_from_slice(bytes);
        u64::from_ne_bytes(word)
    };
    bytes.chunks(size_of::<u64>()).map(word)
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
    none: NoSlots<K, [u64; V]>,
    block: Box<Block>,
}

impl<K: RowKey, const V: usize> LastWinsOfWords<K, V> {
    fn new() -> LastWinsOfWords<K, V> {
        LastWinsOfWords {
            latest: LastWins::new(),
            none: no_slots(),
            block: Box::new(Block::new(K::WORDS + V)),
        }
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

    fn expect(&mut self, cx: &Context, merges: usize) -> Result<(), Fault> {
        self.latest.expect(cx, merges)
    }

    fn open(&mut self, cx: &Context) -> OpenSlots {
        self.latest.open(cx, &mut self.none, (&raw mut *self.block).cast())
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
    fn combined<K: RowKey, const V: usize, H: Partial<[u64; V]>>(
        plan: &Plan,
        combine: impl Combine<[u64; V]> + 'static,
    ) -> Box<dyn Rows> {
        Box::new(OfWords::<K, V, H, _> {
            table: PartitionedTable::beside(&plan.shared_partitions),
            none: no_slots(),
            neutral: (plan.holds == Holds::Segmented).then(|| value_of(&plan.neutral)),
            combine,
        })
    }
    match (plan.holds, plan.sum) {
        (Holds::Exact, Some(_)) => combined::<K, V, Exact<_>>(plan, IntegerSums),
        (Holds::Exact, None) => combined::<K, V, Exact<_>>(plan, Compiled(plan.combine)),
        (Holds::Segmented, Some(floats)) => combined::<K, V, Segmented<_>>(plan, Sums { floats }),
        (Holds::Segmented, None) => combined::<K, V, Segmented<_>>(plan, Compiled(plan.combine)),
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
    /// A table of words without keys, with values of so many words.
    ///
    /// # Panics
    /// If there are more words than a packed key or value may have: then a table has no plan.
    pub(super) fn rows(&self, value_words: usize) -> Box<dyn Rows> {
        match self.key_words {
            1 if keys::is_narrow(&self.leaves) => rows_of::<u32>(self, value_words),
            1 => rows_of::<Words<1>>(self, value_words),
            2 => rows_of::<Words<2>>(self, value_words),
            words => unreachable!("keys of {words} words"),
        }
    }
}
