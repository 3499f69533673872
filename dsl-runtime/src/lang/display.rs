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
            scalar => scalar.fmt_scalar(f),
        }
    }
}

macro_rules! define {
    ([] $($variant:ident $ty:ident $kind:ident $bits:ident;)*) => {
        impl Value {
            fn fmt_scalar(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                match self {
                    $(Value::$variant(x) => fmt::Debug::fmt(x, f),)*
                    _ => Ok(()),
                }
            }
        }
    };
}

crate::scalar_types!(define);

/// A value inside another: what the helpers of `Debug`, which also lay out `{:#}`, can print.
struct Shown<'a>(&'a Value);

impl fmt::Debug for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self.0, f)
    }
}
