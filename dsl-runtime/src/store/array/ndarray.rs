//! Arrays and views of the crate ndarray as those of programs, and back: nothing is copied.
//!
//! This file may use `unsafe` because views are made of pointers and strides. What makes it sound: those of either crate say that each
//! point has an element there, which is borrowed as long as the view that it is taken from.

#![expect(unsafe_code, reason = "views are made of pointers and strides")]

use std::ptr::NonNull;

use ::ndarray::{
    ArrayBase, ArrayView as TheirView, ArrayViewMut as TheirViewMut, Axis, Data, Dim, Dimension,
};
use ::ndarray::{OwnedRepr, ShapeBuilder};

use super::owned::Array;
use super::shape::ShapeError;
use super::view::{ArrayView, ArrayViewMut};
use crate::lang::domain::Domain;

/// The points and the strides of an array of ndarray.
///
/// # Errors
/// Where it has another number of axes, or more points than an array can have.
fn places<const N: usize>(shape: &[usize], strides: &[isize]) -> Result<(Domain<N>, [isize; N]), ShapeError> {
    let (Ok(extents), Ok(strides)) = (shape.try_into(), strides.try_into()) else {
        return Err(ShapeError::other_axes(shape, N));
    };
    let domain = Domain::of_shape(extents).ok_or(ShapeError::too_large(shape))?;
    Ok((domain, strides))
}

/// These numbers, one for each axis, as ndarray has them.
fn dim<const N: usize>(numbers: [usize; N]) -> Dim<[usize; N]>
where
    Dim<[usize; N]>: Dimension,
{
    let mut dim = <Dim<[usize; N]>>::zeros(N);
    dim.slice_mut().copy_from_slice(&numbers);
    dim
}

/// A view of ndarray, with any strides, as one of programs: the same elements, at coordinates from 0 on.
///
/// ```
/// use ndarray::{arr2, s};
/// use weldment_runtime::store::array::ArrayView;
///
/// let table = arr2(&[[1, 2, 3], [4, 5, 6]]);
/// let view = ArrayView::<i32, 2>::try_from(table.slice(s![.., ..;-1]))?;
/// assert_eq!((view.shape(), view[[0, 0]], view.as_ptr()), ([2, 3], 3, &raw const table[[0, 2]]));
/// # Ok::<(), weldment_runtime::store::array::ShapeError>(())
/// ```
impl<'a, T, D: Dimension, const N: usize> TryFrom<TheirView<'a, T, D>> for ArrayView<'a, T, N> {
    type Error = ShapeError;

    fn try_from(view: TheirView<'a, T, D>) -> Result<ArrayView<'a, T, N>, ShapeError> {
        let (domain, strides) = places(view.shape(), view.strides())?;
        let start = NonNull::new(view.as_ptr().cast_mut()).expect("views have no null pointers");
        // SAFETY: the elements are those of the view, which are borrowed as long as 'a.
        Ok(unsafe { ArrayView::from_raw_parts(start, domain, strides) })
    }
}

/// As of the view of all.
impl<'a, T, S: Data<Elem = T>, D: Dimension, const N: usize> TryFrom<&'a ArrayBase<S, D>>
    for ArrayView<'a, T, N>
{
    type Error = ShapeError;

    fn try_from(array: &'a ArrayBase<S, D>) -> Result<ArrayView<'a, T, N>, ShapeError> {
        ArrayView::try_from(array.view())
    }
}

/// As of views that are read.
impl<'a, T, D: Dimension, const N: usize> TryFrom<TheirViewMut<'a, T, D>> for ArrayViewMut<'a, T, N> {
    type Error = ShapeError;

    fn try_from(mut view: TheirViewMut<'a, T, D>) -> Result<ArrayViewMut<'a, T, N>, ShapeError> {
        let (domain, strides) = places(view.shape(), view.strides())?;
        let start = NonNull::new(view.as_mut_ptr()).expect("views have no null pointers");
        // SAFETY: the elements are those of the view, one for each point, and nobody else has them as long as 'a.
        Ok(unsafe { ArrayViewMut::from_raw_parts(start, domain, strides) })
    }
}

/// The elements are those of the array if they stand row by row, and nothing else with them; else they are moved into that order.
impl<T, D: Dimension, const N: usize> TryFrom<::ndarray::Array<T, D>> for Array<T, N> {
    type Error = ShapeError;

    fn try_from(array: ::ndarray::Array<T, D>) -> Result<Array<T, N>, ShapeError> {
        let (domain, _) = places(array.shape(), array.strides())?;
        let is_all = array.is_standard_layout() && array.len() == domain.len();
        let elements = if is_all {
            match array.into_raw_vec_and_offset() {
                (elements, None | Some(0)) if elements.len() == domain.len() => elements,
                (elements, offset) => {
                    elements.into_iter().skip(offset.unwrap_or(0)).take(domain.len()).collect()
                }
            }
        } else {
            array.into_iter().collect()
        };
        Array::over(elements, domain)
    }
}

/// The elements of an array of programs, whose coordinates are from 0 on then.
///
/// ```
/// use weldment_runtime::store::array::Array;
///
/// let table = Array::from_fn([2, 3], |[i, j]| 10 * i + j)?;
/// let place = table.as_slice().as_ptr();
/// let table = ndarray::Array2::from(table);
/// assert_eq!((table[[1, 2]], table.as_ptr()), (12, place));
/// # Ok::<(), weldment_runtime::store::array::ShapeError>(())
/// ```
impl<T, const N: usize> From<Array<T, N>> for ArrayBase<OwnedRepr<T>, Dim<[usize; N]>>
where
    Dim<[usize; N]>: Dimension,
{
    fn from(array: Array<T, N>) -> Self {
        let shape = dim(array.shape());
        ArrayBase::from_shape_vec(shape, array.into_vec()).expect("an element for each point")
    }
}

/// The same elements, whose coordinates are from 0 on then.
impl<'a, T, const N: usize> From<ArrayView<'a, T, N>> for TheirView<'a, T, Dim<[usize; N]>>
where
    Dim<[usize; N]>: Dimension,
{
    fn from(view: ArrayView<'a, T, N>) -> Self {
        let mut forward = view;
        let backward = |axis: &usize| view.strides()[*axis] < 0 && view.shape()[*axis] > 1;
        for axis in (0..N).filter(backward) {
            forward = forward.reverse(axis);
        }
        // Of axes with fewer coordinates than two, any stride will do.
        let strides = forward.strides().map(|stride| usize::try_from(stride).unwrap_or(0));
        let strides = if view.domain().is_empty() { [0; N] } else { strides };
        let shape = dim(view.shape()).strides(dim(strides));
        // SAFETY: each point has its element there, none of the strides is negative, and the elements are borrowed as long as 'a.
        let mut theirs = unsafe { TheirView::from_shape_ptr(shape, forward.as_ptr()) };
        (0..N).filter(backward).for_each(|axis| theirs.invert_axis(Axis(axis)));
        theirs
    }
}

#[cfg(test)]
mod tests {
    use ::ndarray::{Array1, Array2, Array3, IxDyn, ShapeBuilder, s};

    use super::*;

    fn table() -> Array3<i32> {
        Array3::from_shape_fn((2, 3, 4), |(i, j, k)| (100 * i + 10 * j + k) as i32)
    }

    /// What is seen of a view is what is seen of the other, where it is seen.
    #[track_caller]
    fn check<D: Dimension>(theirs: TheirView<'_, i32, D>) {
        let ours = ArrayView::<i32, 3>::try_from(theirs.clone()).unwrap();
        assert_eq!(ours.shape()[..], *theirs.shape());
        assert!(ours.iter().map(std::ptr::from_ref).eq(theirs.iter().map(std::ptr::from_ref)));
        let back: TheirView<'_, i32, _> = ours.into();
        assert_eq!(back.into_dyn(), theirs.into_dyn());
    }

    #[test]
    fn views_are_of_the_same_elements() {
        let table = table();
        check(table.view());
        check(table.t());
        check(table.view().permuted_axes([1, 2, 0]));
        check(table.slice(s![.., 1..;-1, ..;2]));
        check(table.slice(s![..;-1, ..;-1, ..;-1]));
        check(table.slice(s![.., 3.., ..]));
        check(table.slice(s![1..2;-1, .., ..]));
        check(table.view().into_dyn());
        check(table.slice(s![0, 0, ..]).broadcast((2, 3, 4)).unwrap());
        assert_eq!(ArrayView::<i32, 3>::try_from(&table).unwrap().as_ptr(), table.as_ptr());
    }

    #[test]
    fn what_is_written_to_a_view_is_in_the_array() {
        let mut table = table();
        let view = table.slice_mut(s![1, ..;-1, 0]);
        ArrayViewMut::<i32, 1>::try_from(view).unwrap()[[0]] = -1;
        assert_eq!((table[[1, 2, 0]], table.sum()), (-1, 1476 - 121));
    }

    #[test]
    fn arrays_keep_their_memory() {
        let table = table();
        let place = table.as_ptr();
        let ours = Array::<i32, 3>::try_from(table).unwrap();
        assert_eq!((ours.as_slice().as_ptr(), ours[[1, 2, 3]]), (place, 123));
        let theirs = Array3::from(ours);
        assert_eq!((theirs.as_ptr(), theirs.shape(), theirs[[1, 2, 3]]), (place, &[2, 3, 4][..], 123));
    }

    #[test]
    fn elements_that_stand_otherwise_are_moved() {
        let names = || Array2::from_shape_fn((2, 2).f(), |(i, j)| format!("{i}{j}"));
        let ours = Array::<String, 2>::try_from(names()).unwrap();
        assert_eq!(ours.as_slice(), ["00", "01", "10", "11"]);
        let part = names().reversed_axes().slice_move(s![1.., ..]);
        assert_eq!(Array::<String, 2>::try_from(part).unwrap().as_slice(), ["01", "11"]);
        let row = Array1::from_vec(vec![Box::new(1), Box::new(2), Box::new(3)]).slice_move(s![1..;-1]);
        assert_eq!(Array::<Box<i32>, 1>::try_from(row).unwrap().into_vec(), [Box::new(3), Box::new(2)]);
    }

    #[test]
    fn the_number_of_axes_is_checked() {
        let table = table().into_dyn();
        let error = ArrayView::<i32, 2>::try_from(&table).unwrap_err();
        assert_eq!(error.to_string(), "an array of shape [2, 3, 4] has not 2 axes");
        assert!(Array::<i32, 3>::try_from(table).is_ok());
        let huge = ::ndarray::arr0(7).into_dyn();
        let huge = huge.broadcast(IxDyn(&[1 << 30, 1 << 30])).unwrap();
        assert!(ArrayView::<i32, 2>::try_from(huge).is_err());
    }
}
