//! Walks over typed expressions: the one list of the parts of each kind.

use super::typed::{Expr, ExprKind, Func, Iter, IterKind};

macro_rules! walk_parts {
    ($kind:expr, $visit:expr, $iter:ident, $for_each_part:ident) => {
        match $kind {
            ExprKind::Const(_)
            | ExprKind::Integer(_)
            | ExprKind::Float(_)
            | ExprKind::Bytes(..)
            | ExprKind::Local(_) => {}
            ExprKind::Unary(_, x)
            | ExprKind::Cast(x)
            | ExprKind::Field(x, _)
            | ExprKind::Member(x, _)
            | ExprKind::Deserialize(x)
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
            ExprKind::Math(_, xs)
            | ExprKind::Builtin(_, xs)
            | ExprKind::Struct(xs)
            | ExprKind::Vector(xs)
            | ExprKind::Call { args: xs, .. } => xs.$iter().for_each($visit),
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
            IterKind::All(x) => $visit(x),
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
    ///
    /// ```
    /// # use weldment_core::infer::{infer, typed::*};
    /// # use weldment_core::syntax::parse_text;
    /// let body = infer(&parse_text("|x: i64| x + 1 * x").unwrap()).unwrap().body;
    /// let mut parts = 0;
    /// body.for_each_part(&mut |_| parts += 1);
    /// assert_eq!(parts, 2); // the operands of `+`, not what is inside
    /// ```
    pub fn for_each_part<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        walk_parts!(&self.kind, &mut *visit, iter, for_each_part)
    }

    /// As [`Expr::for_each_part`], for changing the parts.
    ///
    /// ```
    /// # use weldment_core::infer::{infer, typed::*};
    /// # use weldment_core::syntax::parse_text;
    /// let mut body = infer(&parse_text("|x: i64| x + 1").unwrap()).unwrap().body;
    /// body.for_each_part_mut(&mut |part| part.kind = ExprKind::Integer(7));
    /// assert!(matches!(body.kind, ExprKind::Binary(_, x, _) if matches!(x.kind, ExprKind::Integer(7))));
    /// ```
    pub fn for_each_part_mut(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        walk_parts!(&mut self.kind, &mut *visit, iter_mut, for_each_part_mut)
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
    ///
    /// ```
    /// # use weldment_core::infer::{infer, typed::*};
    /// # use weldment_core::syntax::parse_text;
    /// let text = "|v: &[i64]| result(for(iter(v, 0L, 4L, 2L), appender[i64], |b, i, x| merge(b, x)))";
    /// let ExprKind::Result(built) = infer(&parse_text(text).unwrap()).unwrap().body.kind else { panic!() };
    /// let ExprKind::For { iters, .. } = built.kind else { panic!() };
    /// let mut parts = 0;
    /// iters[0].for_each_part(&mut |_| parts += 1);
    /// assert_eq!(parts, 4); // vector, start, end and stride
    /// ```
    pub fn for_each_part<'a>(&'a self, visit: &mut dyn FnMut(&'a Expr)) {
        walk_iter!(&self.kind, visit)
    }

    /// As [`Iter::for_each_part`], for changing the parts.
    ///
    /// ```
    /// # use weldment_core::infer::{infer, typed::*};
    /// # use weldment_core::syntax::parse_text;
    /// let text = "|n: i64| result(for(rangeiter(0L, n, 1L), appender[i64], |b, i, x| merge(b, x)))";
    /// let ExprKind::Result(built) = infer(&parse_text(text).unwrap()).unwrap().body.kind else { panic!() };
    /// let ExprKind::For { mut iters, .. } = built.kind else { panic!() };
    /// iters[0].for_each_part_mut(&mut |part| part.kind = ExprKind::Integer(7));
    /// let IterKind::Range { start, .. } = &iters[0].kind else { panic!() };
    /// assert!(matches!(start.kind, ExprKind::Integer(7)));
    /// ```
    pub fn for_each_part_mut(&mut self, visit: &mut dyn FnMut(&mut Expr)) {
        walk_iter!(&mut self.kind, visit)
    }
}
