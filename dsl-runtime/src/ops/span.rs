//! What a block of iterations reads of a column, where that is not one element each.

/// `N` elements from `first` on: of a length that is known, so that the lanes of a block check no index.
///
/// # Panics
/// There are fewer.
///
/// ```
/// use weldment_runtime::ops::span::of;
/// assert_eq!(of::<_, 3>(&[1, 2, 3, 4, 5], 2), &[3, 4, 5]);
/// ```
#[inline(always)]
pub fn of<T, const N: usize>(column: &[T], first: usize) -> &[T; N] {
    column[first..].first_chunk().expect("a column has what a block spans")
}
