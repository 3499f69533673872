//! Floats of 16 bits: how they are made and read, and what errors say where something else is done with them.
//!
//! Each is the struct of its bits, but a type of storage: it is moved about, and nothing is computed of it. What is computed is so of
//! the f32 or the f64 that it is read as, and the result rounded once where it is stored. So there are no sums of 11 bits by accident.

use proc_macro2::Span;
use weldment_runtime::lang::half::Half;
use weldment_runtime::lang::types::Scalar;

use super::check::Outcome;
use super::condition::Check;
use super::ty::Ty;
use super::typed::{Expr, ExprKind};
use super::{Infer, Typed};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast::{self, Spelling};
use crate::syntax::names;

impl Infer<'_> {
    /// `x as f16`
    pub(super) fn cast_to_half(&mut self, half: Half, x: Expr, span: Span) -> Expr {
        self.require(Check::Narrowed(x.ty.clone(), half, span));
        Expr { kind: ExprKind::Cast(Box::new(x)), ty: Ty::half(half), span }
    }

    /// `f16(x)`, which is `x as f16`; `None` if `name` is no such type.
    pub(super) fn half_made(&mut self, name: &ast::Ident, args: &[ast::Expr]) -> Typed<Option<Expr>> {
        let Some(half) = names::half(&name.name) else { return Ok(None) };
        self.expect_args(name, args, &["x"], false)?;
        let x = self.expr(&args[0]);
        Ok(Some(self.cast_to_half(half, x, name.span)))
    }

    /// Whether values of type `from` are rounded to a float of 16 bits.
    pub(super) fn narrowed(&self, from: &Ty, to: Half, span: Span) -> Typed<Outcome> {
        let name = to.name();
        let other = match self.unifier.seen(from) {
            Ty::Var(_) => return Ok(Outcome::Wait),
            Ty::Scalar(_) => return Ok(Outcome::Done),
            other => other,
        };
        let found = self.unifier.show(&other);
        let message = format!("only scalars cast to `{name}`, found `{found}`");
        let error = Diagnostic::new(Code::BadCast, span, message);
        let cast = self.cast_named("x", name);
        Err(match other {
            Ty::Vec(_) => error.help(format!("cast each element: `v.map(|x| {cast})`")),
            Ty::Struct(fields) if fields.as_option().is_some() => {
                error.help(format!("cast the value, if there is one: `o.map(|x| {cast})`"))
            }
            Ty::Struct(fields) if fields.as_half() == Some(to) => {
                error.help("it is one already: leave the cast out")
            }
            Ty::Struct(fields) if fields.as_half().is_some() => error.help(self.by_f32(name)),
            Ty::Struct(fields) if fields.is_text() => error.help(self.parsed_half(to)),
            _ => error,
        })
    }

    /// What to do with a float of 16 bits in place of computing with it. Advice writes it as `written`.
    pub(super) fn read_half(&self, half: Half, written: &str) -> String {
        let cast = self.cast_of(written, Scalar::F32);
        format!("{} is for storage, and nothing is computed of it: read it as an f32, `{cast}`", one(half))
    }

    /// The same of a vector of them.
    pub(super) fn read_halves(&self, half: Half) -> String {
        let cast = self.cast_of("x", Scalar::F32);
        format!(
            "{} is for storage, and nothing is computed of it: read them as f32, `v.map(|x| {cast})`",
            one(half)
        )
    }

    /// How one is read from a text.
    pub(super) fn parsed_half(&self, half: Half) -> String {
        let cast = self.cast_named("x", half.name());
        format!(
            "read a float, and round it: `s.parse::<f64>().map(|x| {cast})` is an `Option<{}>`",
            half.name()
        )
    }

    /// How a float of 16 bits becomes what is neither an f32 nor an f64.
    pub(super) fn by_f32(&self, to: &str) -> String {
        let read = self.cast_of("x", Scalar::F32);
        format!("read it as an f32 first: `{}`", self.cast_named(&read, to))
    }

    /// The error of a float of 16 bits that is taken apart as a struct.
    pub(super) fn no_parts(&self, half: Half, span: Span) -> Diagnostic {
        let error = Diagnostic::new(Code::NoField, span, format!("`{}` has no fields", half.name()));
        error.help(format!("as an f32 it is `{}`", self.cast_of("x", Scalar::F32)))
    }

    /// The error of `f16` where a value is expected.
    pub(super) fn is_no_half(&self, name: &ast::Ident) -> Typed<()> {
        if names::half(&name.name).is_none() {
            return Ok(());
        }
        let message = format!("`{}` is a type, not a value", name.name);
        let error = Diagnostic::new(Code::KeywordAsValue, name.span, message);
        Err(error.help(format!("a cast is written `{}`", self.cast_named("x", &name.name))))
    }

    /// How a number becomes a float of 16 bits.
    pub(super) fn rounded_half(&self, half: Half, written: &str) -> String {
        format!("round it: `{}`", self.cast_named(written, half.name()))
    }

    /// A cast of `what` to the type `to` in the program's spelling.
    fn cast_named(&self, what: &str, to: &str) -> String {
        match self.spelling {
            Spelling::Weld => format!("{to}({what})"),
            Spelling::Rust if what == "…" => format!("(…) as {to}"),
            Spelling::Rust => format!("{what} as {to}"),
        }
    }
}

/// Its name behind an article.
pub(super) fn one(half: Half) -> &'static str {
    match half {
        Half::F16 => "an `f16`",
        Half::Bf16 => "a `bf16`",
    }
}
