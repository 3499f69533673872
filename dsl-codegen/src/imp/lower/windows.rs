//! Arrays of which a loop reads the rows around its own: each part of that loop computes the rows that it needs.
//!
//! ```text
//! wide = slab > 8192                                        // then the array is made as a whole
//! do open #0, wide ? points : 0
//! split wide ? points : 0 range lo..hi { update { …; put #0, …, x } }
//! v = do finish #0
//! split … range a..b { update {
//!   if wide { …; at v, k; … } else {
//!     rows = max (a / own, behind) - behind .. min ((b - 1) / own + 1 + ahead, rows of v)
//!     lo = rows[0] * slab; hi = rows[1] * slab
//!     do open #1, hi - lo
//!     if lo < hi { …; put #1, …, x }                        // as above
//!     w = do finish #1
//!     …; at w, k - lo; …
//!     release w
//!   }
//! } }
//! ```

use std::collections::BTreeMap;

use weldment_core::analysis::windows::Window;
use weldment_core::ir::{BinaryOp, CompareOp, Loc, Op, Value};
use weldment_runtime::lang::types::{Scalar, Type};

use super::context::{Lower, Slabs};
use crate::imp::copy::copy_of;
use crate::imp::{Action, Block, Memory, Split, Stmt, StoreId};
use crate::loops::{Nest, WINDOW_CHUNK};

/// A part of a loop has so many rows at least, which keeps small what is computed twice.
const LEAST_ROWS: u64 = 16;

impl Lower<'_> {
    /// `update` of the points of `nest` in `range`, where what it reads of a window is computed by itself. `own` says how many points there are
    /// to an outermost index.
    pub(super) fn windowed(
        &mut self,
        out: &mut Block,
        nest: &Nest,
        update: Block,
        range: [Value; 2],
        own: Value,
    ) -> Block {
        let program = self.program;
        let reads = |window: &&Window| nest.stores.iter().any(|store| window.reader.contains(&store.result));
        let mut windows: Vec<(usize, Split, &Window)> = Vec::new();
        for window in program.windows.iter().filter(reads) {
            let (number, split) =
                self.made_by(out, window).expect("a window is made in the block of its reader");
            windows.push((number, split, window));
        }
        windows.sort_by_key(|window| window.0);
        let Some((_, _, first)) = windows.first() else { return update };
        // Their rows are about as long.
        let wide = self.is_wide(out, first);
        let mut windowed = Block::default();
        let mut reading = copy_of(&mut self.imp, &update, BTreeMap::new());
        let mut releases = Vec::new();
        for (_, split, window) in &windows {
            self.only_if(wide, out, split);
            let slabs = self.slabs[&window.made[0]];
            let rows = self.rows_around(&mut windowed, window, slabs, range, own);
            let names = self.fill_window(&mut windowed, split, rows);
            let first = windowed.bind(&mut self.imp, Type::I64, Op::Cast(Scalar::I64, rows[0]));
            self.read_window(&mut reading, &names, first);
            releases.extend(names.into_values().map(Stmt::Release));
        }
        windowed.stmts.append(&mut reading.stmts);
        windowed.stmts.append(&mut releases);
        let either = Stmt::If { results: Vec::new(), cond: wide, then: update, els: windowed, cold: None };
        Block { stmts: vec![either], results: Vec::new() }
    }

    /// The statement of `out` that makes what is read by a window, and its number.
    fn made_by(&self, out: &Block, window: &Window) -> Option<(usize, Split)> {
        let result = |store: &StoreId| self.imp.stores[*store].result;
        out.stmts.iter().enumerate().find_map(|(number, stmt)| match stmt {
            Stmt::Split(split) if split.parts.iter().map(result).eq(window.made.iter().copied()) => {
                Some((number, (**split).clone()))
            }
            _ => None,
        })
    }

    /// Whether a part of the reader has few rows, as it is bound before the first statement that makes what `window` reads.
    fn is_wide(&mut self, out: &mut Block, window: &Window) -> Value {
        let opens = |stmt: &Stmt| match stmt {
            Stmt::Do { store, action: Action::Open, .. } => {
                window.made.contains(&self.imp.stores[*store].result)
            }
            _ => false,
        };
        let before = out.stmts.iter().position(opens).expect("a store is opened before it is filled");
        let each = self.slabs[&window.made[0]].each;
        let most = self.imp.at(WINDOW_CHUNK / LEAST_ROWS);
        let mut guard = Block::default();
        let wide = guard.bind(&mut self.imp, Type::BOOL, Op::Compare(CompareOp::Gt, each, most));
        out.stmts.splice(before..before, guard.stmts);
        wide
    }

    /// Has the statement of `out` that is `split` make what it makes if `wide`, and else nothing.
    fn only_if(&mut self, wide: Value, out: &mut Block, split: &Split) {
        let opens = |stmt: &Stmt| matches!(stmt, Stmt::Do { store, action: Action::Open, .. } if split.parts.contains(store));
        let before = out.stmts.iter().position(opens).expect("a store is opened before it is filled");
        let (imp, mut guard) = (&mut self.imp, Block::default());
        let nothing = imp.constant(0i64.into());
        let points = guard.bind(imp, Type::I64, Op::Select(wide, split.extent, nothing));
        let count = imp.position();
        guard.let_(count, Op::Cast(Scalar::U64, points), Loc::NONE);
        for stmt in &mut out.stmts[before..] {
            match stmt {
                Stmt::Do { store, action: Action::Open, args, .. } if split.parts.contains(store) => {
                    *args = vec![count];
                }
                Stmt::Split(of) if of.parts == split.parts => of.extent = points,
                _ => {}
            }
        }
        out.stmts.splice(before..before, guard.stmts);
    }

    /// Where the elements begin and end that are read for the points in `range`.
    fn rows_around(
        &mut self,
        out: &mut Block,
        window: &Window,
        slabs: Slabs,
        [lo, hi]: [Value; 2],
        own: Value,
    ) -> [Value; 2] {
        let imp = &mut self.imp;
        let [one, behind, ahead] = [1, window.behind, window.ahead + 1].map(|number| imp.at(number));
        let first = out.position(imp, BinaryOp::Div, lo, own);
        let first = out.position(imp, BinaryOp::Max, first, behind);
        let first = out.position(imp, BinaryOp::Sub, first, behind);
        let last = out.position(imp, BinaryOp::Sub, hi, one);
        let last = out.position(imp, BinaryOp::Div, last, own);
        let end = out.position(imp, BinaryOp::Add, last, ahead);
        let end = out.position(imp, BinaryOp::Min, end, slabs.rows);
        let first = out.position(imp, BinaryOp::Min, first, end);
        [first, end].map(|row| out.position(imp, BinaryOp::Mul, row, slabs.each))
    }

    /// Computes the elements in `range` of what `split` makes; says what they are called in place of these.
    fn fill_window(&mut self, out: &mut Block, split: &Split, range: [Value; 2]) -> BTreeMap<Value, Value> {
        let mut stores = BTreeMap::new();
        let mut vectors = BTreeMap::new();
        for &store in &split.parts {
            let of = self.imp.stores[store].clone();
            let vector = self.imp.value(Type::vec(of.item.clone()));
            vectors.insert(of.result, vector);
            let own = crate::imp::Store { memory: Memory::Temporary, split: false, result: vector, ..of };
            stores.insert(store, self.imp.stores.push(own));
        }
        let count = out.position(&mut self.imp, BinaryOp::Sub, range[1], range[0]);
        for &store in stores.values() {
            self.act(out, store, Action::Open, vec![count]);
        }
        let names = split.range.into_iter().zip(range).collect();
        let mut then = copy_of(&mut self.imp, &split.update, names);
        fill_others(&mut then, &stores);
        let cond = out.bind(&mut self.imp, Type::BOOL, Op::Compare(CompareOp::Lt, range[0], range[1]));
        out.stmts.push(Stmt::If { results: Vec::new(), cond, then, els: Block::default(), cold: None });
        for &store in stores.values() {
            self.finish(out, store);
        }
        vectors
    }

    /// Has `block` read elements of windows, which begin with the element that would be at `first`.
    fn read_window(&mut self, block: &mut Block, names: &BTreeMap<Value, Value>, first: Value) {
        let mut stmts = Vec::with_capacity(block.stmts.len());
        for mut stmt in std::mem::take(&mut block.stmts) {
            stmt.for_each_block_mut(|inner| self.read_window(inner, names, first));
            if let Stmt::Let { op: Op::At(vector, index), .. } = &mut stmt
                && let Some(&window) = names.get(vector)
            {
                let mut moved = Block::default();
                let at = moved.bind(&mut self.imp, Type::I64, Op::Binary(BinaryOp::Sub, *index, first));
                (*vector, *index) = (window, at);
                stmts.append(&mut moved.stmts);
            }
            stmts.push(stmt);
        }
        block.stmts = stmts;
    }
}

/// Has `block` fill other stores.
fn fill_others(block: &mut Block, others: &BTreeMap<StoreId, StoreId>) {
    for stmt in &mut block.stmts {
        if let Stmt::Do { store, .. } = stmt
            && let Some(&other) = others.get(store)
        {
            *store = other;
        }
        stmt.for_each_block_mut(|inner| fill_others(inner, others));
    }
}
