//! What errors say of a date or a time where something else is wanted, and of dates that are none.

use proc_macro2::Span;
use weldment_runtime::lang::calendar::{self, Temporal};
use weldment_runtime::lang::reduce::ReduceOp;
use weldment_runtime::lang::scalar::BinaryOp;

use super::Infer;
use super::typed::Expr;
use crate::diagnostic::{Code, Diagnostic, nearest};
use crate::syntax::ast;

/// What to do with a date or a time in place of taking it for a number.
pub(super) const INSTEAD: &str = "its number is `d.epoch_days()` of a `Date`, `t.epoch_micros()` of a `Timestamp` and `s.as_micros()` of a `Span`";

/// What makes a length of time.
const MADE: &str =
    "`Span::from_secs(n)`, or `from_days`, `from_hours`, `from_mins`, `from_millis`, `from_micros`";

impl Infer<'_> {
    /// The error of `x op y`, one of which is a date or a time.
    pub(super) fn no_arithmetic(
        &self,
        op: BinaryOp,
        values: [&Expr; 2],
        of: [Option<Temporal>; 2],
        span: Span,
    ) -> Diagnostic {
        let [x, y] = values.map(|value| self.found(&value.ty));
        let message = format!("there is no such arithmetic of {x} and {y}");
        let error = Diagnostic::new(Code::Mismatch, span, message);
        match (op, of) {
            (BinaryOp::Add | BinaryOp::Sub, [Some(Temporal::Date), None]) => error.help(
                "how many days is a length of time: `d + Span::from_days(n)`; months are `d.add_months(n)`",
            ),
            (
                BinaryOp::Add | BinaryOp::Sub,
                [Some(_), None] | [None, Some(Temporal::Timestamp | Temporal::Span)],
            ) => error.help(format!("a length of time is a `Span`: {MADE}")),
            (BinaryOp::Sub, [Some(Temporal::Date), Some(Temporal::Timestamp)]) => {
                error.help("the moment at which a day begins is `d.midnight()`")
            }
            (BinaryOp::Sub, [Some(Temporal::Timestamp), Some(Temporal::Date)]) => error.help(
                "the day of a moment is `t.date()`, and the moment at which a day begins `d.midnight()`",
            ),
            (BinaryOp::Div, [Some(Temporal::Span), Some(Temporal::Span)]) => {
                error.help("as numbers: `a.as_micros() / b.as_micros()`")
            }
            _ => error.help(INSTEAD),
        }
    }
}

/// What makes a date or a time of a number.
pub(super) fn made(temporal: Temporal) -> &'static str {
    match temporal {
        Temporal::Date => "`Date::from_epoch_days(n)`",
        Temporal::Timestamp => "`Timestamp::from_epoch_micros(n)`, or `from_epoch_secs`, `from_epoch_millis`",
        Temporal::Span => MADE,
    }
}

/// How a date or a time is written.
pub(super) fn written(temporal: Temporal) -> String {
    match temporal {
        Temporal::Date => format!(
            "a date is written `Date(1994, 1, 31)`, read from a text by `s.parse::<Date>()`, and of a number it is {}",
            made(temporal)
        ),
        Temporal::Timestamp => format!(
            "a moment is written `Timestamp(1994, 1, 31, 12, 0, 0)`, read from a text by `s.parse::<Timestamp>()`, and of a number it is {}",
            made(temporal)
        ),
        Temporal::Span => format!("a length of time is {MADE}"),
    }
}

/// Why values of `ty`, which has a date or a time in it, are not reduced by `op`.
pub(super) fn not_reduced(temporal: Temporal, op: ReduceOp, span: Span) -> Option<Diagnostic> {
    let is_reduced = match op {
        ReduceOp::Min | ReduceOp::Max => true,
        ReduceOp::Add => temporal == Temporal::Span,
        ReduceOp::Mul => false,
    };
    let error = || {
        let message = format!("there is no `{op}` of `{}`s", temporal.name());
        let error = Diagnostic::new(Code::NotReducible, span, message);
        match temporal {
            Temporal::Span => error.help("take the number, `s.as_micros()`"),
            _ => error.help("the first is their `min()` and the last their `max()`; between two there is a `Span`, which is summed"),
        }
    };
    (!is_reduced).then(error)
}

/// The error of a date or a time that is taken apart as a struct.
pub(super) fn no_fields(temporal: Temporal, span: Span) -> Diagnostic {
    let error = Diagnostic::new(Code::NoField, span, format!("`{}` has no fields", temporal.name()));
    match temporal {
        Temporal::Date => error.help("its parts are `d.year()`, `d.month()` and `d.day()`"),
        Temporal::Timestamp => {
            error.help("its parts are `t.date()`, `t.hour()`, `t.minute()` and `t.second()`")
        }
        Temporal::Span => error.help(
            "its length is `s.as_secs()`, or `as_days`, `as_hours`, `as_mins`, `as_millis`, `as_micros`",
        ),
    }
}

/// The error of `Span(…)`.
pub(super) fn no_span(span: Span) -> Diagnostic {
    Diagnostic::new(Code::UnknownFunction, span, "a `Span` is made of a number of something").help(MADE)
}

/// The error of a `trunc` of what is no part of a date or a time.
pub(super) fn no_part(is_date: bool, span: Span) -> Diagnostic {
    let error = Diagnostic::new(Code::NoTime, span, "expected the name of what begins");
    match is_date {
        true => error.help("it is \"year\", \"quarter\", \"month\" or \"week\""),
        false => error.help("it is \"year\", \"quarter\", \"month\", \"week\", \"day\", \"hour\", \"minute\" or \"second\", or a `Span`: `t.trunc(Span::from_mins(5))`"),
    }
}

/// The error of a date or a time that the calendar does not have.
pub(super) fn no_time(temporal: Temporal, numbers: &[i64], span: Span) -> Diagnostic {
    let is_day = calendar::date(numbers[0], numbers[1], numbers[2]).is_some();
    let what = if is_day { "time" } else { "date" };
    let error = Diagnostic::new(Code::NoTime, span, format!("the calendar has no such {what}"));
    match temporal {
        _ if is_day => error.help("hours go to 23, minutes and seconds to 59"),
        _ => error.help("the order is year, month from 1 to 12, day of the month"),
    }
}

/// The error of `of::from`, which makes no `of`, as `known` do.
pub(super) fn no_maker<'k>(
    of: &ast::Ident,
    from: &str,
    known: impl Iterator<Item = &'k str> + Clone,
) -> Diagnostic {
    let name = &of.name;
    let error = Diagnostic::new(Code::UnknownPath, of.span, format!("`{name}` has no `{from}`"));
    match nearest(from, known.clone()) {
        Some(near) => error.help(format!("did you mean `{name}::{near}`?")),
        None => {
            let all: Vec<String> = known.map(|known| format!("`{name}::{known}(n)`")).collect();
            error.help(format!("one is made by {}", all.join(", ")))
        }
    }
}
