//! The keys and the values of a dictionary while several threads write them, each at places of its own.
//!
//! This file may use `unsafe` because two vectors are written in any order. What makes it sound: both are memory for `len` values of
//! the types that they were made with, no place is written twice, as callers promise, and vectors come of them when as many places
//! are written as there are.
#![expect(unsafe_code, reason = "vectors are filled in place, by several threads")]

use std::alloc::{Layout, dealloc};
use std::any::TypeId;
use std::mem::ManuallyDrop;
use std::ptr::NonNull;
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::exec::context::Context;
use crate::lang::fault::Fault;

/// The types of keys and values.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ColumnTypes {
    id: TypeId,
    key: Layout,
    value: Layout,
}

/// Keys and values, of types that only who made them knows.
#[derive(Debug)]
pub(crate) struct Columns {
    types: TypeId,
    keys: Column,
    values: Column,
    /// How many places are written.
    written: AtomicUsize,
}

/// An array that is not initialised, of values that need no drop.
#[derive(Debug)]
struct Column {
    start: NonNull<u8>,
    element: Layout,
    len: usize,
}

// SAFETY: threads write values that are `Send`, each at places of its own, and read nothing.
unsafe impl Sync for Columns {}

impl ColumnTypes {
    pub(crate) const fn of<K: Copy + Send + 'static, V: Copy + Send + 'static>() -> ColumnTypes {
        ColumnTypes { id: TypeId::of::<(K, V)>(), key: Layout::new::<K>(), value: Layout::new::<V>() }
    }
}

impl Columns {
    /// Memory for `len` keys and values; the fault MemoryLimit if it cannot be had.
    pub(crate) fn new(cx: &Context, types: ColumnTypes, len: usize) -> Result<Columns, Fault> {
        let (keys, values) = (Column::new(cx, types.key, len)?, Column::new(cx, types.value, len)?);
        Ok(Columns { types: types.id, keys, values, written: AtomicUsize::new(0) })
    }

    /// Writes `key` and `value` at `place`.
    ///
    /// # Safety
    /// Nothing else is ever written at `place`.
    ///
    /// # Panics
    /// If it is outside, or these are not the types of the columns.
    #[inline(always)]
    pub(crate) unsafe fn write<K: Copy + 'static, V: Copy + 'static>(&self, place: usize, key: K, value: V) {
        assert!(place < self.keys.len && self.types == TypeId::of::<(K, V)>(), "a place of other columns");
        // SAFETY: the place is inside, the types are those of the columns, and nobody else is at it, as the caller promises.
        unsafe {
            self.keys.start.cast::<K>().add(place).write(key);
            self.values.start.cast::<V>().add(place).write(value);
        }
    }

    /// Says that so many places were written.
    pub(crate) fn wrote(&self, places: usize) {
        self.written.fetch_add(places, Ordering::Relaxed);
    }

    /// The vectors.
    ///
    /// # Panics
    /// If places were not written, or these are not the types of the columns.
    pub(crate) fn into_vecs<K: Copy + 'static, V: Copy + 'static>(self) -> (Vec<K>, Vec<V>) {
        self.expect_full(TypeId::of::<(K, V)>());
        // SAFETY: these are the types of the columns, all of whose places were written, none of them twice.
        unsafe { (self.keys.into_vec(), self.values.into_vec()) }
    }

    fn expect_full(&self, types: TypeId) {
        assert!(self.types == types, "the vectors of other columns");
        assert_eq!(self.written.load(Ordering::Relaxed), self.keys.len, "places of columns were not written");
    }
}

impl Column {
    fn new(cx: &Context, element: Layout, len: usize) -> Result<Column, Fault> {
        Ok(Column { start: cx.result_array(element, len)?, element, len })
    }

    /// The vector.
    ///
    /// # Safety
    /// The elements are of this type, and initialised.
    unsafe fn into_vec<T>(self) -> Vec<T> {
        let column = ManuallyDrop::new(self);
        // SAFETY: this is the allocation of an array of so many elements, which the caller promises are there, and nobody frees it.
        unsafe { Vec::from_raw_parts(column.start.cast().as_ptr(), column.len, column.len) }
    }
}

impl Drop for Column {
    fn drop(&mut self) {
        let bytes = self.element.size() * self.len;
        if bytes > 0 {
            // SAFETY: this is the layout that it was allocated with.
            unsafe {
                dealloc(self.start.as_ptr(), Layout::from_size_align_unchecked(bytes, self.element.align()))
            };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn two() -> Columns {
        Columns::new(Context::ambient(), ColumnTypes::of::<u8, u8>(), 2).unwrap()
    }

    #[test]
    fn threads_write_places_of_their_own() {
        let columns = Columns::new(Context::ambient(), ColumnTypes::of::<u8, f64>(), 10).unwrap();
        std::thread::scope(|scope| {
            for odd in 0..2 {
                let columns = &columns;
                scope.spawn(move || {
                    for place in (odd..10).step_by(2) {
                        // SAFETY: one of the threads writes odd places, and the other even ones.
                        unsafe { columns.write(place, place as u8, place as f64 / 2.0) };
                    }
                    columns.wrote(5);
                });
            }
        });
        let (keys, values) = columns.into_vecs::<u8, f64>();
        assert!(keys.into_iter().eq(0..10) && values.into_iter().eq((0..10).map(|i| f64::from(i) / 2.0)));
    }

    #[test]
    fn columns_may_be_of_nothing_and_may_be_given_up() {
        drop(two());
        for len in [0, 3] {
            let columns = Columns::new(Context::ambient(), ColumnTypes::of::<(), ()>(), len).unwrap();
            columns.wrote(len);
            assert_eq!(columns.into_vecs::<(), ()>(), (vec![(); len], vec![(); len]));
        }
    }

    #[test]
    #[should_panic(expected = "places of columns were not written")]
    fn places_are_not_left_out() {
        let columns = two();
        // SAFETY: it is the only place that is written.
        unsafe { columns.write(1, 0u8, 0u8) };
        columns.wrote(1);
        columns.into_vecs::<u8, u8>();
    }

    #[test]
    #[should_panic(expected = "a place of other columns")]
    fn values_are_of_the_types_of_their_columns() {
        // SAFETY: it is the only place that is written.
        unsafe { two().write(0, 0u8, 0u64) };
    }
}
