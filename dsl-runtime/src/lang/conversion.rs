//! The conversions to and from floats of 16 bits, as operations of programs.

use super::half;
use super::scalar::Const;
use super::types::Scalar;

/// The table of conversions: what each is called, takes and gives.
macro_rules! functions {
    ($($variant:ident $name:ident $takes:ident $gives:ident;)*) => {
        /// A conversion to or from the bits of a [`Half`](half::Half).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[allow(missing_docs)]
        pub enum HalfFn { $($variant,)* }

        impl HalfFn {
            /// Each of them.
            pub const ALL: &[HalfFn] = &[$(HalfFn::$variant,)*];

            /// The name, which is that of the function in [`half`].
            pub fn name(self) -> &'static str {
                match self { $(HalfFn::$variant => stringify!($name),)* }
            }

            /// What it takes.
            pub fn takes(self) -> Scalar {
                match self { $(HalfFn::$variant => Scalar::$takes,)* }
            }

            /// What it gives.
            pub fn gives(self) -> Scalar {
                match self { $(HalfFn::$variant => Scalar::$gives,)* }
            }

            /// What it makes of `x`, which is of the type that it takes.
            pub fn apply(self, x: Const) -> Const {
                match (self, x) {
                    $((HalfFn::$variant, Const::$takes(x)) => Const::$gives(half::$name(x)),)*
                    _ => unreachable!("{} does not take {x:?}", self.name()),
                }
            }
        }
    };
}

functions! {
    F16ToF32 f16_to_f32 U16 F32;
    Bf16ToF32 bf16_to_f32 U16 F32;
    F32ToF16 f32_to_f16 F32 U16;
    F64ToF16 f64_to_f16 F64 U16;
    F32ToBf16 f32_to_bf16 F32 U16;
    F64ToBf16 f64_to_bf16 F64 U16;
}
