//! How much memory is held at a time.

use std::sync::atomic::Ordering;

use crate::allocator::{HELD, PEAK};

/// The most bytes that are held at a time while `work` runs, beyond those before it.
pub(crate) fn peak(work: impl FnOnce()) -> usize {
    let before = HELD.load(Ordering::Relaxed);
    PEAK.store(before, Ordering::Relaxed);
    work();
    PEAK.load(Ordering::Relaxed) - before
}
