//! Types of arrays that are put together of others, and of what is read or written at coordinates.

use proc_macro2::Span;
use weldment_runtime::lang::scalar::{BinaryOp, CompareOp, Const};

use super::condition::Check;
use super::ty::{By, Ty};
use super::typed::{ArrayOp, Expr, ExprKind, Iter, IterKind, PiecesOp};
use super::{Infer, Typed, arrays, bind, builtins, forms};
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::Empty;
use crate::syntax::ast::{self, BuilderKind};

impl Infer<'_> {
    /// A call of a function that puts arrays together; `None` if it is not one.
    pub(super) fn pieces_call(&mut self, name: &ast::Ident, args: &[ast::Expr]) -> Typed<Option<Expr>> {
        let span = name.span;
        match (name.name.as_str(), args) {
            ("stack", [axis, first, rest @ ..]) if !rest.is_empty() => {
                let (first, element, axes) = self.an_array(first)?;
                let axis = self.axis(axis, axes)?;
                let mut arrays = vec![first];
                for other in rest {
                    arrays.push(self.array_like(other, &element, axes)?);
                }
                self.put_together(PiecesOp::Stack(axis), arrays, (element, axes), span)
            }
            ("pad", [of, widths, value]) => {
                let (of, element, axes) = self.an_array(of)?;
                let widths = self.shape(widths);
                let given = self.axes_of(&widths);
                if given != axes {
                    let message = format!("{}, for {}", forms::counted(given, "width"), forms::of_axes(axes));
                    let error = Diagnostic::new(Code::Axes, widths.span, message);
                    return Err(error.help("there is a width for each axis, on both of its sides"));
                }
                let value = self.typed(value, &element);
                self.put_together(PiecesOp::Pad, vec![of, widths, value], (element, axes), span)
            }
            ("overwrite", [of, part]) => {
                let (of, element, axes) = self.an_array(of)?;
                let part = self.array_like(part, &element, axes)?;
                self.put_together(PiecesOp::Overwrite, vec![of, part], (element, axes), span)
            }
            ("fuse", [first, rest @ ..]) if !rest.is_empty() => {
                let (first, element, axes) = self.an_array(first)?;
                let mut arrays = vec![first];
                for other in rest {
                    arrays.push(self.array_like(other, &element, axes)?);
                }
                self.put_together(PiecesOp::Fuse, arrays, (element, axes), span)
            }
            ("where_domain", [ranges, inner, outer]) => {
                self.where_domain(ranges, inner, outer, span).map(Some)
            }
            _ => Ok(None),
        }
    }

    fn put_together(
        &mut self,
        op: PiecesOp,
        args: Vec<Expr>,
        (element, axes): (Ty, usize),
        span: Span,
    ) -> Typed<Option<Expr>> {
        Ok(Some(Expr { kind: ExprKind::Pieces(op, args), ty: Ty::array(element, axes), span }))
    }

    /// An argument that has to be an array of these elements and axes.
    fn array_like(&mut self, array: &ast::Expr, element: &Ty, axes: usize) -> Typed<Expr> {
        let (array, _, found) = self.an_array(array)?;
        if found != axes {
            let message = format!("{} beside {}", forms::of_axes(found), forms::of_axes(axes));
            let error = Diagnostic::new(Code::Spaces, array.span, message);
            return Err(error.help("arrays that are put together have the same axes"));
        }
        self.expect(&array, &Ty::array(element.clone(), axes))?;
        Ok(array)
    }

    /// `where_domain((lo..hi, ..), a, b)`: the elements of a at the coordinates in these ranges, those of b elsewhere.
    fn where_domain(
        &mut self,
        ranges: &ast::Expr,
        inner: &ast::Expr,
        outer: &ast::Expr,
        span: Span,
    ) -> Typed<Expr> {
        let ranges = forms::several(ranges);
        // The numbers are computed once, and not for each point.
        let mut numbers = Vec::new();
        let mut bound = |this: &mut Self, number: &ast::Expr| {
            let number = this.typed(number, &Ty::I64);
            let local = this.local("_", Ty::I64, number.span);
            let span = number.span;
            numbers.push((local, number));
            Expr { kind: ExprKind::Local(local), ty: Ty::I64, span }
        };
        let mut tests: Vec<Vec<(CompareOp, Expr)>> = Vec::new();
        let mut steps = Vec::new();
        for range in ranges {
            let (mut axis, mut step) = (Vec::new(), None);
            match &range.kind {
                ast::ExprKind::Slice(slice) => {
                    if let Some(start) = &slice.start {
                        axis.push((CompareOp::Ge, bound(self, start)));
                    }
                    if let Some(end) = &slice.end {
                        axis.push((CompareOp::Lt, bound(self, end)));
                    }
                    step = slice.step.as_ref().map(|step| bound(self, step));
                }
                ast::ExprKind::Range(start, end) => {
                    axis.push((CompareOp::Ge, bound(self, start)));
                    axis.push((CompareOp::Lt, bound(self, end)));
                }
                _ => axis.push((CompareOp::Eq, bound(self, range))),
            }
            tests.push(axis);
            steps.push(step);
        }
        let operands = vec![self.expr(inner), self.expr(outer)];
        let Some((_, axes)) = operands.iter().find_map(|operand| self.array_of(&operand.ty)) else {
            return Err(self.not_an_array(&operands[0]));
        };
        if tests.len() > axes {
            let message = format!("{}, for {}", forms::counted(tests.len(), "range"), forms::of_axes(axes));
            let error = Diagnostic::new(Code::Axes, ranges[axes].span, message);
            return Err(error.help("there is a range or a coordinate for each axis: `(1..n, ..)`"));
        }
        let whole = self.pointwise_at(operands, span, |this, at, operands| {
            let [inner, outer] = operands.try_into().expect("as many as were given");
            this.same(&inner, &outer)?;
            let constant =
                |constant: Const, ty: &Ty| Expr { kind: ExprKind::Const(constant), ty: ty.clone(), span };
            let mut cond = constant(Const::Bool(true), &Ty::BOOL);
            for (axis, (tests, step)) in tests.into_iter().zip(steps).enumerate() {
                let coordinate = if axes == 1 {
                    at.clone()
                } else {
                    Expr { kind: ExprKind::Field(Box::new(at.clone()), axis as u32), ty: Ty::I64, span }
                };
                let start = tests.first().map(|(_, start)| start.clone());
                let mut all = tests
                    .into_iter()
                    .map(|(op, number)| ExprKind::Compare(op, Box::new(coordinate.clone()), Box::new(number)))
                    .collect::<Vec<_>>();
                if let (Some(step), Some(start)) = (step, start) {
                    let number = |kind| Expr { kind, ty: Ty::I64, span };
                    let away = number(ExprKind::Binary(BinaryOp::Sub, Box::new(coordinate), Box::new(start)));
                    let rest = number(ExprKind::Binary(BinaryOp::Rem, Box::new(away), Box::new(step)));
                    let zero = constant(Const::I64(0), &Ty::I64);
                    all.push(ExprKind::Compare(CompareOp::Eq, Box::new(rest), Box::new(zero)));
                }
                for test in all {
                    let test = Expr { kind: test, ty: Ty::BOOL, span };
                    let kind = ExprKind::Binary(BinaryOp::And, Box::new(cond), Box::new(test));
                    cond = Expr { kind, ty: Ty::BOOL, span };
                }
            }
            let ty = inner.ty.clone();
            let kind = ExprKind::If { cond: Box::new(cond), then: Box::new(inner), els: Box::new(outer) };
            Ok(Expr { kind, ty, span })
        })?;
        Ok(bind::wrap(numbers, whole))
    }

    /// `select` of elements.
    pub(super) fn selected(&mut self, operands: Vec<Expr>, span: Span) -> Typed<Expr> {
        self.expect(&operands[0], &Ty::BOOL)?;
        self.same(&operands[1], &operands[2])?;
        let ty = operands[1].ty.clone();
        self.require(Check::Value(ty.clone(), span));
        let scheme = builtins::find("select").and_then(|builtin| builtin.scheme.as_ref());
        Ok(Expr { kind: ExprKind::Builtin(scheme.expect("in the table"), operands), ty, span })
    }

    /// `a.get((i, j), or)`
    pub(super) fn get(&mut self, of: &ast::Expr, at: &ast::Expr, or: &ast::Expr, span: Span) -> Typed<Expr> {
        let (of, element, axes) = self.an_array(of)?;
        let at = self.coordinates(at, axes)?;
        let or = self.typed(or, &element);
        Ok(Expr { kind: ExprKind::OfArray(ArrayOp::Get, vec![of, at, or]), ty: element, span })
    }

    /// Coordinates of an element: a number, or a struct of as many as there are axes.
    fn coordinates(&mut self, at: &ast::Expr, axes: usize) -> Typed<Expr> {
        let at = self.shape(at);
        let found = match self.unifier.seen(&at.ty) {
            Ty::Struct(parts) => parts.len(),
            _ => 1,
        };
        if found == axes {
            return Ok(at);
        }
        let message = format!("{}, for {}", forms::counted(found, "coordinate"), forms::of_axes(axes));
        let error = Diagnostic::new(Code::Axes, at.span, message);
        Err(error.help("an element has a coordinate for each axis: `(i, j)`"))
    }

    /// `fill(a, op, v)`: a with each value of v, which are pairs of coordinates and values, merged by the operator.
    pub(super) fn filled(
        &mut self,
        of: &ast::Expr,
        op: &ast::Expr,
        values: &ast::Expr,
        span: Span,
    ) -> Typed<Expr> {
        let (of, element, axes) = self.an_array(of)?;
        let ast::ExprKind::Operator(op) = forms::strip(op).kind else {
            let error = Diagnostic::new(Code::NeedsFunction, op.span, "expected `+`, `*`, `min` or `max`");
            return Err(error.help("the form is `fill(a, +, v.map(|x| ((i, j), w)))`"));
        };
        self.require(Check::Reducible(element.clone(), op, span));
        let whole = self.local("_", of.ty.clone(), span);
        let expr = |kind, ty: Ty| Expr { kind, ty, span };
        let array = expr(ExprKind::Local(whole), of.ty.clone());
        let flat = Ty::vec(element.clone());
        let init = expr(ExprKind::OfArray(ArrayOp::Flat, vec![array.clone()]), flat.clone());
        let ty = Ty::builder(BuilderKind::VecMerger, None, element.clone(), Some(By::Op(op)));
        let builder = ExprKind::Builder { init: Some(Box::new(init)), func: None, empty: Empty::Identity };
        let pair = Ty::structure([arrays::point(axes), element.clone()]);
        let values = self.vector(values, &pair);
        let iters = vec![Iter { span: values.span, kind: IterKind::All(values) }];
        let all = self.merged_each(iters, &pair, expr(builder, ty), |x| {
            let part = |number, ty| expr(ExprKind::Field(Box::new(x.clone()), number), ty);
            let at = vec![array.clone(), part(0, arrays::point(axes))];
            let place = expr(ExprKind::OfArray(ArrayOp::Place, at), Ty::I64);
            let ty = Ty::structure([Ty::I64, element.clone()]);
            expr(ExprKind::Struct(vec![place, part(1, element.clone())]), ty)
        });
        let like = expr(ExprKind::OfArray(ArrayOp::Like, vec![all, array]), of.ty.clone());
        Ok(bind::wrap(vec![(whole, of)], like))
    }
}
