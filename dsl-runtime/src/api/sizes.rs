//! `usize` and `isize` of Rust, which programs have as i64: on machines where addresses have 64 bits, so that no bit is lost.
//!
//! A number is that of the same bits: a `usize` of 2^63 and more is negative in a program, and compares so.

use std::cmp::Ordering;

use crate::api::element::{Element, sealed};
use crate::api::layout::{Field, Layout};
use crate::api::serialize::{Deserialize, Serialize, Unread};
use crate::exec::context::Context;
use crate::key::hash::Key;
use crate::lang::order::Order;
use crate::lang::types::{Name, Size, Type};
use crate::lang::value::Value;
use crate::mem::heap::Heap;

macro_rules! size {
    ($($ty:ident $size:ident;)*) => {$(
        impl sealed::Sealed for $ty {}

        impl Element for $ty {
            const LAYOUT: &'static Layout = &Layout::structure::<$ty>(&[Field::new(0, i64::LAYOUT)]);

            fn is(ty: &Type) -> bool {
                ty.struct_name().is_some_and(|name| **name == Name::Size(Size::$size))
            }

            fn ty() -> Type {
                Type::size(Size::$size)
            }

            #[inline(always)]
            fn zero() -> $ty {
                0
            }

            fn to_value(&self) -> Value {
                Value::structure(vec![Value::I64(*self as i64)])
            }

            fn from_value(value: &Value) -> Option<$ty> {
                match value {
                    Value::Struct(fields) => match fields[..] {
                        [Value::I64(number)] => Some(number as $ty),
                        _ => None,
                    },
                    _ => None,
                }
            }
        }

        impl Heap for $ty {
            const HOLDS: bool = false;

            #[inline(always)]
            fn heap(&self) -> usize {
                0
            }
        }

        impl Order for $ty {
            #[inline(always)]
            fn order(&self, other: &$ty) -> Option<Ordering> {
                (*self as i64).order(&(*other as i64))
            }

            #[inline(always)]
            fn total_order(&self, other: &$ty) -> Ordering {
                (*self as i64).total_order(&(*other as i64))
            }
        }

        impl Key for $ty {
            const BITS: u32 = i64::BITS;

            #[inline(always)]
            fn bits(&self) -> u64 {
                *self as u64
            }

            #[inline(always)]
            fn hash_after(&self, state: u64) -> u64 {
                self.bits().hash_after(state)
            }

            #[inline(always)]
            fn same(&self, other: &$ty) -> bool {
                self == other
            }
        }

        impl Serialize for $ty {
            fn size(&self) -> usize {
                size_of::<i64>()
            }

            fn write(&self, bytes: &mut Vec<u8>) {
                (*self as i64).write(bytes);
            }
        }

        impl Deserialize for $ty {
            const LEAST: usize = i64::LEAST;

            fn read(cx: &Context, bytes: &mut &[u8]) -> Result<$ty, Unread> {
                i64::read(cx, bytes).map(|number| number as $ty)
            }
        }
    )*};
}

size! { usize Usize; isize Isize; }

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::serialize::{deserialize, serialize};

    #[test]
    fn values_are_i64s_of_the_same_bits() {
        for number in [0usize, 7, usize::MAX, 1 << 63] {
            assert!(number.to_value().same_bits(&(number as i64,).to_value()));
            assert!(number.to_value().has_type(&usize::ty()));
            assert_eq!(usize::from_value(&number.to_value()), Some(number));
            let bytes = serialize(Context::ambient(), &number).unwrap();
            assert_eq!(deserialize(Context::ambient(), &bytes, 1, 1), Ok(number));
        }
        assert_eq!(isize::from_value(&(-1isize).to_value()), Some(-1));
        assert_eq!(usize::from_value(&Value::I64(1)), None);
        assert!(usize::is(&usize::ty()) && !usize::is(&isize::ty()) && !isize::is(&Type::I64));
    }

    #[test]
    fn they_compare_and_are_keys_as_i64s_are() {
        assert_eq!(usize::MAX.order(&0), Some(Ordering::Less));
        assert_eq!((3usize.hash(), (-3isize).hash()), (3i64.hash(), (-3i64).hash()));
        assert!(5usize.same(&5) && !5usize.same(&6));
    }
}
