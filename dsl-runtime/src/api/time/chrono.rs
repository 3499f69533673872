//! Dates and times of the crate chrono as those of programs, and back.

use ::chrono::{DateTime, Datelike, NaiveDate, NaiveDateTime, TimeDelta, TimeZone, Utc};

use super::{Date, NoTime, Span, Timestamp};
use crate::lang::calendar::Temporal;

/// ```
/// # use weldment_runtime::api::time::Date;
/// let day = chrono::NaiveDate::from_ymd_opt(2024, 2, 29).expect("a day");
/// assert_eq!((Date::from(day), day.try_into()), (Date::from_epoch_days(19782), Ok(Date::from_epoch_days(19782))));
/// ```
impl From<NaiveDate> for Date {
    fn from(day: NaiveDate) -> Date {
        Date::new(day.year(), day.month(), day.day()).expect("the days of chrono are days of an i32")
    }
}

/// # Errors
/// If chrono counts no such day.
impl TryFrom<Date> for NaiveDate {
    type Error = NoTime;

    fn try_from(day: Date) -> Result<NaiveDate, NoTime> {
        NaiveDate::from_ymd_opt(day.year(), day.month(), day.day()).ok_or(NoTime::OutOfRange(Temporal::Date))
    }
}

/// To the microsecond, towards the past.
///
/// ```
/// # use weldment_runtime::api::time::Timestamp;
/// let moment = chrono::DateTime::parse_from_rfc3339("1970-01-01T01:00:00.25+01:00").expect("a moment");
/// assert_eq!(Timestamp::from(moment).epoch_micros(), 250_000);
/// ```
impl<Tz: TimeZone> From<DateTime<Tz>> for Timestamp {
    fn from(moment: DateTime<Tz>) -> Timestamp {
        Timestamp(moment.timestamp_micros())
    }
}

/// As a moment in UTC.
impl From<NaiveDateTime> for Timestamp {
    fn from(moment: NaiveDateTime) -> Timestamp {
        moment.and_utc().into()
    }
}

/// # Errors
/// If chrono counts no such moment.
impl TryFrom<Timestamp> for DateTime<Utc> {
    type Error = NoTime;

    fn try_from(moment: Timestamp) -> Result<DateTime<Utc>, NoTime> {
        DateTime::from_timestamp_micros(moment.0).ok_or(NoTime::OutOfRange(Temporal::Timestamp))
    }
}

/// To the microsecond, towards zero. What is too large is the largest that there is.
impl From<TimeDelta> for Span {
    fn from(length: TimeDelta) -> Span {
        let largest = if length < TimeDelta::zero() { i64::MIN } else { i64::MAX };
        Span(length.num_microseconds().unwrap_or(largest))
    }
}

impl From<Span> for TimeDelta {
    fn from(length: Span) -> TimeDelta {
        TimeDelta::microseconds(length.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_goes_there_comes_back() {
        for days in [-95_746_163, -1, 0, 19_782, 95_025_571] {
            let day = Date::from_epoch_days(days);
            assert_eq!(NaiveDate::try_from(day).map(Date::from), Ok(day));
        }
        for micros in [-1, 0, 1_709_164_800_123_456] {
            let moment = Timestamp(micros);
            assert_eq!(DateTime::<Utc>::try_from(moment).map(Timestamp::from), Ok(moment));
        }
        assert_eq!(Span::from(TimeDelta::from(Span(i64::MIN))), Span(i64::MIN));
        assert_eq!(
            (Span::from(TimeDelta::MAX), Span::from(TimeDelta::MIN)),
            (Span(i64::MAX), Span(i64::MIN))
        );
    }

    #[test]
    fn what_is_not_there_is_an_error() {
        let error = NaiveDate::try_from(Date(i32::MAX)).unwrap_err();
        assert_eq!(error.to_string(), "this `Date` is out of the range of the other type");
        assert!(DateTime::<Utc>::try_from(Timestamp(i64::MIN)).is_err());
        assert_eq!(Date::from(NaiveDate::MIN).year(), NaiveDate::MIN.year());
        assert_eq!(Date::from(NaiveDate::MAX).year(), NaiveDate::MAX.year());
    }
}
