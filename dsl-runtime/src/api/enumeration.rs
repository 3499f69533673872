//! What `derive(Weld)` implements for an enum of numbers, by one macro.
//!
//! To programs such an enum is the struct of its number, with a name that lists the variants. One of them has the number 0, so that
//! what stands where there is no value is one of its values, too.
//!
//! This file may use `unsafe` because the macro says how an enum lies in memory. What makes it sound: a field-less enum with `#[repr(u8)]` and the
//! like lies there as that integer; whatever gives programs values of it, gives them a variant, and programs make no others.

/// Implements what values of a program need for an enum: `type integer zero { Variant = number, … }`, with the variant of number 0.
#[doc(hidden)]
#[macro_export]
macro_rules! __enumeration {
    ($name:ident $repr:ident $zero:ident { $($variant:ident = $number:literal,)* }) => {
        // SAFETY: it lies in memory as the integer does, from its first byte on.
        unsafe impl $crate::api::structure::Structure for $name {
            const FIELDS: &'static [$crate::api::layout::Field] =
                &[$crate::api::layout::Field::new(0, <$repr as $crate::api::element::Element>::LAYOUT)];

            fn types() -> $crate::lang::types::Fields {
                let variants = [$((::std::string::ToString::to_string($crate::__enumeration!(@text $variant)), $number)),*];
                let number = <$repr as $crate::api::element::Element>::ty();
                let number = number.as_scalar().expect("an integer");
                let ty = $crate::lang::types::Type::enumeration(number, ::std::sync::Arc::new(variants));
                match ty {
                    $crate::lang::types::Type::Struct(fields) => fields,
                    _ => ::core::unreachable!("an enum is a struct"),
                }
            }

            fn are(types: &$crate::lang::types::Fields) -> bool {
                let variants: &[(&str, i128)] = &[$(($crate::__enumeration!(@text $variant), $number)),*];
                let is_same = |(one, other): (&(::std::string::String, i128), &(&str, i128))| {
                    (one.0.as_str(), one.1) == *other
                };
                types.first().is_some_and(<$repr as $crate::api::element::Element>::is)
                    && types.as_enum().is_some_and(|own| {
                        own.len() == variants.len() && own.iter().zip(variants).all(is_same)
                    })
            }

            #[inline(always)]
            fn zeros() -> Self {
                Self::$zero
            }

            fn to_values(&self) -> ::std::vec::Vec<$crate::lang::value::Value> {
                ::std::vec![$crate::api::element::Element::to_value(&self.__weld_number())]
            }

            fn from_values(fields: &[$crate::lang::value::Value]) -> ::core::option::Option<Self> {
                let [number] = fields else { return ::core::option::Option::None };
                let number = <$repr as $crate::api::element::Element>::from_value(number)?;
                let made = Self::__weld_variant(number);
                (made.__weld_number() == number).then_some(made)
            }
        }

        #[allow(unreachable_pub)]
        impl $name {
            /// The number of the variant.
            #[doc(hidden)]
            #[inline(always)]
            pub const fn __weld_number(&self) -> $repr {
                match self { $(Self::$variant => $number,)* }
            }

            /// The variant of this number; the one of 0 for all others, which programs do not make.
            #[doc(hidden)]
            #[inline(always)]
            pub const fn __weld_variant(number: $repr) -> Self {
                match number {
                    $($number => Self::$variant,)*
                    #[allow(unreachable_patterns)]
                    _ => Self::$zero,
                }
            }
        }

        impl $crate::api::args::Argument for &$name {
            fn ty() -> $crate::lang::types::Type {
                <$name as $crate::api::element::Element>::ty()
            }

            fn is(ty: &$crate::lang::types::Type) -> bool {
                <$name as $crate::api::element::Element>::is(ty)
            }

            fn to_value(&self) -> $crate::lang::value::Value {
                $crate::api::element::Element::to_value(*self)
            }

            fn passed(&self) -> $crate::api::args::Passed<'_> {
                $crate::api::args::Passed::value(*self)
            }
        }

        impl $crate::mem::heap::Heap for $name {
            const HOLDS: bool = false;

            #[inline]
            fn heap(&self) -> usize {
                0
            }
        }

        impl $crate::lang::order::Order for $name {
            #[inline]
            fn order(&self, other: &Self) -> ::core::option::Option<::core::cmp::Ordering> {
                $crate::lang::order::Order::order(&self.__weld_number(), &other.__weld_number())
            }

            #[inline]
            fn total_order(&self, other: &Self) -> ::core::cmp::Ordering {
                $crate::lang::order::Order::total_order(&self.__weld_number(), &other.__weld_number())
            }
        }

        impl $crate::key::hash::Key for $name {
            const BITS: u32 = <$repr as $crate::key::hash::Key>::BITS;

            #[inline(always)]
            fn bits(&self) -> u64 {
                $crate::key::hash::Key::bits(&self.__weld_number())
            }

            #[inline(always)]
            fn hash_after(&self, state: u64) -> u64 {
                $crate::key::hash::Key::hash_after(&self.__weld_number(), state)
            }

            #[inline(always)]
            fn same(&self, other: &Self) -> bool {
                self.__weld_number() == other.__weld_number()
            }
        }

        impl $crate::api::serialize::Serialize for $name {
            fn size(&self) -> usize {
                $crate::api::serialize::Serialize::size(&self.__weld_number())
            }

            fn write(&self, bytes: &mut ::std::vec::Vec<u8>) {
                $crate::api::serialize::Serialize::write(&self.__weld_number(), bytes);
            }
        }

        // No program reads one from bytes; a struct that has one is asked for it all the same.
        impl $crate::api::serialize::Deserialize for $name {
            const LEAST: usize = <$repr as $crate::api::serialize::Deserialize>::LEAST;

            fn read(
                cx: &$crate::exec::context::Context,
                bytes: &mut &[u8],
            ) -> ::core::result::Result<Self, $crate::api::serialize::Unread> {
                let number = <$repr as $crate::api::serialize::Deserialize>::read(cx, bytes)?;
                ::core::result::Result::Ok(Self::__weld_variant(number))
            }
        }
    };

    (@text $variant:ident) => {{
        let name = ::core::stringify!($variant);
        match name.as_bytes() {
            [b'r', b'#', ..] => name.split_at(2).1,
            _ => name,
        }
    }};
}

#[cfg(test)]
#[expect(unsafe_code, reason = "the macro says of each enum how it lies in memory")]
mod tests {
    use crate::api::element::Element;
    use crate::key::hash::Key;
    use crate::lang::order::Order;
    use crate::lang::types::{Scalar, Type};
    use crate::lang::value::Value;

    #[derive(Clone, Copy, Debug, PartialEq)]
    #[repr(i16)]
    enum Flag {
        Low = -7,
        None,
        Zero = 0,
        High = 300,
    }

    __enumeration! { Flag i16 Zero { Low = -7, None = -6, Zero = 0, High = 300, } }

    #[test]
    fn an_enum_is_the_struct_of_its_number() {
        let all = [Flag::Low, Flag::None, Flag::Zero, Flag::High];
        for flag in all {
            assert_eq!(flag.to_value().to_string(), format!("({},)", flag as i16));
            assert_eq!(Flag::from_value(&flag.to_value()), Some(flag));
            assert_eq!((flag.bits(), Flag::BITS), ((flag as i16).bits(), 16));
        }
        assert_eq!(Flag::from_value(&Value::structure(vec![Value::I16(5)])), None);
        assert_eq!(Flag::zero(), Flag::Zero);
        assert_eq!(Flag::Low.order(&Flag::High), Some(std::cmp::Ordering::Less));
        assert_eq!(size_of::<Flag>(), Flag::LAYOUT.size());
    }

    #[test]
    fn its_type_tells_the_variants() {
        let number = Value::structure(vec![Value::I16(5)]);
        assert!(Flag::is(&Flag::ty()) && !Flag::is(&<(i16,)>::ty()) && !<(u8,)>::is(&Flag::ty()));
        assert!(!Flag::is(&Type::enumeration(Scalar::I16, [("Zero".to_owned(), 0)].into())));
        assert!(!number.has_type(&Flag::ty()) && Flag::High.to_value().has_type(&Flag::ty()));
    }
}
