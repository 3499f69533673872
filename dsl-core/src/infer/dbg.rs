//! `dbg(x)`: x, and while the program runs each evaluation shows what it is. Of any value whose parts can be written one after the other.

use proc_macro2::Span;

use super::check::Outcome;
use super::condition::Check;
use super::ty::Ty;
use super::typed::{Expr, ExprKind};
use super::{Infer, Typed};
use crate::diagnostic::{Code, Diagnostic, position};
use crate::syntax::ast;

/// How it is called.
pub(super) const WORD: &str = "dbg";

impl Infer<'_> {
    /// `dbg(x)` or `x.dbg()`; `None` if `name` is not that.
    pub(super) fn dbg_call(
        &mut self,
        name: &ast::Ident,
        args: &[ast::Expr],
        is_method: bool,
    ) -> Typed<Option<Expr>> {
        if name.name != WORD || !self.is_users(name) {
            return Ok(None);
        }
        self.expect_args(name, args, &["x"], is_method)?;
        let written = match &args[0].kind {
            // The element of `v.map(dbg)` is written nowhere, and the tokens of a `#[welded]` function stand at its call.
            ast::ExprKind::Name(name) if !self.is_users(name) => String::new(),
            _ if self.scope.is_in_welded() => String::new(),
            _ => self.excerpts.at(position(args[0].span)).unwrap_or_default().to_owned(),
        };
        let of = self.expr(&args[0]);
        self.check(Check::Dbg(of.ty.clone(), of.span))?;
        let ty = of.ty.clone();
        Ok(Some(Expr { kind: ExprKind::Dbg(written, Box::new(of)), ty, span: name.span }))
    }

    /// Whether values of `ty` are shown, as far as it is known.
    pub(super) fn shows(&mut self, ty: &Ty, span: Span) -> Typed<Outcome> {
        let shallow = self.unifier.seen(ty);
        let help = match &shallow {
            Ty::Var(_) => return Ok(Outcome::Wait),
            Ty::Scalar(_) => return Ok(Outcome::Done),
            Ty::Array(element, _) => return self.shows(element, span),
            Ty::Dict(..) => "show its pairs: `let _ = dbg(d.tovec());`",
            Ty::Builder(_) => {
                "show what is merged, `merge(b, dbg(x))`, or what comes of it, `dbg(result(b))`"
            }
            Ty::Cursor(of) => {
                let here = vec!["0"; of.axes].join(", ");
                let error = Diagnostic::new(Code::Operand, span, "`dbg` does not show a cursor");
                return Err(error.help(format!("show what it reads: `dbg(c[{here}])`")));
            }
            _ => {
                let mut outcome = Outcome::Done;
                for part in shallow.parts() {
                    if let Outcome::Wait = self.shows(part, span)? {
                        outcome = Outcome::Wait;
                    }
                }
                return Ok(outcome);
            }
        };
        let message = format!("`dbg` does not show a `{}`", self.unifier.show(&shallow));
        Err(Diagnostic::new(Code::Operand, span, message).help(help))
    }
}
