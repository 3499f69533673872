//! The memory of vectors, counted before it is allocated.
//!
//! This file may use `unsafe` because it makes a vector of memory that was allocated without its type. What makes it sound: that has the
//! layout of the vector's elements, and no other owner.
#![expect(unsafe_code, reason = "vectors are made of memory")]

use std::alloc::{Layout, alloc};
use std::ptr::NonNull;

use crate::lang::fault::Fault;
use crate::mem::budget::Charge;
use crate::mem::huge_pages;

/// The empty vector with room for `len` values and no more; in large pages, if it is much. Only its last line is compiled for each type.
pub fn with_room<T>(cx: &dyn Charge, len: usize) -> Result<Vec<T>, Fault> {
    match allocate(cx, Layout::new::<T>(), len) {
        // SAFETY: this is the allocation of an array of so many values, and it has no other owner.
        Ok(start) => Ok(unsafe { Vec::from_raw_parts(start.cast().as_ptr(), 0, len) }),
        Err(fault) => Err(fault),
    }
}

/// Memory for an array of so many elements, in large pages, if it is much: an allocation, unless it is of no bytes.
pub(crate) fn allocate(cx: &dyn Charge, element: Layout, len: usize) -> Result<NonNull<u8>, Fault> {
    let bytes = element.size().saturating_mul(len);
    let Ok(layout) = Layout::from_size_align(bytes, element.align()) else {
        return Err(Fault::memory(bytes));
    };
    if bytes == 0 {
        return Ok(layout.dangling_ptr());
    }
    cx.charge(bytes)?;
    // SAFETY: it is not for nothing.
    let Some(start) = NonNull::new(unsafe { alloc(layout) }) else {
        cx.discharge(bytes);
        return Err(Fault::memory(bytes));
    };
    huge_pages::advise_large(start.as_ptr(), bytes);
    Ok(start)
}

/// Makes room for `more` values after those that are there, and no more than that; in large pages, if it is much.
pub fn reserve_anew<T>(cx: &impl Charge, out: &mut Vec<T>, more: usize) -> Result<(), Fault> {
    reserve_in_any_pages(cx, out, more)?;
    huge_pages::advise_large(out.as_ptr().cast(), room(out));
    Ok(())
}

/// The same, in the pages that there are.
pub fn reserve_in_any_pages<T>(cx: &impl Charge, out: &mut Vec<T>, more: usize) -> Result<(), Fault> {
    let new = more.saturating_sub(out.capacity() - out.len()).saturating_mul(size_of::<T>());
    cx.charge(new)?;
    out.try_reserve_exact(more).map_err(|_| {
        cx.discharge(new);
        Fault::memory(new)
    })
}

/// So many of `value`, counted. In line, so that the compiler knows a value that is zeros.
#[inline(always)]
pub fn filled<T: Clone>(cx: &impl Charge, number: usize, value: T) -> Result<Vec<T>, Fault> {
    let mut values = Vec::new();
    reserve_anew(cx, &mut values, number)?;
    values.resize(number, value);
    Ok(values)
}

/// The bytes that `vector` has room for.
pub(crate) fn room<T>(vector: &Vec<T>) -> usize {
    vector.capacity().saturating_mul(size_of::<T>())
}
