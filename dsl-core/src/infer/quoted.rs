//! Syntax that the compiler makes around expressions that are typed already: these have names in it.

use std::rc::Rc;

use proc_macro2::Span;

use super::Infer;
use super::typed::{Expr, Local};
use crate::syntax::ast::{self, Ident};

/// Typed expressions that have names, for what is made of syntax around them.
pub(super) struct Named {
    pub(super) mark: u32,
    span: Span,
    pub(super) parts: Vec<(Local, Expr)>,
}

impl Infer<'_> {
    pub(super) fn inner_mark(&mut self) -> u32 {
        self.mark += 1;
        self.mark
    }

    pub(super) fn named(&mut self, span: Span) -> Named {
        Named { mark: self.inner_mark(), span, parts: Vec::new() }
    }
}

impl Named {
    pub(super) fn ident(&self, name: &str) -> Ident {
        Ident { name: name.to_owned(), mark: self.mark, span: self.span }
    }

    /// A name for a typed expression, which is bound outside.
    pub(super) fn name(&mut self, infer: &mut Infer<'_>, expr: Expr) -> ast::Expr {
        let ident = self.ident(&format!("t{}", self.parts.len()));
        let local = infer.local("_", expr.ty.clone(), expr.span);
        infer.scope.bind(&ident, local);
        let span = expr.span;
        self.parts.push((local, expr));
        ast::Expr { kind: ast::ExprKind::Name(ident), span }
    }
}

pub(super) fn call(name: &str, args: Vec<ast::Expr>, mark: u32, span: Span) -> ast::Expr {
    let name = Ident { name: name.to_owned(), mark, span };
    let args = args.into();
    ast::Expr { kind: ast::ExprKind::Call { name, turbofish: None, args, is_method: false }, span }
}

/// What stands at a place of `args`, typed as it was there.
pub(super) fn argument(args: &Rc<[ast::Expr]>, at: usize) -> ast::Expr {
    ast::Expr { kind: ast::ExprKind::Argument(args.clone(), at), span: args[at].span }
}

pub(super) fn structure(mut parts: Vec<ast::Expr>, span: Span) -> ast::Expr {
    if parts.len() == 1 {
        return parts.remove(0);
    }
    ast::Expr { kind: ast::ExprKind::Struct(parts), span }
}
