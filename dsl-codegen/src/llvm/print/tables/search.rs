//! Searching tables: by compiled code, where a key is scalars or a vector of integers; else by the runtime.
//!
//! ```text
//! probe: br places[place] == 0, missing, taken                    (as in `probe.rs`)
//! taken: br (places[place] ^ hash) >> TAG_SHIFT == 0, same, next
//! same:  br the key of the entry is the one, found, next
//! ```

use std::mem::offset_of;

use weldment_core::ir::Value;
use weldment_runtime::key::hash::SEED;
use weldment_runtime::lang::types::Type;
use weldment_runtime::store::table::dense;
use weldment_runtime::store::table::tagged::{TAG_SHIFT, Tagged};

use crate::imp::{Combine, Known, is_direct};
use crate::llvm::layout::Layout;
use crate::llvm::print::builder::{Label, Operand};
use crate::llvm::print::func::Func;
use crate::llvm::print::loops::Access;
use crate::llvm::print::slots::TableSlot;
use crate::llvm::print::tables::probe::Places;
use crate::llvm::print::val::Val;
use crate::llvm::runtime::compare;
use crate::llvm::runtime::table::Table;

/// What compiled code searches for.
enum Sought {
    /// The words of a key of scalars, one or more.
    Words(Vec<Operand>),
    /// The elements of a vector of integers.
    Bytes(Bytes),
}

/// The elements of a vector as bytes.
struct Bytes {
    at: Operand,
    len: Operand,
}

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
        let Some(sought) = self.sought(key_ty, &val) else {
            return self.search_slow(&table, key_ty, &val);
        };
        let [some, missing, found, done] = [(); 4].map(|()| self.text.label());
        let is_null = self.text.def(format_args!("icmp eq ptr {table}, null"));
        self.text.branch(&is_null, &missing, &some);
        self.text.begin(&some);
        let mut slow = None;
        let number = match (is_direct, &sought) {
            (true, Sought::Words(words)) => {
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
            (_, Sought::Words(words)) if words.len() == 1 => {
                let word = words[0].clone();
                self.search_dense(&table, &word, &missing, |this, probed| {
                    this.search_index(&table, key_ty, &sought, [probed, &missing])
                })
            }
            (_, Sought::Bytes(_)) => self.search_bytes(&table, key_ty, &sought, None, &missing),
            _ => self.search_index(&table, key_ty, &sought, [&found, &missing]),
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

    /// Prefetches where the search for `key`, of scalars, begins in a dictionary of many keys.
    pub(in crate::llvm::print) fn prefetch_place(&mut self, dict: Value, key: Value) {
        let (Type::Dict(key_ty, _), val) = (self.ty(dict), self.get(key).clone()) else { return };
        let Some(sought @ Sought::Words(words)) = &self.sought(key_ty, &val) else { return };
        let table = self.leaf(dict);
        let mut place = self.first_place(&table, sought);
        if let [word] = &words[..] {
            let [kind, least, array] = self.close_keys(&table);
            let is_dense = self.text.def(format_args!("icmp eq i64 {kind}, {}", dense::DENSE));
            let at = self.text.def(format_args!("sub i64 {word}, {least}"));
            let close = self.text.def(format_args!("getelementptr i32, ptr {array}, i64 {at}"));
            place = self.text.def(format_args!("select i1 {is_dense}, ptr {close}, ptr {place}"));
        }
        self.prefetch_line(Access::Read, &place);
    }

    /// Prefetches what the entry says that stands where the search for `key` begins: its key and its value.
    pub(in crate::llvm::print) fn prefetch_found(&mut self, dict: Value, key: Value) {
        let (Type::Dict(key_ty, item), val) = (self.ty(dict), self.get(key).clone()) else { return };
        let Some(sought @ Sought::Words(words)) = &self.sought(key_ty, &val) else { return };
        let table = self.leaf(dict);
        let place = self.first_place(&table, sought);
        let entry = self.text.def(format_args!("load i64, ptr {place}, align 8"));
        let mut number = self.number_of(&entry);
        if let [word] = &words[..] {
            // Where keys are close, there is no other index, and its only place is free.
            let [kind, least, array] = self.close_keys(&table);
            let field = self.offset(&table, offset_of!(Table, close.len) as u64);
            let range = self.text.def(format_args!("load i64, ptr {field}, align 8"));
            let is_dense = self.text.def(format_args!("icmp eq i64 {kind}, {}", dense::DENSE));
            let at = self.text.def(format_args!("sub i64 {word}, {least}"));
            let is_inside = self.text.def(format_args!("icmp ult i64 {at}, {range}"));
            let both = self.text.def(format_args!("and i1 {is_dense}, {is_inside}"));
            let [close, done] = [(); 2].map(|()| self.text.label());
            let from_index = self.text.current();
            self.text.branch(&both, &close, &done);
            self.text.begin(&close);
            let direct = self.direct_number(&array, &at);
            let from_close = self.text.current();
            self.text.begin(&done);
            number =
                self.text.def(format_args!("phi i64 [ {number}, {from_index} ], [ {direct}, {from_close} ]"));
        }
        for (elements, ty) in [(self.values_of(&table), item), (self.keys_of(&table), key_ty)] {
            // Of no entry, this is in front of them.
            let (size, entry) =
                (Layout::of(ty).size, self.text.def(format_args!("add nsw i64 {number}, -1")));
            let place =
                self.text.def(format_args!("getelementptr [{size} x i8], ptr {elements}, i64 {entry}"));
            self.prefetch_line(Access::Read, &place);
        }
    }

    /// The first place of the index where a key is searched for.
    fn first_place(&mut self, table: &str, sought: &Sought) -> Operand {
        let Places { start, mask, size } = self.places::<Tagged>(table, offset_of!(Table, index));
        let hash = self.hash(sought);
        let place = self.text.def(format_args!("and i64 {hash}, {mask}"));
        self.text.def(format_args!("getelementptr [{size} x i8], ptr {start}, i64 {place}"))
    }

    /// Of keys that are close: which kind of them, the least, and where they are.
    fn close_keys(&mut self, table: &str) -> [Operand; 3] {
        [
            ("i64", offset_of!(Table, close.kind)),
            ("i64", offset_of!(Table, close.least)),
            ("ptr", offset_of!(Table, close.words)),
        ]
        .map(|(llvm, offset)| {
            let field = self.offset(table, offset as u64);
            self.text.def(format_args!("load {llvm}, ptr {field}, align 8"))
        })
    }

    /// Searches for a key of one word: by what is known of keys that are close, or else in the index. Goes on behind this,
    /// with 1 more than the number of its entry, or at `missing`.
    fn search_dense(
        &mut self,
        table: &str,
        word: &str,
        missing: &Label,
        probe: impl FnOnce(&mut Self, &Label) -> Operand,
    ) -> Operand {
        let [kind, least, range, array] = [
            ("i64", offset_of!(Table, close.kind)),
            ("i64", offset_of!(Table, close.least)),
            ("i64", offset_of!(Table, close.len)),
            ("ptr", offset_of!(Table, close.words)),
        ]
        .map(|(llvm, offset)| {
            let field = self.offset(table, offset as u64);
            self.text.def(format_args!("load {llvm}, ptr {field}, align 8"))
        });
        let [small, inside, dense, bitmap, any, probed, found] = [(); 7].map(|()| self.text.label());
        let is_dense = self.text.def(format_args!("icmp ne i64 {kind}, {}", dense::UNKNOWN));
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

    /// Searches for a key of bytes, of which the hash may be known if they are few: where those of few are, or else in the index. Goes on behind this, with 1 more than the number
    /// of its entry, or at `missing`.
    fn search_bytes(
        &mut self,
        table: &str,
        ty: &Type,
        sought: &Sought,
        hash: Option<&str>,
        missing: &Label,
    ) -> Operand {
        let Sought::Bytes(bytes) = sought else { unreachable!("the caller has seen to it") };
        let [short, long, probed, found] = [(); 4].map(|()| self.text.label());
        let is_short = self.is_short(&bytes.len);
        self.text.branch(&is_short, &short, &long);
        self.text.begin(&short);
        let number = self.search_short(table, [&bytes.at, &bytes.len], hash);
        let is_missing = self.text.def(format_args!("icmp eq i64 {number}, 0"));
        let from_short = self.text.current();
        self.text.branch_cold(&is_missing, missing, &found);
        self.text.begin(&long);
        let hashed = self.search_index(table, ty, sought, [&probed, missing]);
        self.text.begin(&probed);
        let from_probe = self.text.current();
        self.text.begin(&found);
        self.text.def(format_args!("phi i64 [ {number}, {from_short} ], [ {hashed}, {from_probe} ]"))
    }

    fn search_slow(&mut self, table: &str, ty: &Type, key: &Val) -> Operand {
        let key = self.spill(ty, key);
        self.call("weldment_table_find", &[table, &key])
    }

    /// Where the value of `key` stands, which is new if the table says that it is fresh.
    pub(super) fn entry(&mut self, slot: &TableSlot, key: &Val) -> Operand {
        let sought = self.sought(&slot.key, key);
        let [cold, warm, join] = [(); 3].map(|()| self.text.label());
        let number = match (&slot.direct, sought) {
            (Some(direct), sought) => {
                let word = match &sought {
                    Some(Sought::Words(words)) => &*words[0],
                    _ => "0",
                };
                let number = self.direct_number(direct, word);
                let is_new = self.text.def(format_args!("icmp eq i64 {number}, 0"));
                self.text.branch_cold(&is_new, &cold, &warm);
                number
            }
            (None, Some(sought @ Sought::Bytes(_))) => {
                let number = self.search_bytes(&slot.table, &slot.key, &sought, slot.hash.as_deref(), &cold);
                self.text.jump(&warm);
                number
            }
            (None, Some(sought)) => self.search_index(&slot.table, &slot.key, &sought, [&warm, &cold]),
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

    /// What a search for a key begins with; `None` if it is the runtime's.
    fn sought(&mut self, ty: &Type, key: &Val) -> Option<Sought> {
        match self.words(ty, key) {
            Some(words) => (!words.is_empty()).then_some(Sought::Words(words)),
            None => self.bytes_of(ty, key).map(Sought::Bytes),
        }
    }

    fn bytes_of(&mut self, ty: &Type, key: &Val) -> Option<Bytes> {
        let size = compare::size_of_elements(ty)?;
        let [at, number] = &key.leaves[..] else { return None };
        let len = match size {
            1 => number.clone(),
            _ => self.text.def(format_args!("mul i64 {number}, {size}")),
        };
        Some(Bytes { at: at.clone(), len })
    }

    /// Searches the index of a table for a key: goes on at `found`, with 1 more than the number of its entry, or at
    /// `missing`.
    fn search_index(
        &mut self,
        table: &str,
        ty: &Type,
        sought: &Sought,
        [found, missing]: [&Label; 2],
    ) -> Operand {
        let places = self.places::<Tagged>(table, offset_of!(Table, index));
        let hash = self.hash(sought);
        let mut number = Operand::new();
        self.probe(&places, &hash, |this, at, next| {
            let entry = this.text.def(format_args!("load i64, ptr {at}, align 8"));
            let [taken, same] = [(); 2].map(|()| this.text.label());
            let is_free = this.text.def(format_args!("icmp eq i64 {entry}, 0"));
            this.text.branch(&is_free, missing, &taken);
            this.text.begin(&taken);
            let differs = this.text.def(format_args!("xor i64 {entry}, {hash}"));
            let tags_differ = this.text.def(format_args!("lshr i64 {differs}, {TAG_SHIFT}"));
            let is_same = this.text.def(format_args!("icmp eq i64 {tags_differ}, 0"));
            this.text.branch(&is_same, &same, next);
            this.text.begin(&same);
            number = this.number_of(&entry);
            let is_key = this.is_key(table, ty, sought, &number);
            this.text.branch(&is_key, found, next);
        });
        number
    }

    /// What an entry of an index has below its tag: 1 more than the number of the key's entry in the table, or 0.
    fn number_of(&mut self, entry: &str) -> Operand {
        self.text.def(format_args!("and i64 {entry}, {}", (1u64 << TAG_SHIFT) - 1))
    }

    /// Whether this is the key of the entry before `number`.
    fn is_key(&mut self, table: &str, ty: &Type, sought: &Sought, number: &str) -> Operand {
        let keys = self.keys_of(table);
        let entry = self.text.def(format_args!("add nsw i64 {number}, -1"));
        let at = self.element(&keys, &entry, ty);
        let key = self.load(ty, &at);
        let words = match sought {
            Sought::Words(words) => words,
            Sought::Bytes(bytes) => {
                let other = self.bytes_of(ty, &key).expect("keys are of one type");
                return self.same_bytes([&bytes.at, &bytes.len], [&other.at, &other.len]);
            }
        };
        let others = self.words(ty, &key).unwrap_or_default();
        words.iter().zip(others).fold("true".to_owned(), |all, (word, other)| {
            let is_same = self.text.def(format_args!("icmp eq i64 {word}, {other}"));
            self.text.def(format_args!("and i1 {all}, {is_same}"))
        })
    }

    /// Where the keys of a table are.
    fn keys_of(&mut self, table: &str) -> Operand {
        let field = self.offset(table, offset_of!(Table, keys) as u64);
        self.text.def(format_args!("load ptr, ptr {field}, align 8"))
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

    /// The hash of a key.
    fn hash(&mut self, sought: &Sought) -> Operand {
        match sought {
            Sought::Words(words) => {
                let seed = (SEED as i64).to_string();
                words.iter().fold(seed, |state, word| self.mix(&state, word))
            }
            Sought::Bytes(bytes) => self.hash_bytes(&bytes.at, &bytes.len),
        }
    }
}
