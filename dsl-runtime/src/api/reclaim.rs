//! The memory of values of Rust, taken back for the results that come: their vectors are found by their [`Layout`].
//!
//! This file may use `unsafe` because it takes values apart by what their layout says. What makes it sound: the layout is
//! that of the type, and what is left of the value is dropped after it.
//!
//! [`Layout`]: crate::api::layout::Layout

#![expect(unsafe_code, reason = "values are taken apart")]

use std::alloc::{Layout, dealloc};
use std::mem::ManuallyDrop;
use std::ptr::NonNull;

use crate::api::element::Element;
use crate::api::layout::{self, Shape};
use crate::exec::context::Context;
use crate::mem::pool::Pool;

/// Smaller vectors within vectors are not kept: they are made faster than they are found.
const LEAST_WITHIN: usize = 1 << 12;

impl Context {
    /// Takes the memory of the vectors in `out` for the result, which takes the place of `out`.
    #[inline]
    pub(crate) fn take_memory<'o, R: Element>(&mut self, out: &'o mut R) -> Emptied<'o, R> {
        Emptied::into(self.results.get_or_insert_with(|| Pool::new(usize::MAX)), out)
    }
}

/// A value the memory of whose vectors was taken: what [`Element::zero`] gives takes its place, if nothing else does. Until then it may hold
/// less than it says, so that this is never forgotten.
pub(crate) struct Emptied<'o, R: Element>(&'o mut R);

impl<'o, R: Element> Emptied<'o, R> {
    /// Keeps the memory of all vectors in `value` in `pool`.
    #[inline]
    pub(crate) fn into(pool: &mut Pool, value: &'o mut R) -> Emptied<'o, R> {
        let emptied = Emptied(value);
        // SAFETY: the layout is that of `R`; nobody sees the value until something takes its place, for it is borrowed until this is dropped, by
        // a panic, too; what is given back is not forgotten.
        unsafe { strip(pool, R::LAYOUT, (&raw mut *emptied.0).cast(), 0) };
        emptied
    }

    /// Puts `value` in its place, where nothing is left to be dropped.
    #[inline(always)]
    pub(crate) fn becomes(self, value: R) {
        let mut emptied = ManuallyDrop::new(self);
        // SAFETY: the place is borrowed for this alone; the vectors of what is there are empty and without memory, so that nothing has to
        // be dropped.
        unsafe { (&raw mut *emptied.0).write(value) };
    }
}

impl<R: Element> Drop for Emptied<'_, R> {
    fn drop(&mut self) {
        *self.0 = R::zero();
    }
}

/// Takes the memory of the vectors in the value at `place`, leaving empty ones: of those with `least` bytes.
///
/// # Safety
/// There is a value of that layout, which nobody else uses.
unsafe fn strip(pool: &mut Pool, own: &layout::Layout, place: *mut u8, least: usize) {
    // SAFETY: as the caller promises, and so are fields, elements and columns where the layout says.
    unsafe {
        match own.shape() {
            Shape::Scalar(_) => {}
            Shape::Struct(_) => {
                for field in own.vector_fields() {
                    strip(pool, field.layout(), place.add(field.offset()), least);
                }
            }
            Shape::Option(option) if option.value().holds_vectors() => {
                if let Some(value) = option.get(place) {
                    strip(pool, option.value(), value.as_ptr(), least);
                }
            }
            Shape::Option(_) => {}
            Shape::Vec(vector) => {
                if vector.element().holds_vectors() {
                    let (elements, len) = vector.parts(place);
                    strip_each(pool, vector.element(), elements.cast_mut(), len);
                }
                keep(pool, vector.element(), vector.take(place), least);
            }
            Shape::Dict(dict) => {
                if dict.value().holds_vectors() {
                    let ([_, values], len) = dict.parts(place);
                    strip_each(pool, dict.value(), values.cast_mut(), len);
                }
                let [keys, values] = dict.take(place);
                keep(pool, dict.key(), keys, least);
                keep(pool, dict.value(), values, least);
            }
        }
    }
}

/// # Safety
/// There are so many values of that layout, which nobody else uses.
unsafe fn strip_each(pool: &mut Pool, own: &layout::Layout, elements: *mut u8, len: usize) {
    // SAFETY: as the caller promises.
    (0..len).for_each(|i| unsafe { strip(pool, own, elements.add(i * own.size()), LEAST_WITHIN) });
}

/// # Safety
/// The block holds no elements, and its memory is that of a vector of elements of that layout, whose owner is gone.
#[inline]
unsafe fn keep(pool: &mut Pool, element: &layout::Layout, block: layout::Block, least: usize) {
    let size = block.capacity * element.size();
    let (Some(start), Ok(layout)) =
        (NonNull::new(block.elements), Layout::from_size_align(size, element.align()))
    else {
        return;
    };
    if size >= least.max(1) {
        // SAFETY: as the caller promises.
        unsafe { pool.begin_with(start, layout) };
    } else if size > 0 {
        // SAFETY: as the caller promises.
        unsafe { dealloc(start.as_ptr(), layout) };
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::dict::Dict;

    #[test]
    fn vectors_are_found_wherever_they_are() {
        let mut pool = Pool::new(usize::MAX);
        let dict: Dict<u8, Vec<i64>> = [(1, vec![0; 1000]), (2, vec![0; 10])].into_iter().collect();
        let words: Dict<Vec<u8>, f64> = [(vec![1; 5000], 0.5)].into_iter().collect();
        let mut value = (1u8, Vec::<f64>::with_capacity(3), (dict, words), vec![(2u8, vec![0.5f32; 2000])]);
        drop(Emptied::into(&mut pool, &mut value));
        let mut sizes = pool.sizes();
        sizes.retain(|size| *size == (8, 24) || size.1 >= LEAST_WITHIN);
        assert_eq!(sizes, [(4, 8000), (8, 24), (8, 8000)], "keys are dropped with what they hold");
        assert_eq!(value, Element::zero());
    }
}
