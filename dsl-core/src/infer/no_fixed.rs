//! What errors say of a decimal number where something else is wanted, and of what is none.

use proc_macro2::Span;
use weldment_runtime::lang::decimal::{NoFixed, Scale};
use weldment_runtime::lang::reduce::ReduceOp;
use weldment_runtime::lang::scalar::BinaryOp;

use super::typed::Expr;
use super::{Infer, forms};
use crate::diagnostic::{Code, Diagnostic, nearest};
use crate::syntax::ast;

/// What makes a decimal number: the name, and what it takes.
pub(super) const MAKERS: [(&str, &str); 2] = [("from", "x"), ("from_raw", "n")];

/// What to do with a decimal number in place of taking it for a number.
pub(super) const INSTEAD: &str = "the nearest f64 of a `Fixed` is `x.to_f64()`, and its units `x.raw()`";

/// What an integer has to be beside a decimal number.
const INTEGER: &str = "an i64 or a smaller integer";

/// What a decimal number is multiplied by.
pub(super) const FACTOR: (&str, &str) =
    (INTEGER, "make it an i64, or a `Fixed`, by which one is multiplied as well");

/// What a decimal number is divided by.
pub(super) const ROUNDED: (&str, &str) = (INTEGER, "make it an i64: `x.div_round(n as i64)`");

/// What a decimal number is made of.
pub(super) const FROM: (&str, &str) =
    ("a float, an i64 or a smaller integer", "a text is read by `s.parse::<Fixed<2>>()`");

impl Infer<'_> {
    /// The error of `x op y`, one of which is a decimal number.
    pub(super) fn no_fixed_arithmetic(
        &self,
        op: BinaryOp,
        values: [&Expr; 2],
        scales: [Option<Scale>; 2],
        span: Span,
    ) -> Diagnostic {
        let [x, y] = values.map(|value| self.found(&value.ty));
        let message = format!("there is no such arithmetic of {x} and {y}");
        let error = Diagnostic::new(Code::Mismatch, span, message);
        let known = scales.into_iter().flatten().next().map_or(0, Scale::digits);
        if values.iter().any(|value| self.unifier.seen(&value.ty).as_option().is_some()) {
            return error.help(forms::TAKE_VALUE);
        }
        match (op, scales) {
            (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Min | BinaryOp::Max, [Some(a), Some(b)]) => {
                error.help(rescaled(a, b))
            }
            (BinaryOp::Div, [Some(_), Some(_)]) => error.help(
                "a quotient of two is no decimal number in general: as floats it is `a.to_f64() / b.to_f64()`",
            ),
            (BinaryOp::Div, [Some(_), None]) if !values.iter().any(|value| self.is_float_value(value)) => {
                error.help("say that it is rounded: `x.div_round(n)` is the nearest number, of two the even one")
            }
            (BinaryOp::Add | BinaryOp::Sub | BinaryOp::Min | BinaryOp::Max, _) => {
                error.help(format!("make a `Fixed` of the other: `Fixed::<{known}>::from(y)`, of a constant `Fixed::<{known}>(\"1.5\")`"))
            }
            (BinaryOp::Mul | BinaryOp::Div, _) => error.help(format!(
                "a float is not exact: compute with floats, `x.to_f64()`, and round once, `Fixed::<{known}>::from(…)`; or make it a `Fixed`, \
                 `Fixed::<4>(\"0.0825\")`, whose digits add up in a product"
            )),
            _ => error.help(INSTEAD),
        }
    }

    fn is_float_value(&self, of: &Expr) -> bool {
        matches!(self.unifier.seen(&of.ty), super::ty::Ty::Scalar(scalar) if scalar.is_float())
    }

    /// The error of a product that has more digits behind the point than there can be.
    pub(super) fn no_product(&self, values: [&Expr; 2], scales: [Scale; 2], span: Span) -> Diagnostic {
        let [x, y] = values.map(|value| self.found(&value.ty));
        let digits = scales[0].digits() + scales[1].digits();
        let message = format!(
            "a product of {x} and {y} would have {digits} digits behind the point, and a `Fixed` has at most {}",
            Scale::MOST
        );
        let fewer = Scale::MOST - scales[1].digits();
        Diagnostic::new(Code::Mismatch, span, message)
            .help(format!("round one of them before: `x.rescale::<{fewer}>()`"))
    }

    /// The error of what is not `wanted`.
    pub(super) fn no_integer(&self, of: &Expr, wanted: &str, help: &str) -> Diagnostic {
        let message = format!("expected {wanted}, found {}", self.found(&of.ty));
        Diagnostic::new(Code::Mismatch, of.span, message).help(help)
    }
}

/// How numbers of two scales come to one.
pub(super) fn rescaled(a: Scale, b: Scale) -> String {
    let (few, many) = if a < b { (a, b) } else { (b, a) };
    let (name, digits) = (few.name(), many.digits());
    format!("scales do not mix: give the `{name}` {digits} digits, `x.rescale::<{digits}>()`, which is exact")
}

/// How a decimal number is written.
pub(super) fn written(scale: Scale) -> String {
    let (name, digits) = (scale.name(), scale.digits());
    format!(
        "a decimal number is written `Fixed::<{digits}>(\"1.5\")`, read from a text by `s.parse::<{name}>()`, and made of a number by \
         `Fixed::<{digits}>::from(x)`"
    )
}

/// The error of `Fixed::<2>(x)` of what is no literal.
pub(super) fn no_literal(scale: Scale, name: &str, span: Span) -> Diagnostic {
    let error = Diagnostic::new(Code::NoFixed, span, format!("`{name}(…)` is of a text that is written out"));
    error.help(written(scale))
}

/// The error of a literal that is no number of the scale.
pub(super) fn no_number(scale: Scale, why: &NoFixed, span: Span) -> Diagnostic {
    let error = Diagnostic::new(Code::NoFixed, span, why.to_string());
    match why {
        NoFixed::Digits(_) => {
            error.help(format!("leave out digits, or write a type that has more than {}", scale.digits()))
        }
        NoFixed::Range(_) => error.help("a type with fewer digits behind the point has more in front of it"),
        _ => error.help("it is digits, behind a sign or none, and behind a point more digits"),
    }
}

/// The error of `of::maker`, which makes no decimal number.
pub(super) fn no_maker(name: &ast::Ident, maker: &str) -> Diagnostic {
    let of = name.name.strip_suffix(maker).unwrap_or(&name.name);
    let error =
        Diagnostic::new(Code::UnknownPath, name.span, format!("there is nothing called `{}`", name.name));
    match nearest(maker, MAKERS.iter().map(|(known, _)| *known)) {
        Some(near) => error.help(format!("did you mean `{of}{near}`?")),
        None => error
            .help(format!("one is made by `{of}from(x)` of a number, and by `{of}from_raw(n)` of its units")),
    }
}

/// The error of `Fixed::<2>::from(x)` of a decimal number.
pub(super) fn no_scale_change(scale: Scale, span: Span) -> Diagnostic {
    let error = Diagnostic::new(Code::Mismatch, span, "this is a `Fixed` already");
    error.help(format!("its digits change by `x.rescale::<{}>()`", scale.digits()))
}

/// The error of a `rescale` that does not say to which scale.
pub(super) fn no_rescale(span: Span) -> Diagnostic {
    let error =
        Diagnostic::new(Code::NotInferred, span, "it is not said how many digits the number is to have");
    error.help("say it: `x.rescale::<2>()` has two digits behind the point")
}

/// Why values that have a decimal number in them are not reduced by `op`.
pub(super) fn not_reduced(scale: Scale, op: ReduceOp, span: Span) -> Option<Diagnostic> {
    let error = || {
        let message = format!("there is no `{op}` of `{}`s here", scale.name());
        Diagnostic::new(Code::NotReducible, span, message)
    };
    match op {
        ReduceOp::Min | ReduceOp::Max => None,
        ReduceOp::Add => Some(error().help(
            "a total is tested for overflow where it ends: it is `v.sum()` of a vector of them, `v.map(|x| x.price).sum()`, and by key \
             `v.aggregate(|x| x.key, |g| g.sum(|x| x.price))`",
        )),
        ReduceOp::Mul => Some(error().help("a product has the digits of all of them: take floats, `x.to_f64()`")),
    }
}

/// The error of a decimal number that is taken apart as a struct.
pub(super) fn no_fields(scale: Scale, span: Span) -> Diagnostic {
    let error = Diagnostic::new(Code::NoField, span, format!("`{}` has no fields", scale.name()));
    error.help("its units are `x.raw()`")
}
