//! Merging into a vector by index: the vector itself, and parts that are added to it.

use weldment_core::ir::{Loc, ReduceOp};
use weldment_runtime::lang::types::Type;

use super::builder::Operand;
use super::func::Func;
use super::val::Val;
use crate::imp::{Combine, StoreId};
use crate::llvm::engine::error::EngineError;

impl Func<'_, '_> {
    /// A copy of a vector in a block of its own.
    pub(super) fn copied(&mut self, ty: &Type, vector: &Val) -> Operand {
        let (elements, len) = (&vector.leaves[0], &vector.leaves[1]);
        let block = self.allocate(ty, len);
        self.copy(ty, &block, elements, len);
        block
    }

    /// A part for `len` elements, none of which is touched.
    pub(super) fn partial(&mut self, store: StoreId, len: &str) -> Result<Operand, EngineError> {
        let imp = self.module.imp;
        let of = &imp.stores[store];
        let Combine::Op(op) = of.combine else {
            return Err(EngineError::internal("a merge by index that is by no operator"));
        };
        let block = self.allocate(&of.item, len);
        let filler = self.neutral(op, &of.item);
        let place = block.clone();
        self.counted("0", len, |this, i| {
            let at = this.element(&place, i, &of.item);
            this.store(&of.item, &filler, &at);
            Ok(())
        })?;
        Ok(block)
    }

    /// Adds a part to the whole, element by element.
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
