//! Types, arguments and literals.

use std::sync::Arc;

use weldment_runtime::reduce::ReduceOp;
use weldment_runtime::scalar::{self, Const};
use weldment_runtime::types::{Scalar, Type};
use weldment_runtime::value::Value;

use super::Generator;

/// The scalars that reductions take, the common ones first.
pub(super) const NUMBERS: [Scalar; 12] = [
    Scalar::I64,
    Scalar::F64,
    Scalar::F64,
    Scalar::F32,
    Scalar::I32,
    Scalar::U8,
    Scalar::I8,
    Scalar::F32,
    Scalar::U64,
    Scalar::I16,
    Scalar::U16,
    Scalar::U32,
];

impl Generator<'_> {
    /// A type of values, nested to `depth`.
    pub(super) fn ty(&mut self, depth: usize) -> Type {
        match if depth == 0 { 0 } else { self.tape.pick(10) } {
            0..5 => match self.tape.pick(8) {
                7 => Type::Scalar(Scalar::Bool),
                _ => Type::Scalar(self.number()),
            },
            5..7 => Type::vec(self.ty(depth - 1)),
            7..9 => {
                let fields = self.tape.of(&[2, 2, 3, 1]);
                Type::structure((0..fields).map(|_| self.ty(depth - 1)).collect::<Vec<_>>())
            }
            _ => {
                let (key, value) = (self.key_ty(), self.dict_value_ty());
                Type::dict(key, value)
            }
        }
    }

    pub(super) fn number(&mut self) -> Scalar {
        match self.tape.pick(3) {
            0 => Scalar::I64,
            _ => self.tape.of(&NUMBERS),
        }
    }

    /// A type of keys: no dictionary inside.
    pub(super) fn key_ty(&mut self) -> Type {
        match self.tape.pick(6) {
            0..3 => Type::Scalar(self.tape.of(&Scalar::ALL)),
            3 => Type::vec(Type::Scalar(self.number())),
            _ => Type::structure([Type::Scalar(self.number()), Type::Scalar(self.tape.of(&Scalar::ALL))]),
        }
    }

    /// A type that operators reduce: a number, or a struct of such.
    pub(super) fn reducible_ty(&mut self) -> Type {
        match self.tape.pick(4) {
            3 => Type::structure([Type::Scalar(self.number()), Type::Scalar(self.number())]),
            _ => Type::Scalar(self.number()),
        }
    }

    /// What dictionaries hold: what `dictmerger` reduces, or the groups of `groupmerger`.
    fn dict_value_ty(&mut self) -> Type {
        match self.tape.pick(3) {
            2 => Type::vec(self.ty(1)),
            _ => self.reducible_ty(),
        }
    }

    pub(super) fn operator(&mut self) -> ReduceOp {
        self.tape.of(&ReduceOp::ALL)
    }

    /// An argument.
    pub(super) fn value(&mut self, ty: &Type) -> Value {
        match ty {
            Type::Scalar(scalar) => self.constant(*scalar).into(),
            Type::Vec(element) => {
                let len = match self.tape.pick(8) {
                    0 => 0,
                    7 => 18 + self.tape.pick(20),
                    _ => 1 + self.tape.pick(5),
                };
                Value::vec((0..len).map(|_| self.value(element)).collect())
            }
            Type::Struct(fields) => Value::structure(fields.iter().map(|field| self.value(field)).collect()),
            Type::Dict(key, value) => {
                let len = self.tape.pick(4);
                let pairs = (0..len).map(|_| (self.value(key), self.value(value)));
                Value::Dict(Arc::new(pairs.collect()))
            }
        }
    }

    /// A number that is small, or at an edge of its type; a float with few bits behind the point.
    fn constant(&mut self, ty: Scalar) -> Const {
        if ty.is_float() {
            let x = match self.tape.pick(12) {
                8 => f64::NAN,
                9 => f64::INFINITY,
                10 => f64::NEG_INFINITY,
                11 => -0.0,
                _ => f64::from(self.tape.pick(129) as i32 - 64) / 8.0,
            };
            return scalar::cast(ty, Const::F64(x));
        }
        let small = self.tape.pick(12) as i128;
        match self.tape.pick(8) {
            5 if ty.is_signed() => Const::from_i128(ty, -1 - small),
            6 => scalar::largest(ty),
            7 => scalar::smallest(ty),
            _ if ty == Scalar::Bool => Const::Bool(small % 2 == 1),
            _ => Const::from_i128(ty, small),
        }
    }

    pub(super) fn scalar_literal(&mut self, ty: Scalar) -> String {
        let constant = self.constant(ty);
        let name = ty.name();
        let weld = match ty {
            Scalar::I8 => "c",
            Scalar::I16 => "si",
            Scalar::I32 => "",
            Scalar::I64 => "L",
            Scalar::F32 => "f",
            _ => name,
        };
        match constant {
            Const::Bool(x) => x.to_string(),
            Const::F32(x) => float(name, x.into(), "f"),
            Const::F64(x) => float(name, x, ""),
            _ => {
                let x = constant.as_integer().expect("an integer");
                let suffix = if ty == Scalar::I32 || self.tape.pick(3) > 0 { weld } else { name };
                if x < 0 { format!("(-{}{suffix})", -x) } else { format!("{x}{suffix}") }
            }
        }
    }
}

fn float(ty: &str, x: f64, suffix: &str) -> String {
    match x {
        x if x.is_nan() => format!("{ty}::NAN"),
        f64::INFINITY => format!("{ty}::INFINITY"),
        f64::NEG_INFINITY => format!("{ty}::NEG_INFINITY"),
        x if x.is_sign_negative() => format!("(-{:?}{suffix})", -x),
        x => format!("{x:?}{suffix}"),
    }
}
