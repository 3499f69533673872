//! Hashing, and keys that are vectors of integers: their bytes are hashed and compared, eight at a time, by functions of the
//! module that do what [`Key`](weldment_runtime::key::Key) does for a slice of bytes, on machines whose low bytes come first.

use weldment_runtime::key::BYTES;

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

/// The last eight bytes, or all of fewer, but one: a word that is the same for no others of the same number.
const LAST: &str = "\
define internal i64 @bytes.last(ptr readonly %bytes, i64 %len) alwaysinline nounwind willreturn memory(argmem: read) {
  %end = getelementptr inbounds i8, ptr %bytes, i64 %len
  %is_long = icmp ugt i64 %len, 7
  br i1 %is_long, label %eight, label %short
eight:
  %eight.at = getelementptr inbounds i8, ptr %end, i64 -8
  %eight.word = load i64, ptr %eight.at, align 1
  ret i64 %eight.word
short:
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

const HASH: &str = "\
define internal i64 @bytes.hash(ptr readonly %bytes, i64 %len) alwaysinline nounwind willreturn memory(argmem: read) {
  %counted = add i64 %len, 1
  %spread = mul i64 %counted, FACTOR
  %first = add i64 %spread, SEED
  %end.at = sub i64 %len, 8
  %is_medium = icmp ult i64 %end.at, 25
  br i1 %is_medium, label %medium, label %other
medium:
  %w1.at = call i64 @llvm.umin.i64(i64 %end.at, i64 8)
  %w2.at = call i64 @llvm.umin.i64(i64 %end.at, i64 16)
  %w1.place = getelementptr inbounds i8, ptr %bytes, i64 %w1.at
  %w2.place = getelementptr inbounds i8, ptr %bytes, i64 %w2.at
  %w3.place = getelementptr inbounds i8, ptr %bytes, i64 %end.at
  %w0 = load i64, ptr %bytes, align 1
  %w1 = load i64, ptr %w1.place, align 1
  %w2 = load i64, ptr %w2.place, align 1
  %w3 = load i64, ptr %w3.place, align 1
  %p1 = mul i64 %w1, SECOND
  %p2 = mul i64 %w2, THIRD
  %s1 = add i64 %w0, %p1
  %s2 = add i64 %s1, %p2
  %front = xor i64 %first, %s2
  %back = xor i64 %w3, FACTOR
  %medium.hash = call i64 @key.fold(i64 %front, i64 %back)
  ret i64 %medium.hash
other:
  %whole = and i64 %len, -8
  br label %ahead
ahead:
  %at = phi i64 [ 0, %other ], [ %next, %chunk ]
  %state = phi i64 [ %first, %other ], [ %more, %chunk ]
  %is_end = icmp eq i64 %at, %whole
  br i1 %is_end, label %end, label %chunk
chunk:
  %place = getelementptr inbounds i8, ptr %bytes, i64 %at
  %word = load i64, ptr %place, align 1
  %more = call i64 @key.mix(i64 %state, i64 %word)
  %next = add nuw i64 %at, 8
  br label %ahead
end:
  %is_all = icmp eq i64 %at, %len
  br i1 %is_all, label %done, label %rest
rest:
  %last = call i64 @bytes.last(ptr %bytes, i64 %len)
  %all = call i64 @key.mix(i64 %state, i64 %last)
  br label %done
done:
  %hash = phi i64 [ %state, %end ], [ %all, %rest ]
  ret i64 %hash
}
";

const SAME: &str = "\
define internal i1 @bytes.same(ptr readonly %a, i64 %len, ptr readonly %b, i64 %other) alwaysinline nounwind willreturn memory(argmem: read) {
  %as_long = icmp eq i64 %len, %other
  br i1 %as_long, label %long, label %done
long:
  %end.at = sub i64 %len, 8
  %is_medium = icmp ult i64 %end.at, 25
  br i1 %is_medium, label %medium, label %whole_or_few
medium:
  %at1 = call i64 @llvm.umin.i64(i64 %end.at, i64 8)
  %at2 = call i64 @llvm.umin.i64(i64 %end.at, i64 16)
  %a1.place = getelementptr inbounds i8, ptr %a, i64 %at1
  %a2.place = getelementptr inbounds i8, ptr %a, i64 %at2
  %a3.place = getelementptr inbounds i8, ptr %a, i64 %end.at
  %b1.place = getelementptr inbounds i8, ptr %b, i64 %at1
  %b2.place = getelementptr inbounds i8, ptr %b, i64 %at2
  %b3.place = getelementptr inbounds i8, ptr %b, i64 %end.at
  %a0 = load i64, ptr %a, align 1
  %a1 = load i64, ptr %a1.place, align 1
  %a2 = load i64, ptr %a2.place, align 1
  %a3 = load i64, ptr %a3.place, align 1
  %b0 = load i64, ptr %b, align 1
  %b1 = load i64, ptr %b1.place, align 1
  %b2 = load i64, ptr %b2.place, align 1
  %b3 = load i64, ptr %b3.place, align 1
  %x0 = xor i64 %a0, %b0
  %x1 = xor i64 %a1, %b1
  %x2 = xor i64 %a2, %b2
  %x3 = xor i64 %a3, %b3
  %x01 = or i64 %x0, %x1
  %x23 = or i64 %x2, %x3
  %x = or i64 %x01, %x23
  %words_same = icmp eq i64 %x, 0
  ret i1 %words_same
whole_or_few:
  %whole = and i64 %len, -8
  br label %ahead
ahead:
  %at = phi i64 [ 0, %whole_or_few ], [ %next, %same ]
  %is_end = icmp eq i64 %at, %whole
  br i1 %is_end, label %end, label %chunk
chunk:
  %a.at = getelementptr inbounds i8, ptr %a, i64 %at
  %b.at = getelementptr inbounds i8, ptr %b, i64 %at
  %a.word = load i64, ptr %a.at, align 1
  %b.word = load i64, ptr %b.at, align 1
  %is_same = icmp eq i64 %a.word, %b.word
  br i1 %is_same, label %same, label %done
same:
  %next = add nuw i64 %at, 8
  br label %ahead
end:
  %is_all = icmp eq i64 %at, %len
  br i1 %is_all, label %done, label %rest
rest:
  %a.last = call i64 @bytes.last(ptr %a, i64 %len)
  %b.last = call i64 @bytes.last(ptr %b, i64 %len)
  %ends_same = icmp eq i64 %a.last, %b.last
  br label %done
done:
  %result = phi i1 [ false, %0 ], [ false, %chunk ], [ true, %end ], [ %ends_same, %rest ]
  ret i1 %result
}
";

impl Func<'_, '_> {
    /// The hash of `len` bytes.
    pub(super) fn hash_bytes(&mut self, bytes: &str, len: &str) -> Operand {
        self.define_bytes();
        self.text.def(format_args!("call i64 @bytes.hash(ptr {bytes}, i64 {len})"))
    }

    /// Whether two keys of bytes, each an address and a length, are one.
    pub(super) fn same_bytes(&mut self, [a, len]: [&str; 2], [b, other]: [&str; 2]) -> Operand {
        self.define_bytes();
        self.text.def(format_args!("call i1 @bytes.same(ptr {a}, i64 {len}, ptr {b}, i64 {other})"))
    }

    /// The state of a hash after `word`.
    pub(super) fn mix(&mut self, state: &str, word: &str) -> Operand {
        self.define_mix();
        self.text.def(format_args!("call i64 @key.mix(i64 {state}, i64 {word})"))
    }

    fn define_bytes(&mut self) {
        self.define_mix();
        self.module.declare("llvm.umin.i64", "declare i64 @llvm.umin.i64(i64, i64)".to_owned());
        self.define("bytes.hash", || {
            let numbers = [("FACTOR", FACTOR), ("SEED", SEED)];
            let numbers = numbers.into_iter().chain(["SECOND", "THIRD"].into_iter().zip(BYTES));
            numbers.fold(HASH.to_owned(), |text, (name, number)| {
                text.replace(name, &(number as i64).to_string())
            })
        });
        self.define("bytes.last", || LAST.to_owned());
        self.define("bytes.same", || SAME.to_owned());
    }

    fn define_mix(&mut self) {
        self.define("key.fold", || FOLD.to_owned());
        self.define("key.mix", || MIX.replace("FACTOR", &(FACTOR as i64).to_string()));
    }

    fn define(&mut self, name: &str, text: impl FnOnce() -> String) {
        if !self.module.library.contains_key(name) {
            self.module.library.insert(name.to_owned(), text());
        }
    }
}
