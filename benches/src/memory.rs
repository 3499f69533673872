//! A global allocator that knows the most that was allocated at a time.
#![expect(
    unsafe_code,
    reason = "a global allocator is unsafe, and only counts here, and hands on to the system's; so is advice about pages"
)]

use std::alloc::{GlobalAlloc, Layout, System};
use std::hint::black_box;
use std::sync::atomic::{AtomicUsize, Ordering};

static HELD: AtomicUsize = AtomicUsize::new(0);
static MOST: AtomicUsize = AtomicUsize::new(0);

/// The most bytes that were allocated at a time while `work` ran, beyond those before it.
pub(crate) fn peak(work: impl FnOnce()) -> usize {
    let before = HELD.load(Ordering::Relaxed);
    MOST.store(before, Ordering::Relaxed);
    work();
    MOST.load(Ordering::Relaxed) - before
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

fn took(bytes: usize) {
    let held = HELD.fetch_add(bytes, Ordering::Relaxed) + bytes;
    MOST.fetch_max(held, Ordering::Relaxed);
}

fn gave(bytes: usize) {
    HELD.fetch_sub(bytes, Ordering::Relaxed);
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
