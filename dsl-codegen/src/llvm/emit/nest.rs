//! Nests that run where they stand: their stores are opened, filled and read in one function.

use weldment_core::ir::{Empty, Loc, ReduceOp, Value};
use weldment_runtime::types::Type;

use super::func::{Func, Val};
use super::lanes::literal;
use super::stores::{Growing, Slot};
use super::text::Operand;
use crate::llvm::error::EngineError;
use crate::llvm::runtime::calls::Cause;
use crate::loops::{Function, Length, Nest, Run, Schedule, Seen, Store, StoreKind};

impl Func<'_, '_> {
    /// Runs a nest and binds the results of its stores.
    pub(super) fn nest(&mut self, nest: &Nest) -> Result<(), EngineError> {
        match (&nest.run, nest.schedule) {
            (Run::Over(inner), Schedule::Pieces { piece, segment }) => {
                self.split(nest, inner, piece, segment)
            }
            _ => self.serial(nest),
        }
    }

    fn serial(&mut self, nest: &Nest) -> Result<(), EngineError> {
        let extent = match &nest.run {
            Run::Once(_) => None,
            Run::Over(inner) => Some((inner.index, self.leaf(inner.extent))),
        };
        for store in &nest.stores {
            let slot = self.open(store, extent.as_ref())?;
            self.slots.insert(store.sink, slot);
        }
        match &nest.run {
            Run::Once(block) => self.block(block)?,
            Run::Over(inner) => {
                let extent = self.leaf(inner.extent);
                match inner.in_order {
                    Some(few) => self.run_in_order(inner, few, &extent)?,
                    None => self.run_loop(inner, "0", &extent, nest.asks())?,
                }
            }
        }
        for store in &nest.stores {
            let slot = self.slots.remove(&store.sink).expect("opened above");
            let val = self.close(store, slot, extent.as_ref().map(|extent| &*extent.1), store.loc)?;
            self.bind(store.result, val);
        }
        Ok(())
    }

    /// Opens a store of a nest that runs here.
    fn open(&mut self, store: &Store, extent: Option<&(Value, Operand)>) -> Result<Slot, EngineError> {
        Ok(match (&store.kind, extent) {
            (StoreKind::Accumulate { op, leaves, seen, .. }, _) => {
                Slot::Accumulate(self.open_accumulator(*op, leaves, *seen == Seen::Flag))
            }
            (StoreKind::Fold { ty, func, .. }, _) => {
                let (some, place) = (self.text.alloca("i8"), self.room(ty));
                self.text.line(format_args!("store i8 0, ptr {some}"));
                Slot::Fold { func: func.clone(), ty: ty.clone(), some, place }
            }
            (StoreKind::Collect { ty, length: Length::Exact { each } }, Some((index, extent))) => {
                let len = self.times(extent, *each);
                let block = self.allocate(ty, &len);
                self.open_exact(ty, block, *index, *each, "0")
            }
            (StoreKind::Collect { ty, length }, extent) => {
                let reserved = match length {
                    Length::AtMost => extent.map(|(index, _)| *index),
                    _ => None,
                };
                let nowhere = self.module.nowhere();
                self.open_growing(ty, [&nowhere, "0", "0"], reserved)
            }
            (StoreKind::Table { key, value, what, index }, _) => {
                let table = self.new_table(key, value, what, *index, false);
                Slot::Table(self.open_table(table, key, value, what, *index))
            }
            (StoreKind::Scatter { ty, op, init }, _) => {
                let init = self.get(*init).clone();
                let len = init.leaves[1].clone();
                let block = match is_exact(*op, ty) {
                    true => self.copied(ty, &init),
                    false => self.partial(*op, ty, &len)?,
                };
                Slot::Scatter { ty: ty.clone(), op: *op, block, len }
            }
        })
    }

    /// The value of a store of a nest that ran here.
    fn close(
        &mut self,
        store: &Store,
        slot: Slot,
        extent: Option<&str>,
        loc: Loc,
    ) -> Result<Val, EngineError> {
        Ok(match (&store.kind, slot) {
            (StoreKind::Accumulate { op, ty, init, empty, seen, .. }, Slot::Accumulate(accumulator)) => {
                let total = self.fold_lanes(&accumulator);
                let seen = match (seen, &accumulator.seen) {
                    (Seen::Flag, Some(flag)) => Some(self.text.def(format_args!("load i1, ptr {flag}"))),
                    _ => None,
                };
                self.finish_accumulator(*op, ty, *init, *empty, total, seen, extent, loc)
            }
            (StoreKind::Fold { init, func, .. }, Slot::Fold { ty, some, place, .. }) => {
                let flag = self.text.def(format_args!("load i8, ptr {some}"));
                self.finish_fold(func, &ty, *init, &flag, &place, loc)?
            }
            (_, Slot::Exact { block, .. }) => Val::scalar(vec![block, extent.unwrap_or("0").to_owned()]),
            // Every iteration has run, so that the next element is behind the last one.
            (_, Slot::Several { block, next, .. }) => {
                let len = self.text.def(format_args!("load i64, ptr {next}"));
                Val::scalar(vec![block, len])
            }
            (_, Slot::Growing(growing)) => {
                let block = self.text.def(format_args!("load ptr, ptr {}", growing.block));
                let len = self.text.def(format_args!("load i64, ptr {}", growing.len));
                Val::scalar(vec![block, len])
            }
            (StoreKind::Table { key, value, what, index }, Slot::Table(table)) => {
                self.settle(key, value, what, *index, &table.table);
                Val::one(table.table)
            }
            (StoreKind::Scatter { init, .. }, Slot::Scatter { ty, op, block, len }) => {
                if is_exact(op, &ty) {
                    return Ok(Val::scalar(vec![block, len]));
                }
                let init = self.get(*init).clone();
                let whole = self.copied(&ty, &init);
                self.add_partial(op, &ty, &whole, &block, &len)?;
                Val::scalar(vec![whole, len])
            }
            _ => return Err(EngineError::internal("a store that was opened as another")),
        })
    }

    /// A growing block, taken up from where it was left: block, length and capacity.
    pub(super) fn open_growing(&mut self, ty: &Type, left: [&str; 3], reserved: Option<Value>) -> Slot {
        let [block, len, capacity] =
            [("ptr", left[0]), ("i64", left[1]), ("i64", left[2])].map(|(llvm, operand)| {
                let place = self.text.alloca(llvm);
                self.text.line(format_args!("store {llvm} {operand}, ptr {place}"));
                place
            });
        Slot::Growing(Growing { ty: ty.clone(), block, len, capacity, reserved })
    }

    /// `init op total`; where an empty reduction faults, that fault or the total alone.
    #[allow(clippy::too_many_arguments)]
    pub(super) fn finish_accumulator(
        &mut self,
        op: ReduceOp,
        ty: &Type,
        init: Option<Value>,
        empty: Empty,
        total: Val,
        seen: Option<Operand>,
        extent: Option<&str>,
        loc: Loc,
    ) -> Val {
        let init = match (init, empty) {
            (Some(init), _) => self.get(init).clone(),
            (None, empty) => {
                if empty == Empty::Fault {
                    let nothing = match (seen, extent) {
                        (Some(seen), _) => self.text.def(format_args!("xor i1 {seen}, true")),
                        (None, Some(extent)) => self.text.def(format_args!("icmp eq i64 {extent}, 0")),
                        (None, None) => "false".to_owned(),
                    };
                    self.raise_if(&nothing, Cause::Empty, loc, &[]);
                    return total;
                }
                let scalars = ty.leaves().unwrap_or_default();
                Val::scalar(scalars.into_iter().map(|scalar| literal(op.identity(scalar))).collect())
            }
        };
        self.combine(op, ty, &init, &total)
    }

    /// The fold of `init` and what is at `place`, if `some` (an `i8`) says that there is something.
    pub(super) fn finish_fold(
        &mut self,
        func: &Function,
        ty: &Type,
        init: Option<Value>,
        some: &str,
        place: &str,
        loc: Loc,
    ) -> Result<Val, EngineError> {
        let is_some = self.text.def(format_args!("icmp ne i8 {some}, 0"));
        let Some(init) = init else {
            let nothing = self.text.def(format_args!("xor i1 {is_some}, true"));
            self.raise_if(&nothing, Cause::Empty, loc, &[]);
            return Ok(self.load(ty, place));
        };
        let init = self.get(init).clone();
        let (more, done) = (self.text.label(), self.text.label());
        let before = self.text.current();
        self.text.branch(&is_some, &more, &done);
        self.text.begin(&more);
        let total = self.load(ty, place);
        let folded = self.apply(func, init.clone(), total)?;
        let after = self.text.current();
        self.text.begin(&done);
        Ok(self.join(ty, [(&init, &before), (&folded, &after)]))
    }

    /// A copy of a vector in a block of its own.
    pub(super) fn copied(&mut self, ty: &Type, vector: &Val) -> Operand {
        let (elements, len) = (&vector.leaves[0], &vector.leaves[1]);
        let block = self.allocate(ty, len);
        self.copy(ty, &block, elements, len);
        block
    }

    /// Partial results for `len` elements, none of which is touched.
    pub(super) fn partial(&mut self, op: ReduceOp, ty: &Type, len: &str) -> Result<Operand, EngineError> {
        let block = self.allocate(ty, len);
        let filler = self.neutral(op, ty);
        let place = block.clone();
        self.counted("0", len, |this, i| {
            let at = this.element(&place, i, ty);
            this.store(ty, &filler, &at);
            Ok(())
        })?;
        Ok(block)
    }

    /// Adds partial results to the whole, element by element.
    pub(super) fn add_partial(
        &mut self,
        op: ReduceOp,
        ty: &Type,
        whole: &str,
        partial: &str,
        len: &str,
    ) -> Result<(), EngineError> {
        self.counted("0", len, |this, i| {
            let from = this.element(partial, i, ty);
            let part = this.load(ty, &from);
            let to = this.element(whole, i, ty);
            this.combine_at(op, ty, &to, &part, Loc::NONE);
            Ok(())
        })
    }
}

/// Whether merges may go into the result itself: no order of folding can be told from another.
fn is_exact(op: ReduceOp, ty: &Type) -> bool {
    ty.leaves().unwrap_or_default().into_iter().all(|scalar| op.is_exact(scalar))
}
