//! Types of views: arrays whose elements are those of others at other coordinates.

use std::rc::Rc;

use proc_macro2::Span;
use weldment_runtime::lang::types::MOST_AXES;

use super::ty::Ty;
use super::typed::{ArrayOp, Expr, ExprKind, Subscript};
use super::{Infer, Typed, arrays, forms};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast;

impl Infer<'_> {
    /// A call that gives a view; `None` if `name` is no such function, or its first argument no array.
    pub(super) fn view_call(
        &mut self,
        name: &ast::Ident,
        args: &[ast::Expr],
        is_method: bool,
    ) -> Typed<Option<Expr>> {
        let Some((of, rest)) = args.split_first() else { return Ok(None) };
        // Of those that take a number for some of the axes.
        let numbered = match name.name.as_str() {
            "take" => Some(ArrayOp::Take),
            "drop" | "skip" => Some(ArrayOp::Drop),
            "step_by" => {
                let steps = Subscript::Range { start: false, end: false, step: true };
                Some(ArrayOp::Slice(vec![steps; rest.len()].into()))
            }
            "rotate" => Some(ArrayOp::Rotate),
            "shift" => Some(ArrayOp::Shift),
            "move_to" => Some(ArrayOp::MoveTo),
            "spread" => Some(ArrayOp::Spread),
            "reverse" | "rev" | "transpose" | "permute" | "expand" | "broadcast" | "reshape" | "diagonal" => {
                None
            }
            _ => return Ok(None),
        };
        if !self.is_array(of) {
            return Ok(None);
        }
        let (of, element, axes) = self.an_array(of)?;
        let span = name.span;
        let names = self.names_of(&of.ty);
        let names = match name.name.as_str() {
            "take" | "drop" | "skip" | "step_by" => self.names_resized(names),
            _ => names,
        };
        let given = |order: &[usize]| self.names_at(names.as_ref(), order);
        let (same, reverse) =
            (given(&(0..axes).collect::<Vec<_>>()), given(&(0..axes).rev().collect::<Vec<_>>()));
        let view = |op, mut args: Vec<Expr>, axes| {
            args.insert(0, of.clone());
            let names = match &op {
                ArrayOp::Permute(_) => reverse.clone(),
                ArrayOp::Expand(_) | ArrayOp::Broadcast | ArrayOp::Reshape | ArrayOp::Diagonal => None,
                _ => same.clone(),
            };
            let ty = Ty::named(element.clone(), axes, names);
            Ok(Some(Expr { kind: ExprKind::OfArray(op, args), ty, span }))
        };
        if let Some(op) = numbered
            && !rest.is_empty()
        {
            if rest.len() > axes {
                let message =
                    format!("{}, for {}", forms::counted(rest.len(), "number"), forms::of_axes(axes));
                let error = Diagnostic::new(Code::Axes, span, message);
                return Err(
                    error.help(format!("`{}` takes one for each axis, the first axes first", name.name))
                );
            }
            let numbers = rest.iter().map(|number| self.index(number)).collect();
            return view(op, numbers, axes);
        }
        match (name.name.as_str(), rest) {
            ("reverse" | "rev", []) => view(ArrayOp::Reverse((0..axes).collect()), Vec::new(), axes),
            ("reverse" | "rev", [which]) => {
                let which = self.axes(which, axes)?;
                view(ArrayOp::Reverse(which), Vec::new(), axes)
            }
            ("transpose", []) => view(ArrayOp::Permute((0..axes).rev().collect()), Vec::new(), axes),
            ("permute", [order]) => {
                let order = self.permutation(order, axes)?;
                let names = self.names_at(names.as_ref(), &order);
                let ty = Ty::named(element, axes, names);
                let kind = ExprKind::OfArray(ArrayOp::Permute(order), vec![of]);
                Ok(Some(Expr { kind, ty, span }))
            }
            ("expand", [axis]) => {
                if axes == MOST_AXES {
                    let message = format!("an array has at most {MOST_AXES} axes");
                    return Err(Diagnostic::new(Code::Axes, span, message));
                }
                let axis = self.axis(axis, axes + 1)?;
                view(ArrayOp::Expand(axis), Vec::new(), axes + 1)
            }
            ("broadcast", [shape]) => {
                let shape = self.shape(shape);
                let wanted = self.axes_of(&shape);
                if wanted != axes {
                    let message = format!("a shape of {wanted} axes, for {}", forms::of_axes(axes));
                    let error = Diagnostic::new(Code::Axes, shape.span, message);
                    return Err(error.help("`broadcast` repeats axes of extent 1; `a.expand(0)` inserts one"));
                }
                view(ArrayOp::Broadcast, vec![shape], axes)
            }
            ("reshape", [shape]) => {
                let shape = self.shape(shape);
                let axes = self.axes_of(&shape);
                view(ArrayOp::Reshape, vec![shape], axes)
            }
            ("diagonal", []) if axes >= 2 => view(ArrayOp::Diagonal, Vec::new(), axes - 1),
            ("diagonal", []) => {
                let error = Diagnostic::new(Code::Axes, span, "an array of 1 axis has no diagonal");
                Err(error.help("of a matrix it is the elements `a[i, i]`"))
            }
            _ => {
                let form = arrays::form(&name.name).expect("each of these is in the table");
                self.arguments(rest);
                Err(forms::wrong_number(name, args.len(), form, is_method))
            }
        }
    }

    /// Numbers of axes, which are written as they are: one, or a struct or vector of some, none of them twice.
    pub(super) fn axes(&mut self, which: &ast::Expr, axes: usize) -> Typed<Rc<[usize]>> {
        let all = match &forms::strip(which).kind {
            ast::ExprKind::Struct(all) | ast::ExprKind::Vector(all) => &all[..],
            _ => std::slice::from_ref(which),
        };
        let numbers = all.iter().map(|axis| self.axis(axis, axes)).collect::<Typed<Vec<_>>>()?;
        for (at, number) in numbers.iter().enumerate() {
            if numbers[..at].contains(number) {
                let message = format!("the axis {number} is named twice");
                return Err(Diagnostic::new(Code::Axes, all[at].span, message));
            }
        }
        Ok(numbers.into())
    }

    fn permutation(&mut self, order: &ast::Expr, axes: usize) -> Typed<Rc<[usize]>> {
        let named = self.axes(order, axes)?;
        if named.len() == axes {
            return Ok(named);
        }
        let message = format!("{} of the {axes} axes", named.len());
        let error = Diagnostic::new(Code::Axes, order.span, message);
        Err(error.help("a permutation names every axis: `a.permute([2, 0, 1])`"))
    }

    /// `a[lo..hi, ..]`, where one of the indices is a range.
    pub(super) fn sliced(&mut self, of: &ast::Expr, index: &ast::Expr, span: Span) -> Typed<Expr> {
        let indices = forms::several(index);
        let of = self.expr(of);
        let Some((element, axes)) = self.array_of(&of.ty) else {
            let at = indices.iter().find(|index| matches!(index.kind, ast::ExprKind::Slice(_)));
            let error =
                Diagnostic::new(Code::RangeAsIndex, at.map_or(span, |at| at.span), "an index is one number");
            return Err(error.help("a part of a vector is `slice(v, start, length)`"));
        };
        if indices.len() > axes {
            let message = format!("{} indices of {}", indices.len(), forms::of_axes(axes));
            let error = Diagnostic::new(Code::Axes, indices[axes].span, message);
            return Err(error.help("there is an index or a range for each axis, `a[i, 1..n]`"));
        }
        let names = self.names_of(&of.ty);
        let names = self.names_resized(names);
        let (mut args, mut subscripts) = (vec![of], Vec::new());
        for index in indices {
            let ast::ExprKind::Slice(slice) = &index.kind else {
                args.push(self.index(index));
                subscripts.push(Subscript::At);
                continue;
            };
            let mut part = |part: &Option<ast::Expr>| match part {
                Some(part) => {
                    args.push(self.index(part));
                    true
                }
                None => false,
            };
            let (start, end, step) = (part(&slice.start), part(&slice.end), part(&slice.step));
            subscripts.push(Subscript::Range { start, end, step });
        }
        let fixed = subscripts.iter().filter(|subscript| matches!(subscript, Subscript::At)).count();
        let is_left = |axis: &usize| !matches!(subscripts.get(*axis), Some(Subscript::At));
        let left: Vec<usize> = (0..axes).filter(is_left).collect();
        let names = self.names_at(names.as_ref(), &left);
        let ty = Ty::named(element, axes - fixed, names);
        Ok(Expr { kind: ExprKind::OfArray(ArrayOp::Slice(subscripts.into()), args), ty, span })
    }
}

/// Whether one of the indices is a range.
pub(super) fn is_sliced(index: &ast::Expr) -> bool {
    match &index.kind {
        ast::ExprKind::Struct(indices) => {
            indices.iter().any(|index| matches!(index.kind, ast::ExprKind::Slice(_)))
        }
        kind => matches!(kind, ast::ExprKind::Slice(_)),
    }
}
