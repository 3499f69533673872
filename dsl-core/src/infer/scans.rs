//! Types of scans: which of two forms of the sugar a scan is.
//!
//! Along the last axis a scan goes through line after line: what is next to each other follows on each other, and lines are independent.
//! Along another axis it goes from row to row, and its state is a row: then the points of a row are independent and lie next to each
//! other, so that they are computed side by side. Each point of the axes before that one has rows of its own, a slab; along the first axis
//! all is one slab.

use std::rc::Rc;

use proc_macro2::Span;

use super::quoted::call;
use super::typed::{ArrayOp, Expr, ExprKind};
use super::{Infer, Typed, bind};
use crate::infer::ty::Ty;
use crate::syntax::ast;

impl Infer<'_> {
    /// `a.scan(axis, init, f)`
    pub(super) fn scan(
        &mut self,
        of: &ast::Expr,
        [axis, init, function]: [&ast::Expr; 3],
        span: Span,
    ) -> Typed<Expr> {
        let (of, _, axes) = self.an_array(of)?;
        let along = self.axis(axis, axes)?;
        let form = if along + 1 == axes { "scan_lines" } else { "scan_rows" };
        let mut named = self.named(span);
        let mark = self.scope.enter();
        let args = vec![named.name(self, of), axis.clone(), init.clone(), function.clone()];
        let scanned = self.expr(&call(form, args, named.mark, span));
        self.scope.leave(mark);
        Ok(bind::wrap(named.parts, scanned))
    }

    /// The functions of arrays that scans are made of.
    pub(super) fn scan_part(&mut self, name: &str, args: &[ast::Expr], span: Span) -> Typed<Option<Expr>> {
        Ok(Some(match (name, args) {
            ("restacked_lines" | "restacked_rows", [vector, of, axis]) => {
                let element = self.unifier.fresh();
                let vector = self.vector(vector, &element);
                let (of, _, axes) = self.an_array(of)?;
                let axis = self.axis(axis, axes)?;
                // Lines follow on each other; rows are where they were.
                let order = if name == "restacked_lines" { last(axis, axes) } else { (0..axes).collect() };
                let kind = ExprKind::OfArray(ArrayOp::Restacked(order), vec![vector, of]);
                Expr { kind, ty: Ty::array(element, axes), span }
            }
            _ => return Ok(None),
        }))
    }
}

/// The axes with `axis` behind.
fn last(axis: usize, axes: usize) -> Rc<[usize]> {
    (0..axes).filter(|&other| other != axis).chain([axis]).collect()
}
