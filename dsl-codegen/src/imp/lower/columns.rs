//! Scans along rows, whose columns run apart: chunks of columns, each row by row.
//!
//! ```text
//! split m chunk 512 range lo..hi parts (#0) {
//!   init { do begin #0, lo, hi }
//!   update { do begin #0, lo, hi; call columns0(#0) }
//! }
//! func columns0(#0) captures lo, hi, n, … {
//!   w = sub hi, lo
//!   …; iterate (p = …, k = 0) {
//!     first = mul k, m
//!     for q number j from lo in 0..w { …; do put #0, first + j, x }
//!     …
//! } }
//! ```

use std::collections::HashSet;

use weldment_core::ir::{BinaryOp, CompareOp, Const, Loc, Op, Value};
use weldment_runtime::lang::types::{Scalar, Type};

use super::context::{Apart, Filled, Lower};
use crate::imp::walk::free_values;
use crate::imp::{Action, Arg, Block, Func, Known, Param, Plan, Role, Stmt, StoreId, Strategy, Task};
use crate::loops::facts::{for_each_binding, for_each_step};
use crate::loops::{Loop, Merge, Nest, Scanned, facts};

impl Lower<'_> {
    pub(super) fn columns(&mut self, out: &mut Block, nest: &Nest, scanned: Scanned, chunk: u64) {
        let rows = self.rows_of(out, scanned);
        let count = self.count(out, scanned.columns);
        let range = [self.imp.position(), self.imp.position()];
        let [lo, hi] = range;
        let parts = self.open_columns(out, nest, [rows, count], scanned.upwards);
        let mut body = Block::default();
        let width = body.position(&mut self.imp, BinaryOp::Sub, hi, lo);
        let mut local = HashSet::new();
        for_each_step(nest.run.body(), &mut |step| {
            for_each_binding(step, &mut |value| _ = local.insert(value))
        });
        let zero = self.imp.at(0);
        self.apart = Some(Apart { scanned, rows, count, lo, width, local, scan: None, first: zero });
        let around = std::mem::replace(&mut self.dispatched, true);
        body.stmts.extend(self.block(nest.run.body()).stmts);
        self.dispatched = around;
        self.apart = None;
        let plan = Plan { chunk, task: Task::Any };
        let mut update = Block::default();
        self.begin_parts(&mut update, &parts, range, None);
        update.stmts.push(self.chunk_of("columns", nest, &parts, body));
        self.split_parts(out, nest, (scanned.columns, plan), (range, None), parts, update);
    }

    /// Scans that each iteration of `inner` makes one of: one row of all that they give, so that positions are those of elements.
    pub(super) fn scans(&mut self, out: &mut Block, nest: &Nest, inner: &Loop, scanned: Scanned, chunk: u64) {
        let [rows, count, scans] =
            [scanned.rows, scanned.columns, inner.extent].map(|extent| self.count(out, extent));
        let each = out.position(&mut self.imp, BinaryOp::Mul, rows, count);
        let all = out.position(&mut self.imp, BinaryOp::Mul, scans, each);
        let [zero, one] = [0, 1].map(|number| self.imp.at(number));
        let range = [self.imp.position(), self.imp.position()];
        let parts = self.open_columns(out, nest, [one, all], scanned.upwards);
        let mut body = Block::default();
        let here = body.position(&mut self.imp, BinaryOp::Sub, range[1], range[0]);
        let scan = Some((inner.index, each));
        let local = HashSet::new();
        self.apart = Some(Apart { scanned, rows, count, lo: zero, width: count, local, scan, first: zero });
        let around = std::mem::replace(&mut self.dispatched, true);
        self.loop_over(&mut body, inner, range[0], here, Some(inner.strips()));
        self.dispatched = around;
        self.apart = None;
        let plan = Plan { chunk, task: Task::Any };
        let mut update = Block::default();
        self.begin_parts(&mut update, &parts, range, Some(each));
        update.stmts.push(self.chunk_of("scans", nest, &parts, body));
        self.split_parts(out, nest, (inner.extent, plan), (range, Some(each)), parts, update);
    }

    /// The stores of a nest as matrices of so many rows and columns, which are filled by parts, from the last row on if `upwards`.
    fn open_columns(
        &mut self,
        out: &mut Block,
        nest: &Nest,
        extents: [Value; 2],
        upwards: bool,
    ) -> Vec<StoreId> {
        let open = |store| {
            let Filled::Store(id) = self.fill(store, true) else { unreachable!("rows are collected") };
            self.imp.stores[id].strategy = Strategy::Columns { upwards };
            self.act(out, id, Action::Open, extents.to_vec());
            id
        };
        nest.stores.iter().map(open).collect()
    }

    /// How many rows there are, as many as steps: one at least, if any are wanted.
    fn rows_of(&mut self, out: &mut Block, Scanned { rows, .. }: Scanned) -> Value {
        let [zero, one] = [0, 1].map(|number| self.imp.constant(Const::I64(number)));
        let none = out.bind(&mut self.imp, Type::BOOL, Op::Compare(CompareOp::Eq, rows, zero));
        let some = out.bind(&mut self.imp, Type::I64, Op::Binary(BinaryOp::Max, rows, one));
        let steps = out.bind(&mut self.imp, Type::I64, Op::Select(none, zero, some));
        self.count(out, steps)
    }

    /// The call of a function that does `body`.
    fn chunk_of(&mut self, what: &str, nest: &Nest, parts: &[StoreId], body: Block) -> Stmt {
        let func = Func {
            role: Role::Loop,
            name: format!("{what}{}", nest.id),
            params: parts.iter().map(|&store| Param::Store(store)).collect(),
            captures: free_values(&self.imp, &body, &[]),
            body,
            dispatch: self.target.dispatch,
            streams: false,
            loc: nest.loc,
        };
        let func = self.imp.funcs.push(func);
        let args = parts.iter().map(|&store| Arg::Store(store, None)).collect();
        Stmt::Call { results: Vec::new(), func, args }
    }

    /// Whether `vector` has elements for the columns at hand only.
    pub(super) fn is_local(&self, vector: Value) -> bool {
        self.apart.as_ref().is_some_and(|apart| apart.local.contains(&vector))
    }

    /// Before a loop over columns that fills a row: where that begins.
    pub(super) fn begin_row(&mut self, out: &mut Block, inner: &Loop) {
        let mut fills = false;
        facts::for_each_merge(&inner.body, &mut |merge| {
            fills |= self
                .store(merge.sink)
                .is_some_and(|store| matches!(self.imp.stores[store].strategy, Strategy::Columns { .. }));
        });
        // Not before the loop over scans, which holds those over columns.
        let holds_scans = |apart: &&Apart| apart.scan.is_some_and(|(number, _)| number == inner.index);
        let Some(apart) = self.apart.as_ref().filter(|apart| fills && !holds_scans(apart)) else { return };
        let (scanned, [rows, count], scan) = (apart.scanned, [apart.rows, apart.count], apart.scan);
        let mut row = self.count(out, scanned.row);
        if scanned.upwards {
            let one = self.imp.at(1);
            let last = out.position(&mut self.imp, BinaryOp::Sub, rows, one);
            row = out.position(&mut self.imp, BinaryOp::Sub, last, row);
        }
        let mut first = out.position(&mut self.imp, BinaryOp::Mul, row, count);
        if let Some((number, each)) = scan {
            let number = self.count(out, number);
            let before = out.position(&mut self.imp, BinaryOp::Mul, number, each);
            first = out.position(&mut self.imp, BinaryOp::Add, before, first);
        }
        if let Some(apart) = &mut self.apart {
            apart.first = first;
        }
    }

    /// A merge into the row at hand.
    pub(super) fn put_in_row(&mut self, out: &mut Block, store: StoreId, merge: &Merge, index: Value) {
        let first = self.apart.as_ref().expect("only columns that run apart fill rows").first;
        let column = self.imp.position();
        out.let_(column, Op::Cast(Scalar::U64, index), Loc::NONE);
        let position = self.imp.position();
        out.let_(position, Op::Binary(BinaryOp::Add, first, column), Loc::NONE);
        let (args, loc) = (vec![position, merge.values[0]], merge.loc);
        out.stmts.push(Stmt::Do {
            results: Vec::new(),
            store,
            action: Action::Put,
            args,
            mask: merge.guard,
            loc,
        });
    }

    /// A state as the vector that it is, which has its shape.
    pub(super) fn shaped_apart(&mut self, out: &mut Block, result: Value, vector: Value, loc: Loc) {
        let width = self.apart.as_ref().expect("a state is of columns that run apart").width;
        let op = Op::Slice(vector, self.imp.at(0), width);
        out.stmts.push(Stmt::Let { result, op, known: Known::InBounds, loc });
    }
}
