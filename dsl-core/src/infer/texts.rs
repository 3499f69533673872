//! Types of texts: what has another meaning of a text than of a vector, and how bytes are one.
//!
//! A text is the struct of its bytes, which are UTF-8: so it compares, and is a key, as they are. Its type keeps the name `str` for
//! what comes from Rust and goes there. Programs make texts of whole texts and of parts that are cut between characters, and of
//! bytes that `from_utf8` has looked at.

use std::rc::Rc;

use proc_macro2::Span;
use weldment_runtime::lang::calendar::Temporal;
use weldment_runtime::lang::scalar::{self, Const};
use weldment_runtime::lang::types::Scalar;

use super::condition::Check;
use super::ty::Ty;
use super::typed::{Expr, ExprKind};
use super::{Infer, Typed, bind, fixed, forms};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast;

/// Functions of texts that are no sugar.
pub(super) const WORDS: [&str; 8] =
    ["to_string", "to_owned", "as_str", "as_bytes", "bytes", "parse", "concat", "like"];

/// What is a function of texts and of vectors.
const OF_BOTH: [(&str, &str); 5] = [
    ("len", "text_len"),
    ("is_empty", "text_is_empty"),
    ("find", "text_find"),
    ("contains", "text_contains"),
    ("slice", "text_slice"),
];

impl Infer<'_> {
    /// What `name` is of a text; `None` if it is no function of texts, or the first argument is none.
    pub(super) fn text_call(
        &mut self,
        name: &ast::Ident,
        args: &Rc<[ast::Expr]>,
        is_method: bool,
    ) -> Typed<Option<Expr>> {
        let span = name.span;
        let Some(first) = args.first() else { return Ok(None) };
        if let Some((_, table)) = OF_BOTH.iter().find(|(of_both, _)| *of_both == name.name) {
            if !self.is_text(first) {
                return Ok(None);
            }
            return self.sugar_of(table, name, args, is_method).map(Some);
        }
        match (name.name.as_str(), &args[..]) {
            ("bytes_of", [text]) if !self.is_users(name) => self.bytes_of(text, span).map(Some),
            ("text_of", [bytes]) if !self.is_users(name) => {
                let bytes = self.typed(bytes, &Ty::vec(Ty::Scalar(Scalar::U8)));
                Ok(Some(Expr { kind: ExprKind::Struct(vec![bytes]), ty: Ty::text(), span }))
            }
            ("as_bytes" | "bytes", [text]) if self.may_be_text(text) => self.bytes_of(text, span).map(Some),
            ("to_string" | "to_owned" | "as_str", [text]) if self.may_be_text(text) => {
                Ok(Some(self.typed(text, &Ty::text())))
            }
            ("to_string", _) if self.is_users(name) => {
                self.expect_args(name, args, &["x"], is_method)?;
                self.shown(&args[0], span).map(Some)
            }
            ("like", _) if self.is_users(name) => {
                self.expect_args(name, args, &["s", "pattern"], is_method)?;
                self.like(name, args, is_method).map(Some)
            }
            ("join", [texts, part]) if self.may_be_text(part) || self.has_texts(texts) => {
                if let Some(error) = self.no_texts_in(texts) {
                    self.arguments(args);
                    return Err(error);
                }
                self.sugar_of("text_join", name, args, is_method).map(Some)
            }
            ("concat", [texts]) if self.has_texts(texts) => {
                self.sugar_of("text_concat", name, args, is_method).map(Some)
            }
            _ => Ok(None),
        }
    }

    /// `s.parse::<to>()`
    pub(super) fn parse(
        &mut self,
        name: &ast::Ident,
        to: Option<&ast::Type>,
        args: &Rc<[ast::Expr]>,
        is_method: bool,
    ) -> Typed<Expr> {
        let span = name.span;
        let [text] = &args[..] else {
            self.arguments(args);
            return Err(forms::wrong_number(name, args.len(), &["s"], is_method));
        };
        let Some(to) = to else {
            self.arguments(args);
            let error = Diagnostic::new(Code::NotInferred, span, "it is not said what is read");
            return Err(error.help("say it: `s.parse::<f64>()` is an `Option<f64>`"));
        };
        let ty = self.ty(to);
        let scalar = match self.unifier.shallow(&ty) {
            Ty::Scalar(scalar) => scalar,
            Ty::Struct(fields) if let Some(scale) = fields.as_fixed() => {
                let args: Rc<[ast::Expr]> = [text.clone(), fixed::digits(scale, span)].into();
                return self.sugar_of("parse_fixed", name, &args, is_method);
            }
            Ty::Struct(fields) if fields.as_temporal() == Some(Temporal::Date) => {
                return self.sugar_of("parse_date", name, args, is_method);
            }
            Ty::Struct(fields) if fields.as_temporal() == Some(Temporal::Timestamp) => {
                return self.sugar_of("parse_moment", name, args, is_method);
            }
            other => {
                self.arguments(args);
                if self.unifier.is_error(&other) {
                    return Ok(self.hole(span));
                }
                let shown = self.unifier.show(&other);
                let error =
                    Diagnostic::new(Code::BadCast, to.span, format!("no `{shown}` is read from a text"));
                if let Some(half) = other.as_half() {
                    return Err(error.help(self.parsed_half(half)));
                }
                return Err(error.help(
                    "numbers, bools, `Date`s, `Timestamp`s and `Fixed`s are: `s.parse::<f64>()` is an `Option<f64>`",
                ));
            }
        };
        let constant = |constant: Const| ast::Expr { kind: ast::ExprKind::Const(constant), span };
        let small = |ty| {
            let bounds = [scalar::smallest(ty), scalar::largest(ty)];
            let bounds = bounds.map(|bound| constant(scalar::cast(Scalar::I64, bound)));
            bounds.into_iter().chain([constant(Const::from_i128(ty, 0))]).collect()
        };
        let (table, more) = match scalar {
            Scalar::Bool => ("parse_bool", Vec::new()),
            Scalar::I64 => ("parse_i64", Vec::new()),
            Scalar::U64 => ("parse_u64", Vec::new()),
            Scalar::I128 => ("parse_i128", Vec::new()),
            Scalar::F32 => ("parse_f32", Vec::new()),
            Scalar::F64 => ("parse_f64", Vec::new()),
            small_one => ("parse_small", small(small_one)),
        };
        let args: Rc<[ast::Expr]> = [text.clone()].into_iter().chain(more).collect();
        self.sugar_of(table, name, &args, is_method)
    }

    /// `x.to_string()`, where `x` is no text.
    fn shown(&mut self, of: &ast::Expr, span: Span) -> Typed<Expr> {
        let of = self.expr(of);
        self.check(Check::Shown(of.ty.clone(), of.span))?;
        Ok(Expr { kind: ExprKind::Shown(Box::new(of)), ty: Ty::text(), span })
    }

    /// `x + y`, of which one is a text.
    pub(super) fn joined_texts(&mut self, x: Expr, y: Expr, span: Span) -> Typed<Expr> {
        self.expect(&x, &Ty::text())?;
        self.expect(&y, &Ty::text())?;
        let mut named = self.named(span);
        let mark = self.scope.enter();
        let args = vec![named.name(self, x), named.name(self, y)];
        let call = super::quoted::call("texts_joined", args, named.mark, span);
        let joined = self.expr(&call);
        self.scope.leave(mark);
        Ok(bind::wrap(named.parts, joined))
    }

    /// The bytes of a text.
    fn bytes_of(&mut self, text: &ast::Expr, span: Span) -> Typed<Expr> {
        let text = self.expr(text);
        self.expect(&text, &Ty::text())?;
        let kind = ExprKind::Field(Box::new(text), 0);
        Ok(Expr { kind, ty: Ty::vec(Ty::Scalar(Scalar::U8)), span })
    }

    /// Whether `expr` is a text.
    fn is_text(&mut self, expr: &ast::Expr) -> bool {
        self.peek(expr).is_some_and(|ty| self.unifier.shallow(&ty).is_text())
    }

    /// Whether `expr` is a text, or a literal that may be one.
    fn may_be_text(&mut self, expr: &ast::Expr) -> bool {
        self.peek(expr).is_some_and(|ty| self.unifier.may_be_text(&ty))
    }

    /// The error of joining a vector of numbers or bools as it is.
    fn no_texts_in(&mut self, expr: &ast::Expr) -> Option<Diagnostic> {
        let element = self.peek_element(expr)?;
        let Ty::Scalar(_) = self.unifier.shallow(&element) else { return None };
        let ty = self.peek(expr)?;
        let message = format!("only texts are joined, found `{}`", self.unifier.show(&ty));
        let error = Diagnostic::new(Code::Mismatch, expr.span, message);
        Some(error.help("take the text of each element: `v.map(|x| x.to_string()).join(\", \")`"))
    }

    /// Whether `expr` is a vector or a fixed array of texts, or of literals that may be texts.
    fn has_texts(&mut self, expr: &ast::Expr) -> bool {
        self.peek_element(expr).is_some_and(|element| self.unifier.may_be_text(&element))
    }
}
