//! The two orders of the language, lexicographic on vectors and structs by their elements' own order: that of the
//! operators, which is IEEE's on floats, and the total one of `compare` and of sorts, which puts NaN last.

use std::cmp::Ordering;

use crate::lang::scalar::CompareOp;
use crate::lang::tuples::for_tuples;

/// A type whose values compare.
pub trait Order {
    /// How the two compare: as the first pair of elements that are not equal does, and where there is none, the
    /// shorter one is less. `None` where a NaN decides.
    fn order(&self, other: &Self) -> Option<Ordering>;

    /// The total order: as [`order`](Order::order), but every NaN is equal to every NaN and greater than all else.
    fn total_order(&self, other: &Self) -> Ordering;
}

/// Whether `a == b`, and so on: the operators on vectors and structs.
#[inline(always)]
pub fn holds<T: Order + ?Sized>(op: CompareOp, a: &T, b: &T) -> bool {
    op.holds(a.order(b))
}

/// `compare(a, b)`: −1, 0 or 1 in the [total order](Order::total_order).
#[inline(always)]
pub fn compare<T: Order + ?Sized>(a: &T, b: &T) -> i32 {
    a.total_order(b) as i32
}

macro_rules! integer {
    ($($ty:ident)*) => {$(
        impl Order for $ty {
            #[inline(always)]
            fn order(&self, other: &$ty) -> Option<Ordering> {
                Some(self.cmp(other))
            }

            #[inline(always)]
            fn total_order(&self, other: &$ty) -> Ordering {
                self.cmp(other)
            }
        }
    )*};
}

macro_rules! float {
    ($($ty:ident)*) => {$(
        impl Order for $ty {
            #[inline(always)]
            fn order(&self, other: &$ty) -> Option<Ordering> {
                self.partial_cmp(other)
            }

            #[inline(always)]
            fn total_order(&self, other: &$ty) -> Ordering {
                self.partial_cmp(other).unwrap_or_else(|| self.is_nan().cmp(&other.is_nan()))
            }
        }
    )*};
}

macro_rules! each {
    ([] $($variant:ident $ty:ident $kind:ident $bits:ident;)*) => { $(each!($kind $ty $bits);)* };
    (Float $ty:ident $bits:ident) => { float!($ty); };
    ($kind:ident $ty:ident $bits:ident) => { integer!($ty); };
}

crate::scalar_types!(each);

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

    fn total_order(&self, other: &[T]) -> Ordering {
        let mut pairs = self.iter().zip(other).map(|(a, b)| a.total_order(b));
        pairs.find(|order| order.is_ne()).unwrap_or_else(|| self.len().cmp(&other.len()))
    }
}

impl<T: Order> Order for Vec<T> {
    fn order(&self, other: &Vec<T>) -> Option<Ordering> {
        self.as_slice().order(other)
    }

    fn total_order(&self, other: &Vec<T>) -> Ordering {
        self.as_slice().total_order(other)
    }
}

impl<T: Order, const N: usize> Order for [T; N] {
    fn order(&self, other: &[T; N]) -> Option<Ordering> {
        self.as_slice().order(other)
    }

    fn total_order(&self, other: &[T; N]) -> Ordering {
        self.as_slice().total_order(other)
    }
}

impl<T: Order + ?Sized> Order for &T {
    #[inline(always)]
    fn order(&self, other: &&T) -> Option<Ordering> {
        (**self).order(other)
    }

    #[inline(always)]
    fn total_order(&self, other: &&T) -> Ordering {
        (**self).total_order(other)
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

            #[inline]
            fn total_order(&self, other: &Self) -> Ordering {
                Ordering::Equal$(.then_with(|| self.$index.total_order(&other.$index)))*
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
    fn nan_is_the_last_of_the_total_order() {
        let ascending: [&[f64]; 7] = [
            &[],
            &[f64::NEG_INFINITY],
            &[0.0],
            &[0.0, -1.0],
            &[0.0, f64::NAN],
            &[f64::NAN],
            &[f64::NAN, 0.0],
        ];
        for (i, a) in ascending.iter().enumerate() {
            for (j, b) in ascending.iter().enumerate() {
                assert_eq!(a.total_order(b), i.cmp(&j), "{a:?} {b:?}");
            }
        }
        assert_eq!(f64::NAN.total_order(&-f64::NAN), Equal);
        assert_eq!((1.0f32, 2).total_order(&(f32::NAN, 1)), Less);
    }

    #[test]
    fn wide_structs_compare() {
        let a = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13);
        let b = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 14);
        assert_eq!((a.order(&b), compare(&b, &a)), (Some(Less), 1));
        assert_eq!(().order(&()), Some(Equal));
    }
}
