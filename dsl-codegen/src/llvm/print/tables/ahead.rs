//! Keys that are short vectors of bytes, such as words: the runtime finds the entries of those of some rows at a time, so that what they
//! need of the memory is asked for together.

use std::mem::offset_of;

use weldment_core::ir::Value;
use weldment_runtime::exec::cpu::PREFETCHED_ROWS;

use super::TableSlot;
use crate::imp::{Action, Block, Combine, Stmt, StoreId};
use crate::llvm::engine::error::EngineError;
use crate::llvm::print::builder::Operand;
use crate::llvm::print::func::Func;
use crate::llvm::print::stores::Slot;
use crate::llvm::runtime::table::Table;

impl Func<'_, '_> {
    /// Room for the numbers of the entries that a loop with this body finds ahead, one after the other.
    pub(in crate::llvm::print) fn entries_ahead(&mut self, body: &Block) -> Vec<StoreId> {
        let tables = body.stmts.iter().filter_map(|stmt| match stmt {
            Stmt::Do { store, action: Action::HashAhead, .. } => Some(*store),
            _ => None,
        });
        let tables: Vec<StoreId> = tables.collect();
        for &store in &tables {
            let room = self.text.alloca(format_args!("[{PREFETCHED_ROWS} x i64]"));
            self.entry_rooms.insert(store, room);
        }
        tables
    }

    /// In the iteration at `position` of a loop over all of `column`: finds the entries of the next rows' keys, if those of the last ones are
    /// used up, and has merges know that of this one.
    pub(in crate::llvm::print) fn hash_ahead(
        &mut self,
        store: StoreId,
        column: Value,
        position: Value,
    ) -> Result<(), EngineError> {
        let (Some(Slot::Table(mut slot)), Some(numbers)) =
            (self.slots.get(&store).cloned(), self.entry_rooms.get(&store).cloned())
        else {
            return Err(EngineError::internal("keys are looked up in a table that is not open"));
        };
        let element = self.ty(column).element().expect("the verifier has seen to it");
        let [start, len] = [0, 1].map(|leaf| self.get(column).leaves[leaf].clone());
        let index = self.leaf(position);
        let [ask, go] = [(); 2].map(|()| self.text.label());
        let row = self.text.def(format_args!("and i64 {index}, {}", PREFETCHED_ROWS - 1));
        let is_first = self.text.def(format_args!("icmp eq i64 {row}, 0"));
        self.text.branch(&is_first, &ask, &go);
        self.text.begin(&ask);
        let rows = self.element(&start, &index, element);
        let left = self.text.def(format_args!("sub i64 {len}, {index}"));
        self.call_status("weldment_table_entries", &["%frame", &slot.table, &rows, &left, &numbers]);
        self.text.jump(&go);
        self.text.begin(&go);
        let place = self.text.def(format_args!("getelementptr inbounds i64, ptr {numbers}, i64 {row}"));
        slot.ahead = Some(place);
        self.slots.insert(store, Slot::Table(slot));
        Ok(())
    }

    /// Behind the loop, no entry is known.
    pub(in crate::llvm::print) fn forget_entries(&mut self, tables: Vec<StoreId>) {
        for store in tables {
            self.entry_rooms.remove(&store);
            if let Some(Slot::Table(slot)) = self.slots.get_mut(&store) {
                slot.ahead = None;
            }
        }
    }

    /// Where the value stands of the entry that was found ahead, whose number is at `ahead`. It is new to the first merge only.
    pub(super) fn entry_ahead(&mut self, slot: &TableSlot, ahead: &str) -> Operand {
        let found = self.text.def(format_args!("load i64, ptr {ahead}, align 8"));
        let entry = self.text.def(format_args!("and i64 {found}, {}", i64::MAX));
        if matches!(slot.combine, Combine::Func(_)) {
            let is_new = self.text.def(format_args!("lshr i64 {found}, 63"));
            let flag = self.text.def(format_args!("trunc i64 {is_new} to i8"));
            let fresh = self.offset(&slot.table, offset_of!(Table, fresh) as u64);
            self.text.line(format_args!("store i8 {flag}, ptr {fresh}, align 1"));
            self.text.line(format_args!("store i64 {entry}, ptr {ahead}, align 8"));
        }
        let values = self.values_of(&slot.table);
        self.element(&values, &entry, &slot.item())
    }
}
