//! How much memory values hold besides themselves.

use crate::lang::tuples::for_tuples;

/// A type whose values say how much memory they hold elsewhere.
pub trait Heap {
    /// Whether values may hold memory elsewhere.
    const HOLDS: bool;

    /// The bytes that a copy of this value allocates.
    fn heap(&self) -> usize;
}

/// What `elements` hold besides themselves.
pub(crate) fn elsewhere<T: Heap>(elements: &[T]) -> usize {
    if T::HOLDS { elements.iter().map(T::heap).fold(0, usize::saturating_add) } else { 0 }
}

macro_rules! scalar {
    ([] $($variant:ident $ty:ident $kind:ident $bits:ident;)*) => {$(
        impl Heap for $ty {
            const HOLDS: bool = false;

            #[inline(always)]
            fn heap(&self) -> usize {
                0
            }
        }
    )*};
}

crate::scalar_types!(scalar);

impl<T: Heap> Heap for [T] {
    const HOLDS: bool = true;

    fn heap(&self) -> usize {
        size_of_val(self).saturating_add(elsewhere(self))
    }
}

impl<T: Heap> Heap for Vec<T> {
    const HOLDS: bool = true;

    fn heap(&self) -> usize {
        self.as_slice().heap()
    }
}

impl<T: Heap + ?Sized> Heap for &T {
    const HOLDS: bool = T::HOLDS;

    fn heap(&self) -> usize {
        (**self).heap()
    }
}

macro_rules! tuple {
    ($($index:tt $name:ident)*) => {
        impl<$($name: Heap),*> Heap for ($($name,)*) {
            const HOLDS: bool = false $(|| $name::HOLDS)*;

            #[inline]
            fn heap(&self) -> usize {
                0usize $(.saturating_add(self.$index.heap()))*
            }
        }
    };
}

for_tuples!(tuple);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn vectors_count_their_elements() {
        assert_eq!((1i64, vec![vec![0.5, 1.5], vec![]]).heap(), 2 * size_of::<Vec<f64>>() + 16);
        assert_eq!((7i64.heap(), vec![7i64; 3].heap()), (0, 24));
    }
}
