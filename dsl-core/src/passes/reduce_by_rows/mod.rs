//! Reductions down the columns of an array go row by row where columns are few and long, so that the rows are split over cores.
//!
//! A loop over columns is split over cores between columns. Where there are a dozen of them, of a million rows each, one core would do all of
//! it: the columns are side by side in every row, and are read together. So each core reduces a part of the rows, into a vector of its own with
//! an element for each column, and these vectors are merged in order: a `scatter`, which is one merge for each element of a row.
//!
//! **Preconditions**: the reduction is one in order, which reads along columns; it stands in a loop that stands in no other.
//!
//! **Before / After**
//! ```text
//! program(v0: vec[f64], v1: i64, v2: i64) {
//!   v3: vec[f64] = shape v0[v1, v2]
//!   v4: vec[f64] = loop v5 < v2 {
//!     sink #0 = collect f64
//!     v6: f64 = loop v7 < v1 {
//!       sink #1 = reduce + in order f64
//!       v8: i64 = linearize [v7, v5] [v1, v2]
//!       v9: f64 = at v3, v8
//!       merge #1, v9
//!     }
//!     merge #0, v6
//!   }
//!   return v4
//! }
//! ```
//! ```text
//! program(v0: vec[f64], v1: i64, v2: i64) {
//!   v3: vec[f64] = shape v0[v1, v2]
//!   v4: i64 = const 256
//!   v5: i64 = const 262144
//!   v6: bool = le v2, v4
//!   v7: bool = gt v1, v5
//!   v8: bool = and v6, v7
//!   v9: vec[f64] = if v8 {
//!     v10: f64 = const 0.0
//!     v11: vec[f64] = loop v12 < v2 {
//!       sink #0 = collect f64
//!       merge #0, v10
//!     }
//!     v13: vec[f64] = loop v14 < v1 {
//!       sink #1 = scatter + f64 init v11
//!       for v15 < v2 {
//!         v16: i64 = linearize [v14, v15] [v1, v2]
//!         v17: f64 = at v3, v16
//!         merge #1, v15, v17
//!       }
//!     }
//!     yield v13
//!   } else {
//!     v18: vec[f64] = loop v19 < v2 {
//!       sink #2 = collect f64
//!       v20: f64 = loop v21 < v1 {
//!         sink #3 = reduce + in order f64
//!         v22: i64 = linearize [v21, v19] [v1, v2]
//!         v23: f64 = at v3, v22
//!         merge #3, v23
//!       }
//!       merge #2, v20
//!     }
//!     yield v18
//!   }
//!   return v9
//! }
//! ```
//! Both are written, and the extents say which of them runs: the elements of more columns leave the first cache from row to row, and fewer rows
//! are one segment, which one core reduces. A vector that nothing else reads, of an element for each row, is not stored row by row: its elements are
//! computed in their rows (`row_maps.rs`).
//!
//! **Declines when** the reduction is by a function, of nothing a fault, or its rows differ from column to column; when it holds loops, calls out,
//! or shows values; or when what a column computes before is more than a few operations, which each row would do again.
//!
//! **Order**: after the fixpoint, once: the loop over columns that is left would be found again.
//!
//! **Source**: the rule Column-to-Row of Brown, Lee, Rompf, Sujeeth, De Sa, Aberger and Olukotun, Have Abstraction and Eat Performance, Too,
//! CGO 2016.

mod row_maps;

use std::collections::HashMap;

use weldment_runtime::lang::scalar::{BinaryOp, CompareOp, Const};
use weldment_runtime::lang::types::Type;

use self::row_maps::RowMap;
use super::{Changed, Pass};
use crate::analysis::cost;
use crate::analysis::effects::Effects;
use crate::extract::NestedReduction;
use crate::ir::rewrite::{Copier, Subst};
use crate::ir::{
    BodyId, Defs, Empty, Loop, Op, Order, Program, ReduceOp, Reducer, Sink, SinkDecl, SinkKind, Stmt, Uses,
    Value,
};

/// See the [module](self).
pub const PASS: Pass = Pass {
    name: "reduce-by-rows",
    summary: "reduce few long columns row by row, so that the rows are split over cores",
    run: |program, cx| {
        let Some(entry) = program.entry else { return Changed::No };
        let (defs, uses) = (Defs::of(program), Uses::of(program));
        let mut found: Vec<Columns> = NestedReduction::all(program, entry)
            .into_iter()
            .filter_map(|nest| Columns::of(program, &defs, &uses, nest))
            .collect();
        // From the last on, so that those before stay where they are.
        found.sort_by_key(|columns| std::cmp::Reverse(columns.nest.index));
        let mut changed = Changed::No;
        for columns in found {
            if !cx.allows() {
                break;
            }
            let loc = columns.nest.loc(program);
            columns.apply(program);
            let with = if columns.row_maps.is_empty() { "" } else { ", with what it alone reads of each" };
            let decision =
                "goes row by row if its columns are few and long, so that rows are split over cores";
            cx.decide(format!("{decision}{with}"), loc);
            changed = Changed::Yes;
        }
        changed
    },
};

/// Columns up to this number are few: a vector of them stays in the first cache.
const MOST_COLUMNS: i64 = 256;

/// Rows are many from this number on: they are more than one segment.
const MOST_ROWS: i64 = 1 << 18;

/// A loop over columns that reduces each of them.
struct Columns {
    nest: NestedReduction,
    /// What stands in front of the reduction in the loop over columns, and is needed for it.
    setup: Vec<Stmt>,
    /// What each of its sinks combines by, and starts with.
    sinks: Vec<(ReduceOp, Const)>,
    /// What is computed of each row before, for the reduction alone.
    row_maps: Vec<RowMap>,
}

impl Columns {
    fn of(program: &Program, defs: &Defs, uses: &Uses, nest: NestedReduction) -> Option<Columns> {
        let Op::Loop(_) = &program.bodies[nest.body].stmts[nest.index].op else { return None };
        let inner = nest.reduction(program);
        let &[rows] = &inner.extents[..] else { return None };
        if defs.body_of(rows) == Some(nest.outer) {
            return None;
        }
        let sinks = inner.sinks.iter().map(|decl| start(program, inner, decl)).collect::<Option<_>>()?;
        let stmts = &program.bodies[inner.body].stmts;
        let effects = Effects::of_body(program, defs, inner.body);
        let own = |sink| inner.sinks.iter().any(|decl| decl.sink == sink);
        let is_plain = !effects.shows && !effects.calls && effects.merges.iter().all(|&sink| own(sink));
        if !is_plain
            || stmts.iter().any(|stmt| matches!(stmt.op, Op::Loop(_) | Op::For { .. } | Op::Iterate { .. }))
        {
            return None;
        }
        let setup: Vec<Stmt> = nest
            .setup(program, defs)
            .into_iter()
            .map(|at| program.bodies[nest.outer].stmts[at].clone())
            .collect();
        let is_cheap = cost::of_stmts(program, &setup) <= cost::MAX_RECOMPUTED
            && Effects::of_stmts(program, defs, &setup).is_pure();
        is_cheap.then(|| {
            let row_maps = RowMap::all(program, defs, uses, &nest);
            Columns { nest, setup, sinks, row_maps }
        })
    }

    fn apply(&self, program: &mut Program) {
        let loc = self.nest.loc(program);
        let mut stmts = Vec::new();
        let mut append = |program: &mut Program, op| program.append(op, loc, &mut stmts);
        let rows = self.nest.reduction(program).extents[0];
        let most_columns = append(program, Op::Const(Const::I64(MOST_COLUMNS)));
        let most_rows = append(program, Op::Const(Const::I64(MOST_ROWS)));
        let few = append(program, Op::Compare(CompareOp::Le, self.nest.extent, most_columns));
        let long = append(program, Op::Compare(CompareOp::Gt, rows, most_rows));
        let cond = append(program, Op::Binary(BinaryOp::And, few, long));
        let (then, els) = (self.by_rows(program), self.by_columns(program));
        let results: Vec<Value> = program.bodies[then]
            .results
            .clone()
            .into_iter()
            .map(|of| program.fresh(program.ty(of).clone()))
            .collect();
        stmts.push(Stmt { results: results.clone(), op: Op::If { cond, then, els }, loc });
        let around = self.nest.index..self.nest.index + 1;
        match self.copied(program) {
            Some(copied) => {
                let Op::Loop(outer) = &program.bodies[self.nest.body].stmts[self.nest.index].op else {
                    return;
                };
                let taken: Vec<Value> = outer.sinks.iter().map(|decl| results[copied[&decl.sink]]).collect();
                let of_outer = program.bodies[self.nest.body].stmts[self.nest.index].results.clone();
                program.bodies[self.nest.body].stmts.splice(around, stmts);
                let mut subst = Subst::new();
                subst.insert_all(&of_outer, &taken);
                program.substitute_everywhere(&subst);
            }
            None => {
                self.read(program, &results);
                program.bodies[self.nest.body].stmts.splice(around.start..around.start, stmts);
            }
        }
    }

    /// Which of the reduced values the loop over columns collects, if it does nothing else.
    fn copied(&self, program: &Program) -> Option<HashMap<Sink, usize>> {
        let stmts = &program.bodies[self.nest.outer].stmts;
        let reduced = &stmts[self.nest.number].results;
        let mut copied = HashMap::new();
        for (at, stmt) in stmts.iter().enumerate() {
            match &stmt.op {
                _ if at == self.nest.number || self.setup.contains(stmt) => {}
                Op::Merge { sink, values } => {
                    let place = reduced.iter().position(|result| values[..] == [*result])?;
                    copied.insert(*sink, place).is_none().then_some(())?;
                }
                _ => return None,
            }
        }
        let Op::Loop(outer) = &program.bodies[self.nest.body].stmts[self.nest.index].op else { return None };
        let collects = |decl: &SinkDecl| matches!(decl.kind, SinkKind::Collect { .. });
        outer.sinks.iter().all(|decl| collects(decl) && copied.contains_key(&decl.sink)).then_some(copied)
    }

    /// A body with the loop over rows, each of whose elements is merged into the vector of its column.
    fn by_rows(&self, program: &mut Program) -> BodyId {
        let loc = self.nest.loc(program);
        let inner = self.nest.reduction(program).clone();
        let mut copier = Copier::new();
        let (mut before, mut sinks) = (Vec::new(), Vec::new());
        for (decl, &(op, start)) in inner.sinks.iter().zip(&self.sinks) {
            let ty = Type::Scalar(start.scalar());
            let start = program.append(Op::Const(start), loc, &mut before);
            let starts = SinkDecl { sink: program.fresh_sink(), kind: SinkKind::collect(ty.clone()), loc };
            let merge = Op::Merge { sink: starts.sink, values: vec![start] };
            let stmts = vec![Stmt { results: Vec::new(), op: merge, loc }];
            let init = self.over_columns(program, stmts, vec![starts], &mut before)[0];
            let sink = program.fresh_sink();
            copier.sinks.insert(decl.sink, sink);
            sinks.push(SinkDecl { sink, kind: SinkKind::Scatter { ty, op, init }, loc: decl.loc });
        }
        let (row, column) = (program.fresh(Type::I64), program.fresh(Type::I64));
        copier.subst.insert(program.bodies[self.nest.outer].params[0], column);
        copier.subst.insert(program.bodies[inner.body].params[0], row);
        let mut stmts = copier.stmts(program, &self.setup);
        let of_element = program.bodies[inner.body].stmts.clone();
        stmts.extend(copier.stmts(program, &of_element));
        let elements = program.add_body(vec![column], stmts, Vec::new());
        let scatters: Vec<_> = sinks.iter().map(|decl| decl.sink).collect();
        for body in program.bodies_within(elements) {
            for stmt in &mut program.bodies[body].stmts {
                if let Op::Merge { sink, values } = &mut stmt.op
                    && scatters.contains(sink)
                {
                    values.insert(0, column);
                }
            }
        }
        let mut of_row = Vec::new();
        for map in &self.row_maps {
            of_row.extend(map.compute(program, row, elements));
        }
        let each = Op::For { extent: self.nest.extent, body: elements };
        of_row.push(Stmt { results: Vec::new(), op: each, loc });
        let body = program.add_body(vec![row], of_row, Vec::new());
        let all = program.stmt(Op::Loop(Loop { extents: inner.extents, body, sinks }), loc);
        let results = all.results.clone();
        before.push(all);
        program.add_body(Vec::new(), before, results)
    }

    /// A body with the loop over columns as it was, which only reduces them.
    fn by_columns(&self, program: &mut Program) -> BodyId {
        let loc = self.nest.loc(program);
        let reduction = self.nest.stmt(program).clone();
        let mut copier = Copier::new();
        let mut body = Vec::new();
        for map in &self.row_maps {
            body.push(map.store(program, &mut copier));
        }
        let mut stmts = copier.stmts(program, &self.setup);
        let reduction = copier.stmt(program, &reduction);
        let mut sinks = Vec::new();
        let reduced = reduction.results.clone();
        stmts.push(reduction);
        for value in reduced {
            let sink = program.fresh_sink();
            sinks.push(SinkDecl { sink, kind: SinkKind::collect(program.ty(value).clone()), loc });
            stmts.push(Stmt { results: Vec::new(), op: Op::Merge { sink, values: vec![value] }, loc });
        }
        let results = self.over_columns(program, stmts, sinks, &mut body);
        program.add_body(Vec::new(), body, results)
    }

    /// Appends a loop over columns. What `stmts` read of the column is renamed.
    fn over_columns(
        &self,
        program: &mut Program,
        stmts: Vec<Stmt>,
        sinks: Vec<SinkDecl>,
        out: &mut Vec<Stmt>,
    ) -> Vec<Value> {
        let column = program.fresh(Type::I64);
        let body = program.add_body(vec![column], stmts, Vec::new());
        let mut subst = Subst::new();
        subst.insert(program.bodies[self.nest.outer].params[0], column);
        program.substitute(body, &subst);
        let looped = Loop { extents: vec![self.nest.extent], body, sinks };
        let all = program.stmt(Op::Loop(looped), self.nest.loc(program));
        let results = all.results.clone();
        out.push(all);
        results
    }

    /// Reads what has been reduced in place of the reduction.
    fn read(&self, program: &mut Program, reduced: &[Value]) {
        let loc = self.nest.loc(program);
        let column = program.bodies[self.nest.outer].params[0];
        let results = self.nest.stmt(program).results.clone();
        let mut found = Vec::new();
        let mut subst = Subst::new();
        for (&vector, &result) in reduced.iter().zip(&results) {
            let len = program.append(Op::Len(vector), loc, &mut found);
            let at = program.append(Op::CheckIndex(column, len), loc, &mut found);
            subst.insert(result, program.append(Op::At(vector, at), loc, &mut found));
        }
        let outer = self.nest.outer;
        program.bodies[outer].stmts.splice(self.nest.number..=self.nest.number, found);
        program.substitute(outer, &subst);
    }
}

/// What a scatter for the sink `decl` of `inner` combines by, and starts with, so that it gives the same of as many values.
fn start(program: &Program, inner: &Loop, decl: &SinkDecl) -> Option<(ReduceOp, Const)> {
    let SinkKind::Reduce {
        ty: Type::Scalar(ty),
        reducer: Reducer::Op(op),
        order: Order::InOrder,
        init: None,
        empty,
    } = &decl.kind
    else {
        return None;
    };
    // Where each row merges, there is something to reduce: rows are many.
    let merges = |stmt: &&Stmt| matches!(&stmt.op, Op::Merge { sink, .. } if *sink == decl.sink);
    let is_sure = program.bodies[inner.body].stmts.iter().any(|stmt| merges(&stmt));
    match empty {
        Empty::Identity => Some((*op, op.identity(*ty))),
        Empty::Fault if is_sure => Some((*op, op.neutral(*ty))),
        Empty::Fault => None,
    }
}
