//! Dictionaries of compiled programs: entries in order of first insertion, found by their keys' words.
//!
//! Compiled code knows the types, this file only sizes. Keys and values stand in two dense arrays, in the layout
//! of their types. A key of scalars is packed into 64-bit *words*, in which equal keys are equal
//! bits: 0.0 and −0.0 are one pattern, and so are all NaNs. A vector of integers is hashed and compared as bytes, any
//! other key through its type.
//!
//! A table with a plan is one of [`words`](super::words) while it is merged into, see [`merging`](super::merging).

use std::ptr;

use weldment_runtime::exec::cpu::PREFETCHED_ROWS;
use weldment_runtime::key::hash::{Key, SEED, Short};
use weldment_runtime::lang::fault::Fault;
use weldment_runtime::lang::types::Type;
use weldment_runtime::mem::budget::Charge;
use weldment_runtime::mem::vec::{filled, reserve_anew};
use weldment_runtime::store::partition::OpenSlots;
use weldment_runtime::store::table::dense::{CloseKeys, Range};
use weldment_runtime::store::table::open::{Entry, OpenIndex, Places};
use weldment_runtime::store::table::short_keys::Place;
use weldment_runtime::store::table::tagged::{MOST_KEYS, Tagged};

use super::arena::Arena;
use super::compare::{self, RawVec};
use super::keys::{self, Packed};
use super::words::{Plan, Rows};

/// How keys are recognised.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum KeyShape {
    /// As a word of at most so many bits, which index an array of slots.
    Direct(u32, Vec<Packed>),
    /// As words.
    Words(Vec<Packed>),
    /// A vector of integers of this many bytes each, or a text.
    Bytes(usize),
    /// Through the type.
    Deep(Type),
}

impl KeyShape {
    /// How keys of type `ty` are recognised by an index.
    pub(crate) fn of(ty: &Type) -> KeyShape {
        match (keys::pack(ty), compare::size_of_elements(ty)) {
            (Some(packed), _) => KeyShape::Words(packed),
            (None, Some(size)) => KeyShape::Bytes(size),
            (None, None) => KeyShape::Deep(ty.clone()),
        }
    }

    /// The hash of the key at `place`.
    ///
    /// # Safety
    /// It is one of these.
    unsafe fn hash(&self, place: *const u8) -> u64 {
        // SAFETY: as the caller promises.
        unsafe {
            match self {
                KeyShape::Direct(_, packed) | KeyShape::Words(packed) => keys::hash(packed, place),
                KeyShape::Bytes(size) => RawVec::read(place).bytes(*size).hash(),
                KeyShape::Deep(ty) => compare::hash(ty, place),
            }
        }
    }

    /// Whether two keys are one.
    ///
    /// # Safety
    /// `a` and `b` point to keys of these.
    unsafe fn is_same(&self, a: *const u8, b: *const u8) -> bool {
        // SAFETY: as the caller promises.
        unsafe {
            match self {
                KeyShape::Direct(_, packed) | KeyShape::Words(packed) => {
                    packed.iter().all(|leaf| leaf.read(a) == leaf.read(b))
                }
                KeyShape::Bytes(size) => RawVec::read(a).bytes(*size).same(RawVec::read(b).bytes(*size)),
                KeyShape::Deep(ty) => compare::same_key(ty, a, b),
            }
        }
    }
}

/// The sizes of what a table holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Sizes {
    pub(crate) key: usize,
    pub(crate) value: usize,
}

/// A dictionary. Compiled code reads the fields before `plan`.
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
    /// Of any other, where keys of many bytes are searched for, ...
    pub(crate) index: Places<Tagged>,
    /// ... and those of few.
    pub(crate) short_keys: Places<Place>,
    /// Of a table that is searched, what is known of keys that lie close together.
    pub(crate) close: Range,
    /// Of a table with a plan, where compiled code merges by itself.
    pub(crate) open: OpenSlots,
    /// What such a table is told of its keys and values, and what they are merged into.
    pub(super) plan: Option<Plan>,
    pub(super) rows: Option<Box<dyn Rows>>,
    sizes: Sizes,
    shape: KeyShape,
    /// What a new value begins as.
    neutral: Vec<u8>,
    owned: Owned,
}

/// What compiled code is shown.
#[derive(Default)]
struct Owned {
    keys: Vec<Word>,
    values: Vec<Word>,
    direct: Vec<u32>,
    index: OpenIndex<Tagged>,
    short_keys: OpenIndex<Place>,
    close: CloseKeys,
    /// The elements of keys that are vectors of integers.
    bytes: Arena,
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

/// Storage that is aligned as compiled code and the functions here need it.
type Word = u64;

// SAFETY: the pointers are into the table's own storage.
unsafe impl Send for Table {}
// SAFETY: as above; a table that several threads see is not changed.
unsafe impl Sync for Table {}

impl Table {
    /// An empty table without a plan. New values begin as `neutral` (of the value's size), or as zeros.
    pub(crate) fn new(
        run: &impl Charge,
        shape: KeyShape,
        sizes: Sizes,
        neutral: &[u8],
    ) -> Result<Table, Fault> {
        let mut owned = Owned::default();
        if let KeyShape::Direct(bits, _) = shape {
            owned.direct = filled(run, 1 << bits, 0)?;
        }
        let mut table = Table {
            len: 0,
            keys: ptr::null_mut(),
            values: ptr::null_mut(),
            direct: ptr::null_mut(),
            fresh: 0,
            index: owned.index.places(),
            short_keys: owned.short_keys.places(),
            close: owned.close.range(),
            open: CLOSED,
            plan: None,
            rows: None,
            sizes,
            shape,
            neutral: neutral.to_vec(),
            owned,
        };
        table.show();
        Ok(table)
    }

    /// Shows compiled code where everything is now.
    fn show(&mut self) {
        let owned = &mut self.owned;
        (self.keys, self.values) = (owned.keys.as_mut_ptr().cast(), owned.values.as_mut_ptr().cast());
        self.direct = if owned.direct.is_empty() { ptr::null_mut() } else { owned.direct.as_mut_ptr() };
        (self.index, self.short_keys) = (owned.index.places(), owned.short_keys.places());
        self.close = owned.close.range();
    }

    /// Whether this is what [`Table::new`] would give, apart from its entries.
    pub(crate) fn is_made_of(&self, shape: &KeyShape, sizes: Sizes, neutral: &[u8]) -> bool {
        self.shape == *shape && self.sizes == sizes && self.neutral == neutral && self.plan.is_none()
    }

    /// Enters all keys, whose words are `words`, into an index.
    pub(super) fn index_all(
        &mut self,
        run: &impl Charge,
        words: &[u64],
        key_words: usize,
    ) -> Result<(), Fault> {
        if words.len() / key_words > MOST_KEYS {
            return Err(Fault::memory(size_of_val(words)));
        }
        let owned = &mut self.owned;
        if key_words == 1 {
            let words = words.iter().copied();
            owned.close = CloseKeys::dense(run, words.clone())?;
            if let CloseKeys::Dense(dense) = &mut owned.close {
                (0..).zip(words).for_each(|(entry, word)| dense.enter(word, entry));
                self.show();
                return Ok(());
            }
            owned.close = CloseKeys::bitmap(run, words)?;
        }
        let hashes = || words.chunks_exact(key_words).map(|words| keys::hash_of_words(words.iter().copied()));
        // It has no entries yet, of which one would need a hash.
        owned.index.reserve(run, words.len() / key_words, |_| SEED)?;
        let mut ahead = hashes().skip(PREFETCHED_ROWS);
        for (entry, hash) in hashes().enumerate() {
            if let Some(hash) = ahead.next() {
                owned.index.prefetch(hash);
            }
            owned.index.insert(hash, Tagged::new(hash, entry));
        }
        self.show();
        Ok(())
    }

    /// The number of the entry of `key`.
    ///
    /// # Safety
    /// `key` points to a key of the table's type.
    pub(crate) unsafe fn find(&self, key: *const u8) -> Option<u64> {
        // SAFETY: as the caller promises.
        unsafe {
            if let Some(word) = self.direct_word(key) {
                return u64::from(*self.owned.direct.get(word)?).checked_sub(1);
            }
            if let Some(short) = self.short(key) {
                return self.owned.short_keys.find(&short, short.hash()).map(|entry| entry as u64);
            }
            self.search(self.shape.hash(key), key).ok()
        }
    }

    /// The number of the entry of `key`, which is made if it is missing; `fresh` tells.
    ///
    /// # Safety
    /// As for [`Table::find`].
    pub(crate) unsafe fn entry(&mut self, run: &impl Charge, key: *const u8) -> Result<u64, Fault> {
        self.fresh = 0;
        // SAFETY: as the caller promises.
        unsafe {
            if let Some(word) = self.direct_word(key) {
                if self.owned.direct[word] == 0 {
                    self.owned.direct[word] = self.push(run, key)? as u32 + 1;
                }
                return Ok(u64::from(self.owned.direct[word]) - 1);
            }
            let Some(short) = self.short(key) else { return self.hashed_entry(run, key) };
            let hash = short.hash();
            if let Some(entry) = self.owned.short_keys.find(&short, hash) {
                return Ok(entry as u64);
            }
            self.owned.short_keys.reserve(run, 1, Place::hash)?;
            self.short_keys = self.owned.short_keys.places();
            let entry = self.push(run, key)?;
            self.owned.short_keys.insert(hash, Place::new(&short, entry as usize));
            Ok(entry)
        }
    }

    /// The same for a key that has no other index.
    ///
    /// # Safety
    /// As for [`Table::find`].
    unsafe fn hashed_entry(&mut self, run: &impl Charge, key: *const u8) -> Result<u64, Fault> {
        let (shape, keys, size) = (&self.shape, self.keys, self.sizes.key);
        // SAFETY: what the index has are entries, whose keys are there.
        let hash_of = |entry: &Tagged| unsafe { shape.hash(keys.add(entry.slot() * size)) };
        self.owned.index.reserve(run, 1, hash_of)?;
        self.index = self.owned.index.places();
        // SAFETY: as the caller promises.
        unsafe {
            let hash = self.shape.hash(key);
            match self.search(hash, key) {
                Ok(entry) => Ok(entry),
                Err(place) => {
                    let entry = self.push(run, key)?;
                    self.owned.index.put(place, Tagged::new(hash, entry as usize));
                    Ok(entry)
                }
            }
        }
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
    pub(crate) fn empty(&mut self, run: &impl Charge) {
        self.owned.bytes.empty(run);
        self.owned.short_keys.clear();
        self.owned.index.clear();
        self.owned.direct.fill(0);
        self.len = 0;
    }

    /// Gives up all entries, and their memory.
    pub(crate) fn clear(&mut self, run: &impl Charge) {
        let mut owned = std::mem::take(&mut self.owned);
        owned.bytes.clear(run);
        let words = (owned.keys.capacity() + owned.values.capacity()) * size_of::<Word>();
        let indices = owned.index.room() + owned.short_keys.room() + owned.close.room();
        run.discharge(words + indices + size_of_val(&owned.direct[..]));
        self.len = 0;
        self.show();
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

    /// Where a key of few bits has its entry in the array of them.
    ///
    /// # Safety
    /// As for [`Table::find`].
    unsafe fn direct_word(&self, key: *const u8) -> Option<usize> {
        let KeyShape::Direct(_, packed) = &self.shape else { return None };
        // SAFETY: as the caller promises.
        let word = unsafe { keys::words(packed, key) }.next();
        // A key of no scalars has no word, and is the only one.
        Some(word.unwrap_or(0) as usize)
    }

    /// The number of the entry of a key that has this hash, or the place for it.
    ///
    /// # Safety
    /// As for [`Table::find`].
    unsafe fn search(&self, hash: u64, key: *const u8) -> Result<u64, usize> {
        let is_key = |entry: &Tagged| {
            // SAFETY: as the caller promises; an entry that is not free has a key of this type.
            entry.has_tag(hash)
                && !entry.is_free()
                && unsafe { self.shape.is_same(self.key(entry.slot() as u64), key) }
        };
        self.owned.index.search(hash, is_key).map(|entry| entry.slot() as u64)
    }

    /// Adds an entry of `key`, and gives its number.
    ///
    /// # Safety
    /// As for [`Table::find`].
    unsafe fn push(&mut self, run: &impl Charge, key: *const u8) -> Result<u64, Fault> {
        let entry = self.len;
        if entry >= MOST_KEYS as u64 {
            return Err(Fault::memory(self.owned.index.room() + self.owned.short_keys.room()));
        }
        self.keys = grown(&mut self.owned.keys, run, entry as usize + 1, self.sizes.key)?;
        self.values = grown(&mut self.owned.values, run, entry as usize + 1, self.sizes.value)?;
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
                let elements = self.owned.bytes.copy(run, vector.bytes(size))?;
                RawVec { elements, ..vector }.write(self.key(entry));
            }
        }
        self.len += 1;
        self.fresh = 1;
        Ok(entry)
    }
}

/// Where so many keys or values of `size` bytes each are, for which there is room.
#[inline(always)]
fn grown(bytes: &mut Vec<Word>, run: &impl Charge, wanted: usize, size: usize) -> Result<*mut u8, Fault> {
    if size_of_val(&bytes[..]) < wanted * size {
        grow(bytes, run, (wanted.next_power_of_two().max(8) * size).div_ceil(size_of::<Word>()))?;
    }
    Ok(bytes.as_mut_ptr().cast())
}

#[cold]
fn grow(bytes: &mut Vec<Word>, run: &impl Charge, words: usize) -> Result<(), Fault> {
    reserve_anew(run, bytes, words - bytes.len())?;
    bytes.resize(words, 0);
    Ok(())
}
