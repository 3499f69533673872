//! Arguments and results in the types of Rust: slices are read in place, and vectors move out of the run.
//!
//! This file may use `unsafe` because it reads and writes memory as a Rust [`Layout`] says. What makes it sound: a
//! layout describes the type that carries it, memory is read in place only where that is the layout that the
//! language has too, and a block is handed over only as its new owner will free it.
#![allow(unsafe_code)]

use std::alloc::{self, handle_alloc_error};
use std::mem::MaybeUninit;
use std::ptr;

use weldment_runtime::api::args::Passed;
use weldment_runtime::api::array::Strided;
use weldment_runtime::api::element::Element;
use weldment_runtime::api::layout::{Block, Layout, Pair, Shape};
use weldment_runtime::lang::fault::Fault;
use weldment_runtime::lang::types::Type;
use weldment_runtime::lang::value::Value;
use weldment_runtime::mem::budget::Charge;
use weldment_runtime::mem::huge_pages;

use super::marshal;
use crate::llvm::layout::{self, offsets};
use crate::llvm::memory::{Frame, Run};
use crate::llvm::runtime::bytes::new_table;
use crate::llvm::runtime::compare::RawVec;
use crate::llvm::runtime::table::Table;

/// An argument.
#[derive(Clone, Copy)]
pub(crate) enum Arg<'a> {
    /// Of any type, converted.
    Value(&'a Value),
    /// A Rust value where it lies.
    Passed(Passed<'a>),
}

/// A result, in the memory of the run that gave it.
pub(crate) struct Native<'r> {
    run: &'r Run<'r>,
    ty: &'r Type,
    place: *const u8,
}

impl Arg<'_> {
    pub(crate) fn has_type(&self, ty: &Type) -> bool {
        match self {
            Arg::Value(value) => value.has_type(ty),
            Arg::Passed(passed) => match (passed.strided(), passed.len()) {
                (Some(view), _) => ty
                    .as_array()
                    .is_some_and(|(element, axes)| axes == view.axes() && describes(view.layout(), element)),
                (None, Some(_)) => ty.element().is_some_and(|element| describes(passed.layout(), element)),
                (None, None) => describes(passed.layout(), ty),
            },
        }
    }

    /// Writes the argument to `place`.
    ///
    /// # Safety
    /// There is room for a value of type `ty`, which the argument has.
    pub(crate) unsafe fn write(&self, frame: &mut Frame<'_>, ty: &Type, place: *mut u8) -> Result<(), Fault> {
        // SAFETY: as the caller promises.
        unsafe {
            match self {
                Arg::Value(value) => marshal::write(frame, ty, value, place),
                Arg::Passed(passed) => match (passed.strided(), passed.len(), ty.element()) {
                    (Some(view), ..) => write_view(frame, ty, view, place),
                    (None, Some(len), Some(element)) => {
                        lend(frame, element, passed.layout(), passed.place(), len)?.write(place);
                        Ok(())
                    }
                    _ => write(frame, ty, passed.layout(), passed.place(), place),
                },
            }
        }
    }
}

impl<'r> Native<'r> {
    /// The result of type `ty` at `place`.
    ///
    /// # Safety
    /// The run has written it there, and vectors that it shares memory with are not used any more.
    pub(crate) unsafe fn new(run: &'r Run<'r>, ty: &'r Type, place: *const u8) -> Native<'r> {
        Native { run, ty, place }
    }

    /// The result as a value.
    pub(crate) fn value(self) -> Value {
        // SAFETY: the run has written a value of this type, and its memory lives.
        unsafe { marshal::read(self.ty, self.place) }
    }

    /// The result as an `R`, whose type it has. A vector takes over the memory that holds its elements where it can.
    ///
    /// # Errors
    /// MemoryLimit, if what must be copied is too much.
    ///
    /// # Panics
    /// If the result is of another type.
    pub(crate) fn take<R: Element>(self) -> Result<R, Fault> {
        assert!(describes(R::LAYOUT, self.ty), "the result is a {}", self.ty);
        let mut result = MaybeUninit::<R>::uninit();
        // SAFETY: the run has written a value of this type, which `R` stands for; `read` initialises the result.
        unsafe {
            if self.run.has_limit() {
                self.run.charge(copied(self.run, self.ty, R::LAYOUT, self.place) as usize)?;
            }
            read(self.run, self.ty, R::LAYOUT, self.place, result.as_mut_ptr().cast());
            Ok(result.assume_init())
        }
    }
}

/// Where the value of an option lies, of which whether there is one is the first byte.
fn value_of_option(fields: &[Type]) -> usize {
    offsets(fields).nth(1).expect("an option has a value") as usize
}

/// Whether `own` is a layout for values of type `ty`.
fn describes(own: &Layout, ty: &Type) -> bool {
    match (own.shape(), ty) {
        (Shape::Scalar(own), Type::Scalar(scalar)) => own == *scalar,
        (Shape::Struct(own), Type::Struct(fields)) => {
            own.len() == fields.len()
                && own.iter().zip(fields.iter()).all(|(own, ty)| describes(own.layout(), ty))
        }
        (Shape::Vec(vector), Type::Vec(element)) => describes(vector.element(), element),
        (Shape::Dict(dict), Type::Dict(key, item)) => {
            describes(dict.key(), key) && describes(dict.value(), item)
        }
        (Shape::Option(option), Type::Struct(fields)) => {
            fields.as_option().is_some_and(|value| describes(option.value(), value))
        }
        _ => false,
    }
}

/// Whether values of type `ty` can be written in Rust's memory as the language has them. Its vectors do not own their elements, and of options it
/// writes one byte to say whether there is a value, where Rust may have more.
fn is_same(ty: &Type, own: &Layout) -> bool {
    fn is_exact(own: &Layout) -> bool {
        match own.shape() {
            Shape::Scalar(_) => true,
            Shape::Struct(fields) => fields.iter().all(|field| is_exact(field.layout())),
            _ => false,
        }
    }
    is_exact(own) && is_readable(ty, own)
}

/// Whether values of type `ty` can be read in Rust's memory as the language has them.
fn is_readable(ty: &Type, own: &Layout) -> bool {
    match (own.shape(), ty) {
        (Shape::Scalar(_), _) => true,
        (Shape::Struct(own_fields), Type::Struct(fields)) => {
            let layout = layout::Layout::of(ty);
            layout.size as usize == own.size()
                && layout.align as usize == own.align()
                && offsets(fields).zip(own_fields).all(|(at, own)| at as usize == own.offset())
                && fields.iter().zip(own_fields).all(|(ty, own)| is_readable(ty, own.layout()))
        }
        (Shape::Vec(vector), Type::Vec(element)) => {
            is_readable(element, vector.element()) && vector.header() == Some(layout::header())
        }
        // What a value that is not there means, those who read it see to where it is of scalars.
        (Shape::Option(option), Type::Struct(fields)) => {
            let (value, size) = (value_of_option(fields), layout::Layout::of(ty).size as usize);
            fields[1].is_scalars()
                && option.pair() == Some(Pair { value, size })
                && is_readable(&fields[1], option.value())
        }
        _ => false,
    }
}

/// The vector of `len` elements at `elements`, in place if that can be.
///
/// # Safety
/// `elements` points to as many values of type `ty` with the layout `own`, which outlive the run.
unsafe fn lend(
    frame: &mut Frame<'_>,
    ty: &Type,
    own: &Layout,
    elements: *const u8,
    len: usize,
) -> Result<RawVec, Fault> {
    if is_readable(ty, own) {
        return Ok(RawVec { elements: elements.cast_mut(), len: len as i64 });
    }
    let layout = layout::Layout::of(ty);
    let block = frame.alloc(len as u64 * layout.size, layout.align)?;
    if let (Shape::Option(option), Type::Struct(fields)) = (own.shape(), ty)
        && is_same(&fields[1], option.value())
    {
        let pair = Pair { value: value_of_option(fields), size: layout.size as usize };
        // SAFETY: as the caller promises, the block has room for all, and a value of scalars owns nothing and may be shared.
        unsafe { option.copy(frame.run.context, elements, len, block, pair) };
        return Ok(RawVec { elements: block, len: len as i64 });
    }
    for i in 0..len {
        // SAFETY: as the caller promises, and the block has room for all elements.
        unsafe { write(frame, ty, own, elements.add(i * own.size()), block.add(i * layout.size as usize))? };
    }
    Ok(RawVec { elements: block, len: len as i64 })
}

/// Writes `view` to `to`, as the array that the language has. Elements that do not stand row by row are copied.
///
/// # Safety
/// There is room for an array of type `ty`, which the view has, and the elements of the view outlive the run.
unsafe fn write_view(frame: &mut Frame<'_>, ty: &Type, view: &dyn Strided, to: *mut u8) -> Result<(), Fault> {
    let (own, len, fields) = (view.layout(), view.len(), ty.fields().expect("the type was checked"));
    let element = fields[0].element().expect("an array has elements");
    // SAFETY: as the caller promises, and the block has room for all elements.
    unsafe {
        let elements = match view.elements() {
            Some(elements) => elements,
            None => {
                let block = frame.alloc((len * own.size()) as u64, own.align() as u64)?;
                view.copy_to(frame.run.context, block);
                block.cast_const()
            }
        };
        lend(frame, element, own, elements, len)?.write(to);
        for (field, at) in offsets(fields).enumerate().skip(1) {
            to.add(at as usize).cast::<i64>().write(view.number(field));
        }
    }
    Ok(())
}

/// Writes the Rust value at `from` to `to`, as the language lays it out.
///
/// # Safety
/// `from` points to a value of type `ty` with the layout `own`, which outlives the run, and there is room for it.
unsafe fn write(
    frame: &mut Frame<'_>,
    ty: &Type,
    own: &Layout,
    from: *const u8,
    to: *mut u8,
) -> Result<(), Fault> {
    // SAFETY: as the caller promises, and so are fields, elements and entries where the layouts say.
    unsafe {
        match (own.shape(), ty) {
            (Shape::Scalar(scalar), _) => ptr::copy_nonoverlapping(from, to, scalar.size()),
            (Shape::Struct(own), Type::Struct(fields)) => {
                for ((own, ty), at) in own.iter().zip(fields.iter()).zip(offsets(fields)) {
                    write(frame, ty, own.layout(), from.add(own.offset()), to.add(at as usize))?;
                }
            }
            (Shape::Vec(vector), Type::Vec(element)) => {
                let (elements, len) = vector.parts(from);
                lend(frame, element, vector.element(), elements, len)?.write(to);
            }
            (Shape::Dict(dict), Type::Dict(key, item)) => {
                let table = frame.run.tables.keep(new_table(frame, key, item)?);
                let room = layout::Layout::of(key);
                let key_place = frame.alloc(room.size, room.align)?;
                let ([keys, items], len) = dict.parts(from);
                for i in 0..len {
                    write(frame, key, dict.key(), keys.add(i * dict.key().size()), key_place)?;
                    let entry = (*table).entry(frame.run, key_place)?;
                    let place = (*table).value(entry);
                    write(frame, item, dict.value(), items.add(i * dict.value().size()), place)?;
                }
                to.cast::<*mut Table>().write(table);
            }
            (Shape::Option(option), Type::Struct(fields)) => {
                let at = value_of_option(fields);
                match option.get(from) {
                    Some(value) => {
                        to.write(1);
                        write(frame, &fields[1], option.value(), value.as_ptr(), to.add(at))?;
                    }
                    None => ptr::write_bytes(to, 0, layout::Layout::of(ty).size as usize),
                }
            }
            _ => unreachable!("the type was checked"),
        }
    }
    Ok(())
}

/// Writes the language's value at `from` to `to`, as Rust lays it out.
///
/// # Safety
/// `from` points to a value of type `ty` that the run has given, and there is room for it with the layout `own`.
unsafe fn read(run: &Run<'_>, ty: &Type, own: &Layout, from: *const u8, to: *mut u8) {
    // SAFETY: as the caller promises, and so are fields, elements and entries where the layouts say.
    unsafe {
        match (own.shape(), ty) {
            (Shape::Scalar(scalar), _) => ptr::copy_nonoverlapping(from, to, scalar.size()),
            (Shape::Struct(own), Type::Struct(fields)) => {
                for ((own, ty), at) in own.iter().zip(fields.iter()).zip(offsets(fields)) {
                    read(run, ty, own.layout(), from.add(at as usize), to.add(own.offset()));
                }
            }
            (Shape::Vec(vector), Type::Vec(element)) => {
                vector.make(to, given(run, element, vector.element(), RawVec::read(from)));
            }
            (Shape::Dict(dict), Type::Dict(key, item)) => {
                let column = |elements: Option<*mut u8>, len: u64| RawVec {
                    elements: elements.unwrap_or(ptr::null_mut()),
                    len: len as i64,
                };
                let table = from.cast::<*const Table>().read().as_ref();
                let len = table.map_or(0, |table| table.len);
                let keys = column(table.map(|table| table.keys), len);
                let values = column(table.map(|table| table.values), len);
                dict.make(to, [given(run, key, dict.key(), keys), given(run, item, dict.value(), values)]);
            }
            (Shape::Option(option), Type::Struct(fields)) => {
                let value = from.add(value_of_option(fields));
                let mut write = |place: *mut u8| read(run, &fields[1], option.value(), value, place);
                option.make(to, if from.read() != 0 { Some(&mut write) } else { None });
            }
            _ => unreachable!("the type was checked"),
        }
    }
}

/// The elements of a vector of the run, for a `Vec`: its block, or a copy.
///
/// # Safety
/// They are there, and the run has given them.
unsafe fn given(run: &Run<'_>, ty: &Type, own: &Layout, vector: RawVec) -> Block {
    match adopted(run, ty, own, vector) {
        Some(block) => block,
        // SAFETY: as the caller promises.
        None => unsafe { copy(run, ty, own, vector.elements, vector.len as usize) },
    }
}

/// The block of a vector of the run, taken out of the run, if a `Vec` can own it. Where two vectors share a block,
/// the first one that is read gets it, and the other finds its elements there still.
fn adopted(run: &Run<'_>, ty: &Type, own: &Layout, vector: RawVec) -> Option<Block> {
    let (size, len) = (own.size(), vector.len as usize);
    if size == 0 || !is_same(ty, own) {
        return None;
    }
    let allocation = run.take_if(vector.elements, |block| fits(own, len, block))?;
    Some(Block { elements: vector.elements, len, capacity: allocation.size() / size })
}

/// Whether the `Vec` of so many elements can own a block.
fn fits(own: &Layout, len: usize, block: alloc::Layout) -> bool {
    let (bytes, size) = (block.size(), own.size());
    block.align() == own.align() && size > 0 && bytes.is_multiple_of(size) && bytes / size >= len
}

/// `count` elements of type `ty` from `from` on, in a block of their own.
///
/// # Safety
/// They are there, and the run has given them.
unsafe fn copy(run: &Run<'_>, ty: &Type, own: &Layout, from: *const u8, len: usize) -> Block {
    let nowhere = ptr::without_provenance_mut(own.align());
    if len == 0 || own.size() == 0 {
        return Block { elements: nowhere, len, capacity: 0 };
    }
    let allocation = alloc::Layout::from_size_align(len * own.size(), own.align());
    let allocation = allocation.expect("so many elements are in memory already");
    // What is copied is counted already.
    let given = run.context.take_given(allocation, own.size());
    // SAFETY: the size is not 0; as the caller promises, the elements are there.
    unsafe {
        let (elements, capacity) = match given {
            Some((block, given)) => (block.as_ptr(), given.size() / own.size()),
            None => (alloc::alloc(allocation), len),
        };
        if elements.is_null() {
            handle_alloc_error(allocation);
        }
        huge_pages::advise_large(elements, allocation.size());
        if is_same(ty, own) {
            ptr::copy_nonoverlapping(from, elements, allocation.size());
        } else {
            let size = layout::Layout::of(ty).size as usize;
            (0..len).for_each(|i| read(run, ty, own, from.add(i * size), elements.add(i * own.size())));
        }
        Block { elements, len, capacity }
    }
}

/// How many bytes [`read`] will ask for, those of the index of a dictionary excepted.
///
/// # Safety
/// As for [`read`].
unsafe fn copied(run: &Run<'_>, ty: &Type, own: &Layout, from: *const u8) -> u64 {
    let block = |ty: &Type, own: &Layout, from: *const u8, len: usize| {
        let size = layout::Layout::of(ty).size as usize;
        let inner = match is_same(ty, own) {
            true => 0,
            // SAFETY: as the caller promises.
            false => (0..len).map(|i| unsafe { copied(run, ty, own, from.add(i * size)) }).sum(),
        };
        (len * own.size()) as u64 + inner
    };
    let column = |ty: &Type, own: &Layout, from: *const u8, len: usize| match is_same(ty, own)
        && run.is_block(from, |of| fits(own, len, of))
    {
        true => 0,
        false => block(ty, own, from, len),
    };
    // SAFETY: as the caller promises, and so are fields, elements and entries where the layouts say.
    unsafe {
        match (own.shape(), ty) {
            (Shape::Struct(own), Type::Struct(fields)) => {
                let fields = own.iter().zip(fields.iter()).zip(offsets(fields));
                fields.map(|((own, ty), at)| copied(run, ty, own.layout(), from.add(at as usize))).sum()
            }
            (Shape::Vec(vector), Type::Vec(element)) => {
                let raw = RawVec::read(from);
                column(element, vector.element(), raw.elements, raw.len as usize)
            }
            (Shape::Dict(dict), Type::Dict(key, item)) => {
                from.cast::<*const Table>().read().as_ref().map_or(0, |table| {
                    let len = table.len as usize;
                    column(key, dict.key(), table.keys, len) + column(item, dict.value(), table.values, len)
                })
            }
            (Shape::Option(option), Type::Struct(fields)) if from.read() != 0 => {
                copied(run, &fields[1], option.value(), from.add(value_of_option(fields)))
            }
            _ => 0,
        }
    }
}
