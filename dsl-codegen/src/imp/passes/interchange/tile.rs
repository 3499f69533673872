//! Tiles: where a loop over rows reduces columns in each of them, and the columns are the same, some rows go together, so that what
//! is read of a column is read once for all of them.
//!
//! # Before / After
//! ```text
//! for i number r in 0..n { for p number j in 0..m { start a0; for l in 0..k { …; a0[p] += mul a[r, l], b[l, j] }; s = read a0 fold +; do put #0, p, s } }
//! ```
//! ```text
//! for i number r in 0..n by 4 {
//!   do open #1, m; …; do open #4, m                               // the results of each row
//!   for b to e in 0..m by 256 poll {
//!     start a1; …; start a4                                       // of 256 lanes
//!     for l in 0..k by 4 { …; for c in 0..256 { x = load b[l][c]; a1[c] += mul a[r, l], x; …; a4[c] += mul a[r + 3, l + 3], … } }
//!     for p in b..e { s = read a1[p]; do put #1, p, s }; …
//!   }
//!   v1 = do finish #1; …
//!   for p number j in 0..m { s = load v1[p]; do put #0, p, s }; …
//!   release v1; …
//! }
//! ```
//! The results of a row wait in a vector, for those behind it begin before it has ended.
//!
//! The tile of registers is that of Goto and van de Geijn, "Anatomy of High-Performance Matrix Multiplication" (ACM TOMS 34(3), 2008);
//! here its accumulators lie in the first cache, where a loop in lanes fills them, and nothing is packed.
//!
//! # Declines when
//! What a row has for itself can fault, for then a later row would before an earlier one ends; or no column is read in all rows.

use std::collections::BTreeMap;
use std::sync::Arc;

use weldment_core::ir::{CompareOp, Loc, Op, Value};
use weldment_runtime::exec::context::ROWS_STRIP;
use weldment_runtime::lang::types::Type;

use super::columns::{Columns, Panel, may_reduce};
use super::copies::{Copies, Varying, hoistable};
use super::jam::jammed;
use crate::imp::copy::copy_of;
use crate::imp::effects::{of_stmt, shows};
use crate::imp::passes::parts::{again, whole};
use crate::imp::walk::Use;
use crate::imp::{
    Action, Block, Combine, For, Hints, Imp, Memory, Ordering, RegId, Stmt, Store, StoreId, Strategy, Stride,
};

/// So many rows go together,
const ROWS: u32 = 4;

/// and so many points: the accumulators of a tile are a part of the first cache.
const POINTS: u32 = ROWS_STRIP as u32;

/// A row of fewer points is done sooner than it could wait.
const LEAST_POINTS: u64 = 48;

/// Whether `rows` ends with a loop over points that may reduce columns.
pub(super) fn may_be_tiled(rows: &For) -> bool {
    matches!(rows.body.stmts.last(), Some(Stmt::For(points)) if may_reduce(points))
}

/// A loop over rows whose last statement is a loop over points that reduce columns.
pub(super) struct Tiles(Columns);

/// A result of the points of a row.
struct Waiting {
    /// What a point of the panel reduces to.
    reg: RegId,
    /// Where it waits.
    store: StoreId,
    /// What that becomes.
    vector: Value,
}

/// The results of a row, by the registers of a point.
type Row = BTreeMap<RegId, Waiting>;

impl Tiles {
    pub(super) fn of(imp: &Imp, rows: &For) -> Option<Tiles> {
        let is_plain = rows.step == 1 && rows.end.is_none() && rows.exit.is_none() && !rows.tail;
        let keeps = rows
            .hints
            .as_ref()
            .is_none_or(|hints| **hints == Hints { strip: hints.strip, ..Hints::default() });
        if !is_plain || !keeps || imp.known_position(rows.range[0]) != Some(0) {
            return None;
        }
        let (Stmt::For(points), before) = rows.body.stmts.split_last()? else { return None };
        let columns = Columns::of(imp, points).filter(Columns::is_plain)?;
        let Stmt::For(inner) = &points.body.stmts[columns.at] else { return None };
        let mut varying = Varying::of(rows);
        for stmt in before.iter().chain(&points.body.stmts[..columns.at]).chain(&inner.body.stmts) {
            let is_plain = matches!(
                stmt,
                Stmt::Let { .. } | Stmt::Load { .. } | Stmt::Start(_) | Stmt::Accumulate { .. }
            );
            if varying.note(stmt) && of_stmt(imp, stmt).faults || !is_plain || shows(imp, stmt) {
                return None;
            }
        }
        let mut bounds = [points, inner].into_iter().flat_map(|inner| {
            let first = inner.number.map(|number| number.first);
            inner.range.into_iter().chain(first)
        });
        let are_same = bounds.all(|value| !varying.contains(value));
        let is_shared = columns.moving.reads.iter().any(|read| !varying.contains(read.0));
        (are_same && is_shared).then_some(Tiles(columns))
    }

    pub(super) fn rewrite(self, imp: &mut Imp, mut rows: For, out: &mut Block) {
        let Tiles(mut columns) = self;
        let tiled = enough(imp, &rows, out);
        let middle = whole(imp, out, tiled, ROWS);
        let rest = again(imp, &rows, [middle, rows.range[1]]);
        let Some(Stmt::For(mut points)) = rows.body.stmts.pop() else {
            unreachable!("a row ends with its points")
        };
        let before = points.body.stmts[..columns.at].to_vec();
        let mut body = Block::default();
        let mut others = Copies::of(imp, &rows, ROWS, &mut body);
        let own = others.own(imp, &rows.body.stmts);
        body.stmts.append(&mut rows.body.stmts);
        body.stmts.extend(own.into_iter().flatten());

        let range = points.range;
        let panel = columns.panel(imp, &mut points, POINTS);
        let waiting = waiting(imp, &panel, points.loc);
        for one in waiting.iter().flat_map(Row::values) {
            body.stmts.push(act(imp, one.store, Action::Open, vec![range[1]]));
        }
        let (strip, tile) = (panel.strip, tile(imp, panel, &mut others, &waiting));
        body.stmts.push(Stmt::For(For::in_strips(strip, range, POINTS, tile, points.loc)));
        for one in waiting.iter().flat_map(Row::values) {
            body.stmts.push(act(imp, one.store, Action::Finish, Vec::new()));
        }
        let mut names = others.names.into_iter();
        for row in &waiting {
            let ends = results(imp, &points, &before, row);
            let names = if std::ptr::eq(row, &waiting[0]) { None } else { names.next() };
            body.stmts.extend(copy_of(imp, &ends, names.unwrap_or_default()).stmts);
        }
        body.stmts.extend(waiting.iter().flat_map(Row::values).map(|one| Stmt::Release(one.vector)));
        out.stmts.push(Stmt::For(For { range: [rows.range[0], middle], step: ROWS, body, ..rows }));
        out.stmts.push(rest);
    }
}

/// How many rows may go together: none where there are few points, for which a row need not wait.
fn enough(imp: &mut Imp, rows: &For, out: &mut Block) -> Value {
    let (all, none) = (rows.range[1], imp.at(0));
    let Some((Stmt::For(points), before)) = rows.body.stmts.split_last() else { return none };
    let extent = points.range[1];
    let stmts = hoistable(imp, rows, before);
    let binds = |stmts: &[Stmt]| stmts.iter().any(|stmt| stmt.values(Use::Bind).contains(&extent));
    if binds(before) && !binds(&stmts) {
        return all;
    }
    let count = Block { stmts, results: vec![extent] };
    let count = copy_of(imp, &count, BTreeMap::new());
    out.stmts.extend(count.stmts);
    let least = imp.at(LEAST_POINTS);
    let few = out.bind(imp, Type::BOOL, Op::Compare(CompareOp::Lt, count.results[0], least));
    let tiled = imp.position();
    out.let_(tiled, Op::Select(few, none, all), Loc::NONE);
    tiled
}

/// Where the results of each row wait.
fn waiting(imp: &mut Imp, panel: &Panel, loc: Loc) -> Vec<Row> {
    let rows = (0..ROWS).map(|row| {
        let regs = panel.regs.iter().map(|(&own, &wide)| {
            let of = imp.regs[wide].clone();
            let item = Type::Scalar(of.ty);
            let reg = if row == 0 { wide } else { imp.regs.push(of) };
            let vector = imp.value(Type::Vec(Arc::new(item.clone())));
            let store = imp.stores.push(Store {
                key: None,
                item,
                combine: Combine::Append,
                strategy: Strategy::Exact { each: 1 },
                ordering: Ordering::Any,
                memory: Memory::Temporary,
                split: false,
                searched: false,
                result: vector,
                loc,
            });
            (own, Waiting { reg, store, vector })
        });
        regs.collect()
    });
    rows.collect()
}

/// What the points of a panel come to in each row.
fn tile(imp: &mut Imp, panel: Panel, others: &mut Copies, waiting: &[Row]) -> Block {
    let Panel { strip, mut body, regs, mut rows } = panel;
    let own = others.own(imp, &body.stmts);
    body.stmts.extend(own.into_iter().flatten());
    body.stmts.extend(waiting[1..].iter().flat_map(Row::values).map(|one| Stmt::Start(one.reg)));
    let Some(Stmt::For(mut side)) = rows.body.stmts.pop() else { unreachable!("a row ends with its points") };
    let own = others.own(imp, &rows.body.stmts);
    rows.body.stmts.extend(own.into_iter().flatten());
    let own = others.own(imp, &side.body.stmts);
    for (mut stmts, row) in own.into_iter().zip(&waiting[1..]) {
        for stmt in &mut stmts {
            if let Stmt::Accumulate { reg, .. } = stmt
                && let Some((own, _)) = regs.iter().find(|(_, wide)| *wide == reg)
            {
                *reg = row[own].reg;
            }
        }
        side.body.stmts.append(&mut stmts);
    }
    rows.body.stmts.push(Stmt::For(side));
    jammed(imp, rows, &mut body);
    for Waiting { reg, store, .. } in waiting.iter().flat_map(Row::values) {
        let (point, result) = (imp.position(), imp.value(imp.regs[*reg].ty.into()));
        let pick = Stmt::Pick { result, reg: *reg, position: point };
        let put = act(imp, *store, Action::Put, vec![point, result]);
        let each = Block { stmts: vec![pick, put], results: Vec::new() };
        body.stmts.push(Stmt::For(For::over(point, strip, 1, each, imp.stores[*store].loc)));
    }
    body
}

/// What is done with the results of a row: what comes `before` in a point, as far as it is read, and what comes behind.
fn results(imp: &Imp, points: &For, before: &[Stmt], row: &Row) -> Block {
    let mut stmts: Vec<Stmt> = points.body.stmts.clone();
    for stmt in &mut stmts {
        if let Stmt::Read { result, reg, .. } = *stmt
            && let Some(waiting) = row.get(&reg)
        {
            *stmt = Stmt::Load { result, column: waiting.vector, index: points.index, stride: Stride::One };
        }
    }
    for stmt in before.iter().rev() {
        let bound = stmt.values(Use::Bind);
        let mut is_read = false;
        Block { stmts: stmts.clone(), results: Vec::new() }
            .for_each_read(imp, &mut |value| is_read |= bound.contains(&value));
        if is_read {
            stmts.insert(0, stmt.clone());
        }
    }
    let body = Block { stmts, results: Vec::new() };
    Block { stmts: vec![Stmt::For(For { body, hints: None, ..points.clone() })], results: Vec::new() }
}

fn act(imp: &Imp, store: StoreId, action: Action, args: Vec<Value>) -> Stmt {
    let of = &imp.stores[store];
    let results = if action == Action::Finish { vec![of.result] } else { Vec::new() };
    Stmt::Do { results, store, action, args, mask: None, loc: of.loc }
}
