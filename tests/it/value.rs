//! Rust values as the dynamically typed ones of run-time programs, so that executors can be compared.

use weldment::{Dict, Value};

/// What can be compared with the interpreter.
pub(crate) trait ToValue {
    fn value(&self) -> Value;
}

macro_rules! scalars {
    ($($ty:ident $variant:ident)*) => {$(
        impl ToValue for $ty {
            fn value(&self) -> Value {
                Value::$variant(*self)
            }
        }
    )*};
}

scalars!(bool Bool i8 I8 i16 I16 i32 I32 i64 I64 u8 U8 u16 U16 u32 U32 u64 U64 f32 F32 f64 F64);

impl<T: ToValue> ToValue for [T] {
    fn value(&self) -> Value {
        Value::vec(self.iter().map(ToValue::value).collect())
    }
}

impl<T: ToValue> ToValue for Vec<T> {
    fn value(&self) -> Value {
        self.as_slice().value()
    }
}

impl<T: ToValue, const N: usize> ToValue for [T; N] {
    fn value(&self) -> Value {
        self.as_slice().value()
    }
}

impl<T: ToValue + ?Sized> ToValue for &T {
    fn value(&self) -> Value {
        (**self).value()
    }
}

macro_rules! tuples {
    ($(($($name:ident)*))*) => {$(
        impl<$($name: ToValue),*> ToValue for ($($name,)*) {
            #[allow(non_snake_case)]
            fn value(&self) -> Value {
                let ($($name,)*) = self;
                Value::structure(vec![$($name.value()),*])
            }
        }
    )*};
}

tuples!(() (A) (A B) (A B C) (A B C D) (A B C D E) (A B C D E F));

impl<K: ToValue, V: ToValue> ToValue for Dict<K, V> {
    fn value(&self) -> Value {
        let pairs = self.iter().map(|(key, value)| (key.value(), value.value()));
        Value::Dict(std::sync::Arc::new(pairs.collect()))
    }
}
