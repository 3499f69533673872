//! Which values cast to scalars, and of which there is a text.

use proc_macro2::Span;
use weldment_runtime::lang::types::Scalar;

use super::check::Outcome;
use super::ty::Ty;
use super::{Infer, Typed, no_fixed, no_texts, no_times};
use crate::diagnostic::{Code, Diagnostic};

impl Infer<'_> {
    /// Whether values of type `from` cast to `to`.
    pub(super) fn cast(&mut self, from: &Ty, to: Scalar, span: Span) -> Typed<Outcome> {
        match self.unifier.seen(from) {
            Ty::Var(_) => Ok(Outcome::Wait),
            Ty::Scalar(from) if from.is_float() && to == Scalar::Bool => {
                Err(Diagnostic::new(Code::BadCast, span, format!("`{from}` does not cast to `bool`"))
                    .help("write `x != 0.0`"))
            }
            Ty::Scalar(_) => Ok(Outcome::Done),
            Ty::Struct(fields) if fields.as_half().is_some() && to.is_float() => Ok(Outcome::Done),
            other => {
                let found = self.unifier.show(&other);
                let error = Diagnostic::new(
                    Code::BadCast,
                    span,
                    format!("only scalars cast to `{to}`, found `{found}`"),
                );
                Err(match other {
                    Ty::Vec(_) => {
                        error.help(format!("cast each element: `v.map(|x| {})`", self.cast_of("x", to)))
                    }
                    Ty::Struct(fields) if fields.as_option().is_some() => error.help(format!(
                        "cast the value, if there is one: `o.map(|x| {})`",
                        self.cast_of("x", to)
                    )),
                    Ty::Struct(fields) if fields.is_text() => {
                        error.help(format!("read it: `s.parse::<{to}>()` is an `Option<{to}>`"))
                    }
                    Ty::Struct(fields) if fields.as_temporal().is_some() => error.help(no_times::INSTEAD),
                    Ty::Struct(fields) if fields.as_fixed().is_some() => error.help(no_fixed::INSTEAD),
                    Ty::Struct(fields) if fields.as_half().is_some() => error.help(self.by_f32(to.name())),
                    _ => error,
                })
            }
        }
    }

    /// Whether there is a text of values of this type.
    pub(super) fn is_shown(&mut self, ty: &Ty, span: Span) -> Typed<Outcome> {
        match self.unifier.seen(ty) {
            Ty::Var(_) => Ok(Outcome::Wait),
            Ty::Scalar(_) => Ok(Outcome::Done),
            Ty::Struct(fields)
                if fields.is_text()
                    || fields.as_temporal().is_some()
                    || fields.as_fixed().is_some()
                    || fields.as_half().is_some() =>
            {
                Ok(Outcome::Done)
            }
            other => {
                let message = format!("there is no text of a `{}`", self.unifier.show(&other));
                let error = Diagnostic::new(Code::BadCast, span, message);
                Err(no_texts::not_shown(&other, error))
            }
        }
    }
}
