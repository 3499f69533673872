//! Printing values: as the Rust values that they stand for print by `{:?}`.
//!
//! Rust's own `Debug` stops at tuples of twelve fields; a value prints a struct of any number.

use std::fmt::{self, Debug as _};

use crate::lang::domain::{self, Range};
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
            Value::Array(parts) => fmt_array(parts, f),
            Value::Dict(dict) => {
                f.debug_map().entries(dict.iter().map(|(key, value)| (Shown(key), Shown(value)))).finish()
            }
            scalar => scalar.fmt_scalar(f),
        }
    }
}

/// Prints what an array is made of as the array.
fn fmt_array(parts: &[Value], f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let number = |part: &Value| part.as_integer().and_then(|number| i64::try_from(number).ok()).unwrap_or(0);
    let numbers: Vec<i64> = parts.iter().skip(1).map(number).collect();
    let axes = numbers.len() / 3;
    let range =
        |axis: usize| Range::new(numbers[axis], numbers[axes + axis], numbers[2 * axes + axis] as u64);
    let (Some(Value::Vec(elements)), Some(ranges)) =
        (parts.first(), (0..axes).map(range).collect::<Option<Vec<_>>>())
    else {
        return f.write_str("array(?)");
    };
    let element = |positions: &[u64], f: &mut fmt::Formatter<'_>| {
        let axes = ranges.iter().zip(positions);
        let place = axes.fold(0, |place, (range, position)| place * range.extent() + position);
        elements.get(place as usize).map_or(Ok(()), |element| Shown(element).fmt(f))
    };
    domain::show::Shown { ranges: &ranges, element: &element }.fmt(f)
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
