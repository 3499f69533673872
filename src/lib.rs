//! The facade.

#[cfg(feature = "program")]
pub use weldment_runtime::{
    fault::{Fault, FaultKind, Position},
    types::{Scalar, Type},
    value::{DictValue, Value},
};
