//! Comparing and hashing values in memory, through their types.

use std::cmp::Ordering;

use weldment_runtime::key::hash::{Key, SEED};
use weldment_runtime::lang::order::Order;
use weldment_runtime::lang::types::{Scalar, Type};
use weldment_runtime::scalar_types;

use crate::llvm::layout::{Layout, header, offsets};

/// A vector.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RawVec {
    /// The first element; aligned and not null, even of none.
    pub(crate) elements: *mut u8,
    /// The number of elements.
    pub(crate) len: i64,
}

impl RawVec {
    /// The vector at `place`.
    ///
    /// # Safety
    /// There is one.
    #[inline]
    pub(crate) unsafe fn read(place: *const u8) -> RawVec {
        let header = header();
        // SAFETY: as the caller promises, and there a vector has its parts.
        unsafe {
            RawVec {
                elements: place.add(header.elements).cast::<*mut u8>().read(),
                len: place.add(header.len).cast::<i64>().read(),
            }
        }
    }

    /// Writes the vector to `place`.
    ///
    /// # Safety
    /// There is room for one.
    #[inline]
    pub(crate) unsafe fn write(self, place: *mut u8) {
        let header = header();
        // SAFETY: as the caller promises, and there a vector has its parts.
        unsafe {
            place.add(header.elements).cast::<*mut u8>().write(self.elements);
            place.add(header.len).cast::<i64>().write(self.len);
        }
    }

    /// The elements, of `size` bytes each, as bytes.
    ///
    /// # Safety
    /// There are so many, alive as long as the result.
    #[inline(always)]
    pub(crate) unsafe fn bytes<'v>(self, size: usize) -> &'v [u8] {
        // SAFETY: as the caller promises.
        unsafe { std::slice::from_raw_parts(self.elements, self.len as usize * size) }
    }
}

/// Whether a value of type `ty` at `place` is an option that has no value: what stands behind its first byte means nothing.
///
/// # Safety
/// There is one of type `ty` at `place`.
pub(crate) unsafe fn is_none(ty: &Type, place: *const u8) -> bool {
    // SAFETY: as the caller promises; the first byte of an option says whether it has a value.
    ty.as_option().is_some() && unsafe { place.read() } == 0
}

/// The fields of a struct of type `ty` at `place` that mean anything, and where they stand.
///
/// # Safety
/// There is one of type `ty` at `place`.
unsafe fn fields_at(ty: &Type, place: *const u8) -> impl Iterator<Item = (&Type, *const u8)> {
    let fields = ty.fields().unwrap_or_default();
    // SAFETY: as the caller promises.
    let count = if unsafe { is_none(ty, place) } { 1 } else { fields.len() };
    let places = offsets(fields).map(move |at| place.wrapping_add(at as usize));
    fields.iter().zip(places).take(count)
}

/// Runs `$body` with `$x` bound to the scalar at `$p`, in the type of `$scalar`; bools are bytes. In a row of a table an i128
/// is aligned to a word only.
macro_rules! with_scalar {
    ($scalar:expr, [$($read:tt)*] int $int:expr, float $float:expr) => {
        scalar_types!(by_type $scalar, [$($read)*] $int, $float)
    };
}

macro_rules! by_type {
    ([$scalar:expr, $reads:tt $int:expr, $float:expr] $($variant:ident $ty:ident $kind:ident $bits:ident;)*) => {
        match $scalar { $(Scalar::$variant => by_type!($kind $ty $bits $reads $int, $float),)* }
    };
    (Truth $ty:ident $bits:ident [$($x:ident = $p:expr),*] $int:expr, $float:expr) => {
        { $(let $x = $p.cast::<$bits>().read_unaligned();)* $int }
    };
    (Float $ty:ident $bits:ident [$($x:ident = $p:expr),*] $int:expr, $float:expr) => {
        { $(let $x = $p.cast::<$ty>().read_unaligned();)* $float }
    };
    ($kind:ident $ty:ident $bits:ident [$($x:ident = $p:expr),*] $int:expr, $float:expr) => {
        { $(let $x = $p.cast::<$ty>().read_unaligned();)* $int }
    };
}

/// The order of the language: the first pair that is not equal decides; `None` is a NaN.
///
/// # Safety
/// `a` and `b` point to values of type `ty`, which holds no dictionary.
pub(crate) unsafe fn order(ty: &Type, a: *const u8, b: *const u8) -> Option<Ordering> {
    // SAFETY: as the caller promises, and so are fields and elements where the layout says.
    unsafe {
        match ty {
            Type::Scalar(scalar) => {
                with_scalar!(*scalar, [x = a, y = b] int Some(x.cmp(&y)), float x.partial_cmp(&y))
            }
            Type::Struct(_) => {
                for ((field, a), (_, b)) in fields_at(ty, a).zip(fields_at(ty, b)) {
                    match order(field, a, b) {
                        Some(Ordering::Equal) => {}
                        other => return other,
                    }
                }
                Some(Ordering::Equal)
            }
            Type::Vec(element) => {
                let (a, b) = (RawVec::read(a), RawVec::read(b));
                let size = Layout::of(element).size as usize;
                for i in 0..a.len.min(b.len) as usize {
                    match order(element, a.elements.add(i * size), b.elements.add(i * size)) {
                        Some(Ordering::Equal) => {}
                        other => return other,
                    }
                }
                Some(a.len.cmp(&b.len))
            }
            Type::Dict(..) => None,
        }
    }
}

/// The total order: as [`order`], but every NaN is equal to every NaN and greater than all else.
///
/// # Safety
/// As for [`order`].
pub(crate) unsafe fn total_order(ty: &Type, a: *const u8, b: *const u8) -> Ordering {
    // SAFETY: as the caller promises, and so are fields and elements where the layout says.
    unsafe {
        match ty {
            Type::Scalar(scalar) => {
                with_scalar!(*scalar, [x = a, y = b] int x.cmp(&y), float x.total_order(&y))
            }
            Type::Struct(_) => {
                let pairs = fields_at(ty, a).zip(fields_at(ty, b));
                let mut orders = pairs.map(|((field, a), (_, b))| total_order(field, a, b));
                orders.find(|order| order.is_ne()).unwrap_or(Ordering::Equal)
            }
            Type::Vec(element) => {
                let (a, b) = (RawVec::read(a), RawVec::read(b));
                let size = Layout::of(element).size as usize;
                let mut pairs = (0..a.len.min(b.len) as usize)
                    .map(|i| total_order(element, a.elements.add(i * size), b.elements.add(i * size)));
                pairs.find(|order| order.is_ne()).unwrap_or_else(|| a.len.cmp(&b.len))
            }
            Type::Dict(..) => Ordering::Equal,
        }
    }
}

/// Whether two keys are one: 0.0 and −0.0 are, and so are all NaNs.
///
/// # Safety
/// As for [`order`].
pub(crate) unsafe fn same_key(ty: &Type, a: *const u8, b: *const u8) -> bool {
    // SAFETY: as the caller promises, and so are fields and elements where the layout says.
    unsafe {
        match ty {
            Type::Scalar(scalar) => {
                with_scalar!(*scalar, [x = a, y = b] int x == y, float x == y || x.is_nan() && y.is_nan())
            }
            Type::Struct(_) => {
                fields_at(ty, a).zip(fields_at(ty, b)).all(|((field, a), (_, b))| same_key(field, a, b))
            }
            Type::Vec(element) => {
                let (a, b) = (RawVec::read(a), RawVec::read(b));
                if a.len != b.len {
                    return false;
                }
                if let Some(size) = size_in_bytes(element) {
                    return a.bytes(size).same(b.bytes(size));
                }
                let size = Layout::of(element).size as usize;
                (0..a.len as usize)
                    .all(|i| same_key(element, a.elements.add(i * size), b.elements.add(i * size)))
            }
            Type::Dict(..) => false,
        }
    }
}

/// A hash that is the same for keys that are one.
///
/// # Safety
/// `key` points to a value of type `ty`, which holds no dictionary.
pub(crate) unsafe fn hash(ty: &Type, key: *const u8) -> u64 {
    // SAFETY: as the caller promises.
    unsafe { walk(ty, key, SEED) }
}

/// # Safety
/// As for [`hash`].
unsafe fn walk(ty: &Type, key: *const u8, state: u64) -> u64 {
    // SAFETY: as the caller promises, and so are fields and elements where the layout says.
    unsafe {
        match ty {
            Type::Scalar(Scalar::I128) => key.cast::<i128>().read_unaligned().hash_after(state),
            Type::Scalar(scalar) => {
                with_scalar!(*scalar, [x = key] int (x as u64).hash_after(state), float (x as f64).hash_after(state))
            }
            Type::Struct(_) => {
                fields_at(ty, key).fold(state, |state, (field, place)| walk(field, place, state))
            }
            Type::Vec(element) => {
                let vector = RawVec::read(key);
                if let Some(size) = size_in_bytes(element) {
                    return vector.bytes(size).hash_after(state);
                }
                let state = vector.len.hash_after(state);
                let size = Layout::of(element).size as usize;
                (0..vector.len as usize)
                    .fold(state, |state, i| walk(element, vector.elements.add(i * size), state))
            }
            Type::Dict(..) => state,
        }
    }
}

/// The size of the elements of a vector that is equal to others where their bytes are. A text lies in memory as that of its bytes.
pub(crate) fn size_of_elements(ty: &Type) -> Option<usize> {
    let vector = if ty.is_text() { ty.fields()?.first()? } else { ty };
    vector.element().and_then(size_in_bytes)
}

/// The size of an element that is an integer, or a bool: equal ones are equal bytes.
pub(crate) fn size_in_bytes(element: &Type) -> Option<usize> {
    element.as_scalar().filter(|scalar| !scalar.is_float()).map(Scalar::size)
}
