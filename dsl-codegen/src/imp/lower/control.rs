//! Loops where they stand, functions and sorts.

use std::collections::BTreeMap;

use weldment_core::ir::{Loc, Op, Value};
use weldment_runtime::exec::context::{OUTER_STRIP, ROWS_STRIP, STRIP};
use weldment_runtime::lang::types::Scalar;

use super::context::{Filled, Lower};
use crate::imp::copy::copy_of;
use crate::imp::walk::free_values;
use crate::imp::{
    Block, For, Func, FuncId, Hints, Number, Param, RegId, Role, SortBy, Stmt, StoreId, Strategy,
};
use crate::loops::facts::{self, Strips};
use crate::loops::{self, Loop, Order};

impl Lower<'_> {
    /// A loop inside a nest, which fills stores of nests around it.
    pub(super) fn inner(&mut self, out: &mut Block, inner: &Loop) {
        let count = self.count(out, inner.extent);
        let zero = self.imp.at(0);
        self.loop_over(out, inner, zero, count, Some(inner.strips()));
    }

    /// The number of the first iteration of a loop that is not split.
    pub(super) fn first(&mut self, inner: &Loop) -> Value {
        match &self.apart {
            Some(apart) if apart.scanned.columns == inner.extent => apart.lo,
            _ => self.imp.at(0),
        }
    }

    /// The extent of a loop as a position.
    pub(super) fn count(&mut self, out: &mut Block, extent: Value) -> Value {
        if let Some(apart) = self.apart.as_ref().filter(|apart| apart.scanned.columns == extent) {
            return apart.width;
        }
        match self.imp.values[extent].constant.and_then(|known| known.as_integer()) {
            Some(known) => self.imp.at(u64::try_from(known).unwrap_or(0)),
            None => {
                let count = self.imp.position();
                out.let_(count, Op::Cast(Scalar::U64, extent), Loc::NONE);
                count
            }
        }
    }

    /// `count` iterations of `inner` from `first` on, which polls as `strips` says.
    pub(super) fn loop_over(
        &mut self,
        out: &mut Block,
        inner: &Loop,
        first: Value,
        count: Value,
        strips: Option<Strips>,
    ) {
        let index = self.imp.position();
        // The two versions of a loop bind the same values. Where there are blocks, the pass for them makes copies for one.
        let is_second = !self.lowered.insert(inner.index) && !self.target.blocks;
        self.positions.insert(inner.index, index);
        self.begin_row(out, inner);
        for &vector in &inner.columns {
            let start = if self.is_local(vector) { self.imp.at(0) } else { first };
            let column = out.slice(&mut self.imp, vector, start, count);
            self.columns.insert((vector, inner.index), column);
        }
        let body = self.block(&inner.body);
        let reads_number = free_values(&self.imp, &body, &[]).contains(&inner.index);
        let number = reads_number.then_some(Number { value: inner.index, first });
        let hints = self.hints(inner, strips);
        let zero = self.imp.at(0);
        let lowered = Stmt::For(For {
            index,
            number,
            end: None,
            range: [zero, count],
            step: 1,
            poll: false,
            tail: false,
            short: false,
            scoped: false,
            exit: None,
            body,
            hints: Some(Box::new(hints)),
            loc: inner.loc,
        });
        match is_second {
            true => {
                let alone = Block { stmts: vec![lowered], results: Vec::new() };
                out.stmts.extend(copy_of(&mut self.imp, &alone, BTreeMap::new()).stmts);
            }
            false => out.stmts.push(lowered),
        }
    }

    fn hints(&self, inner: &Loop, strips: Option<Strips>) -> Hints {
        let column = |vector: &Value| self.columns[&(*vector, inner.index)];
        let mut compared: Vec<(RegId, u32)> = Vec::new();
        let mut reserve: Vec<StoreId> = Vec::new();
        facts::for_each_merge(&inner.body, &mut |merge| match &self.filled[&merge.sink] {
            Filled::Regs(regs) => {
                if let (true, Some(lanes)) = (self.target.blocks, merge.compared)
                    && compared.iter().all(|known| known.0 != regs.leaves[0].0)
                {
                    compared.push((regs.leaves[0].0, lanes));
                }
            }
            Filled::Store(store) => {
                let appends_once = self.appends_once.get(store) == Some(&inner.index);
                // In blocks there is one merge for each iteration.
                let grows = inner.block.is_some() && self.imp.stores[*store].strategy == Strategy::Grow;
                if (appends_once || grows) && !reserve.contains(store) {
                    reserve.push(*store);
                }
            }
        });
        Hints {
            block: inner.block.filter(|_| self.target.blocks),
            rows: inner.rows.filter(|_| self.target.blocks),
            feeds: inner.feeds.and_then(|sink| self.store(sink)),
            prologue: inner.prologue,
            prefetch: inner.prefetch.iter().map(column).collect(),
            hash_ahead: inner
                .hash_prefetch
                .iter()
                .filter_map(|keys| Some((column(&keys.column), self.store(keys.sink)?)))
                .collect(),
            compared,
            strip: strips.map(|strips| match strips {
                Strips::Long => STRIP as u32,
                Strips::Rows => ROWS_STRIP as u32,
                Strips::Short => OUTER_STRIP as u32,
            }),
            reserve,
            row: None,
        }
    }

    /// A function of the loop IR.
    pub(super) fn function(&mut self, role: Role, params: &[Value], body: &loops::Block, loc: Loc) -> FuncId {
        // What it holds is dispatched with what calls it, but for a comparator, which the runtime calls.
        let around = self.dispatched;
        self.dispatched |= role == Role::Reducer;
        let body = self.block(body);
        self.dispatched = around;
        let captures = free_values(&self.imp, &body, params);
        let name = format!("{}{}", role.name(), self.imp.funcs.len());
        let params = params.iter().map(|&param| Param::Value(param)).collect();
        self.imp.funcs.push(Func { role, name, params, captures, body, dispatch: false, streams: false, loc })
    }

    pub(super) fn order(&mut self, order: &Order) -> SortBy {
        let role = match order {
            Order::Comparator(_) => Role::Comparator,
            Order::Key(_) => Role::Key,
        };
        let func = self.function(role, order.params(), order.body(), Loc::NONE);
        match order {
            Order::Comparator(_) => SortBy::Comparator(func),
            Order::Key(key) => SortBy::Key { func, descending: key.descending, once: key.costly },
        }
    }
}

impl Role {
    /// What functions of it are called, before their number.
    pub(crate) fn name(self) -> &'static str {
        match self {
            Role::Entry => "run",
            Role::Loop => "loop",
            Role::Reducer => "reduce",
            Role::Comparator => "compare",
            Role::Key => "key",
            Role::Row => "row",
        }
    }
}
