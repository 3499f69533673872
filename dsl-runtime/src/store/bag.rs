//! Bags: elements in an order that means nothing.

use crate::mem::heap::Heap;

/// Elements in an order that means nothing.
#[derive(Clone, Debug, PartialEq)]
#[repr(transparent)]
pub struct Bag<T>(pub Vec<T>);

impl<T: Heap> Heap for Bag<T> {
    const HOLDS: bool = true;

    fn heap(&self) -> usize {
        self.0.heap()
    }
}
