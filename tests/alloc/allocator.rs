//! A global allocator that counts.
//!
//! It counts for the whole process: what is to be measured runs while nothing else does.
#![expect(
    unsafe_code,
    reason = "a global allocator is unsafe; this one only counts, and hands on to the system's"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering};

/// The bytes that have been asked for, whether or not they were given back.
pub(crate) static ALLOCATED: AtomicUsize = AtomicUsize::new(0);

/// The bytes that are allocated.
pub(crate) static HELD: AtomicUsize = AtomicUsize::new(0);

/// The most bytes that were allocated at a time.
pub(crate) static PEAK: AtomicUsize = AtomicUsize::new(0);

/// How many bytes a block has at least that is large.
pub(crate) static LARGE: AtomicUsize = AtomicUsize::new(usize::MAX);

/// How many blocks have been, or have become, large.
pub(crate) static LARGE_BLOCKS: AtomicUsize = AtomicUsize::new(0);

/// The bytes that have been asked for in blocks that were not large, or not yet.
pub(crate) static SMALL: AtomicUsize = AtomicUsize::new(0);

struct Counting;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Counts a block that grows from `old` bytes to `new`; one that is new grows from none.
fn count(old: usize, new: usize) {
    let more = new.saturating_sub(old);
    ALLOCATED.fetch_add(more, Ordering::Relaxed);
    let held = HELD.fetch_add(new, Ordering::Relaxed) + new;
    HELD.fetch_sub(old, Ordering::Relaxed);
    PEAK.fetch_max(held, Ordering::Relaxed);
    let large = LARGE.load(Ordering::Relaxed);
    match (old < large, new < large) {
        (true, true) => drop(SMALL.fetch_add(more, Ordering::Relaxed)),
        (true, false) => drop(LARGE_BLOCKS.fetch_add(1, Ordering::Relaxed)),
        (false, _) => {}
    }
}

// SAFETY: every method hands its arguments on to the system's allocator, and gives what that gives.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        count(0, layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        count(0, layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        count(layout.size(), size);
        // SAFETY: as the caller promises.
        unsafe { System.realloc(block, layout, size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        HELD.fetch_sub(layout.size(), Ordering::Relaxed);
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(block, layout) }
    }
}
