//! Texts of Rust as those of the language.
//!
//! To programs a text is the struct of its bytes. So every trait here means for it what it means for those: texts are keys and
//! have an order as their bytes are and have it.

use std::cmp::Ordering;

use crate::api::args::{self, Argument, Passed};
use crate::api::element::{Element, sealed};
use crate::api::layout::{Field, Layout};
use crate::api::serialize::{Deserialize, Serialize, Unread};
use crate::exec::context::Context;
use crate::key::hash::{Key, Short, WIDE};
use crate::lang::order::Order;
use crate::lang::types::Type;
use crate::lang::value::Value;
use crate::mem::heap::Heap;

/// How a `String` lies in memory.
const OWNED: &Layout = &Layout::structure::<String>(&[Field::new(0, &Layout::text(u8::LAYOUT))]);

/// How a `&str` does.
const LENT: &Layout = &Layout::structure::<&str>(&[Field::new(0, &Layout::slice_of_text(u8::LAYOUT))]);

impl sealed::Sealed for String {}

impl Element for String {
    const LAYOUT: &'static Layout = OWNED;

    fn is(ty: &Type) -> bool {
        ty.is_text()
    }

    fn ty() -> Type {
        Type::text()
    }

    fn zero() -> String {
        String::new()
    }

    fn to_value(&self) -> Value {
        Value::text(self)
    }

    fn from_value(value: &Value) -> Option<String> {
        value.as_text()
    }
}

/// Implements [`Argument`] for what refers to texts.
macro_rules! argument {
    ($ty:ty, $as:ty, |$text:ident| $value:expr, $passed:expr) => {
        impl Argument for $ty {
            fn ty() -> Type {
                <$as as Element>::ty()
            }

            fn is(ty: &Type) -> bool {
                <$as as Element>::is(ty)
            }

            fn to_value(&self) -> Value {
                let $text = self;
                $value
            }

            fn passed(&self) -> Passed<'_> {
                let $text = self;
                $passed
            }
        }
    };
}

argument!(&String, String, |text| Value::text(text), Passed::value(*text));
argument!(&str, String, |text| Value::text(text), Passed::of_layout(LENT, text, None));
impl args::Readable for &str {
    const LAYOUT: &'static Layout = LENT;
}

impl Heap for str {
    const HOLDS: bool = true;

    #[inline]
    fn heap(&self) -> usize {
        self.len()
    }
}

impl Order for str {
    #[inline]
    fn order(&self, other: &str) -> Option<Ordering> {
        Some(self.cmp(other))
    }

    #[inline]
    fn total_order(&self, other: &str) -> Ordering {
        self.cmp(other)
    }
}

impl Key for str {
    const BITS: u32 = WIDE;

    #[inline(always)]
    fn bits(&self) -> u64 {
        0
    }

    #[inline]
    fn hash_after(&self, state: u64) -> u64 {
        self.as_bytes().hash_after(state)
    }

    #[inline]
    fn same(&self, other: &str) -> bool {
        self.as_bytes().same(other.as_bytes())
    }

    #[inline(always)]
    fn short(&self) -> Option<Short> {
        self.as_bytes().short()
    }
}

impl Serialize for str {
    fn size(&self) -> usize {
        self.as_bytes().size()
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        self.as_bytes().write(bytes);
    }
}

impl Heap for String {
    const HOLDS: bool = true;

    #[inline]
    fn heap(&self) -> usize {
        self.as_str().heap()
    }
}

impl Order for String {
    #[inline]
    fn order(&self, other: &String) -> Option<Ordering> {
        self.as_str().order(other)
    }

    #[inline]
    fn total_order(&self, other: &String) -> Ordering {
        self.as_str().total_order(other)
    }
}

impl Key for String {
    const BITS: u32 = WIDE;

    #[inline(always)]
    fn bits(&self) -> u64 {
        0
    }

    #[inline]
    fn hash_after(&self, state: u64) -> u64 {
        self.as_str().hash_after(state)
    }

    #[inline]
    fn same(&self, other: &String) -> bool {
        self.as_str().same(other)
    }

    #[inline(always)]
    fn short(&self) -> Option<Short> {
        self.as_str().short()
    }
}

impl Serialize for String {
    fn size(&self) -> usize {
        self.as_str().size()
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        self.as_str().write(bytes);
    }
}

/// Bytes that are no UTF-8 are refused.
impl Deserialize for String {
    const LEAST: usize = <Vec<u8>>::LEAST;

    fn read(cx: &Context, bytes: &mut &[u8]) -> Result<String, Unread> {
        String::from_utf8(Vec::read(cx, bytes)?).map_err(|_| Unread::NoText)
    }
}

#[cfg(test)]
mod tests {
    use std::cmp::Ordering;

    use super::{LENT, OWNED};
    use crate::api::layout::Shape;
    use crate::api::serialize::{deserialize, serialize};
    use crate::api::{args, element::Element};
    use crate::exec::context::Context;
    use crate::key::hash::Key;
    use crate::lang::fault::FaultKind;
    use crate::lang::order::Order;

    #[test]
    fn values_are_those_of_the_bytes() {
        let text = "aé".to_owned();
        let bytes = (b"a\xC3\xA9".to_vec(),);
        assert!(text.to_value().same_bits(&bytes.to_value()));
        assert!(text.to_value().has_type(&String::ty()) && String::is(&String::ty()));
        assert!(!String::is(&<(Vec<u8>,)>::ty()));
        assert_eq!(String::from_value(&text.to_value()).as_ref(), Some(&text));
        assert!(!(b"\xC3".to_vec(),).to_value().has_type(&String::ty()), "no text has half a character");
    }

    #[test]
    fn keys_and_order_are_those_of_the_bytes() {
        for len in [0, 1, 7, 8, 31, 33] {
            let text: String = (0..len).map(|number| char::from(b'a' + number)).collect();
            let bytes = (text.clone().into_bytes(),);
            assert_eq!((text.hash(), text.short()), (bytes.hash(), text.as_bytes().short()));
            assert!(text.same(&text.clone()) && !text.same(&format!("{text}!")));
            assert_eq!(text.order(&format!("{text}!")), Some(Ordering::Less));
        }
        assert_eq!("z".to_owned().total_order(&"é".to_owned()), Ordering::Less);
    }

    #[test]
    fn bytes_come_back_if_they_are_a_text() {
        let cx = Context::ambient();
        let bytes = serialize(cx, &"aé".to_owned()).unwrap();
        assert_eq!(deserialize(cx, &bytes, 1, 1), Ok("aé".to_owned()));
        let half = [&1u64.to_le_bytes()[..], b"\xC3"].concat();
        let fault = deserialize::<String>(cx, &half, 1, 1).unwrap_err();
        assert_eq!((fault.kind, &*fault.detail), (FaultKind::DeserializeError, "str is not UTF-8"));
    }

    #[test]
    fn texts_are_read_where_they_lie() {
        let (owned, lent) = ("elm".to_owned(), "elm");
        for (layout, passed) in
            [(OWNED, args::Argument::passed(&owned)), (LENT, args::Argument::passed(&lent))]
        {
            let Shape::Struct([bytes]) = layout.shape() else { panic!("a struct of the bytes") };
            let Shape::Vec(bytes) = bytes.layout().shape() else { panic!("bytes") };
            let header = bytes.header().expect("it is known where they are");
            assert_eq!(passed.layout().size(), layout.size());
            assert!(
                header.elements < layout.size()
                    && header.len < layout.size()
                    && header.elements != header.len
            );
        }
    }
}
