//! `{:?}` of arrays.

use std::fmt;

use super::owned::Array;
use super::view::{ArrayView, ArrayViewMut};
use crate::lang::domain::show::Shown;

/// As numpy shows arrays, with what is not told by the brackets behind them:
///
/// ```
/// use weldment_runtime::lang::domain::{Domain, Range};
/// use weldment_runtime::store::array::Array;
///
/// let table = Array::new(vec![1, 20, 3, 4], [2, 2])?;
/// assert_eq!(format!("{table:?}"), "array([[ 1, 20],\n       [ 3,  4]])");
/// let moved = Array::over(vec![0.5, 1.0], Domain::new([Range::new(5, 2, 2).unwrap()]).unwrap())?;
/// assert_eq!(format!("{moved:?}"), "array([0.5, 1.0], domain 5..8 step 2)");
/// # Ok::<(), weldment_runtime::store::array::ShapeError>(())
/// ```
impl<T: fmt::Debug, const N: usize> fmt::Debug for Array<T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.view().fmt(f)
    }
}

impl<T: fmt::Debug, const N: usize> fmt::Debug for ArrayViewMut<'_, T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.view().fmt(f)
    }
}

impl<T: fmt::Debug, const N: usize> fmt::Debug for ArrayView<'_, T, N> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ranges = self.domain().ranges();
        let element = |positions: &[u64], f: &mut fmt::Formatter<'_>| {
            let mut point = [0; N];
            for axis in 0..N {
                point[axis] = ranges[axis].coordinate(positions[axis]);
            }
            self[point].fmt(f)
        };
        Shown { ranges, element: &element }.fmt(f)
    }
}
