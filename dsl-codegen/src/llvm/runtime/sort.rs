//! Sorting elements of compiled code, by a comparator or by a key.

use std::{ptr, slice};

use weldment_runtime::exec::context::Context;
use weldment_runtime::lang::fault::Fault;
use weldment_runtime::lang::types::{Scalar, Type};
use weldment_runtime::ops::ranked::Ranked;
use weldment_runtime::ops::sort::{self, Key};
use weldment_runtime::store::vector::growable::with_capacity;
use weldment_runtime::{ops, scalar_types};

use super::abi::{or_null, status};
use crate::llvm::memory::Frame;

/// A comparator: frame, captured values, two elements, and where the order goes.
pub(super) type Comparator = unsafe extern "C" fn(
    frame: &mut Frame<'_>,
    captures: *const u8,
    a: *const u8,
    b: *const u8,
    order: &mut i32,
) -> i32;

/// What computes the key of an element: frame, captured values, the element, and where the bits of the key go.
pub(super) type KeyOf = unsafe extern "C" fn(
    frame: &mut Frame<'_>,
    captures: *const u8,
    element: *const u8,
    bits: &mut u64,
) -> i32;

/// The elements in order, in a new block.
///
/// # Safety
/// `elements` has `len` elements of `size` bytes, which `comparator` takes beside `captures`.
pub(super) unsafe extern "C" fn sort(
    frame: &mut Frame<'_>,
    elements: *const u8,
    len: i64,
    size: i64,
    align: i64,
    comparator: Comparator,
    captures: *const u8,
) -> *mut u8 {
    let (len, size) = (len as usize, size as usize);
    let run = frame.run;
    let sorted = match frame.alloc((len * size) as u64, align as u64) {
        Ok(sorted) => sorted,
        Err(fault) => return or_null(frame, Err(fault)),
    };
    // SAFETY: numbers are below `len`.
    let place = |number: usize| unsafe { elements.add(number * size) };
    let mut after = |a: usize, b: usize| {
        let mut order = 0;
        // SAFETY: as the caller promises.
        match unsafe { comparator(frame, captures, place(a), place(b), &mut order) } {
            0 => Ok(order > 0),
            _ => Err(Stop::OfComparator),
        }
    };
    let numbers = match sort::sort_places(run.context, len, &mut after) {
        Ok(numbers) => numbers,
        Err(Stop::OfComparator) => return ptr::null_mut(),
        Err(Stop::OfSort(fault)) => return or_null(frame, Err(fault)),
    };
    for (i, &number) in numbers.iter().enumerate() {
        // SAFETY: both are inside their blocks.
        unsafe { ptr::copy_nonoverlapping(place(number), sorted.add(i * size), size) };
    }
    run.context.discharge(size_of_val(&numbers[..]));
    sorted
}

/// Writes to `result` the number that has this place in ascending order, and the one behind it.
///
/// # Safety
/// `elements` has `len` numbers of the type numbered `ty`, and at least one; there is room for two at `result`.
pub(super) unsafe extern "C" fn ranked(
    frame: &mut Frame<'_>,
    ty: i32,
    elements: *const u8,
    len: i64,
    place: i64,
    result: *mut u8,
) -> i32 {
    /// As above, of this type.
    unsafe fn of<K: Ranked>(
        cx: &Context,
        elements: *const u8,
        len: usize,
        place: i64,
        result: *mut u8,
    ) -> Result<(), Fault> {
        // SAFETY: as the caller promises.
        let numbers = unsafe { slice::from_raw_parts(elements.cast::<K>(), len) };
        let (at, next) = ops::ranked::ranked(cx, numbers, place, 0, 0)?;
        // SAFETY: as the caller promises.
        unsafe { result.cast::<[K; 2]>().write_unaligned([at, next]) };
        Ok(())
    }
    macro_rules! by_type {
        ([$scalar:expr] $($variant:ident $ty:ident $kind:ident $bits:ident;)*) => {
            match $scalar { $(Scalar::$variant => by_type!($kind $ty),)* }
        };
        (Truth $ty:ident) => { unreachable!("bools are no numbers") };
        ($kind:ident $ty:ident) => { of::<$ty> };
    }
    let run = frame.run;
    let Type::Scalar(scalar) = run.types[ty as usize] else { unreachable!("numbers are scalars") };
    let of = scalar_types!(by_type scalar);
    // SAFETY: as the caller promises; this is the type of the numbers.
    let done = unsafe { of(run.context, elements, len as usize, place, result) };
    status(frame, done)
}

/// Why a sort ends early.
enum Stop {
    /// The frame has the fault.
    OfComparator,
    OfSort(Fault),
}

impl From<Fault> for Stop {
    fn from(fault: Fault) -> Stop {
        Stop::OfSort(fault)
    }
}

/// The elements in the order of their keys, in a new block.
///
/// # Safety
/// `elements` has `len` elements of `size` bytes, of which `key`, beside `captures`, computes a scalar of the type numbered
/// `ty`, which [has digits](sort::has_digits), without a fault. Unless `offset` is negative, that scalar is what each element has there.
pub(super) unsafe extern "C" fn sort_by_key(
    frame: &mut Frame<'_>,
    elements: *const u8,
    len: i64,
    size: i64,
    align: i64,
    key: KeyOf,
    captures: *const u8,
    ty: i32,
    descending: i32,
    offset: i64,
) -> *mut u8 {
    let (len, size) = (len as usize, size as usize);
    let Type::Scalar(scalar) = frame.run.types[ty as usize] else { unreachable!("keys are scalars") };
    let (bytes, digits) = sort::digits_of(scalar);
    let flip = sort::flip(bytes, descending != 0);
    let sorted = match frame.alloc((len * size) as u64, align as u64) {
        Ok(sorted) => sorted,
        Err(fault) => return or_null(frame, Err(fault)),
    };
    let cx = frame.run.context;
    let by = By { elements, len, sorted, cx, scalar, offset: usize::try_from(offset).ok(), flip };
    let digits = |element: *const u8| {
        let mut bits = 0;
        // SAFETY: as the caller promises.
        unsafe { key(frame, captures, element, &mut bits) };
        digits(bits) ^ flip
    };
    // SAFETY: `size` bytes are in each element, and as many are in the block.
    let done = unsafe {
        match size {
            1 => by.moving::<1>(digits),
            2 => by.moving::<2>(digits),
            4 => by.moving::<4>(digits),
            8 => by.moving::<8>(digits),
            16 => by.moving::<16>(digits),
            _ => by.numbers(size, digits),
        }
    };
    match done {
        Ok(()) => sorted,
        Err(fault) => or_null(frame, Err(fault)),
    }
}

/// Elements that are to be sorted, and where to.
struct By<'c> {
    elements: *const u8,
    len: usize,
    sorted: *mut u8,
    cx: &'c Context,
    /// What the key is.
    scalar: Scalar,
    /// Where it stands in each element, if it does.
    offset: Option<usize>,
    /// What turns the order around, in an exclusive or, or nothing.
    flip: u64,
}

impl By<'_> {
    /// Moves elements of `N` bytes, along with their keys unless those are parts of them.
    ///
    /// # Safety
    /// Both blocks have room for `len` elements of `N` bytes, and those at `elements` are there, with their keys at `offset`.
    unsafe fn moving<const N: usize>(&self, mut digits: impl FnMut(*const u8) -> u64) -> Result<(), Fault> {
        // SAFETY: bytes need no alignment, and are of any value. Those of the new block are written before they are read.
        let (elements, sorted) = unsafe {
            ptr::copy_nonoverlapping(self.elements, self.sorted, self.len * N);
            let sorted = slice::from_raw_parts_mut(self.sorted.cast::<[u8; N]>(), self.len);
            (slice::from_raw_parts(self.elements.cast::<[u8; N]>(), self.len), sorted)
        };
        if let Some(offset) = self.offset {
            // SAFETY: each type has the size of the scalar, which is in the element.
            return unsafe {
                match (self.scalar, self.scalar.size()) {
                    (Scalar::F32, _) => self.in_place::<f32, N>(elements, sorted, offset),
                    (Scalar::F64, _) => self.in_place::<f64, N>(elements, sorted, offset),
                    (_, 1) => self.in_place::<u8, N>(elements, sorted, offset),
                    (_, 2) => self.in_place::<u16, N>(elements, sorted, offset),
                    (_, 4) => self.in_place::<u32, N>(elements, sorted, offset),
                    _ => self.in_place::<u64, N>(elements, sorted, offset),
                }
            };
        }
        let mut rows: Vec<(u64, [u8; N])> = with_capacity(self.cx, self.len)?;
        rows.extend(elements.iter().map(|element| (digits(element.as_ptr()), *element)));
        let in_order = sort::sort_rows(self.cx, &rows, |row| row.0)?;
        for (row, sorted) in in_order.iter().zip(sorted) {
            *sorted = row.1;
        }
        self.cx.discharge(2 * size_of_val(&rows[..]));
        Ok(())
    }

    /// Sorts by the keys that stand at `offset`.
    ///
    /// # Safety
    /// `K` has as many bytes as the key, which is inside each element.
    unsafe fn in_place<K: Key, const N: usize>(
        &self,
        elements: &[[u8; N]],
        sorted: &mut [[u8; N]],
        offset: usize,
    ) -> Result<(), Fault> {
        // SAFETY: as the caller promises; whatever the bytes, they are a scalar of these types.
        let key =
            move |element: &[u8; N]| unsafe { ptr::read_unaligned(element.as_ptr().add(offset).cast::<K>()) };
        // The bits of a signed integer, read as those of an unsigned one, need their sign turned around.
        let sign = if self.scalar.is_signed() { 1 << (u8::BITS as usize * size_of::<K>() - 1) } else { 0 };
        sort::sort_by_key_into(self.cx, elements, sorted, self.flip ^ sign, key)
    }

    /// Sorts the numbers of the elements, and then copies these.
    ///
    /// # Safety
    /// Both blocks have room for `len` elements of `size` bytes, and those at `elements` are there.
    unsafe fn numbers(&self, size: usize, mut digits: impl FnMut(*const u8) -> u64) -> Result<(), Fault> {
        // SAFETY: numbers are below `len`.
        let place = |number: usize| unsafe { self.elements.add(number * size) };
        let numbers = sort::sort_digits(self.cx, self.len, |number| digits(place(number)))?;
        for (i, &(_, number)) in numbers.iter().enumerate() {
            // SAFETY: both are inside their blocks.
            unsafe { ptr::copy_nonoverlapping(place(number), self.sorted.add(i * size), size) };
        }
        self.cx.discharge(size_of_val(&numbers[..]));
        Ok(())
    }
}
