//! `merged_rows`: rows whose elements are merged by index, each into the element of a vector, go to registers, into which rows are folded as the
//! reductions of columns are; what they come to is put back.
//!
//! # Before / After
//! ```text
//! for p number i in 0..n { y = load c[p]; for q number j in 0..m { …; x = at v, k; z = mul x, y; do merge #0, j, z } }
//! ```
//! ```text
//! ok = and (lt 0, m), do covers #0, m
//! if ok {
//!   for q number j in 0..m {
//!     start a0; s = do get #0, q; a0 = s
//!     for p number i in 0..n { y = load c[p]; …; x = at v, k; z = mul x, y; a0 += z }
//!     t = read a0 fold +; do set #0, q, t
//!   }                                        // which goes row by row, as `interchange` has columns do
//! } else { … } cold else
//! ```
//! Each element is combined with the same values in the same order, and the fault is that of the same row: what differs between
//! the elements of a row cannot fault.
//!
//! # Declines when
//! Rows differ in length, an element is merged twice, or under a condition, or by a function; or `interchange` would not have the columns.
//!
//! # Order
//! Behind `distribute`, whose last part may be such a loop; before `strips`.

use std::collections::BTreeMap;

use weldment_core::ir::{BinaryOp, CompareOp, Op, Value};
use weldment_runtime::lang::types::Type;

use super::columns::Columns;
use super::copies::hoistable;
use crate::imp::copy::copy_of;
use crate::imp::make::set;
use crate::imp::passes::guard::Guarded;
use crate::imp::passes::pass::{Pass, each_for};
use crate::imp::walk::Use;
use crate::imp::{AccOp, Action, Block, Combine, For, Imp, Lane, Side, Stmt, StoreId, Strategy};

pub(in crate::imp::passes) const PASS: Pass = Pass {
    name: "merged-rows",
    is_for: |target| target.interchange,
    run: |imp, _| each_for(imp, may_merge_rows, versions),
};

/// Whether `rows` ends with a loop that merges.
fn may_merge_rows(rows: &For) -> bool {
    let merges = |stmt: &Stmt| matches!(stmt, Stmt::Do { action: Action::Merge, .. });
    matches!(rows.body.stmts.last(), Some(Stmt::For(points)) if points.body.stmts.iter().any(merges))
}

/// Puts `rows` into `out`, with a version by registers where it can be.
fn versions(imp: &mut Imp, rows: For, out: &mut Block) {
    let Some(Reduced { mut before, points, stores }) = reduced(imp, &rows) else {
        return out.stmts.push(Stmt::For(rows));
    };
    let mut conditions = Vec::new();
    let (columns, points) = match Columns::of(imp, &points) {
        Some(columns) => (columns, points),
        None => {
            let guarded = Guarded::of(imp, &points);
            let proved = guarded.and_then(|guarded| Some((Columns::of(imp, &guarded.proved)?, guarded)));
            let Some((columns, guarded)) = proved else { return out.stmts.push(Stmt::For(rows)) };
            before.stmts.extend(guarded.before.stmts);
            conditions.push(guarded.holds);
            (columns, guarded.proved)
        }
    };
    let (zero, loc) = (imp.at(0), rows.loc);
    // Without elements, a row may fault all the same.
    let is_some = Op::Compare(CompareOp::Lt, zero, points.range[1]);
    conditions.push(before.bind(imp, Type::BOOL, is_some));
    for store in stores {
        let covers = imp.value(Type::BOOL);
        let args = vec![points.range[1]];
        let (results, action) = (vec![covers], Action::Covers);
        before.stmts.push(Stmt::Do { results, store, action, args, mask: None, loc });
        conditions.push(covers);
    }
    let all = conditions
        .into_iter()
        .reduce(|all, one| before.bind(imp, Type::BOOL, Op::Binary(BinaryOp::And, all, one)))
        .expect("something is merged into");
    out.stmts.extend(before.stmts);
    let mut then = Block::default();
    columns.rewrite(imp, points, &mut then);
    let els = Block { stmts: vec![Stmt::For(rows)], results: Vec::new() };
    out.stmts.push(Stmt::If { results: Vec::new(), cond: all, then, els, cold: Some(Side::Else) });
}

/// Rows that are reduced column by column.
struct Reduced {
    /// What does not depend on the row.
    before: Block,
    /// The loop over columns.
    points: For,
    /// What it sets the elements of.
    stores: Vec<StoreId>,
}

/// A copy of `rows` with the loop over the elements of a row outside, if all that these do is to be merged, each into its own
/// element of a vector.
fn reduced(imp: &mut Imp, rows: &For) -> Option<Reduced> {
    let is_plain = |inner: &For| {
        inner.step == 1
            && inner.end.is_none()
            && inner.exit.is_none()
            && !inner.tail
            && inner.block().is_none()
    };
    let Some(Stmt::For(points)) = rows.body.stmts.last() else { return None };
    let number = points.number?;
    let from_first = |inner: &For| imp.known_position(inner.range[0]) == Some(0);
    if ![rows, points].into_iter().all(|inner| is_plain(inner) && from_first(inner))
        || imp.values[number.first].constant.and_then(|first| first.as_integer()) != Some(0)
    {
        return None;
    }
    let mut stores = Vec::new();
    for stmt in &points.body.stmts {
        let Stmt::Do { store, action, args, mask, .. } = stmt else { continue };
        let of = &imp.stores[*store];
        let is_element = *action == Action::Merge
            && matches!(of.strategy, Strategy::InPlace | Strategy::Partial)
            && matches!((&of.item, of.combine), (Type::Scalar(_), Combine::Op(_)))
            && args[0] == number.value
            && mask.is_none()
            && !stores.contains(store);
        is_element.then(|| stores.push(*store))?;
    }
    let whole = Block { stmts: vec![Stmt::For(rows.clone())], results: Vec::new() };
    let Some(Stmt::For(mut rows)) = copy_of(imp, &whole, BTreeMap::new()).stmts.pop() else { return None };
    let Some(Stmt::For(mut points)) = rows.body.stmts.pop() else { return None };
    let before = Block { stmts: hoistable(imp, &rows, &rows.body.stmts), results: Vec::new() };
    rows.body.stmts.retain(|stmt| !before.stmts.contains(stmt));
    // Rows are of one length.
    let of_row: Vec<Value> = rows.body.stmts.iter().flat_map(|stmt| stmt.values(Use::Bind)).collect();
    if points.range.iter().any(|end| of_row.contains(end)) {
        return None;
    }
    let (mut stmts, mut behind) = (Vec::new(), Vec::new());
    for stmt in &mut points.body.stmts {
        let &mut Stmt::Do { store, ref args, loc, .. } = stmt else { continue };
        let (Combine::Op(op), Some(ty)) = (imp.stores[store].combine, imp.stores[store].item.as_scalar())
        else {
            return None;
        };
        let reg = imp.reg(ty, 1, op.neutral(ty));
        let [there, all] = [(); 2].map(|()| imp.value(Type::Scalar(ty)));
        let act = |results, action, args| Stmt::Do { results, store, action, args, mask: None, loc };
        stmts.extend([Stmt::Start(reg), act(vec![there], Action::Get, vec![points.index]), set(reg, there)]);
        behind.push(Stmt::Read { result: all, reg, fold: op });
        behind.push(act(Vec::new(), Action::Set, vec![points.index, all]));
        let (lane, value) = (Lane::Zero, args[1]);
        *stmt = Stmt::Accumulate { reg, lane, op: AccOp::Reduce(op), value, mask: None };
    }
    rows.hints = None;
    points.hints = None;
    rows.body.stmts.append(&mut points.body.stmts);
    let loc = rows.loc;
    stmts.push(Stmt::For(rows));
    stmts.extend(behind);
    points.body.stmts = stmts;
    Some(Reduced { before, points: For { loc, ..points }, stores })
}
