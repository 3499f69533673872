//! A data-parallel language in Rust: closures over collections become one fused loop.

pub use weldment_runtime::fault::{Fault, FaultKind, Position};
pub use weldment_runtime::types::{Scalar, Type};
pub use weldment_runtime::value::{DictValue, Value};

#[cfg(feature = "program")]
mod program;
#[cfg(feature = "program")]
pub use program::{CompileError, CompileOptions, ErrorKind, Executable, Executor, Program};
