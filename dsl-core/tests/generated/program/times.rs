//! Dates and times, and what is made of them.

use weldment_runtime::lang::calendar::Temporal;
use weldment_runtime::lang::types::{Scalar, Type};

use super::Generator;

/// What makes each of a number.
const FROM: [[&str; 2]; 3] = [
    ["Date::from_epoch_days", "Date::from_epoch_days"],
    ["Timestamp::from_epoch_secs", "Timestamp::from_epoch_micros"],
    ["Span::from_days", "Span::from_millis"],
];

/// Texts that are dates or moments, or are none.
const READ: [&str; 4] = ["1994-02-28", "2000-02-29T23:59:59.25Z", "1994-02-30", "-1"];

impl Generator<'_> {
    /// The type of dates or of times, or of decimal numbers.
    pub(super) fn temporal_ty(&mut self) -> Type {
        match self.tape.by_place(&[false, true, false]) {
            true => self.fixed_ty(),
            false => Type::temporal(self.tape.of(&Temporal::ALL)),
        }
    }

    /// A date or a time as a literal.
    pub(super) fn time_literal(&mut self, temporal: Temporal) -> String {
        let day = self.tape.of(&["1970, 1, 1", "2000, 2, 29", "1899, 12, 31", "1994, 10, 3"]).to_owned();
        match temporal {
            Temporal::Date => format!("Date({day})"),
            Temporal::Timestamp => {
                let time = self.tape.of(&["0, 0, 0", "23, 59, 59"]).to_owned();
                format!("Timestamp({day}, {time})")
            }
            Temporal::Span => self.made_of_number(temporal),
        }
    }

    /// One of a number.
    fn made_of_number(&mut self, temporal: Temporal) -> String {
        let from = self.tape.of(&FROM[temporal as usize]);
        format!("{from}({})", self.expr(&Type::I64))
    }

    /// A date or a time.
    pub(super) fn time(&mut self, temporal: Temporal) -> String {
        let ty = Type::temporal(temporal);
        let other = |this: &mut Self, temporal| this.expr(&Type::temporal(temporal));
        match (self.tape.pick(8), temporal) {
            (0, _) => self.made_of_number(temporal),
            (1, _) => {
                format!("{}({}, {})", self.tape.of(&["min", "max"]), self.leaf(&ty), self.expr(&ty))
            }
            (2, Temporal::Span) => {
                let of = self.tape.of(&Temporal::ALL);
                format!("({} - {})", other(self, of), other(self, of))
            }
            (2 | 3, _) => {
                let span = other(self, Temporal::Span);
                let (time, op) = (self.expr(&ty), self.tape.of(&["+", "-"]));
                format!("({time} {op} {span})")
            }
            (4, Temporal::Span) => format!("(-{})", self.leaf(&ty)),
            (5, Temporal::Span) => {
                let op = self.tape.of(&["*", "/"]);
                format!("({} {op} {})", self.expr(&ty), self.expr(&Type::I64))
            }
            (6, Temporal::Span) => format!("{}.time()", other(self, Temporal::Timestamp)),
            (4, _) => {
                let parts = ["year", "quarter", "month", "week", "day", "hour", "minute", "second"];
                let few = if temporal == Temporal::Date { 4 } else { 8 };
                let part = self.tape.of(&parts[..few]);
                format!("{}.trunc(\"{part}\")", self.expr(&ty))
            }
            (5, _) => format!("{}.add_months({})", self.expr(&ty), self.leaf(&Type::I64)),
            (6, Temporal::Date) if self.tape.of(&[true, false]) => {
                let (year, month) = (self.expr(&Type::I64), self.tape.of(&["1", "2", "12"]).to_owned());
                // Literals alone have to be a date.
                format!("Date({year} + 0, {month}, {})", self.leaf(&Type::I64))
            }
            (6, Temporal::Date) => format!("{}.date()", other(self, Temporal::Timestamp)),
            (6, Temporal::Timestamp) => {
                let day = other(self, Temporal::Date);
                match self.tape.of(&["midnight", "at", "trunc"]) {
                    "midnight" => format!("{day}.midnight()"),
                    "at" => format!("{day}.at({}, 59, 0)", self.leaf(&Type::I64)),
                    _ => format!("{}.trunc({})", self.leaf(&ty), other(self, Temporal::Span)),
                }
            }
            (7, Temporal::Date | Temporal::Timestamp) => {
                let (text, other) = (self.tape.of(&READ).to_owned(), self.leaf(&ty));
                let read = format!("parse::<{}>(\"{text}\")", temporal.name());
                self.spell.call("unwrap_or", &[read, other])
            }
            _ => self.leaf(&ty),
        }
    }

    /// A number that is made of a date or a time.
    pub(super) fn of_time(&mut self, ty: Scalar) -> String {
        let of = |this: &mut Self, temporal: Temporal, methods: &[&'static str]| {
            let method = this.tape.of(methods);
            format!("{}.{method}()", this.expr(&Type::temporal(temporal)))
        };
        match (ty, self.tape.pick(3)) {
            (Scalar::F64, _) => of(self, Temporal::Span, &["as_secs_f64"]),
            (Scalar::I64, 0) => of(self, Temporal::Timestamp, &["epoch_micros"]),
            (Scalar::I64, _) => {
                let units = ["as_days", "as_hours", "as_mins", "as_secs", "as_millis", "as_micros"];
                of(self, Temporal::Span, &units)
            }
            (_, 0) => of(self, Temporal::Timestamp, &["hour", "minute", "second", "microsecond"]),
            _ => {
                let parts = ["year", "month", "day", "weekday", "quarter", "day_of_year", "epoch_days"];
                let whose = self.tape.of(&[Temporal::Date, Temporal::Timestamp]);
                of(self, whose, &parts)
            }
        }
    }
}
