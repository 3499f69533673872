//! Rows of accumulators in memory.

use std::ops::{Deref, DerefMut};

/// Many accumulators side by side, from the start of a cache line on: a vector of them that began elsewhere would lie across two lines.
///
/// ```
/// use weldment_runtime::store::reduce::row::Row;
/// let mut sums = Row([0.0; 1024]);
/// sums[3] += 1.5;
/// assert_eq!(sums[3], 1.5);
/// assert!((&raw const sums).cast::<u8>().addr().is_multiple_of(64));
/// ```
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
pub struct Row<T>(pub T);

impl<T> Deref for Row<T> {
    type Target = T;

    #[inline(always)]
    fn deref(&self) -> &T {
        &self.0
    }
}

impl<T> DerefMut for Row<T> {
    #[inline(always)]
    fn deref_mut(&mut self) -> &mut T {
        &mut self.0
    }
}
