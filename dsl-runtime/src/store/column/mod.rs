//! Columns as Arrow has them: what programs take where it lies, and give.

mod error;
mod nullable;
mod strings;

pub use error::ColumnError;
pub use nullable::{Bits, Nullable, nullable_of};
pub use strings::{Offset, Strings, strings_of};
