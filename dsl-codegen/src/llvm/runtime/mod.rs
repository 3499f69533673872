//! What compiled code calls: functions with the C calling convention, by name.
//!
//! This folder may use `unsafe` because its functions take addresses from compiled code. What makes it sound: the
//! verifier has checked the program, the emitter passes the addresses of values whose types it knows, in the layout of
//! [`layout`](super::layout), and everything a run allocates lives until the run ends. A function that can fail
//! leaves a fault in the [`Frame`] and says so by a null pointer or a status other than 0; none unwinds.
#![allow(unsafe_code)]

pub(crate) mod calls;

mod collected;

pub(crate) mod drive;

mod sort;

pub(crate) mod table;

mod arena;

pub(crate) mod words;

pub(crate) mod keys;

pub(crate) mod compare;

pub(crate) mod bytes;

pub(crate) mod math;

use std::ffi::CString;
use std::ptr::NonNull;

/// A function for the linker.
#[derive(Clone, Debug)]
pub(crate) struct Symbol {
    /// The name in IR text.
    pub(crate) name: CString,
    /// Where it is.
    pub(crate) address: usize,
}

impl Symbol {
    /// # Panics
    /// If the name holds a zero byte.
    pub(crate) fn new(name: impl Into<Vec<u8>>, address: usize) -> Symbol {
        Symbol { name: CString::new(name).expect("names are words"), address }
    }
}

/// A function that compiled code may call.
#[derive(Clone, Copy)]
pub(crate) struct Function {
    /// Its name in IR text, without the `@`.
    pub(crate) name: &'static str,
    /// The type of its result.
    pub(crate) result: &'static str,
    /// The types of its parameters.
    pub(crate) params: &'static [&'static str],
    /// Attributes of the function.
    pub(crate) attributes: &'static str,
    /// Where it is.
    pub(crate) address: usize,
}

/// Of functions that read and write memory and fail by status.
const PLAIN: &str = "nounwind";
/// Of functions on the way out.
const COLD: &str = "nounwind cold";
/// Of functions of numbers.
const PURE: &str = "nounwind willreturn memory(none)";
/// Of functions that read memory only.
const READS: &str = "nounwind willreturn memory(read)";

/// A type in the signature of a function that compiled code calls.
trait Passed {
    /// The same in IR text.
    const LLVM: &'static str;
}

macro_rules! passed {
    ($($llvm:literal: $([$($of:ident)*] $ty:ty),*;)*) => {$($(
        impl<$($of),*> Passed for $ty {
            const LLVM: &'static str = $llvm;
        }
    )*)*};
}

passed! {
    "void": [] ();
    "i32": [] i32;
    "i64": [] i64, [] u64;
    "float": [] f32;
    "double": [] f64;
    "ptr": [T] *const T, [T] *mut T, [T] NonNull<T>, [T] &T, [T] &mut T, [T] Option<&mut T>, [] Option<words::Combine>,
        [] sort::Comparator, [] sort::KeyOf;
}

/// Functions for compiled code: their names in IR text, what they are, their signatures, which the compiler checks, and attributes.
macro_rules! abi {
    ($($name:expr => $function:expr, ($($param:ty),*) -> $result:ty, $attributes:ident;)*) => {
        vec![$({
            let function: unsafe extern "C" fn($($param),*) -> $result = $function;
            $crate::llvm::runtime::Function {
                name: $name,
                result: <$result as $crate::llvm::runtime::Passed>::LLVM,
                params: &[$(<$param as $crate::llvm::runtime::Passed>::LLVM),*],
                attributes: $crate::llvm::runtime::$attributes,
                address: function as usize,
            }
        }),*]
    };
}
use abi;

/// The function `name`.
///
/// # Panics
/// If there is none: names are written in the emitter, where a test reaches each.
pub(crate) fn function(name: &str) -> Function {
    functions().find(|function| function.name == name).unwrap_or_else(|| panic!("no function {name}"))
}

/// All functions, for the linker.
pub(crate) fn symbols() -> Vec<Symbol> {
    functions().map(|function| Symbol::new(function.name, function.address)).collect()
}

/// All functions.
pub(crate) fn functions() -> impl Iterator<Item = Function> {
    calls::table().into_iter().chain(collected::table()).chain(math::table())
}
