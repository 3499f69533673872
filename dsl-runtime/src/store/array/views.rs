//! What is asked of views, and other views of the same elements: nothing is copied for them.

use std::ops::{Index, IndexMut};

use super::owned::Array;
use super::shape::outside;
use super::view::{ArrayView, ArrayViewMut};
use crate::lang::domain::{Domain, Range};

impl<'a, T, const N: usize> ArrayView<'a, T, N> {
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

    /// The elements in the order of the points.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &'a T> + use<'a, '_, T, N> {
        self.places.domain.points().map(|point| self.get(point).expect("a point of its own"))
    }

    /// Axis `k` of the result is axis `axes[k]`; `None` where these are not all axes, each once.
    #[must_use]
    pub fn permute(&self, axes: [usize; N]) -> Option<ArrayView<'a, T, N>> {
        self.places.permute(axes).map(|places| self.at(places))
    }

    /// The axes in the opposite order.
    #[must_use]
    pub fn transpose(&self) -> ArrayView<'a, T, N> {
        self.at(self.places.transpose())
    }

    /// The same coordinates along an axis, with the elements in the opposite order.
    ///
    /// # Panics
    /// If there is no such axis.
    #[must_use]
    pub fn reverse(&self, axis: usize) -> ArrayView<'a, T, N> {
        self.at(self.places.reverse(axis))
    }

    /// The same elements at points that begin at `lower`, in steps of 1; `None` where a coordinate would be no `i64`.
    #[must_use]
    pub fn move_to(&self, lower: [i64; N]) -> Option<ArrayView<'a, T, N>> {
        self.places.move_to(lower).map(|places| self.at(places))
    }

    /// The elements of these points; `None` where one is not there.
    #[must_use]
    pub fn restrict(&self, domain: Domain<N>) -> Option<ArrayView<'a, T, N>> {
        self.places.restrict(domain).map(|places| self.at(places))
    }

    /// The elements at these coordinates of an axis, which they keep; `None` where one is not there.
    ///
    /// # Panics
    /// If there is no such axis.
    ///
    /// ```
    /// use weldment_runtime::lang::domain::Range;
    /// use weldment_runtime::store::array::ArrayView;
    ///
    /// let view = ArrayView::new(&[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// let right = view.slice_axis(1, Range::from_bounds(1, 3).unwrap()).unwrap();
    /// assert_eq!((right.shape(), right[[1, 2]]), ([2, 2], 6));
    /// # Ok::<(), weldment_runtime::store::array::ShapeError>(())
    /// ```
    #[must_use]
    pub fn slice_axis(&self, axis: usize, range: Range) -> Option<ArrayView<'a, T, N>> {
        self.places.slice_axis(axis, range).map(|places| self.at(places))
    }

    /// The elements at one coordinate of an axis, along the `M` others; `None` where it is not there. That `M` is one less than `N`
    /// is checked when this is compiled.
    ///
    /// # Panics
    /// If there is no such axis.
    ///
    /// ```
    /// use weldment_runtime::store::array::ArrayView;
    ///
    /// let view = ArrayView::new(&[1, 2, 3, 4, 5, 6], [2, 3])?;
    /// let column: ArrayView<'_, i32, 1> = view.index_axis(1, 2).unwrap();
    /// assert!(column.iter().eq(&[3, 6]));
    /// # Ok::<(), weldment_runtime::store::array::ShapeError>(())
    /// ```
    #[must_use]
    pub fn index_axis<const M: usize>(&self, axis: usize, coordinate: i64) -> Option<ArrayView<'a, T, M>> {
        self.places.index_axis(axis, coordinate).map(|places| self.at(places))
    }
}

impl<T: Clone, const N: usize> ArrayView<'_, T, N> {
    /// A copy of the elements, with the same domain.
    #[must_use]
    pub fn to_array(&self) -> Array<T, N> {
        let data = self.as_slice().map_or_else(|| self.collect(T::clone), <[T]>::to_vec);
        Array::over(data, *self.domain()).expect("an element for each point")
    }
}

impl<'a, T, const N: usize> ArrayViewMut<'a, T, N> {
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

    /// As [`ArrayView::permute`].
    #[must_use]
    pub fn permute(self, axes: [usize; N]) -> Option<ArrayViewMut<'a, T, N>> {
        self.places.permute(axes).map(|places| self.at(places))
    }

    /// The axes in the opposite order.
    #[must_use]
    pub fn transpose(self) -> ArrayViewMut<'a, T, N> {
        let places = self.places.transpose();
        self.at(places)
    }

    /// As [`ArrayView::reverse`].
    ///
    /// # Panics
    /// If there is no such axis.
    #[must_use]
    pub fn reverse(self, axis: usize) -> ArrayViewMut<'a, T, N> {
        let places = self.places.reverse(axis);
        self.at(places)
    }

    /// The elements of these points; `None` where one is not there.
    #[must_use]
    pub fn restrict(self, domain: Domain<N>) -> Option<ArrayViewMut<'a, T, N>> {
        self.places.restrict(domain).map(|places| self.at(places))
    }

    /// As [`ArrayView::slice_axis`].
    ///
    /// # Panics
    /// If there is no such axis.
    #[must_use]
    pub fn slice_axis(self, axis: usize, range: Range) -> Option<ArrayViewMut<'a, T, N>> {
        self.places.slice_axis(axis, range).map(|places| self.at(places))
    }

    /// As [`ArrayView::index_axis`].
    ///
    /// # Panics
    /// If there is no such axis.
    #[must_use]
    pub fn index_axis<const M: usize>(self, axis: usize, coordinate: i64) -> Option<ArrayViewMut<'a, T, M>> {
        self.places.index_axis(axis, coordinate).map(|places| self.at(places))
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

impl<T: PartialEq<U>, U, const N: usize> PartialEq<ArrayView<'_, U, N>> for ArrayView<'_, T, N> {
    fn eq(&self, other: &ArrayView<'_, U, N>) -> bool {
        self.domain() == other.domain()
            && match (self.as_slice(), other.as_slice()) {
                (Some(these), Some(others)) => these == others,
                _ => self.iter().eq(other.iter()),
            }
    }
}

impl<T: Eq, const N: usize> Eq for ArrayView<'_, T, N> {}

impl<T: PartialEq<U>, U, const N: usize> PartialEq<Array<U, N>> for ArrayView<'_, T, N> {
    fn eq(&self, other: &Array<U, N>) -> bool {
        *self == other.view()
    }
}

impl<T: PartialEq<U>, U, const N: usize> PartialEq<ArrayView<'_, U, N>> for Array<T, N> {
    fn eq(&self, other: &ArrayView<'_, U, N>) -> bool {
        self.view() == *other
    }
}

/// Elements row by row, and the extents of the axes.
///
/// ```
/// # use weldment_runtime::store::array::ArrayView;
/// let view: ArrayView<'_, i32, 2> = (&[1, 2, 3, 4][..], [2, 2]).into();
/// assert_eq!(view.get([1, 0]), Some(&3));
/// ```
///
/// # Panics
/// Where there is not one element for each point; [`ArrayView::new`] says so instead.
impl<'a, T, const N: usize> From<(&'a [T], [usize; N])> for ArrayView<'a, T, N> {
    fn from((data, shape): (&'a [T], [usize; N])) -> Self {
        ArrayView::new(data, shape).unwrap_or_else(|error| panic!("{error}"))
    }
}

impl<'a, T, const N: usize> From<&'a Array<T, N>> for ArrayView<'a, T, N> {
    fn from(array: &'a Array<T, N>) -> ArrayView<'a, T, N> {
        array.view()
    }
}

impl<'a, T, const N: usize> From<&'a mut Array<T, N>> for ArrayViewMut<'a, T, N> {
    fn from(array: &'a mut Array<T, N>) -> ArrayViewMut<'a, T, N> {
        array.view_mut()
    }
}
