//! Matrices that lie row by row and are filled by several threads, each some columns of them: for what goes from row to row.

#![expect(unsafe_code, reason = "results are written once, into memory that is not initialised")]

use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::ops::Range;
use std::ptr::NonNull;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::exact::full;
use super::ranges::Shares;
use crate::exec::allocate::Memory;
use crate::lang::fault::Fault;

/// A vector of `rows * columns` elements that is being filled.
///
/// The ranges of columns of all parts that were ever given are disjoint and inside, and nothing but a part touches its columns. Elements
/// are scalars or structs of them: what is given up in the middle is forgotten, not dropped.
#[derive(Debug)]
pub struct Columns<T> {
    /// An allocation of a `Vec<T>` of that capacity.
    start: NonNull<T>,
    capacity: usize,
    rows: usize,
    columns: usize,
    /// Whether the last row is filled first.
    upwards: bool,
    state: Mutex<Shares>,
    element: PhantomData<T>,
}

/// Some columns of a [`Columns`], filled chunk by chunk.
#[derive(Debug)]
pub struct ColumnsPart<'p, T> {
    of: &'p Columns<T>,
    columns: Range<usize>,
    /// The first column that is not filled.
    next: usize,
}

/// Some columns of a [`ColumnsPart`], filled row by row.
#[derive(Debug)]
pub struct ColumnsChunk<'c, T> {
    of: &'c Columns<T>,
    columns: Range<usize>,
    /// The rows that are filled, and how many elements of the next one.
    filled: [usize; 2],
    /// That of the part.
    next: &'c mut usize,
}

/// The next places of a [`ColumnsChunk`]: what a loop that fills them holds in a local variable.
#[derive(Debug)]
pub struct ColumnsCursor<'k, 'c, T> {
    chunk: &'k mut ColumnsChunk<'c, T>,
    /// The first place of the row at hand.
    start: NonNull<T>,
    /// How many of its places are filled.
    len: usize,
    /// How many it has: none behind the last row.
    width: usize,
}

// SAFETY: several threads write elements, each to columns of its own, and whoever owns the whole gives it out; no reference to an
// element is handed out before.
unsafe impl<T: Send> Send for Columns<T> {}
// SAFETY: as above.
unsafe impl<T: Send> Sync for Columns<T> {}

impl<T> Columns<T> {
    /// The vector of so many rows and columns, none of its elements there yet; the fault MemoryLimit if it cannot be had.
    pub fn new(memory: &impl Memory, rows: i64, columns: i64) -> Result<Columns<T>, Fault> {
        let [rows, columns] = [rows, columns].map(|extent| usize::try_from(extent).unwrap_or(0));
        // So many that they do not fit are more than there is memory for.
        let mut memory = ManuallyDrop::new(memory.vector::<T>(rows.saturating_mul(columns))?);
        // SAFETY: the pointer of a vector is never null.
        let start = unsafe { NonNull::new_unchecked(memory.as_mut_ptr()) };
        let capacity = memory.capacity();
        let (upwards, state) = (false, Mutex::default());
        Ok(Columns { start, capacity, rows, columns, upwards, state, element: PhantomData })
    }

    /// The same, filled from the last row to the first.
    #[must_use]
    pub fn upwards(self) -> Columns<T> {
        let mut whole = self;
        whole.upwards = true;
        whole
    }

    /// The part of these columns.
    ///
    /// # Panics
    /// If some of them are outside, or belong to another part.
    pub fn part(&self, columns: Range<usize>) -> ColumnsPart<'_, T> {
        assert!(columns.start <= columns.end && columns.end <= self.columns, "columns outside of a matrix");
        assert!(self.state().given.insert(columns.clone()), "parts of a matrix overlap");
        ColumnsPart { of: self, next: columns.start, columns }
    }

    /// The vector, row by row.
    ///
    /// # Panics
    /// If parts of it were not filled.
    pub fn finish(self) -> Vec<T> {
        let len = self.rows * self.columns;
        // What the drop of `self` would drop; it is left with nothing but the allocation.
        let filled = std::mem::take(&mut *self.state()).filled.len();
        assert!(len == 0 || filled == self.columns, "columns of a matrix were not filled");
        let whole = ManuallyDrop::new(self);
        // SAFETY: this is the allocation of a vector of that capacity, and has no other owner, since it is not dropped; filled columns are
        // disjoint, for those that were given are, and together they are all, each as long as there are rows.
        unsafe { Vec::from_raw_parts(whole.start.as_ptr(), len, whole.capacity) }
    }

    fn state(&self) -> MutexGuard<'_, Shares> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Drop for Columns<T> {
    fn drop(&mut self) {
        // SAFETY: this is the allocation of a vector of that capacity.
        drop(unsafe { Vec::from_raw_parts(self.start.as_ptr(), 0, self.capacity) });
    }
}

impl<T> ColumnsPart<'_, T> {
    /// The next columns of the part.
    ///
    /// # Panics
    /// If they are not the next ones.
    pub fn chunk(&mut self, columns: Range<usize>) -> ColumnsChunk<'_, T> {
        let is_next = columns.start == self.next && (columns.start..=self.columns.end).contains(&columns.end);
        assert!(is_next, "columns of a matrix are filled in order");
        ColumnsChunk { of: self.of, columns, filled: [0, 0], next: &mut self.next }
    }

    /// Ends the part.
    ///
    /// # Panics
    /// If it is not full: then the whole never will be.
    pub fn done(self) {
        assert_eq!(self.next, self.columns.end, "columns of a matrix were not filled");
        self.of.state().filled.insert(self.columns.clone());
    }
}

impl<'c, T> ColumnsChunk<'c, T> {
    /// The next places.
    #[inline(always)]
    pub fn cursor(&mut self) -> ColumnsCursor<'_, 'c, T> {
        let [row, len] = self.filled;
        let (start, width) = self.row(row);
        ColumnsCursor { start, len, width, chunk: self }
    }

    /// Where the places of the row are that is filled after so many others, and how many. Each number has a row of its own.
    fn row(&self, number: usize) -> (NonNull<T>, usize) {
        if number >= self.of.rows {
            return (self.of.start, 0);
        }
        let row = if self.of.upwards { self.of.rows - 1 - number } else { number };
        // SAFETY: the columns are inside of the matrix, which has that row.
        let start = unsafe { self.of.start.add(row * self.of.columns + self.columns.start) };
        (start, self.columns.len())
    }
}

impl<T> Drop for ColumnsChunk<'_, T> {
    fn drop(&mut self) {
        if self.columns.is_empty() || self.filled == [self.of.rows, 0] {
            *self.next = self.columns.end;
        }
    }
}

impl<T> ColumnsCursor<'_, '_, T> {
    /// Puts `value` in the next place.
    ///
    /// # Panics
    /// If there is none.
    #[inline(always)]
    pub fn push(&mut self, value: T) {
        self.push_block([value]);
    }

    /// Puts `values` in the next places.
    ///
    /// # Panics
    /// If the row has too few.
    #[inline(always)]
    pub fn push_block<const L: usize>(&mut self, values: [T; L]) {
        if self.width - self.len < L {
            self.next_row(L);
        }
        // SAFETY: the row has so many more places, which are the chunk's, and this cursor borrows it alone; an array is aligned as its
        // elements are.
        unsafe { self.start.add(self.len).cast::<[T; L]>().write(values) };
        self.len += L;
    }

    /// Whether the row at hand is full. No row is behind the last one.
    #[inline(always)]
    fn is_full(&self) -> bool {
        self.width > 0 && self.len == self.width
    }

    /// Goes on with the next row, where the one at hand is full, for `count` elements.
    #[cold]
    #[inline(never)]
    fn next_row(&mut self, count: usize) {
        if self.is_full() {
            self.chunk.filled[0] += 1;
            (self.start, self.width) = self.chunk.row(self.chunk.filled[0]);
            self.len = 0;
        }
        if self.width - self.len < count {
            full();
        }
    }
}

impl<T> Drop for ColumnsCursor<'_, '_, T> {
    #[inline(always)]
    fn drop(&mut self) {
        self.chunk.filled = match self.is_full() {
            true => [self.chunk.filled[0] + 1, 0],
            false => [self.chunk.filled[0], self.len],
        };
    }
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};

    use super::*;
    use crate::exec::context::Context;
    use crate::lang::fault::FaultKind;

    /// Fills a chunk with the numbers of its elements, in the order of rows in which it wants them.
    fn fill(mut chunk: ColumnsChunk<'_, usize>, [rows, columns]: [usize; 2]) {
        let (own, upwards) = (chunk.columns.clone(), chunk.of.upwards);
        let mut cursor = chunk.cursor();
        for row in (0..rows).map(|number| if upwards { rows - 1 - number } else { number }) {
            let numbers: Vec<usize> = own.clone().map(|column| row * columns + column).collect();
            let (blocks, rest) = numbers.as_chunks::<4>();
            blocks.iter().for_each(|block| cursor.push_block(*block));
            rest.iter().for_each(|number| cursor.push(*number));
        }
    }

    #[test]
    fn threads_fill_columns_of_their_own() {
        let extents = [[5, 13], [1, 13], [0, 13], [5, 0], [4, 4]];
        for ([rows, columns], upwards) in
            extents.into_iter().flat_map(|extents| [(extents, false), (extents, true)])
        {
            let whole = Columns::new(Context::ambient(), rows as i64, columns as i64).unwrap();
            let whole = if upwards { whole.upwards() } else { whole };
            let cuts = [0, columns.min(4), columns.min(4), columns.min(9), columns];
            std::thread::scope(|scope| {
                for cut in cuts.windows(2).rev() {
                    let whole = &whole;
                    scope.spawn(move || {
                        let mut part = whole.part(cut[0]..cut[1]);
                        let middle = cut[0].midpoint(cut[1]);
                        fill(part.chunk(cut[0]..middle), [rows, columns]);
                        fill(part.chunk(middle..cut[1]), [rows, columns]);
                        part.done();
                    });
                }
            });
            assert_eq!(whole.finish(), (0..rows * columns).collect::<Vec<_>>());
        }
    }

    #[test]
    fn a_cursor_goes_on_where_the_last_one_ended() {
        let whole = Columns::new(Context::ambient(), 2, 3).unwrap();
        let mut part = whole.part(0..3);
        let mut chunk = part.chunk(0..3);
        chunk.cursor().push(1);
        chunk.cursor().push_block([2, 3]);
        drop(chunk.cursor());
        chunk.cursor().push_block([4, 5, 6]);
        drop(chunk.cursor());
        drop(chunk);
        part.done();
        assert_eq!(whole.finish(), [1, 2, 3, 4, 5, 6]);
    }

    #[test]
    fn what_is_not_whole_or_too_much_is_refused() {
        let refused = |run: &mut dyn FnMut()| catch_unwind(AssertUnwindSafe(run)).is_err();
        let whole = Columns::new(Context::ambient(), 2, 5).unwrap();
        assert!(refused(&mut || _ = whole.part(3..6)));
        let mut part = whole.part(0..3);
        assert!(refused(&mut || _ = whole.part(1..4)));
        assert!(refused(&mut || drop(part.chunk(1..3))) && refused(&mut || drop(part.chunk(0..4))));
        let mut chunk = part.chunk(0..2);
        chunk.cursor().push_block([1, 2]);
        assert!(refused(&mut || chunk.cursor().push_block([3, 4, 5])), "a row has two places");
        chunk.cursor().push_block([3, 4]);
        assert!(refused(&mut || chunk.cursor().push(5)), "there are two rows");
        drop(chunk);
        part.chunk(2..3).cursor().push(6);
        assert!(refused(&mut || drop(part.chunk(3..3))), "the chunk before is not full");
        assert!(catch_unwind(AssertUnwindSafe(|| part.done())).is_err());
        assert!(catch_unwind(AssertUnwindSafe(|| whole.finish())).is_err());
    }

    /// Miri, which has no memory to refuse, ends here.
    #[cfg(not(miri))]
    #[test]
    fn products_that_do_not_fit_are_a_fault() {
        let fault = Columns::<u8>::new(Context::ambient(), 1 << 40, 1 << 40).unwrap_err();
        assert_eq!(fault.kind, FaultKind::MemoryLimit);
    }
}
