//! Boxes: folds by a function, which have nothing yet or one value.

use weldment_runtime::lang::types::Type;

use super::func::Func;
use super::slots::FoldBox;
use super::val::Val;
use crate::imp::FuncId;
use crate::llvm::engine::error::EngineError;

impl Func<'_, '_> {
    pub(super) fn empty_box(&mut self, ty: &Type) -> FoldBox {
        let (some, place) = (self.text.alloca("i8"), self.room(ty));
        self.text.line(format_args!("store i8 0, ptr {some}"));
        FoldBox { some, place }
    }

    /// What is in a box joins what is in another.
    pub(super) fn join_boxes(
        &mut self,
        func: FuncId,
        ty: &Type,
        joined: &FoldBox,
        part: &FoldBox,
    ) -> Result<(), EngineError> {
        let some = self.text.def(format_args!("load i8, ptr {}", part.some));
        let is_some = self.text.def(format_args!("icmp ne i8 {some}, 0"));
        let (more, done) = (self.text.label(), self.text.label());
        self.text.branch(&is_some, &more, &done);
        self.text.begin(&more);
        let value = self.load(ty, &part.place);
        self.fold(func, ty, joined, value)?;
        self.text.begin(&done);
        Ok(())
    }

    /// Merges into a box.
    pub(super) fn fold(
        &mut self,
        func: FuncId,
        ty: &Type,
        into: &FoldBox,
        val: Val,
    ) -> Result<(), EngineError> {
        let FoldBox { some, place } = into;
        let is_some = self.text.def(format_args!("load i8, ptr {some}"));
        let is_some = self.text.def(format_args!("icmp ne i8 {is_some}, 0"));
        let (again, first, done) = (self.text.label(), self.text.label(), self.text.label());
        self.text.branch(&is_some, &again, &first);
        self.text.begin(&first);
        self.store(ty, &val, place);
        self.text.line(format_args!("store i8 1, ptr {some}"));
        self.text.jump(&done);
        self.text.begin(&again);
        let before = self.load(ty, place);
        let after = self.apply(func, before, val)?;
        self.store(ty, &after, place);
        self.text.begin(&done);
        Ok(())
    }
}
