//! Types of searches: `any`, `all`, `contains`, `position` and what is made of them.

use proc_macro2::Span;

use super::ty::Ty;
use super::typed::{Expr, ExprKind, IterKind, Sought};
use super::{Infer, Typed};
use crate::syntax::ast;

impl Infer<'_> {
    /// `holds_for_any(v, |x| condition)`, `first_where(v, |x| condition)`
    pub(super) fn search(
        &mut self,
        of: &ast::Expr,
        function: &ast::Expr,
        asked: Sought,
        span: Span,
    ) -> Typed<Expr> {
        let (iters, element) = self.folded(of);
        if asked == Sought::Position
            && let Some(IterKind::Array(array)) = iters.first().map(|iter| &iter.kind)
        {
            // Its elements have coordinates, and no position.
            return Err(self.no_vector(array));
        }
        let ([param], body) = self.function(function, [element])?;
        self.expect(&body, &Ty::BOOL)?;
        let body = Box::new(body);
        let ty = if asked == Sought::Whether { Ty::BOOL } else { Ty::I64 };
        Ok(Expr { kind: ExprKind::Search { iters, asked, param, body }, ty, span })
    }
}
