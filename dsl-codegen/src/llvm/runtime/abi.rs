//! How compiled code calls functions: their signatures, and the status or null pointer by which a fault is returned.

use std::ptr::{self, NonNull};

use weldment_runtime::lang::fault::Fault;

use crate::llvm::memory::Frame;

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
pub(super) const PLAIN: &str = "nounwind";
/// Of functions on the way out.
pub(super) const COLD: &str = "nounwind cold";
/// Of functions of numbers.
pub(super) const PURE: &str = "nounwind willreturn memory(none)";
/// Of functions that read memory only.
pub(super) const READS: &str = "nounwind willreturn memory(read)";

/// A type in the signature of a function that compiled code calls.
pub(super) trait Passed {
    /// The same in IR text.
    const LLVM: &'static str;
}

/// Types, by what they are in IR text.
macro_rules! passed {
    ($($llvm:literal: $([$($of:ident)*] $ty:ty),*;)*) => {$($(
        impl<$($of),*> $crate::llvm::runtime::abi::Passed for $ty {
            const LLVM: &'static str = $llvm;
        }
    )*)*};
}
pub(super) use passed;

passed! {
    "void": [] ();
    "i32": [] i32;
    "i64": [] i64, [] u64;
    "float": [] f32;
    "double": [] f64;
    "ptr": [T] *const T, [T] *mut T, [T] NonNull<T>, [T] &T, [T] &mut T, [T] Option<&mut T>;
}

/// Functions for compiled code: their names in IR text, what they are, their signatures, which the compiler checks, and attributes.
macro_rules! abi {
    ($($name:expr => $function:expr, ($($param:ty),*) -> $result:ty, $attributes:ident;)*) => {
        vec![$({
            let function: unsafe extern "C" fn($($param),*) -> $result = $function;
            $crate::llvm::runtime::abi::Function {
                name: $name,
                result: <$result as $crate::llvm::runtime::abi::Passed>::LLVM,
                params: &[$(<$param as $crate::llvm::runtime::abi::Passed>::LLVM),*],
                attributes: $crate::llvm::runtime::abi::$attributes,
                address: function as usize,
            }
        }),*]
    };
}
pub(super) use abi;

/// The value, or null and the fault in the frame.
pub(super) fn or_null<T>(frame: &mut Frame<'_>, result: Result<*mut T, Fault>) -> *mut T {
    result.unwrap_or_else(|fault| {
        frame.fault = Some(fault);
        ptr::null_mut()
    })
}

/// 0, or 1 and the fault in the frame.
pub(super) fn status(frame: &mut Frame<'_>, result: Result<(), Fault>) -> i32 {
    match result {
        Ok(()) => 0,
        Err(fault) => {
            frame.fault = Some(fault);
            1
        }
    }
}
