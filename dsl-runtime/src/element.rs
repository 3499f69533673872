//! Element types: which Rust types the language's types are, their dynamic values, and how they lie in memory.

use std::mem::offset_of;
use std::sync::Arc;

use crate::dict::Dict;
use crate::key::Key;
use crate::tuples::for_tuples;
use crate::types::{Scalar, Type};
use crate::value::Value;

/// A Rust type that is a type of the language: a scalar, a tuple of up to 24 fields, a `Vec` or a [`Dict`].
///
/// ```
/// use weldment_runtime::element::Element;
/// use weldment_runtime::value::Value;
/// type Row = (i64, Vec<f64>);
/// assert_eq!(Row::ty().to_string(), "{i64,vec[f64]}");
/// let row: Row = (1, vec![0.5]);
/// assert_eq!(Row::from_value(&row.to_value()), Some(row));
/// assert_eq!(i64::from_value(&Value::F64(0.5)), None);
/// ```
pub trait Element: Sized {
    /// The type.
    fn ty() -> Type;

    /// This value, dynamically typed.
    fn to_value(&self) -> Value;

    /// The value that `value` is, if it is one of this type.
    fn from_value(value: &Value) -> Option<Self>;

    /// How values of this type lie in memory.
    fn layout() -> Layout;
}

/// How the values of a type lie in memory: what compiled programs read in place.
///
/// ```
/// use weldment_runtime::element::{Element, Shape};
/// let layout = <(u8, f64)>::layout();
/// let Shape::Struct(fields) = layout.shape else { panic!() };
/// assert_eq!((layout.size, fields.len(), fields[1].layout.size), (16, 2, 8));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Layout {
    /// In bytes, from one element of a slice to the next.
    pub size: usize,
    /// In bytes.
    pub align: usize,
    /// What is inside.
    pub shape: Shape,
}

/// What a value holds, and where.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Shape {
    /// A scalar; a bool is 0 or 1.
    Scalar(Scalar),
    /// Fields, in the order of the type, which need not be their order in memory.
    Struct(Vec<Field>),
    /// A `Vec` of elements of this layout. Where its pointer and length lie is Rust's own; they are read with
    /// `Vec`'s methods only.
    Vec(Box<Layout>),
    /// A [`Dict`], which is read with its methods only.
    Dict,
}

/// A field of a struct.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Field {
    /// In bytes from the start of the struct.
    pub offset: usize,
    /// Of the field.
    pub layout: Layout,
}

impl Layout {
    fn of<T>(shape: Shape) -> Layout {
        Layout { size: size_of::<T>(), align: align_of::<T>(), shape }
    }
}

macro_rules! scalar {
    ($($ty:ident $variant:ident)*) => {$(
        impl Element for $ty {
            fn ty() -> Type {
                Type::Scalar(Scalar::$variant)
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

            fn layout() -> Layout {
                Layout::of::<$ty>(Shape::Scalar(Scalar::$variant))
            }
        }
    )*};
}

scalar!(bool Bool i8 I8 i16 I16 i32 I32 i64 I64 u8 U8 u16 U16 u32 U32 u64 U64 f32 F32 f64 F64);

impl<T: Element> Element for Vec<T> {
    fn ty() -> Type {
        Type::vec(T::ty())
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

    fn layout() -> Layout {
        Layout::of::<Vec<T>>(Shape::Vec(Box::new(T::layout())))
    }
}

impl<K: Element + Key, V: Element> Element for Dict<K, V> {
    fn ty() -> Type {
        Type::dict(K::ty(), V::ty())
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

    fn layout() -> Layout {
        Layout::of::<Dict<K, V>>(Shape::Dict)
    }
}

macro_rules! tuple {
    ($($index:tt $name:ident)*) => {
        impl<$($name: Element),*> Element for ($($name,)*) {
            fn ty() -> Type {
                Type::structure([$($name::ty()),*])
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

            fn layout() -> Layout {
                Layout::of::<Self>(Shape::Struct(vec![
                    $(Field { offset: offset_of!(Self, $index), layout: $name::layout() }),*
                ]))
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
        assert!(dynamic.has_type(&T::ty()));
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

    #[test]
    fn layouts_say_where_each_field_lies() {
        type Row = (u8, f64, (bool, i32), Vec<u16>);
        let row: Row = (1, 2.0, (true, 4), vec![5, 6]);
        let Shape::Struct(fields) = Row::layout().shape else { panic!("a struct") };
        let base = &raw const row as usize;
        assert_eq!(fields[0].offset, &raw const row.0 as usize - base);
        assert_eq!(fields[1].offset, &raw const row.1 as usize - base);
        assert_eq!(fields[2].offset, &raw const row.2 as usize - base);
        assert_eq!(fields[3].offset, &raw const row.3 as usize - base);
        assert_eq!(fields[3].layout.shape, Shape::Vec(Box::new(u16::layout())));
        assert_eq!((Row::layout().size, Row::layout().align), (size_of::<Row>(), align_of::<Row>()));
    }
}
