//! Types of scans: which of two forms of the sugar a scan is, and which are made of one.
//!
//! Along the last axis a scan goes through line after line: what is next to each other follows on each other, and lines are independent.
//! Along another axis it goes from row to row, and its state is a row: then the points of a row are independent and lie next to each
//! other, so that they are computed side by side. Each point of the axes before that one has rows of its own, a slab; along the first axis
//! all is one slab.

use std::rc::Rc;

use proc_macro2::Span;
use weldment_runtime::lang::reduce::ReduceOp;

use super::condition::Check;
use super::quoted::call;
use super::ty::Ty;
use super::typed::{ArrayOp, Expr, ExprKind};
use super::{Infer, Typed, bind, forms};
use crate::diagnostic::{Code, Diagnostic};
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

    /// `v.scan(init, f)` of all elements in order, also backwards: those of a vector, or of an array that has one axis.
    pub(super) fn scan_in_order(
        &mut self,
        name: &ast::Ident,
        args: &Rc<[ast::Expr]>,
        is_method: bool,
    ) -> Typed<Expr> {
        let (span, [of, rest @ ..]) = (name.span, &args[..]) else { unreachable!("a scan of something") };
        if !self.is_array(of) {
            let form = if name.name == "scan" { "scan_vector" } else { "scan_vector_back" };
            return self.sugar_of(form, name, args, is_method);
        }
        let (of, _, axes) = self.an_array(of)?;
        if axes > 1 {
            let message = format!("`{}` of {} needs an axis", name.name, forms::of_axes(axes));
            return Err(Diagnostic::new(Code::Axes, span, message).help(format!(
                "say along which: `a.{}(0, init, |c, x| …)`; of all elements in order, `a.flat().{}(init, |c, x| …)`",
                name.name, name.name
            )));
        }
        self.along_only_axis(&name.name, of, rest, span)
    }

    /// The call of `name` of an array that has one axis, along it.
    fn along_only_axis(&mut self, name: &str, of: Expr, rest: &[ast::Expr], span: Span) -> Typed<Expr> {
        let mark = self.scope.enter();
        let mut named = self.named(span);
        let axis = ast::Expr { kind: ast::ExprKind::Integer(0), span };
        let args = [named.name(self, of), axis].into_iter().chain(rest.iter().cloned()).collect();
        let typed = self.expr(&call(name, args, named.mark, span));
        self.scope.leave(mark);
        Ok(bind::wrap(named.parts, typed))
    }

    /// `a.cumsum()` and its like of an array: of several axes, of all elements, row by row.
    pub(super) fn running_in_order(&mut self, name: &ast::Ident, of: &ast::Expr) -> Typed<Expr> {
        let span = name.span;
        let (of, _, axes) = self.an_array(of)?;
        if axes == 1 {
            return self.along_only_axis(&name.name, of, &[], span);
        }
        let mark = self.scope.enter();
        let mut named = self.named(span);
        let of = named.name(self, of);
        let flat = call("flat", vec![of], named.mark, span);
        let typed = self.expr(&call(&name.name, vec![flat], named.mark, span));
        self.scope.leave(mark);
        Ok(bind::wrap(named.parts, typed))
    }

    /// `a.cumsum(axis)` and its like: what the reduction makes of all elements up to each, along the axis.
    pub(super) fn running(&mut self, name: &ast::Ident, of: &ast::Expr, axis: &ast::Expr) -> Typed<Expr> {
        let (span, op) = (name.span, running_op(&name.name));
        let (of, element, _) = self.an_array(of)?;
        self.require(Check::Reducible(element, op, span));
        let mark = self.scope.enter();
        let mut named = self.named(span);
        let of = named.name(self, of);
        let op = ast::Expr { kind: ast::ExprKind::Operator(op), span };
        let scanned = call("scanned", vec![of, axis.clone(), op], named.mark, span);
        let typed = self.expr(&scanned);
        self.scope.leave(mark);
        Ok(bind::wrap(named.parts, typed))
    }

    /// What a reduction along a line begins with: the first element makes of it that element.
    pub(super) fn identity(&mut self, op: &ast::Expr, of: &ast::Expr, span: Span) -> Typed<Expr> {
        let of = self.expr(of);
        let element = match self.unifier.seen(&of.ty) {
            Ty::Array(element, _) | Ty::Vec(element) => (*element).clone(),
            _ => return Ok(self.hole(span)),
        };
        let ast::ExprKind::Operator(op) = forms::strip(op).kind else { return Ok(self.hole(span)) };
        if !self.unifier.is_number(&element) {
            self.check(Check::Number(element.clone(), running_name(op), span))?;
            return Err(self.not_known(&element, span));
        }
        Ok(Expr { kind: ExprKind::Neutral(op), ty: element, span })
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

/// The words for what a reduction makes of all elements up to each.
const RUNNING: [(&str, ReduceOp); 4] = [
    ("cumsum", ReduceOp::Add),
    ("cumprod", ReduceOp::Mul),
    ("cummin", ReduceOp::Min),
    ("cummax", ReduceOp::Max),
];

fn running_op(name: &str) -> ReduceOp {
    RUNNING.iter().find(|(word, _)| *word == name).expect("one of them").1
}

fn running_name(op: ReduceOp) -> &'static str {
    RUNNING.iter().find(|(_, of)| *of == op).expect("each has a word").0
}
