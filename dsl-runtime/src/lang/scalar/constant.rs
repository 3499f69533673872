//! Scalar constants: numbers and truth values of each type, and what each type's extremes are.

use crate::lang::types::Scalar;

/// A scalar constant.
#[derive(Clone, Copy, Debug)]
#[allow(missing_docs)]
pub enum Const {
    Bool(bool),
    I8(i8),
    I16(i16),
    I32(i32),
    I64(i64),
    U8(u8),
    U16(u16),
    U32(u32),
    U64(u64),
    F32(f32),
    F64(f64),
}

macro_rules! const_from {
    ($($ty:ident $variant:ident)*) => {
        $(impl From<$ty> for Const {
            fn from(x: $ty) -> Const {
                Const::$variant(x)
            }
        })*
    };
}

const_from!(bool Bool i8 I8 i16 I16 i32 I32 i64 I64 u8 U8 u16 U16 u32 U32 u64 U64 f32 F32 f64 F64);

impl Const {
    /// The type of the constant.
    pub fn scalar(self) -> Scalar {
        match self {
            Const::Bool(_) => Scalar::Bool,
            Const::I8(_) => Scalar::I8,
            Const::I16(_) => Scalar::I16,
            Const::I32(_) => Scalar::I32,
            Const::I64(_) => Scalar::I64,
            Const::U8(_) => Scalar::U8,
            Const::U16(_) => Scalar::U16,
            Const::U32(_) => Scalar::U32,
            Const::U64(_) => Scalar::U64,
            Const::F32(_) => Scalar::F32,
            Const::F64(_) => Scalar::F64,
        }
    }

    /// The number `x` as `ty`: wraps to an integer type, rounds to a float, is `x != 0` as a bool.
    pub fn from_i128(ty: Scalar, x: i128) -> Const {
        match ty {
            Scalar::Bool => Const::Bool(x != 0),
            Scalar::I8 => Const::I8(x as i8),
            Scalar::I16 => Const::I16(x as i16),
            Scalar::I32 => Const::I32(x as i32),
            Scalar::I64 => Const::I64(x as i64),
            Scalar::U8 => Const::U8(x as u8),
            Scalar::U16 => Const::U16(x as u16),
            Scalar::U32 => Const::U32(x as u32),
            Scalar::U64 => Const::U64(x as u64),
            Scalar::F32 => Const::F32(x as f32),
            Scalar::F64 => Const::F64(x as f64),
        }
    }

    /// The number, if this is an integer or a bool.
    pub fn as_integer(self) -> Option<i128> {
        Some(match self {
            Const::Bool(x) => x as i128,
            Const::I8(x) => x as i128,
            Const::I16(x) => x as i128,
            Const::I32(x) => x as i128,
            Const::I64(x) => x as i128,
            Const::U8(x) => x as i128,
            Const::U16(x) => x as i128,
            Const::U32(x) => x as i128,
            Const::U64(x) => x as i128,
            Const::F32(_) | Const::F64(_) => return None,
        })
    }

    /// The bits in the low end of a word; all NaNs give one pattern.
    pub fn bits(self) -> u64 {
        match self {
            Const::F32(x) if x.is_nan() => f32::NAN.to_bits() as u64,
            Const::F32(x) => x.to_bits() as u64,
            Const::F64(x) if x.is_nan() => f64::NAN.to_bits(),
            Const::F64(x) => x.to_bits(),
            _ => self.as_integer().expect("not a float") as u64,
        }
    }
}

/// Bit for bit, with all NaNs one value and −0.0 different from 0.0.
impl PartialEq for Const {
    fn eq(&self, other: &Const) -> bool {
        self.scalar() == other.scalar() && self.bits() == other.bits()
    }
}

impl Eq for Const {}

impl std::hash::Hash for Const {
    fn hash<H: std::hash::Hasher>(&self, state: &mut H) {
        (self.scalar(), self.bits()).hash(state);
    }
}

/// The type's largest value; infinity for floats.
pub fn largest(ty: Scalar) -> Const {
    match ty {
        Scalar::Bool => Const::Bool(true),
        Scalar::F32 => Const::F32(f32::INFINITY),
        Scalar::F64 => Const::F64(f64::INFINITY),
        _ => {
            let bits = 8 * ty.size() as u32 - ty.is_signed() as u32;
            Const::from_i128(ty, (1i128 << bits) - 1)
        }
    }
}

/// The type's smallest value; negative infinity for floats.
pub fn smallest(ty: Scalar) -> Const {
    match ty {
        Scalar::F32 => Const::F32(f32::NEG_INFINITY),
        Scalar::F64 => Const::F64(f64::NEG_INFINITY),
        _ if ty.is_signed() => Const::from_i128(ty, -(1i128 << (8 * ty.size() - 1))),
        _ => Const::from_i128(ty, 0),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn extremes_are_the_types_own() {
        assert_eq!(largest(Scalar::I8), Const::I8(127));
        assert_eq!(smallest(Scalar::I64), Const::I64(i64::MIN));
        assert_eq!(largest(Scalar::U64), Const::U64(u64::MAX));
        assert_eq!(smallest(Scalar::F32), Const::F32(f32::NEG_INFINITY));
    }
}
