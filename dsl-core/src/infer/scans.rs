//! Types of scans: which of three forms of the sugar a scan is.
//!
//! Along the last axis a scan goes through line after line: what is next to each other follows on each other, and lines are independent.
//! Along the first axis it goes from row to row, and its state is a row: then the points of a row are independent and lie next to each
//! other, so that they are computed side by side. Along an axis between, each point of the axes before it has rows of its own.

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
        let form = match along {
            _ if along + 1 == axes => "scan_lines",
            0 => "scan_rows",
            _ => "scan_slabs",
        };
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
            ("restacked_lines" | "restacked_rows" | "restacked_slabs", [vector, of, axis]) => {
                let element = self.unifier.fresh();
                let vector = self.vector(vector, &element);
                let (of, _, axes) = self.an_array(of)?;
                let axis = self.axis(axis, axes)?;
                let order = match name {
                    "restacked_rows" => foremost(axis, axes),
                    "restacked_slabs" => (0..axes).collect(),
                    _ => last(axis, axes),
                };
                let kind = ExprKind::OfArray(ArrayOp::Restacked(order), vec![vector, of]);
                Expr { kind, ty: Ty::array(element, axes), span }
            }
            ("foremost", [of, axis]) => {
                let (of, element, axes) = self.an_array(of)?;
                let order = foremost(self.axis(axis, axes)?, axes);
                let kind = ExprKind::OfArray(ArrayOp::Permute(order), vec![of]);
                Expr { kind, ty: Ty::array(element, axes), span }
            }
            _ => return Ok(None),
        }))
    }
}

/// The axes with `axis` in front.
fn foremost(axis: usize, axes: usize) -> Rc<[usize]> {
    [axis].into_iter().chain((0..axes).filter(|&other| other != axis)).collect()
}

/// The axes with `axis` behind.
fn last(axis: usize, axes: usize) -> Rc<[usize]> {
    (0..axes).filter(|&other| other != axis).chain([axis]).collect()
}
