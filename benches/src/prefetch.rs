//! Software prefetches of the loops by hand, at the distances of ours.
#![expect(unsafe_code, reason = "a prefetch is an intrinsic: a hint, whatever its address is")]

use weldment::__private::rt::exec::cpu::{self, Level};

/// The prefetch distance, in bytes, of loops that also go to other places.
pub(crate) const AHEAD: usize = 2048;

/// The same of loops that only read columns, as ours do: 0 where the CPU looks far enough ahead by itself.
pub(crate) fn ahead() -> usize {
    Level::detect();
    cpu::prefetch_distance()
}

/// Prefetches the cache lines `ahead` bytes behind those of `block`, if there are any.
#[inline(always)]
pub(crate) fn prefetch<T>(block: &[T], ahead: usize) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let start = block.as_ptr().cast::<i8>().wrapping_add(ahead);
        for line in (0..size_of_val(block)).step_by(64) {
            // SAFETY: this is a hint, which is good for any address.
            unsafe { _mm_prefetch::<_MM_HINT_T0>(start.wrapping_add(line)) };
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = (block, ahead);
}

/// The elements of a column, each of which prefetches the cache line [`AHEAD`] bytes behind it.
#[inline(always)]
pub(crate) fn read_ahead<T: Copy>(column: &[T]) -> impl ExactSizeIterator<Item = T> {
    column.iter().map(|element| {
        prefetch(std::slice::from_ref(element), AHEAD);
        *element
    })
}
