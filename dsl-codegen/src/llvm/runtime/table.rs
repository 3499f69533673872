//! Dictionaries of compiled programs: entries in order of first insertion, found by their keys' words.
//!
//! Compiled code knows the types, this file only sizes. Keys and values stand in two dense arrays, in the layout
//! of their types. A key of scalars is packed by compiled code into 64-bit *words*, in which equal keys are equal
//! bits: 0.0 and −0.0 are one pattern, and so are all NaNs. A key that holds vectors is hashed and
//! compared here: a vector of integers as bytes, any other through its type.
//!
//! A table with a plan is one of [`words`](super::words) while it is merged into.

use std::ptr;

use weldment_runtime::key::hash::{Key, Short};
use weldment_runtime::lang::fault::{Fault, FaultKind, Position};
use weldment_runtime::lang::types::Type;
use weldment_runtime::store::partition::OpenSlots;
use weldment_runtime::store::spread;

use super::arena::Arena;
use super::compare::{self, RawVec};
use super::dense::{self, DenseKeys};
use super::keys;
use super::short_keys::ShortKeyIndex;
use super::slots::{self, NOTHING, Probe, Slot, probe};
use super::words::{Plan, Rows};
use crate::llvm::memory::Run;

/// How keys are recognised.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum KeyShape {
    /// One word of at most so many bits, which index an array of slots.
    Direct(u32),
    /// This many words.
    Words(usize),
    /// A vector of integers of this many bytes each.
    Bytes(usize),
    /// Through the type.
    Deep(Type),
}

impl KeyShape {
    /// How keys of type `ty` are recognised by an index.
    pub(crate) fn of(ty: &Type) -> KeyShape {
        match (keys::word_count(ty), ty.element().and_then(compare::size_in_bytes)) {
            (Some(number), _) => KeyShape::Words(number),
            (None, Some(size)) => KeyShape::Bytes(size),
            (None, None) => KeyShape::Deep(ty.clone()),
        }
    }
}

/// The sizes of what a table holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sizes {
    pub(crate) key: usize,
    pub(crate) value: usize,
}

/// A dictionary. Compiled code reads the fields before `sizes`.
#[repr(C)]
pub(crate) struct Table {
    /// The number of entries.
    pub(crate) len: u64,
    /// The keys.
    pub(crate) keys: *mut u8,
    /// The values.
    pub(crate) values: *mut u8,
    /// Of a direct table, by word: 0, or 1 more than the entry's number.
    pub(crate) direct: *mut u32,
    /// Whether the last call of `entry` made a new entry.
    pub(crate) fresh: u8,
    /// Of any other, where its index begins, ...
    pub(crate) index: *const Slot,
    /// ... and what a hash becomes a place there with: 1 less than their number.
    pub(crate) mask: u64,
    /// The index of keys of few bytes.
    pub(crate) short_keys: ShortKeyIndex,
    /// Of a table that is searched, what is known of keys that lie close together.
    pub(crate) close: DenseKeys,
    /// Of a table with a plan, where compiled code merges by itself.
    pub(crate) open: OpenSlots,
    /// What such a table is told of its keys and values, and what they are merged into.
    pub(super) plan: Option<Plan>,
    pub(super) rows: Option<Box<dyn Rows>>,
    sizes: Sizes,
    shape: KeyShape,
    key_bytes: Vec<Word>,
    value_bytes: Vec<Word>,
    direct_slots: Vec<u32>,
    /// An open-addressing index of a power of two, or nothing as long as it is empty.
    slots: Vec<Slot>,
    /// The words of all keys, if a key has not just one.
    words: Vec<u64>,
    /// The elements of keys that are vectors of integers.
    bytes: Arena,
    /// What a new value begins as.
    neutral: Vec<u8>,
}

/// Of a table without a plan.
const CLOSED: OpenSlots = OpenSlots {
    slots: ptr::null_mut(),
    mask: 0,
    order: ptr::null_mut(),
    len: ptr::null_mut(),
    room: 0,
    buffers: ptr::null_mut(),
};

/// Storage that is aligned as every scalar needs it.
type Word = u64;

// SAFETY: the pointers are into the table's own storage.
unsafe impl Send for Table {}
// SAFETY: as above; a table that several threads see is not changed.
unsafe impl Sync for Table {}

impl Table {
    /// An empty table. New values begin as `neutral` (of the value's size), or as zeros. It may wait if there is a plan.
    pub(crate) fn new(
        run: &Run<'_>,
        shape: KeyShape,
        sizes: Sizes,
        neutral: &[u8],
        plan: Option<Plan>,
    ) -> Result<Table, Fault> {
        let mut rows = plan.as_ref().map(|plan| plan.rows(sizes.value.div_ceil(size_of::<Word>())));
        let mut table = Table {
            len: 0,
            keys: ptr::NonNull::<Word>::dangling().as_ptr().cast(),
            values: ptr::NonNull::<Word>::dangling().as_ptr().cast(),
            direct: ptr::null_mut(),
            fresh: 0,
            index: &NOTHING,
            mask: 0,
            short_keys: ShortKeyIndex::default(),
            close: DenseKeys::default(),
            open: rows.as_mut().map_or(CLOSED, |rows| rows.open(run.context)),
            plan,
            rows,
            sizes,
            shape,
            key_bytes: Vec::new(),
            value_bytes: Vec::new(),
            direct_slots: Vec::new(),
            slots: Vec::new(),
            words: Vec::new(),
            bytes: Arena::default(),
            neutral: neutral.to_vec(),
        };
        if let KeyShape::Direct(bits) = table.shape {
            run.charge(4 << bits)?;
            table.direct_slots = vec![0; 1 << bits];
            table.direct = table.direct_slots.as_mut_ptr();
        }
        Ok(table)
    }

    /// Whether this is what [`Table::new`] would give without a plan, apart from its entries.
    pub(crate) fn is_made_of(&self, shape: &KeyShape, sizes: Sizes, neutral: &[u8]) -> bool {
        self.shape == *shape && self.sizes == sizes && self.neutral == neutral && self.plan.is_none()
    }

    /// The number of the entry of `key`.
    ///
    /// # Safety
    /// `key` points to a key of the table's type, and `words` are its words (any, if it has none).
    pub(crate) unsafe fn find(&self, words: &[u64], key: *const u8) -> Option<u64> {
        if let KeyShape::Direct(_) = self.shape {
            return match self.direct_slots.get(words[0] as usize) {
                Some(&entry) => (entry as u64).checked_sub(1),
                None => None,
            };
        }
        // SAFETY: as the caller promises.
        if let Some(short) = unsafe { self.short(key) } {
            return self.short_keys.find(&short);
        }
        // SAFETY: as the caller promises.
        match unsafe { self.search(words, key).1 } {
            Probe::Found(entry) => Some(entry),
            Probe::Free(_) => None,
        }
    }

    /// Enters all keys, whose words are `words`, into an index.
    pub(super) fn index_all(&mut self, run: &Run<'_>, words: &[u64], key_words: usize) -> Result<(), Fault> {
        if key_words == 1 {
            self.close = DenseKeys::of(run, words)?;
            if self.close.kind == dense::DENSE {
                return Ok(());
            }
        }
        let mut slots = slots::empty(run, spread(slots::number_for(self.len), size_of::<Slot>()))?;
        for (entry, words) in (1..).zip(words.chunks_exact(key_words)) {
            let tag = if let [word] = words { *word } else { slots::hash(words) };
            slots::enter(&mut slots, Slot { tag, entry }, self.hash_of(tag));
        }
        self.search_in(slots);
        Ok(())
    }

    fn search_in(&mut self, slots: Vec<Slot>) {
        (self.index, self.mask) = (slots.as_ptr(), slots.len() as u64 - 1);
        self.slots = slots;
    }

    /// The number of the entry of `key`, which is made if it is missing; `fresh` tells.
    ///
    /// # Safety
    /// As for [`Table::find`].
    pub(crate) unsafe fn entry(
        &mut self,
        run: &Run<'_>,
        words: &[u64],
        key: *const u8,
    ) -> Result<u64, Fault> {
        self.fresh = 0;
        if let KeyShape::Direct(_) = self.shape {
            let word = words[0] as usize;
            if self.direct_slots[word] == 0 {
                // SAFETY: as the caller promises.
                let entry = unsafe { self.push(run, words, key)? };
                self.direct_slots[word] = entry as u32 + 1;
                return Ok(entry);
            }
            return Ok(self.direct_slots[word] as u64 - 1);
        }
        // SAFETY: as the caller promises.
        let short = unsafe { self.short(key) };
        if let Some(short) = short {
            // SAFETY: as the caller promises.
            return unsafe { self.short_entry(run, words, key, &short) };
        }
        if self.len - self.short_keys.len() >= slots::limit(self.slots.len()) {
            self.widen(run)?;
        }
        // SAFETY: as the caller promises.
        match unsafe { self.search(words, key) } {
            (_, Probe::Found(entry)) => Ok(entry),
            (tag, Probe::Free(slot)) => {
                // SAFETY: as the caller promises.
                let entry = unsafe { self.push(run, words, key)? };
                self.slots[slot] = Slot { tag, entry: entry + 1 };
                Ok(entry)
            }
        }
    }

    /// The number of the entry of a key of few bytes, which is made if it is missing; `fresh` tells.
    ///
    /// # Safety
    /// As for [`Table::find`].
    unsafe fn short_entry(
        &mut self,
        run: &Run<'_>,
        words: &[u64],
        key: *const u8,
        short: &Short,
    ) -> Result<u64, Fault> {
        if let Some(entry) = self.short_keys.find(short) {
            return Ok(entry);
        }
        self.short_keys.charge(run)?;
        // SAFETY: as the caller promises.
        let entry = unsafe { self.push(run, words, key)? };
        self.short_keys.insert(short, entry);
        Ok(entry)
    }

    /// Where the key of an entry stands.
    pub(crate) fn key(&self, entry: u64) -> *mut u8 {
        self.keys.wrapping_add(entry as usize * self.sizes.key)
    }

    /// Where the value of an entry stands.
    pub(crate) fn value(&self, entry: u64) -> *mut u8 {
        self.values.wrapping_add(entry as usize * self.sizes.value)
    }

    /// Gives up all entries, and keeps the room for others.
    pub(crate) fn empty(&mut self, run: &Run<'_>) {
        self.bytes.empty(run);
        self.short_keys.empty();
        self.slots.fill(Slot::default());
        self.direct_slots.fill(0);
        self.words.clear();
        self.len = 0;
    }

    /// Gives up all entries, and their memory.
    pub(crate) fn clear(&mut self, run: &Run<'_>) {
        self.bytes.clear(run);
        let slots =
            self.slots.capacity() * size_of::<Slot>() + self.direct_slots.capacity() * size_of::<u32>();
        let words = self.key_bytes.capacity() + self.value_bytes.capacity() + self.words.capacity();
        let short_keys = std::mem::take(&mut self.short_keys).room();
        run.discharge((slots + short_keys + words * size_of::<u64>() + self.close.room()) as u64);
        self.close = DenseKeys::default();
        (self.key_bytes, self.value_bytes, self.words) = (Vec::new(), Vec::new(), Vec::new());
        (self.slots, self.index, self.mask, self.len) = (Vec::new(), &NOTHING, 0, 0);
        (self.direct_slots, self.direct) = (Vec::new(), ptr::null_mut());
    }

    /// The sizes of keys and values.
    pub(crate) fn sizes(&self) -> Sizes {
        self.sizes
    }
}

impl Table {
    /// What tells a key of few bytes from others.
    ///
    /// # Safety
    /// As for [`Table::find`].
    unsafe fn short(&self, key: *const u8) -> Option<Short> {
        let KeyShape::Bytes(size) = self.shape else { return None };
        // SAFETY: as the caller promises.
        unsafe { RawVec::read(key).bytes(size) }.short()
    }

    /// What a key has in its slot, and where that is. Each shape has a search of its own.
    ///
    /// # Safety
    /// As for [`Table::find`].
    #[inline(always)]
    unsafe fn search(&self, words: &[u64], key: *const u8) -> (u64, Probe) {
        match &self.shape {
            KeyShape::Words(1) => (words[0], probe(&self.slots, words[0], slots::hash(words), |_| true)),
            KeyShape::Direct(_) | KeyShape::Words(_) => {
                let hash = slots::hash(words);
                let start = |entry: u64| entry as usize * words.len();
                let is_key = |entry| self.words[start(entry)..][..words.len()] == *words;
                (hash, probe(&self.slots, hash, hash, is_key))
            }
            KeyShape::Bytes(size) => {
                // SAFETY: as the caller promises; entries hold keys of this type.
                let bytes = |key: *const u8| unsafe { RawVec::read(key).bytes(*size) };
                let key = bytes(key);
                let hash = key.hash();
                (hash, probe(&self.slots, hash, hash, |entry| bytes(self.key(entry)).same(key)))
            }
            KeyShape::Deep(ty) => {
                // SAFETY: as the caller promises; entries hold keys of this type.
                let hash = unsafe { compare::hash(ty, key) };
                let is_key = |entry| unsafe { compare::same_key(ty, self.key(entry), key) };
                (hash, probe(&self.slots, hash, hash, is_key))
            }
        }
    }

    /// The hash of a key that has this in its slot.
    fn hash_of(&self, tag: u64) -> u64 {
        match self.shape {
            KeyShape::Words(1) => slots::hash(&[tag]),
            _ => tag,
        }
    }

    /// # Safety
    /// As for [`Table::find`].
    unsafe fn push(&mut self, run: &Run<'_>, words: &[u64], key: *const u8) -> Result<u64, Fault> {
        let entry = self.len;
        if !has_room(&self.key_bytes, entry as usize + 1, self.sizes.key) {
            let more = grow(&mut self.key_bytes, run, entry as usize + 1, self.sizes.key);
            self.keys = self.key_bytes.as_mut_ptr().cast();
            more?;
        }
        if !has_room(&self.value_bytes, entry as usize + 1, self.sizes.value) {
            let more = grow(&mut self.value_bytes, run, entry as usize + 1, self.sizes.value);
            self.values = self.value_bytes.as_mut_ptr().cast();
            more?;
        }
        if matches!(self.shape, KeyShape::Words(number) if number != 1) {
            self.extend_words(run, words)?;
        }
        // SAFETY: there is room for another key and another value, which overlap nothing; `key` points to a key.
        unsafe {
            ptr::copy_nonoverlapping(key, self.key(entry), self.sizes.key);
            if self.neutral.is_empty() {
                ptr::write_bytes(self.value(entry), 0, self.sizes.value);
            } else {
                ptr::copy_nonoverlapping(self.neutral.as_ptr(), self.value(entry), self.sizes.value);
            }
        }
        if let KeyShape::Bytes(size) = self.shape {
            // SAFETY: as the caller promises, and the copy of the key is the entry's.
            unsafe {
                let vector = RawVec::read(key);
                let elements = self.bytes.copy(run, vector.bytes(size))?;
                RawVec { elements, ..vector }.write(self.key(entry));
            }
        }
        self.len += 1;
        self.fresh = 1;
        Ok(entry)
    }

    fn extend_words(&mut self, run: &Run<'_>, words: &[u64]) -> Result<(), Fault> {
        if self.words.capacity() - self.words.len() < words.len() {
            let more = self.words.capacity().max(4 * words.len());
            run.charge((more * size_of::<u64>()) as u64)?;
            self.words.try_reserve_exact(more).map_err(|_| out_of_memory())?;
        }
        self.words.extend_from_slice(words);
        Ok(())
    }

    /// Makes the index larger.
    #[cold]
    fn widen(&mut self, run: &Run<'_>) -> Result<(), Fault> {
        let mut slots = slots::empty(run, (2 * self.slots.len()).max(slots::number_for(0)))?;
        let taken = self.slots.iter().filter(|slot| slot.entry != 0);
        taken.for_each(|&old| slots::enter(&mut slots, old, self.hash_of(old.tag)));
        run.discharge((self.slots.len() * size_of::<Slot>()) as u64);
        self.search_in(slots);
        Ok(())
    }
}

fn has_room(bytes: &[Word], entries: usize, size: usize) -> bool {
    size_of_val(bytes) >= entries * size
}

/// Makes room for so many keys or values of `size` bytes each.
#[cold]
fn grow(bytes: &mut Vec<Word>, run: &Run<'_>, wanted: usize, size: usize) -> Result<(), Fault> {
    let words = (wanted.next_power_of_two().max(8) * size).div_ceil(size_of::<Word>());
    let more = words.saturating_sub(bytes.len());
    run.charge((more * size_of::<Word>()) as u64)?;
    bytes.try_reserve_exact(more).map_err(|_| out_of_memory())?;
    bytes.resize(bytes.len() + more, 0);
    Ok(())
}

#[cold]
pub(super) fn out_of_memory() -> Fault {
    Fault::new(FaultKind::MemoryLimit, "a table cannot grow", Position::default())
}
