//! Keys that are hashed some rows ahead of the one that is looked up.
//!
//! ```text
//! body: lane = (i - lo) & 7
//!       br lane == 0, hash, go
//! hash: for j in i..umin(i + 8, hi) { hashes[j - i] = @bytes.hash(column[j]); prefetch slots[hash & mask] }
//!       br go
//! go:   …, where the search for the key begins with hashes[lane]
//! ```

use std::mem::offset_of;

use weldment_core::ir::{Sink, Value};
use weldment_runtime::builders::table::FORESEEN;

use super::TableSlot;
use crate::llvm::emit::control::Access;
use crate::llvm::emit::func::Func;
use crate::llvm::emit::stores::Slot;
use crate::llvm::emit::text::Operand;
use crate::llvm::error::EngineError;
use crate::llvm::runtime::slots;
use crate::llvm::runtime::table::Table;
use crate::loops::Hashed;

/// The hash of the key that an iteration merges under.
#[derive(Clone, Debug)]
pub(in crate::llvm::emit) struct Foreseen {
    sink: Sink,
    key: Value,
    hash: Operand,
}

impl Func<'_, '_> {
    /// Memory for as many hashes as are found at a time.
    pub(in crate::llvm::emit) fn hashes(&mut self) -> Operand {
        self.text.alloca(format_args!("[{FORESEEN} x i64]"))
    }

    /// At the start of iteration `i` of those from `lo` below `hi`: finds the hashes of this key and the next ones, unless that
    /// has been done.
    pub(in crate::llvm::emit) fn foresee(
        &mut self,
        hashed: Hashed,
        hashes: &str,
        [lo, i, hi]: [&str; 3],
    ) -> Result<(), EngineError> {
        let Some(Slot::Table(slot)) = self.slots.get(&hashed.sink).cloned() else { return Ok(()) };
        let at = self.text.def(format_args!("sub nuw nsw i64 {i}, {lo}"));
        let lane = self.text.def(format_args!("and i64 {at}, {}", FORESEEN - 1));
        let is_first = self.text.def(format_args!("icmp eq i64 {lane}, 0"));
        let [hash, go] = [(); 2].map(|()| self.text.label());
        self.text.branch(&is_first, &hash, &go);
        self.text.begin(&hash);
        let behind = self.text.def(format_args!("add nsw i64 {i}, {FORESEEN}"));
        self.module.declare("llvm.umin.i64", "declare i64 @llvm.umin.i64(i64, i64)".to_owned());
        let end = self.text.def(format_args!("call i64 @llvm.umin.i64(i64 {behind}, i64 {hi})"));
        self.counted(i, &end, |this, row| {
            let hash = this.hash_of_row(&slot, hashed.column, row);
            let lane = this.text.def(format_args!("sub nuw nsw i64 {row}, {i}"));
            let place = this.text.def(format_args!("getelementptr inbounds i64, ptr {hashes}, i64 {lane}"));
            this.text.line(format_args!("store i64 {hash}, ptr {place}, align 8"));
            this.ask_for_slot(&slot, &hash);
            Ok(())
        })?;
        self.text.jump(&go);
        self.text.begin(&go);
        let place = self.text.def(format_args!("getelementptr inbounds i64, ptr {hashes}, i64 {lane}"));
        let hash = self.text.def(format_args!("load i64, ptr {place}, align 8"));
        self.foreseen = Some(Foreseen { sink: hashed.sink, key: hashed.key, hash });
        Ok(())
    }

    /// The hash of what a merge into `sink` is made under, if it has been found before.
    pub(in crate::llvm::emit) fn foreseen_hash(&self, sink: Sink, key: Value) -> Option<Operand> {
        let foreseen = self.foreseen.as_ref()?;
        (foreseen.sink == sink && foreseen.key == key).then(|| foreseen.hash.clone())
    }

    fn hash_of_row(&mut self, slot: &TableSlot, column: Value, row: &str) -> Operand {
        let rows = self.leaf(column);
        let place = self.element(&rows, row, &slot.key);
        let key = self.load(&slot.key, &place);
        let bytes = self.bytes_of(&slot.key, &key).expect("such keys are vectors of integers");
        self.hash_bytes(&bytes.at, &bytes.len)
    }

    fn ask_for_slot(&mut self, slot: &TableSlot, hash: &str) {
        let [slots, mask] = self.index_of(&slot.table);
        let first = self.text.def(format_args!("and i64 {hash}, {mask}"));
        let size = size_of::<slots::Slot>();
        let at =
            self.text.def(format_args!("getelementptr inbounds [{size} x i8], ptr {slots}, i64 {first}"));
        self.ask_for(Access::Read, &at);
    }

    /// Where the slots of a table are, and what makes a hash the number of one.
    pub(super) fn index_of(&mut self, table: &str) -> [Operand; 2] {
        [("ptr", offset_of!(Table, index)), ("i64", offset_of!(Table, mask))].map(|(llvm, offset)| {
            let field = self.offset(table, offset as u64);
            self.text.def(format_args!("load {llvm}, ptr {field}, align 8"))
        })
    }
}
