//! Dates and times: what counts them, and the calendar of dates, which is the Gregorian one, also before it was introduced.
//!
//! The algorithms of the calendar are Howard Hinnant's, "chrono-Compatible Low-Level Date Algorithms" (2013): a year begins in March there,
//! so that the day that is not in each year is its last one. What programs compute is in the table of sugar of the compiler.

use std::fmt::{self, Write};

/// What is a date, a time or a length of time: an integer under a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Temporal {
    /// A day: how many there are from 1970-01-01 to it.
    Date,
    /// A moment: how many microseconds there are from the beginning of 1970 in UTC to it.
    Timestamp,
    /// A length of time in microseconds.
    Span,
}

/// Microseconds of a second.
pub const SECOND: i64 = 1_000_000;

/// Microseconds of a day.
pub const DAY: i64 = 86_400 * SECOND;

/// Days of 400 years, after which the calendar begins anew.
const DAYS_OF_ERA: i64 = 146_097;

/// Days from the 1st of March of year 0 to the 1st of January of 1970.
const TO_1970: i64 = 719_468;

impl Temporal {
    /// Each of them.
    pub const ALL: [Temporal; 3] = [Temporal::Date, Temporal::Timestamp, Temporal::Span];

    /// How programs call the type.
    ///
    /// ```
    /// # use weldment_runtime::lang::calendar::Temporal;
    /// assert_eq!(Temporal::Date.name(), "Date");
    /// ```
    pub fn name(self) -> &'static str {
        match self {
            Temporal::Date => "Date",
            Temporal::Timestamp => "Timestamp",
            Temporal::Span => "Span",
        }
    }

    /// The type that programs call so.
    ///
    /// ```
    /// # use weldment_runtime::lang::calendar::Temporal;
    /// assert_eq!((Temporal::from_name("Span"), Temporal::from_name("Day")), (Some(Temporal::Span), None));
    /// ```
    pub fn from_name(name: &str) -> Option<Temporal> {
        Temporal::ALL.into_iter().find(|temporal| temporal.name() == name)
    }
}

/// The day of this year, month (from 1) and day of the month (from 1) as days since 1970-01-01; `None` if there is no such day, or one that no i32 counts.
///
/// ```
/// # use weldment_runtime::lang::calendar::date;
/// assert_eq!((date(1970, 1, 1), date(2024, 2, 29), date(2023, 2, 29)), (Some(0), Some(19782), None));
/// ```
pub fn date(year: i64, month: i64, day: i64) -> Option<i32> {
    // Of years that are further away the days are no i32 in any case.
    if !(-5_900_000..=5_900_000).contains(&year) || !(1..=12).contains(&month) {
        return None;
    }
    let is_leap = year % 4 == 0 && (year % 100 != 0 || year % 400 == 0);
    let days = if month == 2 { 28 + i64::from(is_leap) } else { 30 + ((month ^ (month >> 3)) & 1) };
    if !(1..=days).contains(&day) {
        return None;
    }
    let year = year - i64::from(month <= 2);
    let (era, of_era) = (year.div_euclid(400), year.rem_euclid(400));
    let of_year = (153 * ((month + 9) % 12) + 2) / 5 + day - 1;
    i32::try_from(era * DAYS_OF_ERA + of_era * 365 + of_era / 4 - of_era / 100 + of_year - TO_1970).ok()
}

/// The year, the month (from 1) and the day of the month (from 1) of the day that is so many days after 1970-01-01.
///
/// ```
/// # use weldment_runtime::lang::calendar::civil;
/// assert_eq!((civil(0), civil(-1), civil(19782)), ((1970, 1, 1), (1969, 12, 31), (2024, 2, 29)));
/// ```
pub fn civil(days: i32) -> (i32, u32, u32) {
    let days = i64::from(days) + TO_1970;
    let (era, of_era) = (days.div_euclid(DAYS_OF_ERA), days.rem_euclid(DAYS_OF_ERA));
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let from_march = (5 * of_year + 2) / 153;
    let day = of_year - (153 * from_march + 2) / 5 + 1;
    let month = (from_march + 2) % 12 + 1;
    ((year + era * 400 + i64::from(month <= 2)) as i32, month as u32, day as u32)
}

/// The microseconds from midnight to this hour (0 to 23), minute and second (0 to 59); `None` if a day has no such time.
///
/// ```
/// # use weldment_runtime::lang::calendar::time;
/// assert_eq!((time(0, 1, 5), time(24, 0, 0)), (Some(65_000_000), None));
/// ```
pub fn time(hour: i64, minute: i64, second: i64) -> Option<i64> {
    let is_one = (0..24).contains(&hour) && (0..60).contains(&minute) && (0..60).contains(&second);
    is_one.then(|| (hour * 3600 + minute * 60 + second) * SECOND)
}

/// Writes a date as [`read_date`] reads it, `1994-01-31`; years outside of 0 to 9999 with a sign.
pub fn show_date(days: i32, to: &mut impl Write) -> fmt::Result {
    let (year, month, day) = civil(days);
    match year {
        0..=9999 => write!(to, "{year:04}-{month:02}-{day:02}"),
        _ => write!(to, "{year:+05}-{month:02}-{day:02}"),
    }
}

/// Writes a moment as [`read_timestamp`] reads it, `1994-01-31T12:00:00Z`, with as many places of a second as it has.
pub fn show_timestamp(micros: i64, to: &mut impl Write) -> fmt::Result {
    // The days of an i64 of microseconds are an i32.
    let (day, time) = (micros.div_euclid(DAY) as i32, micros.rem_euclid(DAY));
    let (seconds, part) = (time / SECOND, time % SECOND);
    show_date(day, to)?;
    write!(to, "T{:02}:{:02}:{:02}", seconds / 3600, seconds / 60 % 60, seconds % 60)?;
    show_part(part, to)?;
    to.write_char('Z')
}

/// Writes a length of time, `-90.5s`.
pub fn show_span(micros: i64, to: &mut impl Write) -> fmt::Result {
    if micros < 0 {
        to.write_char('-')?;
    }
    let micros = micros.unsigned_abs();
    write!(to, "{}", micros / SECOND as u64)?;
    show_part((micros % SECOND as u64) as i64, to)?;
    to.write_char('s')
}

/// Writes a part of a second, which is in microseconds: `.25`, and nothing if there is none.
fn show_part(micros: i64, to: &mut impl Write) -> fmt::Result {
    if micros == 0 {
        return Ok(());
    }
    let zeros = (1..6).take_while(|&zeros| micros % 10_i64.pow(zeros) == 0).count();
    let (part, places) = (micros / 10_i64.pow(zeros as u32), 6 - zeros);
    write!(to, ".{part:0places$}")
}

/// The date that `text` is, `2024-02-29`, as [`date`] counts it.
///
/// ```
/// # use weldment_runtime::lang::calendar::read_date;
/// assert_eq!((read_date(b"2024-02-29"), read_date(b"2024-2-29"), read_date(b"2023-02-29")), (Some(19782), None, None));
/// ```
pub fn read_date(text: &[u8]) -> Option<i32> {
    let (year, rest) = digits(text, 4)?;
    let (month, rest) = digits(rest.strip_prefix(b"-")?, 2)?;
    let (day, rest) = digits(rest.strip_prefix(b"-")?, 2)?;
    if rest.is_empty() { date(year, month, day) } else { None }
}

/// The moment that `text` is, as RFC 3339 writes one, in microseconds since 1970 in UTC: what is less than one is left out. Without an offset it is in UTC.
///
/// ```
/// # use weldment_runtime::lang::calendar::read_timestamp;
/// assert_eq!(read_timestamp(b"1970-01-01T00:00:01.5Z"), Some(1_500_000));
/// assert_eq!(read_timestamp(b"1970-01-01 01:00:00+01:00"), Some(0));
/// assert_eq!(read_timestamp(b"1970-01-01"), None);
/// ```
pub fn read_timestamp(text: &[u8]) -> Option<i64> {
    let (day, text) = text.split_at_checked(10)?;
    let text = text.strip_prefix(b"T").or(text.strip_prefix(b"t")).or(text.strip_prefix(b" "))?;
    let (hour, text) = digits(text, 2)?;
    let (minute, text) = digits(text.strip_prefix(b":")?, 2)?;
    let (second, text) = digits(text.strip_prefix(b":")?, 2)?;
    let (part, text) = match text.strip_prefix(b".") {
        None => (0, text),
        Some(text) => {
            let length = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let (part, _) = digits(text, length.min(6)).filter(|_| length > 0)?;
            (part * 10i64.pow(6 - length.min(6) as u32), &text[length..])
        }
    };
    let offset = match text {
        [] | b"Z" | b"z" => 0,
        [sign @ (b'+' | b'-'), text @ ..] => {
            let (hours, text) = digits(text, 2)?;
            let (minutes, text) = digits(text.strip_prefix(b":")?, 2)?;
            let offset = time(hours, minutes, 0).filter(|_| text.is_empty())?;
            if *sign == b'+' { offset } else { -offset }
        }
        _ => return None,
    };
    Some(i64::from(read_date(day)?) * DAY + time(hour, minute, second)? + part - offset)
}

/// The number of the first `length` bytes of `text`, all of which are digits, and what is behind them.
fn digits(text: &[u8], length: usize) -> Option<(i64, &[u8])> {
    let (digits, rest) = text.split_at_checked(length)?;
    let number = digits
        .iter()
        .try_fold(0, |number, byte| byte.is_ascii_digit().then(|| 10 * number + i64::from(byte - b'0')))?;
    Some((number, rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_day_is_the_date_that_it_has() {
        let ends = (i32::MIN..i32::MIN + 1000).chain(i32::MAX - 1000..=i32::MAX);
        for days in ends.chain(-800_000..800_000) {
            let (year, month, day) = civil(days);
            assert_eq!(date(year.into(), month.into(), day.into()), Some(days), "{year}-{month}-{day}");
        }
    }

    #[test]
    fn days_follow_each_other() {
        let mut last = civil(-200_000);
        for days in -199_999..200_000 {
            let (year, month, day) = civil(days);
            let next = match last {
                (y, 12, 31) => (y + 1, 1, 1),
                (y, m, d) if date(y.into(), m.into(), i64::from(d) + 1).is_some() => (y, m, d + 1),
                (y, m, _) => (y, m + 1, 1),
            };
            assert_eq!((year, month, day), next);
            last = next;
        }
    }

    #[test]
    fn what_is_no_day_is_none() {
        let none = [
            (2023, 2, 29),
            (1900, 2, 29),
            (2024, 4, 31),
            (2024, 0, 1),
            (2024, 13, 1),
            (2024, 1, 0),
            (2024, 1, 32),
        ];
        for (year, month, day) in
            none.into_iter().chain([(5_881_580, 7, 12), (i64::MAX, 1, 1), (i64::MIN, 1, 1)])
        {
            assert_eq!(date(year, month, day), None, "{year}-{month}-{day}");
        }
        assert_eq!((date(2000, 2, 29), date(5_881_580, 7, 11)), (Some(11_016), Some(i32::MAX)));
    }

    #[test]
    fn what_is_no_moment_is_none() {
        let none = [
            "",
            "2024-01-01",
            "2024-01-01T",
            "2024-01-01T24:00:00Z",
            "2024-01-01T00:00:60Z",
            "2024-01-01T00:00:00.Z",
        ];
        let behind = [
            "2024-01-01T00:00:00ZZ",
            "2024-01-01T00:00:00+1:00",
            "2024-01-01T00:00:00+01:00:00",
            "é-01-01T00:00:00Z",
        ];
        for text in none.into_iter().chain(behind) {
            assert_eq!(read_timestamp(text.as_bytes()), None, "{text}");
        }
        assert_eq!(read_timestamp(b"1969-12-31T23:59:59.9999999-00:30"), Some(1_799_999_999));
    }
}
