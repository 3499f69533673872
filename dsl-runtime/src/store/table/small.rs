//! Few keys: an open table with linear probing, whose slots hold key and value. Compiled code finds and inserts keys by itself.
//!
//! This file may use `unsafe` because code that is monomorphised once has tables without their types (type erasure). What makes it
//! sound: the slots of a [`RawSmallTable`] were written by a [`SmallTable`] of the types that its `types` names, and no other changes
//! them.
#![expect(unsafe_code, reason = "slots are shown as those that the table has")]

use std::any::TypeId;
use std::marker::PhantomData;
use std::ops::ControlFlow;
use std::ptr;

use super::probe::probe;
use super::slots::RawSlots;
use crate::exec::context::Context;
use crate::key::hash::Key;
use crate::lang::fault::Fault;
use crate::mem::vec::{filled, room};
use crate::store::SPREAD;
use crate::store::combine::Combine;

/// Slots, a power of two of them or none; at most 3/8 of them are taken, since a longer search is a branch that
/// was predicted wrongly, and not many more than 3/32 where that pays.
///
/// Slots that are free hold a key as well, one that is in the table. A search for that key meets the slot that it has before
/// any that is free, as all searches do, and other keys are not the same: so a slot with the key that is looked for is
/// taken, without a look at whether it is.
#[derive(Clone, Debug)]
pub(crate) struct RawSmallTable {
    /// Of keys and values.
    types: TypeId,
    slots: RawSlots,
    /// The first `len` are the numbers of the slots that are taken, in the order in which they were; there is room for as many as may be.
    order: Vec<u32>,
    len: usize,
    /// How many merges were announced.
    merges: usize,
    /// How many of them were when the keys were last kept.
    merges_before: usize,
}

/// The same, by who knows its types.
#[derive(Clone, Debug)]
#[repr(transparent)]
pub(crate) struct SmallTable<K, V> {
    raw: RawSmallTable,
    types: PhantomData<(K, V)>,
}

/// A place for a key.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub(crate) struct Slot<K, V> {
    pub(crate) key: K,
    /// 0 if it is free, or 1 more than how many keys were inserted before.
    number: u32,
    pub(crate) value: V,
}

/// Where compiled code finds the slots of a [`PartitionedTable`](crate::store::partition::PartitionedTable), and the
/// [`write_combining`](crate::store::partition::BUFFER_LAYOUT) buffers of one with many keys. A slot is a key, its number of four bytes, 0 if
/// the slot is free, and a value, as C lays them out.
///
/// To insert a key, compiled code writes it and its value to the slot that it found free, 1 more than the number of keys there and at
/// `len`, and the number of the slot behind those at `order`.
#[doc(hidden)]
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct OpenSlots {
    /// The first slot.
    pub slots: *mut u8,
    /// What makes a hash the number of the slot where a search begins: 1 less than how many there are.
    pub mask: u64,
    /// The numbers of the slots that are taken, of four bytes each.
    pub order: *mut u32,
    /// Where the number of keys is.
    pub len: *mut usize,
    /// As long as there are fewer keys, compiled code may insert one.
    pub room: usize,
    /// Where it appends rows of keys that it does not find, or null.
    pub buffers: *mut u8,
}

/// Slots in which no key is found, and of which none may be taken: each is free, and has a key that belongs to the other.
#[doc(hidden)]
#[derive(Clone, Debug)]
pub struct NoSlots<K, V>([Slot<K, V>; 2], usize);

impl<K: Key, V: Copy> NoSlots<K, V> {
    /// Such slots, with keys that `key` makes of some word.
    pub fn new(key: impl Fn(u64) -> K, value: V) -> NoSlots<K, V> {
        let belonging_to = |slot| (0..).map(&key).find(|key| key.hash() & 1 == slot);
        let slot = |other| Slot { key: belonging_to(other).expect("hashes differ"), number: 0, value };
        NoSlots([slot(1), slot(0)], 0)
    }

    /// As [`OpenSlots`] for a table that has no slots.
    pub fn open(&mut self, buffers: *mut u8) -> OpenSlots {
        let slots = self.0.as_mut_ptr().cast();
        OpenSlots { slots, mask: 1, order: ptr::null_mut(), len: &raw mut self.1, room: 0, buffers }
    }
}

/// The least number of slots.
const FEWEST_SLOTS: usize = 64;

/// So many merges there must be for each slot before there are twice as many slots: what is saved by then is what these cost.
const MERGES: usize = 4;

/// Keys are kept for another segment if there are so many merges in one for each of them, or more: then it hardly matters if they do
/// not come again.
const WORTH_KEEPING: usize = 16;

/// How many slots `keys` keys should have that have `slots` of so many bytes now, after so many merges.
#[inline]
fn slots_wanted(keys: usize, slots: usize, bytes: usize, merges: usize) -> usize {
    let mut wanted = slots;
    while wanted > 0 && 32 * keys > 3 * wanted && merges >= MERGES * wanted && 2 * wanted * bytes <= SPREAD {
        wanted *= 2;
    }
    wanted
}

/// So many of these slots may be taken.
fn most_keys(slots: usize) -> usize {
    3 * slots / 8
}

/// The place of the slot that is the `same` as what has this hash, or the one where it would be.
#[inline(always)]
fn place_of<K, V>(
    slots: &[Slot<K, V>],
    hash: u64,
    same: impl Fn(&Slot<K, V>) -> bool,
) -> Result<usize, usize> {
    probe(slots.len().wrapping_sub(1), hash, |place| match slots.get(place) {
        Some(slot) if same(slot) => ControlFlow::Break(Ok(place)),
        Some(slot) if !slot.is_free() => ControlFlow::Continue(()),
        // Without slots, no place is one.
        _ => ControlFlow::Break(Err(place)),
    })
}

impl<K, V> Slot<K, V> {
    fn is_free(&self) -> bool {
        self.number == 0
    }
}

impl RawSmallTable {
    /// The number of keys.
    #[inline]
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// Whether there is no key.
    #[inline]
    pub(crate) fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The number of slots, a power of two or none.
    pub(crate) fn slots(&self) -> usize {
        self.slots.len()
    }

    /// The bytes that this takes.
    pub(crate) fn room(&self) -> usize {
        self.slots.room() + room(&self.order)
    }

    /// Takes all keys.
    pub(crate) fn take(&mut self) -> RawSmallTable {
        let types = self.types;
        std::mem::replace(self, RawSmallTable::new(types))
    }

    fn new(types: TypeId) -> RawSmallTable {
        RawSmallTable {
            types,
            slots: RawSlots::default(),
            order: Vec::new(),
            len: 0,
            merges: 0,
            merges_before: 0,
        }
    }

    /// Whether its keys and values are of the same types.
    pub(crate) fn is_like(&self, other: &RawSmallTable) -> bool {
        self.types == other.types
    }

    /// Whether its keys and values are of these types.
    fn is_of<K: 'static, V: 'static>(&self) -> bool {
        self.types == TypeId::of::<(K, V)>()
    }

    /// Whether no slot may be taken before there are more.
    fn is_full(&self) -> bool {
        self.len >= most_keys(self.slots.len())
    }

    /// Whether another segment should begin with these keys.
    pub(crate) fn is_worth_keeping(&self) -> bool {
        WORTH_KEEPING * self.len <= self.merges - self.merges_before
    }

    /// How many slots there should be where there are too few, if so many may be needed.
    #[inline(never)]
    fn more_slots(&self, expected: usize) -> usize {
        (2 * self.slots.len()).max(expected).max(FEWEST_SLOTS)
    }

    /// As many slots as there should be, if those are more than there are, now that so many merges come; slots are of so many bytes.
    #[inline(never)]
    fn expect(&mut self, merges: usize, bytes: usize) -> Option<usize> {
        self.merges = self.merges.saturating_add(merges);
        let slots = self.slots.len();
        let wanted = slots_wanted(self.len, slots, bytes, self.merges);
        (wanted > slots).then_some(wanted)
    }

    /// Takes `slots`, none of which is taken, and gives those that there were with the numbers of those that were taken.
    fn renew(&mut self, cx: &Context, slots: RawSlots) -> Result<(RawSlots, Vec<u32>), Fault> {
        let mut order = filled(cx, most_keys(slots.len()), 0)?;
        let old = std::mem::replace(&mut self.slots, slots);
        std::mem::swap(&mut self.order, &mut order);
        cx.discharge(old.room() + room(&order));
        order.truncate(std::mem::replace(&mut self.len, 0));
        Ok((old, order))
    }

    /// Where compiled code finds keys and, up to so many, inserts them, if there are any.
    pub(crate) fn open(&mut self, most: usize) -> Option<OpenSlots> {
        let mask = self.slots.len().checked_sub(1)? as u64;
        Some(OpenSlots {
            slots: self.slots.start(),
            mask,
            order: self.order.as_mut_ptr(),
            len: &raw mut self.len,
            room: most_keys(self.slots.len()).min(most),
            buffers: ptr::null_mut(),
        })
    }
}

impl<K: Key + Copy + 'static, V: Copy + 'static> Default for SmallTable<K, V> {
    fn default() -> SmallTable<K, V> {
        let raw = RawSmallTable::new(TypeId::of::<(K, V)>());
        SmallTable { raw, types: PhantomData }
    }
}

impl<K: Key + Copy + 'static, V: Copy + 'static> SmallTable<K, V> {
    /// The table `raw`, whose types are these.
    ///
    /// # Safety
    /// They are.
    #[inline(always)]
    pub(crate) unsafe fn of(raw: &RawSmallTable) -> &SmallTable<K, V> {
        debug_assert!(raw.is_of::<K, V>(), "a table of other types");
        // SAFETY: it is one by its types, as the caller promises, and is laid out as the other.
        unsafe { &*ptr::from_ref(raw).cast() }
    }

    /// As [`SmallTable::of`], to be changed.
    ///
    /// # Safety
    /// As there.
    #[inline(always)]
    pub(crate) unsafe fn of_mut(raw: &mut RawSmallTable) -> &mut SmallTable<K, V> {
        debug_assert!(raw.is_of::<K, V>(), "a table of other types");
        // SAFETY: as there.
        unsafe { &mut *ptr::from_mut(raw).cast() }
    }

    /// The same for who does not know its types.
    pub(crate) fn raw(&self) -> &RawSmallTable {
        &self.raw
    }

    /// As [`RawSmallTable::open`].
    pub(crate) fn open(&mut self, most: usize) -> Option<OpenSlots> {
        self.raw.open(most)
    }

    /// The same, without its types.
    pub(crate) fn into_raw(self) -> RawSmallTable {
        self.raw
    }

    #[inline(always)]
    fn slots(&self) -> &[Slot<K, V>] {
        // SAFETY: they were written as such, by this type.
        unsafe { self.raw.slots.typed() }
    }

    #[inline(always)]
    fn slots_mut(&mut self) -> &mut [Slot<K, V>] {
        // SAFETY: they were written as such, by this type.
        unsafe { self.raw.slots.typed_mut() }
    }

    /// Told that so many merges come. Where there have been many for the slots that there are, the keys are spread over more.
    #[inline]
    pub(crate) fn expect(&mut self, cx: &Context, merges: usize) -> Result<(), Fault> {
        let wanted = self.raw.expect(merges, size_of::<Slot<K, V>>());
        match (wanted, self.nth(0)) {
            (Some(wanted), Some(&any)) => self.grow(cx, any.key, any.value, wanted),
            _ => Ok(()),
        }
    }

    /// The value of `key`, or the place where it would be.
    #[inline(always)]
    pub(crate) fn find(&mut self, key: &K) -> Result<&mut V, usize> {
        let slots = self.slots_mut();
        match place_of(slots, key.hash(), |slot| slot.key.same(key)) {
            Ok(place) => Ok(&mut slots[place].value),
            Err(place) => Err(place),
        }
    }

    /// Merges `rows` until a key is not there: that one, with its value, and where it would be. `None` if there are no more of them.
    #[inline(always)]
    pub(crate) fn merge_known(
        &mut self,
        rows: &mut impl Iterator<Item = (K, V)>,
        combine: impl Combine<V>,
    ) -> Option<(usize, K, V)> {
        let slots = self.slots_mut();
        if slots.is_empty() {
            // So that no search asks whether there are any.
            return rows.next().map(|(key, value)| (0, key, value));
        }
        for (key, value) in rows {
            match place_of(slots, key.hash(), |slot| slot.key.same(&key)) {
                Ok(place) => combine.combine(&mut slots[place].value, value),
                Err(place) => return Some((place, key, value)),
            }
        }
        None
    }

    /// Puts `key`, which is not there, where it would be. `expected` is a number of slots that may be needed.
    pub(crate) fn insert(
        &mut self,
        cx: &Context,
        place: usize,
        key: K,
        value: V,
        expected: usize,
    ) -> Result<(), Fault> {
        if !self.raw.is_full() {
            self.take(place, key, value);
            return Ok(());
        }
        self.grow(cx, key, value, self.raw.more_slots(expected))?;
        self.put(key, value);
        Ok(())
    }

    /// So many slots; `filler`, which is in the table or comes into it, is the key that free ones hold.
    #[cold]
    #[inline(never)]
    fn grow(&mut self, cx: &Context, filler: K, value: V, slots: usize) -> Result<(), Fault> {
        let slots = RawSlots::filled(cx, slots, Slot { key: filler, number: 0, value })?;
        let (old, order) = self.raw.renew(cx, slots)?;
        // SAFETY: these were the slots of this table.
        let old: &[Slot<K, V>] = unsafe { old.typed() };
        for &place in &order {
            let Slot { key, value, .. } = old[place as usize];
            self.put(key, value);
        }
        Ok(())
    }

    /// Puts `key`, which is not there.
    fn put(&mut self, key: K, value: V) {
        let slots = self.slots();
        let place = probe(slots.len() - 1, key.hash(), |place| match slots[place].is_free() {
            true => ControlFlow::Break(place),
            false => ControlFlow::Continue(()),
        });
        self.take(place, key, value);
    }

    fn take(&mut self, place: usize, key: K, value: V) {
        self.raw.order[self.raw.len] = place as u32;
        self.raw.len += 1;
        let number = self.raw.len as u32;
        self.slots_mut()[place] = Slot { key, number, value };
    }

    /// The key and value that were inserted after so many others, if there are so many.
    #[inline(always)]
    pub(crate) fn nth(&self, number: usize) -> Option<&Slot<K, V>> {
        if number < self.raw.len { Some(&self.slots()[self.raw.order[number] as usize]) } else { None }
    }

    /// The keys and values, in order of first insertion.
    pub(crate) fn in_order(&self) -> impl ExactSizeIterator<Item = &Slot<K, V>> {
        let slots = self.slots();
        self.raw.order[..self.raw.len].iter().map(|&place| &slots[place as usize])
    }

    /// Begins another segment with the same keys, whose values become `neutral`.
    pub(crate) fn begin_again(&mut self, neutral: V) {
        self.raw.merges_before = self.raw.merges;
        // SAFETY: they were written as such, by this type.
        let slots: &mut [Slot<K, V>] = unsafe { self.raw.slots.typed_mut() };
        for &place in &self.raw.order[..self.raw.len] {
            slots[place as usize].value = neutral;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_spread_where_there_are_many_merges() {
        let cx = Context::ambient();
        let mut small = SmallTable::default();
        for key in 0..20i64 {
            let place = small.find(&key).unwrap_err();
            small.insert(cx, place, key, 2 * key, 0).unwrap();
        }
        // At first too few of them, then enough to have twice as many slots, then as many as anybody wants.
        for (merges, slots) in [(0, 64), (255, 64), (1, 128), (100_000, 256), (100_000, 256)] {
            small.expect(cx, merges).unwrap();
            assert_eq!(small.raw.slots(), slots);
            assert!(
                small.in_order().map(|slot| (slot.key, slot.value)).eq((0..20).map(|key| (key, 2 * key)))
            );
            assert!((0..20).all(|key| small.find(&key).is_ok_and(|value| *value == 2 * key)));
            assert!(small.find(&20).is_err());
        }
    }

    #[test]
    fn no_key_is_found_where_there_are_no_slots() {
        let NoSlots(slots, len) = NoSlots::new(|word| (word, false), 0);
        for (place, slot) in slots.iter().enumerate() {
            assert!(slot.is_free() && slot.key.hash() & 1 != place as u64);
        }
        assert_eq!((len, NoSlots::new(|word| word as u32, ()).open(ptr::null_mut()).room), (0, 0));
    }

    #[test]
    fn compiled_code_is_told_how_many_keys_it_may_insert() {
        let cx = Context::ambient();
        let mut small = SmallTable::default();
        assert!(small.open(100).is_none());
        small.insert(cx, 0, 7i64, 1i64, 0).unwrap();
        let (slots, len) = (small.slots().as_ptr().cast(), &raw const small.raw.len);
        for (most, room) in [(10, 10), (100, 24)] {
            let open = small.open(most).unwrap();
            assert_eq!(
                (open.slots.cast_const(), open.len.cast_const(), open.mask, open.room),
                (slots, len, 63, room)
            );
        }
    }

    #[test]
    fn no_more_slots_are_wanted_than_a_cache_holds() {
        assert_eq!(slots_wanted(30_000, 1 << 16, 24, usize::MAX), 1 << 17, "3 MiB");
        assert_eq!(slots_wanted(30_000, 1 << 16, 16, usize::MAX), 1 << 18, "4 MiB");
        assert_eq!(slots_wanted(30_000, 1 << 18, 24, usize::MAX), 1 << 18, "those that there are stay");
        assert_eq!(slots_wanted(0, 0, 24, usize::MAX), 0);
    }
}
