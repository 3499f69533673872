//! Hashing keys of scalars, and searching tables for them. For others the runtime searches.
//!
//! ```text
//! first = hash & mask
//! probe: place = phi first, after
//!        br slots[place].entry == 0, missing, taken
//! taken: br slots[place].tag == tag, same, next       (and, if the tag is a hash, the key of the entry is the same)
//! next:  after = (place + 1) & mask; br probe
//! ```

use std::mem::offset_of;

use weldment_core::ir::Value;
use weldment_runtime::lang::types::Type;

use super::TableSlot;
use crate::imp::{Combine, Known, is_direct};
use crate::llvm::layout::Layout;
use crate::llvm::print::builder::{Label, Operand};
use crate::llvm::print::func::{Func, Val};
use crate::llvm::runtime::dense::{self, DenseKeys};
use crate::llvm::runtime::slots::{FACTOR, SEED, Slot};
use crate::llvm::runtime::table::Table;

impl Func<'_, '_> {
    /// Where the value of `key` stands in a dictionary, or null, for the look-up that gives `result`: another one may have
    /// found it.
    pub(in crate::llvm::print) fn find(
        &mut self,
        dict: Value,
        key: Value,
        (result, known): (Value, Known),
    ) -> Operand {
        if let Known::Shared(first) = known
            && let Some(found) = self.found.get(&first)
        {
            return found.clone();
        }
        let found = self.search(dict, key);
        self.found.insert(result, found.clone());
        found
    }

    fn search(&mut self, dict: Value, key: Value) -> Operand {
        let Type::Dict(key_ty, item) = self.ty(dict) else { unreachable!("the verifier has seen to it") };
        let (val, table) = (self.get(key).clone(), self.leaf(dict));
        let is_direct = is_direct(key_ty);
        let Some(words) = self.sought(key_ty, &val) else {
            return self.search_slow(&table, key_ty, &val);
        };
        let [some, missing, found, done] = [(); 4].map(|()| self.text.label());
        let is_null = self.text.def(format_args!("icmp eq ptr {table}, null"));
        self.text.branch(&is_null, &missing, &some);
        self.text.begin(&some);
        let mut slow = None;
        let number = match (is_direct, &words[..]) {
            (true, [word, ..]) => {
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
                let number = self.direct_number(&direct, word);
                let is_missing = self.text.def(format_args!("icmp eq i64 {number}, 0"));
                self.text.branch(&is_missing, &missing, &found);
                number
            }
            (_, [word]) => self.search_dense(&table, word, &missing, |this, probed| {
                this.probe(&table, key_ty, &words, probed, &missing)
            }),
            _ => self.probe(&table, key_ty, &words, &found, &missing),
        };
        self.text.begin(&found);
        let values = self.values_of(&table);
        let place = self.place_in(&values, item, &number);
        let from_found = self.text.current();
        self.text.jump(&done);
        self.text.begin(&missing);
        self.text.jump(&done);
        self.text.begin(&done);
        let slow = slow.map(|(place, from)| format!(", [ {place}, {from} ]")).unwrap_or_default();
        self.text.def(format_args!("phi ptr [ {place}, {from_found} ], [ null, {missing} ]{slow}"))
    }

    /// Searches for a key of one word: by what is known of keys that are close, or else as `probe` does. Goes on behind this,
    /// with 1 more than the number of its entry, or at `missing`.
    fn search_dense(
        &mut self,
        table: &str,
        word: &str,
        missing: &Label,
        probe: impl FnOnce(&mut Self, &Label) -> Operand,
    ) -> Operand {
        let close = self.offset(table, offset_of!(Table, close) as u64);
        let fields = [
            offset_of!(DenseKeys, kind),
            offset_of!(DenseKeys, least),
            offset_of!(DenseKeys, range),
            offset_of!(DenseKeys, words),
        ];
        let [kind, least, range] = [0, 1, 2].map(|i: usize| {
            let field = self.offset(&close, fields[i] as u64);
            self.text.def(format_args!("load i64, ptr {field}, align 8"))
        });
        let field = self.offset(&close, fields[3] as u64);
        let array = self.text.def(format_args!("load ptr, ptr {field}, align 8"));
        let [small, inside, dense, bitmap, any, probed, found] = [(); 7].map(|()| self.text.label());
        let is_dense = self.text.def(format_args!("icmp ne i64 {kind}, {}", dense::NOTHING));
        self.text.branch(&is_dense, &small, &any);
        self.text.begin(&small);
        let at = self.text.def(format_args!("sub i64 {word}, {least}"));
        let is_inside = self.text.def(format_args!("icmp ult i64 {at}, {range}"));
        self.text.branch(&is_inside, &inside, missing);
        self.text.begin(&inside);
        let is_dense = self.text.def(format_args!("icmp eq i64 {kind}, {}", dense::DENSE));
        self.text.branch(&is_dense, &dense, &bitmap);
        self.text.begin(&dense);
        let direct = self.direct_number(&array, &at);
        let is_missing = self.text.def(format_args!("icmp eq i64 {direct}, 0"));
        let from_dense = self.text.current();
        self.text.branch(&is_missing, missing, &found);
        self.text.begin(&bitmap);
        let number = self.text.def(format_args!("lshr i64 {at}, 6"));
        let place = self.text.def(format_args!("getelementptr inbounds i64, ptr {array}, i64 {number}"));
        let bits = self.text.def(format_args!("load i64, ptr {place}, align 8"));
        let within = self.text.def(format_args!("and i64 {at}, 63"));
        let shifted = self.text.def(format_args!("lshr i64 {bits}, {within}"));
        let passes = self.text.def(format_args!("trunc i64 {shifted} to i1"));
        self.text.branch(&passes, &any, missing);
        self.text.begin(&any);
        let hashed = probe(self, &probed);
        self.text.begin(&probed);
        let from_probe = self.text.current();
        self.text.begin(&found);
        self.text.def(format_args!("phi i64 [ {direct}, {from_dense} ], [ {hashed}, {from_probe} ]"))
    }

    fn search_slow(&mut self, table: &str, ty: &Type, key: &Val) -> Operand {
        let key = self.key(ty, key);
        self.call("weldment_table_find", &[table, &key.words, &key.number.to_string(), &key.place])
    }

    /// Where the value of `key` stands, which is new if the table says that it is fresh.
    pub(super) fn entry(&mut self, slot: &TableSlot, key: &Val) -> Operand {
        if let Some(ahead) = &slot.ahead {
            return self.entry_ahead(slot, ahead);
        }
        let words = self.sought(&slot.key, key);
        let [cold, warm, join] = [(); 3].map(|()| self.text.label());
        let number = match (&slot.direct, words) {
            (Some(direct), words) => {
                let word = words.as_ref().map_or("0", |words| &words[0]);
                let number = self.direct_number(direct, word);
                let is_new = self.text.def(format_args!("icmp eq i64 {number}, 0"));
                self.text.branch_cold(&is_new, &cold, &warm);
                number
            }
            (None, Some(words)) => self.probe(&slot.table, &slot.key, &words, &warm, &cold),
            (None, None) => return self.entry_slow(slot, key),
        };
        self.text.begin(&cold);
        let inserted = self.entry_slow(slot, key);
        if let Some(values) = &slot.values {
            self.keep_values(&slot.table, values);
        }
        let from_cold = self.text.current();
        self.text.jump(&join);
        self.text.begin(&warm);
        if matches!(slot.combine, Combine::Func(_)) {
            let fresh = self.offset(&slot.table, offset_of!(Table, fresh) as u64);
            self.text.line(format_args!("store i8 0, ptr {fresh}, align 1"));
        }
        let values = match &slot.values {
            Some(values) => self.text.def(format_args!("load ptr, ptr {values}, align 8")),
            None => self.values_of(&slot.table),
        };
        let found = self.place_in(&values, &slot.item(), &number);
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

    /// The words to search for; `None` if that is up to the runtime.
    fn sought(&mut self, ty: &Type, key: &Val) -> Option<Vec<Operand>> {
        self.words(ty, key).filter(|words| !words.is_empty())
    }

    /// Searches the index of a table for a key: goes on at `found`, with 1 more than the number of its entry, or at
    /// `missing`.
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
        let hash = self.hash(words);
        // Of a key of one word, that is its tag.
        let tag = if let [word] = words { word } else { &hash };
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
        match words {
            [_] => self.text.branch(&is_same, found, &next),
            _ => {
                let same = self.text.label();
                self.text.branch(&is_same, &same, &next);
                self.text.begin(&same);
                let is_key = self.is_key(table, ty, words, &number);
                self.text.branch(&is_key, found, &next);
            }
        }
        self.text.begin(&next);
        let beside = self.text.def(format_args!("add i64 {place}, 1"));
        self.text.line(format_args!("{after} = and i64 {beside}, {mask}"));
        self.text.jump(&probe);
        number
    }

    /// Whether this is the key of the entry before `number`.
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

    /// Where the values of a table are.
    pub(super) fn values_of(&mut self, table: &str) -> Operand {
        let field = self.offset(table, offset_of!(Table, values) as u64);
        self.text.def(format_args!("load ptr, ptr {field}, align 8"))
    }

    /// Where the one of `values` stands that is of the entry before `number`.
    fn place_in(&mut self, values: &str, item: &Type, number: &str) -> Operand {
        let entry = self.text.def(format_args!("add nsw i64 {number}, -1"));
        match Layout::of(item).size {
            0 => values.to_owned(),
            size => {
                self.text.def(format_args!("getelementptr inbounds [{size} x i8], ptr {values}, i64 {entry}"))
            }
        }
    }

    /// The hash of a key of words.
    pub(super) fn hash(&mut self, words: &[Operand]) -> Operand {
        let text = || MIX.replace("FACTOR", &FACTOR.to_string());
        self.module.library.entry("key.mix".to_owned()).or_insert_with(text);
        words.iter().fold((SEED as i64).to_string(), |state, word| {
            self.text.def(format_args!("call i64 @key.mix(i64 {state}, i64 {word})"))
        })
    }
}

/// [`slots::mix`](crate::llvm::runtime::slots): the state after a word.
const MIX: &str = "\
define internal i64 @key.mix(i64 %state, i64 %word) alwaysinline nounwind willreturn memory(none) {
  %one = xor i64 %state, %word
  %wide = zext i64 %one to i128
  %product = mul nuw i128 %wide, FACTOR
  %low = trunc i128 %product to i64
  %above = lshr i128 %product, 64
  %high = trunc i128 %above to i64
  %mixed = xor i64 %low, %high
  ret i64 %mixed
}
";
