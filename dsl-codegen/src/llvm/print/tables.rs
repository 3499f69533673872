//! Dictionaries: keys as words, finding, and merging into tables.

mod bytes;
mod plan;
mod probe;
mod search;
mod short_keys;
mod small;

use std::mem::offset_of;

use weldment_core::ir::{Loc, ReduceOp, Value};
use weldment_runtime::exec::context::STRIP;
use weldment_runtime::lang::types::{Scalar, Type};

use super::builder::Operand;
use super::func::Func;
use super::slots::TableSlot;
use super::spelling::{integer, literal};
use super::val::Val;
use crate::imp::{Combine, FuncId, StoreId, Strategy};
use crate::llvm::engine::error::EngineError;
use crate::llvm::layout::{Layout, LeafKind, leaf_count, leaves, register};
use crate::llvm::runtime::keys;
use crate::llvm::runtime::table::Table;

impl Func<'_, '_> {
    /// The number of entries of a dictionary.
    pub(super) fn dict_len(&mut self, dict: &str) -> Operand {
        let is_null = self.text.def(format_args!("icmp eq ptr {dict}, null"));
        // A null pointer is the empty dictionary; its length is read from a place that holds 0.
        let zero = self.module.global("constant i64 0".to_owned());
        let field = self.offset(dict, offset_of!(Table, len) as u64);
        let place = self.text.def(format_args!("select i1 {is_null}, ptr {zero}, ptr {field}"));
        self.text.def(format_args!("load i64, ptr {place}, align 8"))
    }

    /// A dictionary as a vector of pairs.
    pub(super) fn pairs(&mut self, dict: Value, result: Value) -> Val {
        let ty = self.ty(result).element().expect("the verifier has seen to it");
        let layout = Layout::of(ty);
        let offset = Func::field_offset(ty, 1);
        let dict = self.leaf(dict);
        let numbers = [layout.size, offset, layout.align].map(|number| number.to_string());
        let args = ["%frame", &dict, &numbers[0], &numbers[1], &numbers[2]];
        let block = self.call_or_null("weldment_table_pairs", &args);
        let len = self.dict_len(&dict);
        Val::scalar(vec![block, len])
    }

    /// The words of a key of scalars.
    fn words(&mut self, ty: &Type, val: &Val) -> Option<Vec<Operand>> {
        let packed = keys::pack(ty)?;
        let mut words: Vec<Operand> = Vec::new();
        for (packed, leaf) in packed.iter().zip(&val.leaves) {
            let bits = self.key_bits(packed.scalar, leaf);
            let shifted = match packed.shift {
                0 => bits,
                shift => self.text.def(format_args!("shl i64 {bits}, {shift}")),
            };
            match words.get_mut(packed.word) {
                Some(word) => *word = self.text.def(format_args!("or i64 {word}, {shifted}")),
                None => words.push(shifted),
            }
        }
        Some(words)
    }

    /// A key's leaf as the low bits of a word: one pattern for both zeros, and one for all NaNs.
    fn key_bits(&mut self, scalar: Scalar, leaf: &str) -> Operand {
        let llvm = register(scalar);
        if !scalar.is_float() {
            return match scalar.size() {
                8 => leaf.to_owned(),
                _ => self.text.def(format_args!("zext {llvm} {leaf} to i64")),
            };
        }
        let nan = literal(if scalar == Scalar::F32 { f32::NAN.into() } else { f64::NAN.into() });
        // A negative zero plus zero is zero.
        let positive = self.text.def(format_args!("fadd {llvm} {leaf}, {}", literal(zero(scalar))));
        let is_nan = self.text.def(format_args!("fcmp uno {llvm} {leaf}, {leaf}"));
        let one = self.text.def(format_args!("select i1 {is_nan}, {llvm} {nan}, {llvm} {positive}"));
        let bits = self.text.def(format_args!("bitcast {llvm} {one} to {}", integer(scalar, 1)));
        match scalar.size() {
            8 => bits,
            _ => self.text.def(format_args!("zext {} {bits} to i64", integer(scalar, 1))),
        }
    }

    /// An empty table, alone or, `in_loop`, one for each task.
    pub(super) fn new_table(&mut self, store: StoreId, in_loop: bool) -> Operand {
        let imp = self.module.imp;
        let of = &imp.stores[store];
        let key = of.key.as_ref().expect("a table has keys");
        let number = self.module.type_number(key).to_string();
        let direct = match of.strategy {
            Strategy::Direct { bits } => bits.to_string(),
            _ => "-1".to_owned(),
        };
        let (item, neutral) = match of.combine {
            Combine::Append => (Type::vec(of.item.clone()), "null".to_owned()),
            Combine::Func(_) | Combine::Last => (of.item.clone(), "null".to_owned()),
            Combine::Op(op) => {
                let neutral = self.neutral(op, &of.item);
                (of.item.clone(), self.spill(&of.item, &neutral))
            }
        };
        let [combine, flags] = match self.is_packed(store) {
            true => self.plan(store, in_loop),
            false => ["null", "0"].map(str::to_owned),
        };
        let size = Layout::of(&item).size.to_string();
        let args = ["%frame", &number, &direct, &size, &neutral, &combine, &flags];
        self.call_or_null("weldment_table_new", &args)
    }

    /// The value that `op` leaves alone, leaf by leaf.
    pub(super) fn neutral(&mut self, op: ReduceOp, ty: &Type) -> Val {
        let scalars = ty.leaves().unwrap_or_default();
        Val::scalar(scalars.into_iter().map(|scalar| literal(op.neutral(scalar))).collect())
    }

    /// A table whose address is `table`, of which nothing more is known.
    pub(super) fn table_at(&self, store: StoreId, table: Operand) -> TableSlot {
        let imp = self.module.imp;
        let of = &imp.stores[store];
        let key = of.key.clone().expect("a table has keys");
        let (value, combine) = (of.item.clone(), of.combine);
        TableSlot { table, direct: None, values: None, hash: None, key, value, combine, small: None }
    }

    /// The same, open for merging.
    pub(super) fn open_table(&mut self, store: StoreId, table: Operand) -> TableSlot {
        let imp = self.module.imp;
        let mut slot = self.table_at(store, table);
        match imp.stores[store].strategy {
            Strategy::Direct { .. } => {
                let field = self.offset(&slot.table, offset_of!(Table, direct) as u64);
                let direct =
                    self.text.def(format_args!("load ptr, ptr {field}, align 8, !invariant.load !1"));
                let values = self.text.alloca("ptr");
                self.keep_values(&slot.table, &values);
                (slot.direct, slot.values) = (Some(direct), Some(values));
            }
            Strategy::Small { packing: Some(packing) } | Strategy::LastWins { packing: Some(packing) } => {
                slot.small = Some(self.open_small(&slot.table, packing));
            }
            _ => {}
        }
        slot
    }

    /// Merges `value` under `key`.
    pub(super) fn merge_table(
        &mut self,
        slot: &TableSlot,
        key: &Val,
        value: &Val,
        loc: Loc,
    ) -> Result<(), EngineError> {
        if let Some(small) = &slot.small
            && let Some(words) = self.words(&slot.key, key)
        {
            self.merge_small(slot, small, &words, value, loc);
            return Ok(());
        }
        let place = self.entry(slot, key);
        match slot.combine {
            Combine::Op(_) | Combine::Last => self.put_at(slot.combine, &slot.value, &place, value, loc),
            Combine::Func(func) => self.fold_at(func, slot, &place, value)?,
            Combine::Append => self.push_group(&slot.value, &place, value),
        }
        Ok(())
    }

    /// Loads where the values of `table` are into the variable `values`.
    fn keep_values(&mut self, table: &str, values: &str) {
        let now = self.values_of(table);
        self.text.line(format_args!("store ptr {now}, ptr {values}, align 8"));
    }

    fn entry_slow(&mut self, slot: &TableSlot, key: &Val) -> Operand {
        let key = self.spill(&slot.key, key);
        self.call_or_null("weldment_table_entry", &["%frame", &slot.table, &key])
    }

    /// Makes of the value at `place` what a table that reduces, or keeps the last value, has after `value`.
    fn put_at(&mut self, combine: Combine, ty: &Type, place: &str, value: &Val, loc: Loc) {
        match combine {
            Combine::Op(op) => self.combine_at(op, ty, place, value, loc),
            _ => self.store(ty, value, place),
        }
    }

    /// `place op= value`, leaf by leaf.
    pub(super) fn combine_at(&mut self, op: ReduceOp, ty: &Type, place: &str, value: &Val, loc: Loc) {
        for (leaf, operand) in leaves(ty).into_iter().zip(&value.leaves) {
            let LeafKind::Scalar(scalar) = leaf.kind else { continue };
            let at = self.offset(place, leaf.offset);
            let old = self.load_leaf(leaf.kind, &at);
            let new = self.binary(op.binary(), scalar, 1, &old, operand, loc);
            self.store_leaf(leaf.kind, &new, &at);
        }
    }

    fn fold_at(
        &mut self,
        func: FuncId,
        slot: &TableSlot,
        place: &str,
        value: &Val,
    ) -> Result<(), EngineError> {
        let field = self.offset(&slot.table, offset_of!(Table, fresh) as u64);
        let fresh = self.text.def(format_args!("load i8, ptr {field}, align 1"));
        let is_new = self.text.def(format_args!("icmp ne i8 {fresh}, 0"));
        let (first, again, done) = (self.text.label(), self.text.label(), self.text.label());
        self.text.branch(&is_new, &first, &again);
        self.text.begin(&first);
        self.store(&slot.value, value, place);
        self.text.jump(&done);
        self.text.begin(&again);
        let old = self.load(&slot.value, place);
        let new = self.apply(func, old, value.clone())?;
        self.store(&slot.value, &new, place);
        self.text.begin(&done);
        Ok(())
    }

    /// Appends to a group. Its block has room for the next power of two of its length, and for 4 at least.
    fn push_group(&mut self, ty: &Type, place: &str, value: &Val) {
        let group = Type::vec(ty.clone());
        let old = self.load(&group, place);
        let [elements, len] = &old.leaves[..] else { return };
        let below = self.text.def(format_args!("sub i64 {len}, 1"));
        let shared = self.text.def(format_args!("and i64 {len}, {below}"));
        let is_power = self.text.def(format_args!("icmp eq i64 {shared}, 0"));
        let is_small = self.text.def(format_args!("icmp ult i64 {below}, 3"));
        let is_large = self.text.def(format_args!("xor i1 {is_small}, true"));
        let is_full = self.text.def(format_args!("and i1 {is_power}, {is_large}"));
        let (grow, push) = (self.text.label(), self.text.label());
        let before = self.text.current();
        self.text.branch(&is_full, &grow, &push);
        self.text.begin(&grow);
        let double = self.text.def(format_args!("shl i64 {len}, 1"));
        let is_empty = self.text.def(format_args!("icmp eq i64 {len}, 0"));
        let capacity = self.text.def(format_args!("select i1 {is_empty}, i64 4, i64 {double}"));
        let grown = self.regrow_by("weldment_regrow_group", ty, elements, len, &capacity);
        let after = self.text.current();
        self.text.begin(&push);
        let block = self.text.def(format_args!("phi ptr [ {elements}, {before} ], [ {grown}, {after} ]"));
        let at = self.element(&block, len, ty);
        self.store(ty, value, &at);
        let longer = self.text.def(format_args!("add i64 {len}, 1"));
        self.store(&group, &Val::scalar(vec![block, longer]), place);
        debug_assert_eq!(leaf_count(&group), 2);
    }

    /// A block for `capacity` elements that begins with the first `len` of `elements`.
    pub(super) fn regrow(&mut self, ty: &Type, elements: &str, len: &str, capacity: &str) -> Operand {
        self.regrow_by("weldment_regrow", ty, elements, len, capacity)
    }

    fn regrow_by(&mut self, call: &str, ty: &Type, elements: &str, len: &str, capacity: &str) -> Operand {
        let layout = Layout::of(ty);
        let used = self.text.def(format_args!("mul i64 {len}, {}", layout.size));
        let size = self.text.def(format_args!("mul i64 {capacity}, {}", layout.size));
        let align = layout.align.to_string();
        self.call_or_null(call, &["%frame", elements, &used, &size, &align])
    }

    /// Merges the table at `from`, which is of the next segment, into `slot`.
    pub(super) fn merge_tables(&mut self, slot: &TableSlot, from: &str, loc: Loc) -> Result<(), EngineError> {
        if slot.small.is_none() {
            return self.merge_entries(slot, from, loc);
        }
        self.call_status("weldment_table_merge", &["%frame", &slot.table, from]);
        Ok(())
    }

    /// Merges the entries of the table at `from` into `slot`, in their order. Nobody needs that table after it.
    fn merge_entries(&mut self, slot: &TableSlot, from: &str, loc: Loc) -> Result<(), EngineError> {
        let item = slot.item();
        let field = |offset: usize| offset as u64;
        let [len, keys, values] = [
            ("i64", field(offset_of!(Table, len))),
            ("ptr", field(offset_of!(Table, keys))),
            ("ptr", field(offset_of!(Table, values))),
        ]
        .map(|(ty, offset)| {
            let at = self.offset(from, offset);
            self.text.def(format_args!("load {ty}, ptr {at}, align 8"))
        });
        let slot = slot.clone();
        self.in_strips("0", &len, STRIP as u32, |this, lo, hi| {
            this.counted(lo, hi, |this, i| {
                let key_place = this.element(&keys, i, &slot.key);
                let key = this.load(&slot.key, &key_place);
                let place = this.element(&values, i, &item);
                let value = this.load(&item, &place);
                match slot.combine {
                    Combine::Append => {
                        let to = this.entry(&slot, &key);
                        this.append_group(&slot.value, &to, &value);
                        Ok(())
                    }
                    _ => this.merge_table(&slot, &key, &value, loc),
                }
            })
        })?;
        self.call("weldment_table_release", &["%frame", from]);
        Ok(())
    }

    /// Appends the elements of `more`, another group, to the group at `place`, both of which have room as [`Func::push_group`] says. One that is empty
    /// becomes the other.
    fn append_group(&mut self, ty: &Type, place: &str, more: &Val) {
        let group = Type::vec(ty.clone());
        let old = self.load(&group, place);
        let [elements, old_len] = &old.leaves[..] else { return };
        let is_empty = self.text.def(format_args!("icmp eq i64 {old_len}, 0"));
        let [take, append, done] = [self.text.label(), self.text.label(), self.text.label()];
        self.text.branch(&is_empty, &take, &append);
        self.text.begin(&take);
        self.store(&group, more, place);
        self.text.jump(&done);
        self.text.begin(&append);
        let len = self.text.def(format_args!("add i64 {old_len}, {}", more.leaves[1]));
        let (room, wanted) = (self.group_room(old_len), self.group_room(&len));
        let is_full = self.text.def(format_args!("icmp ult i64 {room}, {wanted}"));
        let (grow, copy) = (self.text.label(), self.text.label());
        let before = self.text.current();
        self.text.branch(&is_full, &grow, &copy);
        self.text.begin(&grow);
        let grown = self.regrow_by("weldment_regrow_group", ty, elements, old_len, &wanted);
        let after = self.text.current();
        self.text.begin(&copy);
        let block = self.text.def(format_args!("phi ptr [ {elements}, {before} ], [ {grown}, {after} ]"));
        let at = self.element(&block, old_len, ty);
        self.copy(ty, &at, &more.leaves[0], &more.leaves[1]);
        self.store(&group, &Val::scalar(vec![block, len]), place);
        self.text.jump(&done);
        self.text.begin(&done);
    }

    /// For how many elements a group of `len` has room, if it is not empty.
    fn group_room(&mut self, len: &str) -> Operand {
        let below = self.text.def(format_args!("sub i64 {len}, 1"));
        let zeros = self.intrinsic("llvm.ctlz.i64", "i64", &[("i64", &below), ("i1", "false")]);
        let bits = self.text.def(format_args!("sub i64 64, {zeros}"));
        let power = self.text.def(format_args!("shl i64 1, {bits}"));
        let is_small = self.text.def(format_args!("icmp ult i64 {len}, 5"));
        self.text.def(format_args!("select i1 {is_small}, i64 4, i64 {power}"))
    }

    /// Copies `count` elements between blocks that do not overlap.
    pub(super) fn copy(&mut self, ty: &Type, to: &str, from: &str, count: &str) {
        let layout = Layout::of(ty);
        let bytes = self.text.def(format_args!("mul i64 {count}, {}", layout.size));
        // Rows of tables are arrays of words.
        let align = layout.align.min(8);
        self.module.declare(
            "llvm.memcpy.p0.p0.i64",
            "declare void @llvm.memcpy.p0.p0.i64(ptr, ptr, i64, i1)".to_owned(),
        );
        self.text.line(format_args!(
            "call void @llvm.memcpy.p0.p0.i64(ptr align {align} {to}, ptr align {align} {from}, i64 {bytes}, i1 false)"
        ));
    }
}

fn zero(scalar: Scalar) -> weldment_core::ir::Const {
    weldment_core::ir::Const::from_i128(scalar, 0)
}
