//! Nests that are split over threads.

use weldment_core::ir::{BinaryOp, ReduceOp, Value};

use super::context::{Filled, Lower, Regs};
use super::nest::start;
use crate::imp::make::set;
use crate::imp::{AccOp, Action, Block, Lane, Plan, RegId, Split, Stmt, StoreId, Strategy, Task, Total};
use crate::loops::facts::{Strips, Tasks};
use crate::loops::{Loop, Nest, StoreKind};

/// The registers for the totals of all chunks.
struct All {
    leaves: Vec<RegId>,
    seen: Option<RegId>,
}

impl Lower<'_> {
    pub(super) fn split(
        &mut self,
        out: &mut Block,
        nest: &Nest,
        inner: &Loop,
        chunk: u64,
        segment: Option<u64>,
    ) {
        let count = self.count(out, inner.extent);
        let filled: Vec<Filled> = nest.stores.iter().map(|store| self.fill(store, true)).collect();
        let range = [self.imp.position(), self.imp.position()];
        let [lo, hi] = range;
        let task = match nest.tasks() {
            Tasks::Any => Task::Any,
            Tasks::Short => Task::Short,
            Tasks::Open => Task::Open,
            Tasks::Segments => Task::Segments(segment),
        };
        let (mut init, mut update, mut add, mut merge) =
            (Block::default(), Block::default(), Block::default(), Block::default());
        let (mut totals, mut parts, mut alls) = (Vec::new(), Vec::new(), Vec::new());
        for (store, filled) in nest.stores.iter().zip(&filled) {
            match filled {
                Filled::Regs(regs) => {
                    let all = self.all_of(regs, store);
                    out.stmts.extend(all.leaves.iter().copied().chain(all.seen).map(Stmt::Start));
                    start(&mut update, regs);
                    alls.push(Some(all));
                }
                Filled::Store(id) => {
                    self.open(out, store, *id, Some(count));
                    if self.imp.stores[*id].strategy == Strategy::Boxed {
                        self.act(&mut update, *id, Action::Begin, vec![lo, hi]);
                        totals.push(Total::Store(*id));
                        self.act(&mut add, *id, Action::Join, Vec::new());
                    } else {
                        let bounds = if task == Task::Open { Vec::new() } else { vec![lo, hi] };
                        self.act(&mut init, *id, Action::Begin, bounds);
                        parts.push(*id);
                        self.act(&mut merge, *id, Action::Join, Vec::new());
                    }
                    alls.push(None);
                }
            }
        }
        self.own_loop(nest, inner, &filled);
        let length = update.position(&mut self.imp, BinaryOp::Sub, hi, lo);
        let strips = (inner.strips() == Strips::Short).then_some(Strips::Short);
        let around = std::mem::replace(&mut self.dispatched, true);
        self.expect(&mut update, &parts, length);
        self.loop_over(&mut update, inner, lo, length, strips);
        self.dispatched = around;
        for (filled, all) in filled.iter().zip(&alls) {
            if let (Filled::Regs(regs), Some(all)) = (filled, all) {
                self.leave(&mut update, &mut add, regs, all, &mut totals);
            }
        }
        out.stmts.push(Stmt::Split(Box::new(Split {
            extent: inner.extent,
            plan: Plan { chunk, task },
            range,
            totals,
            parts,
            init,
            update,
            add,
            merge,
            loc: nest.loc,
        })));
        for ((store, filled), all) in nest.stores.iter().zip(&filled).zip(&alls) {
            match (filled, all) {
                (Filled::Regs(regs), Some(all)) => {
                    let totals = all.leaves.iter().map(|&reg| self.read(out, reg, regs.op)).collect();
                    let seen = all.seen.map(|seen| self.read(out, seen, ReduceOp::Max));
                    self.reduced(out, store, totals, seen, Some(inner.extent));
                }
                (Filled::Store(id), _) => self.finish(out, *id),
                (Filled::Regs(_), None) => unreachable!("registers have totals"),
            }
        }
    }

    /// A loop over all threads that fills parts of what is open, and nothing else: one position in each iteration, or so many.
    pub(super) fn split_parts(
        &mut self,
        out: &mut Block,
        nest: &Nest,
        (extent, plan): (Value, Plan),
        (range, each): ([Value; 2], Option<Value>),
        parts: Vec<StoreId>,
        update: Block,
    ) {
        let (mut init, mut merge) = (Block::default(), Block::default());
        self.begin_parts(&mut init, &parts, range, each);
        for &store in &parts {
            self.act(&mut merge, store, Action::Join, Vec::new());
        }
        let (totals, add) = (Vec::new(), Block::default());
        let split = Split {
            extent,
            plan,
            range,
            totals,
            parts: parts.clone(),
            init,
            update,
            add,
            merge,
            loc: nest.loc,
        };
        out.stmts.push(Stmt::Split(Box::new(split)));
        parts.into_iter().for_each(|store| self.finish(out, store));
    }

    /// Begins the parts of the iterations of `range`, each of which fills `each` positions, or one.
    pub(super) fn begin_parts(
        &mut self,
        out: &mut Block,
        parts: &[StoreId],
        range: [Value; 2],
        each: Option<Value>,
    ) {
        let range = match each {
            Some(each) => range.map(|at| out.position(&mut self.imp, BinaryOp::Mul, at, each)),
            None => range,
        };
        parts.iter().for_each(|&store| self.act(out, store, Action::Begin, range.to_vec()));
    }

    fn all_of(&mut self, regs: &Regs, store: &crate::loops::Store) -> All {
        let StoreKind::Accumulate { op, .. } = &store.kind else { unreachable!("registers accumulate") };
        let leaves =
            regs.leaves.iter().map(|&(_, total)| self.imp.reg(total, 1, op.neutral(total))).collect();
        All { leaves, seen: regs.seen.map(|_| self.imp.flag()) }
    }

    /// Tables of few keys are told how many merges come.
    fn expect(&self, update: &mut Block, parts: &[StoreId], length: Value) {
        for &part in parts {
            if matches!(
                self.imp.stores[part].strategy,
                Strategy::Small { .. } | Strategy::LastWins { packing: Some(_) }
            ) {
                self.act(update, part, Action::Expect, vec![length]);
            }
        }
    }

    /// What the registers of a chunk come to, for `add`.
    fn leave(
        &mut self,
        update: &mut Block,
        add: &mut Block,
        regs: &Regs,
        all: &All,
        totals: &mut Vec<Total>,
    ) {
        for (&(reg, total), &all) in regs.leaves.clone().iter().zip(&all.leaves) {
            let own = &self.imp.regs[reg];
            let chunk = if own.lanes == 1 && own.ty == total {
                reg
            } else {
                let chunk = self.imp.reg(total, 1, regs.op.neutral(total));
                let folded = self.read(update, reg, regs.op);
                let value = self.widened(update, folded, total);
                update.stmts.push(set(chunk, value));
                chunk
            };
            totals.push(Total::Reg { chunk, all });
            let value = self.read(add, chunk, regs.op);
            let op = AccOp::Reduce(regs.op);
            add.stmts.push(Stmt::Accumulate { reg: all, lane: Lane::Zero, op, value, mask: None });
        }
        if let (Some(chunk), Some(all)) = (regs.seen, all.seen) {
            totals.push(Total::Reg { chunk, all });
            let value = self.read(add, chunk, ReduceOp::Max);
            add.stmts.push(Stmt::Accumulate { reg: all, lane: Lane::Zero, op: AccOp::Or, value, mask: None });
        }
    }
}
