//! Keys by their parts: what a program looks up or merges by where a key would only be put together to be read.

use std::borrow::Borrow;

use super::hash::{Key, Short, WIDE};
use crate::lang::text;
use crate::lang::tuples::for_tuples;
use crate::mem::heap::Heap;

/// A key by its parts: a reference to it, the bytes of a text, or the tuple of the parts of a tuple. It has the hash and the bits of the key.
///
/// ```
/// use weldment_runtime::key::hash::Key;
/// use weldment_runtime::key::parts::Parts;
/// let key = ("elm".to_owned(), 7i64);
/// let parts = ("elm", &7i64);
/// assert!(parts.is(&key) && parts.hash() == key.hash());
/// assert_eq!(parts.to_key(), key);
/// ```
pub trait Parts: Key {
    /// What has such parts.
    type Whole;

    /// Whether `key` has these parts.
    fn is(&self, key: &Self::Whole) -> bool;

    /// The key, which has copies of the parts.
    fn to_key(&self) -> Self::Whole;
}

impl<Q: Key + ToOwned + ?Sized> Parts for &Q {
    type Whole = Q::Owned;

    #[inline(always)]
    fn is(&self, key: &Q::Owned) -> bool {
        (**self).same(key.borrow())
    }

    fn to_key(&self) -> Q::Owned {
        (**self).to_owned()
    }
}

/// A text that is a key, by its bytes. Whether they are UTF-8 is asked where the key is new, and not of each that is looked up.
///
/// ```
/// use weldment_runtime::key::hash::Key;
/// use weldment_runtime::key::parts::{Parts, TextBytes};
/// let key = "elm".to_owned();
/// let parts = TextBytes(b"elm");
/// assert!(parts.is(&key) && parts.hash() == key.hash());
/// assert_eq!(parts.to_key(), key);
/// ```
#[derive(Clone, Copy, Debug)]
pub struct TextBytes<'a>(pub &'a [u8]);

impl Heap for TextBytes<'_> {
    const HOLDS: bool = true;

    #[inline]
    fn heap(&self) -> usize {
        self.0.heap()
    }
}

impl Key for TextBytes<'_> {
    const BITS: u32 = WIDE;

    #[inline(always)]
    fn bits(&self) -> u64 {
        0
    }

    #[inline]
    fn hash_after(&self, state: u64) -> u64 {
        self.0.hash_after(state)
    }

    #[inline]
    fn same(&self, other: &Self) -> bool {
        self.0.same(other.0)
    }

    #[inline(always)]
    fn short(&self) -> Option<Short> {
        self.0.short()
    }
}

impl Parts for TextBytes<'_> {
    type Whole = String;

    #[inline(always)]
    fn is(&self, key: &String) -> bool {
        self.0.same(key.as_bytes())
    }

    fn to_key(&self) -> String {
        text::of(self.0).to_owned()
    }
}

macro_rules! tuple {
    ($($index:tt $name:ident)*) => {
        #[allow(unused_variables, clippy::unused_unit)]
        impl<$($name: Parts),*> Parts for ($($name,)*) {
            type Whole = ($($name::Whole,)*);

            #[inline(always)]
            fn is(&self, key: &Self::Whole) -> bool {
                true $(&& self.$index.is(&key.$index))*
            }

            fn to_key(&self) -> Self::Whole {
                ($(self.$index.to_key(),)*)
            }
        }
    };
}

for_tuples!(tuple);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_those_of_one_key() {
        let key = ("elm".to_owned(), (-0.0f64, vec![1u8, 2]), 7i64);
        let parts = ("elm", (&0.0, &[1u8, 2][..]), &7i64);
        assert!(parts.is(&key));
        assert_eq!((parts.hash(), parts.hash_after(5)), (key.hash(), key.hash_after(5)));
        assert_eq!(parts.to_key(), key);
        for other in [("oak", 7i64, 0.0), ("elm", 8, 0.0), ("elm", 7, 0.5)] {
            let (name, number, float) = other;
            assert!(!(name, (&float, &[1u8, 2][..]), &number).is(&key));
        }
        assert_eq!((&7u8, &true).bits(), (7u8, true).bits());
    }

    #[test]
    fn bytes_are_the_key_that_they_are_the_text_of() {
        for text in ["", "elm", "naïve", "a text of more than thirty-two bytes"] {
            let (key, parts) = ((text.to_owned(), 7i64), (TextBytes(text.as_bytes()), &7i64));
            assert!(parts.is(&key) && !parts.is(&(format!("{text}!"), 7)));
            assert_eq!((parts.hash(), parts.0.short().is_some()), (key.hash(), key.0.short().is_some()));
            assert_eq!((parts.to_key(), parts.heap()), (key, text.len()));
        }
        assert_eq!(TextBytes(b"a\xC3").to_key(), "a", "what is no text is never made one");
    }
}
