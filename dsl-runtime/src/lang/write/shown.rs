//! Numbers, dates, times and decimal numbers as Rust shows them.

use std::fmt::{self, Display, Write};

use super::super::calendar;
use super::super::decimal::{self, Scale};
use super::written::Written;

/// The text of a number, of at most `N` bytes.
#[derive(Debug)]
pub struct Shown<const N: usize> {
    bytes: [u8; N],
    start: usize,
    end: usize,
}

/// The longest text of a float that is no number of the others': a sign, `0.`, 323 zeros, and as many digits as one of the smallest has.
pub(super) const LONGEST_F64: usize = 344;

/// The same of an f32.
pub(super) const LONGEST_F32: usize = 64;

/// No integer, date or moment takes more.
const LONGEST: usize = 40;

impl<const N: usize> Shown<N> {
    pub(super) fn of(show: impl FnOnce(&mut Shown<N>) -> fmt::Result) -> Shown<N> {
        let mut shown = Shown { bytes: [0; N], start: 0, end: 0 };
        show(&mut shown).expect("there is room for the longest");
        shown
    }

    fn of_value(value: impl Display) -> Shown<N> {
        Shown::of(|shown| write!(shown, "{value}"))
    }
}

impl<const N: usize> Write for Shown<N> {
    #[inline]
    fn write_str(&mut self, part: &str) -> fmt::Result {
        let end = self.end + part.len();
        let room = self.bytes.get_mut(self.end..end).ok_or(fmt::Error)?;
        room.copy_from_slice(part.as_bytes());
        self.end = end;
        Ok(())
    }
}

impl<const N: usize> Written for Shown<N> {
    #[inline]
    fn size(&self) -> usize {
        self.end - self.start
    }

    #[inline]
    fn write(&self, to: &mut impl FnMut(&[u8])) {
        to(&self.bytes[self.start..self.end]);
    }
}

/// The digits of `number` behind a minus, if there is to be one: from the last one on, two with each division.
#[inline]
fn decimal(mut number: u64, is_negative: bool) -> Shown<LONGEST> {
    let mut shown = Shown { bytes: [0; LONGEST], start: LONGEST, end: LONGEST };
    let mut put = |byte: u8| {
        shown.start -= 1;
        shown.bytes[shown.start] = byte;
    };
    while number >= 10 {
        let two = (number % 100) as u8;
        number /= 100;
        put(b'0' + two % 10);
        put(b'0' + two / 10);
    }
    // Of an odd number of digits one is left, and of no digits the zero.
    if number > 0 || shown.start == LONGEST {
        shown.start -= 1;
        shown.bytes[shown.start] = b'0' + number as u8;
    }
    if is_negative {
        shown.start -= 1;
        shown.bytes[shown.start] = b'-';
    }
    shown
}

/// [`WriteFn::ShownI64`](super::WriteFn::ShownI64)
pub fn shown_i64(number: i64) -> Shown<LONGEST> {
    decimal(number.unsigned_abs(), number < 0)
}

/// [`WriteFn::ShownU64`](super::WriteFn::ShownU64)
pub fn shown_u64(number: u64) -> Shown<LONGEST> {
    decimal(number, false)
}

/// [`WriteFn::ShownI128`](super::WriteFn::ShownI128)
///
/// ```
/// # use weldment_runtime::lang::write::{Written, shown_i128};
/// assert_eq!(shown_i128(i128::MIN).bytes(), i128::MIN.to_string().as_bytes());
/// ```
pub fn shown_i128(number: i128) -> Shown<LONGEST> {
    match u64::try_from(number.unsigned_abs()) {
        Ok(size) => decimal(size, number < 0),
        // Division of 128 bits costs more: Rust's own has as few as can be.
        Err(_) => Shown::of_value(number),
    }
}

/// [`WriteFn::ShownF32`](super::WriteFn::ShownF32)
///
/// ```
/// # use weldment_runtime::lang::write::{Written, shown_f32};
/// assert_eq!(shown_f32(0.1).bytes(), b"0.1");
/// ```
pub fn shown_f32(number: f32) -> Shown<LONGEST_F32> {
    Shown::of_value(number)
}

/// [`WriteFn::ShownF64`](super::WriteFn::ShownF64)
///
/// ```
/// # use weldment_runtime::lang::write::{Written, shown_f64};
/// assert_eq!((shown_f64(1.0).bytes(), shown_f64(-f64::NAN).bytes()), (b"1".to_vec(), b"NaN".to_vec()));
/// ```
pub fn shown_f64(number: f64) -> Shown<LONGEST_F64> {
    Shown::of_value(number)
}

/// [`WriteFn::ShownDate`](super::WriteFn::ShownDate)
///
/// ```
/// # use weldment_runtime::lang::write::{Written, shown_date};
/// assert_eq!(shown_date(19782).bytes(), b"2024-02-29");
/// ```
pub fn shown_date(days: i32) -> Shown<LONGEST> {
    Shown::of(|shown| calendar::show_date(days, shown))
}

/// [`WriteFn::ShownTimestamp`](super::WriteFn::ShownTimestamp)
///
/// ```
/// # use weldment_runtime::lang::write::{Written, shown_timestamp};
/// assert_eq!(shown_timestamp(-500_000).bytes(), b"1969-12-31T23:59:59.5Z");
/// ```
pub fn shown_timestamp(micros: i64) -> Shown<LONGEST> {
    Shown::of(|shown| calendar::show_timestamp(micros, shown))
}

/// [`WriteFn::ShownSpan`](super::WriteFn::ShownSpan)
///
/// ```
/// # use weldment_runtime::lang::write::{Written, shown_span};
/// assert_eq!(shown_span(-90_500_000).bytes(), b"-90.5s");
/// ```
pub fn shown_span(micros: i64) -> Shown<LONGEST> {
    Shown::of(|shown| calendar::show_span(micros, shown))
}

/// [`WriteFn::ShownFixed`](super::WriteFn::ShownFixed)
///
/// ```
/// # use weldment_runtime::lang::write::{Written, shown_fixed};
/// assert_eq!(shown_fixed(-5, 2).bytes(), b"-0.05");
/// ```
pub fn shown_fixed(units: i64, digits: i64) -> Shown<LONGEST> {
    // There are no other types.
    let scale = u32::try_from(digits).ok().and_then(Scale::new).expect("a scale");
    Shown::of(|shown| decimal::show(units.into(), scale, shown))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn there_is_room_for_the_longest() {
        let floats =
            [f64::MAX, f64::MIN, f64::MIN_POSITIVE, -f64::MIN_POSITIVE, 5e-324, -1.234_567_890_123_46e-310];
        for bits in (0..1000).map(|n| n * 0x0041_8937_4BC6_A7EF_u64) {
            let number = f64::from_bits(bits);
            assert_eq!(shown_f64(number).bytes(), number.to_string().as_bytes());
        }
        for number in floats {
            assert_eq!(shown_f64(number).bytes(), number.to_string().as_bytes());
        }
        for number in
            [f32::MAX, f32::MIN, -f32::MIN_POSITIVE, f32::from_bits(0x8000_0001), f32::from_bits(0x807F_FFFF)]
        {
            assert_eq!(shown_f32(number).bytes(), number.to_string().as_bytes());
        }
        for digits in 0..20 {
            for number in [10_u64.pow(digits) - 1, 10_u64.pow(digits), 10_u64.pow(digits) + 7] {
                assert_eq!(shown_u64(number).bytes(), number.to_string().as_bytes());
            }
        }
        for number in [i64::MIN, i64::MAX, 0, -1, -10, 99, 100, 101] {
            assert_eq!(shown_i64(number).bytes(), number.to_string().as_bytes());
            assert!(shown_timestamp(number).size() > 0 && shown_span(number).size() > 1);
        }
        let edge = u64::MAX as i128;
        for number in [i128::MIN, i128::MAX, 0, -1, edge, -edge, edge + 1, -edge - 1, 10_i128.pow(38)] {
            assert_eq!(shown_i128(number).bytes(), number.to_string().as_bytes());
        }
        assert_eq!(shown_u64(u64::MAX).bytes(), u64::MAX.to_string().as_bytes());
        assert_eq!(shown_date(i32::MIN).bytes(), b"-5877641-06-23");
    }
}
