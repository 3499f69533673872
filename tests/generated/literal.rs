//! Values as expressions of Rust.

use weldment::{Temporal, Type, Value};

use crate::program::structs::Struct;

/// The type in Rust that holds a value of type `ty`.
pub(crate) fn rust_type(ty: &Type) -> String {
    match ty {
        Type::Scalar(scalar) => scalar.name().to_owned(),
        Type::Vec(element) => format!("Vec<{}>", rust_type(element)),
        Type::Struct(_) if ty.is_text() => "String".to_owned(),
        Type::Struct(_) if let Some(size) = ty.as_size() => size.name().to_owned(),
        Type::Struct(parts) if ty.as_column().is_some() => match &parts[..] {
            [offsets, _] => format!("weldment::Strings<'static, {}>", rust_element(offsets)),
            parts => format!("weldment::Nullable<'static, {}>", rust_element(&parts[0])),
        },
        Type::Struct(_) if let Some(temporal) = ty.as_temporal() => format!("weldment::{}", temporal.name()),
        Type::Struct(_) if let Some(scale) = ty.as_fixed() => format!("weldment::{}", scale.name()),
        Type::Struct(_) if let Some(half) = ty.as_half() => format!("weldment::{}", half.name()),
        Type::Struct(fields) if let Some((element, len)) = fields.as_fixed_array() => {
            format!("[{}; {len}]", rust_type(element))
        }
        Type::Struct(fields) if fields.as_option().is_some() => {
            format!("Option<{}>", rust_type(&fields[1]))
        }
        Type::Struct(fields) => {
            let list =
                |types: &[Type]| types.iter().map(|ty| format!("{}, ", rust_type(ty))).collect::<String>();
            match ty.user_name() {
                Some(name) if name.args.is_empty() => name.of.clone(),
                Some(name) => format!("{}<{}>", name.of, list(&name.args)),
                None => format!("({})", list(fields)),
            }
        }
        Type::Dict(key, value) => format!("weldment::Dict<{}, {}>", rust_type(key), rust_type(value)),
    }
}

/// The type in Rust of the elements of a vector.
fn rust_element(ty: &Type) -> String {
    rust_type(ty.element().expect("a vector"))
}

/// An expression of [`rust_type`] that is `value`, of type `ty`, where these structs are declared.
pub(crate) fn rust_value(ty: &Type, value: &Value, structs: &[Struct]) -> String {
    let all = |types: &mut dyn Iterator<Item = &Type>, values: &[Value]| {
        types.zip(values).map(|(ty, value)| rust_value(ty, value, structs)).collect::<Vec<_>>()
    };
    match (ty, value) {
        (_, Value::Bool(x)) => x.to_string(),
        (_, Value::F32(x)) => float("f32", f64::from(*x), format!("{x:?}f32")),
        (_, Value::F64(x)) => float("f64", *x, format!("{x:?}f64")),
        (Type::Vec(element), Value::Vec(elements)) => {
            format!("vec![{}]", all(&mut std::iter::repeat(&**element), elements).join(", "))
        }
        (Type::Struct(_), text) if ty.is_text() => {
            format!("{:?}.to_owned()", text.as_text().expect("a text"))
        }
        (Type::Struct(types), Value::Struct(parts)) if ty.as_column().is_some() => {
            let parts = all(&mut types.iter(), parts);
            match &parts[..] {
                [offsets, bytes] => {
                    format!("weldment::Strings::new({offsets}, {bytes}).expect(\"a column\")")
                }
                parts => format!(
                    "{{ let values = {}; let bits = weldment::Bits::new({}, {} as usize, values.len()); \
                     weldment::Nullable::new(values, Some(bits.expect(\"bits\"))).expect(\"a column\") }}",
                    parts[0], parts[1], parts[2]
                ),
            }
        }
        (Type::Struct(_), Value::Struct(number)) if let Some(size) = ty.as_size() => {
            format!("({}i64 as {})", number[0], size.name())
        }
        (Type::Struct(_), Value::Struct(number)) if let Some(temporal) = ty.as_temporal() => {
            let from = match temporal {
                Temporal::Date => "Date::from_epoch_days",
                Temporal::Timestamp => "Timestamp::from_epoch_micros",
                Temporal::Span => "Span::from_micros",
            };
            format!("weldment::{from}({})", number[0])
        }
        (Type::Struct(_), Value::Struct(units)) if let Some(scale) = ty.as_fixed() => {
            format!("weldment::Fixed::<{}>::from_raw({})", scale.digits(), units[0])
        }
        (Type::Struct(_), Value::Struct(bits)) if let Some(half) = ty.as_half() => {
            format!("weldment::{}::from_bits({})", half.name(), bits[0])
        }
        (Type::Struct(types), Value::Struct(fields)) if types.as_option().is_some() => match &fields[..] {
            [Value::Bool(true), value] => format!("Some({})", rust_value(&types[1], value, structs)),
            _ => format!("None::<{}>", rust_type(&types[1])),
        },
        (Type::Struct(types), Value::Struct(fields)) => {
            let fields = all(&mut types.iter(), fields);
            let declared =
                ty.user_name().and_then(|name| structs.iter().find(|declared| declared.name == name.of));
            match declared {
                None if ty.as_fixed_array().is_some() => format!("[{}]", fields.join(", ")),
                Some(declared) => declared.literal(&fields),
                None => format!("({})", fields.iter().map(|field| format!("{field}, ")).collect::<String>()),
            }
        }
        (Type::Dict(key, value), Value::Dict(entries)) => {
            let entry =
                |(k, v)| format!("({}, {}), ", rust_value(key, k, structs), rust_value(value, v, structs));
            format!("[{}].into_iter().collect()", entries.iter().map(entry).collect::<String>())
        }
        (_, integer) => format!("{integer}"),
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
        ty if ty.is_text() => format!("&{name}[..]"),
        ty if ty.is_scalars() => name.to_owned(),
        _ => format!("&{name}"),
    }
}
