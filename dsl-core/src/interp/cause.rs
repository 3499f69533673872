//! Why an op faults, before its place in the source is known.

use weldment_runtime::lang::fault::{Fault, FaultKind, Position};
use weldment_runtime::lang::types::Type;

/// A fault without its place. The texts are the runtime's, which every executor uses.
#[derive(Debug, PartialEq)]
pub(super) struct Cause(Fault);

const NOWHERE: Position = Position { line: 0, column: 0 };

impl Cause {
    /// The fault at `position`.
    pub(super) fn at(self, position: Position) -> Fault {
        self.0.at(position)
    }

    pub(super) fn index(index: i128, len: usize) -> Cause {
        Cause(Fault::index(index, len, NOWHERE))
    }

    pub(super) fn slice(start: i128, size: i128, len: usize) -> Cause {
        Cause(Fault::slice(start, size, len, NOWHERE))
    }

    pub(super) fn missing_key(len: usize) -> Cause {
        Cause(Fault::missing_key(len, NOWHERE))
    }

    pub(super) fn division(kind: FaultKind, dividend: i128, divisor: i128) -> Cause {
        Cause(Fault::division(kind, dividend, divisor, NOWHERE))
    }

    /// The numbers are `i64`s, here and in the next two.
    pub(super) fn iter(start: i128, end: i128, stride: i128, len: i128) -> Cause {
        let [start, end, stride, len] = [start, end, stride, len].map(|number| number as i64);
        Cause(Fault::iter(start, end, stride, len, NOWHERE))
    }

    pub(super) fn range(start: i128, end: i128, stride: i128) -> Cause {
        let [start, end, stride] = [start, end, stride].map(|number| number as i64);
        Cause(Fault::range(start, end, stride, NOWHERE))
    }

    pub(super) fn units(units: i128, digits: i64) -> Cause {
        Cause(Fault::units(units, digits, NOWHERE))
    }

    pub(super) fn zip(first: i128, other: i128) -> Cause {
        Cause(Fault::zip(first as i64, other as i64, NOWHERE))
    }

    pub(super) fn extents(first: i128, other: i128) -> Cause {
        Cause(Fault::extents(first as i64, other as i64, NOWHERE))
    }

    pub(super) fn argument(extent: i128, wanted: i128) -> Cause {
        Cause(Fault::argument(extent as i64, wanted as i64, NOWHERE))
    }

    pub(super) fn duplicate_key(keys: i128, elements: i128) -> Cause {
        Cause(Fault::duplicate_key(keys as i64, elements as i64, NOWHERE))
    }

    pub(super) fn shape(elements: i128, points: i128) -> Cause {
        Cause(Fault::shape(elements as i64, points as i64, NOWHERE))
    }

    pub(super) fn no_shape(extent: i128) -> Cause {
        Cause(Fault::no_shape(extent as i64, NOWHERE))
    }

    pub(super) fn coordinate(coordinate: i128, range: [i128; 3]) -> Cause {
        Cause(Fault::coordinate(coordinate as i64, range.map(|number| number as i64), NOWHERE))
    }

    pub(super) fn no_stride(stride: i64) -> Cause {
        Cause(Fault::no_stride(stride, NOWHERE))
    }

    pub(super) fn assertion() -> Cause {
        Cause(Fault::assertion(NOWHERE))
    }

    pub(super) fn empty() -> Cause {
        Cause(Fault::empty(NOWHERE))
    }

    pub(super) fn too_few_bytes(ty: &Type) -> Cause {
        Cause(Fault::too_few_bytes(ty, NOWHERE))
    }

    pub(super) fn bytes_of_no_text() -> Cause {
        Cause(Fault::bytes_of_no_text(NOWHERE))
    }

    pub(super) fn bytes_of_no_array(ty: &Type) -> Cause {
        Cause(Fault::bytes_of_no_array(ty, NOWHERE))
    }

    pub(super) fn bytes_left(left: usize, ty: &Type) -> Cause {
        Cause(Fault::bytes_left(left, ty, NOWHERE))
    }
}
