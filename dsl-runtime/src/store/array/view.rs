//! Views of arrays: elements that are borrowed, with any strides.
//!
//! This file may use `unsafe` because it finds elements by strides. What makes it sound: a view is made of a slice whose elements are
//! as many as its points, or by who vouches for each of its places; other views of it have some of these places and no others.

#![expect(unsafe_code, reason = "elements are found by strides, which no slice can tell")]

use std::marker::PhantomData;
use std::mem::{ManuallyDrop, needs_drop, take};
use std::ptr::NonNull;

use super::copy::{copy, each, write};
use super::places::Places;
use super::shape::ShapeError;
use super::units::Units;
use crate::exec::allocate::Memory;
use crate::exec::context::Context;
use crate::lang::domain::Domain;
use crate::lang::fault::Fault;

/// An array of `N` dimensions that is borrowed: a pointer, a [`Domain`] and a stride for each axis. It is `Copy`.
///
/// Kernels take views as they take arrays: `|a: ArrayView<f64, 2>| …` is called with an `ArrayView<'_, f64, 2>`.
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
///
/// `==` compares domains and elements, with other views and with arrays.
pub struct ArrayView<'a, T, const N: usize> {
    start: NonNull<T>,
    pub(super) places: Places<N>,
    of: PhantomData<&'a [T]>,
}

/// An array of `N` dimensions that is written to.
///
/// ```
/// use weldment_runtime::store::array::ArrayViewMut;
///
/// let mut data = [1, 2, 3, 4, 5, 6];
/// ArrayViewMut::new(&mut data, [2, 3])?.transpose()[[0, 1]] = 0;
/// assert_eq!(data, [1, 2, 3, 0, 5, 6]);
/// # Ok::<(), weldment_runtime::store::array::ShapeError>(())
/// ```
pub struct ArrayViewMut<'a, T, const N: usize> {
    start: NonNull<T>,
    pub(super) places: Places<N>,
    of: PhantomData<&'a mut [T]>,
}

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
        Ok(ArrayView::of_all(data, domain))
    }

    /// As [`ArrayView::over`], of as many elements as there are points.
    #[inline]
    pub(super) fn of_all(data: &'a [T], domain: Domain<N>) -> ArrayView<'a, T, N> {
        debug_assert_eq!(data.len(), domain.len());
        ArrayView { start: NonNull::from(data).cast(), places: Places::contiguous(domain), of: PhantomData }
    }

    /// The array whose point at offsets `o` from the lower bounds is the element `start + Σ strides[axis] * o[axis]`.
    ///
    /// # Safety
    /// For each point of `domain`, that is an element that is valid for reads and is not written to as long as `'a`, in the
    /// allocation of `start`, and the sum, also of some of its terms and in bytes, is an `isize`.
    ///
    /// ```
    /// use std::ptr::NonNull;
    /// use weldment_runtime::lang::domain::Domain;
    /// use weldment_runtime::store::array::ArrayView;
    ///
    /// let data = [1, 2, 3, 4, 5];
    /// let domain = Domain::of_shape([2, 2]).unwrap();
    /// // SAFETY: the elements are those at 0, 1, 3 and 4 of `data`.
    /// let corners = unsafe { ArrayView::from_raw_parts(NonNull::from(&data).cast::<i32>(), domain, [3, 1]) };
    /// assert!(corners.iter().eq(&[1, 2, 4, 5]));
    /// ```
    pub unsafe fn from_raw_parts(
        start: NonNull<T>,
        domain: Domain<N>,
        strides: [isize; N],
    ) -> ArrayView<'a, T, N> {
        ArrayView { start, places: Places { domain, first: 0, strides }, of: PhantomData }
    }

    /// The view of other places, all of them among those of this one.
    pub(super) fn at<const M: usize>(&self, places: Places<M>) -> ArrayView<'a, T, M> {
        ArrayView { start: self.start, places, of: PhantomData }
    }

    /// Where the element of the first point is, if there is one.
    #[must_use]
    pub fn as_ptr(&self) -> *const T {
        if self.places.domain.is_empty() {
            return self.start.as_ptr();
        }
        // SAFETY: there is a first point, whose element is there.
        unsafe { self.start.offset(self.places.first).as_ptr() }
    }

    /// The element of a point, if there is such a point.
    #[must_use]
    pub fn get(&self, point: [i64; N]) -> Option<&'a T> {
        // SAFETY: each point has its element there, to which nobody writes as long as 'a.
        self.places.of(point).map(|place| unsafe { self.start.offset(place).as_ref() })
    }

    /// The elements in the order of the points, if they lie so without gaps.
    #[must_use]
    #[inline]
    pub fn as_slice(&self) -> Option<&'a [T]> {
        let len = self.places.domain.len();
        // SAFETY: there is an element for each point, they lie in a row, and nobody writes to them as long as 'a.
        self.places.is_contiguous().then(|| match len {
            0 => &[][..],
            len => unsafe { std::slice::from_raw_parts(self.as_ptr(), len) },
        })
    }

    /// A vector of what `copy` gives for each element, in the order of the points.
    pub(super) fn collect(&self, copy: impl Fn(&T) -> T) -> Vec<T> {
        let (len, to) = (self.places.domain.len(), Places::contiguous(self.places.domain));
        let (mut vector, units) = (Vec::with_capacity(len), Units::new(&self.places, &to));
        for number in 0..units.count() {
            // SAFETY: units are of places of this view, and of the first `len` elements of the vector, which has room for so many.
            unsafe {
                write(&units.unit(number), self.start.as_ptr(), vector.as_mut_ptr(), |from| copy(&*from));
            }
        }
        // SAFETY: units write each element.
        unsafe { vector.set_len(len) };
        vector
    }

    /// Copies the elements to `to`, in the order of the points, bit by bit: those of both are not to be dropped.
    ///
    /// # Safety
    /// There is room for as many elements, which nobody else uses.
    pub(crate) unsafe fn copy_to(&self, cx: &Context, to: *mut T) {
        let places = Places::contiguous(self.places.domain);
        // SAFETY: as the caller promises; elements are those of the view.
        unsafe { copy(cx, &Units::new(&self.places, &places), self.start.as_ptr(), to) };
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
        Ok(ArrayViewMut {
            start: NonNull::from(data).cast(),
            places: Places::contiguous(domain),
            of: PhantomData,
        })
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
        ArrayViewMut { start, places: Places { domain, first: 0, strides }, of: PhantomData }
    }

    /// The view of other places, all of them among those of this one, and none twice.
    pub(super) fn at<const M: usize>(self, places: Places<M>) -> ArrayViewMut<'a, T, M> {
        ArrayViewMut { start: self.start, places, of: PhantomData }
    }

    /// The same places, as long as this one is not used.
    #[must_use]
    pub fn reborrow(&mut self) -> ArrayViewMut<'_, T, N> {
        ArrayViewMut { start: self.start, places: self.places, of: PhantomData }
    }

    /// To read, as long as nobody writes.
    #[must_use]
    pub fn view(&self) -> ArrayView<'_, T, N> {
        ArrayView { start: self.start, places: self.places, of: PhantomData }
    }

    /// The element of a point, if there is such a point.
    pub fn get_mut(&mut self, point: [i64; N]) -> Option<&mut T> {
        // SAFETY: nobody else is at the elements of this view, which is borrowed as long as the result.
        self.places.of(point).map(|place| unsafe { self.start.offset(place).as_mut() })
    }

    /// The elements in the order of the points, if they lie so without gaps.
    #[must_use]
    pub fn as_mut_slice(&mut self) -> Option<&mut [T]> {
        let (start, len) = (self.view().as_ptr().cast_mut(), self.places.domain.len());
        // SAFETY: there is an element for each point, they lie in a row, and nobody else is there as long as this is borrowed.
        self.places.is_contiguous().then(|| match len {
            0 => &mut [][..],
            len => unsafe { std::slice::from_raw_parts_mut(start, len) },
        })
    }

    /// Moves the elements of `vector`, which stand in the order of the points, to the places of this view. It has its room still.
    ///
    /// # Panics
    /// If there are more or fewer elements than points.
    pub(crate) fn move_in(&mut self, cx: &Context, vector: &mut Vec<T>) {
        assert_eq!(vector.len(), self.places.domain.len(), "an element for each point");
        let units = Units::new(&Places::contiguous(self.places.domain), &self.places);
        // SAFETY: from here on elements are those of the view.
        unsafe { vector.set_len(0) };
        if needs_drop::<T>() {
            for number in 0..units.count() {
                // SAFETY: the vector has had so many elements, and the view has one at each place; none is moved twice.
                unsafe {
                    each(&units.unit(number), vector.as_ptr(), self.start.as_ptr(), |from, to: *mut T| {
                        *to = from.read();
                    });
                }
            }
            return;
        }
        // SAFETY: the vector has had so many elements, and the view, which is borrowed, has one at each place.
        unsafe { copy(cx, &units, vector.as_ptr(), self.start.as_ptr()) }
    }
}

/// The elements of a view in the order of its points, for a program: where they lie, or copied to there.
#[doc(hidden)]
pub struct Rows<'c, T, const N: usize> {
    cx: &'c Context,
    domain: Domain<N>,
    elements: Elements<'c, T>,
}

enum Elements<'c, T> {
    Lent(&'c [T]),
    /// The same bits, which are only read.
    Copied(Vec<ManuallyDrop<T>>),
}

impl<'c, T, const N: usize> Rows<'c, T, N> {
    /// The elements of `view`; a copy, if they do not lie row by row without gaps.
    ///
    /// # Errors
    /// MemoryLimit, if the run may not hold the copy.
    #[inline]
    pub fn new(cx: &'c Context, view: ArrayView<'c, T, N>) -> Result<Rows<'c, T, N>, Fault> {
        let elements = match view.as_slice() {
            Some(elements) => Elements::Lent(elements),
            None => Elements::copied(cx, &view)?,
        };
        Ok(Rows { cx, domain: view.places.domain, elements })
    }

    /// The elements, row by row.
    #[inline]
    pub fn as_slice(&self) -> &[T] {
        match &self.elements {
            Elements::Lent(elements) => elements,
            // SAFETY: these are elements of that type, whose owner is borrowed as long as this.
            Elements::Copied(copied) => unsafe {
                std::slice::from_raw_parts(copied.as_ptr().cast(), copied.len())
            },
        }
    }

    /// As `Array::number`.
    #[inline]
    pub fn number(&self, field: usize) -> i64 {
        self.domain.number(field)
    }
}

impl<T> Elements<'_, T> {
    #[cold]
    #[inline(never)]
    fn copied<const N: usize>(cx: &Context, view: &ArrayView<'_, T, N>) -> Result<Self, Fault> {
        let len = view.places.domain.len();
        let mut copied = cx.temporaries().vector::<ManuallyDrop<T>>(len)?;
        // SAFETY: there is room for as many elements, all of which are there then. They are not dropped.
        unsafe {
            view.copy_to(cx, copied.as_mut_ptr().cast());
            copied.set_len(len);
        }
        Ok(Elements::Copied(copied))
    }
}

impl<T, const N: usize> Drop for Rows<'_, T, N> {
    #[inline]
    fn drop(&mut self) {
        if let Elements::Copied(copied) = &mut self.elements {
            self.cx.recycle(take(copied));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exec::options::Options;

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

    #[test]
    fn threads_share_a_copy() {
        let options = Options::new().threads(3);
        let cx = Context::new(&options);
        let long = if cfg!(miri) { 100 } else { 100_000 };
        // Without a whole square, of nothing else, and of both.
        for shape in [[3, long], [8, 8], [16, 24], [19, 9], [50, if cfg!(miri) { 11 } else { 300 }]] {
            let data: Vec<u32> = (0..shape[0] * shape[1]).map(|number| number as u32).collect();
            let view = ArrayView::new(&data, shape).unwrap().transpose();
            let mut copy = Vec::with_capacity(data.len());
            // SAFETY: there is room for as many elements, which are all copied then.
            unsafe {
                view.copy_to(&cx, copy.as_mut_ptr());
                copy.set_len(data.len());
            }
            assert!(view.iter().eq(&copy));
            let mut back = vec![0; data.len()];
            let mut into = ArrayViewMut::new(&mut back, shape).unwrap().transpose();
            into.move_in(&cx, &mut copy);
            assert_eq!((back, copy.len()), (data, 0));
        }
    }

    #[test]
    fn what_is_turned_is_cloned_and_dropped_once() {
        let names: Vec<String> = (0..11 * 17).map(|number| number.to_string()).collect();
        let view = ArrayView::new(&names, [11, 17]).unwrap();
        let turned = view.transpose().to_array();
        assert!(view.transpose().iter().eq(turned.as_slice()));
        assert_eq!(turned.view().transpose().to_array().as_slice(), names);
    }

    #[test]
    fn rows_are_where_they_lie_or_a_copy() {
        let cx = Context::new(&Options::new());
        let rows = [vec![1], vec![2], vec![3], vec![4, 5]];
        let view = ArrayView::new(&rows, [2, 2]).unwrap();
        assert_eq!(Rows::new(&cx, view).unwrap().as_slice().as_ptr(), rows.as_ptr());
        let turned = Rows::new(&cx, view.transpose()).unwrap();
        assert_eq!(turned.as_slice(), [vec![1], vec![3], vec![2], vec![4, 5]]);
        assert_eq!([5, 6].map(|field| turned.number(field)), [2, 2]);
        let place = turned.as_slice().as_ptr();
        drop(turned);
        assert_eq!(Rows::new(&cx, view.reverse(0)).unwrap().as_slice().as_ptr(), place);
        let few = Context::new(&Options::new().memory_limit(80));
        assert!(Rows::new(&few, view.transpose()).is_err() && Rows::new(&few, view).is_ok());
    }

    #[test]
    fn what_was_in_a_view_is_dropped() {
        let mut rows = vec![vec![1], vec![2], vec![3], vec![4]];
        let mut view = ArrayViewMut::new(&mut rows, [2, 2]).unwrap().transpose();
        view.move_in(Context::ambient(), &mut vec![vec![5, 6], vec![7], vec![8], vec![]]);
        assert_eq!(rows, [vec![5, 6], vec![8], vec![7], vec![]]);
    }
}
