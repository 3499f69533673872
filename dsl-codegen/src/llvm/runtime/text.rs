//! Functions of texts, which the code of a program calls by their number.
//!
//! This file may use `unsafe` because it reads texts of the language where they lie. What makes it sound: the verifier has seen
//! to the types of what is handed over, and code that is printed has room for what the function gives.
#![allow(unsafe_code)]

use std::slice;

use weldment_runtime::lang::text::{self, TextFn};

/// Writes to `result` what the function of this number gives of `text`, and of `part` and `from`, if it takes those.
///
/// # Safety
/// There are as many bytes at `bytes` and `part` as is said, and room for what the function gives at `result`.
pub(super) unsafe extern "C" fn text(
    function: i32,
    bytes: *const u8,
    len: i64,
    part: *const u8,
    part_len: i64,
    from: i64,
    result: *mut u8,
) {
    /// Writes a pair as the language lays it out.
    #[repr(C)]
    struct Pair<A, B>(A, B);
    /// As [`text`].
    unsafe fn give<A, B>((first, second): (A, B), result: *mut u8) {
        // SAFETY: as the caller promises.
        unsafe { result.cast::<Pair<A, B>>().write(Pair(first, second)) }
    }
    // SAFETY: as the caller promises.
    unsafe {
        let text = bytes_at(bytes, len);
        match TextFn::ALL[function as usize] {
            TextFn::Find => {
                let part = bytes_at(part, part_len);
                result.cast::<i64>().write(text::find(text, part, from));
            }
            TextFn::FindLast => result.cast::<i64>().write(text::find_last(text, bytes_at(part, part_len))),
            TextFn::Word => give(text::word(text, from), result),
            TextFn::IsText => result.cast::<bool>().write(text::is_text(text)),
            TextFn::Trimmed => give(text::trimmed(text), result),
            TextFn::ToI64 => give(text::to_i64(text), result),
            TextFn::ToU64 => give(text::to_u64(text), result),
            TextFn::ToF32 => give(text::to_f32(text), result),
            TextFn::ToF64 => give(text::to_f64(text), result),
            TextFn::ToDate => give(text::to_date(text), result),
            TextFn::ToTimestamp => give(text::to_timestamp(text), result),
        }
    }
}

/// So many bytes; a vector of none need not say where they are.
///
/// # Safety
/// There are as many at `bytes`, for as long as the result is used.
unsafe fn bytes_at<'a>(bytes: *const u8, len: i64) -> &'a [u8] {
    match len {
        0 => &[],
        // SAFETY: as the caller promises.
        len => unsafe { slice::from_raw_parts(bytes, len as usize) },
    }
}
