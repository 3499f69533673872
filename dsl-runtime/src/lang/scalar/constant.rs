//! Scalar constants: numbers and truth values of each type, and what each type's extremes are.

use crate::lang::types::Scalar;
use crate::scalar_types;

macro_rules! define {
    ([] $($variant:ident $ty:ident $kind:ident $bits:ident;)*) => {
        /// A scalar constant.
        #[derive(Clone, Copy, Debug)]
        #[allow(missing_docs)]
        pub enum Const { $($variant($ty),)* }

        $(impl From<$ty> for Const {
            fn from(x: $ty) -> Const {
                Const::$variant(x)
            }
        })*

        impl Const {
            /// The type of the constant.
            ///
            /// ```
            /// # use weldment_runtime::lang::scalar::*;
            /// # use weldment_runtime::lang::types::Scalar;
            /// assert_eq!(Const::U16(7).scalar(), Scalar::U16);
            /// ```
            pub fn scalar(self) -> Scalar {
                match self { $(Const::$variant(_) => Scalar::$variant,)* }
            }

            /// The number `x` as `ty`: wraps to an integer type, rounds to a float, is `x != 0` as a bool.
            ///
            /// ```
            /// # use weldment_runtime::lang::scalar::*;
            /// # use weldment_runtime::lang::types::Scalar;
            /// assert_eq!(Const::from_i128(Scalar::I8, 200), Const::I8(-56));
            /// assert_eq!(Const::from_i128(Scalar::F64, 7), Const::F64(7.0));
            /// assert_eq!(Const::from_i128(Scalar::Bool, -1), Const::Bool(true));
            /// ```
            pub fn from_i128(ty: Scalar, x: i128) -> Const {
                match ty { $(Scalar::$variant => Const::$variant(kind!(of_number $kind $ty x)),)* }
            }

            /// The constant with these bits at the low end of a number.
            ///
            /// ```
            /// # use weldment_runtime::lang::scalar::*;
            /// # use weldment_runtime::lang::types::Scalar;
            /// assert_eq!(Const::from_bits(Scalar::F32, 1 << 31), Const::F32(-0.0));
            /// ```
            pub fn from_bits(ty: Scalar, bits: u128) -> Const {
                match ty { $(Scalar::$variant => Const::$variant(kind!(of_bits $kind $ty bits $bits)),)* }
            }

            /// The number, if this is an integer or a bool.
            ///
            /// ```
            /// # use weldment_runtime::lang::scalar::*;
            /// assert_eq!(Const::I8(-1).as_integer(), Some(-1));
            /// assert_eq!((Const::Bool(true).as_integer(), Const::F64(1.0).as_integer()), (Some(1), None));
            /// ```
            pub fn as_integer(self) -> Option<i128> {
                match self { $(Const::$variant(x) => kind!(number $kind x),)* }
            }
        }
    };
}

/// What differs between the kinds of scalar type.
macro_rules! kind {
    (of_number Truth $ty:ident $x:ident) => {
        $x != 0
    };
    (of_number $kind:ident $ty:ident $x:ident) => {
        $x as $ty
    };
    (of_bits Truth $ty:ident $x:ident $bits:ident) => {
        $x as $bits != 0
    };
    (of_bits Float $ty:ident $x:ident $bits:ident) => {
        $ty::from_bits($x as $bits)
    };
    (of_bits $kind:ident $ty:ident $x:ident $bits:ident) => {
        $x as $ty
    };
    (number Float $x:ident) => {{
        _ = $x;
        None
    }};
    (number $kind:ident $x:ident) => {
        Some($x as i128)
    };
}

scalar_types!(define);

impl Const {
    /// The bits in the low end of a number; all NaNs give one pattern.
    pub fn bits(self) -> u128 {
        match self {
            Const::F32(x) if x.is_nan() => f32::NAN.to_bits().into(),
            Const::F32(x) => x.to_bits().into(),
            Const::F64(x) if x.is_nan() => f64::NAN.to_bits().into(),
            Const::F64(x) => x.to_bits().into(),
            _ => self.as_integer().expect("not a float") as u128,
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
            let unused = 8 * (size_of::<i128>() - ty.size()) as u32 + ty.is_signed() as u32;
            Const::from_i128(ty, (u128::MAX >> unused) as i128)
        }
    }
}

/// The type's smallest value; negative infinity for floats.
pub fn smallest(ty: Scalar) -> Const {
    match ty {
        Scalar::F32 => Const::F32(f32::NEG_INFINITY),
        Scalar::F64 => Const::F64(f64::NEG_INFINITY),
        _ if ty.is_signed() => Const::from_i128(ty, -1i128 << (8 * ty.size() - 1)),
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
        assert_eq!(
            (smallest(Scalar::I128), largest(Scalar::I128)),
            (Const::I128(i128::MIN), Const::I128(i128::MAX))
        );
        assert_eq!(smallest(Scalar::F32), Const::F32(f32::NEG_INFINITY));
    }
}
