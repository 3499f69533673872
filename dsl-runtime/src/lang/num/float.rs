//! The arithmetic of floats: IEEE's, and functions that give the same bits on every machine.
//!
//! The functions are those of [`math`], but remainders, and sines, cosines and tangents of huge angles, which are those of
//! the crate `libm`, not of the platform's C library.

use super::{Float, Number, select};
use crate::math;
use crate::math_functions;

macro_rules! float {
    ($ty:ident: $fmod:ident) => {
        impl Number for $ty {
            #[inline(always)]
            fn add(self, other: Self) -> Self {
                self + other
            }
            #[inline(always)]
            fn sub(self, other: Self) -> Self {
                self - other
            }
            #[inline(always)]
            fn mul(self, other: Self) -> Self {
                self * other
            }
            #[inline(always)]
            fn negate(self) -> Self {
                -self
            }
            // Equal numbers differ at most in the sign of zero, and then their bits decide: `or` keeps a sign
            // bit that either has, `and` only one that both have. See `select` for why there is no `if`.
            #[inline(always)]
            fn least(self, other: Self) -> Self {
                let equal = <$ty>::from_bits(self.to_bits() | other.to_bits());
                let less = select(self < other, self, other);
                let number = select(self == other, equal, less);
                select(other != other, self, number)
            }
            #[inline(always)]
            fn greatest(self, other: Self) -> Self {
                let equal = <$ty>::from_bits(self.to_bits() & other.to_bits());
                let more = select(self > other, self, other);
                let number = select(self == other, equal, more);
                select(other != other, self, number)
            }
            #[inline(always)]
            fn absolute(self) -> Self {
                self.abs()
            }
            #[inline(always)]
            fn sign(self) -> Self {
                if self != self { self } else { (1.0 as $ty).copysign(self) }
            }
            #[inline(always)]
            fn power(self, exponent: Self) -> Self {
                math::pow(self as f64, exponent as f64) as $ty
            }
        }

        impl Float for $ty {
            #[inline]
            fn remainder(self, divisor: Self) -> Self {
                libm::$fmod(self, divisor)
            }
            math_functions!(implement $ty);
            #[inline(always)]
            fn is_near(self) -> bool {
                self.abs() as f64 <= math::LARGEST_ANGLE
            }
            #[inline(always)]
            fn sqrt(self) -> Self {
                self.sqrt()
            }
            #[inline(always)]
            fn floor(self) -> Self {
                self.floor()
            }
            #[inline(always)]
            fn ceil(self) -> Self {
                self.ceil()
            }
            #[inline(always)]
            fn round(self) -> Self {
                self.round()
            }
            #[inline(always)]
            fn trunc(self) -> Self {
                self.trunc()
            }
            #[inline(always)]
            fn fract(self) -> Self {
                self - self.trunc()
            }
            #[inline(always)]
            fn is_nan(self) -> bool {
                self != self
            }
            #[inline(always)]
            fn mul_add(self, factor: Self, summand: Self) -> Self {
                <$ty>::mul_add(self, factor, summand)
            }
        }
    };
}

macro_rules! implement {
    ([$ty:ident] $($variant:ident $name:ident $arity:tt $how:ident $(($($part:ident),*))? $(as $of:ident::$method:ident)?;)*) => {
        $(implement!($ty $how $arity $name $($($part)*)? $($of)?);)*
    };
    // In 64 bits: floats of 32 are rounded once more.
    ($ty:ident own 1 $name:ident) => {
        #[inline(always)]
        fn $name(self) -> Self {
            math::$name(self as f64) as $ty
        }
    };
    ($ty:ident own 2 $name:ident) => {
        #[inline(always)]
        fn $name(self, other: Self) -> Self {
            math::$name(self as f64, other as f64) as $ty
        }
    };
    (f64 angle 1 $name:ident $near:ident $wide:ident $narrow:ident) => { implement!(@angle f64 $name $near $wide); };
    (f32 angle 1 $name:ident $near:ident $wide:ident $narrow:ident) => { implement!(@angle f32 $name $near $narrow); };
    (@angle $ty:ident $name:ident $near:ident $libm:ident) => {
        #[inline]
        fn $name(self) -> Self {
            if self.is_near() { self.$near() } else { libm::$libm(self) }
        }
        #[inline(always)]
        fn $near(self) -> Self {
            math::$name(self as f64) as $ty
        }
    };
    ($ty:ident exact $arity:tt $name:ident $($of:ident)?) => {};
    ($ty:ident own 2 $name:ident Number) => {};
}

float!(f64: fmod);
float!(f32: fmodf);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn least_and_greatest_agree_with_the_rules_on_edge_values() {
        for (x, y, least, greatest) in [
            (0.0f64, -0.0f64, -0.0f64, 0.0f64),
            (-0.0, 0.0, -0.0, 0.0),
            (1.0, f64::NAN, 1.0, 1.0),
            (f64::NAN, -2.0, -2.0, -2.0),
        ] {
            assert_eq!(x.least(y).to_bits(), least.to_bits());
            assert_eq!(x.greatest(y).to_bits(), greatest.to_bits());
        }
    }
}
