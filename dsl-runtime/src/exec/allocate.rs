//! Where the vectors of a run get their memory: anew, from what the caller gave for the result, or from what earlier
//! vectors have left.

#![expect(unsafe_code, reason = "blocks without type go back to where they came from")]

use std::alloc::{Layout, dealloc};
use std::ptr::NonNull;

use crate::exec::context::Context;
use crate::lang::fault::Fault;
use crate::mem::pool::Pool;
use crate::mem::vec::{self, room};

/// Where memory for a vector comes from, counted by the run: a [`Context`], which allocates, or one of its
/// [`Reused`].
pub trait Memory {
    /// The run.
    fn context(&self) -> &Context;

    /// An empty vector with room for `len` elements.
    ///
    /// # Errors
    /// MemoryLimit, if there is no such room and none can be had.
    fn vector<T>(&self, len: usize) -> Result<Vec<T>, Fault>;

    /// An empty vector whose length is not known yet, with whatever room there is for it.
    fn any_length<T>(&self) -> Vec<T>;

    /// Whether a vector keeps room that it does not need, for the next one that is made of its memory.
    fn keeps_room(&self) -> bool;
}

/// Memory that was used before, and new memory where that does not suffice: what [`Context::results`] and
/// [`Context::temporaries`] give.
#[derive(Debug)]
pub struct Reused<'c> {
    context: &'c Context,
    pool: Option<&'c Pool>,
    keeps_room: bool,
}

/// Memory for the states of a loop from step to step: what [`Context::states`] gives.
#[derive(Debug)]
pub struct States<'c>(&'c Context);

impl Memory for Context {
    fn context(&self) -> &Context {
        self
    }

    fn vector<T>(&self, len: usize) -> Result<Vec<T>, Fault> {
        vec::with_room(self, len)
    }

    fn any_length<T>(&self) -> Vec<T> {
        Vec::new()
    }

    fn keeps_room(&self) -> bool {
        false
    }
}

impl Reused<'_> {
    /// `released`, if the run may hold so much.
    fn counted<T>(&self, released: Option<Vec<T>>) -> Option<Vec<T>> {
        released.filter(|released| self.context.charge(room(released)).is_ok())
    }
}

impl Memory for Reused<'_> {
    fn context(&self) -> &Context {
        self.context
    }

    fn vector<T>(&self, len: usize) -> Result<Vec<T>, Fault> {
        match self.counted(self.pool.and_then(|pool| pool.take(len))) {
            Some(released) => Ok(released),
            None => self.context.vector(len),
        }
    }

    fn any_length<T>(&self) -> Vec<T> {
        self.counted(self.pool.and_then(Pool::take_largest)).unwrap_or_default()
    }

    fn keeps_room(&self) -> bool {
        self.keeps_room
    }
}

impl Memory for States<'_> {
    fn context(&self) -> &Context {
        self.0
    }

    fn vector<T>(&self, len: usize) -> Result<Vec<T>, Fault> {
        let mut pools = [self.0.left(), self.0.given()].into_iter().flatten();
        let released = pools.find_map(|pool| pool.take_exact(len));
        match released.filter(|released| self.0.charge(room(released)).is_ok()) {
            Some(released) => Ok(released),
            None => self.0.vector(len),
        }
    }

    fn any_length<T>(&self) -> Vec<T> {
        Vec::new()
    }

    fn keeps_room(&self) -> bool {
        false
    }
}

impl Context {
    /// Memory for a state, one of which may be the result: what an earlier state of that very length has left, or what the caller gave for
    /// the result. The program [recycles](Context::recycle) a state when the next one is there.
    pub fn states(&self) -> States<'_> {
        States(self)
    }

    /// Memory for the vectors of the result.
    pub fn results(&self) -> Reused<'_> {
        Reused { context: self, pool: self.given(), keeps_room: self.given().is_some() }
    }

    /// Memory for vectors that the program is done with before it ends, and then [recycles](Context::recycle).
    pub fn temporaries(&self) -> Reused<'_> {
        Reused { context: self, pool: self.left(), keeps_room: self.left().is_some() }
    }

    /// Leaves the memory of `vector` to the temporaries that come, in this run or, with
    /// `Options::buffers`, in later ones.
    pub fn recycle<T>(&self, vector: Vec<T>) {
        self.discharge(room(&vector));
        if let Some(pool) = self.left() {
            pool.put(vector);
        }
    }

    /// A context for this run that keeps what is recycled, where this one, of a plain call, does not.
    pub fn own(&self) -> Option<Context> {
        std::ptr::eq(self, Context::ambient()).then(|| Context::new(&self.options))
    }

    /// Where the memory for the result is, if any was given.
    fn given(&self) -> Option<&Pool> {
        if self.passes_on { self.left() } else { self.results.as_ref() }
    }

    /// Where what is recycled is kept. A run whose memory is limited keeps none of its own: what it is done with is freed.
    pub(crate) fn left(&self) -> Option<&Pool> {
        match (&self.options.chosen().buffers, self.options.chosen().memory_limit) {
            (Some(buffers), _) => Some(buffers.pool()),
            (None, Some(_)) => None,
            (None, None) => self.left.as_ref(),
        }
    }
}

impl Context {
    /// A block of that alignment and at least that size, from what the caller gave for the result or from what vectors have
    /// left, if there is one: with its layout, with which its owner frees it. It is not counted yet.
    pub fn take_block(&self, wanted: Layout) -> Option<(NonNull<u8>, Layout)> {
        let left = self.left().and_then(|pool| pool.take_block(wanted, 1, true));
        left.or_else(|| self.take_given(wanted, 1))
    }

    /// A block of that alignment and at least that size, in whole elements of `unit` bytes, from what the caller gave for
    /// the result alone: as [`take_block`](Context::take_block).
    pub fn take_given(&self, wanted: Layout, unit: usize) -> Option<(NonNull<u8>, Layout)> {
        self.given()?.take_block(wanted, unit, false)
    }

    /// Memory for an array of so many elements: of what the caller gave for the result, if a block of exactly that size is among it, or
    /// else anew. An array of no bytes has none.
    ///
    /// # Errors
    /// MemoryLimit.
    pub(crate) fn result_array(&self, element: Layout, len: usize) -> Result<NonNull<u8>, Fault> {
        let layout = Layout::from_size_align(element.size().saturating_mul(len), element.align()).ok();
        let given =
            layout.and_then(|layout| Some((self.results.as_ref()?.take_exact_block(layout)?, layout)));
        let Some((start, layout)) = given else { return vec::allocate(self, element, len) };
        if let Err(fault) = self.charge(layout.size()) {
            // SAFETY: this is the layout with which it was allocated, and nobody else has it.
            unsafe { dealloc(start.as_ptr(), layout) };
            return Err(fault);
        }
        Ok(start)
    }

    /// The empty vector with room for exactly `len` elements, as [`Context::result_array`] has it.
    pub(crate) fn result_vector<T>(&self, len: usize) -> Result<Vec<T>, Fault> {
        match self.result_array(Layout::new::<T>(), len) {
            // SAFETY: this is the allocation of an array of so many elements, and it has no other owner.
            Ok(start) => Ok(unsafe { Vec::from_raw_parts(start.cast().as_ptr(), 0, len) }),
            Err(fault) => Err(fault),
        }
    }

    /// Leaves a block to whoever [takes](Context::take_block) it, or frees it. What counts for the run is the caller's to
    /// tell.
    ///
    /// # Safety
    /// The block was allocated by the global allocator with `layout`, whose size is not 0, and nobody uses it.
    pub unsafe fn release_block(&self, start: NonNull<u8>, layout: Layout) {
        match self.left() {
            // SAFETY: as the caller promises.
            Some(pool) => unsafe { pool.put_block(start, layout) },
            // SAFETY: as the caller promises.
            None => unsafe { dealloc(start.as_ptr(), layout) },
        }
    }
}

#[cfg(test)]
mod tests {
    use std::alloc::Layout;

    use super::*;
    use crate::exec::context::Context;
    use crate::exec::options::Options;

    #[test]
    fn room_is_counted_and_no_more_than_asked_for() {
        let cx = Context::new(&Options::new().memory_limit(100));
        let mut vector: Vec<u16> = cx.vector(50).unwrap();
        assert_eq!((vector.len(), vector.capacity()), (0, 50));
        vector.extend(0..50);
        assert!(vector.iter().copied().eq(0..50));
        assert!(cx.vector::<u8>(1).is_err() && cx.vector::<u64>(usize::MAX).is_err());
        cx.discharge(room(&vector));
        assert!(cx.vector::<[u8; 100]>(1).is_ok());
        assert_eq!((cx.vector::<i64>(0).unwrap(), cx.vector::<()>(7).unwrap()), (vec![], vec![]));
    }

    #[test]
    fn memory_is_used_again() {
        {
            let cx = Context::new(&Options::new());
            cx.recycle(vec![0.0; 100]);
            assert_eq!(cx.temporaries().vector::<i64>(50).unwrap().capacity(), 100);
        }
        {
            let mut cx = Context::filling(&Options::new());
            cx.take_memory(&mut vec![0.0; 30]);
            cx.recycle(vec![0.0; 100]);
            let states = [100, 30, 40].map(|len| cx.states().vector::<f64>(len).unwrap());
            assert_eq!(states.map(|state| state.capacity()), [100, 30, 40]);
            assert!(cx.take_block(Layout::new::<f64>()).is_none());
        }
        {
            let cx = Context::new(&Options::new());
            cx.recycle(vec![0u8; 64]);
            assert_eq!(
                (
                    cx.temporaries().any_length::<u8>().capacity(),
                    cx.temporaries().any_length::<u8>().capacity()
                ),
                (64, 0)
            );
        }
        {
            let mut out = Vec::<f64>::with_capacity(100);
            let place = out.as_ptr();
            let mut cx = Context::filling(&Options::new());
            cx.take_memory(&mut out);
            let (block, layout) = cx.take_block(Layout::array::<f64>(80).unwrap()).unwrap();
            assert_eq!((block.as_ptr().cast(), layout.size()), (place.cast_mut(), 800));
            // SAFETY: nobody else has the block.
            unsafe { cx.release_block(block, layout) };
        }
        {
            let mut cx = Context::filling(&Options::new());
            cx.take_memory(&mut Vec::<f64>::with_capacity(101));
            assert!(cx.take_given(Layout::array::<f64>(2).unwrap(), 16).is_none()); // 101 are no pairs
        }
    }

    #[test]
    fn what_cannot_be_allocated_is_a_fault() {
        {
            let cx = Context::ambient();
            assert!(cx.vector::<f64>(10).unwrap().capacity() >= 10);
            assert!(cx.results().vector::<f64>(10).unwrap().capacity() >= 10);
            assert!(cx.temporaries().vector::<f64>(1 << 60).is_err());
        }
        assert!(Context::ambient().own().is_some() && Context::new(&Options::new()).own().is_none());
    }
}
