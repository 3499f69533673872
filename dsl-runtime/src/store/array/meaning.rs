//! What arrays are to programs: how they are made of parts, compared, copied and counted.

use std::cmp::Ordering;

use super::owned::Array;
use crate::lang::domain::{Domain, Range};
use crate::lang::order::Order;
use crate::mem::heap::Heap;

impl<T, const N: usize> Array<T, N> {
    /// The array of these parts, in the order of [`Type::array`](crate::lang::types::Type::array).
    ///
    /// # Panics
    /// Where there is not one element for each point, which no compiled program brings about.
    #[doc(hidden)]
    pub fn from_parts(data: Vec<T>, lower: [i64; N], step: [i64; N], extent: [i64; N]) -> Array<T, N> {
        let range = |axis: usize| Range::new(lower[axis], step[axis], extent[axis] as u64).expect("a range");
        let domain = Domain::new(std::array::from_fn(range)).expect("a domain");
        Array::over(data, domain).expect("an element for each point")
    }

    /// The number in field `field` of the array as a struct, in the order of [`Type::array`](crate::lang::types::Type::array).
    #[doc(hidden)]
    #[inline]
    pub fn number(&self, field: usize) -> i64 {
        self.domain().number(field)
    }

    fn numbers(&self) -> impl Iterator<Item = i64> + '_ {
        (1..=3 * N).map(|field| self.number(field))
    }
}

/// By the elements first, then by the numbers of the domain, as the struct that an array is to programs.
impl<T: Order, const N: usize> Order for Array<T, N> {
    fn order(&self, other: &Array<T, N>) -> Option<Ordering> {
        match self.as_slice().order(other.as_slice()) {
            Some(Ordering::Equal) => Some(self.numbers().cmp(other.numbers())),
            decided => decided,
        }
    }

    fn total_order(&self, other: &Array<T, N>) -> Ordering {
        let elements = self.as_slice().total_order(other.as_slice());
        elements.then_with(|| self.numbers().cmp(other.numbers()))
    }
}

impl<T: Heap, const N: usize> Heap for Array<T, N> {
    const HOLDS: bool = true;

    fn heap(&self) -> usize {
        self.as_slice().heap()
    }
}
