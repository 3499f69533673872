//! Faults: how a running program ends when it cannot go on.
//!
//! A fault is a value, the same on every executor and at every number of threads: its kind, what was
//! wrong, and the place in the program's source.

mod causes;

use std::fmt;
use std::ops::Deref;

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
    /// `index_by` of elements of which several have one key.
    DuplicateKey,
    /// The iterators of one loop differ in their number of steps.
    ZipLengthMismatch,
    /// Arrays of different extents where they must agree, or elements that are no array of a shape.
    ShapeMismatch,
    /// `iter` or `rangeiter` with bounds or a stride that do not fit.
    BadIterator,
    /// Integer `/` or `%` by zero.
    DivisionByZero,
    /// The smallest value of a signed type, `/` or `%` by −1; or a decimal number that is too large for its type.
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
/// A fault is a pointer, so that a result of a loop is one word, and no loop keeps in memory what would be in a register: of any larger
/// type LLVM does not see that what a cold function has made is not the value that stands for `Ok`.
///
/// ```
/// use weldment_runtime::lang::fault::{Fault, FaultKind, Position};
/// let fault = Fault::new(FaultKind::DivisionByZero, "12 / 0", Position { line: 3, column: 7 });
/// assert_eq!(fault.to_string(), "division by zero: 12 / 0 (at 3:7)");
/// assert_eq!((fault.kind, fault.position.line), (FaultKind::DivisionByZero, 3));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fault(Box<Told>);

/// What a [`Fault`] tells: one derefs to this.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Told {
    /// What went wrong.
    pub kind: FaultKind,
    /// The details, without the kind: `index 7 of a vector of 3`.
    pub detail: String,
    /// Where in the program's source.
    pub position: Position,
}

impl Deref for Fault {
    type Target = Told;

    fn deref(&self) -> &Told {
        &self.0
    }
}

impl FaultKind {
    /// Every kind.
    pub const ALL: [FaultKind; 14] = [
        FaultKind::IndexOutOfBounds,
        FaultKind::KeyNotFound,
        FaultKind::DuplicateKey,
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
            FaultKind::DuplicateKey => "duplicate key",
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
            FaultKind::DuplicateKey => "DuplicateKey",
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
        Fault(Box::new(Told { kind, detail: detail.into(), position }))
    }

    /// This fault, at `position`.
    ///
    /// ```
    /// # use weldment_runtime::lang::fault::*;
    /// let fault = Fault::memory(800).at(Position { line: 3, column: 7 });
    /// assert_eq!(fault.to_string(), "memory limit: 800 bytes cannot be had (at 3:7)");
    /// ```
    pub fn at(mut self, position: Position) -> Fault {
        self.0.position = position;
        self
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
