//! Values of the language to memory and back.
//!
//! This file may use `unsafe` because it reads and writes through the layout of types. What makes it sound: a
//! value is written only where its type says there is room, and results are read before the run's memory is freed.
#![allow(unsafe_code)]

use std::sync::Arc;

use weldment_runtime::lang::fault::Fault;
use weldment_runtime::lang::scalar::Const;
use weldment_runtime::lang::types::{Scalar, Type};
use weldment_runtime::lang::value::{DictValue, Value};
use weldment_runtime::scalar_types;

use crate::llvm::layout::{Layout, offsets};
use crate::llvm::memory::Frame;
use crate::llvm::runtime::bytes::new_table;
use crate::llvm::runtime::compare::{RawVec, is_none};
use crate::llvm::runtime::table::Table;

macro_rules! define {
    ([] $($variant:ident $ty:ident $kind:ident $bits:ident;)*) => {
        /// Writes `value`, which is a scalar, to `place`. In a row of a table an i128 is aligned to a word only.
        ///
        /// # Safety
        /// `place` has room for it.
        unsafe fn write_scalar(value: &Value, place: *mut u8) {
            // SAFETY: as the caller promises.
            unsafe {
                match value {
                    $(Value::$variant(x) => place.cast::<$ty>().write_unaligned(*x),)*
                    Value::Vec(_) | Value::Struct(_) | Value::Array(_) | Value::Dict(_) => unreachable!("a scalar"),
                }
            }
        }

        /// The bits of the scalar at `place`.
        ///
        /// # Safety
        /// There is one of type `ty`.
        unsafe fn read_bits(ty: Scalar, place: *const u8) -> u128 {
            // SAFETY: as the caller promises.
            unsafe {
                match ty { $(Scalar::$variant => place.cast::<$bits>().read_unaligned() as u128,)* }
            }
        }
    };
}

scalar_types!(define);

/// Room for a value of type `ty`.
pub(super) fn room(frame: &mut Frame<'_>, ty: &Type) -> Result<*mut u8, Fault> {
    let layout = Layout::of(ty);
    frame.alloc(layout.size.max(1), layout.align.max(8))
}

/// Writes `value` to `place`; what does not fit there goes to the frame.
///
/// # Safety
/// `place` has room for a value of type `ty`, and `value` is one.
pub(crate) unsafe fn write(
    frame: &mut Frame<'_>,
    ty: &Type,
    value: &Value,
    place: *mut u8,
) -> Result<(), Fault> {
    // SAFETY: as the caller promises, and so are fields, elements and entries where the layout says.
    unsafe {
        match value {
            Value::Struct(fields) | Value::Array(fields) => {
                let types = ty.fields().unwrap_or_default();
                for ((field, ty), offset) in fields.iter().zip(types).zip(offsets(types)) {
                    write(frame, ty, field, place.add(offset as usize))?;
                }
            }
            Value::Vec(elements) => {
                let element = ty.element().expect("the type was checked");
                let layout = Layout::of(element);
                let block = frame.alloc(elements.len() as u64 * layout.size, layout.align)?;
                for (i, value) in elements.iter().enumerate() {
                    write(frame, element, value, block.add(i * layout.size as usize))?;
                }
                RawVec { elements: block, len: elements.len() as i64 }.write(place);
            }
            Value::Dict(dict) => {
                let Type::Dict(key, item) = ty else { unreachable!("the type was checked") };
                place.cast::<*mut Table>().write(write_dict(frame, key, item, dict)?);
            }
            scalar => write_scalar(scalar, place),
        }
    }
    Ok(())
}

/// # Safety
/// The entries of `dict` are of these types.
unsafe fn write_dict(
    frame: &mut Frame<'_>,
    key: &Type,
    item: &Type,
    dict: &DictValue,
) -> Result<*mut Table, Fault> {
    let table = frame.run.tables.keep(new_table(frame, key, item)?);
    let key_place = room(frame, key)?;
    for (k, v) in dict.iter() {
        // SAFETY: as the caller promises; nobody else has the table yet.
        unsafe {
            write(frame, key, k, key_place)?;
            let entry = (*table).entry(frame.run, key_place)?;
            let place = (*table).value(entry);
            write(frame, item, v, place)?;
        }
    }
    Ok(table)
}

/// The value of type `ty` at `place`.
///
/// # Safety
/// There is one.
pub(crate) unsafe fn read(ty: &Type, place: *const u8) -> Value {
    // SAFETY: as the caller promises, and so are fields, elements and entries where the layout says.
    unsafe {
        match ty {
            Type::Scalar(scalar) => Const::from_bits(*scalar, read_bits(*scalar, place)).into(),
            _ if is_none(ty, place) => Value::zero(ty),
            Type::Struct(fields) => {
                let places = fields.iter().zip(offsets(fields));
                let values = places.map(|(ty, offset)| read(ty, place.add(offset as usize))).collect();
                Value::of_fields(ty, values)
            }
            Type::Vec(element) => {
                let vector = RawVec::read(place);
                let size = Layout::of(element).size as usize;
                let elements = (0..vector.len as usize).map(|i| read(element, vector.elements.add(i * size)));
                Value::vec(elements.collect())
            }
            Type::Dict(key, item) => {
                let table = place.cast::<*const Table>().read().as_ref();
                let entries = (0..table.map_or(0, |table| table.len)).filter_map(|i| {
                    let table = table?;
                    Some((read(key, table.key(i)), read(item, table.value(i))))
                });
                Value::Dict(Arc::new(entries.collect()))
            }
        }
    }
}
