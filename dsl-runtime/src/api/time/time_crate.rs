//! Dates and times of the crate time as those of programs, and back.

use ::time::{Duration, Month, OffsetDateTime};

use super::{Date, NoTime, Span, Timestamp};
use crate::lang::calendar::Temporal;

/// ```
/// # use weldment_runtime::api::time::Date;
/// let day = time::Date::from_calendar_date(2024, time::Month::February, 29)?;
/// assert_eq!(Date::from(day), Date::from_epoch_days(19782));
/// # Ok::<(), time::error::ComponentRange>(())
/// ```
impl From<::time::Date> for Date {
    fn from(day: ::time::Date) -> Date {
        let month = u8::from(day.month());
        Date::new(day.year(), month.into(), day.day().into()).expect("the days of time are days of an i32")
    }
}

/// # Errors
/// If time counts no such day.
impl TryFrom<Date> for ::time::Date {
    type Error = NoTime;

    fn try_from(day: Date) -> Result<::time::Date, NoTime> {
        let month = Month::try_from(day.month() as u8).expect("a month of the calendar");
        ::time::Date::from_calendar_date(day.year(), month, day.day() as u8)
            .map_err(|_| NoTime::OutOfRange(Temporal::Date))
    }
}

/// To the microsecond, towards the past. What no `Timestamp` counts is the nearest that one does.
///
/// ```
/// # use weldment_runtime::api::time::Timestamp;
/// assert_eq!(Timestamp::from(time::OffsetDateTime::UNIX_EPOCH + time::Duration::SECOND).epoch_micros(), 1_000_000);
/// ```
impl From<OffsetDateTime> for Timestamp {
    fn from(moment: OffsetDateTime) -> Timestamp {
        Timestamp(super::nearest(moment.unix_timestamp_nanos().div_euclid(1000)))
    }
}

/// # Errors
/// If time counts no such moment.
impl TryFrom<Timestamp> for OffsetDateTime {
    type Error = NoTime;

    fn try_from(moment: Timestamp) -> Result<OffsetDateTime, NoTime> {
        OffsetDateTime::from_unix_timestamp_nanos(i128::from(moment.0) * 1000)
            .map_err(|_| NoTime::OutOfRange(Temporal::Timestamp))
    }
}

/// To the microsecond, towards zero. What is too large is the largest that there is.
impl From<Duration> for Span {
    fn from(length: Duration) -> Span {
        Span(super::nearest(length.whole_microseconds()))
    }
}

impl From<Span> for Duration {
    fn from(length: Span) -> Duration {
        Duration::microseconds(length.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_there_comes_back() {
        for days in [-4_371_587, -1, 0, 19_782, 2_932_896] {
            let day = Date::from_epoch_days(days);
            assert_eq!(::time::Date::try_from(day).map(Date::from), Ok(day));
        }
        for micros in [-1, 0, 1_709_164_800_123_456] {
            let moment = Timestamp(micros);
            assert_eq!(OffsetDateTime::try_from(moment).map(Timestamp::from), Ok(moment));
        }
        assert_eq!(Span::from(Duration::from(Span(i64::MIN))), Span(i64::MIN));
        assert_eq!((Span::from(Duration::MAX), Span::from(Duration::MIN)), (Span(i64::MAX), Span(i64::MIN)));
    }

    #[test]
    fn what_is_not_there_is_an_error() {
        assert!(::time::Date::try_from(Date(i32::MIN)).is_err());
        assert!(OffsetDateTime::try_from(Timestamp(i64::MAX)).is_err());
        let before = OffsetDateTime::UNIX_EPOCH - Duration::NANOSECOND;
        assert_eq!(Timestamp::from(before), Timestamp(-1));
    }
}
