//! Nests that run where they stand: their registers and stores are opened, filled and read in one block.

use weldment_core::ir::{ReduceOp, Value};

use super::context::{Filled, Lower, Regs};
use crate::imp::walk::free_values;
use crate::imp::{Action, Block, Func, Role, Stmt, StoreId, Strategy};
use crate::loops::{Length, Nest, Run, Schedule, Store, StoreKind};

impl Lower<'_> {
    pub(super) fn nest(&mut self, out: &mut Block, nest: &Nest) {
        if let (Run::Over(inner), Schedule::Chunks { chunk, segment }) = (&nest.run, nest.schedule) {
            return self.split(out, nest, inner, chunk, segment);
        }
        if let (Run::Over(inner), Schedule::Points { chunk }) = (&nest.run, nest.schedule) {
            return self.points(out, nest, inner, chunk);
        }
        if let (Run::Over(inner), Schedule::Scans { chunk, scanned }) = (&nest.run, nest.schedule) {
            return self.scans(out, nest, inner, scanned, chunk);
        }
        if let Schedule::Columns { chunk, scanned } = nest.schedule {
            return self.columns(out, nest, scanned, chunk);
        }
        if self.dispatched {
            return self.serial(out, nest);
        }
        // Code outside of split loops is compiled for the CPU at hand here.
        let results: Vec<Value> = nest.stores.iter().map(|store| store.result).collect();
        let mut body = Block { stmts: Vec::new(), results: results.clone() };
        self.dispatched = true;
        self.serial(&mut body, nest);
        self.dispatched = false;
        let captures = free_values(&self.imp, &body, &[]);
        let name = format!("nest{}", nest.id);
        let func = Func {
            role: Role::Loop,
            name,
            params: Vec::new(),
            captures,
            body,
            dispatch: true,
            streams: false,
            loc: nest.loc,
        };
        let func = self.imp.funcs.push(func);
        out.stmts.push(Stmt::Call { results, func, args: Vec::new() });
    }

    fn serial(&mut self, out: &mut Block, nest: &Nest) {
        let range = match &nest.run {
            Run::Once(_) => None,
            Run::Over(inner) => Some((inner, self.count(out, inner.extent))),
        };
        let filled: Vec<Filled> = nest.stores.iter().map(|store| self.fill(store, false)).collect();
        for (store, filled) in nest.stores.iter().zip(&filled) {
            match filled {
                Filled::Regs(regs) => start(out, regs),
                Filled::Store(id) => {
                    self.open(out, store, *id, range.map(|(_, count)| count));
                    if has_parts(self.imp.stores[*id].strategy) {
                        let bounds = range.map(|(_, count)| vec![self.imp.at(0), count]);
                        self.act(out, *id, Action::Begin, bounds.unwrap_or_default());
                    }
                }
            }
        }
        match (&nest.run, range) {
            (Run::Over(inner), Some((_, count))) => {
                self.own_loop(nest, inner, &filled);
                let first = self.first(inner);
                let strips = nest.asks().then(|| inner.strips());
                self.loop_over(out, inner, first, count, strips);
            }
            (run, _) => {
                let block = self.block(run.body());
                out.stmts.extend(block.stmts);
            }
        }
        let extent = range.map(|(inner, _)| inner.extent);
        for (store, filled) in nest.stores.iter().zip(&filled) {
            match filled {
                Filled::Regs(regs) => {
                    let totals = self.totals(out, regs);
                    let seen = regs.seen.map(|seen| self.read(out, seen, ReduceOp::Max));
                    self.reduced(out, store, totals, seen, extent);
                }
                Filled::Store(id) => {
                    if has_parts(self.imp.stores[*id].strategy) {
                        self.act(out, *id, Action::Join, Vec::new());
                    }
                    self.finish(out, *id);
                }
            }
        }
    }

    /// Notes which stores are of the iterations of `inner`, the own loop of `nest`.
    pub(super) fn own_loop(&mut self, nest: &Nest, inner: &crate::loops::Loop, filled: &[Filled]) {
        for (store, filled) in nest.stores.iter().zip(filled) {
            let Filled::Store(id) = filled else { continue };
            self.own.insert(*id, inner.index);
            if matches!(store.kind, StoreKind::Collect { length: Length::AtMost, .. }) {
                self.appends_once.insert(*id, inner.index);
            }
        }
    }

    /// Opens a store, of so many iterations.
    pub(super) fn open(&mut self, out: &mut Block, store: &Store, id: StoreId, count: Option<Value>) {
        let args = match &store.kind {
            StoreKind::Fold { init, .. } => init.iter().copied().collect(),
            StoreKind::Scatter { init, .. } => vec![*init],
            StoreKind::Collect { length: Length::Unknown(hint), .. } => hint.iter().copied().collect(),
            StoreKind::Collect { .. }
                if matches!(self.imp.stores[id].strategy, Strategy::Exact { .. } | Strategy::Ordered) =>
            {
                count.into_iter().collect()
            }
            _ => Vec::new(),
        };
        self.act(out, id, Action::Open, args);
    }

    /// Binds what has come of a store.
    pub(super) fn finish(&mut self, out: &mut Block, store: StoreId) {
        let (results, loc) = (vec![self.imp.stores[store].result], self.imp.stores[store].loc);
        out.stmts.push(Stmt::Do {
            results,
            store,
            action: Action::Finish,
            args: Vec::new(),
            mask: None,
            loc,
        });
    }

    /// The totals of the leaves of an accumulator.
    pub(super) fn totals(&mut self, out: &mut Block, regs: &Regs) -> Vec<Value> {
        let leaves = regs.leaves.clone();
        leaves
            .into_iter()
            .map(|(reg, total)| {
                let folded = self.read(out, reg, regs.op);
                self.widened(out, folded, total)
            })
            .collect()
    }
}

/// Starts the registers of an accumulator.
pub(super) fn start(out: &mut Block, regs: &Regs) {
    let all = regs.leaves.iter().map(|leaf| leaf.0).chain(regs.seen);
    out.stmts.extend(all.map(Stmt::Start));
}

/// Whether a store has parts on one thread, too.
pub(super) fn has_parts(strategy: Strategy) -> bool {
    matches!(strategy, Strategy::Boxed | Strategy::InPlace | Strategy::Partial)
}
