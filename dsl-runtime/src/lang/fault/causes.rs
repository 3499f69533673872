//! What each operation says when it faults, and what is said of arguments: one text, whichever executor runs it.

use std::fmt;

use super::{Fault, FaultKind, Position};
use crate::lang::decimal::{self, Scale};
use crate::lang::domain::{MOST_POINTS, Range};
use crate::lang::types::Type;

#[cold]
fn of(kind: FaultKind, detail: fmt::Arguments<'_>, position: Position) -> Fault {
    Fault::new(kind, detail.to_string(), position)
}

/// What each operation says.
impl Fault {
    /// An index that is not inside a vector of length `len`.
    ///
    /// ```
    /// # use weldment_runtime::lang::fault::*;
    /// # let position = Position { line: 3, column: 7 };
    /// let fault = Fault::index(-1, 3, position);
    /// assert_eq!(fault.to_string(), "index out of bounds: index -1 of a vector of 3 (at 3:7)");
    /// ```
    #[cold]
    pub fn index(index: i128, len: usize, position: Position) -> Fault {
        of(FaultKind::IndexOutOfBounds, format_args!("index {index} of a vector of {len}"), position)
    }

    /// A slice that starts outside a vector of length `len`, or whose size is negative.
    ///
    /// ```
    /// # use weldment_runtime::lang::fault::*;
    /// # let position = Position { line: 3, column: 7 };
    /// let fault = Fault::slice(4, 2, 3, position);
    /// assert_eq!(fault.detail, "slice from 4 of size 2 of a vector of 3");
    /// ```
    #[cold]
    pub fn slice(start: i128, size: i128, len: usize, position: Position) -> Fault {
        let detail = format_args!("slice from {start} of size {size} of a vector of {len}");
        of(FaultKind::IndexOutOfBounds, detail, position)
    }

    /// A key that is not in a dictionary of `len` keys. Keys may be of any type and size, so the text does not
    /// show them.
    ///
    /// ```
    /// # use weldment_runtime::lang::fault::*;
    /// # let position = Position { line: 3, column: 7 };
    /// let fault = Fault::missing_key(2, position);
    /// assert_eq!(fault.to_string(), "key not found: not among the 2 keys of the dictionary (at 3:7)");
    /// ```
    #[cold]
    pub fn missing_key(len: usize, position: Position) -> Fault {
        let detail = format_args!("not among the {len} keys of the dictionary");
        of(FaultKind::KeyNotFound, detail, position)
    }

    /// A dictionary of `keys` keys, which was to have one for each of `elements`. Keys may be of any type and size, so the text does
    /// not show them.
    ///
    /// ```
    /// # use weldment_runtime::lang::fault::*;
    /// # let position = Position { line: 3, column: 7 };
    /// assert_eq!(Fault::duplicate_key(2, 3, position).to_string(), "duplicate key: 3 elements, but 2 keys (at 3:7)");
    /// ```
    #[cold]
    pub fn duplicate_key(keys: i64, elements: i64, position: Position) -> Fault {
        of(FaultKind::DuplicateKey, format_args!("{elements} elements, but {keys} keys"), position)
    }

    /// A division, or a remainder, that faults.
    ///
    /// ```
    /// # use weldment_runtime::lang::fault::*;
    /// # let position = Position { line: 3, column: 7 };
    /// let fault = Fault::division(FaultKind::Overflow, -128, -1, position);
    /// assert_eq!(fault.to_string(), "overflow: -128 / -1 (at 3:7)");
    /// ```
    #[cold]
    pub fn division(kind: FaultKind, dividend: i128, divisor: i128, position: Position) -> Fault {
        of(kind, format_args!("{dividend} / {divisor}"), position)
    }

    /// So many units of a decimal number with `digits` digits behind the point, where an i64 has no room for them.
    ///
    /// ```
    /// # use weldment_runtime::lang::fault::*;
    /// # let position = Position { line: 3, column: 7 };
    /// let fault = Fault::units(-(1 << 64), 2, position);
    /// assert_eq!(fault.to_string(), "overflow: -184467440737095516.16 is no `Fixed<2>` (at 3:7)");
    /// ```
    #[cold]
    pub fn units(units: i128, digits: i64, position: Position) -> Fault {
        // There are no other types.
        let scale = u32::try_from(digits).ok().and_then(Scale::new).expect("a scale");
        let mut detail = String::new();
        let _ = decimal::show(units, scale, &mut detail);
        of(FaultKind::Overflow, format_args!("{detail} is no `{}`", scale.name()), position)
    }

    /// An `iter` that does not fit its vector.
    ///
    /// ```
    /// # use weldment_runtime::lang::fault::*;
    /// # let position = Position { line: 3, column: 7 };
    /// let fault = Fault::iter(0, 8, 2, 6, position);
    /// assert_eq!((fault.kind, &*fault.detail), (FaultKind::BadIterator, "iter from 0 to 8 by 2 over a vector of 6"));
    /// ```
    #[cold]
    pub fn iter(start: i64, end: i64, stride: i64, len: i64, position: Position) -> Fault {
        let detail = format_args!("iter from {start} to {end} by {stride} over a vector of {len}");
        of(FaultKind::BadIterator, detail, position)
    }

    /// A `rangeiter` whose bounds and stride do not fit.
    ///
    /// ```
    /// # use weldment_runtime::lang::fault::*;
    /// # let position = Position { line: 3, column: 7 };
    /// assert_eq!(Fault::range(0, 5, 0, position).to_string(), "bad iterator: rangeiter from 0 to 5 by 0 (at 3:7)");
    /// ```
    #[cold]
    pub fn range(start: i64, end: i64, stride: i64, position: Position) -> Fault {
        of(FaultKind::BadIterator, format_args!("rangeiter from {start} to {end} by {stride}"), position)
    }

    /// Iterators of one loop with `first` and `other` steps.
    ///
    /// ```
    /// # use weldment_runtime::lang::fault::*;
    /// # let position = Position { line: 3, column: 7 };
    /// assert_eq!(Fault::zip(3, 4, position).to_string(), "zip length mismatch: 3 and 4 (at 3:7)");
    /// ```
    #[cold]
    pub fn zip(first: i64, other: i64, position: Position) -> Fault {
        of(FaultKind::ZipLengthMismatch, format_args!("{first} and {other}"), position)
    }

    /// Arrays whose axes have the extents `first` and `other` where they should be equal.
    ///
    /// ```
    /// # use weldment_runtime::lang::fault::*;
    /// # let position = Position { line: 3, column: 7 };
    /// assert_eq!(Fault::extents(3, 4, position).to_string(), "shape mismatch: extents 3 and 4 (at 3:7)");
    /// ```
    #[cold]
    pub fn extents(first: i64, other: i64, position: Position) -> Fault {
        of(FaultKind::ShapeMismatch, format_args!("extents {first} and {other}"), position)
    }

    /// An array along one of whose axes there are `extent` elements, where the type of the parameter says `wanted`.
    ///
    /// ```
    /// # use weldment_runtime::lang::fault::*;
    /// # let position = Position { line: 3, column: 7 };
    /// assert_eq!(Fault::argument(5, 6, position).detail, "an extent of 5, where the type says 6");
    /// ```
    #[cold]
    pub fn argument(extent: i64, wanted: i64, position: Position) -> Fault {
        of(
            FaultKind::BadArguments,
            format_args!("an extent of {extent}, where the type says {wanted}"),
            position,
        )
    }

    /// `elements` that are no array of `points`.
    ///
    /// ```
    /// # use weldment_runtime::lang::fault::*;
    /// # let position = Position { line: 3, column: 7 };
    /// assert_eq!(Fault::shape(3, 4, position).to_string(), "shape mismatch: 3 elements, for a shape of 4 (at 3:7)");
    /// ```
    #[cold]
    pub fn shape(elements: i64, points: i64, position: Position) -> Fault {
        of(FaultKind::ShapeMismatch, format_args!("{elements} elements, for a shape of {points}"), position)
    }

    /// A result of this `shape`, which was to be written to one of another.
    ///
    /// ```
    /// # use weldment_runtime::lang::fault::*;
    /// let fault = Fault::other_shape(&[2, 3], &[3]);
    /// assert_eq!(fault.to_string(), "shape mismatch: a result of shape [2, 3], to be written to a shape of [3]");
    /// ```
    #[cold]
    pub fn other_shape(shape: &[usize], wanted: &[usize]) -> Fault {
        let detail = format_args!("a result of shape {shape:?}, to be written to a shape of {wanted:?}");
        of(FaultKind::ShapeMismatch, detail, Position::default())
    }

    /// A shape with an extent that no array has.
    ///
    /// ```
    /// # use weldment_runtime::lang::fault::*;
    /// # let position = Position { line: 3, column: 7 };
    /// assert_eq!(Fault::no_shape(-1, position).detail, "an extent of -1, where 0 to 281474976710656 points can be");
    /// ```
    #[cold]
    pub fn no_shape(extent: i64, position: Position) -> Fault {
        let detail = format_args!("an extent of {extent}, where 0 to {MOST_POINTS} points can be");
        of(FaultKind::ShapeMismatch, detail, position)
    }

    /// A step of less than 1, or so many coordinates that they cannot be counted.
    ///
    /// ```
    /// # use weldment_runtime::lang::fault::*;
    /// # let position = Position { line: 3, column: 7 };
    /// assert_eq!(Fault::no_stride(0, position).to_string(), "index out of bounds: a step of 0 (at 3:7)");
    /// ```
    #[cold]
    pub fn no_stride(stride: i64, position: Position) -> Fault {
        of(FaultKind::IndexOutOfBounds, format_args!("a step of {stride}"), position)
    }

    /// A coordinate that is none of the `extent` ones from `lower` on in steps of `step`.
    ///
    /// ```
    /// # use weldment_runtime::lang::fault::*;
    /// # let position = Position { line: 3, column: 7 };
    /// let fault = Fault::coordinate(3, [0, 1, 3], position);
    /// assert_eq!(fault.to_string(), "index out of bounds: index 3 of an axis 0..3 (at 3:7)");
    /// assert_eq!(Fault::coordinate(3, [0, 2, 3], position).detail, "index 3 of an axis 0..5 step 2");
    /// ```
    #[cold]
    pub fn coordinate(coordinate: i64, [lower, step, extent]: [i64; 3], position: Position) -> Fault {
        let detail = match Range::new(lower, step, extent as u64) {
            Some(range) => format!("index {coordinate} of an axis {range}"),
            None => format!("index {coordinate}"),
        };
        Fault::new(FaultKind::IndexOutOfBounds, detail, position)
    }

    /// An assertion that does not hold.
    ///
    /// ```
    /// # use weldment_runtime::lang::fault::*;
    /// # let position = Position { line: 3, column: 7 };
    /// assert_eq!(Fault::assertion(position).to_string(), "assertion failed (at 3:7)");
    /// ```
    #[cold]
    pub fn assertion(position: Position) -> Fault {
        of(FaultKind::AssertionFailed, format_args!(""), position)
    }

    /// A reduction of nothing.
    ///
    /// ```
    /// # use weldment_runtime::lang::fault::*;
    /// # let position = Position { line: 3, column: 7 };
    /// assert_eq!(Fault::empty(position).to_string(), "empty reduction (at 3:7)");
    /// ```
    #[cold]
    pub fn empty(position: Position) -> Fault {
        of(FaultKind::EmptyReduction, format_args!(""), position)
    }

    /// Bytes that end inside a `ty`.
    ///
    /// ```
    /// # use weldment_runtime::lang::fault::*;
    /// # let position = Position { line: 3, column: 7 };
    /// use weldment_runtime::lang::types::Type;
    /// assert_eq!(Fault::too_few_bytes(&Type::F64, position).detail, "too few bytes for f64");
    /// ```
    #[cold]
    pub fn too_few_bytes(ty: &Type, position: Position) -> Fault {
        of(FaultKind::DeserializeError, format_args!("too few bytes for {ty}"), position)
    }

    /// Bytes that go on after a whole `ty`.
    ///
    /// ```
    /// # use weldment_runtime::lang::fault::*;
    /// # let position = Position { line: 3, column: 7 };
    /// use weldment_runtime::lang::types::Type;
    /// assert_eq!(Fault::bytes_left(1, &Type::F64, position).detail, "bytes left after f64: 1");
    /// ```
    #[cold]
    pub fn bytes_left(left: usize, ty: &Type, position: Position) -> Fault {
        of(FaultKind::DeserializeError, format_args!("bytes left after {ty}: {left}"), position)
    }

    /// Bytes that tell more or fewer elements of a `ty`, an array, than points, or points that there cannot be.
    ///
    /// ```
    /// # use weldment_runtime::lang::fault::*;
    /// # use weldment_runtime::lang::types::Type;
    /// let fault = Fault::bytes_of_no_array(&Type::F64, Position { line: 3, column: 7 });
    /// assert_eq!(fault.detail, "f64 has not an element for each point");
    /// ```
    #[cold]
    pub fn bytes_of_no_array(ty: &Type, position: Position) -> Fault {
        of(FaultKind::DeserializeError, format_args!("{ty} has not an element for each point"), position)
    }

    /// Bytes in which a text is not UTF-8.
    ///
    /// ```
    /// # use weldment_runtime::lang::fault::*;
    /// let fault = Fault::bytes_of_no_text(Position { line: 3, column: 7 });
    /// assert_eq!(fault.detail, "str is not UTF-8");
    /// ```
    #[cold]
    pub fn bytes_of_no_text(position: Position) -> Fault {
        of(FaultKind::DeserializeError, format_args!("{} is not UTF-8", Type::text()), position)
    }

    /// Memory that could not be had: `bytes` more were asked for.
    ///
    /// ```
    /// # use weldment_runtime::lang::fault::*;
    /// assert_eq!(Fault::memory(800).to_string(), "memory limit: 800 bytes cannot be had"); // no place
    /// ```
    #[cold]
    pub fn memory(bytes: usize) -> Fault {
        of(FaultKind::MemoryLimit, format_args!("{bytes} bytes cannot be had"), Position::default())
    }

    /// Memory that the options do not allow: `bytes` more than a run holds already would exceed `limit`.
    ///
    /// ```
    /// # use weldment_runtime::lang::fault::*;
    /// assert_eq!(Fault::over_limit(800, 500).to_string(), "memory limit: 800 bytes more would exceed 500");
    /// ```
    #[cold]
    pub fn over_limit(bytes: u64, limit: u64) -> Fault {
        of(
            FaultKind::MemoryLimit,
            format_args!("{bytes} bytes more would exceed {limit}"),
            Position::default(),
        )
    }
}

/// What is said of arguments, before anything runs.
impl Fault {
    /// Another number of arguments than the program takes.
    ///
    /// ```
    /// # use weldment_runtime::lang::fault::*;
    /// assert!(Fault::argument_count(1, 2).to_string().contains("the program takes 2, given 1"));
    /// ```
    #[cold]
    pub fn argument_count(found: usize, takes: usize) -> Fault {
        of(
            FaultKind::BadArguments,
            format_args!("the program takes {takes}, given {found}"),
            Position::default(),
        )
    }

    /// An argument, counted from 1, that is not of its parameter's type.
    ///
    /// ```
    /// # use weldment_runtime::lang::fault::*;
    /// # use weldment_runtime::lang::types::Type;
    /// let fault = Fault::argument_type(2, &Type::vec(Type::F64));
    /// assert!(fault.to_string().contains("argument 2 is not of type vec[f64]"));
    /// ```
    #[cold]
    pub fn argument_type(number: usize, ty: &Type) -> Fault {
        of(
            FaultKind::BadArguments,
            format_args!("argument {number} is not of type {ty}"),
            Position::default(),
        )
    }
}
