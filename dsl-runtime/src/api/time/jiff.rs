//! Dates and times of the crate jiff as those of programs, and back.

use ::jiff::{SignedDuration, civil};

use super::{Date, NoTime, Span, Timestamp};
use crate::lang::calendar::Temporal;

/// ```
/// # use weldment_runtime::api::time::Date;
/// assert_eq!(Date::from(jiff::civil::date(2024, 2, 29)), Date::from_epoch_days(19782));
/// ```
impl From<civil::Date> for Date {
    fn from(day: civil::Date) -> Date {
        let [month, day_of_month] = [day.month(), day.day()].map(i8::unsigned_abs);
        Date::new(day.year().into(), month.into(), day_of_month.into())
            .expect("the days of jiff are days of an i32")
    }
}

/// # Errors
/// If jiff counts no such day.
impl TryFrom<Date> for civil::Date {
    type Error = NoTime;

    fn try_from(day: Date) -> Result<civil::Date, NoTime> {
        let year = i16::try_from(day.year()).ok();
        let there = year.and_then(|year| civil::Date::new(year, day.month() as i8, day.day() as i8).ok());
        there.ok_or(NoTime::OutOfRange(Temporal::Date))
    }
}

/// To the microsecond, towards the past.
///
/// ```
/// # use weldment_runtime::api::time::Timestamp;
/// let moment: jiff::Timestamp = "1970-01-01T01:00:00.25+01:00".parse()?;
/// assert_eq!(Timestamp::from(moment).epoch_micros(), 250_000);
/// # Ok::<(), jiff::Error>(())
/// ```
impl From<::jiff::Timestamp> for Timestamp {
    fn from(moment: ::jiff::Timestamp) -> Timestamp {
        Timestamp(super::nearest(moment.as_nanosecond().div_euclid(1000)))
    }
}

/// # Errors
/// If jiff counts no such moment.
impl TryFrom<Timestamp> for ::jiff::Timestamp {
    type Error = NoTime;

    fn try_from(moment: Timestamp) -> Result<::jiff::Timestamp, NoTime> {
        ::jiff::Timestamp::from_microsecond(moment.0).map_err(|_| NoTime::OutOfRange(Temporal::Timestamp))
    }
}

/// To the microsecond, towards zero. What is too large is the largest that there is.
impl From<SignedDuration> for Span {
    fn from(length: SignedDuration) -> Span {
        Span(super::nearest(length.as_micros()))
    }
}

impl From<Span> for SignedDuration {
    fn from(length: Span) -> SignedDuration {
        SignedDuration::from_micros(length.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_there_comes_back() {
        for days in [-4_371_587, -1, 0, 19_782, 2_932_896] {
            let day = Date::from_epoch_days(days);
            assert_eq!(civil::Date::try_from(day).map(Date::from), Ok(day));
        }
        for micros in [-1, 0, 1_709_164_800_123_456] {
            let moment = Timestamp(micros);
            assert_eq!(::jiff::Timestamp::try_from(moment).map(Timestamp::from), Ok(moment));
        }
        assert_eq!(Span::from(SignedDuration::from(Span(i64::MIN))), Span(i64::MIN));
        assert_eq!(Span::from(SignedDuration::MAX), Span(i64::MAX));
    }

    #[test]
    fn what_is_not_there_is_an_error() {
        assert!(civil::Date::try_from(Date(2_932_897)).is_err());
        assert!(civil::Date::try_from(Date(i32::MIN)).is_err());
        assert!(::jiff::Timestamp::try_from(Timestamp(i64::MAX)).is_err());
        let before = ::jiff::Timestamp::from_nanosecond(-1).expect("a moment");
        assert_eq!(Timestamp::from(before), Timestamp(-1));
    }
}
