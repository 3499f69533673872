//! Types of stencils, and of the cursors by which they read.

use std::collections::BTreeSet;
use std::rc::Rc;

use proc_macro2::Span;

use super::condition::Check;
use super::ty::{CursorTy, Ty};
use super::typed::{CursorOp, Expr, ExprKind, Lifted, Local, Policy};
use super::{Infer, Typed, arrays, forms};
use crate::diagnostic::{Code, Diagnostic};
use crate::syntax::ast;

/// The functions of tables of neighbours.
pub(super) const OF_TABLES: [&str; 5] = ["to", "slot", "entry", "seek", "neighbours"];

impl Infer<'_> {
    /// The type of a cursor, if `ty` is one.
    pub(super) fn cursor_of(&self, ty: &Ty) -> Option<Rc<CursorTy>> {
        if let Ty::Cursor(of) = self.unifier.seen(ty) { Some(of) } else { None }
    }

    /// Whether `expr` is a cursor.
    fn is_cursor(&mut self, expr: &ast::Expr) -> bool {
        self.peek(expr).is_some_and(|ty| self.cursor_of(&ty).is_some())
    }

    /// A call of a function of stencils or cursors; `None` if it is not one.
    pub(super) fn cursor_call(
        &mut self,
        name: &ast::Ident,
        args: &[ast::Expr],
        is_method: bool,
    ) -> Typed<Option<Expr>> {
        let span = name.span;
        let kind = match (name.name.as_str(), args) {
            ("stencil", [of, function]) => self.stencil(of, None, function, span),
            ("stencil", [of, policy, function]) => self.stencil(of, Some(policy), function, span),
            ("lift", [function, cursors]) => self.lift(function, cursors, span),
            ("shift", [of, offsets @ ..]) if self.is_cursor(of) => {
                let of = self.expr(of);
                self.cursor_op(CursorOp::Shift, of, offsets, span)
            }
            ("exists", [of, offsets @ ..]) => {
                let of = self.expr(of);
                self.cursor_op(CursorOp::Exists, of, offsets, span)
            }
            ("at", [of]) => {
                let of = self.expr(of);
                self.cursor_op(CursorOp::At, of, &[], span)
            }
            ("map", [of, function]) if self.is_cursor(of) => self.map_cursor(of, function, span),
            (function, _)
                if OF_TABLES.contains(&function)
                    && let Some(typed) = self.table_call(name, args)? =>
            {
                Ok(typed)
            }
            ("stencil" | "lift" | "exists" | "at" | "to" | "seek", _) => {
                let form = arrays::form(&name.name).expect("each of these is in the table");
                self.arguments(args);
                Err(forms::wrong_number(name, args.len(), form, is_method))
            }
            _ => return Ok(None),
        };
        kind.map(Some)
    }

    /// `a.stencil(policy, |c| …)`, `stencil((a, b), |c, d| …)`
    fn stencil(
        &mut self,
        of: &ast::Expr,
        policy: Option<&ast::Expr>,
        function: &ast::Expr,
        span: Span,
    ) -> Typed<Expr> {
        let several = forms::several(of);
        let (mut arrays, mut elements, mut axes) = (Vec::new(), Vec::new(), None);
        for array in several {
            let (array, element, count) = self.an_array(array)?;
            let first = *axes.get_or_insert(count);
            if first != count {
                let message = format!("{} beside {}", forms::of_axes(count), forms::of_axes(first));
                let error = Diagnostic::new(Code::Spaces, array.span, message);
                return Err(error.help("the arrays of a stencil have the same axes"));
            }
            arrays.push(array);
            elements.push(element);
        }
        let Some(axes) = axes else {
            let error = Diagnostic::new(Code::NeedsCollection, of.span, "a stencil of no arrays");
            return Err(error.help("the form is `a.stencil(|c| …)` or `stencil((a, b), |c, d| …)`"));
        };
        let (policy, pad) = match policy {
            Some(policy) => self.policy(policy)?,
            None => (Policy::Domain, None),
        };
        if let Some(pad) = &pad {
            for element in &elements {
                let outcome = self.expect(pad, element);
                self.report(outcome);
            }
        }
        let has_policy = policy != Policy::Domain;
        let at = self.unknown_axes(axes);
        let mut types = Vec::new();
        for (array, element) in arrays.iter().zip(elements) {
            let of = match self.names_of(&array.ty) {
                Some(names) => (*names).clone(),
                None => self.unknown_axes(axes),
            };
            if has_policy {
                // It stands at the points of the arrays.
                let message = |at, of| format!("an array of `{of}` beside one of `{at}`");
                let help = "with a policy, the arrays of a stencil have the same points";
                self.same_axes(&at, &of, array.span, message, help)?;
            }
            let (pad, at, of) = (pad.as_ref().map(|pad| pad.ty.clone()), Some(at.clone()), Some(of));
            let cursor = CursorTy { element, axes, has_policy, pad, nodes: 1, at, of, is_far: false };
            types.push(Ty::Cursor(Rc::new(cursor)));
        }
        let (params, body) = self.function_of(function, &types)?;
        self.no_cursor(&body)?;
        self.require(Check::Value(body.ty.clone(), body.span));
        let names = Some(at).filter(|at| self.unifier.is_named(at)).map(Rc::new);
        let names = if has_policy { names } else { self.names_resized(names) };
        let ty = Ty::named(body.ty.clone(), axes, names);
        let (pad, body) = (pad.map(Box::new), Box::new(body));
        Ok(Expr { kind: ExprKind::Stencil { arrays, policy, pad, params, body }, ty, span })
    }

    /// A struct of so many axes of which nothing is known.
    fn unknown_axes(&mut self, axes: usize) -> Ty {
        Ty::structure((0..axes).map(|_| self.unifier.fresh()).collect::<Vec<_>>())
    }

    /// What is read outside of arrays: `clamp`, `wrap`, `pad(value)`.
    fn policy(&mut self, policy: &ast::Expr) -> Typed<(Policy, Option<Expr>)> {
        match &forms::strip(policy).kind {
            ast::ExprKind::Name(name) if name.name == "clamp" => return Ok((Policy::Clamp, None)),
            ast::ExprKind::Name(name) if name.name == "wrap" => return Ok((Policy::Wrap, None)),
            ast::ExprKind::Call { name, args, .. } if name.name == "pad" && args.len() == 1 => {
                return Ok((Policy::Pad, Some(self.expr(&args[0]))));
            }
            _ => {}
        }
        let error = Diagnostic::new(Code::Offset, policy.span, "this is no policy for what is read outside");
        Err(error.help(
            "it is `clamp` (the nearest element), `wrap` (from the other end) or `pad(0.0)` (a value); without one the result has \
             the points from which all is inside",
        ))
    }

    /// `c[-1, 0]`
    pub(super) fn dereferenced(&mut self, of: Expr, index: &ast::Expr, span: Span) -> Typed<Expr> {
        let offsets = forms::several(index);
        self.cursor_op(CursorOp::Deref, of, offsets, span)
    }

    /// The type of what has to be a cursor.
    pub(super) fn a_cursor(&self, of: &Expr, help: &str) -> Typed<Rc<CursorTy>> {
        self.cursor_of(&of.ty).ok_or_else(|| self.no_cursor_here(of, help))
    }

    fn no_cursor_here(&self, of: &Expr, help: &str) -> Diagnostic {
        let found = self.unifier.show(&of.ty);
        let message = format!("expected a cursor, found `{found}`");
        Diagnostic::new(Code::NeedsCollection, of.span, message).help(help)
    }

    /// Refuses to read where a cursor stands at other axes than those of what it reads.
    fn stands_where_it_reads(&mut self, cursor: &CursorTy, span: Span) -> Typed<()> {
        let (Some(at), Some(of)) = (&cursor.at, &cursor.of) else { return Ok(()) };
        let message = |at, of| format!("the cursor stands at `{at}`, and what it reads is at `{of}`");
        self.same_axes(at, of, span, message, "go there by a table first: `c.to(table, 0)[0]`")
    }

    fn cursor_op(&mut self, op: CursorOp, of: Expr, offsets: &[ast::Expr], span: Span) -> Typed<Expr> {
        let Some(cursor) = self.cursor_of(&of.ty) else {
            self.arguments(offsets);
            if self.unifier.is_error(&of.ty) {
                return Ok(self.hole(span));
            }
            return Err(self.no_cursor_here(
                &of,
                "a cursor is what the function of a stencil is given: `a.stencil(|c| c[0])`",
            ));
        };
        let is_short = op == CursorOp::Shift && !offsets.is_empty() && offsets.len() <= cursor.axes;
        if offsets.len() != cursor.axes && !is_short && op != CursorOp::At {
            let message =
                format!("{}, for {}", forms::counted(offsets.len(), "offset"), forms::of_axes(cursor.axes));
            let error = Diagnostic::new(Code::Axes, span, message);
            return Err(
                error.help("there is an offset for each axis: `c[-1, 0]`; the point itself is `c[0, 0]`")
            );
        }
        if op == CursorOp::Exists && !cursor.has_policy {
            let error = Diagnostic::new(Code::Offset, span, "without a policy, all that is read exists");
            return Err(error.help("say what is read outside: `a.stencil(pad(0.0), |c| …)`"));
        }
        let mut args = vec![of];
        for offset in offsets {
            let offset = self.index(offset);
            if !cursor.has_policy && offset.offset().is_none() {
                let message = match offset.constant() {
                    Some(_) => "no array is as long as this is far",
                    None => "an offset that is not constant, in a stencil without a policy",
                };
                let error = Diagnostic::new(Code::Offset, offset.span, message);
                self.errors.push(error.help(
                    "the points of the result follow from its offsets: write numbers, or say what is read outside, \
                     `a.stencil(clamp, |c| …)`",
                ));
            }
            args.push(offset);
        }
        if op == CursorOp::Deref {
            self.stands_where_it_reads(&cursor, span)?;
            self.repeat(&cursor, span);
        }
        let ty = match op {
            CursorOp::Deref => cursor.element.clone(),
            CursorOp::Shift => Ty::Cursor(cursor),
            CursorOp::Exists => Ty::BOOL,
            CursorOp::At => arrays::point(cursor.axes),
            CursorOp::To(_) | CursorOp::Slot(_) | CursorOp::Entry(_) | CursorOp::Seek => {
                unreachable!("these are no offsets")
            }
        };
        Ok(Expr { kind: ExprKind::OfCursor(op, args), ty, span })
    }

    /// `lift(g, c)`, `lift(g, (c, d))`
    fn lift(&mut self, function: &ast::Expr, cursors: &ast::Expr, span: Span) -> Typed<Expr> {
        let several = forms::several(cursors);
        let typed: Vec<Expr> = several.iter().map(|cursor| self.expr(cursor)).collect();
        self.lifted(function, typed, span)
    }

    fn lifted(&mut self, function: &ast::Expr, cursors: Vec<Expr>, span: Span) -> Typed<Expr> {
        let mut first = None;
        for cursor in &cursors {
            let Some(of) = self.cursor_of(&cursor.ty) else {
                if self.unifier.is_error(&cursor.ty) {
                    return Ok(self.hole(span));
                }
                let help = "`lift(g, c)` is the array of what `g` gives for each point, at `c`";
                return Err(self.no_cursor_here(cursor, help));
            };
            if let (Some(first), Some(at)) = (&first, &of.at) {
                let first: &Rc<CursorTy> = first;
                let wanted = first.at.clone().expect("known until inference ends");
                let message = |at, wanted| format!("a cursor at `{at}` beside one at `{wanted}`");
                self.same_axes(
                    at,
                    &wanted,
                    cursor.span,
                    message,
                    "cursors that are lifted stand at one place",
                )?;
            }
            first.get_or_insert(of);
        }
        let Some(of) = first else {
            let error = Diagnostic::new(Code::NeedsCollection, span, "a function lifted to no cursors");
            return Err(error.help("the form is `lift(|x| …, c)` or `lift(|x, y| …, (c, d))`"));
        };
        // The function is called where the result is read, which may be elsewhere.
        let place = self.unknown_axes(of.axes);
        let there = |cursor: &Expr| {
            let of = self.cursor_of(&cursor.ty).expect("each is a cursor");
            Ty::Cursor(Rc::new(CursorTy { at: Some(place.clone()), ..(*of).clone() }))
        };
        let types: Vec<Ty> = cursors.iter().map(there).collect();
        let of = CursorTy { of: Some(place), ..(*of).clone() };
        let before = self.limits.nodes;
        let (params, body) = self.function_of(function, &types)?;
        self.on(&of, params, body, before, cursors, span)
    }

    /// The cursor where these stand, the first of them `of` this type, on what a function gives, whose body is the expressions
    /// from number `before` on.
    fn on(
        &mut self,
        of: &CursorTy,
        params: Vec<Local>,
        body: Expr,
        before: usize,
        cursors: Vec<Expr>,
        span: Span,
    ) -> Typed<Expr> {
        self.no_cursor(&body)?;
        self.require(Check::Value(body.ty.clone(), body.span));
        if let Some(pad) = &of.pad {
            let outcome = self.expect(&body, pad);
            self.report(outcome);
        }
        let nodes = (self.limits.nodes - before).max(1);
        let ty = CursorTy { element: body.ty.clone(), nodes, ..of.clone() };
        let captures = captures_of(&params, &body);
        let function = Rc::new(Lifted { params, body, captures });
        Ok(Expr { kind: ExprKind::Lift(function, cursors), ty: Ty::Cursor(Rc::new(ty)), span })
    }

    /// `c.map(f)`: the cursor of what `f` gives for each element.
    fn map_cursor(&mut self, of: &ast::Expr, function: &ast::Expr, span: Span) -> Typed<Expr> {
        let of = self.expr(of);
        let cursor = self.cursor_of(&of.ty).expect("it is known to be one");
        let ty = Ty::Cursor(Rc::new(CursorTy { at: cursor.of.clone(), ..(*cursor).clone() }));
        let param = self.local("_", ty.clone(), span);
        let whole = Expr { kind: ExprKind::Local(param), ty, span };
        let zero = Expr { kind: ExprKind::Integer(0), ty: Ty::I64, span };
        let args = std::iter::once(whole).chain(std::iter::repeat_n(zero, cursor.axes)).collect();
        let here = Expr { kind: ExprKind::OfCursor(CursorOp::Deref, args), ty: cursor.element.clone(), span };
        let before = self.limits.nodes;
        self.repeat(&cursor, span);
        let ([local], body) = self.function(function, [cursor.element.clone()])?;
        let body = super::bind::wrap(vec![(local, here)], body);
        self.on(&cursor, vec![param], body, before, vec![of], span)
    }

    /// Counts what is computed again where a cursor is read. Where nothing is outside or behind a table, what was computed for the same point is known
    /// while lowering.
    fn repeat(&mut self, cursor: &CursorTy, span: Span) {
        let is_repeated = cursor.has_policy || cursor.is_far;
        if !is_repeated || cursor.nodes <= self.limits.most - self.limits.nodes {
            self.limits.nodes += if is_repeated { cursor.nodes } else { 0 };
            return;
        }
        let message = "functions are lifted to functions that are lifted, and computed too often";
        let error = Diagnostic::new(Code::TooLarge, span, message);
        self.exceed(error.help("store an array in between: `let l = a.stencil(clamp, g);`"));
    }

    /// Refuses a cursor where only values go.
    pub(super) fn no_cursor(&mut self, expr: &Expr) -> Typed<()> {
        // What is too large is refused as such.
        let holds = !self.unifier.is_too_large(&expr.ty) && self.holds_cursor(&expr.ty);
        if holds { Err(as_value(expr.span)) } else { Ok(()) }
    }

    /// Whether a type, which is not too large, is a cursor or a struct that holds one.
    fn holds_cursor(&self, ty: &Ty) -> bool {
        match self.unifier.seen(ty) {
            Ty::Cursor(_) => true,
            Ty::Struct(fields) => fields.iter().any(|field| self.holds_cursor(field)),
            _ => false,
        }
    }
}

/// The error of a cursor where a value is wanted.
pub(super) fn as_value(span: Span) -> Diagnostic {
    Diagnostic::new(Code::CursorAsValue, span, "a cursor is not a value")
        .help("read from it: `c[0, 0]` is the element where it stands")
}

/// The variables from outside that a function of these parameters reads.
fn captures_of(params: &[Local], body: &Expr) -> Vec<Local> {
    fn walk(expr: &Expr, used: &mut BTreeSet<Local>, bound: &mut BTreeSet<Local>) {
        match &expr.kind {
            ExprKind::Local(local) => drop(used.insert(*local)),
            ExprKind::Let(bindings, _) => bound.extend(bindings.iter().map(|(local, _)| *local)),
            ExprKind::Fill { params, .. } | ExprKind::Fold { params, .. } | ExprKind::Sort { params, .. } => {
                bound.extend(params);
            }
            ExprKind::For { params, .. } => bound.extend(params),
            ExprKind::Iterate { param, .. } | ExprKind::Search { param, .. } => drop(bound.insert(*param)),
            ExprKind::Stencil { params, .. } => bound.extend(params),
            ExprKind::Lift(function, _) => bound.extend(&function.params),
            ExprKind::Builder { func: Some(func), .. } => bound.extend(&func.params),
            _ => {}
        }
        expr.for_each_part(&mut |part| walk(part, used, bound));
    }
    let (mut used, mut bound) = (BTreeSet::new(), params.iter().copied().collect());
    walk(body, &mut used, &mut bound);
    used.difference(&bound).copied().collect()
}
