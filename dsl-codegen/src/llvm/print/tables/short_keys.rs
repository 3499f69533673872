//! Keys of few bytes, such as words: compiled code finds their [`Place`]s as the runtime does, and
//! hashes those of some rows ahead as [`HashPrefetch`](weldment_runtime::store::table::hashed::HashPrefetch).

use std::mem::offset_of;

use weldment_runtime::exec::cpu::PREFETCHED_ROWS;
use weldment_runtime::key::hash::{BYTES, Short};
use weldment_runtime::store::table::short_keys::{LEN_SHIFT, Place};

use super::bytes::with_numbers;
use super::probe::Places;
use weldment_core::ir::Value;

use crate::imp::{Action, Block, Stmt, StoreId};
use crate::llvm::engine::error::EngineError;
use crate::llvm::layout::header;
use crate::llvm::print::builder::Operand;
use crate::llvm::print::func::Func;
use crate::llvm::print::slots::Slot;
use crate::llvm::runtime::table::Table;

/// The type of the words of a key.
const FOUR: &str = "{ i64, i64, i64, i64 }";

/// All of one to seven bytes: a word that is the same for no others of the same number.
const FEW: &str = "\
define internal i64 @bytes.few(ptr readonly %bytes, i64 %len) alwaysinline nounwind willreturn memory(argmem: read) {
  %end = getelementptr inbounds i8, ptr %bytes, i64 %len
  %is_half = icmp ugt i64 %len, 3
  br i1 %is_half, label %four, label %few
four:
  %front = load i32, ptr %bytes, align 1
  %back.at = getelementptr inbounds i8, ptr %end, i64 -4
  %back = load i32, ptr %back.at, align 1
  %low = zext i32 %front to i64
  %above = zext i32 %back to i64
  %high = shl nuw i64 %above, 32
  %four.word = or disjoint i64 %low, %high
  ret i64 %four.word
few:
  %b0 = load i8, ptr %bytes, align 1
  %has1 = icmp ugt i64 %len, 1
  %at1 = zext i1 %has1 to i64
  %place1 = getelementptr inbounds i8, ptr %bytes, i64 %at1
  %second = load i8, ptr %place1, align 1
  %b1 = select i1 %has1, i8 %second, i8 0
  %place2 = getelementptr inbounds i8, ptr %end, i64 -1
  %third = load i8, ptr %place2, align 1
  %has2 = icmp ugt i64 %len, 2
  %b2 = select i1 %has2, i8 %third, i8 0
  %w0 = zext i8 %b0 to i64
  %w1 = zext i8 %b1 to i64
  %w2 = zext i8 %b2 to i64
  %s1 = shl nuw i64 %w1, 8
  %s2 = shl nuw i64 %w2, 16
  %two = or disjoint i64 %w0, %s1
  %few.word = or disjoint i64 %two, %s2
  ret i64 %few.word
}
";

/// The words of a key of at most as many bytes as a short one has.
const WORDS: &str = "\
define internal { i64, i64, i64, i64 } @bytes.words(ptr readonly %bytes, i64 %len) alwaysinline nounwind willreturn memory(argmem: read) {
  %has_eight = icmp ugt i64 %len, 7
  br i1 %has_eight, label %medium, label %fewer
medium:
  %end.at = add nsw i64 %len, -8
  %w1.at = call i64 @llvm.umin.i64(i64 %end.at, i64 8)
  %w2.at = call i64 @llvm.umin.i64(i64 %end.at, i64 16)
  %w1.place = getelementptr inbounds i8, ptr %bytes, i64 %w1.at
  %w2.place = getelementptr inbounds i8, ptr %bytes, i64 %w2.at
  %w3.place = getelementptr inbounds i8, ptr %bytes, i64 %end.at
  %m0 = load i64, ptr %bytes, align 1
  %m1 = load i64, ptr %w1.place, align 1
  %m2 = load i64, ptr %w2.place, align 1
  %m3 = load i64, ptr %w3.place, align 1
  br label %words
fewer:
  %is_none = icmp eq i64 %len, 0
  br i1 %is_none, label %words, label %few
few:
  %all = call i64 @bytes.few(ptr %bytes, i64 %len)
  br label %words
words:
  %w0 = phi i64 [ %m0, %medium ], [ 0, %fewer ], [ %all, %few ]
  %w1 = phi i64 [ %m1, %medium ], [ 0, %fewer ], [ 0, %few ]
  %w2 = phi i64 [ %m2, %medium ], [ 0, %fewer ], [ 0, %few ]
  %w3 = phi i64 [ %m3, %medium ], [ 0, %fewer ], [ 0, %few ]
  %r0 = insertvalue { i64, i64, i64, i64 } poison, i64 %w0, 0
  %r1 = insertvalue { i64, i64, i64, i64 } %r0, i64 %w1, 1
  %r2 = insertvalue { i64, i64, i64, i64 } %r1, i64 %w2, 2
  %r3 = insertvalue { i64, i64, i64, i64 } %r2, i64 %w3, 3
  ret { i64, i64, i64, i64 } %r3
}
";

/// The hash of a short key of these words.
const HASH_SHORT: &str = "\
define internal i64 @bytes.hash_short({ i64, i64, i64, i64 } %words, i64 %len) alwaysinline nounwind willreturn memory(none) {
  %w0 = extractvalue { i64, i64, i64, i64 } %words, 0
  %w1 = extractvalue { i64, i64, i64, i64 } %words, 1
  %w2 = extractvalue { i64, i64, i64, i64 } %words, 2
  %w3 = extractvalue { i64, i64, i64, i64 } %words, 3
  %counted = add nuw nsw i64 %len, 1
  %spread = mul i64 %counted, FACTOR
  %first = add i64 %spread, SEED
  %p1 = mul i64 %w1, SECOND
  %p2 = mul i64 %w2, THIRD
  %s1 = add i64 %w0, %p1
  %s2 = add i64 %s1, %p2
  %front = xor i64 %first, %s2
  %back = xor i64 %w3, FACTOR
  %hash = call i64 @key.fold(i64 %front, i64 %back)
  ret i64 %hash
}
";

/// Hashes the keys of some rows, and prefetches where each of them is looked for and the elements of as many rows
/// behind. There are `left` rows, more than none; those that are not short have no hash. Not in line, since the loop that calls this
/// for one row of some would not have the registers that its other rows need.
const PREFETCH: &str = "\
define internal void @bytes.prefetch(ptr readonly %rows, i64 %left, ptr %places, i64 %mask, ptr %hashes) noinline nounwind {
  %some = call i64 @llvm.umin.i64(i64 %left, i64 AHEAD)
  br label %row
row:
  %at = phi i64 [ 0, %0 ], [ %next, %done ]
  %row.place = getelementptr inbounds [ROW x i8], ptr %rows, i64 %at
  %bytes.place = getelementptr inbounds i8, ptr %row.place, i64 ELEMENTS
  %len.place = getelementptr inbounds i8, ptr %row.place, i64 COUNT
  %bytes = load ptr, ptr %bytes.place, align 8
  %len = load i64, ptr %len.place, align 8
  %is_short = icmp ule i64 %len, MOST
  br i1 %is_short, label %short, label %done
short:
  %words = call { i64, i64, i64, i64 } @bytes.words(ptr %bytes, i64 %len)
  %hash = call i64 @bytes.hash_short({ i64, i64, i64, i64 } %words, i64 %len)
  %hash.place = getelementptr inbounds i64, ptr %hashes, i64 %at
  store i64 %hash, ptr %hash.place, align 8
  %number = and i64 %hash, %mask
  %first = getelementptr inbounds [SIZE x i8], ptr %places, i64 %number
  %last = getelementptr inbounds i8, ptr %first, i64 MARK
  call void @llvm.prefetch.p0(ptr %first, i32 0, i32 3, i32 1)
  call void @llvm.prefetch.p0(ptr %last, i32 0, i32 3, i32 1)
  br label %done
done:
  %behind = add nuw i64 %at, AHEAD
  %is_there = icmp ult i64 %behind, %left
  %other = select i1 %is_there, i64 %behind, i64 %at
  %other.row = getelementptr inbounds [ROW x i8], ptr %rows, i64 %other
  %other.place = getelementptr inbounds i8, ptr %other.row, i64 ELEMENTS
  %elements = load ptr, ptr %other.place, align 8
  call void @llvm.prefetch.p0(ptr %elements, i32 0, i32 3, i32 1)
  %next = add nuw i64 %at, 1
  %is_end = icmp eq i64 %next, %some
  br i1 %is_end, label %end, label %row
end:
  ret void
}
";

impl Func<'_, '_> {
    /// 0, or 1 more than the number of the entry in `table` of a key of `len` bytes, which are few enough, and of this hash where that
    /// is known.
    pub(super) fn search_short(
        &mut self,
        table: &str,
        [bytes, len]: [&str; 2],
        hash: Option<&str>,
    ) -> Operand {
        self.define_short_keys();
        let places = self.short_places(table);
        let words = self.text.def(format_args!("call {FOUR} @bytes.words(ptr {bytes}, i64 {len})"));
        let hash = match hash {
            Some(hash) => hash.to_owned(),
            None => self.text.def(format_args!("call i64 @bytes.hash_short({FOUR} {words}, i64 {len})")),
        };
        let counted = self.text.def(format_args!("add nuw nsw i64 {len}, 1"));
        let [same, other, done] = [(); 3].map(|()| self.text.label());
        let mut mark = Operand::new();
        self.probe(&places, &hash, |this, at, next| {
            let held = [0, 1, 2, 3].map(|word| {
                let offset = offset_of!(Place, words) + size_of::<u64>() * word;
                this.load_word(at, "i64", offset as u64)
            });
            mark = this.load_word(at, "i64", offset_of!(Place, mark) as u64);
            let held_len = this.text.def(format_args!("lshr i64 {mark}, {LEN_SHIFT}"));
            let mut differs = this.text.def(format_args!("xor i64 {counted}, {held_len}"));
            for (word, held) in held.iter().enumerate() {
                let sought = this.text.def(format_args!("extractvalue {FOUR} {words}, {word}"));
                let in_word = this.text.def(format_args!("xor i64 {sought}, {held}"));
                differs = this.text.def(format_args!("or i64 {differs}, {in_word}"));
            }
            let is_same = this.text.def(format_args!("icmp eq i64 {differs}, 0"));
            this.text.branch(&is_same, &same, &other);
            this.text.begin(&other);
            let is_free = this.text.def(format_args!("icmp eq i64 {mark}, 0"));
            this.text.branch(&is_free, &done, next);
        });
        self.text.begin(&same);
        let slot = self.text.def(format_args!("and i64 {mark}, {}", (1u64 << LEN_SHIFT) - 1));
        let number = self.text.def(format_args!("add nuw nsw i64 {slot}, 1"));
        self.text.begin(&done);
        self.text.def(format_args!("phi i64 [ {number}, {same} ], [ 0, {other} ]"))
    }

    /// Whether a key of `len` bytes is short.
    pub(super) fn is_short(&mut self, len: &str) -> Operand {
        self.text.def(format_args!("icmp ule i64 {len}, {}", Short::MOST))
    }

    fn short_places(&mut self, table: &str) -> Places {
        self.places::<Place>(table, offset_of!(Table, short_keys))
    }

    /// Room for the hashes of the keys that a loop with this body hashes ahead, one after the other.
    pub(in crate::llvm::print) fn hashes(&mut self, body: &Block) -> Vec<StoreId> {
        let hashed = body.stmts.iter().filter_map(|stmt| match stmt {
            Stmt::Do { store, action: Action::HashAhead, .. } => Some(*store),
            _ => None,
        });
        let hashed: Vec<StoreId> = hashed.collect();
        for &store in &hashed {
            let room = self.text.alloca(format_args!("[{PREFETCHED_ROWS} x i64]"));
            self.hash_rooms.insert(store, room);
        }
        hashed
    }

    /// In the iteration at `position` of a loop over all of `column`: hashes the keys of the next rows, if those of the last ones are used
    /// up, and has merges know that of this one.
    pub(in crate::llvm::print) fn hash_ahead(
        &mut self,
        store: StoreId,
        column: Value,
        position: Value,
    ) -> Result<(), EngineError> {
        let (Some(Slot::Table(mut slot)), Some(hashes)) =
            (self.slots.get(&store).cloned(), self.hash_rooms.get(&store).cloned())
        else {
            return Err(EngineError::internal("keys are hashed for a table that is not open"));
        };
        let element = self.ty(column).element().expect("the verifier has seen to it");
        self.define_short_keys();
        let [start, len] = [0, 1].map(|leaf| self.get(column).leaves[leaf].clone());
        let index = self.leaf(position);
        let [ask, go] = [(); 2].map(|()| self.text.label());
        let row = self.text.def(format_args!("and i64 {index}, {}", PREFETCHED_ROWS - 1));
        let is_first = self.text.def(format_args!("icmp eq i64 {row}, 0"));
        self.text.branch(&is_first, &ask, &go);
        self.text.begin(&ask);
        let rows = self.element(&start, &index, element);
        let left = self.text.def(format_args!("sub i64 {len}, {index}"));
        let Places { start: places, mask, .. } = self.short_places(&slot.table);
        self.text.line(format_args!(
            "call void @bytes.prefetch(ptr {rows}, i64 {left}, ptr {places}, i64 {mask}, ptr {hashes})"
        ));
        self.text.jump(&go);
        self.text.begin(&go);
        let place = self.text.def(format_args!("getelementptr inbounds i64, ptr {hashes}, i64 {row}"));
        slot.hash = Some(self.text.def(format_args!("load i64, ptr {place}, align 8")));
        self.slots.insert(store, Slot::Table(slot));
        Ok(())
    }

    /// Behind the loop, no hash is known.
    pub(in crate::llvm::print) fn forget_hashes(&mut self, hashed: Vec<StoreId>) {
        for store in hashed {
            self.hash_rooms.remove(&store);
            if let Some(Slot::Table(slot)) = self.slots.get_mut(&store) {
                slot.hash = None;
            }
        }
    }

    fn define_short_keys(&mut self) {
        self.define_mix();
        self.module.declare("llvm.umin.i64", "declare i64 @llvm.umin.i64(i64, i64)".to_owned());
        self.declare_prefetch();
        let header = header();
        let [second, third] = BYTES.map(|factor| factor as i64);
        let numbers = [
            ("SIZE", size_of::<Place>() as i64),
            ("MARK", offset_of!(Place, mark) as i64),
            ("SECOND", second),
            ("THIRD", third),
            ("AHEAD", PREFETCHED_ROWS as i64),
            ("ROW", size_of::<Vec<u8>>() as i64),
            ("ELEMENTS", header.elements as i64),
            ("COUNT", header.len as i64),
            ("MOST", Short::MOST as i64),
        ];
        let functions = [
            ("bytes.few", FEW),
            ("bytes.words", WORDS),
            ("bytes.hash_short", HASH_SHORT),
            ("bytes.prefetch", PREFETCH),
        ];
        for (name, text) in functions {
            self.define(name, || with_numbers(text, numbers));
        }
    }
}
