//! Rows of groups of points, as of the colours of each pixel: what counts groups moves once a group.

use std::collections::HashMap;

use weldment_core::ir::{BinaryOp, Loc, Op, Value};
use weldment_runtime::lang::types::Scalar;

use crate::imp::rows::{PartOfRow, RowsOf};
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
        let groups = RowsOf { range: [first, last], length: size };
        let numbers = groups.numbers(imp, out);
        let mut body = Block::default();
        let group = imp.position();
        body.let_(self.group, Op::Cast(Scalar::I64, group), Loc::NONE);
        let PartOfRow { column, count, at } = groups.part(imp, &mut body, group);

        let place = imp.position();
        let mut each = inner;
        let is_bound_here = |stmt: &Stmt| matches!(stmt, Stmt::Let { result, .. } if [self.group, self.within].contains(result));
        each.body.stmts.retain(|stmt| !is_bound_here(stmt));
        let index = Stmt::Let {
            result: each.index,
            op: Op::Binary(BinaryOp::Add, at, place),
            known: Known::Nothing,
            loc: Loc::NONE,
        };
        each.body.stmts.insert(0, index);
        (each.index, each.hints) = (place, None);
        each.number = Some(Number { value: self.within, first: column });
        each.range = [imp.at(0), count];
        body.stmts.push(Stmt::For(each));
        out.stmts.push(Stmt::For(For::over(group, numbers, 1, body, loc)));
    }
}
