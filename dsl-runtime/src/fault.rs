//! Faults: how a running program ends when it cannot go on.
//!
//! A fault is a value, the same on every executor and at every number of threads: its kind, what was
//! wrong, and the place in the program's source.

use std::fmt;

use crate::types::Type;

/// What went wrong.
///
/// ```
/// use weldment_runtime::fault::FaultKind;
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
    /// `deserialize` of bytes that are too few, too many or not what was asked for.
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
/// use weldment_runtime::fault::Position;
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
/// use weldment_runtime::fault::{Fault, FaultKind, Position};
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
    pub const ALL: [FaultKind; 12] = [
        FaultKind::IndexOutOfBounds,
        FaultKind::KeyNotFound,
        FaultKind::ZipLengthMismatch,
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
    /// # use weldment_runtime::fault::*;
    /// assert_eq!(FaultKind::DivisionByZero.words(), "division by zero");
    /// ```
    pub fn words(self) -> &'static str {
        match self {
            FaultKind::IndexOutOfBounds => "index out of bounds",
            FaultKind::KeyNotFound => "key not found",
            FaultKind::ZipLengthMismatch => "zip length mismatch",
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
    /// # use weldment_runtime::fault::*;
    /// assert_eq!(FaultKind::DivisionByZero.name(), "DivisionByZero");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            FaultKind::IndexOutOfBounds => "IndexOutOfBounds",
            FaultKind::KeyNotFound => "KeyNotFound",
            FaultKind::ZipLengthMismatch => "ZipLengthMismatch",
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
    #[cold]
    pub fn index(index: i128, len: usize, position: Position) -> Fault {
        of(FaultKind::IndexOutOfBounds, format_args!("index {index} of a vector of {len}"), position)
    }

    /// A slice that starts outside a vector of length `len`, or whose size is negative.
    #[cold]
    pub fn slice(start: i128, size: i128, len: usize, position: Position) -> Fault {
        let detail = format_args!("slice from {start} of size {size} of a vector of {len}");
        of(FaultKind::IndexOutOfBounds, detail, position)
    }

    /// A key that is not in a dictionary of `len` keys. Keys may be of any type and size, so the text does not
    /// show them.
    #[cold]
    pub fn missing_key(len: usize, position: Position) -> Fault {
        let detail = format_args!("not among the {len} keys of the dictionary");
        of(FaultKind::KeyNotFound, detail, position)
    }

    /// A division, or a remainder, that faults.
    #[cold]
    pub fn division(kind: FaultKind, dividend: i128, divisor: i128, position: Position) -> Fault {
        of(kind, format_args!("{dividend} / {divisor}"), position)
    }

    /// An `iter` that does not fit its vector.
    #[cold]
    pub fn iter(start: i64, end: i64, stride: i64, len: i64, position: Position) -> Fault {
        let detail = format_args!("iter from {start} to {end} by {stride} over a vector of {len}");
        of(FaultKind::BadIterator, detail, position)
    }

    /// A `rangeiter` whose bounds and stride do not fit.
    #[cold]
    pub fn range(start: i64, end: i64, stride: i64, position: Position) -> Fault {
        of(FaultKind::BadIterator, format_args!("rangeiter from {start} to {end} by {stride}"), position)
    }

    /// Iterators of one loop with `first` and `other` steps.
    #[cold]
    pub fn zip(first: i64, other: i64, position: Position) -> Fault {
        of(FaultKind::ZipLengthMismatch, format_args!("{first} and {other}"), position)
    }

    /// An assertion that does not hold.
    #[cold]
    pub fn assertion(position: Position) -> Fault {
        of(FaultKind::AssertionFailed, format_args!(""), position)
    }

    /// A reduction of nothing.
    #[cold]
    pub fn empty(position: Position) -> Fault {
        of(FaultKind::EmptyReduction, format_args!(""), position)
    }

    /// Bytes that end inside a `ty`.
    #[cold]
    pub fn too_few_bytes(ty: &Type, position: Position) -> Fault {
        of(FaultKind::DeserializeError, format_args!("too few bytes for {ty}"), position)
    }

    /// Bytes that go on after a whole `ty`.
    #[cold]
    pub fn bytes_left(left: usize, ty: &Type, position: Position) -> Fault {
        of(FaultKind::DeserializeError, format_args!("bytes left after {ty}: {left}"), position)
    }

    /// Memory that could not be had: `bytes` more were asked for.
    #[cold]
    pub fn memory(bytes: usize) -> Fault {
        of(FaultKind::MemoryLimit, format_args!("{bytes} bytes cannot be had"), Position::default())
    }

    /// Memory that the options do not allow: `bytes` more than a run holds already would exceed `limit`.
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
    #[cold]
    pub fn argument_count(found: usize, takes: usize) -> Fault {
        of(
            FaultKind::BadArguments,
            format_args!("the program takes {takes}, given {found}"),
            Position::default(),
        )
    }

    /// An argument, counted from 1, that is not of its parameter's type.
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
