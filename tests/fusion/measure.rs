//! What a run writes to memory.

use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::allocator::{LARGE, LARGE_BLOCKS, SMALL};

/// What was allocated, whether or not it was given back.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Written {
    /// The blocks that were, or grew, as large as [`of_vectors`] says.
    pub(crate) vectors: usize,
    /// The bytes in all other blocks.
    pub(crate) besides: usize,
}

/// Held while something is counted: bytes and calls are counted for the whole process, and tests run side by side.
pub(crate) fn alone() -> MutexGuard<'static, ()> {
    static ALONE: Mutex<()> = Mutex::new(());
    ALONE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Has blocks counted as vectors that hold an eighth of `n` numbers of eight bytes at least.
pub(crate) fn of_vectors(n: usize) {
    LARGE.store(n, Relaxed);
}

/// What `work` gives, and writes.
pub(crate) fn written<T>(work: impl FnOnce() -> T) -> (T, Written) {
    let before = (LARGE_BLOCKS.load(Relaxed), SMALL.load(Relaxed));
    let result = work();
    let after = (LARGE_BLOCKS.load(Relaxed), SMALL.load(Relaxed));
    (result, Written { vectors: after.0 - before.0, besides: after.1 - before.1 })
}
