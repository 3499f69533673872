//! Arguments and results in the types of Rust: slices are read in place, and results move out of the run.
//!
//! This file may use `unsafe` because it reinterprets memory as Rust types. What makes it sound: [`Element`] is
//! implemented here only, for types whose bytes are what the language's layout says, which is checked where Rust is
//! free to choose; and a block is handed over only with the layout that its new owner frees it with.
#![allow(unsafe_code)]

use std::alloc::Layout as Allocation;
use std::marker::PhantomData;
use std::mem::offset_of;

use weldment_runtime::fault::Fault;
use weldment_runtime::types::{Scalar, Type};
use weldment_runtime::value::Value;

use super::layout::{Layout, offsets};
use super::marshal;
use super::memory::{Frame, Run};
use super::runtime::compare::RawVec;

/// Scalars and tuples of them: what slices and vectors may hold to be passed without a copy.
pub trait Element: Copy + Send + Sync + sealed::Sealed + 'static {
    /// The language's type.
    fn ty() -> Type;
    /// Where the fields stand, in bytes; nothing for a scalar.
    #[doc(hidden)]
    fn offsets() -> Vec<usize>;
    /// The element at `place`, whose layout is the language's.
    ///
    /// # Safety
    /// There is one.
    #[doc(hidden)]
    unsafe fn read(place: *const u8) -> Self;
    /// Writes the element to `place` in the language's layout.
    ///
    /// # Safety
    /// There is room.
    #[doc(hidden)]
    unsafe fn write(self, place: *mut u8);
}

mod sealed {
    pub trait Sealed {}
}

/// An argument.
pub struct Arg<'a>(Passed<'a>);

enum Passed<'a> {
    Value(&'a Value),
    /// Written into the block of arguments.
    Scalar {
        ty: Type,
        bits: [u8; 8],
    },
    /// Elements with the language's layout, read in place.
    Place {
        element: Type,
        elements: *const u8,
        len: usize,
        life: PhantomData<&'a ()>,
    },
    /// Elements with another layout, converted.
    Convert {
        element: Type,
        len: usize,
        write: Box<dyn Fn(usize, *mut u8) + 'a>,
    },
}

/// A result, in the memory of the run that gave it.
pub struct Native<'r> {
    pub(super) run: &'r Run<'r>,
    pub(super) ty: &'r Type,
    pub(super) place: *const u8,
    /// Whether nothing else refers to the memory behind it.
    pub(super) is_sole: bool,
}

impl<'a> Arg<'a> {
    /// A value of any type, converted.
    pub fn value(value: &'a Value) -> Arg<'a> {
        Arg(Passed::Value(value))
    }

    /// A scalar.
    ///
    /// # Panics
    /// If `T` is a tuple.
    pub fn scalar<T: Element>(x: T) -> Arg<'static> {
        let ty = T::ty();
        assert!(ty.as_scalar().is_some(), "a tuple is no scalar");
        let mut bits = [0; 8];
        // SAFETY: a scalar has 8 bytes at most.
        unsafe { x.write(bits.as_mut_ptr()) };
        Arg(Passed::Scalar { ty, bits })
    }

    /// A vector, read in place if Rust has laid out `T` as the language does.
    pub fn slice<T: Element>(slice: &'a [T]) -> Arg<'a> {
        let (element, len) = (T::ty(), slice.len());
        if has_own_layout::<T>() {
            let elements = slice.as_ptr().cast();
            return Arg(Passed::Place { element, elements, len, life: PhantomData });
        }
        // SAFETY: the writer is called with room for an element.
        let write = Box::new(move |i: usize, place: *mut u8| unsafe { slice[i].write(place) });
        Arg(Passed::Convert { element, len, write })
    }

    pub(super) fn has_type(&self, ty: &Type) -> bool {
        match &self.0 {
            Passed::Value(value) => value.has_type(ty),
            Passed::Scalar { ty: own, .. } => own == ty,
            Passed::Place { element, .. } | Passed::Convert { element, .. } => ty.element() == Some(element),
        }
    }

    /// Writes the argument to `place`.
    ///
    /// # Safety
    /// There is room for a value of type `ty`, which the argument has.
    pub(super) unsafe fn write(&self, frame: &mut Frame<'_>, ty: &Type, place: *mut u8) -> Result<(), Fault> {
        // SAFETY: as the caller promises.
        unsafe {
            match &self.0 {
                Passed::Value(value) => return marshal::write(frame, ty, value, place),
                Passed::Scalar { ty, bits } => {
                    std::ptr::copy_nonoverlapping(bits.as_ptr(), place, Layout::of(ty).size as usize);
                }
                Passed::Place { elements, len, .. } => {
                    place.cast::<RawVec>().write(RawVec { elements: elements.cast_mut(), len: *len as i64 });
                }
                Passed::Convert { element, len, write } => {
                    let layout = Layout::of(element);
                    let block = frame.alloc(*len as u64 * layout.size, layout.align)?;
                    (0..*len).for_each(|i| write(i, block.add(i * layout.size as usize)));
                    place.cast::<RawVec>().write(RawVec { elements: block, len: *len as i64 });
                }
            }
        }
        Ok(())
    }
}

impl Native<'_> {
    /// The result as a value.
    pub fn value(&self) -> Value {
        // SAFETY: the run has written a value of this type, and its memory lives.
        unsafe { marshal::read(self.ty, self.place) }
    }

    /// Field `number` of a result that is a struct.
    ///
    /// # Panics
    /// If there is none.
    pub fn field(&self, number: usize) -> Native<'_> {
        let fields = self.ty.fields().unwrap_or_default();
        let place = self.place.wrapping_add(offsets(fields)[number] as usize);
        // Two fields may be one vector.
        Native { run: self.run, ty: &fields[number], place, is_sole: false }
    }

    /// The result as a scalar or tuple.
    ///
    /// # Panics
    /// If it is of another type.
    pub fn element<T: Element>(&self) -> T {
        assert_eq!(T::ty(), *self.ty, "the result is a {}", self.ty);
        // SAFETY: as above.
        unsafe { T::read(self.place) }
    }

    /// The result as a vector, without a copy if it was allocated for it alone.
    ///
    /// # Panics
    /// If it is of another type.
    pub fn vec<T: Element>(self) -> Vec<T> {
        assert_eq!(Some(&T::ty()), self.ty.element(), "the result is a {}", self.ty);
        // SAFETY: the place holds a vector of such elements. The block, if it is one, was allocated with the
        // alignment of `T` and a size that is a multiple of its size, which is how a `Vec` frees it.
        unsafe {
            let vector = self.place.cast::<RawVec>().read();
            let len = vector.len as usize;
            if !has_own_layout::<T>() {
                let size = Layout::of(&T::ty()).size as usize;
                return (0..len).map(|i| T::read(vector.elements.add(i * size))).collect();
            }
            match self.is_sole.then(|| self.run.take(vector.elements)).flatten() {
                Some(block) if adopts::<T>(block, len) => {
                    Vec::from_raw_parts(vector.elements.cast(), len, block.size() / size_of::<T>())
                }
                Some(block) => {
                    self.run.keep_block(vector.elements, block);
                    marshal::slice(self.place).to_vec()
                }
                None => marshal::slice(self.place).to_vec(),
            }
        }
    }
}

/// Whether a `Vec<T>` of `len` elements may own a block that was allocated like this.
fn adopts<T>(block: Allocation, len: usize) -> bool {
    let size = size_of::<T>();
    size > 0
        && block.align() == align_of::<T>()
        && block.size().is_multiple_of(size)
        && block.size() >= len * size
}

/// Whether Rust has laid out `T` as the language does.
fn has_own_layout<T: Element>() -> bool {
    let ty = T::ty();
    let layout = Layout::of(&ty);
    let fields = ty.fields().map(offsets).unwrap_or_default();
    layout.size as usize == size_of::<T>()
        && layout.align as usize == align_of::<T>()
        && fields.iter().map(|&offset| offset as usize).eq(T::offsets())
}

macro_rules! scalars {
    ($($rust:ident $scalar:ident)*) => {$(
        impl sealed::Sealed for $rust {}
        impl Element for $rust {
            fn ty() -> Type {
                Scalar::$scalar.into()
            }
            fn offsets() -> Vec<usize> {
                Vec::new()
            }
            unsafe fn read(place: *const u8) -> $rust {
                // SAFETY: as the caller promises.
                unsafe { place.cast::<$rust>().read() }
            }
            unsafe fn write(self, place: *mut u8) {
                // SAFETY: as the caller promises.
                unsafe { place.cast::<$rust>().write(self) }
            }
        }
    )*};
}

scalars!(bool Bool i8 I8 i16 I16 i32 I32 i64 I64 u8 U8 u16 U16 u32 U32 u64 U64 f32 F32 f64 F64);

macro_rules! tuples {
    ($($($name:ident $number:tt)*;)*) => {$(
        impl<$($name: Element),*> sealed::Sealed for ($($name,)*) {}
        impl<$($name: Element),*> Element for ($($name,)*) {
            fn ty() -> Type {
                Type::structure([$($name::ty()),*])
            }
            fn offsets() -> Vec<usize> {
                // A nested tuple that is laid out otherwise makes this one so, whatever its own offsets.
                if [$($name::ty().as_scalar().is_some() || has_own_layout::<$name>()),*].contains(&false) {
                    return vec![usize::MAX];
                }
                vec![$(offset_of!(Self, $number)),*]
            }
            unsafe fn read(place: *const u8) -> Self {
                let ty = Self::ty();
                let at = offsets(ty.fields().unwrap_or_default());
                // SAFETY: as the caller promises, and so are fields where the layout says.
                unsafe { ($($name::read(place.add(at[$number] as usize)),)*) }
            }
            unsafe fn write(self, place: *mut u8) {
                let ty = Self::ty();
                let at = offsets(ty.fields().unwrap_or_default());
                // SAFETY: as the caller promises, and so are fields where the layout says.
                unsafe { $(self.$number.write(place.add(at[$number] as usize));)* }
            }
        }
    )*};
}

tuples! {
    A 0;
    A 0 B 1;
    A 0 B 1 C 2;
    A 0 B 1 C 2 D 3;
    A 0 B 1 C 2 D 3 E 4;
    A 0 B 1 C 2 D 3 E 4 F 5;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6;
    A 0 B 1 C 2 D 3 E 4 F 5 G 6 H 7;
}
