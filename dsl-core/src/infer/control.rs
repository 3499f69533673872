//! Types of what runs functions, `for`, `iterate` and `sort`, and of new builders.

use proc_macro2::Span;
use weldment_runtime::lang::reduce::ReduceOp;

use super::condition::Check;
use super::ty::{By, Mismatch, Ty};
use super::typed::{Expr, ExprKind, Local};
use super::{Infer, Typed, arrays, functions};
use crate::diagnostic::{Code, Diagnostic};
use crate::ir::Empty;
use crate::syntax::ast::{self, BuilderKind, Start};

impl Infer<'_> {
    /// `for(iters, builder, function)`
    pub(super) fn for_loop(
        &mut self,
        iters: &[ast::Iter],
        builder: &ast::Expr,
        function: &ast::Expr,
        span: Span,
    ) -> Typed<Expr> {
        if let Some(typed) = self.for_neighbours(iters, builder, function, span)? {
            return Ok(typed);
        }
        let mut typed_iters = Vec::new();
        let mut elements = Vec::new();
        match iters {
            [iter] => self.iter(iter, &mut typed_iters, &mut elements),
            // A zip in a zip is one of its vectors.
            iters => iters.iter().for_each(|iter| self.part_of_zip(iter, &mut typed_iters, &mut elements)),
        }
        let element = match &elements[..] {
            [element] => element.clone(),
            _ => Ty::structure(elements),
        };
        let builder = self.expr(builder);
        if self.unifier.is_literal(&builder.ty)
            || self.allows(&builder.ty, builder.span)
                && self.unifier.resolve(&self.unifier.seen(&builder.ty)).to_value().is_some()
        {
            let message = format!("a `for` needs a builder, found {}", self.found(&builder.ty));
            return Err(Diagnostic::new(Code::NeedsBuilder, builder.span, message)
                .help("begin with a new one, such as `appender[f64]` or `merger[f64, +]`"));
        }
        if self.is_refused(function) {
            return Ok(self.hole(span));
        }
        let given = self.given(function)?;
        let closure = given.closure()?;
        if closure.params.len() != 3 {
            let error = functions::arity(closure, 3);
            return Err(error.help("a `for` calls its function with builder, index and element"));
        }
        let mark = self.scope.enter();
        let axes = self.axes_of_iters(&typed_iters, span)?;
        let types = [builder.ty.clone(), arrays::point(axes), element];
        let (params, body) = match builder.kind {
            // Inside a loop that was started with a variable, that variable means the loop's own builder.
            ExprKind::Local(outer) => self.own_builder(outer, function, types)?,
            _ => self.function(function, types)?,
        };
        self.scope.leave(mark);
        if let Err(why) = self.unifier.unify(&builder.ty, &body.ty) {
            let error = self.mismatch(&body, &builder.ty, why);
            self.errors.push(match body.kind {
                ExprKind::Result(_) => error.help("call `result` once, on the `for`: `result(for(…))`"),
                _ => error.help("the function of a `for` returns the builder it was given"),
            });
            return Ok(self.hole(span));
        }
        let ty = builder.ty.clone();
        let kind =
            ExprKind::For { iters: typed_iters, builder: Box::new(builder), params, body: Box::new(body) };
        Ok(Expr { kind, ty, span })
    }

    /// The function of a loop started with the variable `outer`, whose names mean the loop's own builder inside,
    /// unless a parameter hides them.
    fn own_builder(
        &mut self,
        outer: Local,
        function: &ast::Expr,
        types: [Ty; 3],
    ) -> Typed<([Local; 3], Expr)> {
        let [builder, ..] = &types;
        let name = self.locals[outer].name.clone();
        let own = self.local(&name, builder.clone(), self.locals[outer].span);
        self.scope.rebind(outer, own);
        // The builder parameter is the same variable by another name.
        let (mut params, body) = self.function(function, types)?;
        let body = replace_local(body, params[0], own);
        params[0] = own;
        Ok((params, body))
    }

    /// `iterate(init, |state| {state, bool})`
    pub(super) fn iterate(&mut self, init: &ast::Expr, function: &ast::Expr, span: Span) -> Typed<Expr> {
        let init = self.expr(init);
        self.no_cursor(&init)?;
        if self.is_refused(function) {
            return Ok(self.hole(span));
        }
        let ty = init.ty.clone();
        let ([param], body) = self.function(function, [ty.clone()])?;
        let want = Ty::structure([ty.clone(), Ty::BOOL]);
        if let Err(why) = self.unifier.unify(&want, &body.ty) {
            let error = self.mismatch(&body, &want, why);
            self.errors
                .push(error.help("the function of `iterate` gives the next state and whether to go on"));
        }
        Ok(Expr { kind: ExprKind::Iterate { init: Box::new(init), param, body: Box::new(body) }, ty, span })
    }

    /// `sort(vector, |a, b| i32)`
    pub(super) fn sort(&mut self, vector: &ast::Expr, function: &ast::Expr, span: Span) -> Typed<Expr> {
        let element = self.unifier.fresh();
        let vector = self.vector(vector, &element);
        if self.is_refused(function) {
            return Ok(vector);
        }
        let (params, comparator) = self.function(function, [element.clone(), element])?;
        if let Err(why) = self.unifier.unify(&Ty::I32, &comparator.ty) {
            let error = match why {
                Mismatch::Types => {
                    let found = self.unifier.show(&comparator.ty);
                    Diagnostic::new(
                        Code::Mismatch,
                        comparator.span,
                        format!("expected `i32`, found `{found}`"),
                    )
                }
                _ => self.mismatch(&comparator, &Ty::I32, why),
            };
            self.errors.push(error.help("a comparator gives -1, 0 or 1: `compare(a, b)`"));
        }
        let ty = vector.ty.clone();
        let (vector, comparator) = (Box::new(vector), Box::new(comparator));
        Ok(Expr { kind: ExprKind::Sort { vector, params, comparator }, ty, span })
    }

    /// A new builder.
    pub(super) fn builder(&mut self, builder: &ast::Builder, span: Span) -> Expr {
        let ty = self.builder_type(&builder.ty);
        let Ty::Builder(of) = &ty else { unreachable!("a builder has the type of one") };
        let row = of.kind.row();
        of.key.iter().for_each(|key| self.require(Check::Key(key.clone(), span)));
        self.require(match of.by {
            Some(By::Op(op)) => Check::Reducible(of.value.clone(), op, span),
            _ => Check::Value(of.value.clone(), span),
        });
        let init = builder.init.as_ref().map(|init| match row.start {
            Start::Vector => self.typed(init, &Ty::vec(of.value.clone())),
            Start::Initial => self.typed(init, &of.value),
            Start::Size | Start::Nothing => self.index(init),
        });
        let kind = ExprKind::Builder { init: init.map(Box::new), func: None, empty: Empty::Identity };
        Expr { kind, ty, span }
    }

    /// The type of a builder that is written as `ty`.
    pub(super) fn builder_type(&mut self, ty: &ast::BuilderType) -> Ty {
        let key = ty.key.as_ref().map(|key| self.ty(key));
        Ty::builder(ty.kind, key, self.ty(&ty.value), ty.op.map(By::Op))
    }

    /// The builder behind `min(v)` and `max(v)`, which fault on nothing.
    pub(super) fn nonempty(&mut self, op: ReduceOp, span: Span) -> Expr {
        let value = self.unifier.fresh();
        self.require(Check::Reducible(value.clone(), op, span));
        let ty = Ty::builder(BuilderKind::Merger, None, value, Some(By::Op(op)));
        Expr { kind: ExprKind::Builder { init: None, func: None, empty: Empty::Fault }, ty, span }
    }
}

/// `expr` with every use of `old` turned into a use of `new`.
fn replace_local(mut expr: Expr, old: Local, new: Local) -> Expr {
    fn walk(expr: &mut Expr, old: Local, new: Local) {
        if let ExprKind::Local(local) = &mut expr.kind
            && *local == old
        {
            *local = new;
        }
        expr.for_each_part_mut(&mut |part| walk(part, old, new));
    }
    walk(&mut expr, old, new);
    expr
}
