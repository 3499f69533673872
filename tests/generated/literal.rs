//! Values as expressions of Rust.

use weldment::{Type, Value};

/// The type in Rust that holds a value of type `ty`.
pub(crate) fn rust_type(ty: &Type) -> String {
    match ty {
        Type::Scalar(scalar) => scalar.name().to_owned(),
        Type::Vec(element) => format!("Vec<{}>", rust_type(element)),
        Type::Struct(fields) => {
            let fields: String = fields.iter().map(|field| format!("{}, ", rust_type(field))).collect();
            format!("({fields})")
        }
        Type::Dict(key, value) => format!("weldment::Dict<{}, {}>", rust_type(key), rust_type(value)),
    }
}

/// An expression of [`rust_type`] that is `value`.
pub(crate) fn rust_value(value: &Value) -> String {
    let list =
        |values: &[Value]| values.iter().map(|value| format!("{}, ", rust_value(value))).collect::<String>();
    match value {
        Value::Bool(x) => x.to_string(),
        Value::F32(x) => float("f32", f64::from(*x), format!("{x:?}f32")),
        Value::F64(x) => float("f64", *x, format!("{x:?}f64")),
        Value::Vec(elements) => format!("vec![{}]", list(elements)),
        Value::Struct(fields) => format!("({})", list(fields)),
        Value::Dict(entries) => {
            let entries = entries.iter().map(|(k, v)| format!("({}, {}), ", rust_value(k), rust_value(v)));
            format!("[{}].into_iter().collect()", entries.collect::<String>())
        }
        integer => format!("{integer}"),
    }
}

fn float(ty: &str, x: f64, finite: String) -> String {
    match x {
        x if x.is_nan() => format!("{ty}::NAN"),
        f64::INFINITY => format!("{ty}::INFINITY"),
        f64::NEG_INFINITY => format!("{ty}::NEG_INFINITY"),
        _ => finite,
    }
}

/// How an argument of type `ty` named `name` is passed to a kernel.
pub(crate) fn passed(ty: &Type, name: &str) -> String {
    match ty {
        Type::Vec(_) => format!("&{name}[..]"),
        ty if ty.is_scalars() => name.to_owned(),
        _ => format!("&{name}"),
    }
}
