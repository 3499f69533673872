//! Types of what is computed of arrays element by element.

use proc_macro2::Span;

use super::arrays::point;
use super::condition::Check;
use super::ty::Ty;
use super::typed::{Expr, ExprKind, Iter, IterKind, Local};
use super::{Infer, Typed, bind, forms};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast;

impl Infer<'_> {
    /// `a.map(f)`, `zip(a, b).map(f)`
    pub(super) fn map_array(&mut self, of: &ast::Expr, function: &ast::Expr, span: Span) -> Typed<Expr> {
        let (iters, element) = self.arrays_of(std::slice::from_ref(of), span)?;
        if self.is_refused(function) {
            return Ok(self.hole(span));
        }
        let ([local], body) = self.function(function, [element])?;
        self.fill(iters, local, body, span)
    }

    /// What runs over arrays together, and the type of its elements.
    pub(super) fn arrays_of(&mut self, arrays: &[ast::Expr], span: Span) -> Typed<(Vec<Iter>, Ty)> {
        let mut iters = Vec::new();
        arrays.iter().for_each(|array| self.each_array(array, &mut iters));
        self.axes_of_iters(&iters, span)?;
        let element = |iter: &Iter| match &iter.kind {
            IterKind::Array(of) => self.array_of(&of.ty).map(|(element, _)| element),
            _ => None,
        };
        let elements: Vec<Ty> = iters.iter().filter_map(element).collect();
        let element = if let [element] = &elements[..] { element.clone() } else { Ty::structure(elements) };
        Ok((iters, element))
    }

    /// The arrays of a zip, or the one that `array` is.
    fn each_array(&mut self, array: &ast::Expr, iters: &mut Vec<Iter>) {
        let array = forms::strip(array);
        if let ast::ExprKind::Call { name, args, .. } = &array.kind
            && name.name == "zip"
            && self.scope.find(name).is_none()
        {
            return args.iter().for_each(|array| self.each_array(array, iters));
        }
        let (span, array) = (array.span, self.expr(array));
        let kind = if self.array_of(&array.ty).is_some() {
            IterKind::Array(array)
        } else {
            let element = self.unifier.fresh();
            IterKind::All(self.as_vector(array, &element))
        };
        iters.push(Iter { kind, span });
    }

    /// How many axes the space of iterators has; they must agree.
    pub(super) fn axes_of_iters(&mut self, iters: &[Iter], span: Span) -> Typed<usize> {
        let axes = |iter: &Iter| match &iter.kind {
            IterKind::Array(of) | IterKind::Domain(of) => self.array_of(&of.ty).map(|(_, axes)| axes),
            IterKind::Lines(of, along) => self.array_of(&of.ty).map(|(_, axes)| axes - along.len()),
            IterKind::Points(shape) => match self.unifier.seen(&shape.ty) {
                Ty::Struct(extents) => Some(extents.len()),
                _ => Some(1),
            },
            _ => None,
        };
        let all: Vec<Option<usize>> = iters.iter().map(axes).collect();
        let Some(&first) = all.first() else { return Ok(1) };
        let Some(other) = all.iter().position(|&axes| axes != first) else { return Ok(first.unwrap_or(1)) };
        let shown = |axes: Option<usize>| match axes {
            Some(axes) => forms::of_axes(axes),
            None => "a vector".to_owned(),
        };
        let message = format!("{} and {} do not run together", shown(first), shown(all[other]));
        let error = Diagnostic::new(Code::Spaces, span, message);
        Err(match (first, all[other]) {
            (Some(_), Some(_)) => {
                error.help("insert an axis that takes its extent from the other: `a.expand(0)`")
            }
            _ => {
                error.help("make the vector an array, `v.shaped((n, m))`, or the array a vector, `a.flat()`")
            }
        })
    }

    /// `op` of whole arrays, element by element, and of numbers with each element. `combine` makes it of elements.
    pub(super) fn pointwise(
        &mut self,
        operands: Vec<Expr>,
        span: Span,
        combine: impl FnOnce(&mut Self, Vec<Expr>) -> Typed<Expr>,
    ) -> Typed<Expr> {
        self.pointwise_at(operands, span, |this, _, operands| combine(this, operands))
    }

    /// As [`Infer::pointwise`], where the point matters, too.
    pub(super) fn pointwise_at(
        &mut self,
        operands: Vec<Expr>,
        span: Span,
        combine: impl FnOnce(&mut Self, Expr, Vec<Expr>) -> Typed<Expr>,
    ) -> Typed<Expr> {
        let (mut iters, mut elements) = (Vec::new(), Vec::new());
        let (mut numbers, mut given) = (Vec::new(), Vec::new());
        for operand in operands {
            if let Some((element, _)) = self.array_of(&operand.ty) {
                given.push(Err(iters.len()));
                iters.push(Iter { span: operand.span, kind: IterKind::Array(operand) });
                elements.push(element);
            } else {
                let (ty, span) = (operand.ty.clone(), operand.span);
                let local = self.local("_", ty.clone(), span);
                numbers.push((local, operand));
                given.push(Ok(Expr { kind: ExprKind::Local(local), ty, span }));
            }
        }
        let axes = self.axes_of_iters(&iters, span)?;
        let is_one = elements.len() == 1;
        let ty = if is_one { elements[0].clone() } else { Ty::structure(elements.iter().cloned()) };
        let local = self.local("_", ty.clone(), span);
        let whole = Expr { kind: ExprKind::Local(local), ty, span };
        let operand = |given: Result<Expr, usize>| match given {
            Ok(number) => number,
            Err(_) if is_one => whole.clone(),
            Err(place) => Expr {
                kind: ExprKind::Field(Box::new(whole.clone()), place as u32),
                ty: elements[place].clone(),
                span,
            },
        };
        let operands = given.into_iter().map(operand).collect();
        let index = self.local("_", point(axes), span);
        let at = Expr { kind: ExprKind::Local(index), ty: point(axes), span };
        let body = combine(self, at, operands)?;
        let filled = self.fill_at(iters, [index, local], body, span);
        Ok(bind::wrap(numbers, filled))
    }

    /// The array of what `body` gives for each element of `iters`.
    pub(super) fn fill(&mut self, iters: Vec<Iter>, element: Local, body: Expr, span: Span) -> Typed<Expr> {
        let axes = self.axes_of_iters(&iters, span)?;
        let index = self.local("_", point(axes), span);
        Ok(self.fill_at(iters, [index, element], body, span))
    }

    /// The array of what `body` gives for each point and element of `iters`.
    fn fill_at(&mut self, iters: Vec<Iter>, params: [Local; 2], body: Expr, span: Span) -> Expr {
        let axes = match self.unifier.seen(&self.locals[params[0]].ty.clone()) {
            Ty::Struct(point) => point.len(),
            _ => 1,
        };
        self.require(Check::Value(body.ty.clone(), body.span));
        let names = self.names_of_iters(&iters);
        let ty = Ty::named(body.ty.clone(), axes, names);
        Expr { kind: ExprKind::Fill { iters, params, body: Box::new(body) }, ty, span }
    }
}
