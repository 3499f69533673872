//! Printing values: as the Rust values that they stand for print by `{:?}`.
//!
//! Rust's own `Debug` stops at tuples of twelve fields; a value prints a struct of any number.

use std::fmt;

use crate::lang::value::Value;

/// ```
/// use weldment_runtime::api::element::Element;
/// let rows = vec![(1i64, 0.5f64), (2, f64::NAN)];
/// assert_eq!(rows.to_value().to_string(), "[(1, 0.5), (2, NaN)]");
/// ```
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Value::Bool(x) => fmt::Debug::fmt(x, f),
            Value::I8(x) => fmt::Debug::fmt(x, f),
            Value::I16(x) => fmt::Debug::fmt(x, f),
            Value::I32(x) => fmt::Debug::fmt(x, f),
            Value::I64(x) => fmt::Debug::fmt(x, f),
            Value::U8(x) => fmt::Debug::fmt(x, f),
            Value::U16(x) => fmt::Debug::fmt(x, f),
            Value::U32(x) => fmt::Debug::fmt(x, f),
            Value::U64(x) => fmt::Debug::fmt(x, f),
            Value::F32(x) => fmt::Debug::fmt(x, f),
            Value::F64(x) => fmt::Debug::fmt(x, f),
            Value::Vec(elements) => f.debug_list().entries(elements.iter().map(Shown)).finish(),
            Value::Struct(fields) if fields.is_empty() => f.write_str("()"),
            Value::Struct(fields) => {
                let mut tuple = f.debug_tuple("");
                for field in fields.iter() {
                    tuple.field(&Shown(field));
                }
                tuple.finish()
            }
            Value::Dict(dict) => {
                f.debug_map().entries(dict.iter().map(|(key, value)| (Shown(key), Shown(value)))).finish()
            }
        }
    }
}

/// A value inside another: what the helpers of `Debug`, which also lay out `{:#}`, can print.
struct Shown<'a>(&'a Value);

impl fmt::Debug for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.0, f)
    }
}

#[cfg(test)]
mod tests {
    use std::fmt::Debug;

    use crate::api::element::Element;
    use crate::store::dict::Dict;

    #[track_caller]
    fn as_rust(value: impl Element + Debug) {
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
