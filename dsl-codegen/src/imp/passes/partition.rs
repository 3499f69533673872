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
//! call edge1(#0 at (add a, hi), …)                        // from hi on
//! func interior2(#0, d, e) { for p in 0..k hints (block 16) { x = load d[p]; y = load e[p]; do put #0, p, add x, y } }
//! ```
//! `max`, `min`, `check_index`, `position` and comparisons of the number plus something with something else are decided, where both are
//! the same in the whole row: the interior is where they come to what they come to most of the time. What is asked of the row alone, as
//! whether a check of its other indices holds or the steps of an axis are 1, is asked once; if it does not hold, the interior is
//! empty. So no fault comes where there was none, and none at another time. A choice between two indices (`j < n ? j : j - n`) is that of
//! the longer side. Indices that move with the number become slices.
//!
//! What is read at twice or four times the number becomes a slice that is loaded in strides ([`Stride`](crate::imp::Stride)), and so does
//! what is read at a half or a quarter of it. There the interior begins where nothing is left over: then what is left over in a lane
//! (`j % 2`) is that of its position, and `j / 2 + j % 2`, in either order, is `(j + 1) / 2`.
//!
//! Where a condition is about the row and the number, as that of a border is, the rows for which its part about the row does not
//! hold have an interior of their own. Where one compares the number with what may be anywhere in the row, as of a triangle, there is an
//! interior on either side of it.
//!
//! # Declines when
//! The target has no blocks.
//!
//! # Order
//! Behind `outline`, since parts of rows are in functions of chunks; before `fill` and `blocks`.

mod columns;
mod decide;
mod fact;
mod groups;
mod linear;
mod resolve;
mod row;
mod steps;

use std::collections::{BTreeMap, HashMap, HashSet};

use weldment_core::ir::{BinaryOp, CompareOp, Op, Value};
use weldment_runtime::lang::types::Type;

use super::pass::{Pass, each_for};
use crate::imp::copy::copy_of;
use crate::imp::walk::free_values;
use crate::imp::{Arg, Block, For, Func, FuncId, Hints, Imp, Number, Param, Role, Stmt, Target};
use fact::{Offset, Test, Unit};
use groups::Groups;
use linear::literal;
use resolve::{Column, Interior, Rows, width};
use row::Row;
use steps::Steps;

pub(super) const PASS: Pass = Pass { name: "partition", is_for: |_| true, run };

fn run(imp: &mut Imp, target: &Target) {
    let is_row = |inner: &For| inner.hints.as_ref().is_some_and(|hints| hints.row.is_some());
    let (steps, ops) = (Steps::of(imp), ops(imp));
    let mut has_groups = false;
    each_for(imp, is_row, |imp, mut inner, out| {
        let extent = inner.hints.take().and_then(|hints| hints.row);
        let groups = extent.and_then(|extent| Groups::of(&inner, extent, &ops));
        let mut uppers = extent.map_or_else(Vec::new, |extent| self::uppers(imp, &ops, extent));
        if let Some(Groups { count, .. }) = groups {
            has_groups = true;
            let of_groups = self::uppers(imp, &ops, count);
            uppers.extend(of_groups.into_iter().map(|upper| Offset { unit: Unit::Groups, ..upper }));
        }
        let ends = ends(imp, &ops, &uppers);
        let row = target.blocks.then(|| Row::of(imp, &inner, uppers, ends, groups)).flatten();
        let of_rows = |imp: &mut Imp, row: &Row, rows, earlier: &[Stmt]| {
            resolve::interior(imp, &inner, row, &steps, rows, earlier)
        };
        let interior = row.as_ref().and_then(|row| of_rows(imp, row, Rows::Inside, &[]));
        let (Some(row), Some(interior)) = (row, interior) else {
            return match groups {
                Some(groups) => groups.apart(imp, inner, out),
                None => out.stmts.push(Stmt::For(inner)),
            };
        };
        let outside = if interior.asks_row { of_rows(imp, &row, Rows::Outside, &[]) } else { None };
        let mut pieces = vec![interior];
        if let &[cut] = &pieces[0].cuts[..]
            && let Some(other) = cut.inverse()
            && let Some(mut piece) = of_rows(imp, &row, Rows::Where(other), &pieces[0].before.block.stmts)
        {
            if matches!(other, Test::Below(_)) {
                let earlier = std::mem::take(&mut pieces[0].before.block.stmts);
                piece.before.block.stmts.splice(0..0, earlier);
                pieces.insert(0, piece);
            } else {
                pieces.push(piece);
            }
        }
        let mut cuts = Cuts { target, row: &row, inner: &inner, edge: None };
        match outside {
            Some(outside) => cuts.unswitch(imp, outside, pieces, out),
            None => cuts.cut(imp, pieces, out),
        }
    });
    if has_groups {
        capture(imp);
    }
}

/// Where groups are counted, how many there are is used in functions that had no part in it.
fn capture(imp: &mut Imp) {
    let mut goes_on = true;
    while std::mem::take(&mut goes_on) {
        for id in imp.funcs.ids().collect::<Vec<_>>() {
            let func = &imp.funcs[id];
            if func.role != Role::Loop {
                continue;
            }
            let params = func.params.iter().filter_map(|param| match param {
                Param::Value(value) | Param::Slice { column: value, .. } => Some(*value),
                Param::Reg(_) | Param::Store(_) => None,
            });
            let mut free = free_values(imp, &func.body, &params.collect::<Vec<_>>());
            free.retain(|value| !func.captures.contains(value));
            goes_on |= !free.is_empty();
            imp.funcs[id].captures.extend(free);
        }
    }
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
    let mut open = vec![Offset::of(Some(extent), 0)];
    while let Some(upper) = open.pop() {
        let mut same = |base: Value, offset: i64| {
            let offset = upper.offset.checked_add(offset).filter(|offset| offset.abs() < 1 << 16);
            open.extend(offset.map(|offset| Offset::of(Some(base), offset)));
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

/// What is near to one of `uppers`, or to a multiple of it, so that no row has many iterations behind it.
fn ends(imp: &Imp, ops: &HashMap<Value, Op>, uppers: &[Offset]) -> HashSet<Value> {
    let mut ends: HashSet<Value> = uppers.iter().filter_map(|upper| upper.base).collect();
    let parts = uppers.iter().filter_map(|upper| match ops.get(&upper.base?) {
        Some(&Op::Binary(BinaryOp::Div, whole, by)) if literal(imp, by).is_some() => Some(whole),
        _ => None,
    });
    let wholes: Vec<Value> = parts.collect();
    let longer = wholes.iter().filter_map(|whole| match *ops.get(whole)? {
        Op::Binary(BinaryOp::Add | BinaryOp::Sub, x, y) if literal(imp, y).is_some() => Some(x),
        _ => None,
    });
    ends.extend(longer);
    ends.extend(wholes);
    let near = ops.iter().filter_map(|(&value, op)| match *op {
        Op::Binary(BinaryOp::Sub | BinaryOp::Add, x, y) if ends.contains(&x) && literal(imp, y).is_some() => {
            Some(value)
        }
        _ => None,
    });
    let near: Vec<Value> = near.collect();
    ends.extend(near);
    ends
}

/// A row that is cut.
struct Cuts<'r> {
    target: &'r Target,
    row: &'r Row,
    inner: &'r For,
    /// The function that runs a part of it as it was, which takes the number of the first iteration, and how many there are.
    edge: Option<FuncId>,
}

impl Cuts<'_> {
    /// Puts pieces of the row, one behind the other, in place of the loop, and what is between them, before, and behind.
    fn cut(&mut self, imp: &mut Imp, pieces: Vec<Interior>, out: &mut Block) {
        let is_stepped = pieces.iter().any(|piece| piece.before.bounds.is_stepped);
        let count = self.row.count;
        let (mut at, mut last, mut has_end) = (imp.at(0), None, false);
        for mut piece in pieces {
            let before = &mut piece.before;
            let has_start = before.bounds.has_start() || before.aligned.is_some() || last.is_some();
            has_end = before.bounds.has_end();
            let is_whole = !has_start && !has_end;
            let [lo, hi] = before.interior(imp, last);
            let [from, to] = if is_whole { [at, count] } else { before.places(imp, [lo, hi]) };
            out.stmts.append(&mut before.block.stmts);
            if has_start {
                self.edge(imp, out, [at, from], is_stepped);
            }
            let then = self.run(imp, piece, lo, [from, to]);
            if is_whole {
                out.stmts.extend(then.stmts);
            } else {
                let cond = out.bind(imp, Type::BOOL, Op::Compare(CompareOp::Lt, lo, hi));
                out.stmts.push(Stmt::If {
                    results: Vec::new(),
                    cond,
                    then,
                    els: Block::default(),
                    cold: None,
                });
            }
            (at, last) = (to, Some(hi));
        }
        if has_end {
            self.edge(imp, out, [at, count], is_stepped);
        }
    }

    /// Rows that are outside are cut by what is asked there, and the others as they are.
    fn unswitch(&mut self, imp: &mut Imp, mut outside: Interior, pieces: Vec<Interior>, out: &mut Block) {
        let assumed = std::mem::take(&mut outside.before.bounds.assumed);
        let Some(cond) = outside.before.all(imp, assumed) else { return self.cut(imp, pieces, out) };
        out.stmts.append(&mut outside.before.block.stmts);
        let (mut then, mut els) = (Block::default(), Block::default());
        self.cut(imp, vec![outside], &mut then);
        self.cut(imp, pieces, &mut els);
        out.stmts.push(Stmt::If { results: Vec::new(), cond, then, els, cold: None });
    }

    /// Runs a piece from position `from` on, of which the number is `lo`, before `to`.
    fn run(&self, imp: &mut Imp, piece: Interior, lo: Value, [from, to]: [Value; 2]) -> Block {
        let Interior { before, inside, body, index, number, columns, .. } = piece;
        let inner = self.inner;
        let mut then = Block { stmts: inside.stmts, results: Vec::new() };
        let count = then.position(imp, BinaryOp::Sub, to, from);
        let mut slices = Vec::new();
        for column in columns {
            let stride = column.at.unit.stride().expect("a column has a stride");
            let start = columns::start(imp, &mut then, before.aligned, lo, column.at);
            slices.push((column, [start, columns::span(imp, &mut then, stride, count)]));
        }
        let hints = width(imp, &body, self.target)
            .map(|width| Box::new(Hints { block: Some(width), ..Hints::default() }));
        let reads_number = free_values(imp, &body, &[]).contains(&number);
        let first = then.position(imp, BinaryOp::Add, self.row.first, from);
        let number = reads_number.then_some(Number { value: number, first });
        let range = [imp.at(0), count];
        let body = For { index, number, range, body, hints, ..inner.clone() };
        let body = Block { stmts: vec![Stmt::For(body)], results: Vec::new() };
        let slice_params = slices.iter().map(|&(Column { column, of, .. }, _)| Param::Slice { column, of });
        let func = self.function(imp, "interior", body, slice_params.collect());
        let slices = slices.into_iter().map(|(column, range)| Arg::Slice(column.of, range));
        self.call(imp, &mut then, func, from, slices.collect());
        then
    }

    /// The iterations in `from..to` as they were; side by side, if they can, where there may be as many as in an interior.
    fn edge(&mut self, imp: &mut Imp, out: &mut Block, [from, to]: [Value; 2], may_be_long: bool) {
        let count = out.position(imp, BinaryOp::Sub, to, from);
        let first = out.position(imp, BinaryOp::Add, self.row.first, from);
        let func = match self.edge {
            Some(edge) => edge,
            None => {
                let params = [imp.position(), imp.position()];
                let body = self.as_it_was(imp, params, may_be_long);
                let func = self.function(imp, "edge", body, params.map(Param::Value).into());
                *self.edge.insert(func)
            }
        };
        self.call(imp, out, func, from, [first, count].map(Arg::Value).into());
    }

    /// `count` iterations from number `first` on.
    fn as_it_was(&self, imp: &mut Imp, [first, count]: [Value; 2], may_be_long: bool) -> Block {
        let Row { place, groups, .. } = *self.row;
        let mut edge = self.inner.clone();
        edge.range = [imp.at(0), count];
        edge.short = !may_be_long;
        if let Some(number) = &mut edge.number {
            number.first = first;
        }
        let is_place = |stmt: &Stmt| matches!(stmt, Stmt::Let { result, .. } if *result == place);
        edge.body.stmts.retain(|stmt| !is_place(stmt));
        edge.body.for_each_stmt_mut(&mut |stmt| {
            stmt.for_each_value_mut(|_, value| {
                if *value == place {
                    *value = self.inner.index;
                }
            });
        });
        let mut body = Block::default();
        match groups {
            Some(groups) => groups.apart(imp, edge, &mut body),
            None => {
                if may_be_long && let Some(width) = width(imp, &edge.body, self.target) {
                    edge.hints = Some(Box::new(Hints { block: Some(width), ..Hints::default() }));
                }
                body.stmts.push(Stmt::For(edge));
            }
        }
        copy_of(imp, &body, BTreeMap::new())
    }

    /// A function of its own for `body`, with these parameters behind the stores.
    fn function(&self, imp: &mut Imp, name: &str, body: Block, more: Vec<Param>) -> FuncId {
        let own = more.iter().map(|&param| match param {
            Param::Value(value) | Param::Slice { column: value, .. } => value,
            Param::Reg(_) | Param::Store(_) => unreachable!("values and slices"),
        });
        let own: Vec<Value> = own.collect();
        let captures = free_values(imp, &body, &own);
        let stores = self.row.stores.iter().map(|&store| Param::Store(store));
        let params = stores.chain(more).collect();
        let name = format!("{name}{}", imp.funcs.len());
        imp.funcs.push(Func {
            role: Role::Loop,
            name,
            params,
            captures,
            body,
            dispatch: false,
            streams: false,
            loc: self.inner.loc,
        })
    }

    /// Calls `func`, whose first iteration is the one at `from`.
    fn call(&self, imp: &mut Imp, out: &mut Block, func: FuncId, from: Value, more: Vec<Arg>) {
        let start = out.position(imp, BinaryOp::Add, self.row.start, from);
        let stores = self.row.stores.iter().map(|&store| Arg::Store(store, Some(start)));
        let args = stores.chain(more).collect();
        out.stmts.push(Stmt::Call { results: Vec::new(), func, args });
    }
}
