//! A range of points as the parts of rows that are in it.

use weldment_core::ir::{BinaryOp, Value};

use super::{Block, Imp};

/// Points that lie row by row, so many in each, in a range; all are positions.
#[derive(Clone, Copy, Debug)]
pub(crate) struct RowsOf {
    pub(crate) range: [Value; 2],
    /// More than 0 where there are points.
    pub(crate) length: Value,
}

/// What a row has of the range.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PartOfRow {
    /// Where it begins in the row.
    pub(crate) column: Value,
    pub(crate) count: Value,
    /// Where it begins in the range.
    pub(crate) at: Value,
}

impl RowsOf {
    /// The numbers of the first row, and of the one behind the last.
    pub(crate) fn numbers(&self, imp: &mut Imp, out: &mut Block) -> [Value; 2] {
        let &RowsOf { range: [lo, hi], length } = self;
        let first = out.position(imp, BinaryOp::Div, lo, length);
        let end = out.position(imp, BinaryOp::Add, hi, length);
        let one = imp.at(1);
        let end = out.position(imp, BinaryOp::Sub, end, one);
        [first, out.position(imp, BinaryOp::Div, end, length)]
    }

    /// The part of the row of this number.
    pub(crate) fn part(&self, imp: &mut Imp, out: &mut Block, row: Value) -> PartOfRow {
        let &RowsOf { range: [lo, hi], length } = self;
        let start = out.position(imp, BinaryOp::Mul, row, length);
        let from = out.position(imp, BinaryOp::Max, start, lo);
        let to = out.position(imp, BinaryOp::Add, start, length);
        let to = out.position(imp, BinaryOp::Min, to, hi);
        let column = out.position(imp, BinaryOp::Sub, from, start);
        let count = out.position(imp, BinaryOp::Sub, to, from);
        let at = out.position(imp, BinaryOp::Sub, from, lo);
        PartOfRow { column, count, at }
    }
}
