//! `partition`: a part of a row of points is cut into edges and an interior, in which all conditions about the number of the iteration
//! are decided, so that it runs in blocks.
//!
//! # Preconditions
//! The loop computes, branches and puts one element to each of its vectors.
//!
//! # Before / After
//! ```text
//! for p number j from c in 0..n {
//!   q = add a, p
//!   l = max (sub j, 1), 0; k = check_index j, m; x = at v, (add r, l); y = at v, (add r, k)
//!   do put #0, q, add x, y
//! }
//! ```
//! ```text
//! lo = …; hi = …                                          // 1 <= j and j < m, in the row
//! call edge1(#0 at a)                                     // before lo: as it was
//! if lt lo, hi { call interior2(#0 at (add a, lo), v[… x …], v[… x …]) }
//! call edge3(#0 at (add a, hi))                           // from hi on
//! func interior2(#0, d, e) { for p in 0..k hints (block 16) { x = load d[p]; y = load e[p]; do put #0, p, add x, y } }
//! ```
//! `max`, `min`, `check_index`, `position` and comparisons of the number plus something with something else are decided, where both are
//! the same in the whole row: the interior is where they come to what they come to most of the time. What is asked of the row alone, as
//! whether a check of its other indices holds or the steps of an axis are 1, is asked once; if it does not hold, the interior is
//! empty. So no fault comes where there was none, and none at another time. A choice between two indices (`j < n ? j : j - n`) is that of
//! the longer side. Indices that move with the number become slices.
//!
//! Where a condition is about the row and the number, as that of a border is, the rows for which its part about the row does not
//! hold run in one piece, if nothing else is asked about their numbers.
//!
//! # Declines when
//! The target has no blocks.
//!
//! # Order
//! Behind `outline`, since parts of rows are in functions of chunks; before `fill` and `blocks`.

mod decide;
mod linear;
mod resolve;
mod row;

use std::collections::{BTreeMap, HashMap, HashSet};

use weldment_core::ir::{BinaryOp, CompareOp, Const, Loc, Op, SpanPart, Value};
use weldment_runtime::lang::types::{Scalar, Type};

use super::pass::{Pass, each_for};
use crate::imp::walk::{copy_of, free_values};
use crate::imp::{Arg, Block, For, Func, Hints, Imp, Number, Param, Role, Stmt, Target};
use linear::{Offset, literal};
use resolve::{Column, Interior, Rows, width};
use row::Row;

pub(super) const PASS: Pass = Pass { name: "partition", is_for: |_| true, run };

fn run(imp: &mut Imp, target: &Target) {
    let is_row = |inner: &For| inner.hints.as_ref().is_some_and(|hints| hints.row.is_some());
    let (steps, ops) = (steps(imp), ops(imp));
    each_for(imp, is_row, |imp, mut inner, out| {
        let extent = inner.hints.take().and_then(|hints| hints.row);
        let uppers = extent.map_or_else(Vec::new, |extent| uppers(imp, &ops, extent));
        let row = target.blocks.then(|| Row::of(imp, &inner, uppers)).flatten();
        let interior = row.as_ref().and_then(|row| resolve::interior(imp, &inner, row, &steps, Rows::Inside));
        let (Some(row), Some(interior)) = (row, interior) else { return out.stmts.push(Stmt::For(inner)) };
        let outside = match interior.asks_row {
            true => resolve::interior(imp, &inner, &row, &steps, Rows::Outside),
            false => None,
        };
        match outside.filter(|outside| outside.before.bounds.is_whole_row()) {
            Some(outside) => row.unswitch(imp, &inner, [outside, interior], out),
            None => row.cut(imp, &inner, interior, out),
        }
    });
}

/// What is bound to the extents of loops, and what they are made of.
fn ops(imp: &Imp) -> HashMap<Value, Op> {
    let mut ops = HashMap::new();
    imp.funcs[imp.entry].body.for_each_stmt(&mut |stmt| {
        if let Stmt::Let {
            result, op: op @ (Op::Binary(..) | Op::ZipLen(..) | Op::CheckExtents(_)), ..
        } = stmt
        {
            ops.insert(*result, op.clone());
        }
    });
    ops
}

/// What the number of an iteration is below where it is below `extent`. An extent is small, so that these are what they would be if
/// nothing wrapped.
fn uppers(imp: &Imp, ops: &HashMap<Value, Op>, extent: Value) -> Vec<Offset> {
    let mut uppers = Vec::new();
    let mut open = vec![Offset { base: Some(extent), offset: 0 }];
    while let Some(upper) = open.pop() {
        let mut same = |base: Value, offset: i64| {
            let offset = upper.offset.checked_add(offset).filter(|offset| offset.abs() < 1 << 16);
            open.extend(offset.map(|offset| Offset { base: Some(base), offset }));
        };
        let number = |value| literal(imp, value);
        match upper.base.and_then(|base| ops.get(&base)) {
            Some(Op::ZipLen(_, extents)) => extents.iter().for_each(|&other| same(other, 0)),
            Some(Op::CheckExtents(extents)) => same(extents[0], 0),
            // What an index is below is more than 0.
            Some(&Op::Binary(BinaryOp::Max, x, y)) if number(y) == Some(0) && upper.offset == 0 => same(x, 0),
            Some(&Op::Binary(BinaryOp::Max, x, y)) if number(x) == Some(0) && upper.offset == 0 => same(y, 0),
            Some(&Op::Binary(BinaryOp::Add, x, y)) => {
                number(y).into_iter().for_each(|y| same(x, y));
                number(x).into_iter().for_each(|x| same(y, x));
            }
            Some(&Op::Binary(BinaryOp::Sub, x, y)) => {
                number(y).and_then(i64::checked_neg).into_iter().for_each(|y| same(x, y));
            }
            _ => {}
        }
        uppers.push(upper);
    }
    uppers
}

/// The steps of axes and slices, which are 1 for most of them.
fn steps(imp: &Imp) -> HashSet<Value> {
    let mut steps = HashSet::new();
    for func in imp.funcs.ids() {
        imp.funcs[func].body.for_each_stmt(&mut |stmt| match stmt {
            Stmt::Let { result, op: Op::Span(part, numbers), .. } => {
                steps.extend((*part == SpanPart::Stride).then_some(*result));
                steps.insert(numbers[4]);
            }
            Stmt::Let { op: Op::Position(_, _, step, _), .. } => _ = steps.insert(*step),
            _ => {}
        });
    }
    steps
}

impl Row {
    /// Puts the parts in place of the loop.
    fn cut(&self, imp: &mut Imp, inner: &For, mut interior: Interior, out: &mut Block) {
        let before = &mut interior.before;
        let (has_start, has_end) = (before.bounds.has_start(), before.bounds.has_end());
        let (is_whole, is_stepped) = (!has_start && !has_end, before.bounds.is_stepped);
        let [lo, hi] = before.interior(imp);
        let [from, to] = if is_whole { [imp.at(0), self.count] } else { before.places(imp, [lo, hi]) };
        out.stmts.append(&mut before.block.stmts);
        if has_start {
            let zero = imp.at(0);
            self.edge(imp, inner, out, [zero, from], is_stepped);
        }
        let then = self.run(imp, inner, interior, lo, [from, to]);
        if is_whole {
            out.stmts.extend(then.stmts);
        } else {
            let cond = out.bind(imp, Type::BOOL, Op::Compare(CompareOp::Lt, lo, hi));
            out.stmts.push(Stmt::If { results: Vec::new(), cond, then, els: Block::default(), cold: None });
        }
        if has_end {
            self.edge(imp, inner, out, [to, self.count], false);
        }
    }

    /// Rows that are outside run in one piece, and the others as they do.
    fn unswitch(&self, imp: &mut Imp, inner: &For, [mut outside, inside]: [Interior; 2], out: &mut Block) {
        let assumed = std::mem::take(&mut outside.before.bounds.assumed);
        let Some(cond) = outside.before.all(imp, assumed) else { return self.cut(imp, inner, inside, out) };
        out.stmts.append(&mut outside.before.block.stmts);
        let (lo, ends) = (outside.before.ends[0], [imp.at(0), self.count]);
        let then = self.run(imp, inner, outside, lo, ends);
        let mut els = Block::default();
        self.cut(imp, inner, inside, &mut els);
        out.stmts.push(Stmt::If { results: Vec::new(), cond, then, els, cold: None });
    }

    /// Runs the interior from position `from` on, of which the number is `lo`, before `to`.
    fn run(
        &self,
        imp: &mut Imp,
        inner: &For,
        interior: Interior,
        lo: Value,
        [from, to]: [Value; 2],
    ) -> Block {
        let Interior { inside, body, index, number, columns, .. } = interior;
        let mut then = Block { stmts: inside.stmts, results: Vec::new() };
        let count = then.position(imp, BinaryOp::Sub, to, from);
        let mut slices = Vec::new();
        for column in columns {
            slices.push((column, [start_of(imp, &mut then, lo, column.at), count]));
        }
        let hints = width(imp, &body).map(|width| Box::new(Hints { block: Some(width), ..Hints::default() }));
        let reads_number = free_values(imp, &body, &[]).contains(&number);
        let first = then.position(imp, BinaryOp::Add, self.first, from);
        let number = reads_number.then_some(Number { value: number, first });
        let range = [imp.at(0), count];
        let body = For { index, number, range, body, hints, ..inner.clone() };
        let body = Block { stmts: vec![Stmt::For(body)], results: Vec::new() };
        self.call(imp, &mut then, ("interior", body, inner.loc), from, &slices);
        then
    }

    /// The iterations in `from..to` as they were; side by side, if they can, where there may be as many as in an interior.
    fn edge(&self, imp: &mut Imp, inner: &For, out: &mut Block, [from, to]: [Value; 2], may_be_long: bool) {
        let count = out.position(imp, BinaryOp::Sub, to, from);
        let first = out.position(imp, BinaryOp::Add, self.first, from);
        let mut edge = inner.clone();
        edge.range = [imp.at(0), count];
        if let Some(number) = &mut edge.number {
            number.first = first;
        }
        let is_place = |stmt: &Stmt| matches!(stmt, Stmt::Let { result, .. } if *result == self.place);
        edge.body.stmts.retain(|stmt| !is_place(stmt));
        edge.body.for_each_stmt_mut(&mut |stmt| {
            stmt.for_each_value_mut(|_, value| {
                if *value == self.place {
                    *value = inner.index;
                }
            });
        });
        if may_be_long && let Some(width) = width(imp, &edge.body) {
            edge.hints = Some(Box::new(Hints { block: Some(width), ..Hints::default() }));
        }
        let body = Block { stmts: vec![Stmt::For(edge)], results: Vec::new() };
        let body = copy_of(imp, &body, BTreeMap::new());
        self.call(imp, out, ("edge", body, inner.loc), from, &[]);
    }

    /// Calls a function of its own for `body`, whose first iteration is the one at `from`.
    fn call(
        &self,
        imp: &mut Imp,
        out: &mut Block,
        (name, body, loc): (&str, Block, Loc),
        from: Value,
        slices: &[(Column, [Value; 2])],
    ) {
        let start = out.position(imp, BinaryOp::Add, self.start, from);
        let mut params: Vec<Param> = self.stores.iter().map(|&store| Param::Store(store)).collect();
        let mut args: Vec<Arg> = self.stores.iter().map(|&store| Arg::Store(store, Some(start))).collect();
        for &(Column { column, of, .. }, range) in slices {
            params.push(Param::Slice { column, of });
            args.push(Arg::Slice(of, range));
        }
        let columns: Vec<Value> = slices.iter().map(|(column, _)| column.column).collect();
        let captures = free_values(imp, &body, &columns);
        let name = format!("{name}{}", imp.funcs.len());
        let func = Func { role: Role::Loop, name, params, captures, body, dispatch: false, loc };
        let func = imp.funcs.push(func);
        out.stmts.push(Stmt::Call { results: Vec::new(), func, args });
    }
}

/// The position of the element that the iteration of number `lo` reads.
fn start_of(imp: &mut Imp, out: &mut Block, lo: Value, at: Offset) -> Value {
    let offset = imp.constant(Const::I64(at.offset));
    let mut number = lo;
    for term in at.base.into_iter().chain((at.offset != 0).then_some(offset)) {
        number = out.bind(imp, Type::I64, Op::Binary(BinaryOp::Add, number, term));
    }
    let start = imp.position();
    out.let_(start, Op::Cast(Scalar::U64, number), Loc::NONE);
    start
}
