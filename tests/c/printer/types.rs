//! Types and literals of C.

use std::collections::BTreeMap;

use weldment::backend::ir::Const;
use weldment::{Scalar, Type};

/// The structs of a module, by what their fields are: names of structs and fields mean nothing here.
#[derive(Default)]
pub(crate) struct Types {
    structs: BTreeMap<String, usize>,
    /// Their definitions, those of fields before.
    pub(crate) definitions: String,
}

impl Types {
    /// The name of `ty`.
    pub(crate) fn name(&mut self, ty: &Type) -> String {
        match ty {
            Type::Scalar(scalar) => scalar_name(*scalar).to_owned(),
            Type::Vec(_) => "vec".to_owned(),
            Type::Struct(fields) => {
                let names: Vec<String> = fields.iter().map(|field| self.name(field)).collect();
                let key = names.join(",");
                if let Some(number) = self.structs.get(&key) {
                    return format!("s{number}");
                }
                let number = self.structs.len();
                let fields = names.iter().enumerate().map(|(i, name)| format!("{name} f{i}; "));
                let fields: String = fields.collect();
                self.definitions += &format!("typedef struct {{ {fields}}} s{number};\n");
                self.structs.insert(key, number);
                format!("s{number}")
            }
            Type::Dict(..) => unreachable!("dictionaries are refused"),
        }
    }
}

/// The name of a scalar type.
pub(crate) fn scalar_name(scalar: Scalar) -> &'static str {
    match scalar {
        Scalar::Bool => "u8",
        Scalar::I8 => "i8",
        Scalar::I16 => "i16",
        Scalar::I32 => "i32",
        Scalar::I64 => "i64",
        Scalar::I128 => unreachable!("numbers of 128 bits are refused"),
        Scalar::U8 => "u8",
        Scalar::U16 => "u16",
        Scalar::U32 => "u32",
        Scalar::U64 => "u64",
        Scalar::F32 => "f32",
        Scalar::F64 => "f64",
    }
}

/// A constant, cast to its type.
pub(crate) fn literal(constant: Const) -> String {
    let ty = scalar_name(constant.scalar());
    match constant {
        Const::Bool(x) => format!("(u8){}", u8::from(x)),
        Const::F32(x) => float(f64::from(x), ty),
        Const::F64(x) => float(x, ty),
        Const::U64(x) => format!("(u64){x}u"),
        _ => match constant.as_integer() {
            // The least number is no literal of C.
            Some(x) if x == i128::from(i64::MIN) => "((i64)INT64_MIN)".to_owned(),
            x => format!("({ty})({})", x.unwrap_or_default()),
        },
    }
}

/// Every f32 is an f64, and hexadecimal digits say it exactly.
fn float(x: f64, ty: &str) -> String {
    if x.is_nan() {
        return format!("({ty})NAN");
    }
    if x.is_infinite() {
        return format!("({ty})({}INFINITY)", if x < 0.0 { "-" } else { "" });
    }
    let bits = x.to_bits();
    let (sign, exponent, digits) = (bits >> 63, (bits >> 52 & 0x7ff) as i64, bits & ((1 << 52) - 1));
    let (lead, exponent) = if exponent == 0 { (0, -1022) } else { (1, exponent - 1023) };
    let sign = if sign == 1 { "-" } else { "" };
    format!("({ty})({sign}0x{lead}.{digits:013x}p{exponent})")
}

/// The leaves of `expression`, of type `ty`, in order, if all are scalars.
pub(crate) fn leaves(ty: &Type, expression: &str) -> Option<Vec<(Scalar, String)>> {
    match ty {
        Type::Scalar(scalar) => Some(vec![(*scalar, expression.to_owned())]),
        Type::Struct(fields) => {
            let mut all = Vec::new();
            for (i, field) in fields.iter().enumerate() {
                all.extend(leaves(field, &format!("{expression}.f{i}"))?);
            }
            Some(all)
        }
        Type::Vec(_) | Type::Dict(..) => None,
    }
}
