//! Types of dates and times: their arithmetic, and how they are made and read.
//!
//! Each is the struct of its number, so that it compares, is a key and is reduced as that number is. What the calendar has to say is in the table
//! of sugar. Functions of dates are methods alone: `year` and `day` are names that programs use.

use std::rc::Rc;

use proc_macro2::Span;
use weldment_runtime::lang::calendar::{self, DAY, SECOND, Temporal};
use weldment_runtime::lang::scalar::{BinaryOp, Const, UnaryOp};
use weldment_runtime::lang::types::Scalar;

use super::condition::Check;
use super::ty::Ty;
use super::typed::{Expr, ExprKind};
use super::{Infer, Typed, forms, no_times, quoted};
use crate::syntax::{ast, names};

/// The methods of dates and their names in the table. Those of a moment are those of its day as well.
const OF_DATES: [(&str, &str); 10] = [
    ("year", "date_year"),
    ("month", "date_month"),
    ("day", "date_day"),
    ("weekday", "date_weekday"),
    ("quarter", "date_quarter"),
    ("day_of_year", "date_day_of_year"),
    ("epoch_days", "date_epoch_days"),
    ("add_months", "date_add_months"),
    ("midnight", "date_midnight"),
    ("at", "date_at"),
];

/// The methods of moments.
const OF_MOMENTS: [(&str, &str); 8] = [
    ("date", "moment_date"),
    ("time", "moment_time"),
    ("hour", "moment_hour"),
    ("minute", "moment_minute"),
    ("second", "moment_second"),
    ("microsecond", "moment_microsecond"),
    ("epoch_micros", "moment_epoch_micros"),
    ("add_months", "moment_add_months"),
];

/// What lengths of time are counted in: what makes one, what reads it, and the microseconds of each.
const UNITS: [(&str, &str, i64); 6] = [
    ("from_days", "as_days", DAY),
    ("from_hours", "as_hours", 3600 * SECOND),
    ("from_mins", "as_mins", 60 * SECOND),
    ("from_secs", "as_secs", SECOND),
    ("from_millis", "as_millis", 1000),
    ("from_micros", "as_micros", 1),
];

/// What makes moments.
const SINCE_1970: [(&str, &str, i64); 3] = [
    ("from_epoch_secs", "", SECOND),
    ("from_epoch_millis", "", 1000),
    ("from_epoch_micros", "epoch_micros", 1),
];

/// What a date begins anew with, and its name in the table.
const PARTS_OF_DATES: [(&str, &str); 4] = [
    ("year", "date_year_start"),
    ("quarter", "date_quarter_start"),
    ("month", "date_month_start"),
    ("week", "date_week_start"),
];

/// The same of what is shorter than a day, in microseconds.
const PARTS_OF_DAYS: [(&str, i64); 4] =
    [("day", DAY), ("hour", 3600 * SECOND), ("minute", 60 * SECOND), ("second", SECOND)];

impl Infer<'_> {
    /// What `name` is of a date or a time; `None` if it is no method of it, or the receiver is none.
    pub(super) fn time_call(
        &mut self,
        name: &ast::Ident,
        args: &Rc<[ast::Expr]>,
        is_method: bool,
    ) -> Typed<Option<Expr>> {
        let span = name.span;
        if !self.is_users(name) {
            let temporal = match (name.name.as_str(), &args[..]) {
                ("time_number", [time]) => return self.time_number(time, span).map(Some),
                ("as_date", [_]) => Temporal::Date,
                ("as_moment", [_]) => Temporal::Timestamp,
                ("as_span", [_]) => Temporal::Span,
                _ => return Ok(None),
            };
            let number = self.typed(&args[0], &Ty::Scalar(temporal.number()));
            return Ok(Some(of_number(temporal, number, span)));
        }
        let Some(first) = args.first().filter(|_| is_method && methods().any(|method| method == name.name))
        else {
            return Ok(None);
        };
        let Some(temporal) = self.temporal(first) else { return Ok(None) };
        let named = |(method, _): &&(&str, &str)| *method == name.name;
        let of_moments = match temporal {
            Temporal::Span => return self.span_method(name, args),
            _ if name.name == "trunc" => return self.trunc(name, temporal, args).map(Some),
            Temporal::Date => None,
            Temporal::Timestamp => OF_MOMENTS.iter().find(named),
        };
        if let Some((_, table)) = of_moments {
            return self.sugar_of(table, name, args, true).map(Some);
        }
        let Some((_, table)) = OF_DATES.iter().find(named) else { return Ok(None) };
        if temporal == Temporal::Date {
            return self.sugar_of(table, name, args, true).map(Some);
        }
        let day = quoted::call("moment_date", vec![quoted::argument(args, 0)], self.inner_mark(), span);
        let rest = (1..args.len()).map(|at| quoted::argument(args, at));
        let args: Rc<[ast::Expr]> = [day].into_iter().chain(rest).collect();
        self.sugar_of(table, name, &args, true).map(Some)
    }

    /// `Date(1994, 1, 1)` or `Timestamp(1994, 1, 1, 12, 0, 0)`; `None` if `name` is not such a type.
    pub(super) fn time_made(&mut self, name: &ast::Ident, args: &Rc<[ast::Expr]>) -> Typed<Option<Expr>> {
        let Some(temporal) = names::temporal(&name.name) else { return Ok(None) };
        let form: &[&str] = match temporal {
            Temporal::Date => &["year", "month", "day"],
            Temporal::Timestamp => &["year", "month", "day", "hour", "minute", "second"],
            Temporal::Span => {
                self.arguments(args);
                return Err(no_times::no_span(name.span));
            }
        };
        self.expect_args(name, args, form, false)?;
        if let Some(numbers) = args.iter().map(literal).collect::<Option<Vec<i64>>>() {
            let day = calendar::date(numbers[0], numbers[1], numbers[2]).map(i64::from);
            let number = match numbers[3..] {
                [hour, minute, second] => {
                    day.zip(calendar::time(hour, minute, second)).map(|(day, time)| day * DAY + time)
                }
                _ => day,
            };
            let Some(number) = number else { return Err(no_times::no_time(temporal, &numbers, name.span)) };
            let number = constant(number, temporal.number(), name.span);
            return Ok(Some(of_number(temporal, number, name.span)));
        }
        let table = if temporal == Temporal::Date { "date_made" } else { "moment_made" };
        self.sugar_of(table, name, args, false).map(Some)
    }

    /// `Date::from_epoch_days(n)` and its like: `of` is the type, `from` the rest of the path. `None` if that is no such type.
    pub(super) fn time_from(
        &mut self,
        of: &ast::Ident,
        from: &str,
        args: &[ast::Expr],
    ) -> Typed<Option<Expr>> {
        let Some(temporal) = self.temporal_named(of) else { return Ok(None) };
        let span = of.span;
        let makers: &[(&str, &str, i64)] = match temporal {
            Temporal::Date => &[("from_epoch_days", "epoch_days", 1)],
            Temporal::Timestamp => &SINCE_1970,
            Temporal::Span => &UNITS,
        };
        let Some((from, _, micros)) = makers.iter().find(|(known, ..)| *known == from) else {
            self.arguments(args);
            return Err(no_times::no_maker(of, from, makers.iter().map(|(known, ..)| *known)));
        };
        let [number] = args else {
            self.arguments(args);
            let name = ast::Ident { name: format!("{}::{from}", of.name), ..of.clone() };
            return Err(forms::wrong_number(&name, args.len(), &["n"], false));
        };
        let number = self.expr(number);
        self.check(Check::Integer(number.ty.clone(), from, number.span))?;
        let number = cast(number, temporal.number());
        Ok(Some(of_number(temporal, times(number, *micros), span)))
    }

    /// `x op y`, of which one is a date or a time; `None` if neither is. What is given back has not been typed further.
    pub(super) fn time_arithmetic(
        &mut self,
        op: BinaryOp,
        x: Expr,
        y: Expr,
        span: Span,
    ) -> Typed<Result<Expr, (Expr, Expr)>> {
        use BinaryOp::{Add, Div, Max, Min, Mul, Sub};
        use Temporal::{Date, Timestamp};
        const SPAN: Option<Temporal> = Some(Temporal::Span);
        let sides = [&x, &y].map(|side| self.unifier.seen(&side.ty).as_temporal());
        let binary = |op, x: Expr, y: Expr| {
            let ty = x.ty.clone();
            Expr { kind: ExprKind::Binary(op, Box::new(x), Box::new(y)), ty, span }
        };
        let made = |temporal, number| Ok(Ok(of_number(temporal, number, span)));
        match (op, sides) {
            (_, [None, None]) => Ok(Err((x, y))),
            (Add | Sub, [Some(Date), SPAN]) => {
                let days = cast(binary(Div, self.number(y), constant(DAY, Scalar::I64, span)), Scalar::I32);
                made(Date, binary(op, self.number(x), days))
            }
            (Sub, [Some(Date), Some(Date)]) => {
                let [x, y] = [x, y].map(|side| cast(self.number(side), Scalar::I64));
                made(Temporal::Span, times(binary(op, x, y), DAY))
            }
            (Add, [SPAN, Some(Date | Timestamp)]) => self.time_arithmetic(op, y, x, span),
            (Add | Sub, [Some(to @ (Timestamp | Temporal::Span)), SPAN]) => {
                made(to, binary(op, self.number(x), self.number(y)))
            }
            (Sub, [Some(Timestamp), Some(Timestamp)]) => {
                made(Temporal::Span, binary(op, self.number(x), self.number(y)))
            }
            (Mul | Div, [SPAN, None]) => {
                let y = self.factor(y)?;
                made(Temporal::Span, binary(op, self.number(x), y))
            }
            (Mul, [None, SPAN]) => {
                let x = self.factor(x)?;
                made(Temporal::Span, binary(op, x, self.number(y)))
            }
            (Min | Max, [Some(of), Some(other)]) if of == other => {
                made(of, binary(op, self.number(x), self.number(y)))
            }
            (_, [a, b]) => Err(self.no_arithmetic(op, [&x, &y], [a, b], span)),
        }
    }

    /// `-x`, if that is a length of time.
    pub(super) fn time_negated(&self, op: UnaryOp, x: &Expr, span: Span) -> Option<Expr> {
        let is_span = self.unifier.seen(&x.ty).as_temporal() == Some(Temporal::Span);
        (is_span && op == UnaryOp::Neg).then(|| {
            let micros = Box::new(self.number(x.clone()));
            of_number(Temporal::Span, Expr { kind: ExprKind::Unary(op, micros), ty: Ty::I64, span }, span)
        })
    }

    /// The number of a date or a time.
    fn time_number(&mut self, time: &ast::Expr, span: Span) -> Typed<Expr> {
        let time = self.expr(time);
        match self.unifier.seen(&time.ty).as_temporal() {
            Some(_) => Ok(Expr { span, ..self.number(time) }),
            None => {
                let wanted = Ty::temporal(Temporal::Date);
                self.expect(&time, &wanted)?;
                Ok(Expr { span, ..self.number(Expr { ty: wanted, ..time }) })
            }
        }
    }

    /// The number of `of`, which is known to be a date or a time.
    pub(super) fn number(&self, of: Expr) -> Expr {
        let temporal = self.unifier.seen(&of.ty).as_temporal().expect("it has been looked at");
        let (ty, span) = (Ty::Scalar(temporal.number()), of.span);
        Expr { kind: ExprKind::Field(Box::new(of), 0), ty, span }
    }

    /// `s.as_hours()` and its like.
    fn span_method(&mut self, name: &ast::Ident, args: &[ast::Expr]) -> Typed<Option<Expr>> {
        let micros = match UNITS.iter().find(|(_, read, _)| *read == name.name) {
            Some((_, _, micros)) => Some(*micros),
            None if name.name == "as_secs_f64" => None,
            None => return Ok(None),
        };
        self.expect_args(name, args, &["s"], true)?;
        let number = self.time_number(&args[0], name.span)?;
        let (number, by, scalar) = match micros {
            Some(1) => return Ok(Some(number)),
            Some(micros) => (number, micros, Scalar::I64),
            None => (cast(number, Scalar::F64), SECOND, Scalar::F64),
        };
        let by = Box::new(constant(by, scalar, name.span));
        let ty = Ty::Scalar(scalar);
        Ok(Some(Expr { kind: ExprKind::Binary(BinaryOp::Div, Box::new(number), by), ty, span: name.span }))
    }

    /// `d.trunc("month")`, `t.trunc("hour")` or `t.trunc(span)`
    fn trunc(&mut self, name: &ast::Ident, temporal: Temporal, args: &Rc<[ast::Expr]>) -> Typed<Expr> {
        let (span, is_date) = (name.span, temporal == Temporal::Date);
        self.expect_args(name, args, &["t", "part"], true)?;
        let mark = self.inner_mark();
        let ast::ExprKind::Bytes(part, _) = &forms::strip(&args[1]).kind else {
            if is_date || self.temporal(&args[1]) != Some(Temporal::Span) {
                self.arguments(args);
                return Err(no_times::no_part(is_date, args[1].span));
            }
            return self.sugar_of("moment_trunc", name, args, true);
        };
        let part = String::from_utf8_lossy(part);
        let of_date = PARTS_OF_DATES.iter().find(|(known, _)| *known == part);
        let of_day = PARTS_OF_DAYS.iter().find(|(known, _)| !is_date && *known == part);
        match (of_date, of_day) {
            (Some((_, table)), _) if is_date => {
                self.sugar_of(table, name, &Rc::from([quoted::argument(args, 0)]), true)
            }
            (Some((_, table)), _) => {
                let day = quoted::call("moment_date", vec![quoted::argument(args, 0)], mark, span);
                let start = quoted::call(table, vec![day], mark, span);
                self.sugar_of("date_midnight", name, &Rc::from([start]), true)
            }
            (None, Some((_, micros))) => {
                let micros = ast::Expr { kind: ast::ExprKind::Const(Const::I64(*micros)), span };
                let length = quoted::call("as_span", vec![micros], mark, span);
                self.sugar_of("moment_trunc", name, &Rc::from([quoted::argument(args, 0), length]), true)
            }
            (None, None) => {
                self.expr(&args[0]);
                Err(no_times::no_part(is_date, args[1].span))
            }
        }
    }

    /// Which date or time `expr` is, if it is one.
    fn temporal(&mut self, expr: &ast::Expr) -> Option<Temporal> {
        self.peek(expr).and_then(|ty| self.unifier.seen(&ty).as_temporal())
    }

    /// Which type of dates and times `name` is, if it is one.
    fn temporal_named(&mut self, name: &ast::Ident) -> Option<Temporal> {
        let is_known = self.find_struct(name).is_some();
        let temporal = match self.alias(name) {
            Some(_) => {
                let ty = self.named_type(name, &[]);
                return self.unifier.seen(&ty).as_temporal();
            }
            None => names::temporal(&name.name),
        };
        temporal.filter(|_| !is_known)
    }

    /// An integer that a length of time is multiplied by or divided by.
    fn factor(&mut self, of: Expr) -> Typed<Expr> {
        self.expect(&of, &Ty::I64)?;
        Ok(of)
    }
}

/// The methods of dates and times.
#[doc(hidden)]
pub fn methods() -> impl Iterator<Item = &'static str> {
    Temporal::ALL.into_iter().flat_map(methods_of)
}

/// The methods of a date or a time.
pub(super) fn methods_of(temporal: Temporal) -> Vec<&'static str> {
    let dates = OF_DATES.iter().map(|(name, _)| *name);
    match temporal {
        Temporal::Date => dates.chain(["trunc"]).collect(),
        Temporal::Timestamp => {
            dates.chain(OF_MOMENTS.iter().map(|(name, _)| *name)).chain(["trunc"]).collect()
        }
        Temporal::Span => UNITS.iter().map(|(_, read, _)| *read).chain(["as_secs_f64"]).collect(),
    }
}

/// The number that `expr` is, if that is written out.
pub(super) fn literal(expr: &ast::Expr) -> Option<i64> {
    match &forms::strip(expr).kind {
        ast::ExprKind::Integer(number) => i64::try_from(*number).ok(),
        ast::ExprKind::Const(constant) => i64::try_from(constant.as_integer()?).ok(),
        ast::ExprKind::Unary(UnaryOp::Neg, of) => literal(of)?.checked_neg(),
        _ => None,
    }
}

/// What is `number` under the name of `temporal`.
pub(super) fn of_number(temporal: Temporal, number: Expr, span: Span) -> Expr {
    Expr { kind: ExprKind::Struct(vec![number]), ty: Ty::temporal(temporal), span }
}

fn constant(number: i64, scalar: Scalar, span: Span) -> Expr {
    let constant = Const::from_i128(scalar, number.into());
    Expr { kind: ExprKind::Const(constant), ty: Ty::Scalar(scalar), span }
}

fn cast(of: Expr, to: Scalar) -> Expr {
    let span = of.span;
    Expr { kind: ExprKind::Cast(Box::new(of)), ty: Ty::Scalar(to), span }
}

/// `number * micros`
fn times(number: Expr, micros: i64) -> Expr {
    if micros == 1 {
        return number;
    }
    let (ty, span) = (number.ty.clone(), number.span);
    let micros = Box::new(constant(micros, Scalar::I64, span));
    Expr { kind: ExprKind::Binary(BinaryOp::Mul, Box::new(number), micros), ty, span }
}
