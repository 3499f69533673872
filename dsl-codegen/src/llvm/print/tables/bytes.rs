//! Hashing, and keys that are vectors of integers: their bytes are hashed and compared, eight at a time, by functions of the
//! module that do what [`Key`](weldment_runtime::key::hash::Key) does for a slice of bytes, on machines whose low bytes come first.

use weldment_runtime::key::hash::{FACTOR, SEED};

use crate::llvm::print::builder::Operand;
use crate::llvm::print::func::Func;

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

/// As [`Key::hash_after`](weldment_runtime::key::hash::Key::hash_after): the state after a word.
const MIX: &str = "\
define internal i64 @key.mix(i64 %state, i64 %word) alwaysinline nounwind willreturn memory(none) {
  %one = xor i64 %state, %word
  %mixed = call i64 @key.fold(i64 %one, i64 FACTOR)
  ret i64 %mixed
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

    pub(super) fn define_mix(&mut self) {
        self.define("key.fold", || FOLD.to_owned());
        self.define("key.mix", || with_numbers(MIX, []));
    }

    pub(super) fn define(&mut self, name: &str, text: impl FnOnce() -> String) {
        if !self.module.library.contains_key(name) {
            self.module.library.insert(name.to_owned(), text());
        }
    }
}

/// `text` with these numbers and those of every hash for their names.
pub(super) fn with_numbers(text: &str, numbers: impl IntoIterator<Item = (&'static str, i64)>) -> String {
    let all = numbers.into_iter().chain([("FACTOR", FACTOR as i64), ("SEED", SEED as i64)]);
    all.fold(text.to_owned(), |text, (name, number)| text.replace(name, &number.to_string()))
}
