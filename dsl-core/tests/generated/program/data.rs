//! Types and arguments.

use std::sync::Arc;

use weldment_runtime::lang::reduce::ReduceOp;
use weldment_runtime::lang::scalar::{self, Const};
use weldment_runtime::lang::types::{Scalar, Type};
use weldment_runtime::lang::value::Value;

use super::texts::TEXTS;
use super::{Folds, Generator};

/// The scalars that reductions take, the common ones first.
pub(super) const NUMBERS: [Scalar; 12] = [
    Scalar::I64,
    Scalar::F64,
    Scalar::F64,
    Scalar::F32,
    Scalar::I32,
    Scalar::U8,
    Scalar::I8,
    Scalar::I128,
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
                _ if self.tape.by_place(&[false, false, false, false, false, false, true]) => {
                    match self.tape.by_place(&[false, true]) {
                        true => self.half_ty(),
                        false => self.temporal_ty(),
                    }
                }
                _ => Type::Scalar(self.number()),
            },
            5..7 => match self.tape.by_place(&[false, false, false, false, true]) {
                true => Type::vec(Type::text()),
                false => Type::vec(self.ty(depth - 1)),
            },
            7..9 => {
                let chosen = match self.tape.pick(6) {
                    1 | 2 => self.named_ty(|_| true),
                    3 | 4 => Some(self.reducible_struct()),
                    _ => None,
                };
                chosen.unwrap_or_else(|| {
                    let fields = self.tape.of(&[2, 2, 3, 1]);
                    let fields: Vec<Type> = (0..fields).map(|_| self.ty(depth - 1)).collect();
                    match &fields[..] {
                        [value, ..]
                            if is_optional(value)
                                && self.tape.by_place(&[false, false, true, false, false]) =>
                        {
                            Type::option(value.clone())
                        }
                        _ => Type::structure(fields),
                    }
                })
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

    pub(super) fn float_ty(&mut self) -> Type {
        Type::Scalar(self.tape.of(&[Scalar::F64, Scalar::F64, Scalar::F32]))
    }

    /// A type of indices.
    pub(super) fn integer(&mut self) -> Scalar {
        match self.tape.pick(3) {
            2 => self.tape.of(&Scalar::ALL.map(|ty| if ty.is_integer() { ty } else { Scalar::I64 })),
            _ => Scalar::I64,
        }
    }

    /// A type of keys: no dictionary inside.
    pub(super) fn key_ty(&mut self) -> Type {
        let number = Type::Scalar(self.number());
        match self.tape.pick(10) {
            4 if self.tape.by_place(&[false, true]) => self.temporal_ty(),
            4 => Type::vec(number),
            5 if self.tape.by_place(&[true, false]) => Type::text(),
            5 => Type::vec(Type::Scalar(self.tape.of(&[Scalar::I8, Scalar::U8]))),
            6 if self.tape.by_place(&[false, true]) => self.fixed_array_ty(number),
            6 => Type::structure([number, Type::Scalar(self.tape.of(&Scalar::ALL))]),
            7 => match (self.key_ty(), self.tape.by_place(&[false, true, false])) {
                (key, true) if is_optional(&key) => Type::option(key),
                (key, _) => Type::structure([number, key]),
            },
            8 => Type::vec(self.key_ty()),
            9 => self.named_ty(|ty| !is_no_key(ty)).unwrap_or(number),
            _ => Type::Scalar(self.tape.of(&Scalar::ALL)),
        }
    }

    /// A type that operators reduce: a number, or a struct of such.
    pub(super) fn reducible_ty(&mut self) -> Type {
        match self.tape.pick(5) {
            3 => self.reducible_struct(),
            4 => self.named_ty(is_reducible).unwrap_or(Type::F64),
            _ => Type::Scalar(self.number()),
        }
    }

    fn reducible_struct(&mut self) -> Type {
        let [mut first, second] = [self.number(), self.number()].map(Type::Scalar);
        if self.tape.by_place(&[false, false, true]) {
            return self.fixed_array_ty(first);
        }
        if self.tape.pick(2) == 1 {
            first = Type::structure([first, Type::Scalar(self.number())]);
        }
        Type::structure([first, second])
    }

    fn fixed_array_ty(&mut self, element: Type) -> Type {
        Type::fixed_array(element, self.tape.of(&[2, 3, 1, 10]))
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
            Type::Vec(element) if self.limits.folds == Folds::Rounded && self.tape.pick(4) > 0 => {
                match element.as_scalar().filter(|scalar| scalar.is_float()) {
                    Some(scalar) => self.rough(scalar),
                    None => Value::vec(vec![self.value(element)]),
                }
            }
            Type::Vec(element) => {
                let len = match self.tape.pick(8) {
                    0 => 0,
                    7 => 18 + self.tape.pick(20),
                    _ => 1 + self.tape.pick(5),
                };
                self.longest = self.longest.max(len);
                Value::vec((0..len).map(|_| self.value(element)).collect())
            }
            Type::Struct(_) if let Some(half) = ty.as_half() => {
                let Const::F64(x) = self.constant(Scalar::F64) else {
                    unreachable!("a constant of its type")
                };
                Value::structure(vec![Value::U16(half.of_f64(x))])
            }
            Type::Struct(_) if ty.is_text() => Value::text(&self.tape.of(&TEXTS).replace("\\n", "\n")),
            Type::Struct(fields) => {
                let values: Vec<Value> = fields.iter().map(|field| self.value(field)).collect();
                match &values[..] {
                    [Value::Bool(false), _] if fields.as_option().is_some() => Value::zero(ty),
                    _ => Value::structure(values),
                }
            }
            Type::Dict(key, value) => {
                let len = self.tape.pick(4);
                let pairs = (0..len).map(|_| (self.value(key), self.value(value)));
                Value::Dict(Arc::new(pairs.collect()))
            }
        }
    }

    /// Floats with as many bits as there are, more than a sum has lanes, of few numbers of the tape.
    fn rough(&mut self, ty: Scalar) -> Value {
        let (mut x, len) = (self.tape.pick(1 << 16) as u64, 40 + self.tape.pick(20));
        self.longest = self.longest.max(len);
        let mut next = || {
            x = x.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
            scalar::cast(ty, Const::F64((x >> 11) as f64 / (1u64 << 50) as f64 - 4.0)).into()
        };
        Value::vec((0..len).map(|_| next()).collect())
    }

    /// A number that is small, or at an edge of its type; where folds are to be exact, a float has few bits behind the
    /// point.
    pub(super) fn constant(&mut self, ty: Scalar) -> Const {
        if ty.is_float() {
            let x = match self.tape.pick(12) {
                8 => f64::NAN,
                9 => f64::INFINITY,
                10 => f64::NEG_INFINITY,
                11 => -0.0,
                _ if self.limits.folds == Folds::Exact => f64::from(self.tape.pick(129) as i32 - 64) / 8.0,
                // A divisor that leaves no last bit zero.
                _ => f64::from(self.tape.pick(1 << 16) as i32 - (1 << 15)) / 4095.0,
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
}

/// Whether operators reduce values of this type.
pub(super) fn is_reducible(ty: &Type) -> bool {
    match ty {
        Type::Scalar(scalar) => *scalar != Scalar::Bool,
        Type::Struct(fields) => {
            ty.as_temporal().is_none()
                && ty.as_fixed().is_none()
                && ty.as_half().is_none()
                && !fields.is_empty()
                && fields.iter().all(is_reducible)
        }
        _ => false,
    }
}

/// Whether values of this type have an order.
pub(super) fn is_ordered(ty: &Type) -> bool {
    match ty {
        Type::Scalar(scalar) => *scalar != Scalar::Bool,
        Type::Vec(element) => is_ordered(element),
        Type::Struct(_) if ty.as_half().is_some() => false,
        Type::Struct(fields) => {
            fields.as_option().map_or(&fields[..], std::slice::from_ref).iter().all(is_ordered)
        }
        Type::Dict(..) => false,
    }
}

/// Whether a value of this type may be in an option.
pub(super) fn is_optional(ty: &Type) -> bool {
    match ty {
        Type::Struct(fields) => ty.user_name().is_none() && fields.iter().all(is_optional),
        Type::Dict(..) => false,
        Type::Scalar(_) | Type::Vec(_) => true,
    }
}

/// Whether a pattern takes values of this type apart.
pub(super) fn is_taken_apart(ty: &Type) -> bool {
    matches!(ty, Type::Struct(_))
        && ty.as_option().is_none()
        && !ty.is_text()
        && ty.as_temporal().is_none()
        && ty.as_fixed().is_none()
        && ty.as_half().is_none()
}

/// Whether values of this type cannot be keys.
pub(super) fn is_no_key(ty: &Type) -> bool {
    match ty {
        Type::Scalar(_) => false,
        Type::Vec(element) => is_no_key(element),
        Type::Struct(fields) => ty.as_half().is_some() || fields.iter().any(is_no_key),
        Type::Dict(..) => true,
    }
}
