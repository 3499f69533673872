//! Memory for the slots of tables whose types only they know.
//!
//! This file may use `unsafe` because it shows memory as what was written to it. What makes it sound: all slots are written when there
//! are any, and callers name the type that they were written as.
#![expect(unsafe_code, reason = "memory is shown as what was written to it")]

use std::mem::MaybeUninit;
use std::slice;

use crate::exec::context::Context;
use crate::lang::fault::Fault;
use crate::mem::vec::{reserve_in_any_pages, room};

/// Memory that is aligned for any slot.
#[derive(Clone, Copy, Debug)]
#[repr(align(16))]
struct Block {
    _bytes: MaybeUninit<[u8; 16]>,
}

/// Slots of one type.
#[derive(Clone, Debug, Default)]
pub(crate) struct RawSlots {
    memory: Vec<Block>,
    len: usize,
}

impl RawSlots {
    /// So many times `slot`.
    pub(crate) fn filled<S: Copy>(cx: &Context, len: usize, slot: S) -> Result<RawSlots, Fault> {
        const { assert!(align_of::<S>() <= align_of::<Block>(), "blocks are aligned for these slots") };
        let mut slots = RawSlots::with_room(cx, len.saturating_mul(size_of::<S>()))?;
        let start = slots.memory.as_mut_ptr().cast::<S>();
        for place in 0..len {
            // SAFETY: there is room for so many slots.
            unsafe { start.add(place).write(slot) };
        }
        slots.len = len;
        Ok(slots)
    }

    fn with_room(cx: &Context, bytes: usize) -> Result<RawSlots, Fault> {
        let mut memory = Vec::new();
        // Keys that are spread thin touch few lines of each page: large ones made sums by two i64, 10 k keys, a tenth slower.
        let blocks = bytes.div_ceil(size_of::<Block>());
        reserve_in_any_pages(cx, &mut memory, blocks)?;
        // SAFETY: there is room for so many, and blocks need not be initialised.
        unsafe { memory.set_len(blocks) };
        Ok(RawSlots { memory, len: 0 })
    }

    /// How many there are.
    pub(crate) fn len(&self) -> usize {
        self.len
    }

    /// The bytes that they take.
    pub(crate) fn room(&self) -> usize {
        room(&self.memory)
    }

    /// The slots.
    ///
    /// # Safety
    /// Such slots they were filled with.
    #[inline(always)]
    pub(crate) unsafe fn typed<S: Copy>(&self) -> &[S] {
        // SAFETY: so many of these slots were written.
        unsafe { slice::from_raw_parts(self.memory.as_ptr().cast(), self.len) }
    }

    /// The same, to be changed.
    ///
    /// # Safety
    /// As for [`RawSlots::typed`].
    #[inline(always)]
    pub(crate) unsafe fn typed_mut<S: Copy>(&mut self) -> &mut [S] {
        // SAFETY: so many of these slots were written.
        unsafe { slice::from_raw_parts_mut(self.memory.as_mut_ptr().cast(), self.len) }
    }

    /// Where they begin.
    pub(crate) fn start(&mut self) -> *mut u8 {
        self.memory.as_mut_ptr().cast()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slots_are_as_many_as_they_were_filled_with() {
        let cx = Context::ambient();
        for len in [0, 1, 7] {
            let mut slots = RawSlots::filled(cx, len, (1i128, 2u8)).unwrap();
            // SAFETY: the slots are such pairs.
            unsafe { slots.typed_mut::<(i128, u8)>() }.iter_mut().zip(0..).for_each(|(slot, i)| slot.1 = i);
            let same = slots.clone();
            drop(slots);
            // SAFETY: as above.
            assert!(unsafe { same.typed::<(i128, u8)>() }.iter().copied().eq((0..len as u8).map(|i| (1, i))));
            assert_eq!((same.len(), same.room()), (len, 32 * len));
        }
    }
}
