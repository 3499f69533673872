//! Texts as their bytes, one behind the other, and where each begins.

use std::borrow::Cow;
use std::fmt;

use super::error::{ColumnError, Why};
use crate::lang::text;
use crate::lang::types::Scalar;

/// A type of offsets: `i32` or `i64`.
pub trait Offset: Copy + Ord + fmt::Debug + Into<i64> + sealed::Sealed + Send + Sync + 'static {
    /// Its name in programs.
    const SCALAR: Scalar;
}

mod sealed {
    /// Programs know these types of offsets, and no others.
    pub trait Sealed {}

    impl Sealed for i32 {}
    impl Sealed for i64 {}
}

impl Offset for i32 {
    const SCALAR: Scalar = Scalar::I32;
}

impl Offset for i64 {
    const SCALAR: Scalar = Scalar::I64;
}

/// A column of texts as Arrow has it: the bytes of all of them, and where each begins and the last one ends. It is borrowed or owned, and looked at once,
/// when it is made: its texts are UTF-8 and lie within the bytes. Offsets are `i64`, or those of `Strings<'a, i32>`.
///
/// ```
/// use weldment_runtime::store::column::Strings;
/// let (offsets, bytes) = ([0i64, 3, 3, 6], b"elmash".to_vec());
/// let names = Strings::new(&offsets, &bytes).expect("a column");
/// assert_eq!((names.len(), names.get(2), names.get(3)), (3, Some("ash"), None));
/// assert_eq!(names.iter().collect::<Vec<_>>(), ["elm", "", "ash"]);
/// let copied: Strings = names.iter().collect();
/// assert_eq!((copied.offsets(), copied.bytes()), (&offsets[..], &bytes[..]));
/// ```
#[derive(Clone)]
pub struct Strings<'a, O: Offset = i64> {
    // Each is followed by one that is not less, and the last is no greater than the number of bytes: compiled programs rest on it.
    pub(crate) offsets: Cow<'a, [O]>,
    pub(crate) bytes: Cow<'a, [u8]>,
}

impl<'a, O: Offset> Strings<'a, O> {
    /// The texts between each offset and the next one: one fewer than there are offsets, and none if there are no offsets. The first offset need not be 0, so
    /// that a part of a column is one as well.
    ///
    /// # Errors
    /// The first row that ends before it begins, or behind all bytes, that is cut within a character, or is not UTF-8.
    ///
    /// ```
    /// # use weldment_runtime::store::column::Strings;
    /// let halves = Strings::new(&[0, 1, 2], "é".as_bytes()).unwrap_err();
    /// assert_eq!(halves.to_string(), "row 1 begins at byte 1, within a character");
    /// ```
    pub fn new(
        offsets: impl Into<Cow<'a, [O]>>,
        bytes: impl Into<Cow<'a, [u8]>>,
    ) -> Result<Strings<'a, O>, ColumnError> {
        let (offsets, bytes) = (offsets.into(), bytes.into());
        check_offsets(&offsets, bytes.len())?;
        check_texts(&offsets, &bytes)?;
        Ok(Strings { offsets, bytes })
    }

    /// How many texts there are.
    pub fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The text of a row, if there is that row.
    pub fn get(&self, row: usize) -> Option<&str> {
        match self.offsets.get(row..)? {
            &[start, end, ..] => Some(text::of(&self.bytes[start.into() as usize..end.into() as usize])),
            _ => None,
        }
    }

    /// The texts in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = &str> + ExactSizeIterator {
        (0..self.len()).map(|row| self.get(row).unwrap_or_default())
    }

    /// Where each text begins in [`bytes`](Strings::bytes), and where the last one ends. There may be none if there are no texts.
    pub fn offsets(&self) -> &[O] {
        &self.offsets
    }

    /// The bytes of all texts; also others, if the first offset is not 0, or the last one not their number.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The offsets and the bytes, as this has them.
    ///
    /// ```
    /// # use weldment_runtime::store::column::Strings;
    /// let names: Strings = ["elm", "é"].iter().collect();
    /// let (offsets, bytes) = names.into_parts();
    /// assert_eq!((offsets.into_owned(), bytes.into_owned()), (vec![0, 3, 5], "elmé".into()));
    /// ```
    pub fn into_parts(self) -> (Cow<'a, [O]>, Cow<'a, [u8]>) {
        (self.offsets, self.bytes)
    }
}

/// Checks that each text lies within so many bytes.
fn check_offsets<O: Offset>(offsets: &[O], bytes: usize) -> Result<(), ColumnError> {
    let Some(&[first, ..]) = offsets.first_chunk::<1>() else { return Ok(()) };
    if first.into() < 0 {
        return Err(ColumnError::new(0, Why::Before(first.into())));
    }
    let wrong = offsets.array_windows().position(|[start, end]| start > end);
    if let Some(row) = wrong {
        let (start, end) = (offsets[row].into(), offsets[row + 1].into());
        return Err(ColumnError::new(row, Why::Backwards { start, end }));
    }
    // They ascend.
    let row = offsets.partition_point(|&end| end.into() as u64 <= bytes as u64);
    match offsets.get(row) {
        Some(&end) => Err(ColumnError::new(row.saturating_sub(1), Why::Behind { end: end.into(), bytes })),
        None => Ok(()),
    }
}

/// Checks that each text, which lies within `bytes`, is UTF-8.
fn check_texts<O: Offset>(offsets: &[O], bytes: &[u8]) -> Result<(), ColumnError> {
    let (Some(&first), Some(&last)) = (offsets.first(), offsets.last()) else { return Ok(()) };
    let start = first.into() as usize;
    let at = |offset: O| offset.into() as usize - start;
    let all = &bytes[start..last.into() as usize];
    // Of all texts at once, which is fast where they are short.
    let (whole, is_whole) = match str::from_utf8(all) {
        Ok(whole) => (whole, true),
        Err(error) => (str::from_utf8(&all[..error.valid_up_to()]).unwrap_or_default(), false),
    };
    let cut =
        offsets.iter().position(|&offset| at(offset) <= whole.len() && !whole.is_char_boundary(at(offset)));
    // The text in which the first byte is that is none of a character.
    let bad = offsets.partition_point(|&offset| at(offset) <= whole.len()).saturating_sub(1);
    match cut {
        Some(row) if is_whole || row <= bad => Err(ColumnError::new(row, Why::Cut(offsets[row].into()))),
        _ if is_whole => Ok(()),
        _ => Err(ColumnError::new(bad, Why::NoText)),
    }
}

/// The column that a program gives: of offsets that ascend from 0 to the number of bytes.
///
/// # Panics
/// If they do not.
#[doc(hidden)]
pub fn strings_of<O: Offset>(offsets: Vec<O>, bytes: Vec<u8>) -> Strings<'static, O> {
    if let Err(error) = check_offsets(&offsets, bytes.len()) {
        panic!("{error}");
    }
    Strings { offsets: Cow::Owned(offsets), bytes: Cow::Owned(bytes) }
}

impl<O: Offset> Default for Strings<'_, O> {
    fn default() -> Self {
        Strings { offsets: Cow::Borrowed(&[]), bytes: Cow::Borrowed(&[]) }
    }
}

impl<T: AsRef<str>> FromIterator<T> for Strings<'static> {
    fn from_iter<I: IntoIterator<Item = T>>(texts: I) -> Self {
        let (mut offsets, mut bytes) = (vec![0], Vec::new());
        for text in texts {
            bytes.extend_from_slice(text.as_ref().as_bytes());
            offsets.push(bytes.len() as i64);
        }
        strings_of(offsets, bytes)
    }
}

impl<O: Offset> fmt::Debug for Strings<'_, O> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// Two columns are equal if they have the same texts.
impl<O: Offset, P: Offset> PartialEq<Strings<'_, P>> for Strings<'_, O> {
    fn eq(&self, other: &Strings<'_, P>) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl<O: Offset> Eq for Strings<'_, O> {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_part_of_a_column_is_one() {
        let bytes = "xé\u{1F333}y".as_bytes();
        let names = Strings::new(&[1i32, 3, 3, 7], bytes).unwrap();
        assert_eq!(names.iter().rev().collect::<Vec<_>>(), ["\u{1F333}", "", "é"]);
        assert_eq!(format!("{names:?}"), "[\"é\", \"\", \"\u{1F333}\"]");
        assert_eq!(names, ["é", "", "\u{1F333}"].iter().collect::<Strings<'_>>());
        assert_ne!(names, ["é", ""].iter().collect::<Strings<'_>>());
        for none in
            [Strings::new(&[0i64; 0], bytes).unwrap(), Strings::new(&[2], bytes).unwrap(), Strings::default()]
        {
            assert_eq!((none.len(), none.is_empty(), none.get(0)), (0, true, None));
        }
    }

    #[test]
    fn the_first_row_that_is_wrong_is_told() {
        let error = |offsets: &[i64], bytes: &[u8]| Strings::new(offsets, bytes).unwrap_err().to_string();
        assert_eq!(error(&[-1, 2], b"elm"), "row 0 begins at byte -1, in front of the first one");
        assert_eq!(error(&[0, 2, 4, 5], b"elm"), "row 1 ends at byte 4, and there are 3 bytes");
        assert_eq!(error(&[4], b"elm"), "row 0 ends at byte 4, and there are 3 bytes");
        assert_eq!(error(&[0, 2, 1], b"elm"), "row 1 ends at byte 1, before it begins at byte 2");
        assert_eq!(error(&[0, 1, 2, 4], "aé\u{7f}".as_bytes()), "row 2 begins at byte 2, within a character");
        assert_eq!(error(&[0, 1, 3, 4], b"a\xFFbc"), "row 1 is not UTF-8");
        assert_eq!(error(&[0, 1, 2], b"a\xC3"), "row 1 is not UTF-8");
        // Half a character is the end of a row, and its other half the beginning of the next one.
        assert_eq!(error(&[0, 1, 2, 3], "é\u{7f}".as_bytes()), "row 1 begins at byte 1, within a character");
        assert_eq!(error(&[0, 2, 4], b"a\xFF\xC3\xA9"), "row 0 is not UTF-8");
        // What no row has may be anything.
        assert!(Strings::new(&[1i64, 2], b"\xFFa\xFF").is_ok());
    }
}
