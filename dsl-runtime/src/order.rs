//! The order of the language: IEEE on floats, lexicographic on vectors and structs by their elements' own order.

use std::cmp::Ordering;

use crate::scalar::CompareOp;
use crate::tuples::for_tuples;

/// A type whose values compare.
///
/// ```
/// use std::cmp::Ordering::*;
/// use weldment_runtime::order::Order;
/// assert_eq!((1, 2.0).order(&(1, 3.0)), Some(Less));
/// assert_eq!([1, 2][..].order(&[1]), Some(Greater));
/// assert_eq!((f64::NAN, 1).order(&(0.0, 1)), None);
/// ```
pub trait Order {
    /// How the two compare: as the first pair of elements that are not equal does, and where there is none, the
    /// shorter one is less. `None` where a NaN decides.
    ///
    /// ```
    /// # use weldment_runtime::options::*;
    /// # use weldment_runtime::order::Order;
    /// use std::cmp::Ordering;
    /// assert_eq!(vec![1, 2].order(&vec![1]), Some(Ordering::Greater));
    /// assert_eq!((0.0, f64::NAN).order(&(1.0, 0.0)), Some(Ordering::Less)); // before a NaN is met
    /// ```
    fn order(&self, other: &Self) -> Option<Ordering>;
}

/// Whether `a == b`, and so on: the operators on vectors and structs.
///
/// ```
/// use weldment_runtime::order::holds;
/// use weldment_runtime::scalar::CompareOp;
/// assert!(holds(CompareOp::Lt, &(1, 2), &(1, 3)));
/// assert!(holds(CompareOp::Ne, &[f64::NAN], &[f64::NAN]));
/// ```
#[inline(always)]
pub fn holds<T: Order + ?Sized>(op: CompareOp, a: &T, b: &T) -> bool {
    op.holds(a.order(b))
}

/// `compare(a, b)`: −1, 0 or 1; 0 also where neither is less.
///
/// ```
/// use weldment_runtime::order::compare;
/// assert_eq!((compare(&1, &2), compare(&"b".as_bytes(), &"a".as_bytes()), compare(&f64::NAN, &0.0)), (-1, 1, 0));
/// ```
#[inline(always)]
pub fn compare<T: Order + ?Sized>(a: &T, b: &T) -> i32 {
    match a.order(b) {
        Some(Ordering::Less) => -1,
        Some(Ordering::Greater) => 1,
        Some(Ordering::Equal) | None => 0,
    }
}

macro_rules! scalar {
    ($($ty:ident)*) => {$(
        impl Order for $ty {
            #[inline(always)]
            fn order(&self, other: &$ty) -> Option<Ordering> {
                self.partial_cmp(other)
            }
        }
    )*};
}

scalar!(bool i8 i16 i32 i64 u8 u16 u32 u64 f32 f64);

impl<T: Order> Order for [T] {
    fn order(&self, other: &[T]) -> Option<Ordering> {
        for (a, b) in self.iter().zip(other) {
            match a.order(b) {
                Some(Ordering::Equal) => {}
                decided => return decided,
            }
        }
        Some(self.len().cmp(&other.len()))
    }
}

impl<T: Order> Order for Vec<T> {
    fn order(&self, other: &Vec<T>) -> Option<Ordering> {
        self.as_slice().order(other)
    }
}

impl<T: Order, const N: usize> Order for [T; N] {
    fn order(&self, other: &[T; N]) -> Option<Ordering> {
        self.as_slice().order(other)
    }
}

impl<T: Order + ?Sized> Order for &T {
    #[inline(always)]
    fn order(&self, other: &&T) -> Option<Ordering> {
        (**self).order(other)
    }
}

macro_rules! tuple {
    ($($index:tt $name:ident)*) => {
        #[allow(unused_variables)]
        impl<$($name: Order),*> Order for ($($name,)*) {
            #[inline]
            fn order(&self, other: &Self) -> Option<Ordering> {
                $(match self.$index.order(&other.$index) {
                    Some(Ordering::Equal) => {}
                    decided => return decided,
                })*
                Some(Ordering::Equal)
            }
        }
    };
}

for_tuples!(tuple);

#[cfg(test)]
mod tests {
    use super::*;
    use Ordering::{Equal, Greater, Less};

    #[test]
    fn elements_compare_in_their_own_order() {
        assert_eq!(vec![-1i8].order(&vec![1]), Some(Less));
        assert_eq!(vec![200u8].order(&vec![100]), Some(Greater));
        assert_eq!(vec![-0.0].order(&vec![0.0]), Some(Equal));
        assert_eq!((false, vec![2]).order(&(false, vec![2, 0])), Some(Less));
    }

    #[test]
    fn a_nan_decides_where_it_comes_first() {
        assert_eq!([1.0, f64::NAN].order(&[2.0, 0.0]), Some(Less));
        assert_eq!([1.0, f64::NAN].order(&[1.0, 0.0]), None);
        assert!(!holds(CompareOp::Eq, &[f64::NAN], &[f64::NAN]));
        assert!(!holds(CompareOp::Le, &[f64::NAN], &[f64::NAN]));
    }

    #[test]
    fn wide_structs_compare() {
        let a = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13);
        let b = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14);
        assert_eq!((a.order(&b), compare(&b, &a)), (Some(Less), 1));
        assert_eq!(().order(&()), Some(Equal));
    }
}
