//! Linearity: a builder is used exactly once on each path.
//!
//! Every builder carries a token. A use takes the builder out of its variable; what comes back from `merge` and
//! `for` carries the same token, so that branches and loop functions can be asked whether they return what
//! they were given. Two branches may also return a new builder each, which then is one. A variable can be used only in the body that binds it: a loop's function runs many times.
//!
//! A mistake does not end the check: its builders are set aside, and nothing more is said of them.

mod blame;

mod slot;

mod text;

use std::collections::{HashMap, HashSet};

use proc_macro2::Span;

use super::typed::{Expr, ExprKind, Iter, IterKind, Local, Program};
use crate::diagnostic::{Diagnostic, in_order};
use slot::{Shape, Slot, Token, Use};

/// A variable that holds builders.
#[derive(Clone, Debug)]
struct Holding {
    slot: Slot,
    /// The number of loop functions around the place that binds it.
    depth: usize,
}

/// A function that runs many times.
struct Loop {
    /// `for`, `iterate`, …
    name: &'static str,
    /// The tokens of its own builders.
    own: Vec<Token>,
    span: Span,
}

/// Where a builder comes from.
struct Origin {
    span: Span,
    /// The first variable that it was bound to: alone, if there is one.
    name: Option<String>,
    /// Whether that variable holds it as a part of a struct.
    in_struct: bool,
}

/// The check of one program.
struct Linear<'a> {
    program: &'a Program,
    holdings: HashMap<Local, Holding>,
    /// Every builder.
    origins: Vec<Origin>,
    /// The loop functions around the place at hand.
    loops: Vec<Loop>,
    /// What the next expression is an operand of, as messages show it.
    user: Option<String>,
    errors: Vec<Diagnostic>,
    /// The builders of which something wrong has been told.
    refused: HashSet<Token>,
}

/// Refuses programs that use a builder twice, or not at all.
pub fn check(program: &Program) -> Result<(), Vec<Diagnostic>> {
    let mut linear = Linear {
        program,
        holdings: HashMap::new(),
        origins: Vec::new(),
        loops: Vec::new(),
        user: None,
        errors: Vec::new(),
        refused: HashSet::new(),
    };
    linear.expr(&program.body);
    if linear.errors.is_empty() { Ok(()) } else { Err(in_order(linear.errors)) }
}

impl Linear<'_> {
    fn expr(&mut self, expr: &Expr) -> Shape {
        let user = self.user.take();
        match &expr.kind {
            ExprKind::Local(_) => self.take(expr, user),
            ExprKind::Field(x, index) => match place(expr) {
                Some(_) => self.take(expr, user),
                None => self.part(x, *index),
            },
            ExprKind::Let(bindings, body) => {
                for (local, value) in bindings {
                    let shape = self.used_by(value, |this| text::binding(this.program, *local, value));
                    self.bind(*local, &shape);
                }
                let result = self.expr(body);
                bindings.iter().rev().for_each(|(local, _)| self.all_used(*local));
                result
            }
            ExprKind::If { cond, then, els } => self.branches(cond, then, els),
            ExprKind::And(x, y) | ExprKind::Or(x, y) => {
                self.expr(x);
                self.lazy(y)
            }
            ExprKind::Struct(fields) => {
                let shapes: Vec<_> = fields.iter().map(|field| self.operand(expr, field)).collect();
                let plain = shapes.iter().all(|shape| *shape == Shape::Value);
                if plain && !fields.is_empty() { Shape::Value } else { Shape::Struct(shapes) }
            }
            ExprKind::Builder { init, func, .. } => {
                if let Some(init) = init {
                    self.expr(init);
                }
                if let Some(func) = func {
                    self.nested("reduce", expr.span, Vec::new(), |this| this.expr(&func.body));
                }
                Shape::Builder(self.token(expr.span, None))
            }
            ExprKind::Merge(builder, value) => {
                let shape = self.operand(expr, builder);
                self.expr(value);
                shape
            }
            ExprKind::Result(builder) => {
                let shape = self.operand(expr, builder);
                self.check_result(&shape, expr.span);
                Shape::Value
            }
            ExprKind::For { iters, builder, params, body } => {
                self.iters(iters);
                let shape = self.operand(expr, builder);
                self.repeated("for", expr.span, &shape, params[0], body);
                shape
            }
            ExprKind::Iterate { init, param, body } => {
                let shape = self.operand(expr, init);
                self.repeated("iterate", expr.span, &shape, *param, body);
                shape
            }
            ExprKind::Fold { iters, init, body, .. } => {
                self.iters(iters);
                self.expr(init);
                self.nested("fold", expr.span, Vec::new(), |this| this.expr(body));
                Shape::Value
            }
            ExprKind::Search { iters, body, .. } => {
                self.iters(iters);
                self.nested("for", expr.span, Vec::new(), |this| this.expr(body));
                Shape::Value
            }
            ExprKind::Fill { iters, body, .. } => {
                self.iters(iters);
                self.nested("array", expr.span, Vec::new(), |this| this.expr(body));
                Shape::Value
            }
            ExprKind::Sort { vector, comparator, .. } => {
                self.expr(vector);
                self.nested("sort", expr.span, Vec::new(), |this| this.expr(comparator));
                Shape::Value
            }
            _ => {
                expr.for_each_part(&mut |part| drop(self.expr(part)));
                Shape::Value
            }
        }
    }

    /// `part`, which is an operand of `user`.
    fn operand(&mut self, user: &Expr, part: &Expr) -> Shape {
        self.used_by(part, |this| text::sketch(this.program, user))
    }

    /// `part`, which is used by what `user` shows.
    fn used_by(&mut self, part: &Expr, user: impl FnOnce(&Self) -> String) -> Shape {
        if part.ty.has_builder() {
            self.user = Some(user(self));
        }
        let shape = self.expr(part);
        self.user = None;
        shape
    }

    fn iters(&mut self, iters: &[Iter]) {
        for iter in iters {
            match &iter.kind {
                IterKind::All(x)
                | IterKind::Array(x)
                | IterKind::Lines(x, _)
                | IterKind::Domain(x)
                | IterKind::Points(x) => {
                    self.values(&[x]);
                }
                IterKind::Strided { vector, start, end, stride } => {
                    self.values(&[vector, start, end, stride]);
                }
                IterKind::Range { start, end, stride } => self.values(&[start, end, stride]),
                IterKind::Span { start, end } => self.values(&[start, end]),
            }
        }
    }

    fn values(&mut self, exprs: &[&Expr]) {
        for expr in exprs {
            self.expr(expr);
        }
    }

    fn token(&mut self, span: Span, name: Option<String>) -> Token {
        self.origins.push(Origin { span, name, in_struct: false });
        self.origins.len() - 1
    }

    /// The shape with a new token for each builder; `param` is the variable that gets them.
    fn fresh(&mut self, shape: &Shape, param: Local) -> Shape {
        match shape {
            Shape::Value => Shape::Value,
            Shape::Builder(_) => {
                let info = &self.program.locals[param];
                Shape::Builder(self.token(info.span, Some(info.name.clone())))
            }
            Shape::Struct(fields) => {
                Shape::Struct(fields.iter().map(|field| self.fresh(field, param)).collect())
            }
        }
    }

    fn bind(&mut self, local: Local, shape: &Shape) {
        let info = &self.program.locals[local];
        if !info.ty.has_builder() {
            return;
        }
        for token in shape.tokens() {
            let origin = &mut self.origins[token];
            if (origin.name.is_none() || origin.in_struct) && info.name != "_" {
                let in_struct = matches!(shape, Shape::Struct(_));
                *origin = Origin { span: info.span, name: Some(info.name.clone()), in_struct };
            }
        }
        self.holdings.insert(local, Holding { slot: Slot::new(shape), depth: self.loops.len() });
    }

    /// Runs `part` inside a loop's function.
    fn nested<R>(
        &mut self,
        name: &'static str,
        span: Span,
        own: Vec<Token>,
        part: impl FnOnce(&mut Self) -> R,
    ) -> R {
        self.loops.push(Loop { name, own, span });
        let result = part(self);
        self.loops.pop();
        result
    }

    /// The function of a `for` or an `iterate` over builders of this shape: it takes its own ones and returns them,
    /// beside whether to go on if it is that of an `iterate`.
    fn repeated(&mut self, name: &'static str, span: Span, shape: &Shape, param: Local, body: &Expr) {
        let own = self.fresh(shape, param);
        let wanted = match (name, &own) {
            ("iterate", Shape::Value) => Shape::Value,
            ("iterate", own) => Shape::Struct(vec![own.clone(), Shape::Value]),
            _ => own.clone(),
        };
        let before = self.errors.len();
        self.nested(name, span, own.tokens(), |this| {
            this.bind(param, &own);
            let returned = this.expr(body);
            if this.errors.len() > before {
                // What is returned and what is left is the echo of what is wrong inside.
                this.holdings.remove(&param);
            } else if returned == wanted {
                this.all_used(param);
            } else {
                this.holdings.remove(&param);
                this.not_the_own(name, last(body).span, &own, &returned);
            }
        });
        if self.errors.len() > before {
            self.refused.extend(shape.tokens());
        }
    }

    /// A part of a value that is no variable: the other parts are dropped.
    fn part(&mut self, of: &Expr, index: u32) -> Shape {
        match self.expr(of) {
            Shape::Struct(mut fields) => {
                let part = fields.remove(index as usize);
                let dropped: Vec<Token> = fields.iter().flat_map(Shape::tokens).collect();
                self.dropped(&dropped, of.span, "another builder of this");
                part
            }
            _ => Shape::Value,
        }
    }

    /// An operand that may not run cannot use builders.
    fn lazy(&mut self, expr: &Expr) -> Shape {
        let before = self.holdings.clone();
        let shape = self.expr(expr);
        self.same_uses(&before, |_, _, by| (by.at, "is used only if the left side lets the right side run"));
        shape
    }

    fn branches(&mut self, cond: &Expr, then: &Expr, els: &Expr) -> Shape {
        self.expr(cond);
        let errors = self.errors.len();
        let before = self.holdings.clone();
        let outside = self.origins.len();
        let first = self.expr(then);
        let after = std::mem::replace(&mut self.holdings, before);
        let second = self.expr(els);
        if self.errors.len() > errors {
            return first;
        }
        self.same_uses(&after, |slot, token, _| {
            // The branch to change is the one that does not use it.
            let branch = if slot.is_free(token) { els } else { then };
            (last(branch).span, "is dropped in this branch of the `if` and used in the other")
        });
        // Of two builders that the branches have made, one is made, whichever branch runs.
        let agree = |(a, b): &(Token, Token)| a == b || a.min(b) >= &outside;
        let clash = first.tokens().into_iter().zip(second.tokens()).find(|pair| !agree(pair));
        if let Some((a, b)) = clash.filter(|_| self.errors.len() == errors) {
            self.other_branch(last(els).span, a, b, &[first.tokens(), second.tokens()].concat());
        }
        first
    }

    /// Requires the variables that exist on both sides to be used equally. Of one that is not, `blame` says where and
    /// what is wrong, given what it is now and the use on one side.
    fn same_uses<'s>(
        &mut self,
        other: &HashMap<Local, Holding>,
        blame: impl Fn(&Slot, Token, &Use) -> (Span, &'s str),
    ) {
        let mut locals: Vec<_> = other.keys().copied().collect();
        locals.sort();
        for local in locals {
            let Some(here) = self.holdings.get(&local) else { continue };
            if let Some((token, by)) = here.slot.difference(&other[&local].slot) {
                let (by, (span, what)) = (by.clone(), blame(&here.slot, token, by));
                self.one_sided(local, token, &by, span, what);
            }
        }
    }

    /// Takes the builders out of a variable, or out of a part of it.
    fn take(&mut self, expr: &Expr, user: Option<String>) -> Shape {
        let Some((local, path)) = place(expr) else { return Shape::Value };
        if !expr.ty.has_builder() {
            return Shape::Value;
        }
        let text = user.unwrap_or_else(|| text::sketch(self.program, expr));
        let by = Use { at: expr.span, text };
        let depth = self.loops.len();
        let Some(holding) = self.holdings.get_mut(&local) else { return Shape::Value };
        let mut slot = &mut holding.slot;
        for index in path {
            slot = match slot {
                Slot::Struct(fields) => &mut fields[index as usize],
                _ => break,
            };
        }
        let outer = holding.depth != depth;
        let mut again = Vec::new();
        let shape = slot.take(&by, &mut again);
        if outer {
            self.outer(local, expr.span, &shape);
        } else {
            self.used_again(local, expr.span, again);
        }
        shape
    }

    /// Requires that nothing is left in a variable whose scope ends.
    fn all_used(&mut self, local: Local) {
        let Some(holding) = self.holdings.remove(&local) else { return };
        let mut left = Vec::new();
        holding.slot.free(&mut left);
        let info = &self.program.locals[local];
        let what = match info.name.as_str() {
            "_" => "a builder here".to_string(),
            name => format!("the builder `{name}`"),
        };
        self.dropped(&left, info.span, &what);
    }
}

/// The expression whose value `expr` gives: for a place to blame.
fn last(expr: &Expr) -> &Expr {
    match &expr.kind {
        ExprKind::Let(_, body) => last(body),
        _ => expr,
    }
}

/// The variable and the fields, if `expr` is a variable or a part of one.
fn place(expr: &Expr) -> Option<(Local, Vec<u32>)> {
    match &expr.kind {
        ExprKind::Local(local) => Some((*local, Vec::new())),
        ExprKind::Field(of, index) => {
            let (local, mut path) = place(of)?;
            path.push(*index);
            Some((local, path))
        }
        _ => None,
    }
}
