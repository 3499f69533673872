//! Values, and of each a bit that says whether it is there.

use std::borrow::Cow;
use std::fmt;

use super::error::{ColumnError, Why};

/// Bits one behind the other, the lowest of a byte first, from any bit on: what Arrow calls a bitmap.
///
/// ```
/// use weldment_runtime::store::column::Bits;
/// let bits = Bits::new(&[0b0110_0000, 1], 5, 4).expect("9 bits");
/// assert_eq!(bits.iter().collect::<Vec<_>>(), [true, true, false, true]);
/// ```
#[derive(Clone)]
pub struct Bits<'a> {
    bytes: Cow<'a, [u8]>,
    first: usize,
    len: usize,
}

impl<'a> Bits<'a> {
    /// The `len` bits from the bit with number `first` on.
    ///
    /// # Errors
    /// The first bit that is not there.
    ///
    /// ```
    /// # use weldment_runtime::store::column::Bits;
    /// let error = Bits::new(&[0xFF], 3, 6).unwrap_err();
    /// assert_eq!(error.to_string(), "row 5 has no bit: there are 1 bytes of bits, and 2 are needed");
    /// ```
    pub fn new(bytes: impl Into<Cow<'a, [u8]>>, first: usize, len: usize) -> Result<Bits<'a>, ColumnError> {
        let bytes = bytes.into();
        // No more bits are needed than numbers count.
        let needed = first.saturating_add(len).div_ceil(8);
        if needed > bytes.len() {
            let row = (8 * bytes.len()).saturating_sub(first);
            return Err(ColumnError::new(row, Why::FewBits { bytes: bytes.len(), needed }));
        }
        Ok(Bits { bytes, first, len })
    }

    /// How many bits there are.
    pub fn len(&self) -> usize {
        self.len
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.len == 0
    }

    /// The bit of a row, if there is that row.
    pub fn get(&self, row: usize) -> Option<bool> {
        (row < self.len).then(|| bit(&self.bytes, self.first + row))
    }

    /// The bits in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = bool> + ExactSizeIterator {
        (0..self.len).map(|row| bit(&self.bytes, self.first + row))
    }
}

fn bit(bytes: &[u8], at: usize) -> bool {
    bytes[at / 8] >> (at % 8) & 1 == 1
}

impl fmt::Debug for Bits<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// A column of values that may be missing, as Arrow has it: the values, and a bit for each that says whether it is there; none if all are. What stands in the
/// place of a value that is missing is never seen.
///
/// ```
/// use weldment_runtime::store::column::{Bits, Nullable};
/// let (values, bits) = ([1.5, 0.0, 2.5], [0b101]);
/// let prices = Nullable::new(&values, Some(Bits::new(&bits, 0, 3)?))?;
/// assert_eq!((prices.len(), prices.get(1), prices.get(2)), (3, Some(None), Some(Some(2.5))));
/// let copied: Nullable<f64> = prices.iter().collect();
/// assert_eq!(copied, prices);
/// assert_eq!(Nullable::from(&values).iter().flatten().sum::<f64>(), 4.0);
/// # Ok::<(), weldment_runtime::store::column::ColumnError>(())
/// ```
#[derive(Clone)]
pub struct Nullable<'a, T: Clone> {
    pub(crate) values: Cow<'a, [T]>,
    // One for each value, from the first on; or that first one for all of them, which is set, where the number of the first is `ALL`: compiled programs
    // rest on it.
    pub(crate) bits: Cow<'a, [u8]>,
    pub(crate) first: i64,
}

/// The number of the first bit where there is one for all values, and none for each. So programs read a bit in any case, and need no branch.
const ALL: i64 = -1;

/// The byte of that bit.
const SET: &[u8] = &[1];

impl<'a, T: Clone> Nullable<'a, T> {
    /// These values, of which those are there that have a bit that is set: all, if there are no bits.
    ///
    /// # Errors
    /// The first row that has a value and no bit, or a bit and no value.
    ///
    /// ```
    /// # use weldment_runtime::store::column::{Bits, Nullable};
    /// let bits = Bits::new(&[3], 0, 2)?;
    /// let error = Nullable::new(&[1, 2, 3], Some(bits)).unwrap_err();
    /// assert_eq!(error.to_string(), "there are bits for 2 rows, and row 2 has none, or no value");
    /// # Ok::<(), weldment_runtime::store::column::ColumnError>(())
    /// ```
    pub fn new(
        values: impl Into<Cow<'a, [T]>>,
        validity: Option<Bits<'a>>,
    ) -> Result<Nullable<'a, T>, ColumnError> {
        let values = values.into();
        let Some(Bits { bytes, first, len }) = validity else {
            return Ok(Nullable { values, bits: Cow::Borrowed(SET), first: ALL });
        };
        if len != values.len() {
            return Err(ColumnError::new(len.min(values.len()), Why::Bits(len)));
        }
        Ok(Nullable { values, bits: bytes, first: first as i64 })
    }

    /// How many rows there are.
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// The value of a row, if there is that row: `None` inside if it is missing.
    pub fn get(&self, row: usize) -> Option<Option<T>> {
        let value = self.values.get(row)?;
        Some(self.is_there(row).then(|| value.clone()))
    }

    /// The rows in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = Option<T>> + ExactSizeIterator {
        let row = |(row, value): (usize, &T)| self.is_there(row).then(|| value.clone());
        self.values.iter().enumerate().map(row)
    }

    /// The values, and what stands in the place of those that are missing.
    pub fn values(&self) -> &[T] {
        &self.values
    }

    /// The bits, if not all values are known to be there.
    pub fn validity(&self) -> Option<Bits<'_>> {
        let bytes = Cow::Borrowed(&*self.bits);
        (self.first != ALL).then(|| Bits { bytes, first: self.first as usize, len: self.len() })
    }

    /// The bytes of the bits.
    #[doc(hidden)]
    pub fn bits(&self) -> &[u8] {
        &self.bits
    }

    /// Which of the bits is that of the first row; −1 if there is one for all.
    #[doc(hidden)]
    pub fn first(&self) -> i64 {
        self.first
    }

    fn is_there(&self, row: usize) -> bool {
        self.first == ALL || bit(&self.bits, self.first as usize + row)
    }
}

/// The column that a program gives: of a bit for each value, from the bit with this number on, or of one for all.
///
/// # Panics
/// If there are fewer.
#[doc(hidden)]
pub fn nullable_of<T: Clone>(values: Vec<T>, bits: Vec<u8>, first: i64) -> Nullable<'static, T> {
    let len = values.len();
    let validity = (first != ALL).then(|| Bits::new(bits, first as usize, len));
    let column = validity.transpose().and_then(|validity| Nullable::new(values, validity));
    column.unwrap_or_else(|error| panic!("{error}"))
}

/// All values are there.
impl<'a, T: Clone> From<&'a [T]> for Nullable<'a, T> {
    fn from(values: &'a [T]) -> Self {
        Nullable { values: values.into(), bits: Cow::Borrowed(SET), first: ALL }
    }
}

/// All values are there.
impl<'a, T: Clone> From<&'a Vec<T>> for Nullable<'a, T> {
    fn from(values: &'a Vec<T>) -> Self {
        Nullable::from(values.as_slice())
    }
}

/// All values are there.
impl<'a, T: Clone, const N: usize> From<&'a [T; N]> for Nullable<'a, T> {
    fn from(values: &'a [T; N]) -> Self {
        Nullable::from(values.as_slice())
    }
}

impl<T: Clone + Default> FromIterator<Option<T>> for Nullable<'static, T> {
    fn from_iter<I: IntoIterator<Item = Option<T>>>(rows: I) -> Self {
        let (mut values, mut bits) = (Vec::new(), Vec::new());
        for (number, row) in rows.into_iter().enumerate() {
            if number % 8 == 0 {
                bits.push(0);
            }
            bits[number / 8] |= u8::from(row.is_some()) << (number % 8);
            values.push(row.unwrap_or_default());
        }
        nullable_of(values, bits, 0)
    }
}

impl<T: Clone + fmt::Debug> fmt::Debug for Nullable<'_, T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

/// Two columns are equal if they have the same rows.
impl<T: Clone + PartialEq> PartialEq for Nullable<'_, T> {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

impl<T: Clone> Default for Nullable<'_, T> {
    fn default() -> Self {
        Nullable { values: Cow::Owned(Vec::new()), bits: Cow::Borrowed(SET), first: ALL }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rows_are_there_by_their_bits() {
        let values: Vec<i64> = (0..20).collect();
        let bytes = [0b1010_0101, 0xFF, 0, 0b11];
        for first in 0..9 {
            let column = Nullable::new(&values, Some(Bits::new(&bytes, first, 20).unwrap())).unwrap();
            let expected = (0..20).map(|row| bit(&bytes, first + row).then_some(row as i64));
            assert!(column.iter().eq(expected.clone()), "{first}");
            assert_eq!(column, expected.collect());
            assert_eq!(column.validity().map(|bits| (bits.len(), bits.get(20))), Some((20, None)));
            assert_eq!(column.get(20), None);
        }
        assert_eq!(
            format!("{:?}", [Some(1), None].into_iter().collect::<Nullable<'_, i32>>()),
            "[Some(1), None]"
        );
        assert!(Nullable::from(&values).validity().is_none());
    }

    #[test]
    fn bits_that_are_not_there_are_told() {
        assert!(Bits::new(&[], 0, 0).unwrap().is_empty());
        assert_eq!(Bits::new(&[1], usize::MAX, 1).unwrap_err().row(), 0);
        assert_eq!(Bits::new(&[1], 8, 1).unwrap_err().row(), 0);
        let none = Nullable::<i64>::new(&[], Some(Bits::new(&[], 0, 0).unwrap())).unwrap();
        assert!(none.is_empty() && none == Nullable::default());
        let bits = Bits::new(&[1], 0, 3).unwrap();
        assert_eq!(Nullable::new(&[1], Some(bits)).unwrap_err().row(), 1);
    }
}
