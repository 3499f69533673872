//! What compiled code calls for the vectors that the tasks of a loop collect.
#![allow(unsafe_code)]

use std::ptr::NonNull;

use weldment_runtime::exec::allocate::Memory;

use super::abi::{Function, abi};
use crate::llvm::memory::Frame;
use crate::llvm::memory::placed::{Growing, PlacedBlock};

/// The functions of this file.
#[rustfmt::skip]
pub(super) fn table() -> Vec<Function> {
    abi! {
        "weldment_append" => append, (&mut Frame<'_>, *mut Growing, &Growing, i64, i64) -> (), PLAIN;
        "weldment_place_in" => place_in, (&Frame<'_>, *mut u8, i64, i64) -> *mut PlacedBlock, PLAIN;
        "weldment_room" => room, (&Frame<'_>, &PlacedBlock, i64, i64) -> *mut u8, PLAIN;
        "weldment_place" => place, (&PlacedBlock, &Growing) -> (), PLAIN;
        "weldment_placed" => placed, (&Frame<'_>, NonNull<PlacedBlock>) -> i64, PLAIN;
        "weldment_shrink" => shrink, (&Frame<'_>, &mut Growing, i64, i32) -> (), PLAIN;
    }
}

/// # Safety
/// As for [`Frame::append`]; a loop joins what was appended at its end.
unsafe extern "C" fn append(
    frame: &mut Frame<'_>,
    whole: *mut Growing,
    part: &Growing,
    size: i64,
    align: i64,
) {
    // SAFETY: as the caller promises.
    unsafe { frame.append(whole, *part, size as u64, align as u64) };
}

/// # Safety
/// As for [`PlacedBlocks::begin`](crate::llvm::memory::placed::PlacedBlocks::begin).
unsafe extern "C" fn place_in(frame: &Frame<'_>, block: *mut u8, size: i64, align: i64) -> *mut PlacedBlock {
    // SAFETY: as the caller promises.
    unsafe { frame.run.placed.begin(block, size as usize, align as usize) }
}

/// # Safety
/// As for [`PlacedBlock::room`].
unsafe extern "C" fn room(frame: &Frame<'_>, placed: &PlacedBlock, lo: i64, hi: i64) -> *mut u8 {
    // SAFETY: as the caller promises.
    unsafe { placed.room(frame.run.context, lo, hi) }
}

/// # Safety
/// As for [`PlacedBlock::place`].
unsafe extern "C" fn place(placed: &PlacedBlock, part: &Growing) {
    // SAFETY: as the caller promises.
    unsafe { placed.place(part) };
}

/// # Safety
/// As for [`PlacedBlocks::end`](crate::llvm::memory::placed::PlacedBlocks::end).
unsafe extern "C" fn placed(frame: &Frame<'_>, placed: NonNull<PlacedBlock>) -> i64 {
    // SAFETY: as the caller promises.
    unsafe { frame.run.placed.end(frame.run.context, placed) }
}

/// # Safety
/// As for [`Run::shrink`](crate::llvm::memory::Run::shrink).
unsafe extern "C" fn shrink(frame: &Frame<'_>, whole: &mut Growing, size: i64, is_temporary: i32) {
    let context = frame.run.context;
    let memory = if is_temporary != 0 { context.temporaries() } else { context.results() };
    if !memory.keeps_room() {
        // SAFETY: as the caller promises.
        unsafe { frame.run.shrink(whole, size as usize) };
    }
}
