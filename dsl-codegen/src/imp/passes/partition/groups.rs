//! Rows of groups of points, as of the colours of each pixel: what counts groups moves once a group.

use std::collections::HashMap;

use weldment_core::ir::{BinaryOp, Loc, Op, Value};
use weldment_runtime::lang::types::Scalar;

use crate::imp::{Block, For, Imp, Known, Number, Stmt};

/// What is known of the groups of a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Groups {
    /// The row consists of `count` groups of `size` iterations.
    pub(super) size: Value,
    pub(super) count: Value,
    /// The number of the group of an iteration, and that of the iteration in it.
    pub(super) group: Value,
    pub(super) within: Value,
}

impl Groups {
    /// Those of a row of `extent` iterations, a product, which begin by dividing their numbers by the second factor. `ops` bind extents.
    pub(super) fn of(inner: &For, extent: Value, ops: &HashMap<Value, Op>) -> Option<Groups> {
        let number = inner.number?.value;
        let &Op::Binary(BinaryOp::Mul, count, size) = ops.get(&extent)? else { return None };
        let bound = |of: BinaryOp| {
            inner.body.stmts.iter().find_map(|stmt| match stmt {
                Stmt::Let { result, op: Op::Binary(op, x, y), .. } => {
                    (*op == of && *x == number && *y == size).then_some(*result)
                }
                _ => None,
            })
        };
        let (group, within) = (bound(BinaryOp::Div)?, bound(BinaryOp::Rem)?);
        Some(Groups { size, count, group, within })
    }

    /// The iterations of `inner`, group by group: nothing is divided for each of them.
    ///
    /// ```text
    /// for p number v from first in 0..n { j = div v, s; c = rem v, s; … }
    /// ```
    /// ```text
    /// for g in first / s..(first + n + s - 1) / s {
    ///   j = g; a = max g x s, first; b = min g x s + s, first + n
    ///   for q number c from (a - g x s) in 0..(b - a) { p = (a - first) + q; … }
    /// }
    /// ```
    pub(super) fn apart(&self, imp: &mut Imp, inner: For, out: &mut Block) {
        let (Some(number), [_, count], loc) = (inner.number, inner.range, inner.loc) else {
            return out.stmts.push(Stmt::For(inner));
        };
        let first = number.first;
        let size = imp.position();
        out.let_(size, Op::Cast(Scalar::U64, self.size), Loc::NONE);
        let last = out.position(imp, BinaryOp::Add, first, count);
        let from = out.position(imp, BinaryOp::Div, first, size);
        let end = out.position(imp, BinaryOp::Add, last, size);
        let one = imp.at(1);
        let end = out.position(imp, BinaryOp::Sub, end, one);
        let end = out.position(imp, BinaryOp::Div, end, size);

        let mut body = Block::default();
        let at = imp.position();
        body.let_(self.group, Op::Cast(Scalar::I64, at), Loc::NONE);
        let start = body.position(imp, BinaryOp::Mul, at, size);
        let low = body.position(imp, BinaryOp::Max, start, first);
        let high = body.position(imp, BinaryOp::Add, start, size);
        let high = body.position(imp, BinaryOp::Min, high, last);
        let before = body.position(imp, BinaryOp::Sub, low, first);
        let column = body.position(imp, BinaryOp::Sub, low, start);
        let width = body.position(imp, BinaryOp::Sub, high, low);

        let place = imp.position();
        let mut each = inner;
        let is_bound_here = |stmt: &Stmt| matches!(stmt, Stmt::Let { result, .. } if [self.group, self.within].contains(result));
        each.body.stmts.retain(|stmt| !is_bound_here(stmt));
        let index = Stmt::Let {
            result: each.index,
            op: Op::Binary(BinaryOp::Add, before, place),
            known: Known::Nothing,
            loc: Loc::NONE,
        };
        each.body.stmts.insert(0, index);
        (each.index, each.hints) = (place, None);
        each.number = Some(Number { value: self.within, first: column });
        each.range = [imp.at(0), width];
        body.stmts.push(Stmt::For(each));
        out.stmts.push(Stmt::For(For::over(at, [from, end], 1, body, loc)));
    }
}
