//! Hashing, and keys that are vectors of integers: their bytes are hashed and compared, eight at a time, by functions of the
//! module that do what [`Key`](weldment_runtime::key::Key) does for a slice of bytes, on machines whose low bytes come first.

use crate::llvm::emit::func::Func;
use crate::llvm::emit::text::Operand;
use crate::llvm::runtime::slots::{FACTOR, SEED};

/// [`slots::mix`](crate::llvm::runtime::slots): the state after a word.
const MIX: &str = "\
define internal i64 @key.mix(i64 %state, i64 %word) alwaysinline nounwind willreturn memory(none) {
  %one = xor i64 %state, %word
  %wide = zext i64 %one to i128
  %product = mul nuw i128 %wide, FACTOR
  %low = trunc i128 %product to i64
  %above = lshr i128 %product, 64
  %high = trunc i128 %above to i64
  %folded = xor i64 %low, %high
  ret i64 %folded
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
  %whole = and i64 %len, -8
  br label %ahead
ahead:
  %at = phi i64 [ 0, %0 ], [ %next, %chunk ]
  %state = phi i64 [ %first, %0 ], [ %more, %chunk ]
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
  %whole = and i64 %len, -8
  %as_long = icmp eq i64 %len, %other
  br i1 %as_long, label %ahead, label %done
ahead:
  %at = phi i64 [ 0, %0 ], [ %next, %same ]
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
        self.define("bytes.hash", || {
            HASH.replace("FACTOR", &(FACTOR as i64).to_string()).replace("SEED", &(SEED as i64).to_string())
        });
        self.define("bytes.last", || LAST.to_owned());
        self.define("bytes.same", || SAME.to_owned());
    }

    fn define_mix(&mut self) {
        self.define("key.mix", || MIX.replace("FACTOR", &FACTOR.to_string()));
    }

    fn define(&mut self, name: &str, text: impl FnOnce() -> String) {
        if !self.module.library.contains_key(name) {
            self.module.library.insert(name.to_owned(), text());
        }
    }
}
