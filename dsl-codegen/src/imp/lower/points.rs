//! Nests that fill arrays: chunks of points, as the parts of rows that are in them.
//!
//! ```text
//! split n chunk 65536 range lo..hi { update {
//!   for r in lo / m..(hi + m - 1) / m {                          // the rows
//!     a = max (r * m), lo; b = min (r * m + m), hi
//!     for p number j from (a - r * m) in 0..(b - a) { …; put #0, (a - lo) + p, x }
//! } } }
//! ```

use weldment_core::ir::{BinaryOp, Loc, Op, Value};
use weldment_runtime::lang::types::{Scalar, Type};

use super::context::{Filled, Lower, Slabs};
use crate::imp::rows::{PartOfRow, RowsOf};
use crate::imp::walk::free_values;
use crate::imp::{Block, For, Hints, Number, Plan, Stmt, Task};
use crate::loops::{Loop, Nest, Step};

impl Lower<'_> {
    pub(super) fn points(&mut self, out: &mut Block, nest: &Nest, outer: &Loop, chunk: u64) {
        let loops = inwards(outer);
        let counts: Vec<Value> = loops.iter().map(|inner| self.count(out, inner.extent)).collect();
        let mut each = self.imp.at(1);
        for &count in &counts[1..] {
            each = out.position(&mut self.imp, BinaryOp::Mul, each, count);
        }
        // Some axis may have no points, and the others more than there can be in all.
        let extents = loops.iter().map(|inner| inner.extent);
        let mut points = None;
        for extent in extents {
            points = Some(match points {
                None => extent,
                Some(points) => out.bind(&mut self.imp, Type::I64, Op::Binary(BinaryOp::Mul, points, extent)),
            });
        }
        let points = points.unwrap_or(outer.extent);
        let count = self.count(out, points);
        let filled: Vec<Filled> = nest.stores.iter().map(|store| self.fill(store, true)).collect();
        let range = [self.imp.position(), self.imp.position()];
        let mut parts = Vec::new();
        for (store, filled) in nest.stores.iter().zip(&filled) {
            let Filled::Store(id) = filled else { unreachable!("points are collected") };
            self.open(out, store, *id, Some(count));
            self.own.insert(*id, loops[loops.len() - 1].index);
            parts.push(*id);
        }
        let mut update = Block::default();
        let around = std::mem::replace(&mut self.dispatched, true);
        self.rows(&mut update, &loops, &counts, range);
        let update = self.windowed(out, nest, update, range, each);
        self.dispatched = around;
        for store in &nest.stores {
            self.slabs.insert(store.result, Slabs { rows: counts[0], each });
        }
        let plan = Plan { chunk, task: Task::Any };
        self.split_parts(out, nest, (points, plan), (range, None), parts, update);
    }

    /// The rows that have points in `range`.
    fn rows(&mut self, update: &mut Block, loops: &[&Loop], counts: &[Value], range: [Value; 2]) {
        let rows = RowsOf { range, length: counts[counts.len() - 1] };
        let numbers = rows.numbers(&mut self.imp, update);
        let row = self.imp.position();
        let mut body = Block::default();
        self.outer_indices(&mut body, loops, counts, row);
        let part = rows.part(&mut self.imp, &mut body, row);
        self.row(&mut body, loops[loops.len() - 1], part);
        update.stmts.push(Stmt::For(For::over(row, numbers, 1, body, loops[0].loc)));
    }

    /// The indices of all loops but the innermost, of the row of this number.
    fn outer_indices(&mut self, body: &mut Block, loops: &[&Loop], counts: &[Value], row: Value) {
        let mut rest = row;
        for axis in (0..loops.len() - 1).rev() {
            let place = match axis {
                0 => rest,
                _ => body.position(&mut self.imp, BinaryOp::Rem, rest, counts[axis]),
            };
            if axis > 0 {
                rest = body.position(&mut self.imp, BinaryOp::Div, rest, counts[axis]);
            }
            body.let_(loops[axis].index, Op::Cast(Scalar::I64, place), Loc::NONE);
        }
    }

    /// The points of `inner` in a part of its row.
    fn row(&mut self, out: &mut Block, inner: &Loop, PartOfRow { column, count, at }: PartOfRow) {
        let (index, place) = (self.imp.position(), self.imp.position());
        self.positions.insert(inner.index, place);
        let mut body = Block::default();
        body.let_(place, Op::Binary(BinaryOp::Add, at, index), Loc::NONE);
        body.stmts.extend(self.block(&inner.body).stmts);
        let reads_number = free_values(&self.imp, &body, &[]).contains(&inner.index);
        let number = reads_number.then_some(Number { value: inner.index, first: column });
        let zero = self.imp.at(0);
        let hints = Some(Box::new(Hints { row: Some(inner.extent), ..Hints::default() }));
        let plain = For::over(index, [zero, count], 1, body, inner.loc);
        out.stmts.push(Stmt::For(For { number, hints, ..plain }));
    }
}

/// The loops from `outer` to the innermost.
fn inwards(outer: &Loop) -> Vec<&Loop> {
    let mut loops = vec![outer];
    while let [Step::For(inner)] = &loops[loops.len() - 1].body.steps[..] {
        loops.push(inner);
    }
    loops
}
