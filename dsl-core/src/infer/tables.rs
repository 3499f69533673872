//! Types of cursors that go elsewhere: through a table, or to coordinates.

use std::rc::Rc;

use proc_macro2::Span;

use super::condition::Check;
use super::quoted::call;
use super::ty::{AxisTy, CursorTy, Ty};
use super::typed::{CursorOp, Expr, ExprKind, Local};
use super::{Infer, Typed, arrays, bind, forms};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast::{self, Ident};

impl Infer<'_> {
    /// A call of a function of tables; `None` if it is not one.
    pub(super) fn table_call(&mut self, name: &Ident, args: &[ast::Expr]) -> Typed<Option<Expr>> {
        let span = name.span;
        match (name.name.as_str(), args) {
            ("to", [cursor, table, number]) => self.through(CursorOp::To, cursor, table, number, span),
            ("slot", [cursor, table, number]) if !self.is_users(name) => {
                self.through(CursorOp::Slot, cursor, table, number, span)
            }
            ("entry", [cursor, table, number]) if !self.is_users(name) => {
                let at = self.through(CursorOp::Entry, cursor, table, number, span)?;
                Ok(Expr { ty: Ty::I64, ..at })
            }
            ("seek", [cursor, function]) => self.seek(cursor, function, span),
            ("neighbours", [table, at]) => {
                let mut named = self.named(span);
                let args = [self.expr(table), self.expr(at)];
                if self.cursor_of(&args[1].ty).is_some() {
                    let message = "the neighbours of a cursor are cursors, and no vector";
                    let error = Diagnostic::new(Code::CursorAsValue, span, message);
                    return Err(error.help("read from each: `neighbours(t, c).map(|e| e[0])`, or fold them"));
                }
                let mark = self.scope.enter();
                let args = args.map(|arg| named.name(self, arg));
                let call = call("row_entries", args.into(), self.inner_mark(), span);
                let typed = self.expr(&call);
                self.scope.leave(mark);
                Ok(bind::wrap(named.parts, typed))
            }
            _ => return Ok(None),
        }
        .map(Some)
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
        let of_axes = cursor.of.clone().expect("known until inference ends");
        let from = names.as_ref().map(|names| &names[0]);
        let (axis, at) = self.axis_of_table([&at, &of_axes], from, table.span)?;
        let ty = CursorTy { at: Some(at), is_far: true, ..(*cursor).clone() };
        let kind = ExprKind::OfCursor(op(axis), vec![of, table, number]);
        Ok(Expr { kind, ty: Ty::Cursor(Rc::new(ty)), span })
    }

    /// Which axis of those at which a cursor stands a table of this one leads from, and at which it stands behind it. Of several that
    /// are not known yet it is that which is of this name where it reads, or else the first.
    fn axis_of_table(&mut self, [at, of]: [&Ty; 2], from: Option<&Ty>, span: Span) -> Typed<(usize, Ty)> {
        let [axes, read] = [at, of].map(|names| match self.unifier.shallow(names) {
            Ty::Struct(axes) => axes.to_vec(),
            _ => unreachable!("a struct of axes"),
        });
        let [known, read] =
            [&axes, &read].map(|axes| axes.iter().map(|axis| self.unifier.shallow(axis)).collect::<Vec<_>>());
        let axis = match from {
            Some(from) => {
                let from = self.unifier.shallow(from);
                let fits = |axis: &&Ty| match (*axis, &from) {
                    (Ty::Axis(x), Ty::Axis(y)) => x == y,
                    _ => false,
                };
                let is_open = |axis: &usize| !matches!(known[*axis], Ty::Axis(_));
                let open = || (0..known.len()).filter(is_open);
                let place = known.iter().position(|axis| fits(&axis));
                let place = place.or_else(|| open().find(|&axis| fits(&&read[axis])));
                let place = place.or_else(|| open().next());
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
        let mut behind = axes;
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
}
