//! Types of what goes through tables: cursors that stand at a neighbour, and the neighbours themselves, which are no vector where
//! they are cursors. A loop over these is one over the slots of a row, whose body asks of each whether it holds anything.

use std::rc::Rc;

use proc_macro2::Span;
use weldment_runtime::lang::scalar::{CompareOp, Const};
use weldment_runtime::lang::types::Scalar;

use super::condition::Check;
use super::ty::{AxisTy, CursorTy, Ty};
use super::typed::{CursorOp, Expr, ExprKind, Local};
use super::{Infer, Typed, arrays, bind, forms};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast::{self, Ident, Pattern};

/// Typed expressions that have names, for what is made of syntax around them.
pub(super) struct Named {
    pub(super) mark: u32,
    span: Span,
    pub(super) parts: Vec<(Local, Expr)>,
}

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
    /// A call of a function of tables; `None` if it is not one.
    pub(super) fn table_call(&mut self, name: &Ident, args: &[ast::Expr]) -> Typed<Option<Expr>> {
        let span = name.span;
        match (name.name.as_str(), args) {
            ("to", [cursor, table, number]) => self.through(CursorOp::To, cursor, table, number, span),
            ("slot", [cursor, table, number]) if name.mark > 0 => {
                self.through(CursorOp::Slot, cursor, table, number, span)
            }
            ("entry", [cursor, table, number]) if name.mark > 0 => {
                let at = self.through(CursorOp::Entry, cursor, table, number, span)?;
                Ok(Expr { ty: Ty::I64, ..at })
            }
            ("seek", [cursor, function]) => self.seek(cursor, function, span),
            ("neighbours", [table, at]) if name.mark == 0 => {
                let mut named = self.named(span);
                let args = [self.expr(table), self.expr(at)];
                if self.cursor_of(&args[1].ty).is_some() {
                    let message = "the neighbours of a cursor are cursors, and no vector";
                    let error = Diagnostic::new(Code::CursorAsValue, span, message);
                    return Err(error.help("read from each: `neighbours(t, c).map(|e| e[0])`, or fold them"));
                }
                let mark = self.scope.enter();
                let args = args.map(|arg| named.name(self, arg));
                let call = call("neighbours", args.into(), self.inner_mark(), span);
                let typed = self.expr(&call);
                self.scope.leave(mark);
                Ok(bind::wrap(named.parts, typed))
            }
            _ => return Ok(None),
        }
        .map(Some)
    }

    pub(super) fn inner_mark(&mut self) -> u32 {
        self.mark += 1;
        self.mark
    }

    pub(super) fn named(&mut self, span: Span) -> Named {
        Named { mark: self.inner_mark(), span, parts: Vec::new() }
    }

    /// A cursor by the entry of a table at the place where it stands.
    fn through(
        &mut self,
        op: impl FnOnce(usize) -> CursorOp,
        cursor: &ast::Expr,
        table: &ast::Expr,
        number: &ast::Expr,
        span: Span,
    ) -> Typed<Expr> {
        let of = self.expr(cursor);
        let cursor = self.a_cursor(&of, "a table leads from where a cursor stands: `c.to(table, 0)[0]`")?;
        let (table, entry, axes) = self.an_array(table)?;
        if axes != 2 {
            let message = format!("a table has 2 axes, found {}", forms::of_axes(axes));
            let error = Diagnostic::new(Code::Axes, table.span, message);
            return Err(error.help("`t[v, k]` is the k-th neighbour of v"));
        }
        self.require(Check::Index(entry, "entry".to_owned(), table.span));
        let number = self.index(number);
        let names = self.names_of(&table.ty);
        let names = names.map(|names| match self.unifier.shallow(&names) {
            Ty::Struct(names) => names.to_vec(),
            _ => Vec::new(),
        });
        if let (Some(names), Some(constant)) = (&names, number.constant())
            && let Some(Ty::Axis(AxisTy::Extent(extent))) = names.get(1)
            && !(0..*extent).contains(&constant)
        {
            let message = format!("there is no neighbour {constant} in a table of {extent} for each");
            let error = Diagnostic::new(Code::Outside, number.span, message);
            return Err(error.help("they are counted from 0"));
        }
        let at = cursor.at.clone().expect("known until inference ends");
        let (axis, at) = self.axis_of_table(&at, names.as_ref().map(|names| &names[0]), table.span)?;
        let ty = CursorTy { at: Some(at), is_far: true, ..(*cursor).clone() };
        let kind = ExprKind::OfCursor(op(axis), vec![of, table, number]);
        Ok(Expr { kind, ty: Ty::Cursor(Rc::new(ty)), span })
    }

    /// Which axis of those at which a cursor stands a table of this one leads from, and at which it stands behind it. Of several that
    /// are not known yet it is the first.
    fn axis_of_table(&mut self, at: &Ty, from: Option<&Ty>, span: Span) -> Typed<(usize, Ty)> {
        let Ty::Struct(axes) = self.unifier.shallow(at) else { unreachable!("a struct of axes") };
        let known: Vec<Ty> = axes.iter().map(|axis| self.unifier.shallow(axis)).collect();
        let axis = match from {
            Some(from) => {
                let from = self.unifier.shallow(from);
                let fits = |axis: &&Ty| match (*axis, &from) {
                    (Ty::Axis(x), Ty::Axis(y)) => x == y,
                    _ => false,
                };
                let is_open = |axis: &Ty| !matches!(axis, Ty::Axis(_));
                let place = known.iter().position(|axis| fits(&axis)).or(known.iter().position(is_open));
                let Some(axis) = place else {
                    let (here, table) = (self.unifier.show_axes(at), self.unifier.show(&from));
                    let message = format!("a table of `{table}`, and the cursor stands at `{here}`");
                    let error = Diagnostic::new(Code::Location, span, message);
                    return Err(error.help("the first axis of a table is that at which the cursor stands"));
                };
                let outcome = self.unifier.unify(&axes[axis], &from);
                debug_assert!(outcome.is_ok(), "it fits, or is not known");
                axis
            }
            None => known.iter().position(|axis| !matches!(axis, Ty::Axis(_))).unwrap_or(0),
        };
        let mut behind = axes.to_vec();
        behind[axis] = self.unifier.fresh();
        Ok((axis, Ty::structure(behind)))
    }

    /// `c.seek(|i, j| …)`: the cursor at the coordinates that the function gives for those where it stands.
    fn seek(&mut self, cursor: &ast::Expr, function: &ast::Expr, span: Span) -> Typed<Expr> {
        let of = self.expr(cursor);
        let cursor = self.a_cursor(&of, "`c.seek(|i, j| (j, i))` goes to other coordinates")?;
        let axes = cursor.axes;
        let ty = of.ty.clone();
        let whole = self.local("_", ty.clone(), span);
        let here = Expr { kind: ExprKind::Local(whole), ty, span };
        let point = self.local("_", arrays::point(axes), span);
        let at = Expr {
            kind: ExprKind::OfCursor(CursorOp::At, vec![here.clone()]),
            ty: arrays::point(axes),
            span,
        };
        let types = match &self.given(function)?.form.kind {
            ast::ExprKind::Closure(closure) if closure.params.len() == 1 => vec![arrays::point(axes)],
            _ => vec![Ty::I64; axes],
        };
        let (params, body) = self.function_of(function, &types)?;
        let coordinate = |axis: usize| {
            let kind = ExprKind::Local(point);
            let whole = Expr { kind, ty: arrays::point(axes), span };
            match params.len() {
                1 => whole,
                _ => Expr { kind: ExprKind::Field(Box::new(whole), axis as u32), ty: Ty::I64, span },
            }
        };
        let parts: Vec<(Local, Expr)> =
            params.iter().enumerate().map(|(axis, &param)| (param, coordinate(axis))).collect();
        let found = match self.unifier.seen(&body.ty) {
            Ty::Struct(coordinates) => coordinates.to_vec(),
            ty => vec![ty],
        };
        if found.len() != axes {
            if self.unifier.is_error(&body.ty) {
                return Ok(self.hole(span));
            }
            let message =
                format!("{}, for {}", forms::counted(found.len(), "coordinate"), forms::of_axes(axes));
            let error = Diagnostic::new(Code::Axes, body.span, message);
            return Err(error.help("the function gives a coordinate for each axis: `c.seek(|i, j| (j, i))`"));
        }
        for ty in &found {
            self.require(Check::Index(ty.clone(), "i".to_owned(), body.span));
        }
        let target = self.local("_", body.ty.clone(), span);
        let goal = Expr { kind: ExprKind::Local(target), ty: body.ty.clone(), span };
        let goals = (0..axes).map(|axis| match axes {
            1 if !matches!(self.unifier.seen(&body.ty), Ty::Struct(_)) => goal.clone(),
            _ => Expr {
                kind: ExprKind::Field(Box::new(goal.clone()), axis as u32),
                ty: found[axis].clone(),
                span,
            },
        });
        let args = std::iter::once(here).chain(goals).collect();
        // What it reads there is what it was made to read.
        let ty = CursorTy { at: cursor.of.clone(), is_far: true, ..(*cursor).clone() };
        let kind = ExprKind::OfCursor(CursorOp::Seek, args);
        let there = Expr { kind, ty: Ty::Cursor(Rc::new(ty)), span };
        let body = bind::wrap(parts, body);
        Ok(bind::wrap(vec![(whole, of), (point, at), (target, body)], there))
    }

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
                args.iter().any(|part| self.has_rows(part))
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
            return Ok(Some(Slots::Vector(call("neighbours", args, named.mark, span), named)));
        }
        let are_arrays = typed.iter().any(|(_, _, is_array)| *is_array);
        let (mut iters, mut slots, mut elements) = (Vec::new(), Vec::new(), Vec::new());
        let mut are_there: Option<ast::Expr> = None;
        let mark = named.mark;
        for (number, ((args, is_cursor, _), row)) in typed.into_iter().zip(&rows).enumerate() {
            let slot = named.ident(&format!("x{number}"));
            let element = ast::Expr { kind: ast::ExprKind::Name(slot.clone()), span };
            slots.push(slot);
            if row.is_none() {
                iters.extend(args);
                elements.push(element);
                continue;
            }
            let [table, at] = <[ast::Expr; 2]>::try_from(args).expect("a table and a place");
            let entry = if is_cursor {
                let one = ast::Expr { kind: ast::ExprKind::Integer(1), span };
                let extent = call("extent", vec![table.clone(), one], mark, span);
                iters.push(if are_arrays {
                    call("iota", vec![extent], mark, span)
                } else {
                    let zero = ast::Expr { kind: ast::ExprKind::Const(Const::I64(0)), span };
                    ast::Expr { kind: ast::ExprKind::Range(Box::new(zero), Box::new(extent)), span }
                });
                let args = vec![at, table, element];
                elements.push(call("slot", args.clone(), mark, span));
                call("entry", args, mark, span)
            } else {
                let kind = ast::ExprKind::Index(Box::new(table), Box::new(at));
                let row = ast::Expr { kind, span };
                iters.push(if are_arrays { row } else { call("flat", vec![row], mark, span) });
                elements.push(element.clone());
                let ty = ast::Type { kind: ast::TypeKind::Scalar(Scalar::I64), span };
                ast::Expr { kind: ast::ExprKind::Cast(Box::new(element), ty), span }
            };
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

    /// The table and the place of a call of `neighbours`.
    fn row_of<'e>(&self, expr: &'e ast::Expr) -> Option<(&'e ast::Expr, &'e ast::Expr)> {
        match &expr.kind {
            ast::ExprKind::Call { name, args, .. }
                if name.name == "neighbours"
                    && name.mark == 0
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

impl Named {
    pub(super) fn ident(&self, name: &str) -> Ident {
        Ident { name: name.to_owned(), mark: self.mark, span: self.span }
    }

    /// A name for a typed expression, which is bound outside.
    pub(super) fn name(&mut self, infer: &mut Infer<'_>, expr: Expr) -> ast::Expr {
        let ident = self.ident(&format!("t{}", self.parts.len()));
        let local = infer.local("_", expr.ty.clone(), expr.span);
        infer.scope.bind(&ident, local);
        let span = expr.span;
        self.parts.push((local, expr));
        ast::Expr { kind: ast::ExprKind::Name(ident), span }
    }
}

pub(super) fn call(name: &str, args: Vec<ast::Expr>, mark: u32, span: Span) -> ast::Expr {
    let name = Ident { name: name.to_owned(), mark, span };
    let args = args.into();
    ast::Expr { kind: ast::ExprKind::Call { name, turbofish: None, args, is_method: false }, span }
}

pub(super) fn structure(mut parts: Vec<ast::Expr>, span: Span) -> ast::Expr {
    if parts.len() == 1 {
        return parts.remove(0);
    }
    ast::Expr { kind: ast::ExprKind::Struct(parts), span }
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
