//! A data-parallel language in Rust: closures over collections become one fused loop.

pub use weldment_runtime::dict::Dict;
pub use weldment_runtime::fault::{Fault, FaultKind, Position};
pub use weldment_runtime::kernel::{Kernel, With};
pub use weldment_runtime::options::{Cancel, Options, Progress};
pub use weldment_runtime::types::{Scalar, Type};
pub use weldment_runtime::value::{DictValue, Value};

/// Compiles a program, a closure over scalars and collections, to one fused loop: a [`Kernel`].
///
/// ```
/// use weldment::weld;
///
/// let norm = weld!(|x: &[f64]| x.map(|x| x * x).sum().sqrt());
/// assert_eq!(norm(&[3.0, 4.0]), 5.0);
/// ```
#[macro_export]
macro_rules! weld {
    ($($program:tt)*) => { $crate::__private::weld!($crate; $($program)*) };
}

/// What emitted code names. Nothing here is for users, and all of it may change.
#[doc(hidden)]
pub mod __private {
    pub use core::clone::Clone;
    pub use core::option::Option::{self, None, Some};
    pub use core::result::Result::{self, Ok};
    pub use std::vec::Vec;

    pub use weldment_macros::weld;
    pub use weldment_runtime as rt;
}

/// The examples of the README.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

#[cfg(feature = "program")]
mod program;
#[cfg(feature = "program")]
pub use program::{
    Account, CompileError, CompileOptions, ErrorKind, Executable, Executor, Explanation, Form, Fused,
    Program, Refused, Stage, ToProgram, TypeMismatch,
};
#[cfg(feature = "program")]
pub use weldment_runtime::{
    args::{Argument, Arguments},
    element::Element,
};
