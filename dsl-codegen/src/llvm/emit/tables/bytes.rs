//! Hashing, and keys that are vectors of integers: their bytes are hashed and compared, eight at a time, by functions of the
//! module that do what [`Key`](weldment_runtime::key::Key) does for a slice of bytes, on machines whose low bytes come first. Those
//! of few bytes are found as [`Shorts`](weldment_runtime::builders::shorts::Shorts) finds them.

use weldment_runtime::builders::shorts::{LEN_SHIFT, MARK, Place};
use weldment_runtime::key::{BYTES, Short};

use crate::llvm::emit::func::Func;
use crate::llvm::emit::text::Operand;
use crate::llvm::runtime::slots::{FACTOR, SEED};

/// The two halves of a product as one.
const FOLD: &str = "\
define internal i64 @key.fold(i64 %a, i64 %b) alwaysinline nounwind willreturn memory(none) {
  %a.wide = zext i64 %a to i128
  %b.wide = zext i64 %b to i128
  %product = mul nuw i128 %a.wide, %b.wide
  %low = trunc i128 %product to i64
  %above = lshr i128 %product, 64
  %high = trunc i128 %above to i64
  %folded = xor i64 %low, %high
  ret i64 %folded
}
";

/// [`slots::mix`](crate::llvm::runtime::slots): the state after a word.
const MIX: &str = "\
define internal i64 @key.mix(i64 %state, i64 %word) alwaysinline nounwind willreturn memory(none) {
  %one = xor i64 %state, %word
  %mixed = call i64 @key.fold(i64 %one, i64 FACTOR)
  ret i64 %mixed
}
";

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

/// 0, or 1 more than the number of the entry of a key of at most as many bytes as a short one has.
const FIND_SHORT: &str = "\
define internal i64 @bytes.find_short(ptr readonly %bytes, i64 %len, ptr readonly %places, i64 %mask) alwaysinline nounwind willreturn memory(argmem: read) {
  %counted = add nuw nsw i64 %len, 1
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
  %spread = mul i64 %counted, FACTOR
  %first = add i64 %spread, SEED
  %p1 = mul i64 %w1, SECOND
  %p2 = mul i64 %w2, THIRD
  %s1 = add i64 %w0, %p1
  %s2 = add i64 %s1, %p2
  %front = xor i64 %first, %s2
  %back = xor i64 %w3, FACTOR
  %hash = call i64 @key.fold(i64 %front, i64 %back)
  br label %probe
probe:
  %hashed = phi i64 [ %hash, %words ], [ %beside, %next ]
  %at = and i64 %hashed, %mask
  %place = getelementptr inbounds [SIZE x i8], ptr %places, i64 %at
  %v1.place = getelementptr inbounds i8, ptr %place, i64 8
  %v2.place = getelementptr inbounds i8, ptr %place, i64 16
  %v3.place = getelementptr inbounds i8, ptr %place, i64 24
  %mark.place = getelementptr inbounds i8, ptr %place, i64 MARK
  %v0 = load i64, ptr %place, align 8
  %v1 = load i64, ptr %v1.place, align 8
  %v2 = load i64, ptr %v2.place, align 8
  %v3 = load i64, ptr %v3.place, align 8
  %mark = load i64, ptr %mark.place, align 8
  %v.counted = lshr i64 %mark, LEN
  %x0 = xor i64 %w0, %v0
  %x1 = xor i64 %w1, %v1
  %x2 = xor i64 %w2, %v2
  %x3 = xor i64 %w3, %v3
  %x4 = xor i64 %counted, %v.counted
  %x01 = or i64 %x0, %x1
  %x23 = or i64 %x2, %x3
  %x0123 = or i64 %x01, %x23
  %x = or i64 %x0123, %x4
  %is_same = icmp eq i64 %x, 0
  br i1 %is_same, label %found, label %other
other:
  %is_free = icmp eq i64 %mark, 0
  br i1 %is_free, label %missing, label %next
next:
  %beside = add i64 %at, 1
  br label %probe
found:
  %slot = and i64 %mark, SLOTS
  %number = add nuw nsw i64 %slot, 1
  ret i64 %number
missing:
  ret i64 0
}
";

/// The hash of more bytes than a short key has.
const HASH: &str = "\
define internal i64 @bytes.hash(ptr readonly %bytes, i64 %len) alwaysinline nounwind willreturn memory(argmem: read) {
  %counted = add i64 %len, 1
  %spread = mul i64 %counted, FACTOR
  %first = add i64 %spread, SEED
  %whole = and i64 %len, -8
  br label %chunk
chunk:
  %at = phi i64 [ 0, %0 ], [ %next, %chunk ]
  %state = phi i64 [ %first, %0 ], [ %more, %chunk ]
  %place = getelementptr inbounds i8, ptr %bytes, i64 %at
  %word = load i64, ptr %place, align 1
  %more = call i64 @key.mix(i64 %state, i64 %word)
  %next = add nuw i64 %at, 8
  %is_end = icmp eq i64 %next, %whole
  br i1 %is_end, label %end, label %chunk
end:
  %is_all = icmp eq i64 %whole, %len
  br i1 %is_all, label %done, label %rest
rest:
  %last.offset = add i64 %len, -8
  %last.place = getelementptr inbounds i8, ptr %bytes, i64 %last.offset
  %last = load i64, ptr %last.place, align 1
  %all = call i64 @key.mix(i64 %more, i64 %last)
  br label %done
done:
  %hash = phi i64 [ %more, %end ], [ %all, %rest ]
  ret i64 %hash
}
";

/// Whether bytes, more than a short key has, are the same as others.
const SAME: &str = "\
define internal i1 @bytes.same(ptr readonly %a, i64 %len, ptr readonly %b, i64 %other) alwaysinline nounwind willreturn memory(argmem: read) {
  %as_long = icmp eq i64 %len, %other
  br i1 %as_long, label %long, label %done
long:
  %whole = and i64 %len, -8
  br label %chunk
chunk:
  %at = phi i64 [ 0, %long ], [ %next, %same ]
  %a.at = getelementptr inbounds i8, ptr %a, i64 %at
  %b.at = getelementptr inbounds i8, ptr %b, i64 %at
  %a.word = load i64, ptr %a.at, align 1
  %b.word = load i64, ptr %b.at, align 1
  %is_same = icmp eq i64 %a.word, %b.word
  br i1 %is_same, label %same, label %done
same:
  %next = add nuw i64 %at, 8
  %is_end = icmp eq i64 %next, %whole
  br i1 %is_end, label %end, label %chunk
end:
  %last.offset = add i64 %len, -8
  %a.place = getelementptr inbounds i8, ptr %a, i64 %last.offset
  %b.place = getelementptr inbounds i8, ptr %b, i64 %last.offset
  %a.last = load i64, ptr %a.place, align 1
  %b.last = load i64, ptr %b.place, align 1
  %ends_same = icmp eq i64 %a.last, %b.last
  br label %done
done:
  %result = phi i1 [ false, %0 ], [ false, %chunk ], [ %ends_same, %end ]
  ret i1 %result
}
";

impl Func<'_, '_> {
    /// 0, or 1 more than the number of the entry of a key of `len` bytes, which are few enough, in the places of an index and with
    /// what makes a hash the number of one.
    pub(super) fn find_short(&mut self, [bytes, len]: [&str; 2], [places, mask]: [&str; 2]) -> Operand {
        self.define_mix();
        self.module.declare("llvm.umin.i64", "declare i64 @llvm.umin.i64(i64, i64)".to_owned());
        self.define("bytes.few", || FEW.to_owned());
        self.define("bytes.find_short", || {
            let sizes = [
                ("SIZE", size_of::<Place>() as i64),
                ("MARK", (MARK * size_of::<u64>()) as i64),
                ("LEN", i64::from(LEN_SHIFT)),
                ("SLOTS", (1 << LEN_SHIFT) - 1),
            ];
            let factors = ["SECOND", "THIRD"].into_iter().zip(BYTES.map(|factor| factor as i64));
            with_numbers(FIND_SHORT, sizes.into_iter().chain(factors))
        });
        self.text
            .def(format_args!("call i64 @bytes.find_short(ptr {bytes}, i64 {len}, ptr {places}, i64 {mask})"))
    }

    /// Whether a key of `len` bytes is short.
    pub(super) fn is_short(&mut self, len: &str) -> Operand {
        self.text.def(format_args!("icmp ule i64 {len}, {}", Short::MOST))
    }

    /// The hash of `len` bytes, which are more than a short key has.
    pub(super) fn hash_bytes(&mut self, bytes: &str, len: &str) -> Operand {
        self.define_mix();
        self.define("bytes.hash", || with_numbers(HASH, []));
        self.text.def(format_args!("call i64 @bytes.hash(ptr {bytes}, i64 {len})"))
    }

    /// Whether two keys of bytes, each an address and a length, are one, the first of which is not short.
    pub(super) fn same_bytes(&mut self, [a, len]: [&str; 2], [b, other]: [&str; 2]) -> Operand {
        self.define("bytes.same", || SAME.to_owned());
        self.text.def(format_args!("call i1 @bytes.same(ptr {a}, i64 {len}, ptr {b}, i64 {other})"))
    }

    /// The state of a hash after `word`.
    pub(super) fn mix(&mut self, state: &str, word: &str) -> Operand {
        self.define_mix();
        self.text.def(format_args!("call i64 @key.mix(i64 {state}, i64 {word})"))
    }

    fn define_mix(&mut self) {
        self.define("key.fold", || FOLD.to_owned());
        self.define("key.mix", || with_numbers(MIX, []));
    }

    fn define(&mut self, name: &str, text: impl FnOnce() -> String) {
        if !self.module.library.contains_key(name) {
            self.module.library.insert(name.to_owned(), text());
        }
    }
}

/// `text` with these numbers and those of every hash for their names.
fn with_numbers(text: &str, numbers: impl IntoIterator<Item = (&'static str, i64)>) -> String {
    let all = numbers.into_iter().chain([("FACTOR", FACTOR as i64), ("SEED", SEED as i64)]);
    all.fold(text.to_owned(), |text, (name, number)| text.replace(name, &number.to_string()))
}
