//! Types of options: `Some(x)`, `None`, `match`, and what has another meaning of an option than of a vector.
//!
//! An option is the struct of whether there is a value, and the value, which is zero where there is none. Its type keeps the name `Option`
//! for what comes from Rust and goes there; nothing between knows more of it.

use std::rc::Rc;

use proc_macro2::Span;
use weldment_runtime::lang::scalar::{Const, UnaryOp};

use super::check::Outcome;
use super::condition::Check;
use super::ty::Ty;
use super::typed::{Expr, ExprKind};
use super::{Infer, Typed, bind, builtins, cursors, forms};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast;

impl Infer<'_> {
    /// `Some(value)`, or `None`.
    pub(super) fn option(&mut self, value: Option<&ast::Expr>, span: Span) -> Expr {
        let there = Expr { kind: ExprKind::Const(Const::Bool(value.is_some())), ty: Ty::BOOL, span };
        let value = match value {
            Some(value) => self.expr(value),
            None => Expr { kind: ExprKind::Zero, ty: self.unifier.fresh(), span },
        };
        let ty = Ty::option(value.ty.clone());
        self.require(Check::Optional(value.ty.clone(), value.span));
        Expr { kind: ExprKind::Struct(vec![there, value]), ty, span }
    }

    /// The type of the value of `of`, which has to be an option.
    pub(super) fn value_of(&mut self, of: &Expr) -> Typed<Ty> {
        let value = self.unifier.fresh();
        let option = Ty::option(value.clone());
        match self.unifier.unify(&option, &of.ty) {
            Ok(()) => Ok(value),
            Err(_) => {
                let found = self.unifier.show(&of.ty);
                let message = format!("expected an `Option`, found `{found}`");
                let error = Diagnostic::new(Code::Mismatch, of.span, message);
                Err(match self.unifier.seen(&of.ty) {
                    Ty::Struct(pair) if pair.len() == 2 && self.unifier.seen(&pair[0]) == Ty::BOOL => {
                        error.help("make one of the pair: `if p.0 { Some(p.1) } else { None }`")
                    }
                    _ => error.help("there is a value in any case: say what is done with that"),
                })
            }
        }
    }

    /// What `name` is of an option; `None` if it is no function of options, or the first argument is none.
    pub(super) fn option_call(
        &mut self,
        name: &ast::Ident,
        args: &Rc<[ast::Expr]>,
        is_method: bool,
    ) -> Typed<Option<Expr>> {
        let span = name.span;
        let table = match (name.name.as_str(), &args[..]) {
            ("map", [of, _]) if self.is_option(of) => "option_map",
            ("filter", [of, _]) if self.is_option(of) => "option_filter",
            ("flatten", [of]) if self.is_option(of) => "option_flatten",
            ("flatten", [of]) if self.holds_options(of) => "flatten_options",
            ("is_some", [of]) => return self.is_there(of, span).map(Some),
            ("is_none", [of]) => {
                let there = Box::new(self.is_there(of, span)?);
                return Ok(Some(Expr { kind: ExprKind::Unary(UnaryOp::Not, there), ty: Ty::BOOL, span }));
            }
            ("get", [of, _]) if self.is_vector(of) => {
                self.arguments(args);
                let error = Diagnostic::new(Code::UnknownFunction, span, "there is no `get` of a vector");
                return Err(error.help(
                    "an element is `v[i]`; where it may be missing, `v.skip(i).first()` is an `Option`",
                ));
            }
            ("optional", [pair]) if !self.is_users(name) => return self.optional_of(pair, span).map(Some),
            ("or_fault", [of]) => return self.or_fault(of, span).map(Some),
            ("is_some" | "is_none" | "or_fault", _) => {
                self.arguments(args);
                return Err(forms::wrong_number(name, args.len(), &["o"], is_method));
            }
            _ => return Ok(None),
        };
        self.sugar_of(table, name, args, is_method).map(Some)
    }

    /// The option of a pair that tells whether there is a value, and has zero where there is none.
    fn optional_of(&mut self, pair: &ast::Expr, span: Span) -> Typed<Expr> {
        let pair = self.expr(pair);
        let value = self.unifier.fresh();
        self.expect(&pair, &Ty::structure([Ty::BOOL, value.clone()]))?;
        self.require(Check::Optional(value.clone(), span));
        let local = self.local("_", pair.ty.clone(), span);
        let whole = Expr { kind: ExprKind::Local(local), ty: pair.ty.clone(), span };
        let fields = vec![field(whole.clone(), 0, Ty::BOOL), field(whole, 1, value.clone())];
        let option = Expr { kind: ExprKind::Struct(fields), ty: Ty::option(value), span };
        Ok(bind::wrap(vec![(local, pair)], option))
    }

    /// Whether `expr` is an option.
    fn is_option(&mut self, expr: &ast::Expr) -> bool {
        self.peek(expr).is_some_and(|ty| self.unifier.seen(&ty).as_option().is_some())
    }

    /// Whether `expr` is a vector.
    fn is_vector(&mut self, expr: &ast::Expr) -> bool {
        self.peek(expr).is_some_and(|ty| matches!(self.unifier.seen(&ty), Ty::Vec(_)))
    }

    /// Whether `expr` is a vector or a fixed array of options.
    fn holds_options(&mut self, expr: &ast::Expr) -> bool {
        self.peek_element(expr).is_some_and(|element| self.unifier.seen(&element).as_option().is_some())
    }

    /// Whether there is a value in `of`.
    fn is_there(&mut self, of: &ast::Expr, span: Span) -> Typed<Expr> {
        let of = self.expr(of);
        self.value_of(&of)?;
        Ok(Expr { span, ..field(of, 0, Ty::BOOL) })
    }

    /// The value of `of`; a fault if there is none.
    fn or_fault(&mut self, of: &ast::Expr, span: Span) -> Typed<Expr> {
        let of = self.expr(of);
        let value = self.value_of(&of)?;
        let assert =
            builtins::find("assert").and_then(|assert| assert.scheme.as_ref()).expect("in the table");
        let local = self.local("_", of.ty.clone(), of.span);
        let whole = Expr { kind: ExprKind::Local(local), ty: of.ty.clone(), span };
        let is_there = ExprKind::Builtin(assert, vec![field(whole.clone(), 0, Ty::BOOL)]);
        let holds = self.local("_", Ty::BOOL, span);
        let parts = vec![(local, of), (holds, Expr { kind: is_there, ty: Ty::BOOL, span })];
        Ok(bind::wrap(parts, field(whole, 1, value)))
    }

    /// Whether there is a vector in a struct of type `ty`, as far as that is known.
    fn holds_vector(&self, ty: &Ty) -> bool {
        match self.unifier.seen(ty) {
            Ty::Vec(_) => true,
            Ty::Struct(fields) => fields.iter().any(|field| self.holds_vector(field)),
            _ => false,
        }
    }

    /// Decides whether a value of type `ty` may be in an option: what stands for one that is not there has to be known.
    pub(super) fn optional(&mut self, ty: &Ty, span: Span) -> Typed<Outcome> {
        let what = match self.unifier.seen(ty) {
            Ty::Var(_) => return Ok(Outcome::Wait),
            Ty::Scalar(_) => return Ok(Outcome::Done),
            // Its zero is nothing that emitted code can lend.
            Ty::Struct(fields)
                if fields.name().is_some_and(|named| named.origin == ast::Origin::Rust)
                    && fields.iter().any(|field| self.holds_vector(field)) =>
            {
                let shown = self.unifier.show(&Ty::Struct(fields));
                let message = format!("`{shown}` holds vectors, and derives `Weld`, and is in no `Option`");
                return Err(Diagnostic::new(Code::BadOption, span, message)
                    .help("take a tuple of the fields that are needed"));
            }
            Ty::Struct(fields) => {
                for field in fields.iter() {
                    self.check(Check::Optional(field.clone(), span))?;
                }
                return Ok(Outcome::Done);
            }
            Ty::Cursor(_) => return Err(cursors::as_value(span)),
            Ty::Dict(..) => "dictionary",
            Ty::Array(..) => "array",
            other => {
                self.check(Check::Value(other, span))?;
                return Ok(Outcome::Done);
            }
        };
        let error = Diagnostic::new(Code::BadOption, span, format!("no {what} is in an `Option`"));
        Err(error.help("an empty one says as much, or a bool beside it"))
    }
}

/// The field of `of` with this number.
fn field(of: Expr, number: u32, ty: Ty) -> Expr {
    let span = of.span;
    Expr { kind: ExprKind::Field(Box::new(of), number), ty, span }
}
