//! Filling the places of a part, from a loop.

#![expect(unsafe_code, reason = "results are written once, into memory that is not initialised")]

use std::mem::MaybeUninit;
use std::ptr::NonNull;
use std::slice;

use super::exact::{Part, full};
use crate::store::vector::compress::compact;

/// The next places of a [`Part`]: what a loop that fills them holds in a local variable.
///
/// A loop that pushes once per iteration to a cursor is compiled to wide stores, as one that writes to a slice
/// of known length is.
#[derive(Debug)]
pub struct Cursor<'c, 'p, T> {
    part: &'c mut Part<'p, T>,
    start: NonNull<T>,
    len: usize,
    capacity: usize,
}

impl<'p, T> Part<'p, T> {
    /// The next places.
    #[inline(always)]
    pub fn cursor(&mut self) -> Cursor<'_, 'p, T> {
        Cursor { start: self.start, len: self.len, capacity: self.range.len(), part: self }
    }
}

impl<T> Cursor<'_, '_, T> {
    /// Puts `value` in the next place.
    ///
    /// # Panics
    /// If there is none.
    #[inline(always)]
    pub fn push(&mut self, value: T) {
        if self.len >= self.capacity {
            full();
        }
        // SAFETY: the place is in the range of the part, which this cursor borrows alone, and not initialised.
        unsafe { self.start.add(self.len).write(value) };
        self.len += 1;
    }

    /// Puts `values` in the next places.
    ///
    /// # Panics
    /// If there are too few.
    #[inline(always)]
    pub fn push_block<const L: usize>(&mut self, values: [T; L]) {
        if self.capacity - self.len < L {
            full();
        }
        // SAFETY: as in `push`, for `L` places; an array is aligned as its elements are.
        unsafe { self.start.add(self.len).cast::<[T; L]>().write(values) };
        self.len += L;
    }

    /// Puts `value(0)`, `value(1)`, … in the next `n` places.
    ///
    /// # Panics
    /// If there are too few.
    #[inline(always)]
    pub fn fill(&mut self, n: usize, value: impl FnMut(usize) -> T)
    where
        T: Copy,
    {
        if self.capacity - self.len < n {
            full();
        }
        // SAFETY: these places are in the range of the part, which this cursor borrows alone; they need not be initialised.
        let places = unsafe { slice::from_raw_parts_mut(self.start.add(self.len).cast().as_ptr(), n) };
        fill_each(places, value);
        self.len += n;
    }

    /// Puts those of `values` in the next places for which `keep` holds, without a branch on it.
    ///
    /// # Panics
    /// If there are fewer places than `values`.
    #[inline(always)]
    pub fn push_kept<const L: usize>(&mut self, values: [T; L], keep: [bool; L])
    where
        T: Copy,
    {
        if self.capacity - self.len < L {
            full();
        }
        // SAFETY: the next `L` places are in the range of the part, which this cursor borrows alone.
        self.len += unsafe { compact(self.start.add(self.len).as_ptr(), values, keep) };
    }
}

/// A function of its own, because the compiler knows of a parameter that nothing else is where it points.
#[inline(always)]
fn fill_each<T>(places: &mut [MaybeUninit<T>], mut value: impl FnMut(usize) -> T) {
    for (i, place) in places.iter_mut().enumerate() {
        place.write(value(i));
    }
}

impl<T> Drop for Cursor<'_, '_, T> {
    #[inline(always)]
    fn drop(&mut self) {
        self.part.len = self.len;
    }
}

#[cfg(test)]
mod tests {
    use crate::exec::context::Context;
    use crate::store::vector::exact::*;

    #[test]
    fn blocks_and_fills_come_behind_what_was_pushed() {
        {
            let cx = Context::ambient();
            let whole = Exact::new(cx, 3).unwrap();
            let mut part = whole.part(0..3);
            part.cursor().push(0);
            part.cursor().push_block([1, 2]);
            part.done();
            assert_eq!(whole.finish(), [0, 1, 2]);
        }
        {
            let cx = Context::ambient();
            let whole = Exact::new(cx, 3).unwrap();
            let mut part = whole.part(0..3);
            part.cursor().fill(3, |i| 10 * i);
            part.done();
            assert_eq!(whole.finish(), [0, 10, 20]);
        }
    }

    #[test]
    fn what_is_not_kept_leaves_no_gap() {
        let cx = Context::ambient();
        let some = AtMost::new(cx, 4).unwrap();
        let mut part = some.part(cx, 0..4);
        part.cursor().push_kept([1, 2, 3, 4], [false, true, false, true]);
        some.merge(part);
        assert_eq!(some.finish(cx), [2, 4]);
    }
}
