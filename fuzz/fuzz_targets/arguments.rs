//! Arguments of any types, chosen by bytes; where these end, all choices are the simplest.

use weldment_runtime::lang::scalar::{self, Const};
use weldment_runtime::lang::types::{Scalar, Type};
use weldment_runtime::lang::value::Value;

/// One value of each type.
pub(crate) fn make<'t>(types: impl Iterator<Item = &'t Type>, tape: &[u8]) -> Vec<Value> {
    let mut tape = tape.iter().copied();
    types.map(|ty| value(ty, &mut tape)).collect()
}

fn value(ty: &Type, tape: &mut impl Iterator<Item = u8>) -> Value {
    match ty {
        Type::Scalar(ty) => constant(*ty, tape.next().unwrap_or(0)).into(),
        Type::Vec(element) => {
            let len = tape.next().unwrap_or(0) % 12;
            Value::vec((0..len).map(|_| value(element, tape)).collect())
        }
        Type::Struct(fields) => Value::structure(fields.iter().map(|field| value(field, tape)).collect()),
        Type::Dict(key, of) => {
            let len = tape.next().unwrap_or(0) % 6;
            Value::Dict(std::sync::Arc::new((0..len).map(|_| (value(key, tape), value(of, tape))).collect()))
        }
    }
}

/// Small numbers mostly, and those at which things break.
fn constant(ty: Scalar, choice: u8) -> Const {
    let small = i128::from(choice % 16);
    let float = |x: f64| scalar::cast(ty, Const::F64(x));
    match choice / 16 {
        _ if ty == Scalar::Bool => Const::Bool(choice % 2 == 1),
        0..10 => float(small as f64),
        10 => float(-1.0 - small as f64),
        11 => float(small as f64 / 8.0),
        12 => scalar::largest(ty),
        13 => scalar::smallest(ty),
        14 => float(f64::NAN),
        _ => float(-0.0),
    }
}
