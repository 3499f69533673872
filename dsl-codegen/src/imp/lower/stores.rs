//! What a sink fills: registers, or a store with its strategy; and how a merge goes into either.

use weldment_core::ir::{CompareOp, Const, Empty, Op, ReduceOp, UnaryOp, Value};
use weldment_runtime::lang::types::{Scalar, Type};

use super::context::{Filled, Lower, Regs};
use super::leaves;
use crate::imp::strategy::of_table;
use crate::imp::{
    AccOp, Action, Block, Cause, Combine, FuncId, Lane, Memory, Ordering, RegId, Role, Stmt, Store, StoreId,
    Strategy,
};
use crate::loops::{self, Index, Keyed, Length, Merge, Seen, StoreKind};

impl Lower<'_> {
    /// Makes what the sink of `store` fills, whose nest is split or not.
    pub(super) fn fill(&mut self, store: &loops::Store, split: bool) -> Filled {
        let filled = match &store.kind {
            StoreKind::Accumulate { op, leaves, seen, .. } => {
                let reg = |leaf: &loops::Leaf| (self.imp.reg(leaf.ty, leaf.lanes, leaf.neutral), leaf.total);
                let leaves = leaves.iter().map(reg).collect();
                let seen = (*seen == Seen::Flag).then(|| self.imp.flag());
                Filled::Regs(Regs { op: *op, leaves, seen })
            }
            kind => {
                let made = self.make(store, kind, split);
                Filled::Store(self.imp.stores.push(made))
            }
        };
        self.filled.insert(store.sink, filled.clone());
        filled
    }

    fn make(&mut self, store: &loops::Store, kind: &StoreKind, split: bool) -> Store {
        let (key, item) = match kind {
            StoreKind::Table { key, value, .. } => (Some(key.clone()), value.clone()),
            StoreKind::Fold { ty, .. }
            | StoreKind::Collect { ty, .. }
            | StoreKind::Scatter { ty, .. }
            | StoreKind::Accumulate { ty, .. } => (None, ty.clone()),
        };
        let combine = match kind {
            StoreKind::Fold { func, .. } => Combine::Func(self.reducer(func, store)),
            StoreKind::Scatter { op, .. } => Combine::Op(*op),
            StoreKind::Table { what, .. } => match what {
                Keyed::Reduce(op) => Combine::Op(*op),
                Keyed::Fold(func) => Combine::Func(self.reducer(func, store)),
                Keyed::Last => Combine::Last,
                Keyed::Group => Combine::Append,
            },
            StoreKind::Collect { .. } | StoreKind::Accumulate { .. } => Combine::Append,
        };
        let memory = match self.makers.get(&store.sink).and_then(|&rows| self.store(rows)) {
            Some(rows) if self.target.ragged => Memory::Row(rows),
            _ if self.liveness.is_result(store.result) => Memory::Result,
            _ if self.liveness.is_temporary(store.result) => Memory::Temporary,
            _ => Memory::Run,
        };
        Store {
            strategy: self.strategy(store, kind, split),
            ordering: if kind.is_exact() { Ordering::Any } else { Ordering::Segments },
            searched: key.as_ref().is_some_and(|key| self.is_searched(key, &item)),
            key,
            item,
            combine,
            memory,
            split,
            result: store.result,
            loc: store.loc,
        }
    }

    fn strategy(&self, store: &loops::Store, kind: &StoreKind, split: bool) -> Strategy {
        match kind {
            StoreKind::Accumulate { .. } => unreachable!("an accumulator is registers"),
            StoreKind::Fold { .. } => Strategy::Boxed,
            StoreKind::Collect { .. } if self.target.ragged && self.program.rows.contains(&store.result) => {
                Strategy::Ragged
            }
            StoreKind::Collect { length: Length::Exact { each }, .. } => Strategy::Exact { each: *each },
            StoreKind::Collect { length: Length::AtMost, .. } if split => Strategy::Ordered,
            StoreKind::Collect { .. } => Strategy::Grow,
            StoreKind::Table { what: Keyed::Group, index: Index::Hash, .. } => Strategy::Groups,
            StoreKind::Table { index: Index::Direct { bits }, .. } => Strategy::Direct { bits: *bits },
            StoreKind::Table { key, value, what, .. } => of_table(key, value, what, self.target),
            StoreKind::Scatter { .. } if kind.is_exact() => Strategy::InPlace,
            StoreKind::Scatter { .. } => Strategy::Partial,
        }
    }

    fn reducer(&mut self, func: &loops::Function, store: &loops::Store) -> FuncId {
        self.function(Role::Reducer, &func.params, &func.body, store.loc)
    }

    /// A merge.
    pub(super) fn merge(&mut self, out: &mut Block, merge: &Merge) {
        match self.filled[&merge.sink].clone() {
            Filled::Regs(regs) => self.accumulate(out, &regs, merge),
            Filled::Store(store) if matches!(self.imp.stores[store].strategy, Strategy::Columns { .. }) => {
                let loops::Lane::Index(index) = merge.lane else { unreachable!("a row is filled by a loop") };
                self.put_in_row(out, store, merge, index);
            }
            Filled::Store(store) => {
                let strategy = self.imp.stores[store].strategy;
                let (action, args) = match strategy {
                    Strategy::Exact { each: 1 } => {
                        let position = self.positions[&self.own[&store]];
                        (Action::Put, vec![position, merge.values[0]])
                    }
                    Strategy::Exact { .. } | Strategy::Ordered | Strategy::Grow | Strategy::Ragged => {
                        (Action::Append, merge.values.clone())
                    }
                    _ => (Action::Merge, merge.values.clone()),
                };
                let (mask, loc) = (merge.guard, merge.loc);
                out.stmts.push(Stmt::Do { results: Vec::new(), store, action, args, mask, loc });
            }
        }
    }

    fn accumulate(&mut self, out: &mut Block, regs: &Regs, merge: &Merge) {
        let lane = match merge.lane {
            loops::Lane::Zero => Lane::Zero,
            loops::Lane::Index(index) => Lane::Of(self.positions[&index]),
        };
        let values = leaves::apart(&mut self.imp, out, merge.values[0]);
        for (&(reg, _), value) in regs.leaves.iter().zip(values) {
            let lane = if self.imp.regs[reg].lanes == 1 { Lane::Zero } else { lane };
            let op = AccOp::Reduce(regs.op);
            out.stmts.push(Stmt::Accumulate { reg, lane, op, value, mask: merge.guard });
        }
        if let Some(reg) = regs.seen {
            let value = merge.guard.unwrap_or_else(|| self.imp.constant(Const::Bool(true)));
            out.stmts.push(Stmt::Accumulate { reg, lane: Lane::Zero, op: AccOp::Or, value, mask: None });
        }
    }

    /// What the registers of `store` come to, from their totals, one for each leaf, and whether anything was merged.
    pub(super) fn reduced(
        &mut self,
        out: &mut Block,
        store: &loops::Store,
        totals: Vec<Value>,
        seen: Option<Value>,
        extent: Option<Value>,
    ) {
        let StoreKind::Accumulate { op, init, empty, .. } = &store.kind else { return };
        let totals = match (init, empty) {
            (None, Empty::Fault) => {
                let cond = match (seen, extent) {
                    (None, Some(extent)) => {
                        let zero = self.imp.constant(Const::I64(0));
                        let op = Op::Compare(CompareOp::Le, extent, zero);
                        out.bind(&mut self.imp, Type::BOOL, op)
                    }
                    (seen, _) => {
                        let seen = seen.unwrap_or_else(|| self.imp.constant(Const::Bool(true)));
                        out.bind(&mut self.imp, Type::BOOL, Op::Unary(UnaryOp::Not, seen))
                    }
                };
                out.stmts.push(Stmt::Fault { cond, cause: Cause::Empty, loc: store.loc });
                totals
            }
            (init, _) => {
                let inits: Vec<Value> = match init {
                    Some(init) => leaves::apart(&mut self.imp, out, *init),
                    None => totals.iter().map(|&total| self.identity(*op, total)).collect(),
                };
                let both = inits.into_iter().zip(totals);
                both.map(|(init, total)| {
                    let ty = self.imp.values[total].ty.clone();
                    out.bind(&mut self.imp, ty, Op::Binary(op.binary(), init, total))
                })
                .collect()
            }
        };
        self.bind_leaves(out, store.result, totals);
    }

    fn identity(&mut self, op: ReduceOp, of: Value) -> Value {
        let ty = self.imp.values[of].ty.as_scalar().expect("a leaf");
        self.imp.constant(op.identity(ty))
    }

    /// Binds `result` to what has these leaves, which the last statements bind.
    fn bind_leaves(&mut self, out: &mut Block, result: Value, leaves: Vec<Value>) {
        match (&self.imp.values[result].ty, &leaves[..]) {
            (Type::Scalar(_), &[leaf]) => rename_last(out, leaf, result),
            _ => leaves::together(&mut self.imp, out, result, &mut leaves.into_iter()),
        }
    }

    /// `total`, of type `from`, as its total.
    pub(super) fn widened(&mut self, out: &mut Block, value: Value, total: Scalar) -> Value {
        if self.imp.values[value].ty == Type::Scalar(total) {
            return value;
        }
        out.bind(&mut self.imp, total.into(), Op::Cast(total, value))
    }

    /// The lanes of a register, folded.
    pub(super) fn read(&mut self, out: &mut Block, reg: RegId, fold: ReduceOp) -> Value {
        let result = self.imp.value(self.imp.regs[reg].ty.into());
        out.stmts.push(Stmt::Read { result, reg, fold });
        result
    }

    /// Does something with a store.
    pub(super) fn act(&self, out: &mut Block, store: StoreId, action: Action, args: Vec<Value>) {
        let loc = self.imp.stores[store].loc;
        out.stmts.push(Stmt::Do { results: Vec::new(), store, action, args, mask: None, loc });
    }

    /// Whether the program looks a key up in a dictionary that might be of these keys and values.
    fn is_searched(&self, key: &Type, value: &Type) -> bool {
        let mut dicts = self.searched.iter();
        dicts.any(|dict| matches!(dict, Type::Dict(of, to) if of.is_like(key) && to.is_like(value)))
    }
}

/// The last statement that binds `from` binds `to` instead, which nothing between reads.
fn rename_last(out: &mut Block, from: Value, to: Value) {
    for stmt in out.stmts.iter_mut().rev() {
        match stmt {
            Stmt::Let { result, .. } | Stmt::Read { result, .. } if *result == from => {
                *result = to;
                return;
            }
            _ => {}
        }
    }
    unreachable!("a leaf is bound where it is made")
}
