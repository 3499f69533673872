//! `serialize` and `deserialize` of values in memory: little endian, field after field without padding, vectors
//! and dictionaries after their length as 8 bytes. All NaNs are written as one.

use weldment_runtime::lang::domain;
use weldment_runtime::lang::fault::{Fault, Position};
use weldment_runtime::lang::types::{Scalar, Type};

use super::compare::{RawVec, is_none};
use super::table::{KeyShape, Sizes, Table};
use crate::llvm::layout::{Layout, offsets};
use crate::llvm::memory::Frame;

/// The number of bytes that [`write`] will give.
///
/// # Safety
/// `value` points to a value of type `ty`.
pub(crate) unsafe fn size(ty: &Type, value: *const u8) -> u64 {
    // SAFETY: as the caller promises, and so are fields, elements and entries where the layout says.
    unsafe {
        match ty {
            Type::Scalar(scalar) => scalar.size() as u64,
            _ if is_none(ty, value) => least_size(ty),
            Type::Struct(fields) => fields
                .iter()
                .zip(offsets(fields))
                .map(|(field, offset)| size(field, value.add(offset as usize)))
                .sum(),
            Type::Vec(element) => {
                let vector = RawVec::read(value);
                8 + elements(vector, element).map(|place| size(element, place)).sum::<u64>()
            }
            Type::Dict(key, item) => match value.cast::<*const Table>().read().as_ref() {
                None => 8,
                Some(table) => {
                    8 + (0..table.len)
                        .map(|i| size(key, table.key(i)) + size(item, table.value(i)))
                        .sum::<u64>()
                }
            },
        }
    }
}

/// Writes a value at `to` and gives where it ends.
///
/// # Safety
/// `value` points to a value of type `ty`, and `to` to as many bytes as [`size`] says.
pub(crate) unsafe fn write(ty: &Type, value: *const u8, mut to: *mut u8) -> *mut u8 {
    // SAFETY: as the caller promises, and so are fields, elements and entries where the layout says.
    unsafe {
        match ty {
            Type::Scalar(scalar) => {
                match scalar {
                    Scalar::F32 if value.cast::<f32>().read().is_nan() => {
                        to.cast::<u32>().write_unaligned(f32::NAN.to_bits());
                    }
                    Scalar::F64 if value.cast::<f64>().read().is_nan() => {
                        to.cast::<u64>().write_unaligned(f64::NAN.to_bits());
                    }
                    _ => std::ptr::copy_nonoverlapping(value, to, scalar.size()),
                }
                to.add(scalar.size())
            }
            // The zero that stands for the value has the least size, and its bytes are zeros.
            _ if is_none(ty, value) => {
                let size = least_size(ty) as usize;
                to.write_bytes(0, size);
                to.add(size)
            }
            Type::Struct(fields) => {
                for (field, offset) in fields.iter().zip(offsets(fields)) {
                    to = write(field, value.add(offset as usize), to);
                }
                to
            }
            Type::Vec(element) => {
                let vector = RawVec::read(value);
                to = write_len(vector.len as u64, to);
                for place in elements(vector, element) {
                    to = write(element, place, to);
                }
                to
            }
            Type::Dict(key, item) => {
                let table = value.cast::<*const Table>().read().as_ref();
                to = write_len(table.map_or(0, |table| table.len), to);
                for (table, i) in table.into_iter().flat_map(|table| (0..table.len).map(move |i| (table, i)))
                {
                    to = write(key, table.key(i), to);
                    to = write(item, table.value(i), to);
                }
                to
            }
        }
    }
}

/// Reads the value of type `ty` that `bytes` are, to the last one.
///
/// # Safety
/// `place` points to room for a value of type `ty`.
pub(crate) unsafe fn read(
    frame: &mut Frame<'_>,
    ty: &Type,
    mut bytes: &[u8],
    place: *mut u8,
) -> Result<(), Fault> {
    // SAFETY: as the caller promises.
    unsafe { read_front(frame, ty, &mut bytes, place)? };
    if bytes.is_empty() { Ok(()) } else { Err(Fault::bytes_left(bytes.len(), ty, Position::default())) }
}

/// # Safety
/// As for [`read`].
unsafe fn read_front(
    frame: &mut Frame<'_>,
    ty: &Type,
    bytes: &mut &[u8],
    place: *mut u8,
) -> Result<(), Fault> {
    // SAFETY: as the caller promises; what is allocated below is as large as its elements.
    unsafe {
        match ty {
            Type::Scalar(scalar) => {
                let front = take(bytes, scalar.size(), ty)?;
                if *scalar == Scalar::Bool {
                    place.write((front[0] != 0) as u8);
                } else {
                    std::ptr::copy_nonoverlapping(front.as_ptr(), place, scalar.size());
                }
            }
            Type::Struct(fields) => {
                for (field, offset) in fields.iter().zip(offsets(fields)) {
                    read_front(frame, field, bytes, place.add(offset as usize))?;
                }
                // Nothing is made of bytes that say that there is no value.
                if ty.as_option().is_some() && place.read() == 0 {
                    std::ptr::write_bytes(place, 0, Layout::of(ty).size as usize);
                }
                if ty.is_text() {
                    let RawVec { elements, len } = RawVec::read(place);
                    if len > 0 && str::from_utf8(std::slice::from_raw_parts(elements, len as usize)).is_err()
                    {
                        return Err(Fault::bytes_of_no_text(Position::default()));
                    }
                }
                if let Some((_, axes)) = ty.as_array() {
                    let first = offsets(fields).nth(1).expect("an array has axes");
                    // Three of them for each axis, one behind the other.
                    let numbers = place.add(first as usize).cast::<i64>();
                    let numbers = std::slice::from_raw_parts_mut(numbers, 3 * axes);
                    if !domain::has_points(numbers, RawVec::read(place).len as usize) {
                        return Err(Fault::bytes_of_no_array(ty, Position::default()));
                    }
                }
            }
            Type::Vec(element) => {
                let len = read_len(ty, least_size(element), bytes)?;
                let layout = Layout::of(element);
                let vector =
                    RawVec { elements: frame.alloc(len * layout.size, layout.align)?, len: len as i64 };
                for place in elements(vector, element) {
                    read_front(frame, element, bytes, place)?;
                }
                vector.write(place);
            }
            Type::Dict(key, item) => {
                let len = read_len(ty, least_size(key) + least_size(item), bytes)?;
                let table = frame.run.tables.keep(new_table(frame, key, item)?);
                let (key_layout, item_layout) = (Layout::of(key), Layout::of(item));
                let key_place = frame.alloc(key_layout.size, key_layout.align)?;
                let item_place = frame.alloc(item_layout.size, item_layout.align)?;
                for _ in 0..len {
                    read_front(frame, key, bytes, key_place)?;
                    read_front(frame, item, bytes, item_place)?;
                    let entry = (*table).entry(frame.run, key_place)?;
                    std::ptr::copy_nonoverlapping(
                        item_place,
                        (*table).value(entry),
                        item_layout.size as usize,
                    );
                }
                place.cast::<*mut Table>().write(table);
            }
        }
    }
    Ok(())
}

/// An empty table of `key`s and `item`s.
pub(crate) fn new_table(frame: &Frame<'_>, key: &Type, item: &Type) -> Result<Table, Fault> {
    let sizes = Sizes { key: Layout::of(key).size as usize, value: Layout::of(item).size as usize };
    Table::new(frame.run, KeyShape::of(key), sizes, &[])
}

/// The places of the elements of `vector`.
fn elements(vector: RawVec, element: &Type) -> impl Iterator<Item = *mut u8> + use<> {
    let size = Layout::of(element).size as usize;
    (0..vector.len as usize).map(move |i| vector.elements.wrapping_add(i * size))
}

/// # Safety
/// `to` points to 8 bytes.
unsafe fn write_len(len: u64, to: *mut u8) -> *mut u8 {
    // SAFETY: as the caller promises.
    unsafe {
        to.cast::<u64>().write_unaligned(len);
        to.add(8)
    }
}

fn take<'b>(bytes: &mut &'b [u8], size: usize, ty: &Type) -> Result<&'b [u8], Fault> {
    let (front, rest) =
        bytes.split_at_checked(size).ok_or_else(|| Fault::too_few_bytes(ty, Position::default()))?;
    *bytes = rest;
    Ok(front)
}

/// The length before the elements of a `ty`; refused where its elements, of `least` bytes or more each, could not
/// follow, so that wrong bytes never ask for absurd amounts of memory.
fn read_len(ty: &Type, least: u64, bytes: &mut &[u8]) -> Result<u64, Fault> {
    let mut word = [0; 8];
    word.copy_from_slice(take(bytes, 8, ty)?);
    let len = u64::from_le_bytes(word);
    let fits = len as u128 * least.max(1) as u128 <= bytes.len() as u128;
    if fits { Ok(len) } else { Err(Fault::too_few_bytes(ty, Position::default())) }
}

/// The least number of bytes that a value of type `ty` can take.
fn least_size(ty: &Type) -> u64 {
    ty.sum(|ty| ty.as_scalar().map_or(8, |scalar| scalar.size() as u64))
}
