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
    layouts: [Layout; 2],
}

/// Keys and values, of types that only who made them knows.
#[derive(Debug)]
pub(crate) struct Columns {
    keys: NonNull<u8>,
    values: NonNull<u8>,
    types: ColumnTypes,
    len: usize,
    /// How many places are written.
    written: AtomicUsize,
}

// SAFETY: threads write values that are `Send`, each at places of its own, and read nothing.
unsafe impl Sync for Columns {}

impl ColumnTypes {
    pub(crate) const fn of<K: Copy + Send + 'static, V: Copy + Send + 'static>() -> ColumnTypes {
        ColumnTypes { id: TypeId::of::<(K, V)>(), layouts: [Layout::new::<K>(), Layout::new::<V>()] }
    }
}

impl Columns {
    /// Memory for `len` keys and values; the fault MemoryLimit if it cannot be had.
    pub(crate) fn new(cx: &Context, types: ColumnTypes, len: usize) -> Result<Columns, Fault> {
        let [key, value] = types.layouts;
        let keys = cx.result_array(key, len)?;
        let values = match cx.result_array(value, len) {
            Ok(values) => values,
            Err(fault) => {
                free(keys, key, len);
                return Err(fault);
            }
        };
        Ok(Columns { keys, values, types, len, written: AtomicUsize::new(0) })
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
        assert!(place < self.len && self.types.id == TypeId::of::<(K, V)>(), "a place of other columns");
        // SAFETY: the place is inside, the types are those of the columns, and nobody else is at it, as the caller promises.
        unsafe {
            self.keys.cast::<K>().add(place).write(key);
            self.values.cast::<V>().add(place).write(value);
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
        let columns = ManuallyDrop::new(self);
        let len = columns.len;
        // SAFETY: these are allocations of arrays of these types, all of whose places were written, none of them twice; nobody else
        // frees them.
        unsafe {
            let keys = Vec::from_raw_parts(columns.keys.cast().as_ptr(), len, len);
            (keys, Vec::from_raw_parts(columns.values.cast().as_ptr(), len, len))
        }
    }

    fn expect_full(&self, id: TypeId) {
        assert!(self.types.id == id, "the vectors of other columns");
        assert_eq!(self.written.load(Ordering::Relaxed), self.len, "places of columns were not written");
    }
}

impl Drop for Columns {
    fn drop(&mut self) {
        let [key, value] = self.types.layouts;
        free(self.keys, key, self.len);
        free(self.values, value, self.len);
    }
}

/// Frees the memory of an array that [`Context::result_array`] gave.
fn free(start: NonNull<u8>, element: Layout, len: usize) {
    let bytes = element.size() * len;
    if bytes > 0 {
        // SAFETY: this is the layout that it was allocated with, and its values need no drop.
        unsafe { dealloc(start.as_ptr(), Layout::from_size_align_unchecked(bytes, element.align())) };
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
