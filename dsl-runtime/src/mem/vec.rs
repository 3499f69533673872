//! The memory of vectors, counted before it is allocated.

use crate::lang::fault::Fault;
use crate::mem::budget::Charge;
use crate::mem::huge_pages;

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
