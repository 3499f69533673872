//! Faults: how a running program ends when it cannot go on.
//!
//! A fault is a value, the same on every executor and at every number of threads: its kind, what was
//! wrong, and the place in the program's source.

use std::fmt;

use crate::lang::domain::{MOST_POINTS, Range};
use crate::lang::types::Type;

/// What went wrong.
///
/// ```
/// use weldment_runtime::lang::fault::FaultKind;
/// assert_eq!(FaultKind::KeyNotFound.words(), "key not found");
/// assert_eq!(FaultKind::KeyNotFound.name(), "KeyNotFound");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// `lookup` or `slice` outside a vector, or a merge outside a `vecmerger`.
    IndexOutOfBounds,
    /// `lookup` of a key that the dictionary does not hold.
    KeyNotFound,
    /// The iterators of one loop differ in their number of steps.
    ZipLengthMismatch,
    /// Arrays of different extents where they must agree, or elements that are no array of a shape.
    ShapeMismatch,
    /// `iter` or `rangeiter` with bounds or a stride that do not fit.
    BadIterator,
    /// Integer `/` or `%` by zero.
    DivisionByZero,
    /// The smallest value of a signed type, `/` or `%` by −1.
    Overflow,
    /// `min`, `max`, `reduce`, `argmin` or `argmax` of nothing.
    EmptyReduction,
    /// `assert` of a condition that is false.
    AssertionFailed,
    /// `deserialize` of bytes that are too few or too many.
    DeserializeError,
    /// More memory was needed than the options allow.
    MemoryLimit,
    /// The caller cancelled the run.
    Cancelled,
    /// The program was given arguments that it does not take: too few or too many, or of other types. Nothing has run.
    BadArguments,
}

/// A place in the source of a program: line and column, both from 1, columns in characters.
///
/// ```
/// use weldment_runtime::lang::fault::Position;
/// assert_eq!(Position { line: 3, column: 7 }.to_string(), "3:7");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Position {
    /// The line, from 1; 0 if the place is not known.
    pub line: u32,
    /// The column in characters, from 1.
    pub column: u32,
}

/// A run-time fault: its kind, its details and its place.
///
/// ```
/// use weldment_runtime::lang::fault::{Fault, FaultKind, Position};
/// let fault = Fault::new(FaultKind::DivisionByZero, "12 / 0", Position { line: 3, column: 7 });
/// assert_eq!(fault.to_string(), "division by zero: 12 / 0 (at 3:7)");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault {
    /// What went wrong.
    pub kind: FaultKind,
    /// The details, without the kind: `index 7 of a vector of 3`.
    pub detail: String,
    /// Where in the program's source.
    pub position: Position,
}

impl FaultKind {
    /// Every kind.
    pub const ALL: [FaultKind; 13] = [
        FaultKind::IndexOutOfBounds,
        FaultKind::KeyNotFound,
        FaultKind::ZipLengthMismatch,
        FaultKind::ShapeMismatch,
        FaultKind::BadIterator,
        FaultKind::DivisionByZero,
        FaultKind::Overflow,
        FaultKind::EmptyReduction,
        FaultKind::AssertionFailed,
        FaultKind::DeserializeError,
        FaultKind::MemoryLimit,
        FaultKind::Cancelled,
        FaultKind::BadArguments,
    ];

    /// The kind in words, with which a fault's text begins.
    ///
    /// ```
    /// # use weldment_runtime::lang::fault::*;
    /// assert_eq!(FaultKind::DivisionByZero.words(), "division by zero");
    /// ```
    pub fn words(self) -> &'static str {
        match self {
            FaultKind::IndexOutOfBounds => "index out of bounds",
            FaultKind::KeyNotFound => "key not found",
            FaultKind::ZipLengthMismatch => "zip length mismatch",
            FaultKind::ShapeMismatch => "shape mismatch",
            FaultKind::BadIterator => "bad iterator",
            FaultKind::DivisionByZero => "division by zero",
            FaultKind::Overflow => "overflow",
            FaultKind::EmptyReduction => "empty reduction",
            FaultKind::AssertionFailed => "assertion failed",
            FaultKind::DeserializeError => "deserialize error",
            FaultKind::MemoryLimit => "memory limit",
            FaultKind::Cancelled => "cancelled",
            FaultKind::BadArguments => "bad arguments",
        }
    }

    /// The name of the variant, as tools print it: `IndexOutOfBounds`.
    ///
    /// ```
    /// # use weldment_runtime::lang::fault::*;
    /// assert_eq!(FaultKind::DivisionByZero.name(), "DivisionByZero");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::IndexOutOfBounds => "IndexOutOfBounds",
            FaultKind::KeyNotFound => "KeyNotFound",
            FaultKind::ZipLengthMismatch => "ZipLengthMismatch",
            FaultKind::ShapeMismatch => "ShapeMismatch",
            FaultKind::BadIterator => "BadIterator",
            FaultKind::DivisionByZero => "DivisionByZero",
            FaultKind::Overflow => "Overflow",
            FaultKind::EmptyReduction => "EmptyReduction",
            FaultKind::AssertionFailed => "AssertionFailed",
            FaultKind::DeserializeError => "DeserializeError",
            FaultKind::MemoryLimit => "MemoryLimit",
            FaultKind::Cancelled => "Cancelled",
            FaultKind::BadArguments => "BadArguments",
        }
    }
}

impl Fault {
    /// A fault of `kind` at `position`; `detail` says what was wrong, and may be empty.
    ///
    /// ```
    /// # use weldment_runtime::lang::fault::*;
    /// # let position = Position { line: 3, column: 7 };
    /// let fault = Fault::new(FaultKind::AssertionFailed, "", position);
    /// assert_eq!(fault.to_string(), "assertion failed (at 3:7)");
    /// ```
    #[cold]
    pub fn new(kind: FaultKind, detail: impl Into<String>, position: Position) -> Fault {
        Fault { kind, detail: detail.into(), position }
    }
}

#[cold]
fn of(kind: FaultKind, detail: fmt::Arguments<'_>, position: Position) -> Fault {
    Fault { kind, detail: detail.to_string(), position }
}

/// What each operation says when it faults: one text, whichever executor runs it.
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
        Fault { kind: FaultKind::IndexOutOfBounds, detail, position }
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

impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.kind.words())?;
        if !self.detail.is_empty() {
            write!(f, ": {}", self.detail)?;
        }
        if self.position.line > 0 {
            write!(f, " (at {})", self.position)?;
        }
        Ok(())
    }
}

impl std::error::Error for Fault {}

/// The fault of an index that is not below `len`.
#[cold]
#[inline(never)]
pub(crate) fn outside<I: Into<i128>>(index: I, len: usize, line: u32, column: u32) -> Fault {
    Fault::index(index.into(), len, Position { line, column })
}
