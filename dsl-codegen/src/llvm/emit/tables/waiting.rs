//! Tables that wait once they have many keys: merges become rows, see [`waiting`](crate::llvm::runtime::waiting).

use std::mem::offset_of;

use weldment_core::ir::Loc;
use weldment_runtime::types::Type;

use super::TableSlot;
use crate::llvm::emit::func::{Func, Val};
use crate::llvm::emit::text::Operand;
use crate::llvm::layout::{Layout, leaves};
use crate::llvm::runtime::calls::{EXACT, IN_LOOP, LAST};
use crate::llvm::runtime::keys;
use crate::llvm::runtime::table::Table;
use crate::llvm::runtime::waiting::MOST_WORDS;
use crate::loops::facts::for_each_step;
use crate::loops::{Index, Keyed, Step, searches};

/// Whether the merges of such a table may wait. The words of a float do not tell which of the keys that are one it was.
pub(super) fn waits(key: &Type, value: &Type, what: &Keyed, index: Index) -> bool {
    let Some(packed) = keys::pack(key) else { return false };
    let key_words = packed.last().map_or(0, |last| last.word + 1);
    let value_words = Layout::of(value).size.div_ceil(8) as usize;
    matches!(what, Keyed::Reduce(_) | Keyed::Last)
        && value.is_scalars()
        && index == Index::Hash
        && (1..=MOST_WORDS[0]).contains(&key_words)
        && (1..=MOST_WORDS[1]).contains(&value_words)
        && packed.iter().all(|leaf| !leaf.scalar.is_float())
}

impl Func<'_, '_> {
    /// What the runtime is told of a table that may wait: how it combines values, and flags.
    pub(super) fn plan(&mut self, what: &Keyed, ty: &Type, in_loop: bool) -> [Operand; 2] {
        let name = self.module.function_name("combine");
        let header =
            format!("define internal i32 @{name}(ptr noalias %into, ptr noalias readonly %from) nounwind");
        let mut function = Func::new(self.module, header);
        let value = function.load(ty, "%from");
        function.put_at(what, ty, "%into", &value, Loc::NONE);
        function.finish();
        let held = match what {
            Keyed::Last => LAST,
            Keyed::Reduce(op) if ty.leaves().is_some_and(|all| all.iter().all(|&leaf| op.is_exact(leaf))) => {
                EXACT
            }
            _ => 0,
        };
        let flags = held | if in_loop { IN_LOOP } else { 0 };
        [format!("@{name}"), flags.to_string()]
    }

    /// Merges `value` under the key of these `words`: as a row, if the table waits, or else as `near` does.
    pub(super) fn merge_waiting(
        &mut self,
        slot: &TableSlot,
        words: &[Operand],
        value: &Val,
        near: impl FnOnce(&mut Self),
    ) {
        let next_field = self.offset(&slot.table, offset_of!(Table, next) as u64);
        let next = self.text.def(format_args!("load ptr, ptr {next_field}, align 8"));
        let is_near = self.text.def(format_args!("icmp eq ptr {next}, null"));
        let [few, many, full, row, done] = [(); 5].map(|()| self.text.label());
        self.text.branch(&is_near, &few, &many);
        self.text.begin(&few);
        near(self);
        self.text.jump(&done);
        self.text.begin(&many);
        let end_field = self.offset(&slot.table, offset_of!(Table, end) as u64);
        let end = self.text.def(format_args!("load ptr, ptr {end_field}, align 8"));
        let is_full = self.text.def(format_args!("icmp eq ptr {next}, {end}"));
        self.text.branch_cold(&is_full, &full, &row);
        self.text.begin(&full);
        let flushed = self.call_or_null("weldment_table_flush", &["%frame", &slot.table]);
        let from_full = self.text.current();
        self.text.jump(&row);
        self.text.begin(&row);
        let place = self.text.def(format_args!("phi ptr [ {next}, {many} ], [ {flushed}, {from_full} ]"));
        for (i, word) in words.iter().enumerate() {
            let at = self.offset(&place, 8 * i as u64);
            self.text.line(format_args!("store i64 {word}, ptr {at}, align 8"));
        }
        let key_size = 8 * words.len() as u64;
        let at = self.offset(&place, key_size);
        self.store(&slot.value, value, &at);
        let after = self.offset(&place, key_size + Layout::of(&slot.value).size.next_multiple_of(8));
        self.text.line(format_args!("store ptr {after}, ptr {next_field}, align 8"));
        self.text.begin(&done);
    }

    /// Whether (1) or not (0) the program looks a key up in a dictionary that might be of these keys and values.
    fn is_searched(&self, key: &Type, value: &Type) -> u8 {
        let program = self.module.program;
        let mut is_searched = false;
        for_each_step(&program.body, &mut |step| {
            if let Step::Bind { op, .. } = step
                && let Some((dict, _)) = searches::searched(&program.values, op)
                && let Type::Dict(of, to) = self.ty(dict)
            {
                // Types may differ in names.
                is_searched |= leaves(of) == leaves(key) && leaves(to) == leaves(value);
            }
        });
        is_searched.into()
    }

    /// Ends the merging into a table, or into none.
    pub(in crate::llvm::emit) fn settle(
        &mut self,
        key: &Type,
        value: &Type,
        what: &Keyed,
        index: Index,
        table: &str,
    ) {
        if waits(key, value, what, index) {
            let is_searched = self.is_searched(key, value).to_string();
            self.call_status("weldment_table_settle", &["%frame", table, &is_searched]);
        }
    }
}
