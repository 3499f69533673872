//! What `derive(Weld)` implements for a struct, by one macro; and what says the same of a type of another crate.
//!
//! This file may use `unsafe` because the macros say how a struct lies in memory. What makes it sound: the one is written from the
//! definition of the struct, and the other is given types that promise to lie as an integer does.

/// Implements what values of a program need for a struct: `[generics] (type), [parameters] [bounds] { field: type, … }`, and behind that
/// `named` the name of the type of the language that it is, if it is one.
///
/// Every field must be there with its own type: values are made from them.
#[doc(hidden)]
#[macro_export]
macro_rules! __structure {
    (
        [$($generics:tt)*] ($name:ident $($args:tt)*) [$($param:ident)*] [$($bounds:tt)*]
        { $($field:tt: $of:ty,)* } $(named $known:expr)?
    ) => {
        // Where a derive is missing, a list of the structs that have one is no help.
        #[diagnostic::do_not_recommend]
        // SAFETY: `offset_of!` says where a field lies, its type says how. `from_values` makes the struct of the same
        // fields, so that none is missing and each has the type that is written.
        unsafe impl<$($generics)*> $crate::api::structure::Structure for $name $($args)*
        where $($param: $crate::api::element::Element,)* $($bounds)*
        {
            const FIELDS: &'static [$crate::api::layout::Field] = &[$(
                $crate::api::layout::Field::new(
                    ::core::mem::offset_of!(Self, $field),
                    <$of as $crate::api::element::Element>::LAYOUT,
                ),
            )*];

            fn types() -> $crate::lang::types::Fields {
                let types: [$crate::lang::types::Type; _] = [$(<$of as $crate::api::element::Element>::ty()),*];
                let types: $crate::lang::types::Fields = ::core::iter::FromIterator::from_iter(types);
                $(let types = types.named(::core::option::Option::Some(::core::convert::Into::into($known)));)?
                types
            }

            #[allow(unused_variables, unused_mut)]
            fn are(types: &$crate::lang::types::Fields) -> bool {
                $(if !::core::matches!(types.name().map(|name| &**name), ::core::option::Option::Some(known) if *known == $known) {
                    return false;
                })?
                let mut types = types.iter();
                $(types.next().is_some_and(<$of as $crate::api::element::Element>::is) &&)* types.next().is_none()
            }

            #[inline(always)]
            fn zeros() -> Self {
                Self { $($field: <$of as $crate::api::element::Element>::zero(),)* }
            }

            fn to_values(&self) -> ::std::vec::Vec<$crate::lang::value::Value> {
                ::std::vec![$($crate::api::element::Element::to_value(&self.$field)),*]
            }

            #[allow(unused_mut)]
            fn from_values(fields: &[$crate::lang::value::Value]) -> ::core::option::Option<Self> {
                let mut fields = fields.iter();
                let made = Self {
                    $($field: <$of as $crate::api::element::Element>::from_value(fields.next()?)?,)*
                };
                fields.next().is_none().then_some(made)
            }
        }

        impl<$($generics)*> $crate::api::args::Argument for &$name $($args)*
        where $($param: $crate::api::element::Element,)* $($bounds)*
        {
            fn ty() -> $crate::lang::types::Type {
                <$name $($args)* as $crate::api::element::Element>::ty()
            }

            fn is(ty: &$crate::lang::types::Type) -> bool {
                <$name $($args)* as $crate::api::element::Element>::is(ty)
            }

            fn to_value(&self) -> $crate::lang::value::Value {
                $crate::api::element::Element::to_value(*self)
            }

            fn passed(&self) -> $crate::api::args::Passed<'_> {
                $crate::api::args::Passed::value(*self)
            }
        }

        impl<$($generics)*> $crate::mem::heap::Heap for $name $($args)*
        where $($param: $crate::mem::heap::Heap,)* $($bounds)*
        {
            const HOLDS: bool = false $(|| <$of as $crate::mem::heap::Heap>::HOLDS)*;

            #[inline]
            fn heap(&self) -> usize {
                0usize $(.saturating_add($crate::mem::heap::Heap::heap(&self.$field)))*
            }
        }

        // A struct with a dictionary inside is no key and has no order; that is for the compiler to find out, which
        // asks only where a lifetime is involved.
        impl<$($generics)*> $crate::lang::order::Order for $name $($args)*
        where $(for<'weld> $of: $crate::lang::order::Order,)* $($bounds)*
        {
            #[allow(unused_variables)]
            #[inline]
            fn order(&self, other: &Self) -> ::core::option::Option<::core::cmp::Ordering> {
                $(match $crate::lang::order::Order::order(&self.$field, &other.$field) {
                    ::core::option::Option::Some(::core::cmp::Ordering::Equal) => {}
                    decided => return decided,
                })*
                ::core::option::Option::Some(::core::cmp::Ordering::Equal)
            }

            #[allow(unused_variables)]
            #[inline]
            fn total_order(&self, other: &Self) -> ::core::cmp::Ordering {
                ::core::cmp::Ordering::Equal
                    $(.then_with(|| $crate::lang::order::Order::total_order(&self.$field, &other.$field)))*
            }
        }

        impl<$($generics)*> $crate::key::hash::Key for $name $($args)*
        where $($param: $crate::mem::heap::Heap,)* $(for<'weld> $of: $crate::key::hash::Key,)* $($bounds)*
        {
            const BITS: u32 = $crate::key::hash::sum(&[$(<$of as $crate::key::hash::Key>::BITS),*]);

            #[allow(unused_mut)]
            #[inline(always)]
            fn bits(&self) -> u64 {
                if <Self as $crate::key::hash::Key>::BITS > 64 {
                    return 0;
                }
                let mut word = 0;
                $(
                    word = word << (<$of as $crate::key::hash::Key>::BITS & 63) | $crate::key::hash::Key::bits(&self.$field);
                )*
                word
            }

            #[inline(always)]
            fn hash_after(&self, state: u64) -> u64 {
                if <Self as $crate::key::hash::Key>::BITS <= 64 {
                    return $crate::key::hash::Key::hash_after(&$crate::key::hash::Key::bits(self), state);
                }
                $(let state = $crate::key::hash::Key::hash_after(&self.$field, state);)*
                state
            }

            #[allow(unused_variables)]
            #[inline(always)]
            fn same(&self, other: &Self) -> bool {
                if <Self as $crate::key::hash::Key>::BITS <= 64 {
                    return $crate::key::hash::Key::bits(self) == $crate::key::hash::Key::bits(other);
                }
                true $(&& $crate::key::hash::Key::same(&self.$field, &other.$field))*
            }
        }

        impl<$($generics)*> $crate::api::serialize::Serialize for $name $($args)*
        where $($param: $crate::api::serialize::Serialize,)* $($bounds)*
        {
            fn size(&self) -> usize {
                0 $(+ $crate::api::serialize::Serialize::size(&self.$field))*
            }

            #[allow(unused_variables)]
            fn write(&self, bytes: &mut ::std::vec::Vec<u8>) {
                $($crate::api::serialize::Serialize::write(&self.$field, bytes);)*
            }
        }

        impl<$($generics)*> $crate::api::serialize::Deserialize for $name $($args)*
        where $($param: $crate::api::serialize::Deserialize,)* $($bounds)*
        {
            const LEAST: usize = 0 $(+ <$of as $crate::api::serialize::Deserialize>::LEAST)*;

            #[allow(unused_variables)]
            fn read(
                cx: &$crate::exec::context::Context,
                bytes: &mut &[u8],
            ) -> ::core::result::Result<Self, $crate::api::serialize::Unread> {
                ::core::result::Result::Ok(Self {
                    $($field: <$of as $crate::api::serialize::Deserialize>::read(cx, bytes)?,)*
                })
            }
        }

        $crate::__structure!(@operator Add [$($generics)*] ($name $($args)*) [$($bounds)*] { $($field: $of,)* });
        $crate::__structure!(@operator Mul [$($generics)*] ($name $($args)*) [$($bounds)*] { $($field: $of,)* });
        $crate::__structure!(@operator Min [$($generics)*] ($name $($args)*) [$($bounds)*] { $($field: $of,)* });
        $crate::__structure!(@operator Max [$($generics)*] ($name $($args)*) [$($bounds)*] { $($field: $of,)* });
    };

    // An operator reduces a struct whose fields it reduces; those are numbers, which are copied.
    (@operator $op:ident [$($generics:tt)*] ($name:ident $($args:tt)*) [$($bounds:tt)*] { $($field:tt: $of:ty,)* }) => {
        impl<$($generics)*> $crate::store::reduce::lanes::Operator<$name $($args)*> for $crate::store::reduce::lanes::$op
        where
            $(for<'weld> $crate::store::reduce::lanes::$op: $crate::store::reduce::lanes::Operator<$of>,)*
            $(for<'weld> $of: ::core::marker::Copy,)*
            $($bounds)*
        {
            #[inline(always)]
            fn identity(self) -> $name $($args)* {
                $name { $($field: $crate::store::reduce::lanes::Operator::<$of>::identity(self),)* }
            }

            #[inline(always)]
            fn neutral(self) -> $name $($args)* {
                $name { $($field: $crate::store::reduce::lanes::Operator::<$of>::neutral(self),)* }
            }

            #[allow(unused_variables)]
            #[inline(always)]
            fn apply(self, a: $name $($args)*, b: $name $($args)*) -> $name $($args)* {
                $name { $($field: $crate::store::reduce::lanes::Operator::<$of>::apply(self, a.$field, b.$field),)* }
            }
        }
    };
}

/// Implements [`Structure`](crate::api::structure::Structure) for a type that lies in memory as an integer does and is made of its bits, any of them: the type, the integer, and the name
/// that it has in the language.
macro_rules! of_bits {
    ($ty:ident $bits:ident $name:expr) => {
        #[diagnostic::do_not_recommend]
        // SAFETY: it lies in memory as the integer, from its first byte on, and whatever bits there are, are one of it.
        unsafe impl $crate::api::structure::Structure for $ty {
            const FIELDS: &'static [$crate::api::layout::Field] =
                &[$crate::api::layout::Field::new(0, <$bits as $crate::api::element::Element>::LAYOUT)];

            fn types() -> $crate::lang::types::Fields {
                let types: $crate::lang::types::Fields =
                    [<$bits as $crate::api::element::Element>::ty()].into_iter().collect();
                types.named(Some($name.into()))
            }

            fn are(types: &$crate::lang::types::Fields) -> bool {
                types.name().is_some_and(|name| **name == $name)
            }

            #[inline(always)]
            fn zeros() -> $ty {
                $ty::from_bits(0)
            }

            fn to_values(&self) -> Vec<$crate::lang::value::Value> {
                vec![$crate::api::element::Element::to_value(&self.to_bits())]
            }

            fn from_values(fields: &[$crate::lang::value::Value]) -> Option<$ty> {
                let [bits] = fields else { return None };
                <$bits as $crate::api::element::Element>::from_value(bits).map($ty::from_bits)
            }
        }
    };
}

pub(super) use of_bits;

#[cfg(test)]
#[expect(unsafe_code, reason = "the macro says of each struct how it lies in memory")]
mod tests {
    use crate::api::element::Element;
    use crate::api::layout::Shape;
    use crate::api::serialize::{deserialize, serialize};
    use crate::exec::context::Context;
    use crate::key::hash::Key;
    use crate::lang::order::Order;
    use crate::store::dict::Dict;
    use crate::store::reduce::lanes::{Add, Operator};

    #[derive(Clone, Debug, PartialEq)]
    struct Row {
        tag: u8,
        at: (f64, bool),
        id: i64,
    }

    __structure! { [] (Row) [] [] { tag: u8, at: (f64, bool), id: i64, } }

    #[derive(Clone, Copy, Debug, PartialEq)]
    struct Pair<T>(T, T);

    __structure! { [T] (Pair<T>) [T] [] { 0: T, 1: T, } }

    /// No key, and not ordered.
    #[derive(Clone, Debug, PartialEq)]
    struct Index {
        rows: Dict<i64, Vec<u8>>,
    }

    __structure! { [] (Index) [] [] { rows: Dict<i64, Vec<u8>>, } }

    fn row(tag: u8) -> Row {
        Row { tag, at: (0.5, true), id: -7 }
    }

    #[test]
    fn a_struct_is_the_tuple_of_its_fields() {
        assert_eq!(Row::ty(), <(u8, (f64, bool), i64)>::ty());
        assert!(
            Row::is(&Row::ty())
                && !Row::is(&<(u8, i64)>::ty())
                && !Row::is(&<(u8, (f64, bool), i64, u8)>::ty())
        );
        let tuple = (1u8, (0.5, true), -7i64);
        assert!(row(1).to_value().same_bits(&tuple.to_value()));
        assert_eq!(Row::from_value(&tuple.to_value()), Some(row(1)));
        assert_eq!(Row::from_value(&(1u8, (0.5, true)).to_value()), None);
        assert_eq!((Row::BITS, row(1).hash()), (<(u8, (f64, bool), i64)>::BITS, tuple.hash()));
        assert_eq!(Pair(1u8, 2).bits(), (1u8, 2u8).bits());
        assert_eq!(Pair(1u8, 2).hash_after(5), (1u8, 2u8).hash_after(5));
        assert_eq!(row(1).order(&row(2)), Some(std::cmp::Ordering::Less));
        assert_eq!(Pair(0.0, f64::NAN).total_order(&Pair(-0.0, 1.0)), std::cmp::Ordering::Greater);
        assert_eq!(Pair(f64::NAN, 1.0).total_order(&Pair(f64::NAN, 1.0)), std::cmp::Ordering::Equal);
        assert_eq!(Add.apply(Pair(1.5, 2.0), Add.neutral()), Pair(1.5, 2.0));
    }

    #[test]
    fn bytes_are_those_of_the_tuple() {
        let cx = Context::ambient();
        let bytes = serialize(cx, &row(3)).unwrap();
        assert_eq!(bytes, serialize(cx, &(3u8, (0.5, true), -7i64)).unwrap());
        assert_eq!(deserialize(cx, &bytes, 1, 1), Ok(row(3)));
        let index = Index { rows: [(1, vec![2u8])].into_iter().collect() };
        assert_eq!(deserialize(cx, &serialize(cx, &index).unwrap(), 1, 1), Ok(index));
    }

    #[test]
    fn fields_lie_where_rust_has_put_them() {
        let Shape::Struct(fields) = Row::LAYOUT.shape() else { panic!("a struct") };
        let value = row(1);
        let base = &raw const value as usize;
        let places =
            [&raw const value.tag as usize, &raw const value.at as usize, &raw const value.id as usize];
        assert_eq!(fields.iter().map(|field| base + field.offset()).collect::<Vec<_>>(), places);
        assert_eq!(Row::LAYOUT.size(), size_of::<Row>());
    }
}
