//! Element types: which Rust types the language's types are, and their dynamic values.

use std::mem::offset_of;
use std::sync::Arc;

use crate::api::layout::{Field, Layout};
use crate::api::structure::Structure;
use crate::key::hash::Key;
use crate::lang::tuples::for_tuples;
use crate::lang::types::{Scalar, Type};
use crate::lang::value::Value;
use crate::store::dict::Dict;

/// A Rust type that is a type of the language: a scalar, a `usize`, a tuple of up to 24 fields, a `[T; N]` of up to 64 elements, a `Vec`, an
/// `Option`, a [`Dict`], or a struct that derives `Weld`.
///
/// ```
/// use weldment_runtime::api::element::Element;
/// use weldment_runtime::lang::value::Value;
/// type Row = (i64, Vec<f64>);
/// assert_eq!(Row::ty().to_string(), "{i64,vec[f64]}");
/// let row: Row = (1, vec![0.5]);
/// assert_eq!(Row::from_value(&row.to_value()), Some(row));
/// assert_eq!(i64::from_value(&Value::F64(0.5)), None);
/// ```
pub trait Element: Sized + sealed::Sealed {
    /// The type.
    ///
    /// ```
    /// # use weldment_runtime::api::element::Element;
    /// assert_eq!(<(i64, Vec<f32>)>::ty().to_string(), "{i64,vec[f32]}");
    /// ```
    fn ty() -> Type;

    /// This value, dynamically typed. It prints by `{}` what `{:?}` prints, with any number of fields in its tuples.
    ///
    /// ```
    /// # use weldment_runtime::api::element::Element;
    /// assert_eq!((1i64, vec![0.5]).to_value().to_string(), "(1, [0.5])");
    /// ```
    fn to_value(&self) -> Value;

    /// The value that `value` is, if it is one of this type.
    ///
    /// ```
    /// # use weldment_runtime::api::element::Element;
    /// # use weldment_runtime::lang::value::Value;
    /// let value = Value::vec(vec![Value::I64(1), Value::I64(2)]);
    /// assert_eq!(Vec::<i64>::from_value(&value), Some(vec![1, 2]));
    /// assert_eq!(Vec::<i32>::from_value(&value), None); // nothing is converted
    /// ```
    fn from_value(value: &Value) -> Option<Self>;

    /// Whether `ty` is the type; cheaper than to make one.
    ///
    /// ```
    /// # use weldment_runtime::api::element::Element;
    /// # use weldment_runtime::lang::types::Type;
    /// assert!(Vec::<f64>::is(&Type::vec(Type::F64)) && !Vec::<f64>::is(&Type::F64));
    /// ```
    fn is(ty: &Type) -> bool;

    /// Zeros, and nothing in vectors and dictionaries: what `optlookup` gives for a key that is not there.
    ///
    /// ```
    /// # use weldment_runtime::api::element::Element;
    /// assert_eq!(<(f64, bool, Vec<u8>)>::zero(), (0.0, false, vec![]));
    /// ```
    fn zero() -> Self;

    /// How values of this type lie in memory.
    const LAYOUT: &'static Layout;
}

pub(super) mod sealed {
    /// Compiled programs read and write memory as [`Element::LAYOUT`](super::Element::LAYOUT) says, so that no
    /// other crate may say it.
    pub trait Sealed {}
}

macro_rules! scalar {
    ([] $($variant:ident $ty:ident $kind:ident $bits:ident;)*) => {$(
        impl sealed::Sealed for $ty {}

        impl Element for $ty {
            const LAYOUT: &'static Layout = &Layout::scalar::<$ty>(Scalar::$variant);

            fn is(ty: &Type) -> bool {
                *ty == Type::Scalar(Scalar::$variant)
            }

            fn ty() -> Type {
                Type::Scalar(Scalar::$variant)
            }

            #[inline(always)]
            fn zero() -> $ty {
                <$ty>::default()
            }

            fn to_value(&self) -> Value {
                Value::$variant(*self)
            }

            fn from_value(value: &Value) -> Option<$ty> {
                match value {
                    Value::$variant(x) => Some(*x),
                    _ => None,
                }
            }
        }
    )*};
}

crate::scalar_types!(scalar);

impl<T: Element> sealed::Sealed for Vec<T> {}

impl<T: Element> Element for Vec<T> {
    const LAYOUT: &'static Layout = &Layout::vec::<T>(T::LAYOUT);

    fn is(ty: &Type) -> bool {
        ty.element().is_some_and(T::is)
    }

    fn ty() -> Type {
        Type::vec(T::ty())
    }

    fn zero() -> Vec<T> {
        Vec::new()
    }

    fn to_value(&self) -> Value {
        Value::vec(self.iter().map(T::to_value).collect())
    }

    fn from_value(value: &Value) -> Option<Vec<T>> {
        match value {
            Value::Vec(elements) => elements.iter().map(T::from_value).collect(),
            _ => None,
        }
    }
}

impl<K: Element + Key, V: Element> sealed::Sealed for Dict<K, V> {}

impl<K: Element + Key, V: Element> Element for Dict<K, V> {
    const LAYOUT: &'static Layout = &Layout::dict::<K, V>(K::LAYOUT, V::LAYOUT);

    fn is(ty: &Type) -> bool {
        matches!(ty, Type::Dict(key, value) if K::is(key) && V::is(value))
    }

    fn ty() -> Type {
        Type::dict(K::ty(), V::ty())
    }

    fn zero() -> Dict<K, V> {
        Dict::new()
    }

    fn to_value(&self) -> Value {
        let pairs = self.iter().map(|(key, value)| (key.to_value(), value.to_value()));
        Value::Dict(Arc::new(pairs.collect()))
    }

    fn from_value(value: &Value) -> Option<Dict<K, V>> {
        match value {
            Value::Dict(dict) => {
                dict.iter().map(|(key, value)| Some((K::from_value(key)?, V::from_value(value)?))).collect()
            }
            _ => None,
        }
    }
}

impl<T: Structure> sealed::Sealed for T {}

impl<T: Structure> Element for T {
    const LAYOUT: &'static Layout = &Layout::structure::<T>(T::FIELDS);

    fn is(ty: &Type) -> bool {
        matches!(ty, Type::Struct(fields) if T::are(fields))
    }

    fn ty() -> Type {
        Type::Struct(T::types())
    }

    #[inline(always)]
    fn zero() -> T {
        T::zeros()
    }

    fn to_value(&self) -> Value {
        T::value_of(self.to_values())
    }

    fn from_value(value: &Value) -> Option<T> {
        T::from_values(T::fields_of(value)?)
    }
}

macro_rules! tuple {
    ($($index:tt $name:ident)*) => {
        impl<$($name: Element),*> sealed::Sealed for ($($name,)*) {}

        impl<$($name: Element),*> Element for ($($name,)*) {
            const LAYOUT: &'static Layout = &Layout::structure::<Self>(&[
                $(Field::new(offset_of!(Self, $index), $name::LAYOUT)),*
            ]);

            fn is(ty: &Type) -> bool {
                const FIELDS: &[usize] = &[$($index),*];
                match ty {
                    // What is an enum has numbers of variants only.
                    Type::Struct(fields) => {
                        fields.len() == FIELDS.len() && fields.as_enum().is_none() $(&& $name::is(&fields[$index]))*
                    }
                    _ => false,
                }
            }

            fn ty() -> Type {
                Type::structure([$($name::ty()),*])
            }

            #[inline(always)]
            #[allow(clippy::unused_unit)]
            fn zero() -> Self {
                ($($name::zero(),)*)
            }

            fn to_value(&self) -> Value {
                Value::structure(vec![$(self.$index.to_value()),*])
            }

            #[allow(clippy::unused_unit)]
            fn from_value(value: &Value) -> Option<Self> {
                const FIELDS: &[usize] = &[$($index),*];
                match value {
                    Value::Struct(fields) if fields.len() == FIELDS.len() => {
                        Some(($($name::from_value(&fields[$index])?,)*))
                    }
                    _ => None,
                }
            }
        }
    };
}

for_tuples!(tuple);

#[cfg(test)]
mod tests {
    use super::*;

    fn check_round_trip<T: Element + PartialEq + std::fmt::Debug>(value: T, ty: &str) {
        assert_eq!(T::ty().to_string(), ty);
        let dynamic = value.to_value();
        assert!(dynamic.has_type(&T::ty()) && T::is(&T::ty()));
        assert_eq!(T::from_value(&dynamic), Some(value));
    }

    #[test]
    fn values_come_back_from_dynamic_ones() {
        check_round_trip((true, -1i8, 2u64, 0.5f32), "{bool,i8,u64,f32}");
        check_round_trip(vec![vec![1i32], vec![]], "vec[vec[i32]]");
        check_round_trip((), "{}");
        check_round_trip((7i64,), "{i64}");
        let dict: Dict<(i64, u8), Vec<f64>> = [((1, 2), vec![0.5]), ((0, 0), vec![])].into_iter().collect();
        check_round_trip(dict, "dict[{i64,u8},vec[f64]]");
    }

    #[test]
    fn dictionaries_keep_their_order() {
        let dict: Dict<i64, i64> = [(3, 0), (1, 0), (2, 0)].into_iter().collect();
        let back = Dict::<i64, i64>::from_value(&dict.to_value()).unwrap();
        assert_eq!(back.keys(), [3, 1, 2]);
    }

    #[test]
    fn values_of_other_types_are_refused() {
        assert_eq!(Vec::<i64>::from_value(&Value::vec(vec![Value::I32(1)])), None);
        assert_eq!(<(i64,)>::from_value(&Value::structure(vec![])), None);
        assert_eq!(<()>::from_value(&Value::structure(vec![Value::I64(1)])), None);
        assert_eq!(Dict::<i64, i64>::from_value(&Value::vec(vec![])), None);
    }

    #[track_caller]
    fn as_rust(value: impl Element + std::fmt::Debug) {
        assert_eq!(value.to_value().to_string(), format!("{value:?}"));
        assert_eq!(format!("{:#}", value.to_value()), format!("{value:#?}"));
    }

    #[test]
    fn values_print_as_those_of_rust() {
        as_rust((true, 1i8, -2i16, 3i32, i64::MIN));
        as_rust((1u8, 2u16, 3u32, u64::MAX));
        as_rust((1.0f32, -0.0f64, f64::NAN, f64::NEG_INFINITY, 1e300));
        as_rust(());
        as_rust((1i64,));
        as_rust(vec![vec![1i64], vec![]]);
        as_rust([(1i64, vec![0.5f64]), (2, vec![])].into_iter().collect::<Dict<i64, Vec<f64>>>());
    }

    #[test]
    fn structs_have_any_number_of_fields() {
        let wide = (0u8, 1u8, 2u8, 3u8, 4u8, 5u8, 6u8, 7u8, 8u8, 9u8, 10u8, 11u8, 12u8);
        assert_eq!(wide.to_value().to_string(), "(0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12)");
    }
}
