//! Functions of texts, which the code of a program calls by their number.
//!
//! This file may use `unsafe` because it reads texts of the language where they lie. What makes it sound: the verifier has seen
//! to the types of what is handed over, and code that is printed has room for what the function gives.
#![allow(unsafe_code)]

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::{ptr, slice};

use weldment_runtime::lang::fault::Position;
use weldment_runtime::lang::text::{self, TextFn};
use weldment_runtime::lang::write::{self, WriteFn, Written};

use super::abi::status;
use super::compare::RawVec;
use crate::llvm::memory::Frame;

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
        unsafe { result.cast::<Pair<A, B>>().write_unaligned(Pair(first, second)) }
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
            TextFn::Like => result.cast::<bool>().write(text::like(text, bytes_at(part, part_len))),
            TextFn::ToI64 => give(text::to_i64(text), result),
            TextFn::ToU64 => give(text::to_u64(text), result),
            TextFn::ToI128 => give(text::to_i128(text), result),
            TextFn::ToF32 => give(text::to_f32(text), result),
            TextFn::ToF64 => give(text::to_f64(text), result),
            TextFn::ToDate => give(text::to_date(text), result),
            TextFn::ToFixed => give(text::to_fixed(text, from), result),
            TextFn::ToTimestamp => give(text::to_timestamp(text), result),
        }
    }
}

/// Writes to `result` the bytes that the function of this number gives of the arguments at `args`.
///
/// # Safety
/// There is what the function takes at `args`, as the language lays out a struct of it, and room for a vector at `result`.
pub(super) unsafe extern "C" fn write(
    frame: &mut Frame<'_>,
    function: i32,
    args: *const u8,
    result: *mut u8,
) -> i32 {
    /// What is written goes to memory of the run.
    ///
    /// # Safety
    /// As [`write`].
    unsafe fn give(frame: &mut Frame<'_>, written: &impl Written, result: *mut u8) -> i32 {
        let size = written.size();
        let done = frame.alloc(size as u64, 1).map(|block| {
            let mut end = 0;
            written.write(&mut |part| {
                // As long as is promised; what is more stays out of the memory of others.
                let len = part.len().min(size - end);
                // SAFETY: the block has room for `size` bytes, and nobody else has it yet.
                unsafe { ptr::copy_nonoverlapping(part.as_ptr(), block.add(end), len) };
                end += len;
            });
            // SAFETY: as the caller promises.
            unsafe { RawVec { elements: block, len: end as i64 }.write(result) };
        });
        status(frame, done)
    }
    // SAFETY: as the caller promises.
    unsafe {
        let text = |number| {
            let RawVec { elements, len } = RawVec::read(args.add(number * size_of::<Vec<u8>>()));
            bytes_at(elements, len)
        };
        match WriteFn::ALL[function as usize] {
            WriteFn::Replaced => give(frame, &write::replaced(text(0), text(1), text(2)), result),
            WriteFn::Lowercase => give(frame, &write::lowercase(text(0)), result),
            WriteFn::Uppercase => give(frame, &write::uppercase(text(0)), result),
            WriteFn::ShownI64 => give(frame, &write::shown_i64(args.cast::<i64>().read()), result),
            WriteFn::ShownU64 => give(frame, &write::shown_u64(args.cast::<u64>().read()), result),
            WriteFn::ShownI128 => {
                give(frame, &write::shown_i128(args.cast::<i128>().read_unaligned()), result)
            }
            WriteFn::ShownF32 => give(frame, &write::shown_f32(args.cast::<f32>().read()), result),
            WriteFn::ShownF64 => give(frame, &write::shown_f64(args.cast::<f64>().read()), result),
            WriteFn::ShownDate => give(frame, &write::shown_date(args.cast::<i32>().read()), result),
            WriteFn::ShownTimestamp => {
                give(frame, &write::shown_timestamp(args.cast::<i64>().read()), result)
            }
            WriteFn::ShownSpan => give(frame, &write::shown_span(args.cast::<i64>().read()), result),
            WriteFn::ShownFixed => {
                let numbers = args.cast::<i64>();
                give(frame, &write::shown_fixed(numbers.read(), numbers.add(1).read()), result)
            }
            WriteFn::DebugF32 => give(frame, &write::debug_f32(args.cast::<f32>().read()), result),
            WriteFn::DebugF64 => give(frame, &write::debug_f64(args.cast::<f64>().read()), result),
            WriteFn::Quoted => give(frame, &write::quoted(text(0)), result),
            WriteFn::Joined => {
                let parts = RawVec::read(args);
                let part = |number: i64| {
                    let part = RawVec::read(parts.elements.add(number as usize * size_of::<Vec<u8>>()));
                    bytes_at(part.elements, part.len)
                };
                let parts: Vec<&[u8]> = (0..parts.len).map(part).collect();
                give(frame, &write::joined(&parts, text(1)), result)
            }
        }
    }
}

/// Shows a text, which `dbg` at this place is of. The panic of who is shown it goes on when the compiled code has returned.
///
/// # Safety
/// There are as many bytes at `bytes` as is said.
pub(super) unsafe extern "C" fn dbg(
    frame: &mut Frame<'_>,
    bytes: *const u8,
    len: i64,
    line: i32,
    column: i32,
) -> i32 {
    // SAFETY: as the caller promises.
    let text = unsafe { bytes_at(bytes, len) };
    let position = Position { line: line as u32, column: column as u32 };
    match catch_unwind(AssertUnwindSafe(|| frame.run.context.show("", position, text))) {
        Ok(()) => 0,
        Err(payload) => {
            frame.run.panicked(payload);
            1
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
