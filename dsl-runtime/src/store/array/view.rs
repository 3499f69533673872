//! Views of arrays: where elements are, with any strides.
//!
//! Point `p` of a view is the element `start + Σ strides[axis] * offsets[axis]`, where an offset is the number of the coordinate along
//! its axis. Strides count elements; they may be negative, and 0 where an axis repeats what is there.

#![expect(unsafe_code, reason = "elements are found by strides, which no slice can tell")]

use std::marker::PhantomData;
use std::ops::{Index, IndexMut};
use std::ptr::NonNull;

use super::shape::{ShapeError, outside};
use crate::lang::domain::{Domain, Range};

/// An array of `N` dimensions that is borrowed.
///
/// ```
/// use weldment_runtime::store::array::ArrayView;
///
/// let data = [1, 2, 3, 4, 5, 6];
/// let view = ArrayView::new(&data, [2, 3])?;
/// assert_eq!(view[[1, 0]], 4);
/// let transposed = view.transpose();
/// assert_eq!((transposed.shape(), transposed[[0, 1]]), ([3, 2], 4));
/// # Ok::<(), weldment_runtime::store::array::ShapeError>(())
/// ```
pub struct ArrayView<'a, T, const N: usize> {
    places: Places<T, N>,
    of: PhantomData<&'a [T]>,
}

/// An array of `N` dimensions that is written to.
pub struct ArrayViewMut<'a, T, const N: usize> {
    places: Places<T, N>,
    of: PhantomData<&'a mut [T]>,
}

/// Where the elements of each point are.
#[derive(Debug)]
struct Places<T, const N: usize> {
    start: NonNull<T>,
    domain: Domain<N>,
    strides: [isize; N],
}

impl<T, const N: usize> Clone for Places<T, N> {
    fn clone(&self) -> Places<T, N> {
        *self
    }
}

impl<T, const N: usize> Copy for Places<T, N> {}

impl<T, const N: usize> Clone for ArrayView<'_, T, N> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T, const N: usize> Copy for ArrayView<'_, T, N> {}

// SAFETY: a view is what a shared slice is to its elements.
unsafe impl<T: Sync, const N: usize> Send for ArrayView<'_, T, N> {}
// SAFETY: as above.
unsafe impl<T: Sync, const N: usize> Sync for ArrayView<'_, T, N> {}
// SAFETY: a view that writes is what an exclusive slice is to its elements.
unsafe impl<T: Send, const N: usize> Send for ArrayViewMut<'_, T, N> {}
// SAFETY: as above; shared, it only reads.
unsafe impl<T: Sync, const N: usize> Sync for ArrayViewMut<'_, T, N> {}

impl<T, const N: usize> Places<T, N> {
    fn contiguous(start: NonNull<T>, domain: Domain<N>) -> Places<T, N> {
        let mut strides = [1; N];
        for axis in (1..N).rev() {
            strides[axis - 1] = strides[axis] * domain.ranges()[axis].extent() as isize;
        }
        Places { start, domain, strides }
    }

    /// Where the element of `point` is, if there is such a point.
    fn of(&self, point: [i64; N]) -> Option<NonNull<T>> {
        let offsets = self.domain.offsets(point)?;
        let distance =
            offsets.iter().zip(self.strides).map(|(&offset, stride)| offset as isize * stride).sum();
        // SAFETY: whoever made these places has vouched that each point has an element there.
        Some(unsafe { self.start.offset(distance) })
    }

    /// Whether the elements lie in a row without gaps, in the order of the points.
    fn is_contiguous(&self) -> bool {
        let mut expected = 1;
        let axes = self.domain.ranges().iter().zip(self.strides).rev();
        self.domain.is_empty()
            || axes.filter(|(range, _)| range.extent() > 1).all(|(range, stride)| {
                let is_next = stride == expected;
                expected *= range.extent() as isize;
                is_next
            })
    }

    /// The same places, of which the first is that of `point`.
    fn starting_at(&self, domain: Domain<N>, strides: [isize; N], point: [i64; N]) -> Places<T, N> {
        let start = if domain.is_empty() { self.start } else { self.of(point).expect("a point of these") };
        Places { start, domain, strides }
    }

    fn permute(&self, axes: [usize; N]) -> Option<Places<T, N>> {
        let mut seen = [false; N];
        for axis in axes {
            if std::mem::replace(seen.get_mut(axis)?, true) {
                return None;
            }
        }
        let (ranges, strides) =
            (axes.map(|axis| self.domain.ranges()[axis]), axes.map(|axis| self.strides[axis]));
        Some(Places { start: self.start, domain: Domain::new(ranges)?, strides })
    }

    fn reverse(&self, axis: usize) -> Places<T, N> {
        let mut first = self.domain.ranges().map(Range::lower);
        let mut strides = self.strides;
        first[axis] = self.domain.ranges()[axis].last().unwrap_or(first[axis]);
        strides[axis] = -strides[axis];
        self.starting_at(self.domain, strides, first)
    }

    fn move_to(&self, lower: [i64; N]) -> Option<Places<T, N>> {
        let mut ranges = *self.domain.ranges();
        for (range, lower) in ranges.iter_mut().zip(lower) {
            *range = Range::new(lower, 1, range.extent())?;
        }
        Some(Places { domain: Domain::new(ranges)?, ..*self })
    }

    fn restrict(&self, domain: Domain<N>) -> Option<Places<T, N>> {
        if self.domain.intersect(&domain) != domain {
            return domain.is_empty().then_some(Places { domain, ..*self });
        }
        let mut strides = self.strides;
        for (axis, stride) in strides.iter_mut().enumerate() {
            let (whole, part) = (self.domain.ranges()[axis], domain.ranges()[axis]);
            // Of one coordinate, the step says nothing.
            *stride *= if part.extent() > 1 { (part.step() / whole.step()) as isize } else { 1 };
        }
        Some(self.starting_at(domain, strides, domain.ranges().map(Range::lower)))
    }
}

impl<'a, T, const N: usize> ArrayView<'a, T, N> {
    /// `data` as an array of this shape, row by row, from 0 on.
    ///
    /// # Errors
    /// Where there are more or fewer elements than points, or more points than an array can have.
    pub fn new(data: &'a [T], shape: [usize; N]) -> Result<ArrayView<'a, T, N>, ShapeError> {
        ArrayView::over(data, Domain::of_shape(shape).ok_or(ShapeError::too_large(&shape))?)
    }

    /// `data` as an array with this domain, row by row.
    ///
    /// # Errors
    /// Where there are more or fewer elements than points.
    pub fn over(data: &'a [T], domain: Domain<N>) -> Result<ArrayView<'a, T, N>, ShapeError> {
        ShapeError::check(data.len(), &domain)?;
        let places = Places::contiguous(NonNull::from(data).cast(), domain);
        Ok(ArrayView { places, of: PhantomData })
    }

    /// The array whose point at offsets `o` from the lower bounds is the element `start + Σ strides[axis] * o[axis]`.
    ///
    /// # Safety
    /// For each point of `domain`, that is an element that is valid for reads and is not written to as long as `'a`, in the
    /// allocation of `start`, and the sum, also of some of its terms and in bytes, is an `isize`.
    pub unsafe fn from_raw_parts(
        start: NonNull<T>,
        domain: Domain<N>,
        strides: [isize; N],
    ) -> ArrayView<'a, T, N> {
        ArrayView { places: Places { start, domain, strides }, of: PhantomData }
    }

    /// The points that there are.
    #[must_use]
    pub fn domain(&self) -> &Domain<N> {
        &self.places.domain
    }

    /// The extent of each axis.
    #[must_use]
    pub fn shape(&self) -> [usize; N] {
        self.places.domain.shape()
    }

    /// From one element along each axis to the next, in elements.
    #[must_use]
    pub fn strides(&self) -> [isize; N] {
        self.places.strides
    }

    /// Where the element of the first point is, if there is one.
    #[must_use]
    pub fn as_ptr(&self) -> *const T {
        self.places.start.as_ptr()
    }

    /// The element of a point, if there is such a point.
    #[must_use]
    pub fn get(&self, point: [i64; N]) -> Option<&'a T> {
        // SAFETY: nobody writes to it as long as 'a, as whoever made this view has vouched.
        self.places.of(point).map(|place| unsafe { place.as_ref() })
    }

    /// The elements in the order of the points, if they lie so without gaps.
    #[must_use]
    pub fn as_slice(&self) -> Option<&'a [T]> {
        let (start, len) = (self.places.start, self.places.domain.len());
        // SAFETY: there is an element for each point, they lie in a row, and nobody writes to them as long as 'a.
        self.places.is_contiguous().then(|| match len {
            0 => &[][..],
            len => unsafe { std::slice::from_raw_parts(start.as_ptr(), len) },
        })
    }

    /// The elements in the order of the points.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &'a T> + use<'a, '_, T, N> {
        self.places.domain.points().map(|point| self.get(point).expect("a point of its own"))
    }

    /// Axis `k` of the result is axis `axes[k]`; `None` where these are not all axes, each once.
    #[must_use]
    pub fn permute(&self, axes: [usize; N]) -> Option<ArrayView<'a, T, N>> {
        self.places.permute(axes).map(|places| ArrayView { places, of: PhantomData })
    }

    /// The axes in the opposite order.
    #[must_use]
    pub fn transpose(&self) -> ArrayView<'a, T, N> {
        self.permute(std::array::from_fn(|axis| N - 1 - axis)).expect("all axes, each once")
    }

    /// The same coordinates along an axis, with the elements in the opposite order.
    ///
    /// # Panics
    /// If there is no such axis.
    #[must_use]
    pub fn reverse(&self, axis: usize) -> ArrayView<'a, T, N> {
        ArrayView { places: self.places.reverse(axis), of: PhantomData }
    }

    /// The same elements at points that begin at `lower`, in steps of 1; `None` where a coordinate would be no `i64`.
    #[must_use]
    pub fn move_to(&self, lower: [i64; N]) -> Option<ArrayView<'a, T, N>> {
        self.places.move_to(lower).map(|places| ArrayView { places, of: PhantomData })
    }

    /// The elements of these points; `None` where one is not there.
    #[must_use]
    pub fn restrict(&self, domain: Domain<N>) -> Option<ArrayView<'a, T, N>> {
        self.places.restrict(domain).map(|places| ArrayView { places, of: PhantomData })
    }
}

impl<'a, T, const N: usize> ArrayViewMut<'a, T, N> {
    /// `data` as an array of this shape, row by row, from 0 on.
    ///
    /// # Errors
    /// Where there are more or fewer elements than points, or more points than an array can have.
    pub fn new(data: &'a mut [T], shape: [usize; N]) -> Result<ArrayViewMut<'a, T, N>, ShapeError> {
        ArrayViewMut::over(data, Domain::of_shape(shape).ok_or(ShapeError::too_large(&shape))?)
    }

    /// `data` as an array with this domain, row by row.
    ///
    /// # Errors
    /// Where there are more or fewer elements than points.
    pub fn over(data: &'a mut [T], domain: Domain<N>) -> Result<ArrayViewMut<'a, T, N>, ShapeError> {
        ShapeError::check(data.len(), &domain)?;
        let places = Places::contiguous(NonNull::from(data).cast(), domain);
        Ok(ArrayViewMut { places, of: PhantomData })
    }

    /// As [`ArrayView::from_raw_parts`], to write to.
    ///
    /// # Safety
    /// As there; elements are valid for writes, too, each is that of one point alone, and nobody else reads or writes them as long
    /// as `'a`.
    pub unsafe fn from_raw_parts(
        start: NonNull<T>,
        domain: Domain<N>,
        strides: [isize; N],
    ) -> ArrayViewMut<'a, T, N> {
        ArrayViewMut { places: Places { start, domain, strides }, of: PhantomData }
    }

    /// To read, as long as nobody writes.
    #[must_use]
    pub fn view(&self) -> ArrayView<'_, T, N> {
        ArrayView { places: self.places, of: PhantomData }
    }

    /// The element of a point, if there is such a point.
    pub fn get_mut(&mut self, point: [i64; N]) -> Option<&mut T> {
        // SAFETY: nobody else is at the elements of this view, which is borrowed as long as the result.
        self.places.of(point).map(|mut place| unsafe { place.as_mut() })
    }

    /// The elements of these points; `None` where one is not there.
    #[must_use]
    pub fn restrict(self, domain: Domain<N>) -> Option<ArrayViewMut<'a, T, N>> {
        self.places.restrict(domain).map(|places| ArrayViewMut { places, of: PhantomData })
    }

    /// The axes in the opposite order.
    #[must_use]
    pub fn transpose(self) -> ArrayViewMut<'a, T, N> {
        let axes = std::array::from_fn(|axis| N - 1 - axis);
        ArrayViewMut { places: self.places.permute(axes).expect("all axes, each once"), of: PhantomData }
    }
}

impl<T, const N: usize> Index<[i64; N]> for ArrayView<'_, T, N> {
    type Output = T;

    #[track_caller]
    fn index(&self, point: [i64; N]) -> &T {
        self.get(point).unwrap_or_else(|| outside(&point, self.domain()))
    }
}

impl<T, const N: usize> Index<[i64; N]> for ArrayViewMut<'_, T, N> {
    type Output = T;

    #[track_caller]
    fn index(&self, point: [i64; N]) -> &T {
        self.view().get(point).unwrap_or_else(|| outside(&point, &self.places.domain))
    }
}

impl<T, const N: usize> IndexMut<[i64; N]> for ArrayViewMut<'_, T, N> {
    #[track_caller]
    fn index_mut(&mut self, point: [i64; N]) -> &mut T {
        let domain = self.places.domain;
        self.get_mut(point).unwrap_or_else(|| outside(&point, &domain))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strides_may_be_zero_or_negative() {
        let data = [1, 2, 3, 4];
        let domain = Domain::of_shape([3, 2]).unwrap();
        // Of all of `data`, and not of one element.
        let all: NonNull<i32> = NonNull::from(&data).cast();
        // SAFETY: the elements are those of `data`: 3, 1 for each row.
        let repeated = unsafe { ArrayView::from_raw_parts(all.add(2), domain, [0, -2]) };
        assert!(repeated.iter().eq(&[3, 1, 3, 1, 3, 1]));
        assert_eq!(repeated.as_slice(), None);
        assert_eq!(repeated.to_array().as_slice(), [3, 1, 3, 1, 3, 1]);
    }
}
