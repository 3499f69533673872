//! A global allocator that knows the most that was allocated at a time.
#![expect(
    unsafe_code,
    reason = "a global allocator is unsafe, and only counts here, and hands on to the system's; so is advice about pages"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::sync::atomic::{AtomicBool, AtomicIsize, Ordering};

/// Whether anybody asks: threads that allocate much and all count in one place wait for each other, which must not be measured.
static IS_COUNTING: AtomicBool = AtomicBool::new(false);

/// The bytes that were allocated since counting began, without those that were given back.
static HELD: AtomicIsize = AtomicIsize::new(0);
static MOST: AtomicIsize = AtomicIsize::new(0);

/// The most bytes that were allocated at a time while `work` ran, beyond those before it.
pub(crate) fn peak(work: impl FnOnce()) -> usize {
    HELD.store(0, Ordering::Relaxed);
    MOST.store(0, Ordering::Relaxed);
    IS_COUNTING.store(true, Ordering::Relaxed);
    work();
    IS_COUNTING.store(false, Ordering::Relaxed);
    MOST.load(Ordering::Relaxed) as usize
}

/// Writes to each page of so many bytes, and gives them back to the system.
pub(crate) fn touch(bytes: usize) {
    const PAGE: usize = 1 << 12;
    let mut memory = vec![0u8; bytes];
    // In pages as large as any, so that none is left that the host would have to provide.
    #[cfg(target_os = "linux")]
    // SAFETY: whole pages, all within what the vector has, so that nothing else is told anything.
    unsafe {
        let before_page = memory.as_ptr().align_offset(PAGE).min(bytes);
        let within = memory[before_page..].as_mut_ptr().cast();
        libc::madvise(within, (bytes - before_page) / PAGE * PAGE, libc::MADV_HUGEPAGE);
    }
    memory.iter_mut().step_by(PAGE).for_each(|byte| *byte = 1);
    black_box(memory);
}

struct Peak;

#[global_allocator]
static ALLOCATOR: Peak = Peak;

#[inline(always)]
fn took(bytes: usize) {
    if IS_COUNTING.load(Ordering::Relaxed) {
        let bytes = bytes as isize;
        let held = HELD.fetch_add(bytes, Ordering::Relaxed) + bytes;
        MOST.fetch_max(held, Ordering::Relaxed);
    }
}

#[inline(always)]
fn gave(bytes: usize) {
    if IS_COUNTING.load(Ordering::Relaxed) {
        HELD.fetch_sub(bytes as isize, Ordering::Relaxed);
    }
}

// SAFETY: every method hands its arguments on to the system's allocator, and gives what that gives. All four are handed on:
// without them, zeros would be written and blocks copied that the system maps.
unsafe impl GlobalAlloc for Peak {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        took(layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.alloc(layout) }
    }

    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        took(layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.alloc_zeroed(layout) }
    }

    unsafe fn realloc(&self, block: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        gave(layout.size());
        took(size);
        // SAFETY: as the caller promises.
        unsafe { System.realloc(block, layout, size) }
    }

    unsafe fn dealloc(&self, block: *mut u8, layout: Layout) {
        gave(layout.size());
        // SAFETY: as the caller promises.
        unsafe { System.dealloc(block, layout) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_given_back_counts() {
        let held = peak(|| {
            drop(std::hint::black_box(vec![1u8; 100_000_000]));
            drop(std::hint::black_box(vec![1u8; 60_000_000]));
        });
        // Other tests allocate at the same time, but not as much.
        assert!((100_000_000..150_000_000).contains(&held), "{held}");
    }
}
