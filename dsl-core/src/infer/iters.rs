//! Types of what loops run over: vectors, ranges and zips of them.

use proc_macro2::Span;

use super::ty::{Mismatch, Ty};
use super::typed::{self, Expr};
use super::{Infer, forms, no_texts};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast;

impl Infer<'_> {
    /// Types an iterator; `zip(…)` gives several.
    pub(super) fn iter(&mut self, iter: &ast::Iter, iters: &mut Vec<typed::Iter>, elements: &mut Vec<Ty>) {
        let (kind, element) = match &iter.kind {
            ast::IterKind::All(expr) => match &forms::strip(expr).kind {
                ast::ExprKind::Call { name, args, .. }
                    if name.name == "zip" && !args.is_empty() && self.scope.find(name).is_none() =>
                {
                    return args.iter().for_each(|arg| self.zipped(arg, arg.span, iters, elements));
                }
                _ => return self.part_of_zip(iter, iters, elements),
            },
            ast::IterKind::Strided { vector, start, end, stride } => {
                let element = self.unifier.fresh();
                let vector = self.vector(vector, &element);
                let (start, end, stride) =
                    (self.typed(start, &Ty::I64), self.typed(end, &Ty::I64), self.typed(stride, &Ty::I64));
                (typed::IterKind::Strided { vector, start, end, stride }, element)
            }
            ast::IterKind::Range { start, end, stride } => {
                let (start, end, stride) =
                    (self.typed(start, &Ty::I64), self.typed(end, &Ty::I64), self.typed(stride, &Ty::I64));
                (typed::IterKind::Range { start, end, stride }, Ty::I64)
            }
        };
        iters.push(typed::Iter { kind, span: iter.span });
        elements.push(element);
    }

    /// Types an iterator that is not a zip: one inside a zip is a vector of structs.
    pub(super) fn part_of_zip(
        &mut self,
        iter: &ast::Iter,
        iters: &mut Vec<typed::Iter>,
        elements: &mut Vec<Ty>,
    ) {
        match &iter.kind {
            ast::IterKind::All(expr) => self.zipped(expr, iter.span, iters, elements),
            _ => self.iter(iter, iters, elements),
        }
    }

    /// As [`Infer::part_of_zip`], of an expression.
    fn zipped(&mut self, expr: &ast::Expr, span: Span, iters: &mut Vec<typed::Iter>, elements: &mut Vec<Ty>) {
        let kind = match &forms::strip(expr).kind {
            ast::ExprKind::Call { name, args, .. } => match (name.name.as_str(), &args[..]) {
                ("iter", [vector, start, end, stride]) => ast::IterKind::Strided {
                    vector: vector.clone(),
                    start: start.clone(),
                    end: end.clone(),
                    stride: stride.clone(),
                },
                (of_what @ ("lines" | "slabs"), [of, axis]) if !self.is_users(name) => {
                    return self.lines([of, axis], of_what == "slabs", span, iters, elements);
                }
                ("rangeiter", [start, end, stride]) => {
                    ast::IterKind::Range { start: start.clone(), end: end.clone(), stride: stride.clone() }
                }
                _ => return self.whole(expr, span, iters, elements),
            },
            _ => return self.whole(expr, span, iters, elements),
        };
        self.iter(&ast::Iter { kind, span }, iters, elements);
    }

    /// The arrays along an axis; `with_rest`, along the axes behind it, too.
    fn lines(
        &mut self,
        [of, axis]: [&ast::Expr; 2],
        with_rest: bool,
        span: Span,
        iters: &mut Vec<typed::Iter>,
        elements: &mut Vec<Ty>,
    ) {
        let typed = self.an_array(of).and_then(|(of, element, axes)| {
            let axis = self.axis(axis, axes)?;
            let along = axis..if with_rest { axes } else { axis + 1 };
            let ty = Ty::array(element, along.len());
            Ok((typed::IterKind::Lines(of, along.collect()), ty))
        });
        let (kind, element) = match self.report(typed) {
            Some(typed) => typed,
            None => (typed::IterKind::All(self.hole(span)), self.unifier.error()),
        };
        iters.push(typed::Iter { kind, span });
        elements.push(element);
    }

    fn whole(&mut self, expr: &ast::Expr, span: Span, iters: &mut Vec<typed::Iter>, elements: &mut Vec<Ty>) {
        if let ast::ExprKind::Range(start, end) = &forms::strip(expr).kind {
            let (start, end) = (self.typed(start, &Ty::I64), self.typed(end, &Ty::I64));
            iters.push(typed::Iter { kind: typed::IterKind::Span { start, end }, span });
            elements.push(Ty::I64);
            return;
        }
        let expr = self.expr(expr);
        if let Some((element, _)) = self.array_of(&expr.ty) {
            iters.push(typed::Iter { kind: typed::IterKind::Array(expr), span });
            elements.push(element);
            return;
        }
        let element = self.unifier.fresh();
        let vector = self.as_vector(expr, &element);
        iters.push(typed::Iter { kind: typed::IterKind::All(vector), span });
        elements.push(element);
    }

    /// Types a vector of `element`.
    pub(super) fn vector(&mut self, expr: &ast::Expr, element: &Ty) -> Expr {
        let expr = self.expr(expr);
        self.as_vector(expr, element)
    }

    /// `expr`, which has to be a vector of `element`, or a fixed array, whose elements are one.
    pub(super) fn as_vector(&mut self, mut expr: Expr, element: &Ty) -> Expr {
        if self.unifier.shallow(&expr.ty).as_fixed_array().is_some() {
            expr = self.elements_as_vector(expr);
        }
        let ty = Ty::vec(element.clone());
        let error = match self.unifier.unify(&ty, &expr.ty) {
            Ok(()) => return expr,
            Err(Mismatch::Types) => self.no_vector(&expr),
            Err(why) => self.mismatch(&expr, &ty, why),
        };
        self.errors.push(error);
        self.unifier.poison(element);
        Expr { ty, ..expr }
    }

    /// The error of `expr`, which is no vector.
    pub(super) fn no_vector(&self, expr: &Expr) -> Diagnostic {
        let found = self.unifier.show(&expr.ty);
        let error =
            Diagnostic::new(Code::NeedsCollection, expr.span, format!("expected a vector, found `{found}`"));
        match self.unifier.seen(&expr.ty) {
            Ty::Dict(..) => error.help("take its pairs: `tovec(d)`"),
            Ty::Array(..) => error.help("take the elements row by row: `a.flat()`"),
            Ty::Scalar(_) => error.help("a vector of one element is written `[x]`"),
            Ty::Struct(fields) if fields.as_option().is_some() => error.help(forms::TAKE_VALUE),
            Ty::Struct(fields) if fields.is_text() => error.help(no_texts::PARTS),
            Ty::Struct(_) => error.help("vectors of one length run together in `zip(a, b)`"),
            other if other.has_builder() => error.help("take its value first: `result(…)`"),
            _ => error,
        }
    }
}
