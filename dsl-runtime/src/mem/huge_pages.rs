//! Large pages for large memory.
//!
//! The system provides memory when it is first touched, a page at a time, and to be interrupted for each 4 KiB costs more
//! than writing them: a new vector of 400 MB took 135 ms to touch, in pages of 2 MiB 48 ms, on a virtual
//! machine.
//!
//! Linux gives such pages to who asks, where `/sys/kernel/mm/transparent_hugepage/enabled` says `madvise` or `always`. Other
//! systems decide by themselves.

#![cfg_attr(target_os = "linux", expect(unsafe_code, reason = "the system is told what memory is for"))]

/// Less memory than so many bytes is left as it is: the pages at its ends would waste too much.
const LEAST: usize = 4 << 20;

/// Asks for large pages for the memory from `start` on, of so many `bytes`, if that is much. Best done before it is touched.
#[inline]
pub fn advise_large(start: *const u8, bytes: usize) {
    if bytes >= LEAST && cfg!(all(target_os = "linux", not(miri))) {
        advise(start, bytes);
    }
}

#[cfg(target_os = "linux")]
#[cold]
#[inline(never)]
fn advise(start: *const u8, bytes: usize) {
    // The system takes whole pages, of which 4 KiB are the smallest there are; it refuses others, which is as good.
    const PAGE: usize = 1 << 12;
    let before = start.addr() % PAGE;
    // SAFETY: this changes how memory is provided, and neither what it holds nor whose it is, wherever it lies. That it may
    // fail is no fault: the memory is there all the same.
    unsafe {
        libc::madvise(start.wrapping_sub(before).cast_mut().cast(), before + bytes, libc::MADV_HUGEPAGE)
    };
}

#[cfg(not(target_os = "linux"))]
fn advise(_start: *const u8, _bytes: usize) {}
