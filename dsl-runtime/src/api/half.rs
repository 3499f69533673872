//! Floats of 16 bits, as Rust has them: the types of the crate `half`.
//!
//! Without the feature `half` there are types in their place that kernels compute with, and nobody can name: what goes in and out of a kernel is
//! then refused where it is written (`weldment-codegen`).
//!
//! Each is `repr(transparent)` over a `u16`, as the documentation of the crate promises, so that it lies in memory as `of_bits` says.

#![expect(unsafe_code, reason = "compiled programs read memory as the integer")]

#[cfg(feature = "half")]
pub use ::half::{bf16, f16};

use crate::api::args::{Argument, Passed};
use crate::api::derive::of_bits;
use crate::api::element::Element;
use crate::api::serialize::{Deserialize, Serialize, Unread};
use crate::exec::context::Context;
use crate::lang::half::Half;
use crate::lang::types::{Name, Type};
use crate::lang::value::Value;
use crate::mem::heap::Heap;

/// What stands in the place of a type of the crate `half`.
#[cfg(not(feature = "half"))]
macro_rules! stand_in {
    ($($name:ident)*) => {$(
        /// The bits of one.
        #[doc(hidden)]
        #[derive(Clone, Copy, Debug, Default, PartialEq)]
        #[expect(non_camel_case_types, reason = "it is called as that of the crate `half`")]
        #[repr(transparent)]
        pub struct $name(u16);

        impl $name {
            /// The one of these bits.
            #[inline(always)]
            pub const fn from_bits(bits: u16) -> $name {
                $name(bits)
            }

            /// Its bits.
            #[inline(always)]
            pub const fn to_bits(self) -> u16 {
                self.0
            }
        }
    )*};
}

#[cfg(not(feature = "half"))]
stand_in!(f16 bf16);

/// Implements what values of a program need. There is neither an order nor a key: these are types of storage.
macro_rules! float_of_16_bits {
    ($($name:ident $half:ident;)*) => {$(
        of_bits! { $name u16 Name::Half(Half::$half) }

        impl Argument for &$name {
            fn ty() -> Type {
                <$name as Element>::ty()
            }

            fn is(ty: &Type) -> bool {
                <$name as Element>::is(ty)
            }

            fn to_value(&self) -> Value {
                Element::to_value(*self)
            }

            fn passed(&self) -> Passed<'_> {
                Passed::value(*self)
            }
        }

        impl Heap for $name {
            const HOLDS: bool = false;

            #[inline]
            fn heap(&self) -> usize {
                0
            }
        }

        impl Serialize for $name {
            fn size(&self) -> usize {
                Serialize::size(&self.to_bits())
            }

            fn write(&self, bytes: &mut Vec<u8>) {
                Serialize::write(&self.to_bits(), bytes);
            }
        }

        impl Deserialize for $name {
            const LEAST: usize = <u16 as Deserialize>::LEAST;

            fn read(cx: &Context, bytes: &mut &[u8]) -> Result<$name, Unread> {
                <u16 as Deserialize>::read(cx, bytes).map($name::from_bits)
            }
        }
    )*};
}

float_of_16_bits! {
    f16 F16;
    bf16 Bf16;
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::serialize::{deserialize, serialize};
    use crate::lang::types::Scalar;

    #[test]
    fn it_is_the_struct_of_its_bits() {
        let one = f16::from_bits(0x3C00);
        assert_eq!(Element::to_value(&one).to_string(), "(15360,)");
        assert_eq!(<f16 as Element>::from_value(&Element::to_value(&one)), Some(one));
        assert_eq!(
            (<f16 as Element>::ty(), <bf16 as Element>::ty()),
            (Type::half(Half::F16), Type::half(Half::Bf16))
        );
        let ty = Type::half(Half::F16);
        assert!(<f16 as Element>::is(&ty) && !<bf16 as Element>::is(&ty));
        assert!(!<f16 as Element>::is(&Type::structure([Type::Scalar(Scalar::U16)])));
        assert_eq!((size_of::<f16>(), align_of::<bf16>()), (size_of::<u16>(), align_of::<u16>()));
    }

    #[test]
    fn bytes_are_those_of_the_bits() {
        let cx = Context::ambient();
        let numbers = vec![bf16::from_bits(0x7FC1), bf16::from_bits(0x8000)];
        let bytes = serialize(cx, &numbers).unwrap();
        assert_eq!(bytes, serialize(cx, &vec![0x7FC1u16, 0x8000]).unwrap());
        let back: Vec<bf16> = deserialize(cx, &bytes, 1, 1).unwrap();
        assert_eq!(back.iter().map(|number| number.to_bits()).collect::<Vec<_>>(), [0x7FC1, 0x8000]);
    }
}
