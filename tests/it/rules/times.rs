//! Dates and times: read where they lie, computed with, keys, reduced, and read from texts.

use weldment::{Date, Dict, FaultKind, Span, Timestamp, Weld, welded};

use super::rule;
use crate::pairs::Outcome::Fault;

#[derive(Clone, Copy, Debug, PartialEq, Weld)]
struct Trade {
    at: Timestamp,
    settles: Option<Date>,
    price: f64,
}

/// Days of all kinds: ends of months and of years, leap days, and the ends of what there is.
fn days() -> Vec<Date> {
    let some = [
        (1970, 1, 1),
        (2024, 2, 29),
        (1900, 2, 28),
        (1900, 3, 1),
        (1999, 12, 31),
        (0, 1, 1),
        (-400, 2, 29),
        (2023, 6, 4),
    ];
    let some = some.iter().map(|&(year, month, day)| Date::new(year, month, day).expect("a day"));
    some.chain([i32::MIN, i32::MAX, -1].map(Date::from_epoch_days))
        .chain((-800..800).map(|n| Date::from_epoch_days(n * 373)))
        .collect()
}

fn moments() -> Vec<Timestamp> {
    let some = [0, -1, 1, 86_399_999_999, -86_400_000_000, i64::MIN, i64::MAX, 1_709_164_800_123_456]
        .map(Timestamp::from_epoch_micros);
    let spread = (-500i64..500).map(|n| Timestamp::from_epoch_micros(n * 7_777_777_777_777));
    some.into_iter().chain(spread).collect()
}

#[test]
fn the_calendar_is_that_of_rust() {
    let days = days();
    let parts = |d: &Date| (d.year(), d.month() as i32, d.day() as i32, d.weekday() as i32);
    let of_year =
        |d: &Date| d.epoch_days().wrapping_sub(Date::new(d.year(), 1, 1).map_or(0, Date::epoch_days)) + 1;
    let inner: Vec<Date> = days.iter().copied().filter(|d| d.year().abs() < 10_000).collect();
    rule!(
        weld!(|v: &[Date]| v.map(|d| (d.year(), d.month(), d.day(), d.weekday())));
        (&days[..]) => days.iter().map(parts).collect::<Vec<_>>(),
    );
    rule!(
        weld!(|v: &[Date]| v.map(|d| (d.quarter(), d.day_of_year(), d.trunc("year"), d.trunc("quarter"), d.trunc("month"), d.trunc("week"))));
        (&inner[..]) => inner
            .iter()
            .map(|d| {
                let (year, month) = (d.year(), d.month());
                let first = |month| Date::new(year, month, 1).expect("a day");
                let monday = *d - Span::from_days(i64::from(d.weekday()) - 1);
                let quarter = (month - 1) / 3;
                (quarter as i32 + 1, of_year(d), first(1), first(quarter * 3 + 1), first(month), monday)
            })
            .collect::<Vec<_>>(),
    );
    rule!(
        weld!(|v: &[Date]| v.map(|d| Date(d.year(), d.month(), d.day()) == d).all(|same| same));
        (&inner[..]) => true,
    );
}

#[test]
fn months_end_where_they_end() {
    let ends = [(2024, 1, 31), (2023, 1, 31), (2024, 2, 29), (1999, 12, 31)];
    let day = |&(year, month, day): &(i32, u32, u32)| Date::new(year, month, day).expect("a day");
    let ends: Vec<Date> = ends.iter().map(day).collect();
    let after = |all: [(i32, u32, u32); 4]| all.iter().map(day).collect::<Vec<_>>();
    rule!(
        weld!(|v: &[Date], n: i64| v.map(|d| d.add_months(n)));
        (&ends[..], 1) => after([(2024, 2, 29), (2023, 2, 28), (2024, 3, 29), (2000, 1, 31)]),
        (&ends[..], -11) => after([(2023, 2, 28), (2022, 2, 28), (2023, 3, 29), (1999, 1, 31)]),
        (&ends[..], 4800) => after([(2424, 1, 31), (2423, 1, 31), (2424, 2, 29), (2399, 12, 31)]),
    );
    rule!(
        weld!(|t: Timestamp| (t.add_months(1), t.add_months(-12)));
        ("2024-01-31T23:59:59.5Z".parse().expect("a moment")) => (
            "2024-02-29T23:59:59.5Z".parse::<Timestamp>().expect("a moment"),
            "2023-01-31T23:59:59.5Z".parse::<Timestamp>().expect("a moment"),
        ),
    );
}

#[test]
fn moments_have_a_day_and_a_time() {
    let moments = moments();
    rule!(
        weld!(|v: &[Timestamp]| v.map(|t| (t.date(), t.time(), (t.hour(), t.minute(), t.second(), t.microsecond()), t.year(), t.weekday())));
        (&moments[..]) => moments
            .iter()
            .map(|t| {
                let (date, time) = (t.date(), t.time());
                let micros = time.as_micros();
                let clock = ((time.as_hours()) as i32, (time.as_mins() % 60) as i32, (time.as_secs() % 60) as i32, (micros % 1_000_000) as i32);
                (date, time, clock, date.year(), date.weekday() as i32)
            })
            .collect::<Vec<_>>(),
    );
    let near: Vec<Timestamp> =
        moments.into_iter().filter(|t| t.epoch_micros().unsigned_abs() < 1 << 60).collect();
    rule!(
        weld!(|v: &[Timestamp], by: Span| v.map(|t| (t.trunc("month"), t.trunc("day"), t.trunc("hour"), t.trunc("second"), t.trunc(by))));
        (&near[..], Span::from_mins(7)) => near
            .iter()
            .map(|t| {
                let down = |micros: i64| Timestamp::from_epoch_micros(t.epoch_micros().div_euclid(micros) * micros);
                let day = t.date();
                let month = Date::new(day.year(), day.month(), 1).expect("a day").midnight();
                (month, day.midnight(), down(3_600_000_000), down(1_000_000), down(420_000_000))
            })
            .collect::<Vec<_>>(),
    );
}

#[test]
fn spans_are_what_is_between() {
    let (days, moments) = (days(), moments());
    rule!(
        weld!(|v: &[Date], d: Date, s: Span| v.map(|x| (x - d, x + s, x - s, s + x, max(x, d), x < d)));
        (&days[..], Date::from_epoch_days(20), Span::from_hours(49)) => {
            let (d, s) = (Date::from_epoch_days(20), Span::from_hours(49));
            days.iter().map(|&x| (x - d, x + s, x - s, x + s, x.max(d), x < d)).collect::<Vec<_>>()
        },
    );
    rule!(
        weld!(|v: &[Timestamp], t: Timestamp, s: Span| v.map(|x| (x - t, x + s, x - s, min(x, t), -(x - t))));
        (&moments[..], moments[7], Span::from_days(-3)) => {
            let (t, s) = (moments[7], Span::from_days(-3));
            moments.iter().map(|&x| (x - t, x + s, x - s, x.min(t), -(x - t))).collect::<Vec<_>>()
        },
    );
    rule!(
        weld!(|s: Span, n: i64| (s * n, n * s, s / 7, s - s / 2, s.as_days(), s.as_hours(), s.as_mins(), s.as_secs(), s.as_millis(), s.as_micros(), s.as_secs_f64()));
        (Span::from_millis(-100_000_123), 3) => {
            let s = Span::from_millis(-100_000_123);
            (s * 3, s * 3, s / 7, s - s / 2, -1i64, -27i64, -1666i64, -100_000i64, -100_000_123i64, -100_000_123_000i64, -100_000.123f64)
        },
    );
    rule!(
        weld!(|n: i64| (Span::from_days(n), Span::from_hours(n), Span::from_mins(n), Span::from_secs(n), Span::from_millis(n), Span::from_micros(n)));
        (3) => (Span::from_days(3), Span::from_hours(3), Span::from_mins(3), Span::from_secs(3), Span::from_millis(3), Span::from_micros(3)),
        (i64::MAX) => {
            let n = i64::MAX;
            (Span::from_days(n), Span::from_hours(n), Span::from_mins(n), Span::from_secs(n), Span::from_millis(n), Span::from_micros(n))
        },
    );
}

#[test]
fn dates_are_keys_and_are_reduced() {
    let trade = |day: i64, hours: i64, settles, price| Trade {
        at: Timestamp::from_epoch_micros(0) + Span::from_days(day) + Span::from_hours(hours),
        settles,
        price,
    };
    let settles = Some(Date::from_epoch_days(9));
    let trades = [
        trade(3, 1, settles, 1.5),
        trade(4, 0, None, 2.0),
        trade(3, 23, settles, 4.0),
        trade(-1, 5, None, 8.0),
    ];
    let day = |n: i32| Date::from_epoch_days(n);
    let totals: Dict<Date, f64> = [(day(3), 5.5), (day(4), 2.0), (day(-1), 8.0)].into_iter().collect();
    let last: Dict<Option<Date>, (Timestamp, i64)> =
        [(settles, (trades[2].at, 2)), (None, (trades[1].at, 2))].into_iter().collect();
    rule!(
        weld!(|v: &[Trade]| (
            v.reduce_by(|t| t.at.date(), |t| t.price, +),
            v.aggregate(|t| t.settles, |g| (g.max(|t| t.at), g.count())),
            v.sort_by_key(|t| t.at).map(|t| t.price),
            v.map(|t| t.at).min(),
            v.map(|t| t.at).max(),
            v.map(|t| t.at.time()).sum(),
        ));
        (&trades[..]) => (totals, last, vec![8.0, 1.5, 4.0, 2.0], trades[3].at, trades[1].at, Span::from_hours(29)),
        (&[][..]) => Fault(FaultKind::EmptyReduction, "max"),
    );
}

#[test]
fn dates_are_read_from_texts() {
    let texts =
        ["1994-01-31", "1994-02-30", "1994-1-31", "", "1994-01-31T12:00:00.25+01:00", "1994-01-31 00:00:00"]
            .map(str::to_owned);
    let dates: Vec<Option<Date>> = texts.iter().map(|text| text.parse().ok()).collect();
    let moments: Vec<Option<Timestamp>> = texts.iter().map(|text| text.parse().ok()).collect();
    assert_eq!((dates.iter().flatten().count(), moments.iter().flatten().count()), (1, 2));
    rule!(
        weld!(|v: &[String]| (v.map(|s| s.parse::<Date>()), v.map(|s| s.parse::<Timestamp>())));
        (&texts[..]) => (dates, moments),
    );
}

#[test]
fn a_date_that_is_none_faults() {
    rule!(
        weld!(|year: i64, month: i32, day: u8| Date(year, month, day));
        (2024, 2, 29) => Date::new(2024, 2, 29).expect("a day"),
        (5_881_580, 7, 11) => Date::from_epoch_days(i32::MAX),
        (-5_877_641, 6, 23) => Date::from_epoch_days(i32::MIN),
        (2023, 2, 29) => Fault(FaultKind::AssertionFailed, "Date"),
        (2023, 0, 1) => Fault(FaultKind::AssertionFailed, "Date"),
        (5_881_580, 7, 12) => Fault(FaultKind::AssertionFailed, "Date"),
        (i64::MAX, 1, 1) => Fault(FaultKind::AssertionFailed, "Date"),
    );
    rule!(
        weld!(|d: Date, hour: i64, second: i64| (d.at(hour, 59, second), Timestamp(2024, 1, 1, hour, 0, second)));
        (Date::from_epoch_days(-1), 23, 59) => (
            Date::from_epoch_days(-1).at(23, 59, 59).expect("a time"),
            Date::new(2024, 1, 1).and_then(|d| d.at(23, 0, 59)).expect("a time"),
        ),
        (Date::from_epoch_days(-1), 24, 0) => Fault(FaultKind::AssertionFailed, "at"),
        (Date::from_epoch_days(-1), 0, -1) => Fault(FaultKind::AssertionFailed, "at"),
    );
    rule!(
        weld!(|t: Timestamp, by: Span| t.trunc(by));
        (Timestamp::from_epoch_micros(1), Span::default()) => Fault(FaultKind::DivisionByZero, "trunc"),
    );
}

/// A quarter that begins with a month of its own.
#[welded]
fn fiscal_year(d: Date) -> i32 {
    d.add_months(3).year()
}

#[test]
fn functions_of_dates_are_functions_of_rust() {
    let days: Vec<Date> =
        [(2024, 9, 30), (2024, 10, 1)].iter().filter_map(|&(y, m, d)| Date::new(y, m, d)).collect();
    assert_eq!((fiscal_year(days[0]), fiscal_year(days[1])), (2024, 2025));
    rule!(
        weld!(|v: &[Date]| v.map(|d| fiscal_year(d)));
        (&days[..]) => vec![2024, 2025],
    );
}
