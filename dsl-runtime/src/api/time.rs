//! Dates and times of programs, as Rust has them.
//!
//! How they lie in memory is what the macro of structs that derive `Weld` takes from the definitions; every number is one of them.

#![expect(unsafe_code, reason = "compiled programs read memory as the structs say")]

#[cfg(feature = "chrono")]
mod chrono;
#[cfg(feature = "jiff")]
mod jiff;
#[cfg(feature = "time")]
mod time_crate;

use std::fmt;
use std::ops::{Add, Div, Mul, Neg, Sub};
use std::str::FromStr;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use crate::__structure;
use crate::lang::calendar::{self, DAY, SECOND, Temporal};
use crate::lang::types::Name;

/// A day of the Gregorian calendar: `Date` in programs. It is an i32 in memory, the days since 1970-01-01.
///
/// ```
/// use weldment_runtime::api::time::Date;
/// let day = Date::new(1994, 1, 31).expect("a day");
/// assert_eq!((day.year(), day.month(), day.day(), day.epoch_days()), (1994, 1, 31, 8796));
/// assert_eq!((day.to_string(), "1994-01-31".parse()), ("1994-01-31".to_owned(), Ok(day)));
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Date(#[doc(hidden)] pub i32);

/// A moment, to the microsecond: `Timestamp` in programs. It is an i64 in memory, the microseconds since the beginning of 1970 in UTC.
///
/// ```
/// use weldment_runtime::api::time::{Date, Span, Timestamp};
/// let noon: Timestamp = "1994-01-31T12:00:00Z".parse().expect("a moment");
/// assert_eq!(noon - Date::new(1994, 1, 31).expect("a day").midnight(), Span::from_hours(12));
/// assert_eq!(noon.to_string(), "1994-01-31T12:00:00Z");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Timestamp(#[doc(hidden)] pub i64);

/// A length of time, to the microsecond: `Span` in programs. It is an i64 in memory.
///
/// ```
/// use weldment_runtime::api::time::Span;
/// let span = Span::from_hours(36) + Span::from_millis(5);
/// assert_eq!((span.as_days(), span.as_micros()), (1, 129_600_005_000));
/// assert_eq!(span.to_string(), "129600.005s");
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(transparent)]
pub struct Span(#[doc(hidden)] pub i64);

__structure! { [] (Date) [] [] { 0: i32, } named Name::Temporal(Temporal::Date) }
__structure! { [] (Timestamp) [] [] { 0: i64, } named Name::Temporal(Temporal::Timestamp) }
__structure! { [] (Span) [] [] { 0: i64, } named Name::Temporal(Temporal::Span) }

impl Date {
    /// The day of this year, month (from 1) and day of the month (from 1); `None` if the calendar has no such day.
    ///
    /// ```
    /// # use weldment_runtime::api::time::Date;
    /// assert_eq!(Date::new(2023, 2, 29), None);
    /// ```
    pub fn new(year: i32, month: u32, day: u32) -> Option<Date> {
        calendar::date(year.into(), month.into(), day.into()).map(Date)
    }

    /// The day that is so many days after 1970-01-01.
    pub const fn from_epoch_days(days: i32) -> Date {
        Date(days)
    }

    /// How many days it is after 1970-01-01.
    pub const fn epoch_days(self) -> i32 {
        self.0
    }

    /// The year.
    pub fn year(self) -> i32 {
        calendar::civil(self.0).0
    }

    /// The month, from 1.
    pub fn month(self) -> u32 {
        calendar::civil(self.0).1
    }

    /// The day of the month, from 1.
    pub fn day(self) -> u32 {
        calendar::civil(self.0).2
    }

    /// The day of the week: 1 is Monday, 7 is Sunday.
    ///
    /// ```
    /// # use weldment_runtime::api::time::Date;
    /// assert_eq!((Date::from_epoch_days(0).weekday(), Date::from_epoch_days(-4).weekday()), (4, 7));
    /// ```
    pub fn weekday(self) -> u32 {
        (i64::from(self.0) + 3).rem_euclid(7) as u32 + 1
    }

    /// The moment at which it begins in UTC. Of days 292 000 years away, which no `Timestamp` counts, it wraps.
    pub const fn midnight(self) -> Timestamp {
        Timestamp((self.0 as i64).wrapping_mul(DAY))
    }

    /// The moment of this hour (to 23), minute and second (to 59) of the day in UTC; `None` if a day has no such time.
    ///
    /// ```
    /// # use weldment_runtime::api::time::Date;
    /// let day = Date::from_epoch_days(0);
    /// assert_eq!((day.at(0, 1, 0).map(|time| time.epoch_micros()), day.at(24, 0, 0)), (Some(60_000_000), None));
    /// ```
    pub fn at(self, hour: u32, minute: u32, second: u32) -> Option<Timestamp> {
        let time = calendar::time(hour.into(), minute.into(), second.into())?;
        Some(self.midnight() + Span(time))
    }
}

impl Timestamp {
    /// The moment so many microseconds after the beginning of 1970 in UTC.
    pub const fn from_epoch_micros(micros: i64) -> Timestamp {
        Timestamp(micros)
    }

    /// How many microseconds after the beginning of 1970 in UTC it is.
    pub const fn epoch_micros(self) -> i64 {
        self.0
    }

    /// The day in UTC.
    ///
    /// ```
    /// # use weldment_runtime::api::time::{Date, Timestamp};
    /// assert_eq!(Timestamp::from_epoch_micros(-1).date(), Date::from_epoch_days(-1));
    /// ```
    pub const fn date(self) -> Date {
        // The days of an i64 of microseconds are an i32.
        Date(self.0.div_euclid(DAY) as i32)
    }

    /// How long after midnight in UTC it is.
    pub const fn time(self) -> Span {
        Span(self.0.rem_euclid(DAY))
    }
}

macro_rules! units {
    ($($from:ident $as_unit:ident $unit:literal $micros:expr;)*) => {
        impl Span {$(
            #[doc = concat!("So many ", $unit, ". As of all integers here, what is too large wraps.")]
            pub const fn $from(number: i64) -> Span {
                Span(number.wrapping_mul($micros))
            }

            #[doc = concat!("How many whole ", $unit, " it is, towards zero.")]
            pub const fn $as_unit(self) -> i64 {
                self.0 / $micros
            }
        )*}
    };
}

units! {
    from_days as_days "days" DAY;
    from_hours as_hours "hours" 3600 * SECOND;
    from_mins as_mins "minutes" 60 * SECOND;
    from_secs as_secs "seconds" SECOND;
    from_millis as_millis "milliseconds" 1000;
    from_micros as_micros "microseconds" 1;
}

macro_rules! arithmetic {
    ($($trait:ident $function:ident $left:ident $right:ident $result:ident |$x:ident, $y:ident| $value:expr;)*) => {$(
        /// As in programs: what is too large wraps.
        impl $trait<$right> for $left {
            type Output = $result;

            fn $function(self, other: $right) -> $result {
                let ($x, $y) = (self, other);
                $value
            }
        }
    )*};
}

arithmetic! {
    Add add Date Span Date |day, span| Date(day.0.wrapping_add(span.as_days() as i32));
    Sub sub Date Span Date |day, span| Date(day.0.wrapping_sub(span.as_days() as i32));
    Sub sub Date Date Span |a, b| Span((i64::from(a.0) - i64::from(b.0)).wrapping_mul(DAY));
    Add add Timestamp Span Timestamp |moment, span| Timestamp(moment.0.wrapping_add(span.0));
    Sub sub Timestamp Span Timestamp |moment, span| Timestamp(moment.0.wrapping_sub(span.0));
    Sub sub Timestamp Timestamp Span |a, b| Span(a.0.wrapping_sub(b.0));
    Add add Span Span Span |a, b| Span(a.0.wrapping_add(b.0));
    Sub sub Span Span Span |a, b| Span(a.0.wrapping_sub(b.0));
    Mul mul Span i64 Span |span, n| Span(span.0.wrapping_mul(n));
    Mul mul i64 Span Span |n, span| Span(span.0.wrapping_mul(n));
    Div div Span i64 Span |span, n| Span(span.0 / n);
}

impl Neg for Span {
    type Output = Span;

    fn neg(self) -> Span {
        Span(self.0.wrapping_neg())
    }
}

/// `1994-01-31`; of years outside of 0 to 9999 with a sign.
impl fmt::Display for Date {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        calendar::show_date(self.0, f)
    }
}

/// `1994-01-31T12:00:00Z`, with as many places of a second as it has.
impl fmt::Display for Timestamp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        calendar::show_timestamp(self.0, f)
    }
}

/// `-90.5s`
impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        calendar::show_span(self.0, f)
    }
}

/// The error of what is no date and no time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum NoTime {
    /// A text is read as one, and is none.
    Text(Temporal),
    /// A type of another crate has no such value.
    OutOfRange(Temporal),
}

impl fmt::Display for NoTime {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NoTime::Text(Temporal::Date) => {
                f.write_str("expected a date of the calendar, such as 1994-01-31")
            }
            NoTime::Text(_) => f.write_str("expected a moment, such as 1994-01-31T12:00:00Z"),
            NoTime::OutOfRange(of) => write!(f, "this `{}` is out of the range of the other type", of.name()),
        }
    }
}

impl std::error::Error for NoTime {}

/// `1994-01-31`
impl FromStr for Date {
    type Err = NoTime;

    fn from_str(text: &str) -> Result<Date, NoTime> {
        calendar::read_date(text.as_bytes()).map(Date).ok_or(NoTime::Text(Temporal::Date))
    }
}

/// As RFC 3339 writes it, `1994-01-31T12:00:00.5+01:00`. Without an offset it is in UTC; what is less than a microsecond is left out.
impl FromStr for Timestamp {
    type Err = NoTime;

    fn from_str(text: &str) -> Result<Timestamp, NoTime> {
        let read = calendar::read_timestamp(text.as_bytes());
        read.map(Timestamp).ok_or(NoTime::Text(Temporal::Timestamp))
    }
}

/// `micros`, or the nearest number that is an i64.
#[cfg(any(feature = "jiff", feature = "time"))]
fn nearest(micros: i128) -> i64 {
    micros.clamp(i64::MIN.into(), i64::MAX.into()) as i64
}

/// Towards the past, to the microsecond. What no `Timestamp` counts is the nearest that one does.
///
/// ```
/// use std::time::{Duration, UNIX_EPOCH};
/// use weldment_runtime::api::time::Timestamp;
/// let before = UNIX_EPOCH - Duration::from_nanos(1);
/// assert_eq!(Timestamp::from(before).epoch_micros(), -1);
/// ```
impl From<SystemTime> for Timestamp {
    fn from(time: SystemTime) -> Timestamp {
        Timestamp(match time.duration_since(UNIX_EPOCH) {
            Ok(since) => i64::try_from(since.as_micros()).unwrap_or(i64::MAX),
            Err(before) => {
                i64::try_from(before.duration().as_nanos().div_ceil(1000)).map_or(i64::MIN, |micros| -micros)
            }
        })
    }
}

/// What is too large is the largest that there is.
impl From<Duration> for Span {
    fn from(duration: Duration) -> Span {
        Span(i64::try_from(duration.as_micros()).unwrap_or(i64::MAX))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::element::Element;
    use crate::key::hash::Key;
    use crate::lang::types::Type;

    #[test]
    fn a_date_is_the_struct_of_its_days() {
        let day = Date::new(1994, 1, 31).unwrap();
        assert_eq!(Element::to_value(&day).to_string(), "(8796,)");
        assert_eq!(<Date as Element>::from_value(&Element::to_value(&day)), Some(day));
        assert_eq!((<Date as Element>::ty().to_string(), Date::BITS), ("Date".to_owned(), 32));
        let is = [
            <Date as Element>::is(&<Date as Element>::ty()),
            <Span as Element>::is(&<Timestamp as Element>::ty()),
        ];
        assert_eq!(is, [true, false]);
        assert!(!<Date as Element>::is(&Type::structure([Type::I32])));
    }

    #[test]
    fn what_is_printed_is_read_again() {
        let moments = ["0000-01-01T00:00:00Z", "9999-12-31T23:59:59.999999Z", "1969-12-31T23:59:59.5Z"];
        for text in moments {
            assert_eq!(text.parse::<Timestamp>().map(|moment| moment.to_string()), Ok(text.to_owned()));
        }
        assert_eq!(
            (Date(i32::MIN).to_string(), Date(i32::MAX).to_string()),
            ("-5877641-06-23".to_owned(), "+5881580-07-11".to_owned())
        );
        assert_eq!(
            (Span(i64::MIN).to_string(), Span(-1_500_000).to_string()),
            ("-9223372036854.775808s".to_owned(), "-1.5s".to_owned())
        );
        assert_eq!(
            "1994-1-31".parse::<Date>().unwrap_err().to_string(),
            "expected a date of the calendar, such as 1994-01-31"
        );
    }

    #[test]
    fn spans_lead_from_one_to_another() {
        let (a, b) = (Date::new(2024, 3, 1).unwrap(), Date::new(2024, 2, 28).unwrap());
        assert_eq!(
            (a - b, b + (a - b), a - Span::from_hours(47)),
            (Span::from_days(2), a, Date::new(2024, 2, 29).unwrap())
        );
        let (early, late) = (a.midnight(), a.at(23, 59, 59).unwrap());
        assert_eq!((late - early, early + (late - early)), (late.time(), late));
        assert_eq!(2 * -Span::from_mins(3) / 4, Span::from_secs(-90));
        assert_eq!(Timestamp(i64::MAX) + Span(1), Timestamp(i64::MIN));
    }

    #[test]
    fn the_ends_of_time_are_dates() {
        assert_eq!(
            Timestamp(i64::MIN).date().midnight().0.wrapping_add(Timestamp(i64::MIN).time().0),
            i64::MIN
        );
        let far = UNIX_EPOCH.checked_sub(Duration::from_secs(1 << 45));
        assert_eq!(far.map(|far| Timestamp::from(far).0), Some(i64::MIN));
    }
}
