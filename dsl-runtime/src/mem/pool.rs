//! Memory that is used again: blocks that vectors have left behind, without their elements.
//!
//! A stock holds such blocks by size. Runs take from one where a vector is made, and give back to one what they are
//! done with; [`Buffers`] are the stock that a user keeps from call to call.
//!
//! This file may use `unsafe` because it takes vectors apart. What makes it sound: a block in a stock was allocated
//! with the layout that is kept with it, holds no elements, and has no other owner; and a vector is made of one only if
//! that is the layout with which the vector will free it.

#![expect(unsafe_code, reason = "vectors are taken apart, and made of memory that others have left")]

use std::alloc::{Layout, dealloc};
use std::fmt;
use std::mem::{ManuallyDrop, replace};
use std::ops::{Range, RangeInclusive};
use std::ptr::{NonNull, null_mut};
use std::sync::atomic::{AtomicPtr, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Memory for what programs store between their loops, kept from call to call: see
/// [`Options::buffers`](crate::exec::options::Options::buffers). Clones are the same buffers, and any thread may use them.
///
/// ```
/// use weldment_runtime::exec::options::Options;
/// use weldment_runtime::mem::pool::Buffers;
/// let buffers = Buffers::new(64 << 20); // at most 64 MiB
/// let options = Options::new().buffers(&buffers);
/// // … run kernels with these options …
/// assert!(buffers.held() <= 64 << 20);
/// # let _ = options;
/// ```
#[derive(Clone)]
pub struct Buffers(Arc<Pool>);

/// Blocks that nobody uses.
#[derive(Debug)]
pub(crate) struct Pool {
    /// How many bytes there may be.
    most: usize,
    /// The block that the stock began with, if it began with one alone, and that is still there: it is taken without a lock, for a call
    /// that fills a small vector has no time for one.
    first: AtomicPtr<u8>,
    /// Of `first`, whether it is still there or not.
    first_layout: Layout,
    blocks: Mutex<Blocks>,
}

/// By alignment, size, and the order in which they came: several vectors of one length are written to the same memory in
/// each call. They are few, and most often one, so that sums over them are not kept: each run begins with two stocks.
#[derive(Debug)]
struct Blocks(ManuallyDrop<Vec<(Key, Released)>>);

/// Which blocks will do.
struct Wanted {
    align: usize,
    bytes: RangeInclusive<usize>,
    /// Blocks are of whole elements of so many bytes.
    unit: usize,
}

/// Of a block: its alignment, its size, and which came before it: a higher number is later.
type Key = (usize, usize, u64);

/// A block, which is freed when it is dropped.
#[derive(Debug)]
pub(crate) struct Released {
    start: NonNull<u8>,
    layout: Layout,
}

// SAFETY: a block that nobody uses is memory alone, and may be freed by any thread.
unsafe impl Send for Released {}

impl Buffers {
    /// Nothing yet, and never more than `most` bytes: a block that there is no room for takes the place of those that
    /// were left longest ago.
    ///
    /// ```
    /// # use weldment_runtime::mem::pool::Buffers;
    /// assert_eq!(Buffers::new(1 << 20).held(), 0);
    /// ```
    pub fn new(most: usize) -> Buffers {
        Buffers(Arc::new(Pool::new(most)))
    }

    /// The bytes that are kept now. What a run is using is not among them.
    ///
    /// ```
    /// # use weldment_runtime::exec::allocate::Memory; use weldment_runtime::exec::context::Context; use weldment_runtime::exec::options::Options; use weldment_runtime::mem::pool::Buffers;
    /// let buffers = Buffers::new(1 << 20);
    /// let cx = Context::new(&Options::new().buffers(&buffers));
    /// cx.recycle(vec![0.0; 100]);
    /// assert_eq!(buffers.held(), 800);
    /// let vector = cx.temporaries().vector::<f64>(50)?; // takes it
    /// assert_eq!((buffers.held(), vector.capacity()), (0, 100));
    /// # Ok::<(), weldment_runtime::lang::fault::Fault>(())
    /// ```
    pub fn held(&self) -> usize {
        self.0.blocks().bytes()
    }

    /// Frees what is kept.
    ///
    /// ```
    /// # use weldment_runtime::exec::context::Context; use weldment_runtime::exec::options::Options; use weldment_runtime::mem::pool::Buffers;
    /// # let buffers = Buffers::new(1 << 20);
    /// # Context::new(&Options::new().buffers(&buffers)).recycle(vec![0.0; 100]);
    /// buffers.clear();
    /// assert_eq!(buffers.held(), 0);
    /// ```
    pub fn clear(&self) {
        *self.0.blocks() = Blocks::EMPTY;
    }

    pub(crate) fn pool(&self) -> &Pool {
        &self.0
    }
}

impl fmt::Debug for Buffers {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "Buffers {{ held: {}, most: {} }}", self.held(), self.0.most)
    }
}

impl Wanted {
    /// Room for at least `len` elements, in at most `most` bytes; `None` where that is no memory.
    #[inline]
    fn of<T>(len: usize, most: usize) -> Option<Wanted> {
        let unit = size_of::<T>();
        let bytes = len.checked_mul(unit).filter(|&bytes| bytes > 0)?;
        Some(Wanted { align: align_of::<T>(), bytes: bytes..=most, unit })
    }

    #[inline]
    fn is(&self, layout: Layout) -> bool {
        let size = layout.size();
        layout.align() == self.align && self.bytes.contains(&size) && size.is_multiple_of(self.unit)
    }
}

impl Blocks {
    const EMPTY: Blocks = Blocks(ManuallyDrop::new(Vec::new()));

    /// How many bytes they have.
    fn bytes(&self) -> usize {
        self.0.iter().map(|(key, _)| key.1).sum()
    }

    /// The places of the blocks of that alignment that have at least so many bytes.
    fn places(&self, align: usize, bytes: usize) -> Range<usize> {
        let first = self.0.partition_point(|(key, _)| *key < (align, bytes, 0));
        let same = self.0[first..].partition_point(|(key, _)| key.0 == align);
        first..first + same
    }

    /// The size of the block at a place.
    fn size(&self, place: usize) -> usize {
        self.0[place].0.1
    }

    /// The smallest block of at least the size that is wanted, if it is not too large.
    fn take(&mut self, wanted: &Wanted) -> Option<Released> {
        let mut places = self.places(wanted.align, *wanted.bytes.start());
        let smallest = places.find(|&place| self.size(place).is_multiple_of(wanted.unit))?;
        wanted.bytes.contains(&self.size(smallest)).then(|| self.remove(smallest))
    }

    /// The largest of the blocks that are wanted; of those, the one that came first.
    fn take_largest(&mut self, wanted: &Wanted) -> Option<Released> {
        let mut places = self.places(wanted.align, *wanted.bytes.start()).rev();
        let largest = places.find(|&place| self.size(place).is_multiple_of(wanted.unit))?;
        let place = self.places(wanted.align, self.size(largest)).next()?;
        Some(self.remove(place))
    }

    fn remove(&mut self, place: usize) -> Released {
        self.0.remove(place).1
    }

    fn put(&mut self, released: Released) {
        let last = self.0.iter().map(|(key, _)| key.2).max();
        let key = (released.layout.align(), released.layout.size(), last.map_or(0, |last| last + 1));
        let place = self.0.partition_point(|(other, _)| *other < key);
        self.0.insert(place, (key, released));
    }

    /// Keeps a block in at most `most` bytes; one that is too large is freed.
    fn keep(&mut self, released: Released, most: usize) {
        let Some(rest) = most.checked_sub(released.layout.size()) else { return };
        while self.bytes() > rest {
            self.forget_oldest();
        }
        self.put(released);
    }

    /// Frees the block that came first.
    fn forget_oldest(&mut self) {
        let oldest = (0..self.0.len()).min_by_key(|&place| self.0[place].0.2);
        oldest.into_iter().for_each(|place| drop(self.remove(place)));
    }
}

impl Pool {
    /// An empty stock of at most so many bytes.
    pub(crate) const fn new(most: usize) -> Pool {
        let first = AtomicPtr::new(null_mut());
        Pool { most, first, first_layout: Layout::new::<()>(), blocks: Mutex::new(Blocks::EMPTY) }
    }

    /// A block that is wanted.
    #[inline]
    fn get(&self, wanted: &Wanted) -> Option<Released> {
        match self.begun_with(|layout| wanted.is(layout)) {
            Some(first) => Some(first),
            None if self.has_begun() => None,
            None => self.blocks().take(wanted),
        }
    }

    /// Whether the stock began with one block alone: it is given no others, and needs no lock to say that it has none.
    #[inline]
    fn has_begun(&self) -> bool {
        self.first_layout.size() > 0
    }

    /// The block that the stock began with, if its layout is such.
    #[inline]
    fn begun_with(&self, is_such: impl FnOnce(Layout) -> bool) -> Option<Released> {
        let layout = self.first_layout;
        if !self.has_begun() || !is_such(layout) {
            return None;
        }
        // Who gets the pointer has the block; whatever was written to it comes from before the stock was shared.
        let start = NonNull::new(self.first.swap(null_mut(), Ordering::Relaxed))?;
        Some(Released { start, layout })
    }

    /// An empty vector with room for `len` elements at least, if there is memory for it. One with no room needs none.
    #[inline]
    pub(crate) fn take<T>(&self, len: usize) -> Option<Vec<T>> {
        let released = self.get(&Wanted::of::<T>(len, usize::MAX)?)?;
        // SAFETY: such a block was asked for.
        Some(unsafe { released.into_vec() })
    }

    /// The same, with room for exactly `len` elements.
    pub(crate) fn take_exact<T>(&self, len: usize) -> Option<Vec<T>> {
        let released = self.get(&Wanted::of::<T>(len, len.checked_mul(size_of::<T>())?)?)?;
        // SAFETY: such a block was asked for.
        Some(unsafe { released.into_vec() })
    }

    /// The same, with the most room that there is, for a vector whose length is not known yet.
    pub(crate) fn take_largest<T>(&self) -> Option<Vec<T>> {
        let wanted = Wanted::of::<T>(1, usize::MAX)?;
        let released = match self.begun_with(|layout| wanted.is(layout)) {
            Some(first) => first,
            None if self.has_begun() => return None,
            None => self.blocks().take_largest(&wanted)?,
        };
        // SAFETY: such a block was chosen.
        Some(unsafe { released.into_vec() })
    }

    /// A block of that alignment and at least that size, in whole elements of `unit` bytes, and at most twice that if
    /// `is_close`; its owner frees it with its layout.
    pub(crate) fn take_block(
        &self,
        wanted: Layout,
        unit: usize,
        is_close: bool,
    ) -> Option<(NonNull<u8>, Layout)> {
        let most = if is_close { wanted.size().saturating_mul(2) + 1 } else { usize::MAX };
        let wanted = Wanted { align: wanted.align(), bytes: wanted.size().max(1)..=most, unit };
        Some(self.get(&wanted)?.into_block())
    }

    /// A block of exactly this layout; its owner frees it with it.
    pub(crate) fn take_exact_block(&self, wanted: Layout) -> Option<NonNull<u8>> {
        let size = wanted.size();
        let wanted = Wanted { align: wanted.align(), bytes: size.max(1)..=size, unit: 1 };
        Some(self.get(&wanted)?.into_block().0)
    }

    /// Keeps the memory of `vector`, if there is room for it; its elements are dropped.
    pub(crate) fn put<T>(&self, mut vector: Vec<T>) {
        vector.clear();
        let mut vector = ManuallyDrop::new(vector);
        let Ok(layout) = Layout::array::<T>(vector.capacity()) else { return };
        if let Some(start) = NonNull::new(vector.as_mut_ptr().cast::<u8>())
            && layout.size() > 0
        {
            // SAFETY: this is how a vector allocates; it is not dropped, and has no elements.
            unsafe { self.put_block(start, layout) };
        }
    }

    /// Keeps a block, if there is room for it.
    ///
    /// # Safety
    /// The block was allocated with `layout`, whose size is not 0, and nobody uses it.
    pub(crate) unsafe fn put_block(&self, start: NonNull<u8>, layout: Layout) {
        debug_assert!(!self.has_begun(), "a stock that began with what was given is given no more");
        self.blocks().keep(Released { start, layout }, self.most);
    }

    /// The same, of a stock that nobody else uses yet.
    ///
    /// # Safety
    /// As for [`put_block`](Pool::put_block).
    #[inline]
    pub(crate) unsafe fn begin_with(&mut self, start: NonNull<u8>, layout: Layout) {
        let blocks = self.blocks.get_mut().unwrap_or_else(PoisonError::into_inner);
        let is_first = blocks.0.is_empty() && self.first_layout.size() == 0;
        if is_first {
            (*self.first.get_mut(), self.first_layout) = (start.as_ptr(), layout);
            return;
        }
        // SAFETY: as the caller promises.
        unsafe { self.go_on_with(start, layout) };
    }

    /// The same of the second block and those behind it.
    ///
    /// # Safety
    /// As for [`put_block`](Pool::put_block).
    #[cold]
    unsafe fn go_on_with(&mut self, start: NonNull<u8>, layout: Layout) {
        // Blocks of one size are taken in the order in which they came.
        let all = self.first().into_iter().chain([Released { start, layout }]);
        self.first_layout = Layout::new::<()>();
        all.for_each(|block| self.blocks().keep(block, self.most));
    }

    /// The block that the stock began with, where nobody else uses the stock.
    #[inline]
    fn first(&mut self) -> Option<Released> {
        let start = NonNull::new(replace(self.first.get_mut(), null_mut()))?;
        Some(Released { start, layout: self.first_layout })
    }

    /// The alignments and sizes of its blocks.
    #[cfg(test)]
    pub(crate) fn sizes(&mut self) -> Vec<(usize, usize)> {
        if let Some(first) = self.first() {
            self.blocks().keep(first, self.most);
        }
        self.blocks().0.iter().map(|&((align, size, _), _)| (align, size)).collect()
    }

    fn blocks(&self) -> MutexGuard<'_, Blocks> {
        self.blocks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Released {
    /// The block, which the caller owns.
    fn into_block(self) -> (NonNull<u8>, Layout) {
        let released = ManuallyDrop::new(self);
        (released.start, released.layout)
    }

    /// # Safety
    /// The block has the alignment of `T`, and the size of some `T`s, which is not 0.
    unsafe fn into_vec<T>(self) -> Vec<T> {
        let (start, layout) = self.into_block();
        // SAFETY: as the caller promises, this is how a vector allocates; it has no elements, and owns the block alone.
        unsafe { Vec::from_raw_parts(start.as_ptr().cast(), 0, layout.size() / size_of::<T>()) }
    }
}

/// Most stocks of a run are empty when it ends, which is seen without a call.
impl Drop for Pool {
    #[inline]
    fn drop(&mut self) {
        if !self.first.get_mut().is_null() {
            drop(self.first());
        }
    }
}

impl Drop for Blocks {
    #[inline]
    fn drop(&mut self) {
        #[cold]
        fn free(blocks: &mut Blocks) {
            // SAFETY: this is the end of the blocks.
            unsafe { ManuallyDrop::drop(&mut blocks.0) };
        }
        if self.0.capacity() > 0 {
            free(self);
        }
    }
}

impl Drop for Released {
    fn drop(&mut self) {
        // SAFETY: the block was allocated with this layout, whose size is not 0, and nobody uses it.
        unsafe { dealloc(self.start.as_ptr(), self.layout) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn held(pool: &Pool) -> usize {
        pool.blocks().bytes()
    }

    #[test]
    fn the_smallest_block_that_fits_is_taken() {
        let pool = Pool::new(usize::MAX);
        let sizes = [100, 10, 1000];
        let places = sizes.map(|len| {
            let vector = Vec::<f64>::with_capacity(len);
            let place = vector.as_ptr();
            pool.put(vector);
            place
        });
        let taken: Vec<f64> = pool.take(11).unwrap();
        assert_eq!((taken.as_ptr(), taken.capacity(), taken.len()), (places[0], 100, 0));
        assert!(pool.take::<f64>(1001).is_none() && pool.take::<f32>(1).is_none());
        assert!(pool.take_exact::<f64>(11).is_none());
        let other = pool.take_exact::<u64>(10).unwrap();
        assert_eq!(other.as_ptr().cast(), places[1], "of another type");
        assert_eq!(pool.take_largest::<(f64, i64)>().unwrap().capacity(), 500);
        assert_eq!(held(&pool), 0);
    }

    #[test]
    fn a_block_of_another_size_than_whole_elements_is_not_taken() {
        let pool = Pool::new(usize::MAX);
        pool.put(Vec::<u64>::with_capacity(7));
        assert!(pool.take::<(u64, u64)>(2).is_none() && pool.take_largest::<(u64, u64)>().is_none());
        pool.put(Vec::<u64>::with_capacity(8));
        assert_eq!(pool.take::<(u64, u64)>(2).unwrap().capacity(), 4);
        assert!(pool.take::<()>(2).is_none() && pool.take_largest::<()>().is_none());
    }

    #[test]
    fn the_only_block_that_a_stock_begins_with_is_taken_once() {
        let mut pool = Pool::new(usize::MAX);
        let begin = |pool: &mut Pool, len| {
            let mut vector = ManuallyDrop::new(Vec::<f64>::with_capacity(len));
            let start = NonNull::new(vector.as_mut_ptr().cast()).unwrap();
            // SAFETY: this is how a vector allocates, which is not dropped.
            unsafe { pool.begin_with(start, Layout::array::<f64>(len).unwrap()) };
            vector.as_ptr()
        };
        begin(&mut pool, 10);
        assert!(pool.take::<f64>(11).is_none() && pool.take::<f32>(1).is_none());
        assert!(pool.take_exact::<f64>(9).is_none() && pool.take::<[f64; 3]>(1).is_none());
        assert_eq!(pool.take::<f64>(9).unwrap().capacity(), 10);
        assert!(pool.take_exact::<f64>(10).is_none() && pool.take_largest::<f64>().is_none());

        let mut pool = Pool::new(usize::MAX);
        for len in [10, 5, 20] {
            begin(&mut pool, len);
        }
        assert_eq!(pool.take::<f64>(3).unwrap().capacity(), 5, "several are in order of their sizes");
        assert_eq!(pool.sizes(), [(8, 80), (8, 160)]);

        let mut pool = Pool::new(usize::MAX);
        let places = [7, 7, 7].map(|len| begin(&mut pool, len));
        let taken = places.map(|_| pool.take::<f64>(7).unwrap());
        assert_eq!(taken.map(|vector| vector.as_ptr()), places, "and of one size as they came");
    }

    #[test]
    fn what_came_first_makes_room() {
        let pool = Pool::new(1000);
        for len in [300, 400, 200, 100] {
            pool.put(Vec::<u8>::with_capacity(len));
        }
        assert_eq!(held(&pool), 1000);
        pool.put(Vec::<u8>::with_capacity(250));
        assert_eq!(held(&pool), 950);
        assert!(pool.take_exact::<u8>(300).is_none() && pool.take_exact::<u8>(400).is_some());
        pool.put(Vec::<u8>::with_capacity(1001));
        assert_eq!(held(&pool), 550, "what is too large is freed, and nothing for it");
    }

    #[test]
    fn blocks_without_type_are_close_in_size_if_need_be() {
        let pool = Pool::new(usize::MAX);
        pool.put(Vec::<u64>::with_capacity(300));
        let wanted = Layout::array::<u64>(100).unwrap();
        assert!(pool.take_block(wanted, 1, true).is_none());
        let (start, layout) = pool.take_block(wanted, 1, false).unwrap();
        assert_eq!(layout.size(), 2400);
        // SAFETY: the block is the test's alone.
        unsafe { pool.put_block(start, layout) };
        assert_eq!(held(&pool), 2400);
    }
}
