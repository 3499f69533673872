//! Why an op faults, before its place in the source is known.

use weldment_runtime::fault::{Fault, FaultKind, Position};
use weldment_runtime::types::Type;

/// A fault without its place.
#[derive(Debug, PartialEq)]
pub(super) struct Cause {
    kind: FaultKind,
    detail: String,
}

impl Cause {
    fn new(kind: FaultKind, detail: impl Into<String>) -> Cause {
        Cause { kind, detail: detail.into() }
    }

    /// The fault at `position`.
    pub(super) fn at(self, position: Position) -> Fault {
        Fault::new(self.kind, self.detail, position)
    }

    pub(super) fn index(index: i128, len: usize) -> Cause {
        Cause::new(FaultKind::IndexOutOfBounds, format!("index {index} of a vector of {len}"))
    }

    pub(super) fn slice(start: i128, size: i128, len: usize) -> Cause {
        let detail = format!("slice from {start} of size {size} of a vector of {len}");
        Cause::new(FaultKind::IndexOutOfBounds, detail)
    }

    /// Keys may be of any type and size, so the text does not show them.
    pub(super) fn missing_key(len: usize) -> Cause {
        Cause::new(FaultKind::KeyNotFound, format!("not among the {len} keys of the dictionary"))
    }

    pub(super) fn division(kind: FaultKind, dividend: i128, divisor: i128) -> Cause {
        Cause::new(kind, format!("{dividend} / {divisor}"))
    }

    pub(super) fn iter(start: i128, end: i128, stride: i128, len: i128) -> Cause {
        let detail = format!("iter from {start} to {end} by {stride} over a vector of {len}");
        Cause::new(FaultKind::BadIterator, detail)
    }

    pub(super) fn range(start: i128, end: i128, stride: i128) -> Cause {
        Cause::new(FaultKind::BadIterator, format!("rangeiter from {start} to {end} by {stride}"))
    }

    pub(super) fn zip(first: i128, other: i128) -> Cause {
        Cause::new(FaultKind::ZipLengthMismatch, format!("{first} and {other}"))
    }

    pub(super) fn assertion() -> Cause {
        Cause::new(FaultKind::AssertionFailed, "")
    }

    pub(super) fn empty() -> Cause {
        Cause::new(FaultKind::EmptyReduction, "")
    }

    pub(super) fn too_few_bytes(ty: &Type) -> Cause {
        Cause::new(FaultKind::DeserializeError, format!("too few bytes for {ty}"))
    }

    pub(super) fn bytes_left(left: usize, ty: &Type) -> Cause {
        Cause::new(FaultKind::DeserializeError, format!("bytes left after {ty}: {left}"))
    }
}
