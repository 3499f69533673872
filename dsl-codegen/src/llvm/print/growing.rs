//! Vectors that grow, and blocks of elements that are written side by side.

use weldment_core::ir::Value;
use weldment_runtime::lang::types::Type;

use super::builder::Operand;
use super::func::Func;
use super::slots::Growing;
use super::spelling::{Width, wide};
use super::val::Val;
use crate::imp::Memory;
use crate::llvm::layout::{Layout, LeafKind, alone, leaves};

impl Func<'_, '_> {
    /// The vector that parts have become; those that were placed end where the last one does.
    pub(super) fn finish_parts(&mut self, growing: &Growing, placed: Option<&str>) -> Val {
        let imp = self.module.imp;
        let of = &imp.stores[growing.store];
        let record = growing.block.clone();
        if let Some(placed) = placed {
            let len = self.call("weldment_placed", &["%frame", placed]);
            self.text.line(format_args!("store i64 {len}, ptr {}, align 8", growing.len));
            let size = Layout::of(&of.item).size.to_string();
            let is_temporary = i32::from(of.memory == Memory::Temporary).to_string();
            self.call("weldment_shrink", &["%frame", &record, &size, &is_temporary]);
        }
        let [block, len] = [("ptr", 0), ("i64", 8)].map(|(ty, offset)| self.load_word(&record, ty, offset));
        let empty = self.text.def(format_args!("icmp eq ptr {block}, null"));
        let nowhere = self.module.nowhere();
        let block = self.text.def(format_args!("select i1 {empty}, ptr {nowhere}, ptr {block}"));
        Val::scalar(vec![block, len])
    }

    /// Appends to a growing block.
    pub(super) fn push(&mut self, growing: &Growing, val: &Val) {
        let imp = self.module.imp;
        let ty = &imp.stores[growing.store].item;
        let len = self.text.def(format_args!("load i64, ptr {}", growing.len));
        let room = self.text.def(format_args!("load i64, ptr {}", growing.capacity));
        let is_full = self.text.def(format_args!("icmp eq i64 {len}, {room}"));
        let (grow, push) = (self.text.label(), self.text.label());
        self.text.branch_cold(&is_full, &grow, &push);
        self.text.begin(&grow);
        self.grow(growing, &len, &room, "1");
        self.text.begin(&push);
        let elements = self.text.def(format_args!("load ptr, ptr {}", growing.block));
        let place = self.element(&elements, &len, ty);
        self.store(ty, val, &place);
        let longer = self.text.def(format_args!("add nuw nsw i64 {len}, 1"));
        self.text.line(format_args!("store i64 {longer}, ptr {}", growing.len));
    }

    /// Makes room for `more` elements and at least twice as many as there were.
    pub(super) fn grow(&mut self, growing: &Growing, len: &str, room: &str, more: &str) {
        let imp = self.module.imp;
        let ty = &imp.stores[growing.store].item;
        let wanted = self.text.def(format_args!("add i64 {len}, {more}"));
        let double = self.text.def(format_args!("shl i64 {room}, 1"));
        let larger = self.intrinsic("llvm.smax.i64", "i64", &[("i64", &double), ("i64", &wanted)]);
        let larger = self.intrinsic("llvm.smax.i64", "i64", &[("i64", &larger), ("i64", "16")]);
        let old = self.text.def(format_args!("load ptr, ptr {}", growing.block));
        let new = self.regrow(ty, &old, len, &larger);
        self.text.line(format_args!("store ptr {new}, ptr {}", growing.block));
        self.text.line(format_args!("store i64 {larger}, ptr {}", growing.capacity));
    }

    /// Makes room for `more` elements.
    pub(super) fn reserve(&mut self, growing: &Growing, more: &str) {
        let len = self.text.def(format_args!("load i64, ptr {}", growing.len));
        let room = self.text.def(format_args!("load i64, ptr {}", growing.capacity));
        let free = self.text.def(format_args!("sub i64 {room}, {len}"));
        let is_short = self.text.def(format_args!("icmp slt i64 {free}, {more}"));
        let (grow, done) = (self.text.label(), self.text.label());
        self.text.branch_cold(&is_short, &grow, &done);
        self.text.begin(&grow);
        self.grow(growing, &len, &room, more);
        self.text.begin(&done);
    }

    /// Appends where there is room: every lane is written behind the last one that stays, without a branch.
    pub(super) fn compact(&mut self, growing: &Growing, value: Value, mask: Option<Value>, width: Width) {
        let imp = self.module.imp;
        let ty = &imp.stores[growing.store].item;
        let guard = mask.map(|mask| self.get(mask).clone());
        let values = self.spread(value, width);
        let done = self.text.label();
        // Blocks of which nothing stays are common where little does.
        let bits = match &guard {
            Some(guard) if guard.width > 1 => {
                let bits =
                    self.text.def(format_args!("bitcast <{width} x i1> {} to i{width}", guard.leaves[0]));
                let nothing = self.text.def(format_args!("icmp eq i{width} {bits}, 0"));
                let some = self.text.label();
                self.text.branch(&nothing, &done, &some);
                self.text.begin(&some);
                Some(bits)
            }
            _ => None,
        };
        let elements = self.text.def(format_args!("load ptr, ptr {}", growing.block));
        let mut len = self.text.def(format_args!("load i64, ptr {}", growing.len));
        let kinds = leaves(ty);
        for lane in 0..width {
            let parts = kinds.iter().zip(&values);
            let parts = parts.map(|(leaf, value)| self.extract_any(value, leaf.kind.register(), width, lane));
            let val = Val::scalar(parts.collect());
            let place = self.element(&elements, &len, ty);
            self.store(ty, &val, &place);
            let step = match (&bits, &guard) {
                (Some(bits), _) => {
                    let shifted = self.text.def(format_args!("lshr i{width} {bits}, {lane}"));
                    let bit = self.text.def(format_args!("and i{width} {shifted}, 1"));
                    self.text.def(format_args!("zext i{width} {bit} to i64"))
                }
                (None, Some(guard)) => self.text.def(format_args!("zext i1 {} to i64", guard.leaves[0])),
                (None, None) => "1".to_owned(),
            };
            len = self.text.def(format_args!("add nuw nsw i64 {len}, {step}"));
        }
        self.text.line(format_args!("store i64 {len}, ptr {}", growing.len));
        self.text.begin(&done);
    }

    /// Writes elements from `first` on, side by side.
    pub(super) fn store_lanes(
        &mut self,
        ty: &Type,
        block: &str,
        first: &str,
        values: &[Operand],
        width: Width,
    ) {
        let start = self.element(block, first, ty);
        if let Some(scalar) = alone(ty) {
            let kind = LeafKind::Scalar(scalar);
            let memory = self.in_memory(kind, width, &values[0]);
            let llvm = wide(kind.memory(), width);
            self.text.line(format_args!("store {llvm} {memory}, ptr {start}, align {}", kind.align()));
            return;
        }
        let size = Layout::of(ty).size;
        for (leaf, value) in leaves(ty).into_iter().zip(values) {
            let memory = self.in_memory(leaf.kind, width, value);
            for lane in 0..width {
                let part = self.extract_any(&memory, leaf.kind.memory(), width, lane);
                let place = self.offset(&start, u64::from(lane) * size + leaf.offset);
                let (llvm, align) = (leaf.kind.memory(), leaf.kind.align());
                self.text.line(format_args!("store {llvm} {part}, ptr {place}, align {align}"));
            }
        }
    }
}
