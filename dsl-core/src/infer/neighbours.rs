//! Neighbours in a row of a table that are cursors, or that run together with others: a loop over them is one over the slots of the row,
//! whose body asks of each whether it holds anything.

use proc_macro2::Span;
use weldment_runtime::lang::scalar::{CompareOp, Const};
use weldment_runtime::lang::types::Scalar;

use super::quoted::{Named, call, structure};
use super::ty::Ty;
use super::typed::{Expr, ExprKind};
use super::{Infer, Typed, bind, forms};
use crate::syntax::ast::{self, Ident, Pattern};

/// Neighbours over which something runs.
enum Slots {
    /// Entries of one table, which are a vector.
    Vector(ast::Expr, Named),
    Rows(Rows),
}

/// The rows of tables that run together with others, or whose entries are cursors.
struct Rows {
    /// What it runs over.
    iters: Vec<ast::Expr>,
    /// What the elements of these are called.
    slots: Vec<Ident>,
    /// What the function is given of them.
    elements: Vec<ast::Expr>,
    /// Whether all of them are there.
    are_there: ast::Expr,
    /// What the names in all that stand for.
    named: Named,
}

impl Infer<'_> {
    /// `for` over neighbours that are cursors, or that run together with others; `None` of all other ones.
    pub(super) fn for_neighbours(
        &mut self,
        iters: &[ast::Iter],
        builder: &ast::Expr,
        function: &ast::Expr,
        span: Span,
    ) -> Typed<Option<Expr>> {
        let parts: Option<Vec<&ast::Expr>> = iters
            .iter()
            .map(|iter| match &iter.kind {
                ast::IterKind::All(expr) => Some(expr),
                _ => None,
            })
            .collect();
        let mark = self.scope.enter();
        let slots = match parts {
            Some(parts) => self.slots(&parts, span)?,
            None => None,
        };
        let slots = match slots {
            None => {
                self.scope.leave(mark);
                return Ok(None);
            }
            Some(Slots::Vector(vector, named)) => {
                let iter = ast::Iter { kind: ast::IterKind::All(vector), span };
                let typed = self.for_loop(&[iter], builder, function, span);
                self.scope.leave(mark);
                return Ok(Some(bind::wrap(named.parts, typed?)));
            }
            Some(Slots::Rows(rows)) => rows,
        };
        let [own, index] = ["b", "i"].map(|name| slots.named.ident(name));
        let name = |ident: &Ident| ast::Expr { kind: ast::ExprKind::Name(ident.clone()), span };
        let args = vec![name(&own), name(&index), structure(slots.elements, span)];
        let kind = ast::ExprKind::Apply(Box::new(function.clone()), args.into());
        let (cond, then) = (Box::new(slots.are_there), Box::new(ast::Expr { kind, span }));
        let body = ast::Expr { kind: ast::ExprKind::If { cond, then, els: Box::new(name(&own)) }, span };
        let closure = closure_of(vec![Pattern::Name(own), Pattern::Name(index)], slots.slots, body, span);
        let iters: Vec<ast::Iter> =
            slots.iters.into_iter().map(|iter| ast::Iter { kind: ast::IterKind::All(iter), span }).collect();
        let typed = self.for_loop(&iters, builder, &closure, span);
        self.scope.leave(mark);
        Ok(Some(bind::wrap(slots.named.parts, typed?)))
    }

    /// `fold` over the same, in the order of the slots.
    pub(super) fn fold_neighbours(
        &mut self,
        of: &ast::Expr,
        init: &ast::Expr,
        function: &ast::Expr,
        span: Span,
    ) -> Typed<Option<Expr>> {
        let mark = self.scope.enter();
        let slots = match self.slots(&[of], span)? {
            None => {
                self.scope.leave(mark);
                return Ok(None);
            }
            Some(Slots::Vector(vector, named)) => {
                let typed = self.fold(&vector, init, function, span);
                self.scope.leave(mark);
                return Ok(Some(bind::wrap(named.parts, typed?)));
            }
            Some(Slots::Rows(rows)) => rows,
        };
        // A struct is folded one after the other, whatever the function is.
        let state = slots.named.ident("s");
        let whole = ast::Expr { kind: ast::ExprKind::Name(state.clone()), span };
        let before =
            ast::Expr { kind: ast::ExprKind::Field(Box::new(whole.clone()), 0, ast::Spelling::Rust), span };
        let args = vec![before, structure(slots.elements, span)];
        let next = ast::Expr { kind: ast::ExprKind::Apply(Box::new(function.clone()), args.into()), span };
        let then = ast::Expr { kind: ast::ExprKind::Struct(vec![next]), span };
        let (cond, then) = (Box::new(slots.are_there), Box::new(then));
        let body = ast::Expr { kind: ast::ExprKind::If { cond, then, els: Box::new(whole) }, span };
        let closure = closure_of(vec![Pattern::Name(state)], slots.slots, body, span);
        let over = match <[ast::Expr; 1]>::try_from(slots.iters) {
            Ok([iter]) => iter,
            Err(iters) => call("zip", iters, slots.named.mark, span),
        };
        let init = ast::Expr { kind: ast::ExprKind::Struct(vec![init.clone()]), span };
        let typed = self.fold(&over, &init, &closure, span);
        self.scope.leave(mark);
        let folded = typed?;
        let ty = match self.unifier.seen(&folded.ty) {
            Ty::Struct(parts) => parts[0].clone(),
            _ => return Ok(Some(self.hole(span))),
        };
        let kind = ExprKind::Field(Box::new(folded), 0);
        Ok(Some(bind::wrap(slots.named.parts, Expr { kind, ty, span })))
    }

    /// Whether `expr` is neighbours, or a zip of some with others.
    pub(super) fn has_rows(&self, expr: &ast::Expr) -> bool {
        let expr = forms::strip(expr);
        match &expr.kind {
            ast::ExprKind::Call { name, args, .. }
                if name.name == "zip" && self.scope.find(name).is_none() =>
            {
                args.iter().any(|part| self.has_rows(part) || self.row_of(self.below_maps(part).0).is_some())
            }
            _ => self.row_of(expr).is_some(),
        }
    }

    /// The slots of neighbours that are cursors, or that run together with others. The names of what is computed once come into scope.
    fn slots(&mut self, parts: &[&ast::Expr], span: Span) -> Typed<Option<Slots>> {
        let mut flat: Vec<&ast::Expr> = Vec::new();
        for part in parts {
            let part = forms::strip(part);
            match &part.kind {
                ast::ExprKind::Call { name, args, .. }
                    if name.name == "zip" && self.scope.find(name).is_none() =>
                {
                    flat.extend(args.iter().map(forms::strip));
                }
                _ => flat.push(part),
            }
        }
        // In a zip, what is made of each neighbour keeps its place.
        let mut functions: Vec<Vec<&ast::Expr>> = vec![Vec::new(); flat.len()];
        if flat.len() > 1 {
            for (part, functions) in flat.iter_mut().zip(&mut functions) {
                (*part, *functions) = self.below_maps(part);
            }
        }
        let rows: Vec<Option<(&ast::Expr, &ast::Expr)>> = flat.iter().map(|part| self.row_of(part)).collect();
        if rows.iter().all(Option::is_none) {
            return Ok(None);
        }
        let mut named = self.named(span);
        let mut typed = Vec::new();
        for (part, row) in flat.iter().zip(&rows) {
            typed.push(match row {
                Some((table, at)) => {
                    let (table, _, _) = self.an_array(table)?;
                    let at = self.expr(at);
                    let is_cursor = self.cursor_of(&at.ty).is_some();
                    (vec![named.name(self, table), named.name(self, at)], is_cursor, false)
                }
                None if matches!(part.kind, ast::ExprKind::Range(..)) => {
                    (vec![(*part).clone()], false, false)
                }
                None => {
                    let part = self.expr(part);
                    let is_array = self.array_of(&part.ty).is_some();
                    (vec![named.name(self, part)], false, is_array)
                }
            });
        }
        if typed.len() == 1 && !typed[0].1 {
            let (args, ..) = typed.remove(0);
            return Ok(Some(Slots::Vector(call("row_entries", args, named.mark, span), named)));
        }
        let are_arrays = typed.iter().any(|(_, _, is_array)| *is_array);
        let (mut iters, mut slots, mut elements) = (Vec::new(), Vec::new(), Vec::new());
        let mut are_there: Option<ast::Expr> = None;
        let mark = named.mark;
        let all = typed.into_iter().zip(&rows).zip(functions);
        for (number, (((args, is_cursor, _), row), functions)) in all.enumerate() {
            let slot = named.ident(&format!("x{number}"));
            let element = ast::Expr { kind: ast::ExprKind::Name(slot.clone()), span };
            slots.push(slot);
            if row.is_none() {
                iters.extend(args);
                elements.push(element);
                continue;
            }
            let [table, at] = <[ast::Expr; 2]>::try_from(args).expect("a table and a place");
            let (entry, neighbour) = if is_cursor {
                let one = ast::Expr { kind: ast::ExprKind::Integer(1), span };
                let extent = call("extent", vec![table.clone(), one], mark, span);
                iters.push(if are_arrays {
                    call("iota", vec![extent], mark, span)
                } else {
                    let zero = ast::Expr { kind: ast::ExprKind::Const(Const::I64(0)), span };
                    ast::Expr { kind: ast::ExprKind::Range(Box::new(zero), Box::new(extent)), span }
                });
                let args = vec![at, table, element];
                (call("entry", args.clone(), mark, span), call("slot", args, mark, span))
            } else {
                let kind = ast::ExprKind::Index(Box::new(table), Box::new(at));
                let row = ast::Expr { kind, span };
                iters.push(if are_arrays { row } else { call("flat", vec![row], mark, span) });
                let ty = ast::Type { kind: ast::TypeKind::Scalar(Scalar::I64), span };
                let kind = ast::ExprKind::Cast(Box::new(element.clone()), ty);
                (ast::Expr { kind, span }, element)
            };
            elements.push(functions.into_iter().rev().fold(neighbour, |of, function| {
                let kind = ast::ExprKind::Apply(Box::new(function.clone()), vec![of].into());
                ast::Expr { kind, span }
            }));
            let zero = ast::Expr { kind: ast::ExprKind::Const(Const::I64(0)), span };
            let kind = ast::ExprKind::Compare(CompareOp::Ge, Box::new(entry), Box::new(zero));
            let is_there = ast::Expr { kind, span };
            are_there = Some(match are_there {
                None => is_there,
                Some(others) => {
                    let kind = ast::ExprKind::And(Box::new(others), Box::new(is_there));
                    ast::Expr { kind, span }
                }
            });
        }
        let are_there = are_there.expect("one row at least");
        Ok(Some(Slots::Rows(Rows { iters, slots, elements, are_there, named })))
    }

    /// What functions are mapped over, the last of them first: neighbours, or all of it if that is something else.
    fn below_maps<'e>(&self, expr: &'e ast::Expr) -> (&'e ast::Expr, Vec<&'e ast::Expr>) {
        let (mut below, mut functions) = (forms::strip(expr), Vec::new());
        loop {
            match &below.kind {
                ast::ExprKind::Call { name, args, .. }
                    if name.name == "map"
                        && args.len() == 2
                        && self.find_macro(name).is_none()
                        && self.scope.find(name).is_none() =>
                {
                    functions.push(&args[1]);
                    below = forms::strip(&args[0]);
                }
                _ if self.row_of(below).is_some() => return (below, functions),
                _ => return (expr, Vec::new()),
            }
        }
    }

    /// The table and the place of a call of `neighbours`.
    fn row_of<'e>(&self, expr: &'e ast::Expr) -> Option<(&'e ast::Expr, &'e ast::Expr)> {
        match &expr.kind {
            ast::ExprKind::Call { name, args, .. }
                if name.name == "neighbours"
                    && self.scope.find(name).is_none()
                    && self.find_macro(name).is_none() =>
            {
                match &args[..] {
                    [table, at] => Some((table, at)),
                    _ => None,
                }
            }
            _ => None,
        }
    }
}

/// The function of these parameters and the elements of iterators.
fn closure_of(mut params: Vec<Pattern>, mut slots: Vec<Ident>, body: ast::Expr, span: Span) -> ast::Expr {
    params.push(if slots.len() == 1 {
        Pattern::Name(slots.remove(0))
    } else {
        Pattern::Struct(slots.into_iter().map(Pattern::Name).collect(), span)
    });
    let params = params.into_iter().map(|pattern| ast::Param { pattern, ty: None }).collect();
    let closure = ast::Closure { params, result: None, body: Box::new(body), span };
    ast::Expr { kind: ast::ExprKind::Closure(closure), span }
}
