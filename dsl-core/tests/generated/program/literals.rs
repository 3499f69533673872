//! Literals in all their forms.

use weldment_runtime::lang::scalar::{self, Const};
use weldment_runtime::lang::types::{Scalar, Type};

use super::Generator;
use super::spell::Speller;

/// Constants that have names; each is there for both types of float.
const CONSTANTS: [&str; 8] =
    ["MAX", "MIN", "EPSILON", "MIN_POSITIVE", "consts::PI", "consts::E", "consts::LN_2", "consts::SQRT_2"];

impl Generator<'_> {
    pub(super) fn literal(&mut self, ty: &Type) -> String {
        match ty {
            Type::Scalar(scalar) => self.scalar_literal(*scalar),
            Type::Vec(element) => self.vector_literal(ty, element),
            Type::Struct(_) if ty.is_text() => self.text_literal(),
            Type::Struct(_) if let Some(temporal) = ty.as_temporal() => self.time_literal(temporal),
            Type::Struct(_) if let Some(scale) = ty.as_fixed() => self.fixed_literal(scale),
            Type::Struct(_) if let Some(half) = ty.as_half() => self.half_literal(half),
            Type::Struct(fields) => {
                let fields: Vec<String> = fields.iter().map(|field| self.leaf(field)).collect();
                self.make(ty, &fields)
            }
            Type::Dict(key, value) => self.dict_literal(key, value),
        }
    }

    fn vector_literal(&mut self, ty: &Type, element: &Type) -> String {
        let len = self.tape.pick(6);
        if matches!(element, Type::Scalar(Scalar::I8 | Scalar::U8)) && len % 2 == 1 {
            let text: String = (0..len).map(|_| self.tape.of(&['a', 'b', ' ', '0', '#', 'é'])).collect();
            return match element {
                Type::Scalar(Scalar::I8) => format!("\"{text}\""),
                // Bytes are ASCII; others are escaped.
                _ => format!("b\"{}\"", text.replace('é', "\\xe9\\n")),
            };
        }
        match len {
            4 => format!("([]: {})", self.spell.ty(ty)),
            5 => format!("[{}]", self.leaf(element)),
            _ => {
                let elements: Vec<String> = (0..=len).map(|_| self.leaf(element)).collect();
                format!("[{}]", elements.join(", "))
            }
        }
    }

    pub(super) fn scalar_literal(&mut self, ty: Scalar) -> String {
        if ty.is_float() && self.tape.pick(16) == 15 {
            let path = if self.spell.one_in(4) { "std::" } else { "" };
            return format!("{path}{ty}::{}", self.tape.of(&CONSTANTS));
        }
        if ty == Scalar::U8 && self.tape.pick(6) == 5 {
            let byte = self.tape.of(b"az09 #\"");
            return integer(&mut self.spell, ty, byte.into());
        }
        match self.constant(ty) {
            Const::Bool(x) => x.to_string(),
            Const::F32(x) => float(&mut self.spell, ty, x.into()),
            Const::F64(x) => float(&mut self.spell, ty, x),
            constant => integer(&mut self.spell, ty, constant.as_integer().expect("an integer")),
        }
    }
}

/// A number of a type that needs no context.
fn integer(spell: &mut Speller, ty: Scalar, x: i128) -> String {
    let weld = match ty {
        Scalar::I8 => ["c", "C"],
        Scalar::I16 => ["si", "si"],
        Scalar::I32 => ["", ""],
        Scalar::I64 => ["L", "l"],
        _ => [ty.name(), ty.name()],
    };
    if !(0..128).contains(&x) && spell.one_in(8) && spell.is_rust() {
        let is = |extreme: Const| extreme.as_integer() == Some(x);
        let is_largest = is(scalar::largest(ty));
        if is_largest || is(scalar::smallest(ty)) {
            return format!("{ty}::{}", if is_largest { "MAX" } else { "MIN" });
        }
    }
    if ty == Scalar::U8 && (32..127).contains(&x) && spell.one_in(2) {
        return format!("b'{}'", x as u8 as char);
    }
    let suffix = if spell.is_rust() { ty.name() } else { weld[usize::from(spell.one_in(4))] };
    let digits = match x.unsigned_abs() {
        // `c` and `f` are digits behind `0x`.
        magnitude if spell.one_in(6) && !suffix.starts_with(['c', 'C', 'f']) => format!("0x{magnitude:x}"),
        magnitude if spell.one_in(8) && !suffix.starts_with(['c', 'C']) => format!("0b{magnitude:b}"),
        magnitude if spell.one_in(8) && magnitude >= 10 => {
            format!("{}_{}", magnitude / 10, magnitude % 10)
        }
        magnitude => magnitude.to_string(),
    };
    if x < 0 { format!("(-{digits}{suffix})") } else { format!("{digits}{suffix}") }
}

fn float(spell: &mut Speller, ty: Scalar, x: f64) -> String {
    let digits = match x {
        x if x.is_nan() => return format!("{ty}::NAN"),
        f64::INFINITY => return format!("{ty}::INFINITY"),
        f64::NEG_INFINITY => return format!("{ty}::NEG_INFINITY"),
        x if x.fract() == 0.0 && ty == Scalar::F32 && spell.one_in(4) => format!("{}", x.abs()),
        x if spell.one_in(6) => format!("{:e}", x.abs()),
        x => format!("{:?}", x.abs()),
    };
    let suffix = match (ty, spell.is_rust()) {
        (Scalar::F32, false) => {
            if spell.one_in(4) {
                "F"
            } else {
                "f"
            }
        }
        (Scalar::F32, true) => "f32",
        (_, true) if spell.one_in(3) => "f64",
        _ => "",
    };
    let digits = if suffix.is_empty() && !digits.contains(['.', 'e']) { digits + ".0" } else { digits };
    if x.is_sign_negative() { format!("(-{digits}{suffix})") } else { format!("{digits}{suffix}") }
}
