//! Copies of elements from places to others, unit by unit.
//!
//! This file may use `unsafe` because it finds elements by strides. What makes it sound: who calls vouches for the places of the units,
//! which share none.

#![expect(unsafe_code, reason = "elements are found by strides, which no slice can tell")]

use std::mem::MaybeUninit;
use std::ptr;

use super::units::{Axis, Unit, Units};
use crate::exec::context::Context;
use crate::exec::parallel_copy::parallel_copy;

/// How many elements a thread copies at a time, about.
const CHUNK: usize = 1 << 16;

/// Copies a unit.
///
/// # Safety
/// As for [`each`]; and no other thread has this unit.
unsafe fn copy_unit<T>(unit: &Unit, from: *const T, to: *mut T) {
    let [around, inner] = unit.axes;
    // SAFETY: as the caller promises.
    unsafe {
        if (inner.from, inner.to) != (1, 1) {
            return write(unit, from.cast(), to.cast(), |from: *const MaybeUninit<T>| ptr::read(from));
        }
        for i in 0..around.count as isize {
            let from = from.offset(unit.from + i * around.from);
            ptr::copy_nonoverlapping(from, to.offset(unit.to + i * around.to), inner.count);
        }
    }
}

/// Copies all units, bit by bit.
///
/// # Safety
/// As for [`each`], of all units.
pub(super) unsafe fn copy<T>(cx: &Context, units: &Units, from: *const T, to: *mut T) {
    parallel_copy(cx, units.count(), CHUNK.div_ceil(units.elements()), from, to, |numbers, from, to| {
        for number in numbers {
            // SAFETY: as the caller promises; each number is given to one thread.
            unsafe { copy_unit(&units.unit(number), from, to) };
        }
    });
}

/// The elements along each side of a square: of 8 bytes, a side is a line of memory.
const SIDE: usize = 8;

/// Writes what `copy` gives for each element of a unit. Where elements lie next to each other along the inner axis where is read, and
/// along the other one where is written, it goes square by square, each of which is turned in registers: lines of memory are read and
/// written whole.
///
/// # Safety
/// As for [`each`].
pub(super) unsafe fn write<T, U>(unit: &Unit, from: *const T, to: *mut U, copy: impl Fn(*const T) -> U) {
    let [around, inner] = unit.axes;
    // SAFETY: as the caller promises, of the unit and of parts of it.
    let one_by_one = |unit: &Unit| unsafe { each(unit, from, to, |from, to: *mut U| to.write(copy(from))) };
    if (inner.from, around.to) != (1, 1) {
        return one_by_one(unit);
    }
    for i in (0..around.count).step_by(SIDE) {
        for j in (0..inner.count).step_by(SIDE) {
            let first = unit.from + i as isize * around.from + j as isize;
            let place = unit.to + i as isize + j as isize * inner.to;
            let counts = [around.count - i, inner.count - j].map(|left| left.min(SIDE));
            if counts != [SIDE, SIDE] {
                let axes = [Axis { count: counts[0], ..around }, Axis { count: counts[1], ..inner }];
                one_by_one(&Unit { from: first, to: place, axes });
                continue;
            }
            let mut turned = [const { [const { MaybeUninit::uninit() }; SIDE] }; SIDE];
            for row in 0..SIDE {
                for (column, elements) in turned.iter_mut().enumerate() {
                    // SAFETY: as the caller promises.
                    let element =
                        unsafe { from.offset(first + row as isize * around.from + column as isize) };
                    elements[row].write(copy(element));
                }
            }
            for (column, elements) in turned.into_iter().enumerate() {
                // SAFETY: as the caller promises, there is room for so many next to each other.
                unsafe {
                    to.offset(place + column as isize * inner.to)
                        .cast::<[MaybeUninit<U>; SIDE]>()
                        .write(elements)
                };
            }
        }
    }
}

/// Calls `copy` with both ends of each element of a unit.
///
/// # Safety
/// There is an element, or room for one, at each place of the unit: from `from` on where is read, from `to` on where is written.
pub(super) unsafe fn each<T, U>(unit: &Unit, from: *const T, to: *mut U, copy: impl Fn(*const T, *mut U)) {
    let [around, inner] = unit.axes;
    for i in 0..around.count as isize {
        let starts = [unit.from + i * around.from, unit.to + i * around.to];
        for j in 0..inner.count as isize {
            // SAFETY: as the caller promises.
            unsafe { copy(from.offset(starts[0] + j * inner.from), to.offset(starts[1] + j * inner.to)) };
        }
    }
}
