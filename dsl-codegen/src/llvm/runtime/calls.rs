//! Memory, faults, dictionaries, comparison, sorting, bytes and foreign functions, as compiled code calls them.

use std::cmp::Ordering;
use std::mem;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::ptr::{self, NonNull};
use std::slice;

use weldment_runtime::lang::fault::{Fault, FaultKind, Position};
use weldment_runtime::lang::types::Type;
use weldment_runtime::store::partition::SharedPartitions;

use super::abi::{Function, abi, or_null, passed, status};
use super::compare::{self, RawVec};
use super::drive::{Nest, drive};
use super::sort::{self, Comparator, KeyOf};
use super::table::{KeyShape, Sizes, Table};
use super::text;
use super::words::{CombineFn, Holds, Plan, words_of};
use super::{bytes, keys, scopes};
use crate::foreign::Shim;
use crate::llvm::layout::Layout;
use crate::llvm::memory::Frame;

/// Why compiled code raises a fault; its number is the second argument of `weldment_raise`, and behind it come up to four
/// numbers, zeros where there are fewer.
///
/// ```
/// use weldment_codegen::backend::abi::Cause;
/// assert_eq!((Cause::Index as i32, Cause::Empty as i32), (0, 17));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cause {
    /// Index, length.
    Index,
    /// Start, size, length.
    Slice,
    /// The number of keys.
    MissingKey,
    /// Dividend and divisor, signed.
    Division,
    /// Dividend and divisor, unsigned.
    UnsignedDivision,
    /// Dividend and divisor, signed.
    Overflow,
    /// Start, end, stride, length.
    Iter,
    /// Start, end, stride.
    Range,
    /// The first length, and one that differs.
    Zip,
    /// The first extent, and one that differs.
    Extents,
    /// The extent, and the one that is said.
    Argument,
    /// The number of keys, and of elements.
    DuplicateKey,
    /// The number of elements, and of points.
    Shape,
    /// An extent.
    NoShape,
    /// Coordinate, lower bound, step, extent.
    Coordinate,
    /// A stride.
    NoStride,
    /// None.
    Assertion,
    /// None.
    Empty,
    /// Dividend and divisor of 128 bits, the low half of each first.
    WideDivision,
    /// The same.
    WideOverflow,
    /// Units of 128 bits, the low half first, and how many digits there are behind the point.
    Units,
}

impl Cause {
    const ALL: [Cause; 21] = [
        Cause::Index,
        Cause::Slice,
        Cause::MissingKey,
        Cause::Division,
        Cause::UnsignedDivision,
        Cause::Overflow,
        Cause::Iter,
        Cause::Range,
        Cause::Zip,
        Cause::Extents,
        Cause::Argument,
        Cause::DuplicateKey,
        Cause::Shape,
        Cause::NoShape,
        Cause::Coordinate,
        Cause::NoStride,
        Cause::Assertion,
        Cause::Empty,
        Cause::WideDivision,
        Cause::WideOverflow,
        Cause::Units,
    ];

    fn fault(self, [a, b, c, d]: [i64; 4], position: Position) -> Fault {
        let [x, y] = [a, b].map(i128::from);
        let wide = |low: i64, high: i64| i128::from(high) << 64 | i128::from(low as u64);
        match self {
            Cause::Index => Fault::index(x, b as usize, position),
            Cause::Slice => Fault::slice(x, y, c as usize, position),
            Cause::MissingKey => Fault::missing_key(a as usize, position),
            Cause::Division => Fault::division(FaultKind::DivisionByZero, x, y, position),
            Cause::UnsignedDivision => {
                let [x, y] = [a, b].map(|number| i128::from(number as u64));
                Fault::division(FaultKind::DivisionByZero, x, y, position)
            }
            Cause::Overflow => Fault::division(FaultKind::Overflow, x, y, position),
            Cause::Iter => Fault::iter(a, b, c, d, position),
            Cause::Range => Fault::range(a, b, c, position),
            Cause::Zip => Fault::zip(a, b, position),
            Cause::Extents => Fault::extents(a, b, position),
            Cause::Argument => Fault::argument(a, b, position),
            Cause::DuplicateKey => Fault::duplicate_key(a, b, position),
            Cause::Shape => Fault::shape(a, b, position),
            Cause::NoShape => Fault::no_shape(a, position),
            Cause::NoStride => Fault::no_stride(a, position),
            Cause::Coordinate => Fault::coordinate(a, [b, c, d], position),
            Cause::Assertion => Fault::assertion(position),
            Cause::Empty => Fault::empty(position),
            Cause::WideDivision => {
                Fault::division(FaultKind::DivisionByZero, wide(a, b), wide(c, d), position)
            }
            Cause::Units => Fault::units(wide(a, b), c, position),
            Cause::WideOverflow => Fault::division(FaultKind::Overflow, wide(a, b), wide(c, d), position),
        }
    }
}

// Compiled functions, which those of this file call.
passed! {
    "ptr": [] Option<CombineFn>, [] Comparator, [] KeyOf;
}

/// The functions of this file, the driver, and sorts.
#[rustfmt::skip]
pub(super) fn table() -> Vec<Function> {
    abi! {
        "weldment_alloc" => alloc, (&mut Frame<'_>, i64, i64) -> *mut u8, PLAIN;
        "weldment_regrow" => regrow, (&mut Frame<'_>, *mut u8, i64, i64, i64) -> *mut u8, PLAIN;
        "weldment_regrow_group" => regrow_group, (&mut Frame<'_>, *mut u8, i64, i64, i64) -> *mut u8, PLAIN;
        "weldment_release" => release, (&mut Frame<'_>, *mut u8, i64) -> (), PLAIN;
        "weldment_enter" => scopes::enter, (&mut Frame<'_>) -> (), PLAIN;
        "weldment_leave" => scopes::leave, (&mut Frame<'_>) -> (), PLAIN;
        "weldment_poll" => poll, (&mut Frame<'_>) -> i32, PLAIN;
        "weldment_raise" => raise, (&mut Frame<'_>, i32, i64, i64, i64, i64, i32, i32) -> (), COLD;
        "weldment_table_new" => table_new, (&mut Frame<'_>, i32, i32, i64, *const u8, Option<CombineFn>, i32) -> *mut Table, PLAIN;
        "weldment_table_expect" => table_expect, (&mut Frame<'_>, &mut Table, i64) -> i32, PLAIN;
        "weldment_table_add" => table_add, (&mut Frame<'_>, &mut Table, *const u64, i64, *const u64, i64) -> i32, PLAIN;
        "weldment_table_merge" => table_merge, (&mut Frame<'_>, &mut Table, NonNull<Table>) -> i32, PLAIN;
        "weldment_table_release" => table_release, (&mut Frame<'_>, NonNull<Table>) -> (), PLAIN;
        "weldment_table_finalize" => table_finalize, (&mut Frame<'_>, Option<&mut Table>, i32) -> i32, PLAIN;
        "weldment_table_entry" => table_entry, (&mut Frame<'_>, *mut Table, *const u8) -> *mut u8, PLAIN;
        "weldment_table_find" => table_find, (*const Table, *const u8) -> *mut u8, READS;
        "weldment_table_pairs" => table_pairs, (&mut Frame<'_>, *const Table, i64, i64, i64) -> *mut u8, PLAIN;
        "weldment_order" => order, (&Frame<'_>, i32, *const u8, *const u8) -> i32, READS;
        "weldment_total_order" => total_order, (&Frame<'_>, i32, *const u8, *const u8) -> i32, READS;
        "weldment_sort" => sort::sort, (&mut Frame<'_>, *const u8, i64, i64, i64, Comparator, *const u8) -> *mut u8, PLAIN;
        "weldment_sort_by_key" => sort::sort_by_key, (&mut Frame<'_>, *const u8, i64, i64, i64, KeyOf, *const u8, i32, i32, i64) -> *mut u8, PLAIN;
        "weldment_ranked" => sort::ranked, (&mut Frame<'_>, i32, *const u8, i64, i64, *mut u8) -> i32, PLAIN;
        "weldment_text" => text::text, (i32, *const u8, i64, *const u8, i64, i64, *mut u8) -> (), PLAIN;
        "weldment_write" => text::write, (&mut Frame<'_>, i32, *const u8, *mut u8) -> i32, PLAIN;
        "weldment_dbg" => text::dbg, (&mut Frame<'_>, *const u8, i64, i32, i32) -> i32, COLD;
        "weldment_serialize" => serialize, (&mut Frame<'_>, i32, *const u8, *mut u8) -> i32, PLAIN;
        "weldment_deserialize" => deserialize, (&mut Frame<'_>, i32, *const u8, i64, *mut u8, i32, i32) -> i32, PLAIN;
        "weldment_drive" => drive, (&mut Frame<'_>, &Nest, i64, *mut u8, *mut u8) -> i32, PLAIN;
        "weldment_call" => call, (&mut Frame<'_>, *const (), *const (), *const *const u8, *mut u8) -> i32, PLAIN;
    }
}

extern "C" fn alloc(frame: &mut Frame<'_>, size: i64, align: i64) -> *mut u8 {
    let result = frame.alloc(size as u64, align as u64);
    or_null(frame, result)
}

extern "C" fn regrow(frame: &mut Frame<'_>, block: *mut u8, used: i64, size: i64, align: i64) -> *mut u8 {
    let result = frame.regrow(block, used as u64, size as u64, align as u64);
    or_null(frame, result)
}

extern "C" fn regrow_group(
    frame: &mut Frame<'_>,
    block: *mut u8,
    used: i64,
    size: i64,
    align: i64,
) -> *mut u8 {
    let result = frame.regrow_group(block, used as u64, size as u64, align as u64);
    or_null(frame, result)
}

extern "C" fn release(frame: &mut Frame<'_>, block: *mut u8, bytes: i64) {
    frame.release(block, bytes as u64);
}

extern "C" fn poll(frame: &mut Frame<'_>) -> i32 {
    let result = frame.run.context.poll();
    status(frame, result)
}

#[allow(clippy::too_many_arguments)]
extern "C" fn raise(
    frame: &mut Frame<'_>,
    cause: i32,
    a: i64,
    b: i64,
    c: i64,
    d: i64,
    line: i32,
    column: i32,
) {
    let position = Position { line: line as u32, column: column as u32 };
    frame.fault = Some(Cause::ALL[cause as usize].fault([a, b, c, d], position));
}

/// A table of keys of the type numbered `key`; `direct` is the number of bits of a key that indexes, or −1. With `combine` it is one of
/// words, of which `flags` tell more: [`EXACT`], [`IN_LOOP`], [`LAST`], [`SUM`], [`FIRST_FLOAT`].
///
/// # Safety
/// `neutral` is null or points to a value; `combine` is null or combines two values.
#[allow(clippy::too_many_arguments)]
unsafe extern "C" fn table_new(
    frame: &mut Frame<'_>,
    key: i32,
    direct: i32,
    value_size: i64,
    neutral: *const u8,
    combine: Option<CombineFn>,
    flags: i32,
) -> *mut Table {
    let ty = &frame.run.types[key as usize];
    let sizes = Sizes { key: Layout::of(ty).size as usize, value: value_size as usize };
    let shape = match (u32::try_from(direct), KeyShape::of(ty)) {
        (Ok(bits), KeyShape::Words(packed)) => KeyShape::Direct(bits, packed),
        (_, shape) => shape,
    };
    let neutral = match neutral.is_null() {
        true => &[],
        // SAFETY: as the caller promises.
        false => unsafe { slice::from_raw_parts(neutral, sizes.value) },
    };
    let Some((combine, leaves)) = combine.zip(keys::pack(ty)) else {
        let fits = |table: &Table| table.is_made_of(&shape, sizes, neutral);
        let table = match frame.run.tables.take(frame.run, fits) {
            Some(spare) => Ok(spare),
            None => Table::new(frame.run, shape, sizes, neutral).map(|table| frame.run.tables.keep(table)),
        };
        return or_null(frame, table);
    };
    let shared_partitions = match flags & IN_LOOP {
        0 => SharedPartitions::default(),
        _ => {
            let shared = frame.run.tables.shared_partitions(frame.of_loop, combine as usize);
            frame.shared_partitions.insert(shared).clone()
        }
    };
    let plan = Plan {
        combine,
        holds: match (flags & LAST, flags & EXACT) {
            (0, 0) => Holds::Segmented,
            (0, _) => Holds::Exact,
            _ => Holds::Last,
        },
        sum: (flags & SUM != 0).then_some((flags / FIRST_FLOAT) as u8),
        neutral: words_of(neutral).collect(),
        shared_partitions,
        key_words: leaves.last().map_or(0, |last| last.word + 1),
        leaves,
        is_plain: keys::is_plain(ty),
    };
    let table = Table::with_plan(frame.run, shape, sizes, plan).map(|table| frame.run.tables.keep(table));
    or_null(frame, table)
}

/// Of a table of words: nobody can tell in which order its values are combined.
pub(crate) const EXACT: i32 = 1;

/// Of a table of words: there is one for each task of a loop.
pub(crate) const IN_LOOP: i32 = 2;

/// Of a table of words: its last value of each key stays.
pub(crate) const LAST: i32 = 4;

/// Of a table of words: its values are sums of words.
pub(crate) const SUM: i32 = 8;
/// Then also: its first word is a float, as 64 bits. What follows says so of the words that follow.
pub(crate) const FIRST_FLOAT: i32 = 16;

/// Told before up to so many merges into a table of words.
extern "C" fn table_expect(frame: &mut Frame<'_>, table: &mut Table, merges: i64) -> i32 {
    let result = table.expect(frame.run, merges as u64);
    status(frame, result)
}

/// Merges a value into a table of words, for which there is no room that compiled code knows: so many words of a key, and of the value.
///
/// # Safety
/// So many words are there.
unsafe extern "C" fn table_add(
    frame: &mut Frame<'_>,
    table: &mut Table,
    key: *const u64,
    key_words: i64,
    value: *const u64,
    value_words: i64,
) -> i32 {
    // SAFETY: as the caller promises.
    let [key, value] = [(key, key_words), (value, value_words)]
        .map(|(words, number)| unsafe { slice::from_raw_parts(words, number as usize) });
    let result = table.add(frame.run, key, value);
    status(frame, result)
}

/// Merges a table of words, which is of the next segment, into one of the same type, and gives it up.
///
/// # Safety
/// It is one of the run, and nobody uses it any more.
unsafe extern "C" fn table_merge(frame: &mut Frame<'_>, to: &mut Table, mut from: NonNull<Table>) -> i32 {
    // SAFETY: as the caller promises.
    let result = to.merge(frame.run, unsafe { from.as_mut() });
    frame.run.tables.free(from);
    status(frame, result)
}

/// Gives up a table that was merged into another.
///
/// # Safety
/// It is one of the run, and nobody uses it any more.
unsafe extern "C" fn table_release(frame: &mut Frame<'_>, table: NonNull<Table>) {
    // SAFETY: as the caller promises.
    unsafe { frame.run.tables.release(table) }
}

/// Ends the merging into a table, if there is one, and says whether it is going to be searched.
extern "C" fn table_finalize(frame: &mut Frame<'_>, table: Option<&mut Table>, is_searched: i32) -> i32 {
    let result = table.map_or(Ok(()), |table| table.finalize(frame.run, is_searched != 0));
    status(frame, result)
}

/// Where the value of a key stands; the key is inserted if it is missing, as the table's `fresh` tells.
///
/// # Safety
/// `table` is a table that nobody else uses, and `key` points to a key of its type.
unsafe extern "C" fn table_entry(frame: &mut Frame<'_>, table: *mut Table, key: *const u8) -> *mut u8 {
    // SAFETY: as the caller promises.
    let result = unsafe {
        let table = &mut *table;
        table.entry(frame.run, key).map(|entry| table.value(entry))
    };
    or_null(frame, result)
}

/// Where the value of a key stands, or null.
///
/// # Safety
/// As for `table_entry`, but the table may be null, which is the empty one, and others may read it.
unsafe extern "C" fn table_find(table: *const Table, key: *const u8) -> *mut u8 {
    // SAFETY: as the caller promises.
    unsafe {
        let Some(table) = table.as_ref() else { return ptr::null_mut() };
        table.find(key).map_or(ptr::null_mut(), |entry| table.value(entry))
    }
}

/// The entries as a vector of pairs of `size` bytes, the value at `offset`.
///
/// # Safety
/// `table` is a table or null.
unsafe extern "C" fn table_pairs(
    frame: &mut Frame<'_>,
    table: *const Table,
    size: i64,
    offset: i64,
    align: i64,
) -> *mut u8 {
    // SAFETY: as the caller promises; the block has room for `len` pairs.
    let result = unsafe {
        let len = table.as_ref().map_or(0, |table| table.len);
        frame.alloc(len * size as u64, align as u64).inspect(|&pairs| {
            for (table, i) in table.as_ref().into_iter().flat_map(|table| (0..len).map(move |i| (table, i))) {
                let pair = pairs.add(i as usize * size as usize);
                ptr::copy_nonoverlapping(table.key(i), pair, table.sizes().key);
                ptr::copy_nonoverlapping(table.value(i), pair.add(offset as usize), table.sizes().value);
            }
        })
    };
    or_null(frame, result)
}

/// −1, 0 or 1, and 2 where a NaN decides.
///
/// # Safety
/// `a` and `b` point to values of the type numbered `ty`.
unsafe extern "C" fn order(frame: &Frame<'_>, ty: i32, a: *const u8, b: *const u8) -> i32 {
    // SAFETY: as the caller promises.
    match unsafe { compare::order(&frame.run.types[ty as usize], a, b) } {
        Some(Ordering::Less) => -1,
        Some(Ordering::Equal) => 0,
        Some(Ordering::Greater) => 1,
        None => 2,
    }
}

/// −1, 0 or 1.
///
/// # Safety
/// As for [`order`].
unsafe extern "C" fn total_order(frame: &Frame<'_>, ty: i32, a: *const u8, b: *const u8) -> i32 {
    // SAFETY: as the caller promises.
    unsafe { compare::total_order(&frame.run.types[ty as usize], a, b) as i32 }
}

/// # Safety
/// `value` points to a value of the type numbered `ty`, and `result` to room for a vector.
unsafe extern "C" fn serialize(frame: &mut Frame<'_>, ty: i32, value: *const u8, result: *mut u8) -> i32 {
    let ty: &Type = &frame.run.types[ty as usize];
    // SAFETY: as the caller promises, and the block has the size asked for.
    let done = unsafe {
        let size = bytes::size(ty, value);
        frame.alloc(size, 1).map(|block| {
            bytes::write(ty, value, block);
            RawVec { elements: block, len: size as i64 }.write(result);
        })
    };
    status(frame, done)
}

/// # Safety
/// `elements` are `len` bytes, and `place` has room for a value of the type numbered `ty`.
unsafe extern "C" fn deserialize(
    frame: &mut Frame<'_>,
    ty: i32,
    elements: *const u8,
    len: i64,
    place: *mut u8,
    line: i32,
    column: i32,
) -> i32 {
    let ty: &Type = &frame.run.types[ty as usize];
    // SAFETY: as the caller promises.
    let done = unsafe { bytes::read(frame, ty, slice::from_raw_parts(elements, len as usize), place) };
    let position = Position { line: line as u32, column: column as u32 };
    status(frame, done.map_err(|fault| fault.at(position)))
}

/// Calls a foreign function of Rust. Its panic goes on when the compiled code has returned.
///
/// # Safety
/// `shim` is a [`Shim`] that may be called with the others.
unsafe extern "C" fn call(
    frame: &mut Frame<'_>,
    shim: *const (),
    function: *const (),
    args: *const *const u8,
    result: *mut u8,
) -> i32 {
    // SAFETY: as the caller promises.
    let shim = unsafe { mem::transmute::<*const (), Shim>(shim) };
    // SAFETY: as the caller promises.
    match catch_unwind(AssertUnwindSafe(|| unsafe { shim(function, args, result) })) {
        Ok(()) => 0,
        Err(payload) => {
            frame.run.panicked(payload);
            1
        }
    }
}
