//! Merging into tables of words: into slots that hold key and value, and, once keys are many, to the buffers of partitions.
//!
//! ```text
//! probe:   br slots[place].key == key, found, other          (as in `probe.rs`)
//! other:   br slots[place].number == 0, missing, next
//! found:   slots[place].value op= value
//! missing: br len < room, insert, full
//! insert:  order[len++] = place; slots[place] = key, len, value
//! full:    br buffers == null, slow, many
//! many:    buffer = buffers[hash >> 55]; br buffer.len == buffer.capacity, slow, row
//! row:     buffer.rows[buffer.len++] = key, value, merges++
//! ```
//!
//! A table of many keys shows slots in which no key is found, so that those who have few keys need not ask whether it does.
//!
//! Where the slots are, and whether there are buffers, is in registers: only the runtime changes that, when it is called for a
//! key or a row that there is no room for.

use std::mem::offset_of;

use weldment_core::ir::Loc;
use weldment_runtime::key::hash::SEED;
use weldment_runtime::lang::types::Type;
use weldment_runtime::store::partition::{BUFFER_LAYOUT, OpenSlots, PREFETCHED_WRITES};

use super::probe::Places;
use crate::imp::{Combine, Packing};
use crate::llvm::layout::leaves;
use crate::llvm::print::builder::{Label, Operand};
use crate::llvm::print::func::Func;
use crate::llvm::print::loops::Access;
use crate::llvm::print::slots::{SmallTable, TableSlot};
use crate::llvm::print::val::Val;
use crate::llvm::runtime::table::Table;

/// How a row of a buffer is laid out, in bytes.
struct Row {
    /// How many bytes of a key of one word are written.
    key: u64,
    value: u64,
    /// Where the number of merges stands, if it does.
    merges: Option<u64>,
    size: u64,
}

impl Func<'_, '_> {
    /// What is known of the table at `table`.
    pub(super) fn open_small(&mut self, table: &str, parts: Packing) -> SmallTable {
        let [slots, mask, buffers] = ["ptr", "i64", "ptr"].map(|llvm| self.text.alloca(llvm));
        let small = SmallTable { slots, mask, buffers, parts };
        self.look_again(table, &small);
        small
    }

    /// Loads a field of what `table` shows.
    fn open_slots(&mut self, table: &str, llvm: &str, field: usize) -> Operand {
        self.load_word(table, llvm, (offset_of!(Table, open) + field) as u64)
    }

    /// Learns what the runtime may have changed.
    fn look_again(&mut self, table: &str, small: &SmallTable) {
        let fields = [
            ("ptr", &small.slots, offset_of!(OpenSlots, slots)),
            ("i64", &small.mask, offset_of!(OpenSlots, mask)),
            ("ptr", &small.buffers, offset_of!(OpenSlots, buffers)),
        ];
        for (llvm, local, field) in fields {
            let now = self.open_slots(table, llvm, field);
            self.text.line(format_args!("store {llvm} {now}, ptr {local}"));
        }
    }

    /// Tells a table of words that up to so many merges come.
    pub(in crate::llvm::print) fn expect_merges(&mut self, slot: &TableSlot, count: &str) {
        self.call_status("weldment_table_expect", &["%frame", &slot.table, count]);
        if let Some(small) = &slot.small {
            self.look_again(&slot.table, small);
        }
    }

    /// Merges `value` under the key with these words.
    pub(super) fn merge_small(
        &mut self,
        slot: &TableSlot,
        small: &SmallTable,
        words: &[Operand],
        value: &Val,
        loc: Loc,
    ) {
        let hash = words.iter().fold((SEED as i64).to_string(), |state, word| self.mix(&state, word));
        let [found, missing, insert, full, slow, many, done] = [(); 7].map(|()| self.text.label());
        let [place, at] = self.probe_small(small, words, &hash, [&found, &missing]);
        self.text.begin(&missing);
        let len_at = self.open_slots(&slot.table, "ptr", offset_of!(OpenSlots, len));
        let len = self.text.def(format_args!("load i64, ptr {len_at}, align 8"));
        let room = self.open_slots(&slot.table, "i64", offset_of!(OpenSlots, room));
        let has_room = self.text.def(format_args!("icmp ult i64 {len}, {room}"));
        self.text.branch(&has_room, &insert, &full);
        self.text.begin(&insert);
        for (i, word) in words.iter().enumerate() {
            let field = self.offset(&at, 8 * i as u64);
            let (llvm, word) = self.half_or_all(small.parts, word);
            self.text.line(format_args!("store {llvm} {word}, ptr {field}, align 4"));
        }
        let number = self.text.def(format_args!("add i64 {len}, 1"));
        let low = self.text.def(format_args!("trunc i64 {number} to i32"));
        let field = self.offset(&at, number_in_slot(small.parts));
        self.text.line(format_args!("store i32 {low}, ptr {field}, align 4"));
        let order = self.open_slots(&slot.table, "ptr", offset_of!(OpenSlots, order));
        let next = self.text.def(format_args!("getelementptr inbounds i32, ptr {order}, i64 {len}"));
        let place = self.text.def(format_args!("trunc i64 {place} to i32"));
        self.text.line(format_args!("store i32 {place}, ptr {next}, align 4"));
        self.text.line(format_args!("store i64 {number}, ptr {len_at}, align 8"));
        let value_at = self.offset(&at, value_in_slot(small.parts));
        self.store(&slot.value, value, &value_at);
        self.text.jump(&done);
        self.text.begin(&found);
        let value_at = self.offset(&at, value_in_slot(small.parts));
        self.put_at(slot.combine, &slot.value, &value_at, value, loc);
        self.text.jump(&done);
        self.text.begin(&full);
        let value = self.value_words(&slot.value, small.parts, value);
        let buffers = self.text.def(format_args!("load ptr, ptr {}", small.buffers));
        let is_few = self.text.def(format_args!("icmp eq ptr {buffers}, null"));
        self.text.branch_cold(&is_few, &slow, &many);
        self.text.begin(&many);
        self.append_row(row_of(small.parts, slot.combine), &buffers, [words, &value], &hash, &slow);
        self.text.jump(&done);
        self.text.begin(&slow);
        self.add_row(slot, small, [words, &value]);
        self.text.jump(&done);
        self.text.begin(&done);
    }

    /// Searches the slots for a key: goes on at `found` or at `missing`, with the number of its slot and where that is.
    fn probe_small(
        &mut self,
        small: &SmallTable,
        words: &[Operand],
        hash: &str,
        [found, missing]: [&Label; 2],
    ) -> [Operand; 2] {
        let start = self.text.def(format_args!("load ptr, ptr {}", small.slots));
        let mask = self.text.def(format_args!("load i64, ptr {}", small.mask));
        let size = value_in_slot(small.parts) + 8 * u64::from(small.parts.value);
        self.probe(&Places { start, mask, size }, hash, |this, at, next| {
            let mut is_key = "true".to_owned();
            for (i, word) in words.iter().enumerate() {
                let field = this.offset(at, 8 * i as u64);
                let (llvm, word) = this.half_or_all(small.parts, word);
                let held = this.text.def(format_args!("load {llvm}, ptr {field}, align 4"));
                let is_same = this.text.def(format_args!("icmp eq {llvm} {held}, {word}"));
                is_key = match i {
                    0 => is_same,
                    _ => this.text.def(format_args!("and i1 {is_key}, {is_same}")),
                };
            }
            let other = this.text.label();
            this.text.branch_often(&is_key, found, &other);
            this.text.begin(&other);
            let field = this.offset(at, number_in_slot(small.parts));
            let number = this.text.def(format_args!("load i32, ptr {field}, align 4"));
            let is_free = this.text.def(format_args!("icmp eq i32 {number}, 0"));
            this.text.branch(&is_free, missing, next);
        })
    }

    /// A word as the slots have it, with its type.
    fn half_or_all(&mut self, parts: Packing, word: &str) -> (&'static str, Operand) {
        match parts.narrow {
            true => ("i32", self.text.def(format_args!("trunc i64 {word} to i32"))),
            false => ("i64", word.to_owned()),
        }
    }

    /// Appends a row, of the words of a key and of a value, to the buffer of its partition, or goes on at `full`.
    fn append_row(
        &mut self,
        row: Row,
        buffers: &str,
        [words, value]: [&[Operand]; 2],
        hash: &str,
        full: &Label,
    ) {
        let room = self.text.label();
        let mut buffer = self.offset(buffers, BUFFER_LAYOUT.first as u64);
        if row.merges.is_some() {
            let number = self.text.def(format_args!("lshr i64 {hash}, {}", u64::BITS - BUFFER_LAYOUT.bits));
            let step = BUFFER_LAYOUT.step;
            let at = format_args!("getelementptr inbounds [{step} x i8], ptr {buffer}, i64 {number}");
            buffer = self.text.def(at);
        }
        let len_field = self.offset(&buffer, BUFFER_LAYOUT.len as u64);
        let [len, capacity] = [BUFFER_LAYOUT.len, BUFFER_LAYOUT.capacity].map(|offset| {
            let field = self.offset(&buffer, offset as u64);
            self.text.def(format_args!("load i64, ptr {field}, align 8"))
        });
        let is_full = self.text.def(format_args!("icmp eq i64 {len}, {capacity}"));
        self.text.branch_cold(&is_full, full, &room);
        self.text.begin(&room);
        let rows_field = self.offset(&buffer, BUFFER_LAYOUT.rows as u64);
        let rows = self.text.def(format_args!("load ptr, ptr {rows_field}, align 8"));
        let size = row.size;
        let at = self.text.def(format_args!("getelementptr inbounds [{size} x i8], ptr {rows}, i64 {len}"));
        for (i, word) in words.iter().enumerate() {
            match row.key {
                4 => {
                    let narrow = self.text.def(format_args!("trunc i64 {word} to i32"));
                    self.text.line(format_args!("store i32 {narrow}, ptr {at}, align 4"));
                }
                _ => {
                    let place = self.offset(&at, 8 * i as u64);
                    self.text.line(format_args!("store i64 {word}, ptr {place}, align 4"));
                }
            }
        }
        let place = self.offset(&at, row.value);
        for (i, word) in value.iter().enumerate() {
            let place = self.offset(&place, 8 * i as u64);
            self.text.line(format_args!("store i64 {word}, ptr {place}, align 4"));
        }
        if let Some(offset) = row.merges {
            let field = self.offset(buffers, BUFFER_LAYOUT.merges as u64);
            let merges = self.text.def(format_args!("load i64, ptr {field}, align 8"));
            let low = self.text.def(format_args!("trunc i64 {merges} to i32"));
            let place = self.offset(&at, offset);
            self.text.line(format_args!("store i32 {low}, ptr {place}, align 4"));
            let more = self.text.def(format_args!("add i64 {merges}, 1"));
            self.text.line(format_args!("store i64 {more}, ptr {field}, align 8"));
            let ahead = self.offset(&at, PREFETCHED_WRITES as u64 * size);
            self.prefetch_line(Access::Read, &ahead);
        }
        let longer = self.text.def(format_args!("add i64 {len}, 1"));
        self.text.line(format_args!("store i64 {longer}, ptr {len_field}, align 8"));
    }

    /// Leaves a row, of the words of a key and of a value, to the runtime.
    fn add_row(&mut self, slot: &TableSlot, small: &SmallTable, row: [&[Operand]; 2]) {
        let mut args = vec!["%frame".to_owned(), slot.table.clone()];
        for words in row {
            let block = self.text.alloca(format_args!("[{} x i64]", words.len()));
            for (i, word) in words.iter().enumerate() {
                let at = self.offset(&block, 8 * i as u64);
                self.text.line(format_args!("store i64 {word}, ptr {at}, align 8"));
            }
            args.extend([block, words.len().to_string()]);
        }
        self.call_status("weldment_table_add", &args);
        self.look_again(&slot.table, small);
    }

    /// The words of a value in memory.
    fn value_words(&mut self, ty: &Type, parts: Packing, value: &Val) -> Vec<Operand> {
        let block = self.text.alloca(format_args!("[{} x i64]", parts.value));
        let taken: u64 = leaves(ty).iter().map(|leaf| leaf.kind.size()).sum();
        for i in (0..parts.value).filter(|_| taken < 8 * parts.value as u64) {
            // What is between leaves is read with them.
            let at = self.offset(&block, 8 * i as u64);
            self.text.line(format_args!("store i64 0, ptr {at}, align 8"));
        }
        self.store(ty, value, &block);
        (0..parts.value)
            .map(|i| {
                let at = self.offset(&block, 8 * i as u64);
                self.text.def(format_args!("load i64, ptr {at}, align 8"))
            })
            .collect()
    }
}

fn row_of(parts: Packing, combine: Combine) -> Row {
    let has_merges = combine != Combine::Last;
    let is_narrow = has_merges && parts.narrow;
    let key = if is_narrow { 4 } else { 8 };
    let value = if is_narrow { 4 } else { 8 * u64::from(parts.key) };
    let end = value + 8 * u64::from(parts.value);
    let merges = has_merges.then_some(end);
    Row { key, value, merges, size: end + if has_merges { 4 } else { 0 } }
}

/// Where the number of the key stands in a slot.
fn number_in_slot(parts: Packing) -> u64 {
    if parts.narrow { 4 } else { 8 * u64::from(parts.key) }
}

/// Where the value stands in a slot.
fn value_in_slot(parts: Packing) -> u64 {
    (number_in_slot(parts) + 4).next_multiple_of(8)
}
