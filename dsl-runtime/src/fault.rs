//! Faults: how a running program ends when it cannot go on.
//!
//! A fault is a value, the same on every executor and at every number of threads: its kind, what was
//! wrong, and the place in the program's source.

use std::fmt;

/// What went wrong.
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
}

/// A place in the source of a program: line and column, both from 1, columns in characters.
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
    pub const ALL: [FaultKind; 11] = [
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
    ];

    /// The kind in words, with which a fault's text begins.
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
        }
    }

    /// The name of the variant, as tools print it: `IndexOutOfBounds`.
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
