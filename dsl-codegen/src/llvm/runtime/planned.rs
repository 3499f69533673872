//! A table with a plan while it is merged into: its values are in the slots of [`small`](super::small).

use std::ptr;

use weldment_runtime::lang::fault::Fault;

use super::small;
use super::table::{Table, Word};
use super::waiting::Holds;
use crate::llvm::memory::Run;

impl Table {
    /// # Safety
    /// As for [`Table::find`].
    pub(super) unsafe fn small_place(
        &mut self,
        run: &Run<'_>,
        words: &[u64],
        key: *const u8,
    ) -> Result<*mut u8, Fault> {
        let Some(small) = &mut self.small else { unreachable!("a table with slots for values") };
        if let Some(at) = small.search(words) {
            return Ok(small.value(at).cast());
        }
        let at = small.enter(run, words, self.len)?;
        let value: *mut u8 = small.value(at).cast();
        // SAFETY: as the caller promises; a slot has room for a value, and so has its last word.
        unsafe {
            self.push_key(run, key)?;
            value.write_bytes(0, self.sizes.value.next_multiple_of(size_of::<Word>()));
            value.copy_from_nonoverlapping(self.neutral.as_ptr(), self.neutral.len());
        }
        self.len += 1;
        self.show_room(run);
        Ok(value)
    }

    /// Told that up to so many merges come; for a table with a plan.
    pub(crate) fn expect(&mut self, run: &Run<'_>, merges: u64) -> Result<(), Fault> {
        if let Some(small) = &mut self.small
            && small.expect(run, merges as usize, self.len)?
        {
            self.show_room(run);
        }
        Ok(())
    }

    /// Lets compiled code search where the slots are now, and fill them as far as there is room for keys.
    fn show_room(&mut self, run: &Run<'_>) {
        self.show_small();
        let keys = self.key_bytes.len() * size_of::<Word>() / self.sizes.key.max(1);
        self.small_room = self.small_room.min(keys as u64).min(self.tolerated(run));
    }

    /// Lets compiled code search where the slots are now; in none, if the table waits.
    pub(super) fn show_small(&mut self) {
        (self.small_slots, self.near_mask, self.small_room) = match (&mut self.small, &self.plan) {
            (Some(small), _) => small.searched(),
            (None, Some(plan)) => small::in_none(plan.parts(self.sizes.value)),
            (None, None) => (ptr::null_mut(), 0, 0),
        };
    }

    /// Whether it has the keys of this loop, with neutral values.
    pub(crate) fn has_keys_of(&self, of_loop: u64) -> bool {
        of_loop != 0 && self.keys_of == of_loop
    }

    /// Puts the values of a segment beside each other, to be merged. Where that takes less than to enter them again, the keys stay
    /// for a later segment of this loop, whose merges combine with neutral values; so do the merges of those that do not come
    /// again.
    pub(super) fn hand_over(&mut self, run: &Run<'_>, of_loop: u64) -> Result<(), Fault> {
        let by_segment = self.plan.as_ref().is_some_and(|plan| plan.holds == Holds::Segmented);
        let keeps = by_segment && self.small.as_mut().is_some_and(|small| small.is_worth_keeping(self.len));
        self.keys_of = if keeps { of_loop } else { 0 };
        self.lay_out(run, keeps)
    }

    /// Puts the values that are in slots beside each other, in the order of the entries.
    pub(super) fn lay_out_values(&mut self, run: &Run<'_>) -> Result<(), Fault> {
        self.lay_out(run, false)
    }

    fn lay_out(&mut self, run: &Run<'_>, keeps: bool) -> Result<(), Fault> {
        self.make_room(run, self.len as usize)?;
        let (Some(mut small), Some(plan)) = (self.small.take(), self.plan.take()) else { return Ok(()) };
        let put = |entry: u64, words: &[u64]| {
            // SAFETY: there is room for the values of all entries, and a slot holds one.
            unsafe {
                let place = self.values.add(entry as usize * self.sizes.value);
                match (self.sizes.value, words) {
                    (8, [word]) => place.cast::<u64>().write(*word),
                    (size, words) => place.copy_from_nonoverlapping(words.as_ptr().cast(), size),
                }
            }
        };
        let mut neutral = vec![0; self.sizes.value.div_ceil(size_of::<Word>())];
        for (word, bytes) in neutral.iter_mut().zip(self.neutral.chunks(size_of::<Word>())) {
            let mut whole = [0; size_of::<Word>()];
            whole[..bytes.len()].copy_from_slice(bytes);
            *word = Word::from_ne_bytes(whole);
        }
        let key = |entry: u64, words: &mut [u64]| self.words_of(entry, &plan, words);
        small.take_values(self.len, keeps.then_some(&neutral[..]), key, put);
        (self.small, self.plan) = (Some(small), Some(plan));
        Ok(())
    }

    /// Frees the slots with values.
    pub(super) fn release_small(&mut self, run: &Run<'_>) {
        if let Some(small) = self.small.take() {
            run.discharge(small.room() as u64);
        }
        self.show_small();
    }
}
