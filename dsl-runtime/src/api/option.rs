//! `Option`s of Rust as those of the language.
//!
//! To programs one is the pair of whether there is a value, and the value, which is zero where there is none. Every trait here
//! means for it what it means for that pair: so all executors agree, whichever of the two they keep.

use std::cmp::Ordering;

use crate::api::element::{Element, sealed};
use crate::api::layout::{Layout, pair_of};
use crate::api::serialize::{Deserialize, Serialize, Unread};
use crate::exec::context::Context;
use crate::key::hash::{Key, sum};
use crate::lang::order::Order;
use crate::lang::types::Type;
use crate::lang::value::Value;
use crate::mem::heap::Heap;

impl<T: Element> sealed::Sealed for Option<T> {}

impl<T: Element> Element for Option<T> {
    const LAYOUT: &'static Layout = &Layout::option::<T>(T::LAYOUT, || pair_of(T::zero()));

    fn is(ty: &Type) -> bool {
        ty.as_option().is_some_and(T::is)
    }

    fn ty() -> Type {
        Type::option(T::ty())
    }

    #[inline(always)]
    fn zero() -> Option<T> {
        None
    }

    fn to_value(&self) -> Value {
        let value = self.as_ref().map_or_else(|| T::zero().to_value(), T::to_value);
        Value::structure(vec![Value::Bool(self.is_some()), value])
    }

    fn from_value(value: &Value) -> Option<Option<T>> {
        match value {
            Value::Struct(fields) => match &fields[..] {
                [Value::Bool(there), value] => {
                    let value = T::from_value(value)?;
                    Some(there.then_some(value))
                }
                _ => None,
            },
            _ => None,
        }
    }
}

impl<T: Heap> Heap for Option<T> {
    const HOLDS: bool = T::HOLDS;

    #[inline]
    fn heap(&self) -> usize {
        self.as_ref().map_or(0, T::heap)
    }
}

impl<T: Order> Order for Option<T> {
    #[inline]
    fn order(&self, other: &Option<T>) -> Option<Ordering> {
        match (self, other) {
            (Some(a), Some(b)) => a.order(b),
            _ => Some(self.is_some().cmp(&other.is_some())),
        }
    }

    #[inline]
    fn total_order(&self, other: &Option<T>) -> Ordering {
        match (self, other) {
            (Some(a), Some(b)) => a.total_order(b),
            _ => self.is_some().cmp(&other.is_some()),
        }
    }
}

impl<T: Key> Key for Option<T> {
    const BITS: u32 = sum(&[1, T::BITS]);

    #[inline(always)]
    fn bits(&self) -> u64 {
        match self {
            Some(value) if Self::BITS <= 64 => 1 << (T::BITS & 63) | value.bits(),
            _ => 0,
        }
    }

    #[inline(always)]
    fn hash_after(&self, state: u64) -> u64 {
        if Self::BITS <= 64 {
            return self.bits().hash_after(state);
        }
        let state = self.is_some().hash_after(state);
        self.as_ref().map_or(state, |value| value.hash_after(state))
    }

    #[inline(always)]
    fn same(&self, other: &Option<T>) -> bool {
        match (self, other) {
            (Some(a), Some(b)) => a.same(b),
            (None, None) => true,
            _ => false,
        }
    }
}

impl<T: Element + Serialize> Serialize for Option<T> {
    fn size(&self) -> usize {
        1 + self.as_ref().map_or_else(|| T::zero().size(), T::size)
    }

    fn write(&self, bytes: &mut Vec<u8>) {
        self.is_some().write(bytes);
        match self {
            Some(value) => value.write(bytes),
            None => T::zero().write(bytes),
        }
    }
}

/// Of bytes that say that there is no value, none is made, whatever follows.
impl<T: Deserialize> Deserialize for Option<T> {
    const LEAST: usize = 1 + T::LEAST;

    fn read(cx: &Context, bytes: &mut &[u8]) -> Result<Option<T>, Unread> {
        let there = bool::read(cx, bytes)?;
        let value = T::read(cx, bytes)?;
        Ok(there.then_some(value))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::serialize::{deserialize, serialize};

    #[test]
    fn values_are_those_of_the_pair() {
        let (some, none) = (Some(2.5), None::<f64>);
        assert!(some.to_value().same_bits(&(true, 2.5).to_value()));
        assert!(none.to_value().same_bits(&(false, 0.0).to_value()));
        for option in [some, none] {
            assert!(option.to_value().has_type(&<Option<f64>>::ty()));
            assert_eq!(<Option<f64>>::from_value(&option.to_value()), Some(option));
        }
        assert!(!(false, 1.0).to_value().has_type(&<Option<f64>>::ty()), "there is no such value");
        assert_eq!(<Option<f64>>::from_value(&Value::F64(1.0)), None);
    }

    #[test]
    fn nothing_is_the_least_and_a_key() {
        let all = [None, Some(-1i64), Some(0), Some(3)];
        assert!(all.windows(2).all(|two| two[0].order(&two[1]) == Some(Ordering::Less)));
        assert_eq!(None::<f64>.total_order(&None), Ordering::Equal);
        assert_eq!(Some(f64::NAN).order(&Some(1.0)), None);
        assert!(None::<i64>.same(&None) && !None.same(&Some(0i64)) && !Some(vec![0u8]).same(&None));
        assert_eq!((None::<i32>.bits(), Some(7i32).bits()), ((false, 0i32).bits(), (true, 7i32).bits()));
    }

    #[test]
    fn bytes_are_those_of_the_pair() {
        let cx = Context::ambient();
        let bytes = serialize(cx, &Some(vec![7u8])).unwrap();
        assert_eq!(bytes, serialize(cx, &(true, vec![7u8])).unwrap());
        assert_eq!(deserialize(cx, &bytes, 1, 1), Ok(Some(vec![7u8])));
        assert_eq!(serialize(cx, &None::<i16>).unwrap(), [0, 0, 0]);
        assert_eq!(deserialize(cx, &[0, 5, 0], 1, 1), Ok(None::<i16>));
    }
}
