//! Searching tables: by compiled code, where a key is scalars; else by the runtime.
//!
//! ```text
//! first = mix(tag) & mask                             (of several words, tag & mask)
//! probe: place = phi first, after
//!        br slots[place].entry == 0, missing, taken
//! taken: br slots[place].tag == tag, same, next       (and, of several words, the key of the entry is the same)
//! next:  after = (place + 1) & mask; br probe
//! ```

use std::mem::offset_of;

use weldment_core::ir::Value;
use weldment_runtime::types::Type;

use super::TableSlot;
use crate::llvm::emit::func::{Func, Val};
use crate::llvm::emit::text::{Label, Operand};
use crate::llvm::layout::Layout;
use crate::llvm::runtime::slots::{self, Slot};
use crate::llvm::runtime::table::Table;
use crate::loops::facts::index_of;
use crate::loops::{Index, Keyed};

impl Func<'_, '_> {
    /// Where the value of `key` stands in a dictionary, or null, for the look-up that gives `result`: another one may have
    /// found it.
    pub(in crate::llvm::emit) fn find(&mut self, dict: Value, key: Value, result: Value) -> Operand {
        let program = self.module.program;
        let shared = program.shared_searches.get(&result).and_then(|first| self.found.get(first));
        if let Some(found) = shared {
            return found.clone();
        }
        let found = self.search(dict, key);
        self.found.insert(result, found.clone());
        found
    }

    fn search(&mut self, dict: Value, key: Value) -> Operand {
        let Type::Dict(key_ty, item) = self.ty(dict) else { unreachable!("the verifier has seen to it") };
        let (val, table) = (self.get(key).clone(), self.leaf(dict));
        let index = index_of(key_ty);
        let Some(words) = self.words(key_ty, &val).filter(|words| !words.is_empty()) else {
            return self.search_slow(&table, key_ty, &val);
        };
        let [some, missing, found, done] = [(); 4].map(|()| self.text.label());
        let is_null = self.text.def(format_args!("icmp eq ptr {table}, null"));
        self.text.branch(&is_null, &missing, &some);
        self.text.begin(&some);
        let mut slow = None;
        let number = match index {
            Index::Direct { .. } => {
                let field = self.offset(&table, offset_of!(Table, direct) as u64);
                let direct = self.text.def(format_args!("load ptr, ptr {field}, align 8"));
                // A dictionary from outside has an index.
                let is_indexed = self.text.def(format_args!("icmp eq ptr {direct}, null"));
                let [other, own] = [(); 2].map(|()| self.text.label());
                self.text.branch_cold(&is_indexed, &other, &own);
                self.text.begin(&other);
                let place = self.search_slow(&table, key_ty, &val);
                slow = Some((place, self.text.current()));
                self.text.jump(&done);
                self.text.begin(&own);
                let number = self.direct_number(&direct, &words[0]);
                let is_missing = self.text.def(format_args!("icmp eq i64 {number}, 0"));
                self.text.branch(&is_missing, &missing, &found);
                number
            }
            Index::Hash => self.probe(&table, key_ty, &words, &found, &missing),
        };
        self.text.begin(&found);
        let place = self.place_of(&table, item, &number);
        let from_found = self.text.current();
        self.text.jump(&done);
        self.text.begin(&missing);
        self.text.jump(&done);
        self.text.begin(&done);
        let slow = slow.map(|(place, from)| format!(", [ {place}, {from} ]")).unwrap_or_default();
        self.text.def(format_args!("phi ptr [ {place}, {from_found} ], [ null, {missing} ]{slow}"))
    }

    fn search_slow(&mut self, table: &str, ty: &Type, key: &Val) -> Operand {
        let key = self.key(ty, key);
        self.call("weldment_table_find", &[table, &key.words, &key.number.to_string(), &key.place])
    }

    /// Where the value of `key` stands, which is new if the table says that it is fresh.
    pub(super) fn entry(&mut self, slot: &TableSlot, key: &Val) -> Operand {
        let words = self.words(&slot.key, key);
        let [cold, warm, join] = [(); 3].map(|()| self.text.label());
        let number = match (&slot.direct, words) {
            (Some(direct), words) => {
                let word = words.and_then(|words| words.first().cloned());
                let number = self.direct_number(direct, &word.unwrap_or_else(|| "0".to_owned()));
                let is_new = self.text.def(format_args!("icmp eq i64 {number}, 0"));
                self.text.branch_cold(&is_new, &cold, &warm);
                number
            }
            (None, Some(words)) if !words.is_empty() => {
                self.probe(&slot.table, &slot.key, &words, &warm, &cold)
            }
            (None, _) => return self.entry_slow(slot, key),
        };
        self.text.begin(&cold);
        let inserted = self.entry_slow(slot, key);
        let from_cold = self.text.current();
        self.text.jump(&join);
        self.text.begin(&warm);
        if matches!(slot.what, Keyed::Fold(_)) {
            let fresh = self.offset(&slot.table, offset_of!(Table, fresh) as u64);
            self.text.line(format_args!("store i8 0, ptr {fresh}, align 1"));
        }
        let found = self.place_of(&slot.table, &slot.item(), &number);
        let from_warm = self.text.current();
        self.text.begin(&join);
        self.text.def(format_args!("phi ptr [ {inserted}, {from_cold} ], [ {found}, {from_warm} ]"))
    }

    /// Of the key that is `word`, 0 or 1 more than the number of its entry, in a direct table.
    fn direct_number(&mut self, direct: &str, word: &str) -> Operand {
        let at = self.text.def(format_args!("getelementptr inbounds i32, ptr {direct}, i64 {word}"));
        let number = self.text.def(format_args!("load i32, ptr {at}, align 4"));
        self.text.def(format_args!("zext i32 {number} to i64"))
    }

    /// Searches the index of a table for the key of these `words`: goes on at `found`, with 1 more than the number of its
    /// entry, or at `missing`.
    fn probe(
        &mut self,
        table: &str,
        ty: &Type,
        words: &[Operand],
        found: &Label,
        missing: &Label,
    ) -> Operand {
        let [slots, mask] =
            [("ptr", offset_of!(Table, index)), ("i64", offset_of!(Table, mask))].map(|(llvm, offset)| {
                let field = self.offset(table, offset as u64);
                self.text.def(format_args!("load {llvm}, ptr {field}, align 8"))
            });
        let tag = self.tag(words);
        // The tag of several words is their hash.
        let hash = if words.len() == 1 { self.mix(&tag) } else { tag.clone() };
        let first = self.text.def(format_args!("and i64 {hash}, {mask}"));
        let before = self.text.current();
        let [probe, taken, next] = [(); 3].map(|()| self.text.label());
        let place = self.text.reserve();
        self.text.jump(&probe);
        self.text.begin(&probe);
        let after = self.text.reserve();
        self.text.line(format_args!("{place} = phi i64 [ {first}, {before} ], [ {after}, {next} ]"));
        let size = size_of::<Slot>();
        let at =
            self.text.def(format_args!("getelementptr inbounds [{size} x i8], ptr {slots}, i64 {place}"));
        let [other, number] = [offset_of!(Slot, tag), offset_of!(Slot, entry)].map(|offset| {
            let field = self.offset(&at, offset as u64);
            self.text.def(format_args!("load i64, ptr {field}, align 8"))
        });
        let is_free = self.text.def(format_args!("icmp eq i64 {number}, 0"));
        self.text.branch(&is_free, missing, &taken);
        self.text.begin(&taken);
        let is_same = self.text.def(format_args!("icmp eq i64 {other}, {tag}"));
        if words.len() == 1 {
            self.text.branch(&is_same, found, &next);
        } else {
            let same = self.text.label();
            self.text.branch(&is_same, &same, &next);
            self.text.begin(&same);
            let is_key = self.is_key(table, ty, words, &number);
            self.text.branch(&is_key, found, &next);
        }
        self.text.begin(&next);
        let beside = self.text.def(format_args!("add i64 {place}, 1"));
        self.text.line(format_args!("{after} = and i64 {beside}, {mask}"));
        self.text.jump(&probe);
        number
    }

    /// Whether these are the words of the key of the entry before `number`.
    fn is_key(&mut self, table: &str, ty: &Type, words: &[Operand], number: &str) -> Operand {
        let field = self.offset(table, offset_of!(Table, keys) as u64);
        let keys = self.text.def(format_args!("load ptr, ptr {field}, align 8"));
        let entry = self.text.def(format_args!("add nsw i64 {number}, -1"));
        let at = self.element(&keys, &entry, ty);
        let key = self.load(ty, &at);
        let others = self.words(ty, &key).unwrap_or_default();
        words.iter().zip(others).fold("true".to_owned(), |all, (word, other)| {
            let is_same = self.text.def(format_args!("icmp eq i64 {word}, {other}"));
            self.text.def(format_args!("and i1 {all}, {is_same}"))
        })
    }

    /// Where the value of the entry stands that is one before `number`.
    fn place_of(&mut self, table: &str, item: &Type, number: &str) -> Operand {
        let field = self.offset(table, offset_of!(Table, values) as u64);
        let values = self.text.def(format_args!("load ptr, ptr {field}, align 8"));
        let entry = self.text.def(format_args!("add nsw i64 {number}, -1"));
        match Layout::of(item).size {
            0 => values,
            size => {
                self.text.def(format_args!("getelementptr inbounds [{size} x i8], ptr {values}, i64 {entry}"))
            }
        }
    }

    /// What a key of these words has in its slot.
    fn tag(&mut self, words: &[Operand]) -> Operand {
        match words {
            [word] => word.clone(),
            words => words.iter().fold("0".to_owned(), |hash, word| {
                let word = self.text.def(format_args!("xor i64 {hash}, {word}"));
                self.mix(&word)
            }),
        }
    }

    /// [`slots::mix`].
    fn mix(&mut self, word: &str) -> Operand {
        let [whitener, factor] = slots::MIX;
        let white = self.text.def(format_args!("xor i64 {word}, {}", whitener as i64));
        let wide = self.text.def(format_args!("zext i64 {white} to i128"));
        let product = self.text.def(format_args!("mul nuw i128 {wide}, {factor}"));
        let low = self.text.def(format_args!("trunc i128 {product} to i64"));
        let above = self.text.def(format_args!("lshr i128 {product}, 64"));
        let high = self.text.def(format_args!("trunc i128 {above} to i64"));
        self.text.def(format_args!("xor i64 {low}, {high}"))
    }
}
