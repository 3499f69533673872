//! Types of products of arrays: `outer`, and `inner`, which reduces along an axis of both.

use std::rc::Rc;

use proc_macro2::Span;
use weldment_runtime::lang::reduce::ReduceOp;
use weldment_runtime::lang::types::MOST_AXES;

use super::ty::Ty;
use super::typed::{ArrayOp, Expr, ExprKind, Iter, IterKind, Local};
use super::{Infer, Typed, bind, forms};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast::{self, Ident, Pattern};

impl Infer<'_> {
    /// `outer(a, b, f)`: what f gives for each element of a and each of b.
    pub(super) fn outer(
        &mut self,
        a: &ast::Expr,
        b: &ast::Expr,
        function: Option<&ast::Expr>,
        span: Span,
    ) -> Typed<Expr> {
        let ((a, _, m), (b, _, n)) = (self.an_array(a)?, self.an_array(b)?);
        check_axes(m + n, span)?;
        let a = (0..n).fold(a, |a, _| self.expanded_at(a, m));
        let b = (0..m).fold(b, |b, _| self.expanded_at(b, 0));
        self.of_pairs([a, b], |this, pairs| {
            let function = function.cloned().unwrap_or(operator(ReduceOp::Mul, span));
            Ok(call("map", vec![pairs, this.of_pair(&function, span)], span))
        })
    }

    /// `inner(a, b, f, g)`: along the last axis of a and the first of b, what g gives for pairs, reduced by f.
    pub(super) fn inner(
        &mut self,
        a: &ast::Expr,
        b: &ast::Expr,
        functions: Option<(&ast::Expr, &ast::Expr)>,
        span: Span,
    ) -> Typed<Expr> {
        let ((a, _, m), (b, _, n)) = (self.an_array(a)?, self.an_array(b)?);
        check_axes(m + n - 1, span)?;
        let (reduced, combined) = match functions {
            Some((f, g)) => (f.clone(), g.clone()),
            None => (operator(ReduceOp::Add, span), operator(ReduceOp::Mul, span)),
        };
        let body = |this: &mut Self, pairs| {
            let products = call("map", vec![pairs, this.of_pair(&combined, span)], span);
            let name = match forms::strip(&reduced).kind {
                ast::ExprKind::Operator(ReduceOp::Add) => "sum",
                ast::ExprKind::Operator(ReduceOp::Mul) => "product",
                ast::ExprKind::Operator(ReduceOp::Min) => "min",
                ast::ExprKind::Operator(ReduceOp::Max) => "max",
                _ => return Ok(call("reduce", vec![products, reduced.clone()], span)),
            };
            Ok(call(name, vec![products], span))
        };
        if m + n == 2 {
            return self.of_pairs([a, b], body);
        }
        // Both with all axes of the result, and the one to reduce as the last.
        let a = (1..n).fold(a, |a, _| self.expanded_at(a, m - 1));
        let b = permuted(b, (1..n).chain([0]).collect());
        let b = (1..m).fold(b, |b, _| self.expanded_at(b, 0));
        let along: Rc<[usize]> = Rc::from([m + n - 2]);
        let lines = [&a, &b].map(|of| {
            let (element, _) = self.array_of(&of.ty).expect("an array");
            Ty::array(element, 1)
        });
        let pair = Ty::structure(lines.clone());
        let local = self.local("_", pair.clone(), span);
        let whole = Expr { kind: ExprKind::Local(local), ty: pair, span };
        let line = |number: usize| Expr {
            kind: ExprKind::Field(Box::new(whole.clone()), number as u32),
            ty: lines[number].clone(),
            span,
        };
        let body = self.of_pairs([line(0), line(1)], body)?;
        let iters = [a, b].map(|of| Iter { kind: IterKind::Lines(of, along.clone()), span });
        self.fill(iters.into(), local, body, span)
    }

    /// What a call makes of the pairs of two arrays, which it is given as a zip.
    fn of_pairs(
        &mut self,
        arrays: [Expr; 2],
        body: impl FnOnce(&mut Self, ast::Expr) -> Typed<ast::Expr>,
    ) -> Typed<Expr> {
        self.mark += 1;
        let span = arrays[0].span;
        let mark = self.scope.enter();
        let mut parts: Vec<(Local, Expr)> = Vec::new();
        let mut names = Vec::new();
        for (name, array) in ["x", "y"].into_iter().zip(arrays) {
            let local = self.local("_", array.ty.clone(), span);
            let ident = Ident { name: name.to_owned(), mark: self.mark, span };
            self.scope.bind(&ident, local);
            names.push(ast::Expr { kind: ast::ExprKind::Name(ident), span });
            parts.push((local, array));
        }
        let typed = body(self, call("zip", names, span)).map(|whole| self.expr(&whole));
        self.scope.leave(mark);
        Ok(bind::wrap(parts, typed?))
    }

    /// A function of a pair, of a function of two values or an operator.
    fn of_pair(&mut self, function: &ast::Expr, span: Span) -> ast::Expr {
        self.mark += 1;
        let idents = ["p", "q"].map(|name| Ident { name: name.to_owned(), mark: self.mark, span });
        let names = idents.clone().map(|ident| ast::Expr { kind: ast::ExprKind::Name(ident), span });
        let body = match forms::strip(function).kind {
            ast::ExprKind::Operator(op) => {
                let [p, q] = names;
                ast::Expr { kind: ast::ExprKind::Binary(op.binary(), Box::new(p), Box::new(q)), span }
            }
            _ => ast::Expr { kind: ast::ExprKind::Apply(Box::new(function.clone()), names.into()), span },
        };
        let pattern = Pattern::Struct(idents.map(Pattern::Name).into(), span);
        let params = vec![ast::Param { pattern, ty: None }];
        let closure = ast::Closure { params, result: None, body: Box::new(body), span };
        ast::Expr { kind: ast::ExprKind::Closure(closure), span }
    }

    /// `a.expand(axis)`
    fn expanded_at(&self, of: Expr, axis: usize) -> Expr {
        let (element, axes) = self.array_of(&of.ty).expect("an array");
        let span = of.span;
        let ty = Ty::array(element, axes + 1);
        Expr { kind: ExprKind::OfArray(ArrayOp::Expand(axis), vec![of]), ty, span }
    }
}

/// `a.permute(order)`
fn permuted(of: Expr, order: Rc<[usize]>) -> Expr {
    let (ty, span) = (of.ty.clone(), of.span);
    Expr { kind: ExprKind::OfArray(ArrayOp::Permute(order), vec![of]), ty, span }
}

fn check_axes(axes: usize, span: Span) -> Typed<()> {
    if axes <= MOST_AXES {
        return Ok(());
    }
    let message = format!("a product of {axes} axes: an array has at most {MOST_AXES}");
    Err(Diagnostic::new(Code::Axes, span, message))
}

fn operator(op: ReduceOp, span: Span) -> ast::Expr {
    ast::Expr { kind: ast::ExprKind::Operator(op), span }
}

fn call(name: &str, args: Vec<ast::Expr>, span: Span) -> ast::Expr {
    // No name of the program, whatever its macros are called.
    let name = Ident { name: name.to_owned(), mark: u32::MAX, span };
    ast::Expr {
        kind: ast::ExprKind::Call { name, turbofish: None, args: args.into(), is_method: true },
        span,
    }
}
