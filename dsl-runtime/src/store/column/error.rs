//! What is no column.

use std::fmt;

/// Why something is no column, and of which row that is so.
///
/// ```
/// use weldment_runtime::store::column::Strings;
/// let error = Strings::new(&[0i64, 3, 2], b"elm").unwrap_err();
/// assert_eq!((error.row(), error.to_string()), (1, "row 1 ends at byte 2, before it begins at byte 3".to_owned()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnError {
    row: usize,
    why: Why,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Why {
    /// The first text begins in front of all bytes.
    Before(i64),
    /// A text ends in front of where it begins.
    Backwards { start: i64, end: i64 },
    /// A text ends behind all bytes.
    Behind { end: i64, bytes: usize },
    /// A text is not UTF-8.
    NoText,
    /// A text is cut within a character.
    Cut(i64),
    /// There are bits for so many rows.
    Bits(usize),
    /// There are so many bytes of bits, and so many are needed.
    FewBits { bytes: usize, needed: usize },
}

impl ColumnError {
    pub(super) fn new(row: usize, why: Why) -> ColumnError {
        ColumnError { row, why }
    }

    /// The first row of which it is so.
    pub fn row(&self) -> usize {
        self.row
    }
}

impl fmt::Display for ColumnError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ColumnError { row, why } = self;
        match why {
            Why::Before(start) => write!(f, "row {row} begins at byte {start}, in front of the first one"),
            Why::Backwards { start, end } => {
                write!(f, "row {row} ends at byte {end}, before it begins at byte {start}")
            }
            Why::Behind { end, bytes } => {
                write!(f, "row {row} ends at byte {end}, and there are {bytes} bytes")
            }
            Why::NoText => write!(f, "row {row} is not UTF-8"),
            Why::Cut(at) => write!(f, "row {row} begins at byte {at}, within a character"),
            Why::Bits(bits) => {
                write!(f, "there are bits for {bits} rows, and row {row} has none, or no value")
            }
            Why::FewBits { bytes, needed } => {
                write!(f, "row {row} has no bit: there are {bytes} bytes of bits, and {needed} are needed")
            }
        }
    }
}

impl std::error::Error for ColumnError {}
