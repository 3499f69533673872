//! Walks over typed expressions: the one list of the parts of each kind.

use std::rc::Rc;

use super::typed::{Expr, ExprKind, Func, Iter, IterKind, Lifted};

macro_rules! walk_parts {
    ($kind:expr, $visit:expr, $iter:ident, $for_each_part:ident, $body_of:expr) => {
        match $kind {
            ExprKind::Const(_)
            | ExprKind::Integer(_)
            | ExprKind::Neutral(_)
            | ExprKind::Float(_)
            | ExprKind::Bytes(..)
            | ExprKind::Zero
            | ExprKind::Local(_) => {}
            ExprKind::Unary(_, x)
            | ExprKind::Cast(x)
            | ExprKind::Field(x, _)
            | ExprKind::Member(x, _)
            | ExprKind::Shown(x)
            | ExprKind::Deserialize(x)
            | ExprKind::Dbg(_, x)
            | ExprKind::Keep(_, x)
            | ExprKind::Result(x) => $visit(x),
            ExprKind::Let(bindings, body) => {
                bindings.$iter().for_each(|(_, value)| $visit(value));
                $visit(body);
            }
            ExprKind::Binary(_, x, y)
            | ExprKind::Compare(_, x, y)
            | ExprKind::And(x, y)
            | ExprKind::Or(x, y)
            | ExprKind::Lookup(x, y)
            | ExprKind::Sort { vector: x, comparator: y, .. }
            | ExprKind::Iterate { init: x, body: y, .. }
            | ExprKind::Merge(x, y) => {
                $visit(x);
                $visit(y);
            }
            ExprKind::If { cond: x, then: y, els: z } => {
                $visit(x);
                $visit(y);
                $visit(z);
            }
            ExprKind::Fill { iters, body, .. } | ExprKind::Search { iters, body, .. } => {
                iters.$iter().for_each(|iter| iter.$for_each_part($visit));
                $visit(body);
            }
            ExprKind::Math(_, xs)
            | ExprKind::OfArray(_, xs)
            | ExprKind::Pieces(_, xs)
            | ExprKind::OfCursor(_, xs)
            | ExprKind::Builtin(_, xs)
            | ExprKind::Struct(xs)
            | ExprKind::Vector(xs)
            | ExprKind::Call { args: xs, .. } => xs.$iter().for_each($visit),
            ExprKind::Stencil { arrays, pad, body, .. } => {
                arrays.$iter().for_each(&mut *$visit);
                pad.$iter().for_each(|x| $visit(x));
                $visit(body);
            }
            ExprKind::Lift(lifted, cursors) => {
                cursors.$iter().for_each(&mut *$visit);
                $visit($body_of(lifted));
            }
            ExprKind::Builder { init, func, .. } => {
                init.$iter().for_each(|x| $visit(x));
                func.$iter().for_each(|func| func.$for_each_part($visit));
            }
            ExprKind::For { iters, builder: first, body, .. }
            | ExprKind::Fold { iters, init: first, body, .. } => {
                iters.$iter().for_each(|iter| iter.$for_each_part($visit));
                $visit(first);
                $visit(body);
            }
        }
    };
}

macro_rules! walk_iter {
    ($kind:expr, $visit:expr) => {
        match $kind {
            IterKind::All(x)
            | IterKind::Array(x)
            | IterKind::Lines(x, _)
            | IterKind::Domain(x)
            | IterKind::Points(x) => $visit(x),
            IterKind::Strided { vector, start, end, stride } => {
                $visit(vector);
                $visit(start);
                $visit(end);
                $visit(stride);
            }
            IterKind::Range { start, end, stride } => {
                $visit(start);
                $visit(end);
                $visit(stride);
            }
            IterKind::Span { start, end } => {
                $visit(start);
                $visit(end);
            }
        }
    };
}

impl Expr {
    /// Calls `visit` on each direct part.
    pub fn for_each_part<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        walk_parts!(&self.kind, &mut *visit, iter, for_each_part, |lifted: &'a Rc<Lifted>| &lifted.body)
    }

    /// As [`Expr::for_each_part`], for changing the parts.
    pub fn for_each_part_mut(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        walk_parts!(&mut self.kind, &mut *visit, iter_mut, for_each_part_mut, body_of)
    }
}

impl Func {
    fn for_each_part<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        visit(&self.body);
    }

    fn for_each_part_mut(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        visit(&mut self.body);
    }
}

impl Iter {
    /// Calls `visit` on each part.
    pub fn for_each_part<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        walk_iter!(&self.kind, visit)
    }

    /// As [`Iter::for_each_part`], for changing the parts.
    pub fn for_each_part_mut(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        walk_iter!(&mut self.kind, visit)
    }
}

fn body_of(lifted: &mut Rc<Lifted>) -> &mut Expr {
    &mut Rc::make_mut(lifted).body
}
