//! What types must satisfy besides being equal, kept until the type is known.

use proc_macro2::Span;
use weldment_runtime::types::Scalar;

use super::ty::Ty;
use super::typed::Expr;
use super::{Infer, Typed};
use crate::diagnostic::{Diagnostic, Kind};

/// A condition on types that may not be known yet.
#[derive(Clone, Debug)]
pub(super) enum Check {
    /// A number, for the operator shown.
    Number(Ty, &'static str, Span),
    /// An integer, for the operator shown.
    Integer(Ty, &'static str, Span),
    /// An integer, as an index.
    Index(Ty, Span),
    /// A bool or an integer, for the operator shown.
    Bits(Ty, &'static str, Span),
    /// A float, for the function shown.
    Float(Ty, &'static str, Span),
    /// A type that `==` compares.
    Comparable(Ty, Span),
    /// A type with an order.
    Ordered(Ty, Span),
    /// A scalar that casts to another.
    Cast(Ty, Scalar, Span),
    /// A number or a struct of numbers, field by field.
    Reducible(Ty, Span),
    /// A dictionary key.
    Key(Ty, Span),
    /// A type of values: no builder inside.
    Value(Ty, Span),
    /// A struct with this field of this type.
    Field { of: Ty, index: u32, field: Ty, span: Span },
    /// A struct with a field of this name, of this type.
    Member { of: Ty, name: String, field: Ty, span: Span },
    /// A vector indexed by any integer, or a dictionary indexed by its key.
    Lookup { of: Ty, key: Expr, value: Ty, span: Span },
    /// A vector or a dictionary.
    Len(Ty, Span),
}

/// Whether a check could be decided.
pub(super) enum Outcome {
    Done,
    Wait,
}

impl Infer<'_> {
    /// Decides `check` now, or keeps it until its type is known.
    pub(super) fn check(&mut self, check: Check) -> Typed<()> {
        if let Outcome::Wait = self.decide(&check)? {
            self.checks.push(check);
        }
        Ok(())
    }

    /// Decides every check that can be decided; where nothing moves any more, literals become i32. Gives the
    /// checks that stay undecided.
    pub(super) fn solve(&mut self) -> Typed<Vec<Check>> {
        loop {
            let pending = std::mem::take(&mut self.checks);
            let before = pending.len();
            for check in pending {
                self.check(check)?;
            }
            if self.checks.is_empty() || self.checks.len() == before && !self.unifier.default_literals() {
                self.unifier.default_literals();
                return Ok(std::mem::take(&mut self.checks));
            }
        }
    }

    /// Decides `check`, if its type is known.
    pub(super) fn decide(&mut self, check: &Check) -> Typed<Outcome> {
        match check {
            Check::Number(ty, what, span) => {
                self.scalar(ty, &format!("`{what}`"), *span, "a number", |s| s != Scalar::Bool)
            }
            Check::Integer(ty, what, span) => {
                self.scalar(ty, &format!("`{what}`"), *span, "an integer", Scalar::is_integer)
            }
            Check::Index(ty, span) => self.scalar(ty, "an index", *span, "an integer", Scalar::is_integer),
            Check::Bits(ty, what, span) => {
                self.scalar(ty, &format!("`{what}`"), *span, "a bool or an integer", |s| !s.is_float())
            }
            Check::Float(ty, what, span) => {
                self.scalar(ty, &format!("`{what}`"), *span, "a float", Scalar::is_float)
            }
            Check::Comparable(ty, span) => self.comparable(ty, *span, false),
            Check::Ordered(ty, span) => self.comparable(ty, *span, true),
            Check::Cast(from, to, span) => self.cast(from, *to, *span),
            Check::Reducible(ty, span) => self.reducible(ty, *span),
            Check::Key(ty, span) => self.storable(ty, *span, true),
            Check::Value(ty, span) => self.storable(ty, *span, false),
            Check::Field { of, index, field, span } => self.field(of, *index, field, *span),
            Check::Member { of, name, field, span } => self.member(of, name, field, *span),
            Check::Lookup { of, key, value, span } => self.lookup(of, key, value, *span),
            Check::Len(ty, span) => match self.unifier.shallow(ty) {
                Ty::Var(_) => Ok(Outcome::Wait),
                Ty::Vec(_) | Ty::Dict(..) => Ok(Outcome::Done),
                other => {
                    let found = self.unifier.show(&other);
                    Err(error(*span, format!("`len` needs a vector or a dictionary, found `{found}`")))
                }
            },
        }
    }

    fn scalar(
        &mut self,
        ty: &Ty,
        what: &str,
        span: Span,
        need: &str,
        fits: impl Fn(Scalar) -> bool,
    ) -> Typed<Outcome> {
        match self.unifier.shallow(ty) {
            Ty::Var(_) => Ok(Outcome::Wait),
            Ty::Scalar(scalar) if fits(scalar) => Ok(Outcome::Done),
            other => {
                let found = self.unifier.show(&other);
                let error = error(span, format!("{what} needs {need}, found `{found}`"));
                Err(match other {
                    Ty::Scalar(scalar) if need == "a float" && scalar.is_integer() => {
                        error.help("convert it: `f64(…)`")
                    }
                    Ty::Scalar(Scalar::Bool) if need == "a number" => error.help("cast it: `i64(…)`"),
                    Ty::Scalar(scalar) if need == "an integer" && scalar.is_float() => {
                        error.help("convert it: `i64(…)`, which rounds towards zero")
                    }
                    Ty::Vec(_) => error.help(
                        "apply it to each element: `v.map(|x| …)`, \
                         or to the elements of two vectors: `zip(v, w).map(|(x, y)| …)`",
                    ),
                    Ty::Struct(_) => {
                        error.help("apply it to the fields, `x.0`, or take them apart: `|(a, b)| …`")
                    }
                    _ => error,
                })
            }
        }
    }

    fn comparable(&mut self, ty: &Ty, span: Span, ordered: bool) -> Typed<Outcome> {
        match self.unifier.shallow(ty) {
            Ty::Var(_) => Ok(Outcome::Wait),
            Ty::Scalar(Scalar::Bool) if ordered => {
                Err(error(span, "`bool` has no order").help("compare with `==`, or cast: `i32(x)`"))
            }
            Ty::Scalar(_) => Ok(Outcome::Done),
            Ty::Vec(element) => {
                self.check(if ordered {
                    Check::Ordered((*element).clone(), span)
                } else {
                    Check::Comparable((*element).clone(), span)
                })?;
                Ok(Outcome::Done)
            }
            Ty::Struct(fields) => {
                for field in fields.iter().cloned() {
                    self.check(if ordered {
                        Check::Ordered(field, span)
                    } else {
                        Check::Comparable(field, span)
                    })?;
                }
                Ok(Outcome::Done)
            }
            other => {
                let found = self.unifier.show(&other);
                Err(error(span, format!("`{found}` cannot be compared")))
            }
        }
    }

    fn cast(&mut self, from: &Ty, to: Scalar, span: Span) -> Typed<Outcome> {
        match self.unifier.shallow(from) {
            Ty::Var(_) => Ok(Outcome::Wait),
            Ty::Scalar(from) if from.is_float() && to == Scalar::Bool => {
                Err(error(span, format!("`{from}` does not cast to `bool`")).help("write `x != 0.0`"))
            }
            Ty::Scalar(_) => Ok(Outcome::Done),
            other => {
                let found = self.unifier.show(&other);
                let error = error(span, format!("only scalars cast to `{to}`, found `{found}`"));
                Err(match other {
                    Ty::Vec(_) => error.help(format!("cast each element: `v.map(|x| {to}(x))`")),
                    _ => error,
                })
            }
        }
    }

    fn reducible(&mut self, ty: &Ty, span: Span) -> Typed<Outcome> {
        match self.unifier.shallow(ty) {
            Ty::Var(_) => Ok(Outcome::Wait),
            Ty::Scalar(scalar) if scalar != Scalar::Bool => Ok(Outcome::Done),
            Ty::Struct(fields) => {
                for field in fields.iter() {
                    self.check(Check::Reducible(field.clone(), span))?;
                }
                Ok(Outcome::Done)
            }
            other => {
                let found = self.unifier.show(&other);
                let error = error(span, format!("expected numbers or a struct of numbers, found `{found}`"));
                Err(match other {
                    Ty::Scalar(_) => error.help("cast them, `i64(x)`; or count: `v.filter(|x| …).count()`"),
                    Ty::Vec(_) => error.help("for all numbers of all vectors, `flatten` them first"),
                    _ => error,
                })
            }
        }
    }

    fn storable(&mut self, ty: &Ty, span: Span, key: bool) -> Typed<Outcome> {
        let again = |ty: &Ty| if key { Check::Key(ty.clone(), span) } else { Check::Value(ty.clone(), span) };
        match self.unifier.shallow(ty) {
            Ty::Var(_) => Ok(Outcome::Wait),
            Ty::Scalar(_) => Ok(Outcome::Done),
            Ty::Vec(element) => {
                self.check(again(&element))?;
                Ok(Outcome::Done)
            }
            Ty::Struct(fields) => {
                for field in fields.iter() {
                    self.check(again(field))?;
                }
                Ok(Outcome::Done)
            }
            Ty::Dict(..) if !key => Ok(Outcome::Done),
            Ty::Dict(..) => Err(error(span, "a dictionary cannot be a key of a dictionary")
                .help("a key is a scalar, or a vector or struct of what can be one")),
            other => {
                let found = self.unifier.show(&other);
                Err(Diagnostic::new(
                    Kind::Linearity,
                    span,
                    format!("a builder cannot be stored or returned, found `{found}`"),
                )
                .help("take its value first: `result(…)`"))
            }
        }
    }

    fn field(&mut self, of: &Ty, index: u32, field: &Ty, span: Span) -> Typed<Outcome> {
        match self.unifier.shallow(of) {
            Ty::Var(_) => Ok(Outcome::Wait),
            Ty::Struct(fields) => match fields.get(index as usize) {
                Some(found) => match self.unifier.unify(field, found) {
                    Ok(()) => Ok(Outcome::Done),
                    Err(_) => {
                        let (want, found) = (self.unifier.show(field), self.unifier.show(found));
                        Err(error(span, format!("expected `{want}`, found `{found}`")))
                    }
                },
                None => {
                    let found = self.unifier.show(&Ty::Struct(fields.clone()));
                    Err(error(span, format!("there is no field {index} in `{found}`")).help(
                        match fields.len() {
                            0 => "it has no fields".to_string(),
                            1 => "its only field is `.0`".to_string(),
                            n => format!("its fields are `.0` to `.{}`", n - 1),
                        },
                    ))
                }
            },
            other => {
                let found = self.unifier.show(&other);
                let error = error(span, format!("only structs have fields, found `{found}`"));
                Err(match other {
                    Ty::Vec(_) => error.help("an element of a vector is `v[i]`"),
                    _ => error,
                })
            }
        }
    }

    fn lookup(&mut self, of: &Ty, key: &Expr, value: &Ty, span: Span) -> Typed<Outcome> {
        let (found, found_key) = match self.unifier.shallow(of) {
            Ty::Var(_) => return Ok(Outcome::Wait),
            Ty::Vec(element) => {
                self.check(Check::Index(key.ty.clone(), key.span))?;
                ((*element).clone(), None)
            }
            Ty::Dict(key, value) => ((*value).clone(), Some(key)),
            other => {
                let found = self.unifier.show(&other);
                let error = error(span, format!("expected a vector or a dictionary, found `{found}`"));
                return Err(match other {
                    Ty::Struct(_) => error.help("the fields of a struct are `.0`, `.1`, …"),
                    _ => error,
                });
            }
        };
        if let Some(found_key) = found_key {
            self.expect(key, &found_key)?;
        }
        match self.unifier.unify(value, &found) {
            Ok(()) => Ok(Outcome::Done),
            Err(_) => {
                let (want, found) = (self.unifier.show(value), self.unifier.show(&found));
                Err(error(span, format!("expected `{want}`, found `{found}`")))
            }
        }
    }
}

impl Check {
    /// The type the check waits for, and where.
    pub(super) fn subject(&self) -> (&Ty, Span) {
        match self {
            Check::Number(ty, _, span)
            | Check::Integer(ty, _, span)
            | Check::Index(ty, span)
            | Check::Bits(ty, _, span)
            | Check::Float(ty, _, span)
            | Check::Comparable(ty, span)
            | Check::Ordered(ty, span)
            | Check::Cast(ty, _, span)
            | Check::Reducible(ty, span)
            | Check::Key(ty, span)
            | Check::Value(ty, span)
            | Check::Field { of: ty, span, .. }
            | Check::Member { of: ty, span, .. }
            | Check::Lookup { of: ty, span, .. }
            | Check::Len(ty, span) => (ty, *span),
        }
    }
}

fn error(span: Span, message: impl Into<String>) -> Diagnostic {
    Diagnostic::new(Kind::Type, span, message)
}
