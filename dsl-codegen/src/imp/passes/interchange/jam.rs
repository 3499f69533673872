//! Unroll-and-jam: several rows of a reduction of columns go to the accumulators together, so that each of these is read and written
//! once for all of them.

use super::copies::Copies;
use crate::imp::passes::parts::{again, whole};
use crate::imp::{Block, For, Imp, Stmt};

/// So many rows at a time.
const ROWS: u32 = 4;

/// `rows`, whose last statement is the loop over the accumulators of a row, by [`ROWS`] rows, and the rest of them one by one.
///
/// An accumulator takes the rows in the order that they had.
pub(super) fn jammed(imp: &mut Imp, mut rows: For, out: &mut Block) {
    let middle = whole(imp, out, rows.range[1], ROWS);
    let rest = again(imp, &rows, [middle, rows.range[1]]);
    let Some(Stmt::For(mut side)) = rows.body.stmts.pop() else {
        unreachable!("a row ends with its accumulators")
    };
    let mut body = Block::default();
    let mut others = Copies::of(imp, &rows, ROWS, &mut body);
    let own = others.own(imp, &rows.body.stmts);
    body.stmts.append(&mut rows.body.stmts);
    body.stmts.extend(own.into_iter().flatten());
    let own = others.own(imp, &side.body.stmts);
    side.body.stmts.extend(own.into_iter().flatten());
    body.stmts.push(Stmt::For(side));
    out.stmts.push(Stmt::For(For { range: [rows.range[0], middle], step: ROWS, body, ..rows }));
    out.stmts.push(rest);
}
