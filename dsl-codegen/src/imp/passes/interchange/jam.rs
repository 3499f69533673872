//! Unroll-and-jam: several rows of a reduction of columns go to the accumulators together, so that each of these is read and written
//! once for all of them.

use std::collections::BTreeMap;

use weldment_core::ir::{BinaryOp, Const, Loc, Op};
use weldment_runtime::lang::types::Type;

use crate::imp::passes::parts::{again, whole};
use crate::imp::walk::copy_of;
use crate::imp::{Block, For, Imp, Stmt};

/// So many rows at a time.
const ROWS: u32 = 4;

/// `rows`, whose last statement is the loop over the accumulators of a row, by [`ROWS`] rows, and the rest of them one by one.
///
/// An accumulator takes the rows in the order that they had.
pub(super) fn jammed(imp: &mut Imp, rows: For, out: &mut Block) {
    let middle = whole(imp, out, rows.range[1], ROWS);
    let rest = again(imp, &rows, [middle, rows.range[1]]);
    let mut body = Block::default();
    let mut together: Option<For> = None;
    for at in 0..ROWS {
        let mut row = match at {
            0 => rows.body.clone(),
            _ => next(imp, &rows, at, &mut body),
        };
        let Some(Stmt::For(side)) = row.stmts.pop() else { unreachable!("a row ends with its accumulators") };
        body.stmts.extend(row.stmts);
        match &mut together {
            None => together = Some(side),
            Some(together) => {
                let numbers = side.number.zip(together.number);
                let mut names = BTreeMap::from([(side.index, together.index)]);
                names.extend(numbers.map(|(own, number)| (own.value, number.value)));
                together.body.stmts.extend(copy_of(imp, &side.body, names).stmts);
            }
        }
    }
    body.stmts.extend(together.map(Stmt::For));
    out.stmts.push(Stmt::For(For { range: [rows.range[0], middle], step: ROWS, body, ..rows }));
    out.stmts.push(rest);
}

/// The row that is `at` rows behind.
fn next(imp: &mut Imp, rows: &For, at: u32, body: &mut Block) -> Block {
    let offset = imp.at(at.into());
    let index = body.position(imp, BinaryOp::Add, rows.index, offset);
    let mut names = BTreeMap::from([(rows.index, index)]);
    if let Some(number) = rows.number {
        let offset = imp.constant(Const::I64(at.into()));
        let value = imp.value(Type::I64);
        body.let_(value, Op::Binary(BinaryOp::Add, number.value, offset), Loc::NONE);
        names.insert(number.value, value);
    }
    copy_of(imp, &rows.body, names)
}
