//! Collecting merged values in order.
//!
//! If every iteration merges once, the length is known before the loop: [`Exact`] allocates the result once,
//! without initialising it, and each unit of the loop fills its own [`Part`] of it in place. Otherwise a unit
//! pushes to a `Vec` of its own, several values at a time with [`keep`] where a guard selects them, and
//! [`concat`] puts the units' vectors together.

#![expect(unsafe_code, reason = "results are written once, into memory that is not initialised")]

use std::marker::PhantomData;
use std::mem::{ManuallyDrop, needs_drop};
use std::ops::Range;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::context::Context;
use crate::fault::Fault;
use crate::pool;

/// A vector of known length that is being filled, by several threads at once.
///
/// ```
/// use weldment_runtime::builders::collect::Exact;
/// let squares = Exact::new(5)?;
/// let (mut low, mut high) = (squares.part(0..2), squares.part(2..5));
/// (2..5).for_each(|i| high.push(i * i));
/// (0..2).for_each(|i| low.push(i * i));
/// low.done();
/// high.done();
/// assert_eq!(squares.finish(), [0, 1, 4, 9, 16]);
/// # Ok::<(), weldment_runtime::fault::Fault>(())
/// ```
#[derive(Debug)]
pub struct Exact<T> {
    /// An allocation of a `Vec<T>` of capacity `capacity`, whose elements `filled` alone are initialised.
    start: NonNull<T>,
    capacity: usize,
    len: usize,
    ranges: Mutex<Ranges>,
    element: PhantomData<T>,
}

/// The ranges of a vector that parts were given for, and those that were filled.
#[derive(Debug, Default)]
struct Ranges {
    given: Disjoint,
    filled: Disjoint,
}

/// Ranges that do not overlap. One that begins where the first one ends is joined to it, so that filling from
/// the start on needs no list.
#[derive(Debug, Default)]
struct Disjoint {
    first: Range<usize>,
    others: Vec<Range<usize>>,
}

/// A part of an [`Exact`], to be filled from its start to its end.
#[derive(Debug)]
pub struct Part<'e, T> {
    whole: &'e Exact<T>,
    /// The place of the first element of `range`.
    start: NonNull<T>,
    range: Range<usize>,
    /// The elements of `range` that are initialised.
    len: usize,
}

// SAFETY: an `Exact` owns its elements, and parts of it write from several threads to ranges that do not
// overlap; elements are dropped or given out by whoever owns the `Exact`, which takes `T: Send`. No reference to
// an element is ever handed out while it is shared, so `T: Sync` is not needed.
unsafe impl<T: Send> Send for Exact<T> {}
// SAFETY: as above.
unsafe impl<T: Send> Sync for Exact<T> {}
// SAFETY: a part has its range to itself, and its reference to the whole is `Send` as `Exact<T>` is `Sync`.
unsafe impl<T: Send> Send for Part<'_, T> {}

impl<T> Exact<T> {
    /// The vector of `len` elements, none of them there yet; the fault MemoryLimit if it cannot be had.
    pub fn new(len: i64) -> Result<Exact<T>, Fault> {
        let len = usize::try_from(len).unwrap_or(0);
        let mut memory = Vec::new();
        if memory.try_reserve_exact(len).is_err() {
            return Err(Fault::memory(len.saturating_mul(size_of::<T>())));
        }
        let mut memory = ManuallyDrop::new(memory);
        let capacity = memory.capacity();
        // SAFETY: the pointer of a vector is never null.
        let start = unsafe { NonNull::new_unchecked(memory.as_mut_ptr()) };
        Ok(Exact { start, capacity, len, ranges: Mutex::default(), element: PhantomData })
    }

    /// The part of the elements in `range`.
    ///
    /// # Panics
    /// If some of them are outside, or belong to another part.
    pub fn part(&self, range: Range<usize>) -> Part<'_, T> {
        assert!(range.start <= range.end && range.end <= self.len, "a part outside its vector");
        assert!(self.ranges().given.insert(range.clone()), "parts of a vector overlap");
        // SAFETY: `range` lies inside the allocation.
        let start = unsafe { self.start.add(range.start) };
        Part { whole: self, start, range, len: 0 }
    }

    /// The vector.
    ///
    /// # Panics
    /// If parts of it were not filled.
    pub fn finish(self) -> Vec<T> {
        let ranges = self.ranges();
        assert_eq!(ranges.filled.len(), self.len, "parts of a vector were not filled");
        drop(ranges);
        let exact = ManuallyDrop::new(self);
        // `Ranges` owns memory if parts were filled in no order.
        // SAFETY: the field is not used after this, since the drop of `exact` does not run.
        drop(unsafe { std::ptr::read(&exact.ranges) });
        // SAFETY: this is the allocation of a vector of that capacity. The filled ranges do not overlap, for the
        // ranges given do not, and together they are as long as the vector: every element is initialised.
        unsafe { Vec::from_raw_parts(exact.start.as_ptr(), exact.len, exact.capacity) }
    }

    fn ranges(&self) -> MutexGuard<'_, Ranges> {
        self.ranges.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<T> Drop for Exact<T> {
    fn drop(&mut self) {
        let filled = std::mem::take(&mut self.ranges().filled);
        if needs_drop::<T>() {
            for range in filled.iter() {
                // SAFETY: filled ranges are inside the allocation and initialised, and no part that could reach
                // them is alive, for parts borrow the whole.
                unsafe { drop_elements(self.start.add(range.start), range.len()) };
            }
        }
        // SAFETY: this is the allocation of a vector of that capacity; its elements are dropped already.
        drop(unsafe { Vec::from_raw_parts(self.start.as_ptr(), 0, self.capacity) });
    }
}

impl<T> Part<'_, T> {
    /// Puts `value` in the next place.
    ///
    /// # Panics
    /// If the part is full.
    #[inline(always)]
    pub fn push(&mut self, value: T) {
        if self.len >= self.range.len() {
            full();
        }
        // SAFETY: the place is inside the range of this part, which no other part shares, and not initialised.
        unsafe { self.start.add(self.len).write(value) };
        self.len += 1;
    }

    /// Puts `values` in the next places.
    ///
    /// # Panics
    /// If they do not fit.
    #[inline(always)]
    pub fn push_block<const L: usize>(&mut self, values: [T; L]) {
        if self.range.len() - self.len < L {
            full();
        }
        // SAFETY: as in `push`, for all `L` places; an array is aligned as its elements are.
        unsafe { self.start.add(self.len).cast::<[T; L]>().write(values) };
        self.len += L;
    }

    /// Moves `values` to the next places.
    ///
    /// # Panics
    /// If they do not fit.
    pub fn append(&mut self, mut values: Vec<T>) {
        if self.range.len() - self.len < values.len() {
            full();
        }
        let moved = values.len();
        // SAFETY: the vector does not own its elements any more, so that they are moved and not copied.
        unsafe { values.set_len(0) };
        // SAFETY: as in `push`, for all places; the vector's memory is not the whole's.
        unsafe { std::ptr::copy_nonoverlapping(values.as_ptr(), self.start.add(self.len).as_ptr(), moved) };
        self.len += moved;
    }

    /// Ends the part.
    ///
    /// # Panics
    /// If it is not full: then the whole never will be.
    pub fn done(self) {
        assert_eq!(self.len, self.range.len(), "a part of a vector was not filled");
    }
}

#[cold]
#[inline(never)]
fn full() -> ! {
    panic!("more values than a part of a vector has places")
}

impl<T> Drop for Part<'_, T> {
    fn drop(&mut self) {
        if self.len == self.range.len() {
            self.whole.ranges().filled.insert(self.range.clone());
        } else if needs_drop::<T>() {
            // SAFETY: the first `len` elements of the range are initialised, and as it is not going to be among
            // the filled ones, nobody else drops them.
            unsafe { drop_elements(self.start, self.len) };
        }
    }
}

/// Drops `len` elements from `start` on.
///
/// # Safety
/// They must be initialised, in one allocation, and owned by the caller.
unsafe fn drop_elements<T>(start: NonNull<T>, len: usize) {
    // SAFETY: by the caller.
    unsafe { NonNull::slice_from_raw_parts(start, len).drop_in_place() };
}

impl Disjoint {
    /// Adds `range`, unless it overlaps one that is here.
    fn insert(&mut self, range: Range<usize>) -> bool {
        if range.is_empty() {
            return true;
        }
        if self.iter().any(|other| range.start < other.end && other.start < range.end) {
            return false;
        }
        if self.first.is_empty() {
            self.first = range;
        } else if self.first.end == range.start {
            self.first.end = range.end;
        } else {
            self.others.push(range);
        }
        true
    }

    fn iter(&self) -> impl Iterator<Item = Range<usize>> {
        std::iter::once(&self.first).chain(&self.others).cloned()
    }

    /// The elements in all ranges.
    fn len(&self) -> usize {
        self.iter().map(|range| range.len()).sum()
    }
}

/// Pushes those of `values` whose place in `keep` holds, in order and without a branch on it.
///
/// ```
/// use weldment_runtime::builders::collect::keep;
/// let mut even = vec![0];
/// keep(&mut even, [1, 2, 3, 4], [false, true, false, true]);
/// assert_eq!(even, [0, 2, 4]);
/// ```
#[inline(always)]
pub fn keep<T: Copy, const L: usize>(out: &mut Vec<T>, values: [T; L], keep: [bool; L]) {
    if out.capacity() - out.len() < L {
        grow(out, L);
    }
    let mut len = out.len();
    for (value, keep) in values.into_iter().zip(keep) {
        // SAFETY: at most `L` values were kept before this one's place in the block, and there is room for `L`.
        unsafe { out.as_mut_ptr().add(len).write(value) };
        len += keep as usize;
    }
    // SAFETY: `len` has grown by the number of values kept, each written in the next place; there was room.
    unsafe { out.set_len(len) };
}

#[cold]
#[inline(never)]
fn grow<T>(out: &mut Vec<T>, more: usize) {
    out.reserve(more.max(1024));
}

/// From this many bytes on, vectors are put together on several threads.
const PARALLEL_BYTES: usize = 1 << 20;

/// One vector after the other.
///
/// ```
/// use weldment_runtime::builders::collect::concat;
/// use weldment_runtime::context::Context;
/// assert_eq!(concat(Context::ambient(), vec![vec![1], vec![], vec![2, 3]]), Ok(vec![1, 2, 3]));
/// ```
pub fn concat<T: Send>(cx: &Context, mut parts: Vec<Vec<T>>) -> Result<Vec<T>, Fault> {
    parts.retain(|part| !part.is_empty());
    if parts.len() <= 1 {
        return Ok(parts.pop().unwrap_or_default());
    }
    let len: usize = parts.iter().map(Vec::len).sum();
    let forced = cx.options.testing.force_parallel;
    let threads = match len.saturating_mul(size_of::<T>()) < PARALLEL_BYTES && !forced {
        true => 1,
        false => cx.threads().min(parts.len()),
    };
    let whole = Exact::new(len as i64)?;
    let mut start = 0;
    let moves: Vec<_> = parts
        .into_iter()
        .map(|part| {
            let range = start..start + part.len();
            start = range.end;
            Mutex::new(Some((whole.part(range), part)))
        })
        .collect();
    let next = AtomicUsize::new(0);
    let work = || {
        while let Some(next) = moves.get(next.fetch_add(1, Ordering::Relaxed)) {
            let taken = next.lock().unwrap_or_else(PoisonError::into_inner).take();
            if let Some((mut part, values)) = taken {
                part.append(values);
            }
        }
    };
    if threads == 1 {
        work()
    } else {
        pool::on_threads(cx, threads, &work)
    }
    drop(moves);
    Ok(whole.finish())
}

#[cfg(test)]
mod tests {
    use std::panic::{AssertUnwindSafe, catch_unwind};
    use std::sync::Arc;

    use super::*;
    use crate::options::{Options, Testing};

    #[test]
    fn parts_are_filled_in_any_order_and_from_any_thread() {
        let whole = Exact::new(1000).unwrap();
        std::thread::scope(|scope| {
            for unit in (0..10).rev() {
                let whole = &whole;
                scope.spawn(move || {
                    let mut part = whole.part(unit * 100..(unit + 1) * 100);
                    part.push_block([unit * 100, unit * 100 + 1]);
                    (unit * 100 + 2..(unit + 1) * 100).for_each(|i| part.push(i));
                    part.done();
                });
            }
        });
        assert_eq!(whole.finish(), (0..1000).collect::<Vec<_>>());
    }

    #[test]
    fn empty_vectors_and_elements_without_size_work() {
        assert_eq!(Exact::<String>::new(0).unwrap().finish(), Vec::<String>::new());
        let units = Exact::new(3).unwrap();
        let mut part = units.part(0..3);
        part.push_block([(), ()]);
        part.push(());
        part.done();
        assert_eq!(units.finish().len(), 3);
    }

    #[test]
    fn what_cannot_be_had_is_a_fault() {
        assert_eq!(Exact::<f64>::new(i64::MAX).unwrap_err().kind, crate::fault::FaultKind::MemoryLimit);
    }

    #[test]
    fn overlapping_parts_are_refused() {
        let whole = Exact::<i32>::new(10).unwrap();
        let _part = whole.part(2..5);
        for range in [0..3, 4..6, 3..4, 0..10, 5..11] {
            assert!(catch_unwind(AssertUnwindSafe(|| whole.part(range))).is_err());
        }
        whole.part(5..10);
        whole.part(3..3);
    }

    #[test]
    fn too_many_and_too_few_values_are_refused() {
        let whole = Exact::new(3).unwrap();
        let mut part = whole.part(0..3);
        part.push(1);
        assert!(catch_unwind(AssertUnwindSafe(|| part.push_block([1, 2, 3]))).is_err());
        assert!(catch_unwind(AssertUnwindSafe(|| part.append(vec![1, 2, 3]))).is_err());
        part.append(vec![2, 3]);
        assert!(catch_unwind(AssertUnwindSafe(|| part.push(4))).is_err());
        part.done();
        assert_eq!(whole.finish(), [1, 2, 3]);
        let whole = Exact::new(3).unwrap();
        whole.part(0..2).append(vec![1, 2]);
        assert!(catch_unwind(AssertUnwindSafe(|| whole.finish())).is_err());
    }

    #[test]
    fn what_is_given_up_drops_every_element_once() {
        let counted = Arc::new(());
        let whole = Exact::new(10).unwrap();
        let mut full = whole.part(4..7);
        full.append(vec![counted.clone(), counted.clone()]);
        full.push(counted.clone());
        full.done();
        let mut open = whole.part(0..4);
        open.push(counted.clone());
        assert_eq!(Arc::strong_count(&counted), 5);
        drop(open);
        assert_eq!(Arc::strong_count(&counted), 4);
        drop(whole);
        assert_eq!(Arc::strong_count(&counted), 1);
    }

    #[test]
    fn kept_values_stay_in_order() {
        let mut out: Vec<usize> = Vec::new();
        for block in 0..1000 {
            let values: [usize; 16] = std::array::from_fn(|i| block * 16 + i);
            keep(&mut out, values, values.map(|value| value % 3 == 0));
        }
        assert_eq!(out, (0..16000).filter(|i| i % 3 == 0).collect::<Vec<_>>());
    }

    #[test]
    fn vectors_concatenate_on_one_thread_and_on_several() {
        let testing = Testing { force_parallel: true, ..Testing::default() };
        for threads in [1, 2] {
            let cx = Context::new(&Options::new().threads(threads).testing(testing));
            let parts: Vec<Vec<String>> =
                (0..20).map(|i| (0..i).map(|j| format!("{i} {j}")).collect()).collect();
            assert_eq!(concat(&cx, parts.clone()).unwrap(), parts.concat());
        }
        assert_eq!(concat::<i32>(Context::ambient(), vec![]), Ok(vec![]));
    }
}
