//! `[T; N]` of Rust as the fixed arrays of the language.
//!
//! To programs one is the struct of its elements. Every trait here means for it what it means for the tuple of as many fields.

use std::array;

use crate::api::element::{Element, sealed};
use crate::api::layout::{Field, Layout};
use crate::api::serialize::{Deserialize, Serialize, Unread};
use crate::exec::context::Context;
use crate::key::hash::{Key, WIDE};
use crate::lang::types::{MOST_FIXED, Type};
use crate::lang::value::Value;
use crate::mem::heap::Heap;
use crate::store::reduce::lanes::Operator;

/// The fields of a `[T; N]`, as a constant of each type.
struct Fields<T, const N: usize>([T; N]);

impl<T: Element, const N: usize> Fields<T, N> {
    const ALL: [Field; N] = {
        assert!(N > 0 && N <= MOST_FIXED, "a fixed array has 1 to 64 elements: take a `Vec`");
        let mut fields = [Field::new(0, T::LAYOUT); N];
        let mut number = 1;
        while number < N {
            fields[number] = Field::new(number * size_of::<T>(), T::LAYOUT);
            number += 1;
        }
        fields
    };
}

impl<T: Element, const N: usize> sealed::Sealed for [T; N] {}

impl<T: Element, const N: usize> Element for [T; N] {
    const LAYOUT: &'static Layout = &Layout::structure::<[T; N]>(&Fields::<T, N>::ALL);

    fn is(ty: &Type) -> bool {
        ty.as_fixed_array().is_some_and(|(element, len)| len == N && T::is(element))
    }

    fn ty() -> Type {
        Type::fixed_array(T::ty(), N)
    }

    #[inline(always)]
    fn zero() -> [T; N] {
        array::from_fn(|_| T::zero())
    }

    fn to_value(&self) -> Value {
        Value::structure(self.iter().map(T::to_value).collect())
    }

    fn from_value(value: &Value) -> Option<[T; N]> {
        match value {
            Value::Struct(fields) => {
                fields.iter().map(T::from_value).collect::<Option<Vec<T>>>()?.try_into().ok()
            }
            _ => None,
        }
    }
}

impl<T: Heap, const N: usize> Heap for [T; N] {
    const HOLDS: bool = T::HOLDS;

    #[inline]
    fn heap(&self) -> usize {
        self.iter().map(T::heap).fold(0, usize::saturating_add)
    }
}

impl<T: Key, const N: usize> Key for [T; N] {
    const BITS: u32 = match (N as u32).checked_mul(T::BITS) {
        Some(bits) if bits <= 64 => bits,
        _ => WIDE,
    };

    #[inline(always)]
    fn bits(&self) -> u64 {
        if Self::BITS > 64 {
            return 0;
        }
        // An element of 64 bits is the only one that has any.
        self.iter().fold(0, |word, element| word << (T::BITS & 63) | element.bits())
    }

    #[inline(always)]
    fn hash_after(&self, state: u64) -> u64 {
        if Self::BITS <= 64 {
            return self.bits().hash_after(state);
        }
        self.iter().fold(state, |state, element| element.hash_after(state))
    }

    #[inline(always)]
    fn same(&self, other: &[T; N]) -> bool {
        self.iter().zip(other).all(|(a, b)| a.same(b))
    }
}

impl<T: Serialize, const N: usize> Serialize for [T; N] {
    fn size(&self) -> usize {
        self.iter().map(T::size).sum()
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        self.iter().for_each(|element| element.write(bytes));
    }
}

impl<T: Deserialize, const N: usize> Deserialize for [T; N] {
    const LEAST: usize = N * T::LEAST;

    fn read(cx: &Context, bytes: &mut &[u8]) -> Result<[T; N], Unread> {
        let mut read = [const { None }; N];
        for element in &mut read {
            *element = Some(T::read(cx, bytes)?);
        }
        Ok(read.map(|element| element.expect("read above")))
    }
}

impl<Op: Operator<T>, T: Copy, const N: usize> Operator<[T; N]> for Op {
    #[inline(always)]
    fn identity(self) -> [T; N] {
        [Operator::<T>::identity(self); N]
    }

    #[inline(always)]
    fn neutral(self) -> [T; N] {
        [Operator::<T>::neutral(self); N]
    }

    #[inline(always)]
    fn apply(self, a: [T; N], b: [T; N]) -> [T; N] {
        array::from_fn(|number| Operator::<T>::apply(self, a[number], b[number]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::layout::Shape;
    use crate::api::serialize::{deserialize, serialize};
    use crate::store::reduce::lanes::{Add, Min};

    #[test]
    fn values_are_those_of_the_tuple() {
        let point = [1.5, -2.0, 0.0];
        assert!(point.to_value().same_bits(&(1.5, -2.0, 0.0).to_value()));
        assert!(point.to_value().has_type(&<[f64; 3]>::ty()));
        assert_eq!(<[f64; 3]>::from_value(&point.to_value()), Some(point));
        assert_eq!(<[f64; 2]>::from_value(&point.to_value()), None);
        assert_eq!(<[i64; 3]>::from_value(&point.to_value()), None);
        assert_eq!(<[Vec<u8>; 2]>::zero(), [vec![], vec![]]);
        assert!(<[f64; 3]>::is(&<[f64; 3]>::ty()) && !<[f64; 3]>::is(&<(f64, f64, f64)>::ty()));
    }

    #[test]
    fn elements_lie_one_behind_the_other() {
        let Shape::Struct(fields) = <[(u8, i32); 3]>::LAYOUT.shape() else { panic!("a struct") };
        assert_eq!(fields.iter().map(Field::offset).collect::<Vec<_>>(), [0, 8, 16]);
        assert_eq!(<[(u8, i32); 3]>::LAYOUT.size(), 24);
    }

    #[test]
    fn a_key_is_that_of_the_tuple() {
        assert_eq!(([7i16, -1].bits(), <[i16; 2]>::BITS), ((7i16, -1i16).bits(), <(i16, i16)>::BITS));
        assert_eq!([7i64, -1].hash(), (7i64, -1i64).hash());
        assert_eq!([0.5f32, 2.0].hash(), (0.5f32, 2.0f32).hash());
        assert!([0.0, f64::NAN].same(&[-0.0, f64::NAN]) && ![1i64, 2].same(&[2, 1]));
        assert_eq!([vec![1u8], vec![]].hash(), (vec![1u8], Vec::<u8>::new()).hash());
    }

    #[test]
    fn bytes_are_those_of_the_tuple() {
        let cx = Context::ambient();
        let bytes = serialize(cx, &[vec![7u8], vec![]]).unwrap();
        assert_eq!(bytes, serialize(cx, &(vec![7u8], Vec::<u8>::new())).unwrap());
        assert_eq!(deserialize(cx, &bytes, 1, 1), Ok([vec![7u8], vec![]]));
        assert!(deserialize::<[i64; 2]>(cx, &[0; 15], 1, 1).is_err());
    }

    #[test]
    fn operators_work_element_by_element() {
        assert_eq!(Add.apply([1, 2], [10, 20]), [11, 22]);
        assert_eq!((Add.neutral(), Min.identity()), ([-0.0f64; 2], [i64::MAX; 2]));
    }
}
