//! Arrays that own their elements.

use std::mem::offset_of;
use std::ops::{Index, IndexMut};

use super::shape::{ShapeError, outside};
use super::view::{ArrayView, ArrayViewMut};
use crate::lang::domain::Domain;

/// An array of `N` dimensions: an element for each point of its [`Domain`], row by row.
///
/// ```
/// use weldment_runtime::store::array::Array;
///
/// let mut table = Array::from_fn([3, 4], |[i, j]| i * j)?;
/// assert_eq!(table[[2, 3]], 6);
/// table[[2, 3]] = 0;
/// assert_eq!(table.as_slice()[8..], [0, 2, 4, 0]);
/// # Ok::<(), weldment_runtime::store::array::ShapeError>(())
/// ```
///
/// `==` compares domains and elements.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Array<T, const N: usize> {
    /// As many as there are points.
    data: Vec<T>,
    domain: Domain<N>,
}

impl<T, const N: usize> Array<T, N> {
    /// Where the elements lie.
    pub(crate) const DATA: usize = offset_of!(Array<T, N>, data);
    /// Where the domain lies.
    pub(crate) const DOMAIN: usize = offset_of!(Array<T, N>, domain);

    /// `data` as an array of this shape, row by row, from 0 on.
    ///
    /// # Errors
    /// Where there are more or fewer elements than points, or more points than an array can have.
    pub fn new(data: Vec<T>, shape: [usize; N]) -> Result<Array<T, N>, ShapeError> {
        Array::over(data, Domain::of_shape(shape).ok_or(ShapeError::too_large(&shape))?)
    }

    /// `data` as an array with this domain, row by row.
    ///
    /// # Errors
    /// Where there are more or fewer elements than points.
    pub fn over(data: Vec<T>, domain: Domain<N>) -> Result<Array<T, N>, ShapeError> {
        ShapeError::check(data.len(), &domain)?;
        Ok(Array { data, domain })
    }

    /// The array of this shape whose elements are what `element` gives for their points.
    ///
    /// # Errors
    /// Where there are more points than an array can have.
    pub fn from_fn(shape: [usize; N], element: impl FnMut([i64; N]) -> T) -> Result<Array<T, N>, ShapeError> {
        let domain = Domain::of_shape(shape).ok_or(ShapeError::too_large(&shape))?;
        Ok(Array { data: domain.points().map(element).collect(), domain })
    }

    /// The points that there are.
    #[must_use]
    pub fn domain(&self) -> &Domain<N> {
        &self.domain
    }

    /// The extent of each axis.
    #[must_use]
    pub fn shape(&self) -> [usize; N] {
        self.domain.shape()
    }

    /// The first coordinate along each axis.
    ///
    /// ```
    /// # use weldment_runtime::store::array::Array;
    /// assert_eq!(Array::new(vec![1, 2, 3], [3])?.lower(), [0]);
    /// # Ok::<(), weldment_runtime::store::array::ShapeError>(())
    /// ```
    #[must_use]
    pub fn lower(&self) -> [i64; N] {
        self.domain.ranges().map(|range| range.lower())
    }

    /// The elements, row by row.
    ///
    /// ```
    /// # use weldment_runtime::store::array::Array;
    /// assert_eq!(Array::new(vec![1, 2, 3, 4], [2, 2])?.iter().sum::<i32>(), 10);
    /// # Ok::<(), weldment_runtime::store::array::ShapeError>(())
    /// ```
    pub fn iter(&self) -> std::slice::Iter<'_, T> {
        self.data.iter()
    }

    /// The elements, row by row.
    #[must_use]
    pub fn as_slice(&self) -> &[T] {
        &self.data
    }

    /// The elements, row by row, to write to.
    #[must_use]
    pub fn as_mut_slice(&mut self) -> &mut [T] {
        &mut self.data
    }

    /// The elements, row by row.
    #[must_use]
    pub fn into_vec(self) -> Vec<T> {
        self.data
    }

    /// The element of a point, if there is such a point.
    #[must_use]
    pub fn get(&self, point: [i64; N]) -> Option<&T> {
        self.domain.position(point).map(|position| &self.data[position])
    }

    /// The same, to write to.
    #[must_use]
    pub fn get_mut(&mut self, point: [i64; N]) -> Option<&mut T> {
        self.domain.position(point).map(|position| &mut self.data[position])
    }

    /// All of it, borrowed.
    #[must_use]
    pub fn view(&self) -> ArrayView<'_, T, N> {
        ArrayView::of_all(&self.data, self.domain)
    }

    /// All of it, to write to.
    #[must_use]
    pub fn view_mut(&mut self) -> ArrayViewMut<'_, T, N> {
        ArrayViewMut::over(&mut self.data, self.domain).expect("an element for each point")
    }
}

impl<'a, T, const N: usize> IntoIterator for &'a Array<T, N> {
    type Item = &'a T;
    type IntoIter = std::slice::Iter<'a, T>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}

/// Every axis is empty; without axes it is one default element.
impl<T, const N: usize> Default for Array<T, N>
where
    T: Default,
{
    fn default() -> Array<T, N> {
        let domain = Domain::of_shape([0; N]).expect("no points, or one");
        Array { data: domain.points().map(|_| T::default()).collect(), domain }
    }
}

impl<T, const N: usize> Index<[i64; N]> for Array<T, N> {
    type Output = T;

    #[track_caller]
    fn index(&self, point: [i64; N]) -> &T {
        self.get(point).unwrap_or_else(|| outside(&point, &self.domain))
    }
}

impl<T, const N: usize> IndexMut<[i64; N]> for Array<T, N> {
    #[track_caller]
    fn index_mut(&mut self, point: [i64; N]) -> &mut T {
        match self.domain.position(point) {
            Some(position) => &mut self.data[position],
            None => outside(&point, &self.domain),
        }
    }
}
