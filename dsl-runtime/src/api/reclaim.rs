//! The memory of values of Rust, taken back for the results that come: their vectors are found by their [`Layout`].
//!
//! This file may use `unsafe` because it takes values apart by what their layout says. What makes it sound: the layout is
//! that of the type, and what is left of the value is dropped after it.
//!
//! [`Layout`]: crate::api::layout::Layout

#![expect(unsafe_code, reason = "values are taken apart")]

use std::alloc::{Layout, dealloc};
use std::mem::replace;
use std::ptr::NonNull;

use crate::api::element::Element;
use crate::api::layout::{self, Shape};
use crate::exec::context::Context;
use crate::exec::options::Options;
use crate::mem::pool::Pool;

/// Smaller vectors within vectors are not kept: they are made faster than they are found.
const LEAST_WITHIN: usize = 1 << 12;

impl Context {
    /// The context of a run with `options` whose result takes the place of `out`, and the memory of its vectors. Until
    /// then `out` is what [`Element::zero`] gives.
    #[inline]
    pub fn filling<R: Element>(options: &Options, out: &mut R) -> Context {
        let mut context = Context::new(options);
        context.results = Some(Pool::new(usize::MAX));
        if let Some(pool) = &context.results {
            put_all(pool, replace(out, R::zero()));
        }
        context
    }
}

/// Keeps the memory of all vectors in `value`, which is given up.
pub(crate) fn put_all<R: Element>(pool: &Pool, value: R) {
    let mut value = value;
    // SAFETY: the layout is that of `R`; what is left of the value is dropped after it.
    unsafe { strip(pool, R::LAYOUT, (&raw mut value).cast(), 0) };
}

/// Takes the memory of the vectors in the value at `place`, leaving empty ones: of those with `least` bytes.
///
/// # Safety
/// There is a value of that layout, which nobody else uses.
unsafe fn strip(pool: &Pool, own: &layout::Layout, place: *mut u8, least: usize) {
    // SAFETY: as the caller promises, and so are fields, elements and columns where the layout says.
    unsafe {
        match own.shape() {
            Shape::Scalar(_) => {}
            Shape::Struct(fields) => {
                for field in fields.iter().filter(|field| field.layout().holds_vectors()) {
                    strip(pool, field.layout(), place.add(field.offset()), least);
                }
            }
            Shape::Vec(vector) => {
                let (elements, len) = vector.parts(place);
                strip_each(pool, vector.element(), elements.cast_mut(), len);
                keep(pool, vector.element(), vector.take(place), least);
            }
            Shape::Dict(dict) => {
                let ([_, values], len) = dict.parts(place);
                strip_each(pool, dict.value(), values.cast_mut(), len);
                let [keys, values] = dict.take(place);
                keep(pool, dict.key(), keys, least);
                keep(pool, dict.value(), values, least);
            }
        }
    }
}

/// # Safety
/// There are so many values of that layout, which nobody else uses.
unsafe fn strip_each(pool: &Pool, own: &layout::Layout, elements: *mut u8, len: usize) {
    if own.holds_vectors() {
        // SAFETY: as the caller promises.
        (0..len).for_each(|i| unsafe { strip(pool, own, elements.add(i * own.size()), LEAST_WITHIN) });
    }
}

/// # Safety
/// The block holds no elements, and its memory is that of a vector of elements of that layout, whose owner is gone.
unsafe fn keep(pool: &Pool, element: &layout::Layout, block: layout::Block, least: usize) {
    let size = block.capacity * element.size();
    let (Some(start), Ok(layout)) =
        (NonNull::new(block.elements), Layout::from_size_align(size, element.align()))
    else {
        return;
    };
    if size >= least.max(1) {
        // SAFETY: as the caller promises.
        unsafe { pool.put_block(start, layout) };
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
        let pool = Pool::new(usize::MAX);
        let dict: Dict<u8, Vec<i64>> = [(1, vec![0; 1000]), (2, vec![0; 10])].into_iter().collect();
        let words: Dict<Vec<u8>, f64> = [(vec![1; 5000], 0.5)].into_iter().collect();
        put_all(&pool, (1u8, Vec::<f64>::with_capacity(3), (dict, words), vec![(2u8, vec![0.5f32; 2000])]));
        let mut sizes = pool.sizes();
        sizes.retain(|size| *size == (8, 24) || size.1 >= LEAST_WITHIN);
        assert_eq!(sizes, [(4, 8000), (8, 24), (8, 8000)], "keys are dropped with what they hold");
    }
}
